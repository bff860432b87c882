"""Where the block engine could go wrong: what differs between the candidates of a block."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.errors import TestError
from catpy.execution import run_test
from catpy.execution.search import Effort
from tests.execution.agreement import agree, result, small_blocks
from tests.support import load_model, model_of, test_of

MP = """PTX MP
{ x=0; y=0; }
P0@cta 0,gpu 0 { st.weak.u32 [x], 1; st.weak.u32 [y], 1; }
P1@cta 1,gpu 0 { ld.weak.u32 r0, [y]; ld.weak.u32 r1, [x]; }
exists (1:r0=1)
"""
CO = "with co from orientations((W * W) & loc, IW * W)\n"
#: A relation that is empty in some candidates and not in others.
SOME = "(rfe \\ (IW * M))"


@pytest.mark.parametrize(
    "model",
    [
        f"let e = po & po^-1\nirreflexive (~({SOME}; e)); co",
        f"let e = po & po^-1\nirreflexive (~(({SOME}; po; po) & e)); co",
        f"let e = po & po^-1\nirreflexive (~(e \\ ~({SOME}; po; po))); co",
        f"let rec r = {SOME}; po; po\nirreflexive (~r); co",
        f"let rec r = rf | ~({SOME}; po; po)\nirreflexive r; co",
        f"let t = try ({SOME}; R) with po\nirreflexive t; po^-1",
        f"let t = try ([({SOME}; po); po]) with id\nirreflexive t",
        f"let t = try (domain (({SOME}; po); po) | 0) with id\nirreflexive t",
        "let t = try nowhere with po\nirreflexive t; po^-1",
    ],
)
def test_what_is_plain_empty_in_some_candidates_only(model: str, tmp_path: Path) -> None:
    """`{}` is no relation: its complement is `_`, and it is of any kind."""
    agree(test_of(MP), model_of(f'"m"\n{CO}{model}\n', tmp_path))


def test_coherence_that_is_the_universe_in_some_candidates(tmp_path: Path) -> None:
    test = test_of(MP.replace("(1:r0=1)", "(1:r0=1 /\\ x=1)"))
    agree(test, model_of(f'"m"\nlet co = ~({SOME}; po; po)\n', tmp_path))


@pytest.mark.parametrize("choice", ["with co", "some s"])
def test_choices_on_ways_that_have_ended_do_not_count(choice: str, tmp_path: Path) -> None:
    model = f""""m"
