"""Barriers of PTX: phases, counts, arrivals, exits, threads that wait for ever."""

from __future__ import annotations

import pytest

from catpy.arch.program import End, Join, Program
from catpy.arch.terms import Value
from tests.arch.helpers import (
    Where,
    fails,
    joins,
    of_end,
    only_join,
    paths,
    phases,
    program,
    syncbar,
    taken,
    text_of,
)
from tests.support import outcome_of

Phases = set[frozenset[Where]]


def groupings(*codes: str, places: tuple[str, ...] = ()) -> list[tuple[Phases, bool]]:
    """The phases of each joint choice of threads with one way each, and whether it is stuck."""
    return [(phases(join), bool(join.stuck)) for join in joins(program(*codes, places=places))]


def phase(*arrivals: Where) -> frozenset[Where]:
    return frozenset(arrivals)


def both(left: Where, right: Where) -> set[tuple[Where, Where]]:
    return {(left, right), (right, left)}


# Without a count


def test_two_threads_meet() -> None:
    join = only_join("st [x], 1; bar.sync 0; ld r0, [y]", "bar.sync 0")
    assert syncbar(join) == both((0, 1), (1, 0))
    assert (bool(join.stuck), join.lengths) == (False, (3, 1))


def test_an_event_does_not_synchronise_with_itself() -> None:
    assert syncbar(only_join("bar.sync 0")) == set()


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_all_threads_of_the_cta_meet(size: int) -> None:
    everybody = phase(*((thread, 0) for thread in range(size)))
    assert groupings(*["bar.sync 0"] * size) == [({everybody}, False)]


@pytest.mark.parametrize(
    "spelling",
    ["bar.sync", "bar.cta.sync", "barrier.sync", "barrier.cta.sync", "barrier.cta.sync.aligned"],
)
def test_spellings_mean_the_same_barrier(spelling: str) -> None:
    assert groupings("bar.sync 3", f"{spelling} 3") == [({phase((0, 0), (1, 0))}, False)]


def test_a_barrier_used_twice_has_two_phases() -> None:
    code = "bar.sync 0; st [x], 1; bar.sync 0"
    assert groupings(code, code) == [({phase((0, 0), (1, 0)), phase((0, 2), (1, 2))}, False)]


def test_barriers_with_different_numbers_are_apart() -> None:
    code = "bar.sync 0; bar.sync 1"
    assert groupings(code, code) == [({phase((0, 0), (1, 0)), phase((0, 1), (1, 1))}, False)]


def test_ctas_do_not_meet() -> None:
    codes = ("bar.sync 0", "bar.sync 0", "bar.sync 0")
    places = ("cta 0,gpu 0", "cta 1,gpu 0", "cta 0,gpu 1")
    assert groupings(*codes, places=places) == [(set(), False)]


def test_each_cta_waits_for_its_own_threads() -> None:
    codes = ("bar.sync 0", "bar.sync 0", "bar.sync 0", "nop")
    places = ("cta 0", "cta 1", "cta 0", "cta 1")
    assert groupings(*codes, places=places) == [({phase((0, 0), (2, 0))}, False)]


def test_threads_without_a_place_are_alone() -> None:
    join = only_join("bar.sync 0", "bar.sync 0", places=("", ""))
    assert (syncbar(join), bool(join.stuck)) == (set(), False)


# Exits


@pytest.mark.parametrize("code", ["nop", "", "ret", "exit; bar.sync 0", "st [x], 1; ret"])
def test_a_thread_that_has_exited_is_not_waited_for(code: str) -> None:
    found = groupings("bar.sync 0", "bar.sync 0", code)
    assert found == [({phase((0, 0), (1, 0))}, False)]


def test_a_thread_that_exits_later_is_waited_for_until_then() -> None:
    found = groupings("bar.sync 0; bar.sync 0", "bar.sync 0", "bar.sync 0; bar.sync 0")
    assert found == [({phase((0, 0), (1, 0), (2, 0)), phase((0, 1), (2, 1))}, False)]


def test_a_thread_that_waits_elsewhere_has_not_exited() -> None:
    join = only_join("bar.sync 0; st [x], 1", "bar.sync 1, 2; st [y], 1")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (1, 1))


