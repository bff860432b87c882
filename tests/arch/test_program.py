"""Programs as a whole: what they refuse, what can be observed, which values they name."""

from __future__ import annotations

import pytest

from catpy.arch import build_program, default_model
from catpy.arch.program import Options
from catpy.arch.terms import Address, Unknown, Value
from catpy.errors import TestError
from catpy.execution import Outcome, run_test
from catpy.litmus.syntax import Location, Observable, Register
from tests.arch.helpers import fails, path, program, register, text_of
from tests.litmus import helpers
from tests.support import load_model


def run(*codes: str, final: str, init: str = "", places: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a test under sequential consistency."""
    return run_test(helpers.parse(text_of(codes, init, places, final)), load_model("sc"))


def run_fails(*codes: str, final: str, message: str, hint: str = "", init: str = "") -> None:
    """Checks that a run is refused at the mark `▸` in its text."""

    def act(text: str) -> object:
        return run_test(helpers.parse(text), load_model("sc"))

    helpers.fails(text_of(codes, init, (), final), message, hint, act)


# Architectures


def test_the_architecture_is_that_of_the_first_line() -> None:
    test = helpers.parse("PTX t\n{ }\n P0 ;\n nop ;\n")
    assert default_model(test) == "ptx"


@pytest.mark.parametrize("name", ["X86", "AArch64", "ptx", "C"])
def test_other_architectures_are_refused(name: str) -> None:
    helpers.fails(
        f"\n ▸{name} t\n{{ }}\n P0 ;\n nop ;\n",
        f"no architecture `{name}`: there is `PTX`",
        act=lambda text: build_program(helpers.parse(text), Options()),
    )


def test_the_place_of_an_architecture_is_right_behind_a_comment() -> None:
    helpers.fails(
        "// a test\n▸X86 t\n{ }\n P0 ;\n nop ;\n",
        "no architecture `X86`",
        act=lambda text: build_program(helpers.parse(text), Options()),
    )


# Threads


def test_threads_are_listed_in_the_order_of_the_text() -> None:
    text = "PTX t\n{ }\nP2 { st [x], 1; }\nP0 { ld r0, [x]; }\n"
    prog = build_program(helpers.parse(text), Options())
    assert list(prog.threads) == [2, 0]
    assert prog.paths(2)[0].events[0].is_write
    assert prog.paths(2)[0].thread == 2
    assert prog.paths(0)[0].events[0].is_read


# Special registers


@pytest.mark.parametrize(
    "name",
    [
        "%tid",
        "%tid.x",
        "%ntid.y",
        "%ctaid.x",
        "%nctaid.z",
        "%laneid",
        "%warpid",
        "%nwarpid",
        "%clusterid.x",
        "%nclusterid.x",
        "%cluster_ctaid.x",
        "%cluster_ctarank",
        "%gridid",
        "%clock",
        "%clock64",
        "%smid",
        "%nsmid",
        "%lanemask_eq",
        "%lanemask_lt",
        "%globaltimer",
        "%globaltimer_lo",
        "%dynamic_smem_size",
        "%envreg0",
        "%is_explicit_cluster",
    ],
)
def test_special_registers_are_not_supported(name: str) -> None:
    with pytest.raises(TestError) as caught:
        program(f"mov.u32 %r1, {name}")
    error = caught.value
    assert f"the special register `{name}` is not supported by this version" in error.message
    assert str(error.span).startswith("t.litmus:4:")


def test_special_registers_are_named_where_they_stand() -> None:
    fails(
        "nop;\n ▸mov.u32 %r1, %tid.x",
        message="the special register `%tid.x` is not supported by this version",
    )


def test_special_registers_have_the_values_they_are_given() -> None:
    code = "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, %ntid.x, %r1"
    init = "0:%tid.x = 3; P0:%ctaid.x = 2; 0:ntid.x = 32"
    assert register(path(code, init=init), "r3") == 67


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("%tid.x", "`P0:%tid.x = 0`"),
        ("%cluster_ctarank", "in the initial section"),
        ("%clock64", "it changes while the thread runs"),
        ("%globaltimer", "it changes while the thread runs"),
    ],
)
def test_special_registers_without_a_value_say_what_to_do(name: str, hint: str) -> None:
    init = f"0:{name} = 1" if "changes" in hint else "1:%tid.x = 0"
    message = f"the special register `{name}` is not supported by this version"
    fails(f"▸mov.u32 %r1, {name}", "nop", init=init, message=message, hint=hint)


@pytest.mark.parametrize("name", ["%r1", "%tidy", "%rd1", "%p2", "%clusters"])
def test_registers_that_only_look_special(name: str) -> None:
    program(f"mov.u32 {name}, 1")


# Shared memory


@pytest.mark.parametrize(
    ("init", "code"),
    [
        (".shared .u32 s;", "st.weak [s], 1"),
        (".shared .u32 s = 0;", "ld.u32 r0, [s]"),
        ("", "st.shared.u32 [s], 1"),
        ("", "atom.shared::cta.add.u32 r0, [s], 1"),
    ],
)
def test_shared_memory_has_an_instance_for_each_cta(init: str, code: str) -> None:
    prog = program(code, code, init=init, places=["cta 0", "cta 1"])
    assert [cell.location for cell in prog.memory] == ["cta0.s", "cta1.s"]
    for thread in prog.threads:
        (way,) = prog.paths(thread)
        assert {event.location for event in way.events} == {f"cta{thread}.s"}


def test_shared_memory_of_one_cta_is_supported() -> None:
    code = "atom.shared.add.u32 r0, [s], 1"
    prog = program(code, code, init=".shared .u32 s = 0;")
    assert [cell.location for cell in prog.memory] == ["s"]


def test_each_cta_may_have_shared_memory_of_its_own() -> None:
    codes = ("st.weak [s], 1", "st.weak [t], 1")
    program(*codes, init=".shared .u32 s; .shared .u32 t;", places=("cta 0", "cta 1"))


def test_global_memory_is_of_all_ctas() -> None:
    program("st.weak [x], 1", "st.weak [x], 1", init=".global .u32 x;", places=("cta 0", "cta 1"))


# Mixed sizes and vectors


def test_a_wider_access_is_an_event_for_each_part_that_others_divide() -> None:
    prog = program("st.u64 [x], 1", "ld.u32 r0, [x+4]")
    (store,) = prog.paths(0)
    assert [event.location for event in store.events] == ["x+0", "x+4"]
    assert store.pairs["sca"] == {(0, 1), (1, 0)}
    assert [cell.location for cell in prog.memory] == ["x+0", "x+4"]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("st.u64 [x], 0x100000002; ld.u32 r0, [x]", 2),
        ("st.u64 [x], 0x100000002; ld.u32 r0, [x+4]", 1),
        ("st.u8 [x+1], 1; ld.u64 r0, [x]", 256),
        ("st.u32 [x+4], 1; ld.u64 r0, [y]; ", 0),  # another location
        ("st.v2.u32 [a], {1, 2}; ld.u64 r0, [a]", 0x200000001),
        ("st.u64 [a], 0x500000007; ld.v2.u32 {r1, r0}, [a]", 5),
        ("st.s64 [x], -1; ld.s16 r0, [x+2]", -1),
        ("st.f16x2 [a], 0x30002; ld.u16 r0, [a+2]", 3),
    ],
)
def test_values_of_parts(code: str, value: int) -> None:
    outcome = run(code, init=".u64 x; .u64 y; .u32 a[2];", final=f"forall (0:r0={value})")
    assert (outcome.positive, outcome.negative) == (1, 0)


def test_the_final_value_of_a_divided_location() -> None:
    outcome = run(
        "st.u32 [x+4], 1; ld.u64 r0, [x]", init=".u64 x=7;", final="forall (x=0x100000007)"
    )
    assert (outcome.positive, outcome.negative) == (1, 0)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ld.u64 r0, [x+4]", "but `x` has 8"),
        ("ld.u32 r0, [x+2]", "not aligned to the 4 bytes"),
        ("ld.v4.u32 {r0, r1, r2, r3}, [a]", "but `a` has 8"),
    ],
)
def test_accesses_that_do_not_fit(code: str, message: str) -> None:
    run_fails(
        code.replace("[", "▸[", 1), init=".u64 x; .u32 a[2];", final="forall true", message=message
    )


@pytest.mark.parametrize(
    "code",
    [
        "ld.u32 r0, [x]; @r0 ld.u64 r1, [x]",
        "ld.u32 r0, [x]; beq r0, 0, L; st.u64 [x], 1; L:",
        "ld.u32 r0, [x]; ret; ld.u64 r1, [x]",
    ],
)
def test_mixed_sizes_in_what_never_happens_do_no_harm(code: str) -> None:
    outcome = run(code, final="forall (0:r0=0)", init="x=0;")
    assert (outcome.positive, outcome.negative) == (1, 0)


@pytest.mark.parametrize(
    "code",
    [
        "ld.u32 r0, [x]; ld.b32 r1, [x]; st.s32 [x], 1",
        "ld.u32 r0, [x]; ld r1, [x]",
        "ld.u32 r0, [x]; ld.u64 r1, [y]",
        "ld.u32 r0, [a]; ld.u32 r1, [a+4]",
    ],
)
def test_one_size_for_each_location_is_fine(code: str) -> None:
    assert run(code, init="u32 a[2];", final="forall true").negative == 0


# Faults


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("mov r1, 5; ld r0, ▸[r1]", "this accesses 5, which is no address of a location"),
        ("ld r1, [x]; ld r0, ▸[r1]", "no address of a location"),
        ("ld r1, [x]; bar.sync ▸r1", "number from 0 to 15"),
    ],
)
def test_faults_that_happen_are_errors_of_the_test(code: str, message: str) -> None:
    run_fails(code, init="x=20;", final="forall true", message=message)


def test_faults_that_never_happen_do_no_harm() -> None:
    code = "ld r1, [p]; ld r0, [r1]; beq r0, 7, L; mov r2, 5; ld r0, [r2]; L:"
    outcome = run(code, init="p=x; x=7;", final="exists (0:r0=7)")
    assert (outcome.positive, outcome.negative) == (1, 0)


def test_a_branch_on_an_unknown_value_that_happens_is_an_error_of_the_test() -> None:
    run_fails(
        "ld r0, [x]; setp.lt p0, r0, 5; @▸p0 st [y], 1",
        init="x=?;",
        final="forall true",
        message="which is not known",
    )


# What can be observed


def observed(observable: Observable, init: str = "") -> None:
    prog = program("ld r0, [x]; mov %r12, foo; mov tmp, 1", "st [flag], 1", init=init)
    span = helpers.parse(text_of(["nop"])).source.span(0, 1)
    prog.check_observable(observable, span)


@pytest.mark.parametrize(
    "observable",
    [
        Location("x"),
        Location("foo"),
        Location("flag"),
        Location("y"),
        Location("a", 0),
        Location("a", 1),
        Location("b", 1),
        Register(0, "r0"),
        Register(0, "r12"),
        Register(0, "tmp"),
        Register(1, "r9"),
    ],
)
def test_what_can_be_observed(observable: Observable) -> None:
    observed(observable, init="y aliases x; x; .u32 a[2]; b aliases a; 1:r9=3;")


CODE = "ld r0, [data]; ld result, [full]"


@pytest.mark.parametrize(
    ("final", "message", "hint"),
    [
        ("exists (▸dta=1)", "the test has no location `dta`", "`data`"),
        ("exists (▸[ful]=1)", "the test has no location `ful`", "`full`"),
        ("exists (0:r0=1 /\\ ▸[dta]=1)", "the test has no location `dta`", "`data`"),
        ("exists (▸0:r0=[dta])", "the test has no location `dta`", "`data`"),
        ("exists (▸0:resutl=1)", "thread P0 has no register `resutl`", "`result`"),
        ("exists (▸0:r1=1)", "thread P0 has no register `r1`", ""),
        ("exists (▸r0=1)", "the test has no location `r0`", "its thread: `0:r0`"),
        ("exists (▸5:r0=1)", "the test has no thread P5", ""),
        ("exists (▸1:r0=1)", "the test has no thread P1", ""),
        ("exists (▸a=1)", "`a` is an array: name an element, as `a[0]`", ""),
        ("exists (▸a[2]=1)", "`a` has no element 2", ""),
        ("exists (▸data[0]=1)", "`data` has no element 0", ""),
        ("locations [data; ▸dta;]", "the test has no location `dta`", "`data`"),
        ("locations [▸0:rseult;]", "thread P0 has no register `rseult`", "`result`"),
        ("filter (▸dta=1) exists (data=1)", "the test has no location `dta`", "`data`"),
    ],
)
def test_conditions_name_what_the_test_has(final: str, message: str, hint: str) -> None:
    run_fails(CODE, init="u32 a[2];", final=final, message=message, hint=hint)


@pytest.mark.parametrize("value", ["dta", "&dta", "?dta"])
def test_values_of_conditions_name_what_the_test_has(value: str) -> None:
    with pytest.raises(TestError, match="dta"):
        run(CODE, final=f"exists (0:r0={value})")


def test_nothing_near_gives_no_hint() -> None:
    with pytest.raises(TestError) as caught:
        observed(Location("qqqqqqqq"))
    assert caught.value.hint is None


def test_values_of_conditions_are_addresses_and_unknown_values_of_locations() -> None:
    outcome = run(
        "ld r0, [p]; ld r1, [q]",
        init="p=x; q=?;",
        final="forall (0:r0=x /\\ 0:r0=&x /\\ 0:r1=?q /\\ not (0:r0=p) /\\ not (0:r1=?p))",
    )
    assert (outcome.positive, outcome.negative) == (1, 0)


def test_unknown_values_of_elements_can_be_named() -> None:
    outcome = run("ld.u32 r0, [a+4]", init=".shared .u32 a[2];", final="forall (0:r0=?a[1])")
    assert outcome.positive == 1


def test_states_without_a_condition_show_what_was_read_and_memory() -> None:
    outcome = run("ld r0, [x]; mov r1, 2; atom.add r2, [y], 1", final="")
    assert outcome.observables == (
        Register(0, "r0"),
        Register(0, "r2"),
        Location("x"),
        Location("y"),
    )


# Constants


def constants(code: str, init: str = "", final: str = "") -> set[Value]:
    return set(program(code, init=init, final=final).constants)


@pytest.mark.parametrize(
    ("code", "init", "final", "expected"),
    [
        ("nop", "", "", {0}),
        ("st [x], 5", "", "", {0, 5}),
        ("st [x], -5; add r0, r1, 0x10", "", "", {0, -5, 16}),
        ("atom.cas r0, [x], 3, 4", "", "", {0, 3, 4}),
        ("beq r0, 9, L; L:", "", "", {0, 9}),
        ("nop", "x=7;", "", {0, 7}),
        ("nop", "x=?;", "", {0, Unknown("x")}),
        ("nop", "p=x;", "", {0, Address("x")}),
        ("nop", "u32 a[2] = {6, 8};", "", {0, 6, 8}),
        ("ld r0, [x]", "", "exists (0:r0=42)", {0, 42}),
        ("ld r0, [x]", "", "forall not (0:r0=1 => 0:r0>2)", {0, 1, 2}),
        ("ld r0, [x]", "", "exists (3=0:r0)", {0, 3}),
    ],
)
def test_constants_are_all_values_a_test_names(
    code: str, init: str, final: str, expected: set[Value]
) -> None:
    assert constants(code, init, final) == expected