enum k = 'a || 'b
with t from {{'a, 'b}}
let base t = match t with || 'a -> IW * (W \\ IW) || 'b -> (W * W) \\ id end
{choice} from linearisations(W, base t)
let bad t = match t with || 'a -> 0 || 'b -> id end
empty bad t as c
"""
    agree(test_of(MP), model_of(model, tmp_path))


@pytest.mark.parametrize(
    "chosen",
    ["with L from { linearisations(W, IW * (W \\ IW)) }\nwith co from L", "with f from { g }"],
)
def test_a_function_is_the_same_whatever_the_witness(chosen: str, tmp_path: Path) -> None:
    fenced = MP.replace("; st.weak.u32 [y]", "; fence.sc.gpu; st.weak.u32 [y]")
    fenced = fenced.replace("; ld.weak.u32 r1", "; fence.sc.gpu; ld.weak.u32 r1")
    model = (
        f'"m"\nsome s from orientations((F & SC) * (F & SC))\nlet g = fun x -> x | s\n{chosen}\n'
    )
    agree(test_of(fenced), model_of(model, tmp_path))


WRITES = """PTX writes
{ x=0; y=0; }
P0@cta 0,gpu 0 { st.weak [x], 1; st.weak [x], 2; st.weak [x], 3; st.weak [y], 1; st.weak [y], 2; }
P1@cta 1,gpu 0 { ld.weak r0, [y]; ld.weak r1, [x]; }
exists (1:r0=1)
"""


@pytest.mark.parametrize("kind", ["some", "with"])
@pytest.mark.parametrize(
    "orders",
    [
        "imm, imm & loc",
        "(W * W) & loc, (IW * (W \\ IW)) | (po & (W * W)) | (rf; rf)",
        "(W * W) & loc, (IW * W) | (rf; rf^-1)",
    ],
)
def test_partial_orders_within_pairs(kind: str, orders: str, tmp_path: Path) -> None:
    model = f'"m"\nlet imm = (po & (W * W)) \\ (po; po)\n{kind} s from partial-orders({orders})\n'
    agree(test_of(WRITES), model_of(model, tmp_path))


BIG = """PTX big
{ x=0; y=0; }
P0@cta 0,gpu 0 { st.weak.u32 [x], 1; st.weak.u32 [x], 5000; }
P1@cta 1,gpu 0 { ld.weak.u32 r0, [x]; setp.lt.u32 p0, r0, 100; @!p0 bra L; shl r1, 1, r0; st.weak.u32 [y], r1; L: mov.u32 r3, 0; }
P2@cta 2,gpu 0 { ld.weak.u32 r2, [y]; }
exists (1:r0=0)
"""  # noqa: E501


def test_values_of_ways_that_are_not_taken_are_no_errors() -> None:
    for name in ("sc", "ptx"):
        agree(test_of(BIG), load_model(name))
        assert run_test(test_of(BIG), load_model(name)).verdict.value == "Ok"


@pytest.mark.parametrize(
    "check", ["", "irreflexive rf; [R]; (_ * _); [W \\ domain po]", "empty rf"]
)
@pytest.mark.parametrize("last", ["ld.weak.u32 r2, [x];", "st.weak.u32 [y], r1;"])
def test_values_without_bounds_are_errors_where_an_execution_has_them(
    check: str, last: str, tmp_path: Path
) -> None:
    guarded = "setp.lt.u32 p0, r0, 100; @!p0 bra L; shl r1, 1, r0; st.weak.u32 [y], r1;"
    text = BIG.replace(guarded, last)
    text = text.replace("ld.weak.u32 r0, [x];", "ld.weak.u32 r0, [x]; shl r1, 1, r0;")
    model = model_of(f'"m"\n{CO}{check}\n', tmp_path)
    found = {str(result(test_of(text), model, engine)) for engine in ("fast", "naive")}
    with small_blocks():
        found.add(str(result(test_of(text), model)))
    assert len(found) == 1
    if not check:
        with pytest.raises(TestError, match="a value grows beyond 4096 bits"):
            run_test(test_of(text.replace("1:r0=0", "1:r1=0")), model)


@pytest.mark.parametrize("name", ["ptx", "sc"])
@pytest.mark.parametrize(
    "effort", [Effort(), Effort(states_only=True), Effort("naive")], ids=["fast", "states", "naive"]
)
def test_what_is_written_is_an_error_also_where_nobody_reads_it(name: str, effort: Effort) -> None:
    text = """PTX arrivals
{ .shared .mbarrier m = 1; x=0; }
P0@cta 0,gpu 0 { mbarrier.expect_tx.relaxed.cta.shared.b64 [m], 4; st.weak [x], 1; }
P1@cta 0,gpu 0 { mbarrier.arrive.shared.b64 _, [m]; mbarrier.arrive.shared.b64 _, [m]; }
exists (x=1)
"""
    with pytest.raises(TestError, match="1 arrivals at an mbarrier with 0 pending"):
        run_test(test_of(text), load_model(name), effort=effort)


def test_values_that_depend_on_themselves_are_tried_in_one_order() -> None:
    """However blocks are split: which values there are depends on the read that is tried first."""
    text = """PTX cycles
{ .shared .mbarrier m = 2; }
P0@cta 0,gpu 0 { cp.async.mbarrier.arrive.noinc.shared.b64 [m]; }
P1@cta 0,gpu 0 { cp.async.mbarrier.arrive.shared.b64 [m]; }
exists (true)
"""
    agree(test_of(text), load_model("tso"))
    with small_blocks():
        agree(test_of(text), load_model("tso"))


def test_states_only_does_not_lose_an_error() -> None:
    """A candidate whose state is known may be the one that makes no sense."""
    writers = [
        f"P{n}@cta {n},gpu 0 {{ st.weak.u32 [x], {n + 1}; st.weak.u32 [y], {n + 1}; }}"
        for n in range(3)
    ]
    reader = "ld.weak.u32 r0, [x]; setp.eq.u32 p0, r0, 1; @!p0 bra L; ld.weak.u32 r5, [r0];"
    threads = [*writers, f"P3@cta 3,gpu 0 {{ {reader} L: mov.u32 r3, 0; }}"]
    text = "\n".join(["PTX fault { x=0; y=0; }", *threads, "exists (3:r3=0)"])
    for effort in (Effort(), Effort(states_only=True), Effort("naive", states_only=True)):
        with small_blocks(), pytest.raises(TestError, match="no address of a location"):
            run_test(test_of(text), load_model("sc"), effort=effort)


def test_states_only_judges_no_state_that_is_not_allowed(tmp_path: Path) -> None:
    text = """PTX filter
{ x=?; y=0; }
P0@cta 0,gpu 0 { st.weak [x], 1; st.weak [x], 2; st.weak [y], 1; st.weak [y], 2; }
P1@cta 1,gpu 0 { ld.weak r0, [x]; ld.weak r2, [y]; mov r3, 0; }
filter (1:r0 < 2)
exists (1:r3=0)
"""
    check = "irreflexive [R]; rf^-1; [IW]; (co | co^-1); [W]; (_ * _)"
    model = model_of(f'"m"\nwith co from orientations((W * W) & loc)\n{check}\n', tmp_path)
    whole = run_test(test_of(text), model, effort=Effort("naive"))
    with small_blocks():
        quick = run_test(test_of(text), model, effort=Effort(states_only=True))
    assert quick.executions.keys() == whole.executions.keys()


def test_a_location_without_a_last_write_has_no_final_state(tmp_path: Path) -> None:
    """Where coherence is a cycle; with so many states that lanes are read one by one."""
    loads = " ".join(f"ld.weak r{n}, [x];" for n in range(5))
    text = "\n".join(
        [
            "PTX cycle { x=0; y=0; }",
            "P0@cta 0,gpu 0 { st.weak [x], 1; st.weak [x], 2; st.weak [x], 3;"
            " st.weak [y], 1; st.weak [y], 2; }",
            f"P1@cta 1,gpu 0 {{ {loads} ld.weak r5, [y]; }}",
            "exists (" + " /\\ ".join(f"1:r{n}=0" for n in range(5)) + " /\\ y=0)",
        ]
    )
    same = "(W * W) & loc"
    model = f'"m"\nlet co = ({same} & po) | ({same} & (rf; (_ * _)))\n'
    agree(test_of(text), model_of(model, tmp_path))


def test_formulas_of_any_depth(tmp_path: Path) -> None:
    terms = ["rf", "po", "co"]
    deep = " ; ".join(f"({terms[n % 3]} | id)" for n in range(4000))
    model = model_of(f'"m"\n{CO}let d = {deep}\nacyclic d \\ id\n', tmp_path)
    agree(test_of(MP), model)


def test_values_are_compared_anew_in_each_candidate(tmp_path: Path) -> None:
    """Also where the relation that is compared is the same in all of them."""
    text = """PTX MP
{ x=0; flag=0; }
P0@cta 0,gpu 0 { st.weak [x], 1; st.release.gpu [flag], 1; }
P1@cta 1,gpu 0 { ld.acquire.gpu r0, [flag]; ld.weak r1, [x]; }
exists (1:r0=0)
"""
    model = model_of('"m"\nlet d = different-values (int; sr)\nacyclic d & loc\n', tmp_path)
    agree(test_of(text), model)
    for engine in ("fast", "naive"):
        outcome = run_test(test_of(text), model, effort=Effort(engine))
        assert dict(outcome.executions) == {(1,): 2}
