"""Barriers as the public tests of another tool mean them: instance, number, quorum."""

from __future__ import annotations

import pytest

from catpy.arch.program import End, Join
from catpy.errors import TestError
from tests.arch.helpers import (
    Where,
    fails,
    joins,
    of_end,
    path,
    paths,
    phases,
    program,
    syncbar,
    taken,
)


def found(*codes: str, places: tuple[str, ...] = (), init: str = "") -> list[Join]:
    return joins(program(*codes, places=places, init=init, dialect="dat3m"))


def only(*codes: str, places: tuple[str, ...] = (), init: str = "") -> Join:
    (join,) = found(*codes, places=places, init=init)
    return join


def phase(*arrivals: Where) -> frozenset[Where]:
    return frozenset(arrivals)


def test_threads_meet_at_one_instance() -> None:
    join = only("st x, 1; bar.cta.sync 1", "bar.cta.sync 1; ld r0, x")
    assert (phases(join), bool(join.stuck)) == ({phase((0, 1), (1, 0))}, False)


def test_instances_are_apart() -> None:
    code = "bar.cta.sync {}"
    join = only(*(code.format(instance) for instance in (1, 1, 2, 2)))
    assert phases(join) == {phase((0, 0), (1, 0)), phase((2, 0), (3, 0))}
    assert not join.stuck


def test_a_thread_alone_at_its_instance_passes() -> None:
    join = only("bar.cta.sync 1; st x, 1", "bar.cta.sync 2; st y, 1")
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), False, (2, 2))


def test_threads_without_the_instance_are_not_waited_for() -> None:
    join = only("bar.cta.sync 1", "bar.cta.sync 1", "st x, 1")
    assert (phases(join), bool(join.stuck)) == ({phase((0, 0), (1, 0))}, False)


def test_ctas_do_not_meet() -> None:
    join = only("bar.cta.sync 1", "bar.cta.sync 1", places=("cta 0,gpu 0", "cta 1,gpu 0"))
    assert (syncbar(join), bool(join.stuck)) == (set(), False)


def test_threads_with_different_numbers_pass_each_other() -> None:
    join = only("bar.cta.sync 1, 1", "bar.cta.sync 1, 2")
    assert (syncbar(join), bool(join.stuck)) == (set(), False)


def test_threads_with_the_same_number_meet() -> None:
    assert phases(only("bar.cta.sync 1, 7", "bar.cta.sync 1, 7")) == {phase((0, 0), (1, 0))}


def test_numbers_may_be_registers() -> None:
    same = only("bar.cta.sync 1, r2", "bar.cta.sync 1, r3", init="0:r2=1; 1:r3=1;")
    other = only("bar.cta.sync 1, r2", "bar.cta.sync 1, r3", init="0:r2=1; 1:r3=2;")
    assert phases(same) == {phase((0, 0), (1, 0))}
    assert phases(other) == set()
    assert not same.stuck
    assert not other.stuck


def test_a_number_that_was_read_decides_who_meets() -> None:
    prog = program("ld r2, z; bar.cta.sync 1, r2", "bar.cta.sync 1, 1", dialect="dat3m")
    ways = prog.paths(0)
    assert len(of_end(ways, End.DONE)) == 16
    (one,) = prog.joins([taken(ways, {0: 1}), prog.paths(1)[0]])
    (two,) = prog.joins([taken(ways, {0: 2}), prog.paths(1)[0]])
    assert (phases(one), bool(one.stuck)) == ({phase((0, 1), (1, 0))}, False)
    assert (phases(two), bool(two.stuck)) == (set(), False)


def test_an_instance_used_twice_meets_occurrence_by_occurrence() -> None:
    code = "bar.cta.sync 1; bar.cta.sync 1"
    assert phases(only(code, code)) == {phase((0, 0), (1, 0)), phase((0, 1), (1, 1))}


# Quorum


