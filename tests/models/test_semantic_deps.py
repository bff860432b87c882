"""Dependencies that make no difference order nothing (`--variant semantic-deps`, §8.10.4)."""

from __future__ import annotations

import pytest

from catpy.arch import build_program
from catpy.arch.program import Event, Options
from catpy.cat.interpreter import Settings
from catpy.execution import run_test
from catpy.execution.dependencies import Dependencies
from catpy.execution.search import Effort
from tests.support import load_model, named_test, states, test_of

VARIANT = Settings(variants=frozenset({"semantic-deps"}))

#: Load buffering: each thread reads one place, does this, and so writes 1 to the other, `{out}`.
LB = """PTX LB
{{ x=0; y=0; }}
P0@cta 0,gpu 0 {{ ld.relaxed.gpu.u32 r0, [x]; {first} }}
P1@cta 1,gpu 0 {{ ld.relaxed.gpu.u32 r0, [y]; {second} }}
exists (0:r0=1 /\\ 1:r0=1)
"""

STORE = "st.relaxed.gpu.u32 [{out}], "

#: What reads the register and does not depend on it.
NO_DIFFERENCE = {
    "xor": "xor.b32 r1, r0, r0; add.u32 r1, r1, 1; " + STORE + "r1;",
    "and 0": "and.b32 r1, r0, 0; or.b32 r1, r1, 1; " + STORE + "r1;",
    "selp": "setp.eq.u32 p1, r0, 1; selp.u32 r1, 1, 1, p1; " + STORE + "r1;",
    "address": "sub.u32 r1, r0, r0; mov r2, {out}; add r3, r2, r1; st.relaxed.gpu.u32 [r3], 1;",
    "branch to the next line": "bne r0, 1, L; L: " + STORE + "1;",
    "the same on both sides": "bne r0, 1, L; " + STORE + "1; goto E; L: " + STORE + "1; E:",
    "both guards": "setp.eq.u32 p1, r0, 1; @p1 " + STORE + "1; @!p1 " + STORE + "1;",
}

#: What does depend on it.
DIFFERENCE = {
    "data": STORE + "r0;",
    "some bits": "and.b32 r1, r0, 1; " + STORE + "r1;",
    "one value alone": "setp.eq.u32 p1, r0, 1; selp.u32 r1, 1, 7, p1; " + STORE + "r1;",
    "a branch": "bne r0, 1, L; " + STORE + "1; L:",
    "another value on the other side": "bne r0, 1, L; "
    + STORE
    + "1; goto E; L: "
    + STORE
    + "2; E:",
    "twice on one side": "bne r0, 1, L; " + STORE + "3; L: " + STORE + "1;",
}


def verdicts(first: str, second: str, settings: Settings) -> set[str]:
    """What both engines say of a test."""
    test = test_of(LB.format(first=first.format(out="y"), second=second.format(out="x")))
    return {
        run_test(test, load_model("ptx"), settings=settings, effort=Effort(engine)).verdict.value
        for engine in ("fast", "naive")
    }


@pytest.mark.parametrize("code", NO_DIFFERENCE.values(), ids=NO_DIFFERENCE)
def test_what_makes_no_difference_is_no_dependency(code: str) -> None:
    assert verdicts(code, code, Settings()) == {"No"}
    assert verdicts(code, code, VARIANT) == {"Ok"}
    assert verdicts(code, DIFFERENCE["data"], VARIANT) == {"Ok"}


@pytest.mark.parametrize("code", DIFFERENCE.values(), ids=DIFFERENCE)
def test_what_makes_a_difference_is_a_dependency(code: str) -> None:
    assert verdicts(code, code, VARIANT) == {"No"}
    assert verdicts(code, DIFFERENCE["data"], VARIANT) == {"No"}


#: Load buffering through a barrier: one thread reads and comes to it, the other writes behind it.
BARRIER = """PTX LB
{{ x=0; y=3; }}
P0@cta 0,gpu 0 {{ ld r0, [x]; {code} }}
P1@cta 0,gpu 0 {{ {other} st [y], 1; }}
P2@cta 1,gpu 0 {{ ld r0, [y]; st [x], r0; }}
exists (0:r0=1)
"""

SYNC = "bar.sync 1, 2;"
BRANCH = "setp.ne.u32 p1, 0, 0; bar.red.or.pred p0, 1, 2, p1; @!p0 exit;"


@pytest.mark.parametrize(
    ("code", "other", "differs"),
    [
        ("and.b32 r1, r0, 1; bar.arrive r1, 2;", SYNC, True),
        ("and.b32 r1, r0, 0; add.u32 r1, r1, 1; bar.arrive r1, 2;", SYNC, False),
        ("setp.ne.u32 p0, r0, 0; @p0 bar.arrive 1, 2;", SYNC, True),
        ("bne r0, 1, L; L: bar.arrive 1, 2;", SYNC, False),
        ("setp.ne.u32 p0, r0, 0; bar.red.or.pred p0, 1, 2, p0;", BRANCH, True),
        ("setp.eq.u32 p0, r0, r0; bar.red.or.pred p0, 1, 2, p0;", BRANCH, False),
    ],
)
def test_dependencies_through_barriers(code: str, other: str, differs: bool) -> None:
    test = test_of(BARRIER.format(code=code, other=other))
    for engine in ("fast", "naive"):
        effort = Effort(engine)
        assert run_test(test, load_model("ptx"), effort=effort).verdict.value == "No"
        found = run_test(test, load_model("ptx"), settings=VARIANT, effort=effort)
        assert found.verdict.value == ("No" if differs else "Ok")