def test_the_way_taken_decides_who_has_exited() -> None:
    prog = program("ld r0, [x]; @r0 ret; bar.sync 0", "bar.sync 0")
    (other,) = prog.paths(1)
    ways = prog.paths(0)
    left, stayed = taken(ways, {0: 1}), taken(ways, {0: 0})
    assert [phases(join) for join in prog.joins([left, other])] == [set()]
    assert [phases(join) for join in prog.joins([stayed, other])] == [{phase((0, 1), (1, 0))}]


def test_a_thread_that_was_cut_never_exits() -> None:
    prog = program("L: ld r0, [x]; bra L", "st [y], 1; bar.sync 0; st [y], 2", unroll=1)
    (join,) = joins(prog)
    assert (bool(join.stuck), join.lengths) == (True, (2, 2))


def test_a_thread_cut_behind_a_barrier_has_arrived_there() -> None:
    code = "bar.sync 0; st [y], 1; bar.sync 0"
    prog = program("bar.sync 0; L: bra L", code, unroll=0)
    (join,) = joins(prog)
    assert syncbar(join) == both((0, 0), (1, 0))
    assert (bool(join.stuck), join.lengths) == (True, (1, 3))


def test_a_cut_thread_does_not_hold_up_barriers_with_a_count() -> None:
    prog = program("L: bra L", "bar.sync 0, 2", "bar.sync 0, 2", unroll=0)
    (join,) = joins(prog)
    assert (phases(join), bool(join.stuck)) == ({phase((1, 0), (2, 0))}, False)


# Counts


@pytest.mark.parametrize("count", ["2", "%r7", "r7"])
def test_a_phase_takes_as_many_as_its_count(count: str) -> None:
    prog = program(f"bar.sync 0, {count}", "bar.sync 0, 2", init="0:r7=2;")
    (join,) = joins(prog)
    assert (phases(join), bool(join.stuck)) == ({phase((0, 0), (1, 0))}, False)


def test_a_count_of_one_waits_for_nobody() -> None:
    assert groupings("bar.sync 0, 1", "bar.sync 0, 1") == [(set(), False)]


def test_too_few_threads_wait_for_ever() -> None:
    join = only_join("bar.sync 0, 3; st [x], 1", "bar.sync 0, 3", "nop")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (1, 1, 0))


def test_more_threads_than_the_count_meet_in_every_grouping_once() -> None:
    found = groupings("bar.sync 0, 2", "bar.sync 0, 2", "bar.sync 0, 2")
    assert all(stuck for _, stuck in found)
    assert len(found) == 3
    assert {frozenset(grouping) for grouping, _ in found} == {
        frozenset({phase((0, 0), (1, 0))}),
        frozenset({phase((0, 0), (2, 0))}),
        frozenset({phase((1, 0), (2, 0))}),
    }


def test_the_thread_that_is_left_over_is_the_one_stuck() -> None:
    code = "bar.sync 0, 2; st [x], 1"
    for join in joins(program(code, code, code)):
        met = {thread for left, right in syncbar(join) for thread, _ in (left, right)}
        assert join.lengths == tuple(2 if thread in met else 1 for thread in range(3))


@pytest.mark.parametrize(
    ("threads", "count", "number"), [(4, 2, 3), (6, 2, 15), (6, 3, 10), (5, 5, 1), (5, 4, 5)]
)
def test_numbers_of_groupings(threads: int, count: int, number: int) -> None:
    found = groupings(*[f"bar.sync 0, {count}"] * threads)
    assert len(found) == number
    assert len({frozenset(grouping) for grouping, _ in found}) == number
    for grouping, stuck in found:
        assert len(grouping) == threads // count
        assert all(len(met) == count for met in grouping)
        assert stuck is bool(threads % count)


def test_a_thread_that_arrives_again_belongs_to_a_later_phase() -> None:
    found = groupings("bar.sync 0, 2; bar.sync 0, 2", "bar.sync 0, 2", "bar.sync 0, 2")
    assert len(found) == 3
    assert ({phase((0, 0), (1, 0)), phase((0, 1), (2, 0))}, False) in found
    assert ({phase((0, 0), (2, 0)), phase((0, 1), (1, 0))}, False) in found
    assert ({phase((1, 0), (2, 0))}, True) in found


@pytest.mark.parametrize("code", ["bar.sync 0", "bar.sync 0, 20"])
def test_many_threads_that_all_meet_are_no_trouble(code: str) -> None:
    join = only_join(*[code] * 20)
    assert len(syncbar(join)) == 20 * 19