def test_a_quorum_that_is_not_reached_leaves_threads_stuck() -> None:
    code = "bar.cta.sync 1, 1, 4; st x, 1"
    join = only(code, code, code)
    assert (syncbar(join), bool(join.stuck), join.lengths) == (set(), True, (1, 1, 1))


def test_as_many_as_the_quorum_meet() -> None:
    code = "bar.cta.sync 1, 1, 2"
    join = only(code, code)
    assert (phases(join), bool(join.stuck)) == ({phase((0, 0), (1, 0))}, False)


@pytest.mark.parametrize(
    ("threads", "quorum", "number"), [(3, 2, 3 + 1), (4, 2, 6 + 4 + 1), (4, 3, 4 + 1), (4, 4, 1)]
)
def test_the_quorum_or_more_synchronise_and_the_others_pass(
    threads: int, quorum: int, number: int
) -> None:
    choices = found(*[f"bar.cta.sync 1, 1, {quorum}; st x, 1"] * threads)
    assert len(choices) == number
    assert len({frozenset(phases(join)) for join in choices}) == number
    for join in choices:
        ((met),) = phases(join)
        assert len(met) >= quorum
        assert (bool(join.stuck), join.lengths) == (False, (2,) * threads)


# Barriers that are jumped over


def test_a_barrier_that_is_jumped_over_blocks_the_others() -> None:
    prog = program("ld r0, x; @r0 bra L; bar.cta.sync 1; L:", "bar.cta.sync 1", dialect="dat3m")
    ways = prog.paths(0)
    (reached,) = prog.joins([taken(ways, {0: 0}), prog.paths(1)[0]])
    (jumped,) = prog.joins([taken(ways, {0: 1}), prog.paths(1)[0]])
    assert (phases(reached), bool(reached.stuck)) == ({phase((0, 1), (1, 0))}, False)
    assert (phases(jumped), bool(jumped.stuck)) == (set(), True)


def test_a_barrier_of_another_number_that_is_jumped_over_blocks_nobody() -> None:
    prog = program(
        "ld r0, x; @r0 bra L; bar.cta.sync 1, 2; L:", "bar.cta.sync 1, 1", dialect="dat3m"
    )
    (jumped,) = prog.joins([taken(prog.paths(0), {0: 1}), prog.paths(1)[0]])
    assert (phases(jumped), bool(jumped.stuck)) == (set(), False)


# Arrivals


def test_arrivals_come_before_syncs_and_do_not_wait() -> None:
    join = only("bar.cta.arrive 1, 1; st x, 1", "bar.cta.sync 1, 1")
    assert syncbar(join) == {((0, 0), (1, 0))}
    assert (bool(join.stuck), join.lengths) == (False, (2, 1))


def test_an_arrival_may_name_its_instance_alone() -> None:
    assert len(path("bar.cta.arrive 1", dialect="dat3m").events) == 1


# The same words in the other dialect


def test_the_first_operand_is_the_instance_or_the_barrier() -> None:
    codes = ("bar.cta.sync 1, 2", "bar.cta.sync 1, 2", "bar.cta.sync 1, 2")
    assert [phases(join) for join in found(*codes)] == [{phase((0, 0), (1, 0), (2, 0))}]
    assert len(joins(program(*codes))) == 3


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("bar.cta.sync ▸r1", "the instance of a barrier is a number"),
        ("bar.cta.sync ▸r1, 1", "the instance of a barrier is a number"),
        ("bar.cta.sync 1, ▸16", "from 0 to 15, not 16"),
        ("bar.cta.sync 1, 1, ▸0", "not 0"),
    ],
)
def test_bad_barriers(code: str, message: str) -> None:
    fails(code, message=message, dialect="dat3m")


def test_three_operands_are_of_this_dialect_only() -> None:
    assert len(paths("bar.cta.sync 1, 1, 1", dialect="dat3m")) == 1
    with pytest.raises(TestError):
        paths("bar.cta.sync 1, 1, 1")
