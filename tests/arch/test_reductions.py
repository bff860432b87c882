"""`bar.red`: who takes part in a reduction, and what it returns."""

from __future__ import annotations

import pytest

from catpy.arch.terms import Value
from catpy.litmus.syntax import Register
from tests.arch.helpers import (
    evaluate,
    joins,
    only_join,
    pairs,
    program,
    syncbar,
    taken,
)


def reduced(operation: str, *predicates: int) -> set[Value]:
    """What the reduction at a barrier returns to each thread."""
    codes = [f"mov p0, {value}; bar.red.{operation} r0, 0, p0" for value in predicates]
    (join,) = joins(program(*codes))
    found = {where: evaluate(value, {}) for where, value in join.values.items()}
    assert set(found) == {(thread, 0) for thread in range(len(predicates))}
    return set(found.values())


@pytest.mark.parametrize(
    ("predicates", "popc", "conjunction", "disjunction"),
    [
        ((0, 0, 0), 0, 0, 0),
        ((1, 0, 0), 1, 0, 1),
        ((0, 1, 1), 2, 0, 1),
        ((1, 1, 1), 3, 1, 1),
        ((7, -1), 2, 1, 1),
        ((0,), 0, 0, 0),
        ((1,), 1, 1, 1),
    ],
)
def test_reductions(
    predicates: tuple[int, ...], popc: int, conjunction: int, disjunction: int
) -> None:
    assert reduced("popc.u32", *predicates) == {popc}
    assert reduced("and.pred", *predicates) == {conjunction}
    assert reduced("or.pred", *predicates) == {disjunction}


def test_reductions_synchronise_like_any_sync() -> None:
    join = only_join("bar.red.popc.u32 r0, 0, 1", "bar.red.popc.u32 r0, 0, 0", "bar.sync 0")
    everybody = [(0, 0), (1, 0), (2, 0)]
    assert syncbar(join) == {(x, y) for x in everybody for y in everybody if x != y}


def test_only_threads_that_reduce_count() -> None:
    join = only_join("bar.red.popc.u32 r0, 0, 1", "bar.red.popc.u32 r0, 0, 1", "bar.sync 0")
    assert {evaluate(value, {}) for value in join.values.values()} == {2}
    assert set(join.values) == {(0, 0), (1, 0)}


def test_only_threads_that_arrive_count() -> None:
    code = "bar.red.popc.u32 r0, 0, 1"
    join = only_join(code, code, "st [x], 1; exit")
    assert {evaluate(value, {}) for value in join.values.values()} == {2}
    assert set(join.values) == {(0, 0), (1, 0)}


def test_reductions_that_disagree() -> None:
    second = "bar.red.or.pred p0, 0, 1"
    join = only_join("bar.red.popc.u32 r0, 0, 1", second)
    assert join.defect is not None
    assert join.defect[0] == "the reductions of this barrier disagree within a phase"
    assert join.defect[1].text == second


def test_reductions_of_different_phases_may_differ() -> None:
    code = "bar.red.popc.u32 r0, 0, 1; bar.red.and.pred p0, 0, 1"
    assert only_join(code, code).defect is None


def test_a_reduction_may_follow_a_sync_of_the_same_barrier() -> None:
    code = "bar.sync 0; bar.red.popc.u32 r0, 0, 1; bar.sync 0"
    join = only_join(code, code)
    assert join.defect is None
    assert {where: evaluate(value, {}) for where, value in join.values.items()} == {
        (0, 1): 2,
        (1, 1): 2,
    }


def test_reductions_of_two_phases_are_apart() -> None:
    first, second = "bar.red.popc.u32 r0, 0, 1", "bar.red.popc.u32 r1, 0, 0"
    join = only_join(f"{first}; {second}", f"{first}; {first}")
    results = {where: evaluate(value, {}) for where, value in join.values.items()}
    assert results == {(0, 0): 2, (1, 0): 2, (0, 1): 1, (1, 1): 1}


def test_a_reduction_that_never_comes_to_its_end_returns_nothing() -> None:
    join = only_join("bar.red.popc.u32 r0, 0, 3, 1; st [x], r0", "bar.red.popc.u32 r0, 0, 3, 1")
    assert not join.values
    assert (set(join.stuck), join.lengths) == ({0, 1}, (1, 1))


def test_the_result_of_a_reduction_is_shown_where_nothing_is_named() -> None:
    code = "bar.red.popc.u32 r0, 0, 1"
    assert Register(0, "r0") in program(code, code).all_observables()


def test_negated_predicates_are_reduced_negated() -> None:
    code = "mov p0, 1; bar.red.or.pred r0, 0, !p0"
    (join,) = joins(program(code, code))
    assert {evaluate(value, {}) for value in join.values.values()} == {0}


def test_reductions_with_a_count() -> None:
    code = "bar.red.popc.u32 r0, 0, 2, 1"
    found = joins(program(code, code, code))
    assert len(found) == 3
    for join in found:
        assert [evaluate(value, {}) for value in join.values.values()] == [2, 2]


def test_the_result_of_a_reduction_is_what_its_event_returns() -> None:
    prog = program("bar.red.popc.u32 r0, 0, 1; st [x], r0", "bar.red.popc.u32 r0, 0, 1")
    (join,) = joins(prog)
    (way,) = prog.paths(0)
    result = evaluate(join.values[(0, 0)], {})
    assert result == 2
    assert evaluate(way.registers["r0"], {0: result}) == 2
    value = way.events[1].value
    assert value is not None
    assert evaluate(value, {0: result}) == 2


def test_a_thread_can_branch_on_a_reduction() -> None:
    prog = program("bar.red.and.pred p0, 0, 1; @p0 st [x], 1", "bar.red.and.pred p0, 0, 1")
    assert len(taken(prog.paths(0), {0: 1}).events) == 2
    assert len(taken(prog.paths(0), {0: 0}).events) == 1


def test_a_reduction_of_what_was_read() -> None:
    prog = program("ld r1, [x]; bar.red.popc.u32 r0, 0, r1", "bar.red.popc.u32 r0, 0, 1")
    (join,) = joins(prog)
    value = join.values[(1, 0)]
    # The read is event 0 of thread 0.
    assert evaluate(value, {0: 5}) == 2
    assert evaluate(value, {0: 0}) == 1
    assert pairs(prog.paths(0)[0], "data") == {(0, 1)}