def test_groupings_of_ctas_are_independent() -> None:
    places = ("cta 0", "cta 0", "cta 0", "cta 1", "cta 1", "cta 1")
    assert len(groupings(*["bar.sync 0, 2"] * 6, places=places)) == 3 * 3


def test_groupings_of_barriers_are_independent() -> None:
    codes = ["bar.sync 0, 2"] * 3 + ["bar.sync 1, 2"] * 3
    assert len(groupings(*codes)) == 3 * 3


# Arrivals that do not wait


@pytest.mark.parametrize("spelling", ["bar.arrive", "bar.cta.arrive", "barrier.cta.arrive"])
def test_an_arrival_comes_before_the_sync_and_not_after(spelling: str) -> None:
    join = only_join(f"st [x], 1; {spelling} 0, 2; ld r0, [y]", "bar.sync 0, 2; ld r0, [x]")
    assert syncbar(join) == {((0, 1), (1, 0))}
    assert (bool(join.stuck), join.lengths) == (False, (3, 2))


def test_arrivals_alone_order_nothing() -> None:
    join = only_join("bar.arrive 0, 2", "bar.arrive 0, 2")
    assert (syncbar(join), bool(join.stuck)) == (set(), False)


def test_arrivals_that_nobody_waits_for_make_one_execution() -> None:
    """Who met whom there cannot be seen."""
    (join,) = joins(program(*["bar.arrive 0, 2"] * 4))
    assert (syncbar(join), join.stuck) == (set(), frozenset())


def test_arrivals_that_are_missing_leave_the_sync_stuck() -> None:
    join = only_join("bar.arrive 0, 3; st [x], 1", "bar.sync 0, 3; st [x], 1")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (2, 1))


def test_two_arrivals_of_a_thread_are_in_two_phases() -> None:
    join = only_join("bar.arrive 0, 2; bar.arrive 0, 2", "bar.sync 0, 2; bar.sync 0, 2")
    assert syncbar(join) == {((0, 0), (1, 0)), ((0, 1), (1, 1))}
    assert not join.stuck


def test_a_later_phase_does_not_overtake_an_earlier_one() -> None:
    join = only_join("bar.arrive 0, 2; bar.sync 0, 1; st [x], 1")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (2,))
    join = only_join("bar.arrive 0, 2; bar.sync 0, 1; st [x], 1", "bar.sync 0, 2")
    assert (syncbar(join), bool(join.stuck)) == ({((0, 0), (1, 0))}, False)


def test_a_thread_cannot_complete_its_own_phase() -> None:
    join = only_join("bar.arrive 0, 2; bar.sync 0, 2; st [x], 1")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (2,))


def test_an_arrival_joins_the_syncs_of_its_phase_with_each_other() -> None:
    join = only_join("bar.arrive 0, 3", "bar.sync 0, 3", "bar.sync 0, 3")
    assert syncbar(join) == {((0, 0), (1, 0)), ((0, 0), (2, 0))} | both((1, 0), (2, 0))


def test_producers_and_a_consumer_meet_in_every_grouping() -> None:
    found = joins(program("bar.arrive 0, 2", "bar.arrive 0, 2", "bar.sync 0, 2"))
    assert {(frozenset(syncbar(join)), bool(join.stuck)) for join in found} == {
        (frozenset({((0, 0), (2, 0))}), False),
        (frozenset({((1, 0), (2, 0))}), False),
        # The producers make up a phase of their own, and the consumer waits for ever.
        (frozenset(), True),
    }


# Deadlock


def test_two_barriers_in_opposite_order() -> None:
    join = only_join("bar.sync 0; bar.sync 1; st [x], 1", "bar.sync 1; bar.sync 0; st [y], 1")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (1, 1))


def test_what_came_before_is_kept() -> None:
    join = only_join(
        "st [x], 1; bar.sync 0; st [x], 2; bar.sync 1, 2; st [x], 3",
        "bar.sync 0; ld r0, [x]",
    )
    assert syncbar(join) == both((0, 1), (1, 0))
    assert (bool(join.stuck), join.lengths) == (True, (4, 2))


