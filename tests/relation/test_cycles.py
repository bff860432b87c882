"""Irreflexivity, acyclicity and the shortest cycle of a relation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catpy.relation import ExactAlgebra
from tests.relation.plain import (
    Pair,
    Universe,
    is_acyclic,
    is_irreflexive,
    moderate,
    shortest_cycle,
    universes,
)


def assert_cycle(cycle: Sequence[int], pairs: Collection[Pair]) -> None:
    """That a cycle passes no event twice and goes along the pairs, back to where it began."""
    assert len(set(cycle)) == len(cycle)
    for step in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        assert step in pairs


@given(universes())
@moderate
def test_irreflexive(u: Universe) -> None:
    r = u.algebra.relation(u.r)
    assert r.is_irreflexive() == is_irreflexive(u.r)
    assert u.algebra.is_irreflexive(r) == is_irreflexive(u.r)


@given(universes())
@moderate
def test_acyclic(u: Universe) -> None:
    r = u.algebra.relation(u.r)
    assert r.is_acyclic() == is_acyclic(u.r)
    assert u.algebra.is_acyclic(r) == is_acyclic(u.r)


@given(universes(), st.randoms(use_true_random=False))
@moderate
def test_a_part_of_a_total_order_is_acyclic(u: Universe, random: Random) -> None:
    rank = list(range(u.size))
    random.shuffle(rank)
    r = u.algebra.relation(pair for pair in u.r if rank[pair[0]] < rank[pair[1]])
    assert r.is_acyclic()
    assert r.cycle() is None


@given(universes())
@moderate
def test_a_cycle_is_one_and_a_shortest_one(u: Universe) -> None:
    cycle = u.algebra.relation(u.r).cycle()
    shortest = shortest_cycle(u.r, u.size)
    if cycle is None:
        assert shortest is None
        return
    assert len(cycle) == shortest
    assert_cycle(cycle, u.r)


@given(st.integers(3, 20) | st.sampled_from([33, 65]), st.randoms(use_true_random=False))
@moderate
def test_a_ring_with_shortcuts_forwards_and_backwards(size: int, random: Random) -> None:
    ring = list(range(size))
    random.shuffle(ring)
    pairs = set(zip(ring, [*ring[1:], ring[0]], strict=True))
    for _ in range(2):
        first, second = sorted(random.sample(range(size), 2))
        pairs.add(random.choice([(ring[first], ring[second]), (ring[second], ring[first])]))
    cycle = ExactAlgebra(size).relation(pairs).cycle()
    assert cycle is not None
    assert len(cycle) == shortest_cycle(frozenset(pairs), size)
    assert_cycle(cycle, pairs)


@pytest.mark.parametrize(
    ("pairs", "length"),
    [
        ([], None),
        ([(0, 1), (1, 2), (0, 2)], None),
        ([(3, 3)], 1),
        ([(0, 1), (1, 0)], 2),
        ([(0, 1), (1, 2), (2, 0), (2, 2)], 1),
        ([(0, 1), (1, 2), (2, 3), (3, 0), (2, 0)], 3),
        ([(0, 1), (1, 2), (2, 0), (3, 4), (4, 3)], 2),
    ],
)
def test_lengths_of_shortest_cycles(pairs: list[Pair], length: int | None) -> None:
    relation = ExactAlgebra(5).relation(pairs)
    cycle = relation.cycle()
    assert (None if cycle is None else len(cycle)) == length
    assert relation.is_acyclic() == (length is None)
    if cycle is not None:
        assert_cycle(cycle, pairs)


def test_a_self_loop_is_a_cycle_of_one_event() -> None:
    assert ExactAlgebra(4).relation([(0, 1), (2, 2)]).cycle() == [2]


@pytest.mark.parametrize("size", [2, 8, 9, 33, 65])
def test_one_cycle_through_all_events(size: int) -> None:
    ring = [(x, (x + 1) % size) for x in range(size)]
    relation = ExactAlgebra(size).relation(ring)
    assert not relation.is_acyclic()
    cycle = relation.cycle()
    assert cycle is not None
    assert sorted(cycle) == list(range(size))
    assert_cycle(cycle, ring)
    assert ExactAlgebra(size).relation(ring[:-1]).is_acyclic()