def test_which_barrier_a_reduction_is_at_can_depend_on_a_read() -> None:
    """Whatever the predicate is."""
    code = "and.b32 r1, r0, 1; setp.eq.u32 p0, 0, 0; bar.red.or.pred p0, r1, 2, p0;"
    test = test_of(BARRIER.format(code=code, other=BRANCH))
    assert run_test(test, load_model("ptx"), settings=VARIANT).verdict.value == "No"


#: What depends on three values that were read before, `{out}` being 1 for one combination of them.
ONE_OF_MANY = {
    "the same number thrice": "setp.eq.u32 p1, r1, 5; setp.eq.u32 p2, r2, 5; setp.eq.u32 p3, r3, 5;"
    " and.pred p1, p1, p2; and.pred p1, p1, p3; selp.u32 r9, 1, 2, p1;",
    "three numbers": "setp.eq.u32 p1, r1, 5; setp.eq.u32 p2, r2, 6; setp.eq.u32 p3, r3, 7;"
    " and.pred p1, p1, p2; and.pred p1, p1, p3; selp.u32 r9, 1, 2, p1;",
    "a sum": "add.u32 r4, r1, r2; add.u32 r4, r4, r3; setp.eq.u32 p1, r4, 17;"
    " selp.u32 r9, 1, 2, p1;",
    "branches": "mov r9, 2; bne r1, 5, E; bne r2, 6, E; bne r3, 7, E; mov r9, 1; E:",
    "behind a compare-and-swap": "atom.cas.b32 r4, [x], 5, 1; setp.eq.u32 p1, r4, 5;"
    " setp.eq.u32 p2, r2, 6; setp.eq.u32 p3, r3, 7; and.pred p1, p1, p2; and.pred p1, p1, p3;"
    " and.pred p1, p1, p1; setp.eq.u32 p2, r1, 5; and.pred p1, p1, p2; selp.u32 r9, 1, 2, p1;",
    "the bits of one": "shr.u32 r4, r1, 3; and.b32 r4, r4, 7; setp.eq.u32 p1, r4, 5;"
    " setp.eq.u32 p2, r2, 6; setp.ne.u32 p3, r3, 0; and.pred p1, p1, p2; and.pred p1, p1, p3;"
    " selp.u32 r9, 1, 2, p1;",
    "a square": "mul.lo.u32 r4, r1, r1; sub.u32 r4, r4, r2; add.u32 r4, r4, r3;"
    " setp.eq.u32 p1, r4, 49; selp.u32 r9, 1, 2, p1;",
}


@pytest.mark.parametrize("code", ONE_OF_MANY.values(), ids=ONE_OF_MANY)
def test_a_dependency_that_few_values_show_is_one(code: str) -> None:
    """None is left out on any way on which another value of that read makes a difference."""
    reads = "ld r1, [x]; ld r2, [y]; ld r3, [z];"
    text = f"""PTX few
{{ x=0; y=0; z=0; w=0; }}
P0 {{ {reads} {code} st [w], r9; }}
P1 {{ ld r0, [w]; st [x], r0; st [y], r0; st [z], r0; }}
exists (w=1)
"""
    program = build_program(test_of(text), Options())
    dependencies = Dependencies(program)
    ways = program.paths(0)
    whole = {read for read, event in dependencies.of(ways[0]) if event == ways[0].events[-1].index}
    assert {0, 1, 2} <= whole


def test_what_is_computed_from_an_mbarrier_depends_on_it() -> None:
    """Its state is no number, and is not named in the test where an instruction initialises it."""
    text = """PTX count
{ .shared .mbarrier bar; z=0; }
P0@cta 0 { mbarrier.init.shared.b64 [bar], 2; bar.sync 0; }
P1@cta 0 { bar.sync 0; mbarrier.arrive.shared.b64 s0, [bar];
  mbarrier.pending_count.b64 r0, s0; st [z], r0; }
exists (z=1)
"""
    program = build_program(test_of(text), Options())
    (way,) = program.paths(1)
    arrival, store = (next(e for e in way.events if kind(e)) for kind in (_reads, _stores))
    assert (arrival.index, store.index) in Dependencies(program).of(way)


def _reads(event: Event) -> bool:
    return event.is_read


def _stores(event: Event) -> bool:
    return event.location == "z"


def test_a_dependency_is_kept_where_there_are_too_many_values_to_try() -> None:
    places = [f"x{number}" for number in range(6)]
    loads = " ".join(f"ld r{number}, [{place}];" for number, place in enumerate(places))
    sums = " ".join(f"add.u32 r9, r9, r{number};" for number in range(6))
    stores = " ".join(f"st [{place}], r0;" for place in places)
    text = f"""PTX sum
{{ w=0; v=0; }}
P0 {{ {loads} {sums} sub.u32 r8, r5, r5; st [w], r9; st [v], r8; }}
P1 {{ ld r0, [w]; ld r1, [v]; {stores} }}
exists (w=1)
"""
    program = build_program(test_of(text), Options())
    (way,) = program.paths(0)
    assert Dependencies(program).of(way) == {*((read, 6) for read in range(6)), (5, 7)}


@pytest.mark.parametrize("name", ["LB+deps+isa", "LB+addrs", "LB+ctrls", "LB+preds"])
def test_the_dependencies_of_the_text_are_semantic(name: str) -> None:
    found = [
        run_test(named_test(name), load_model("ptx"), settings=settings)
        for settings in (Settings(), VARIANT)
    ]
    assert states(found[0]) == states(found[1])