# Counts that disagree


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("bar.sync 0, 2", "bar.sync 0, 3"),
        ("bar.sync 0", "bar.sync 0, 2"),
        ("bar.sync 0, 2", "bar.sync 0"),
        ("bar.arrive 0, 3", "bar.sync 0, 2"),
        ("bar.sync 0, 3", "bar.red.popc.u32 r0, 0, 2, p0"),
    ],
)
def test_counts_that_disagree(first: str, second: str) -> None:
    """An error where a model allows such an execution: others may never come about."""
    found = joins(program(first, second))
    assert found
    for join in found:
        assert join.defect is not None
        message, span = join.defect
        assert message == "the counts of this barrier disagree within a phase"
        assert (str(span), span.text) == ("t.litmus:7:1", second)


def test_counts_of_different_barriers_may_differ() -> None:
    codes = ("bar.sync 0, 2", "bar.sync 0, 2", "bar.sync 1, 1")
    assert groupings(*codes) == [({phase((0, 0), (1, 0))}, False)]


# Barrier numbers from registers


@pytest.mark.parametrize("number", ["3", "r1", "%r1"])
def test_the_number_of_a_barrier_may_be_a_register(number: str) -> None:
    prog = program(f"bar.sync {number}", "bar.sync 3", init="0:r1=3;")
    (join,) = joins(prog)
    assert phases(join) == {phase((0, 0), (1, 0))}


def numbered(value: Value) -> tuple[Program, list[Join]]:
    prog = program("ld r0, [x]; bar.sync r0", "bar.sync 3")
    way = taken(prog.paths(0), {0: value})
    return prog, list(prog.joins([way, prog.paths(1)[0]]))


def test_a_barrier_number_that_was_read_decides_who_meets() -> None:
    _, (same,) = numbered(3)
    assert (phases(same), bool(same.stuck)) == ({phase((0, 1), (1, 0))}, False)
    _, (other,) = numbered(4)
    assert (phases(other), bool(other.stuck)) == (set(), True)


def test_a_barrier_number_that_was_read_has_a_way_for_each_and_a_fault() -> None:
    ways = paths("ld r0, [x]; bar.sync r0; st [y], 1")
    assert len(of_end(ways, End.DONE)) == 16
    assert len(of_end(ways, End.FAULT)) == 1
    for value in (16, -1, 100):
        way = taken(ways, {0: value})
        assert way.end is End.FAULT
        assert "number from 0 to 15" in way.fault
        assert len(way.events) == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("mov r0, 20; bar.sync r0", "this is a number from 0 to 15, not 20"),
        ("bar.sync x", "this is a number from 0 to 15, not &x"),
        ("mov r0, 0; bar.sync 0, r0", "this is a number from 1 to 1024, not 0"),
    ],
)
def test_a_wrong_number_in_a_register_is_a_fault(code: str, message: str) -> None:
    (way,) = paths(code)
    assert (way.end, way.fault, way.events) == (End.FAULT, message, ())


def test_a_wrong_number_matters_only_where_it_is_used() -> None:
    """Here `r1` is 99 on a way that no execution takes."""
    outcome = outcome_of(
        text_of(
            ["ld r0, [x]; setp.eq p0, r0, 5; @p0 mov r1, 99; bar.sync r1", "bar.sync 0"],
            final="forall (0:r0=0)",
        )
    )
    assert (outcome.verdict.value, outcome.stuck) == ("Ok", 0)


@pytest.mark.parametrize("number", [0, 15])
def test_barriers_are_numbered_from_0_to_15(number: int) -> None:
    assert len(groupings(f"bar.sync {number}", f"bar.sync {number}")) == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("bar.sync ▸16", "from 0 to 15, not 16"),
        ("bar.sync ▸-1", "from 0 to 15, not -1"),
        ("bar.sync 0, ▸0", "not 0"),
        ("bar.sync 0, ▸-2", "not -2"),
        ("bar.arrive 0, ▸0", "not 0"),
        ("▸bar.arrive 0", "names the barrier and the number of threads"),
        ("▸barrier.cta.arrive 0", "names the barrier and the number of threads"),
        ("▸bar.sync 0, 1, 2", "a barrier takes its number and a count at most"),
        ("▸bar.arrive 0, 1, 2", "a barrier takes its number and a count at most"),
    ],
)
def test_bad_barriers(code: str, message: str) -> None:
    fails(code, message=message)
