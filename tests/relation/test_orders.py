"""Linearisations and orientations against brute force."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catpy.relation import ExactAlgebra, ExactRelation, orders
from tests.relation.plain import (
    Events,
    Pair,
    Pairs,
    Universe,
    closure,
    few,
    is_acyclic,
    moderate,
    universes,
)

# Linearisations


def brute_linearisations(events: Events, order: Pairs) -> set[Pairs]:
    """The permutations of the events, as orders, that hold the closed order between them."""
    held = frozenset((x, y) for x, y in closure(order) if x in events and y in events)
    found = set()
    for sequence in permutations(sorted(events)):
        total = frozenset((x, y) for at, x in enumerate(sequence) for y in sequence[at + 1 :])
        if held <= total:
            found.add(total)
    return found


def linearisations(algebra: ExactAlgebra, events: Events, order: Pairs) -> list[Pairs]:
    relations = algebra.linearisations(algebra.event_set(events), algebra.relation(order))
    return [frozenset(relation) for relation in relations]


@st.composite
def ordered_events(draw: st.DrawFn) -> tuple[int, Events, Pairs]:
    """A universe, at most five events of it, and a relation, often an acyclic one."""
    size = draw(st.integers(1, 9) | st.sampled_from([17, 33, 65]))
    event = st.integers(0, size - 1)
    events = draw(st.frozensets(event, max_size=5))
    near = st.sampled_from(sorted(events)) if events else event
    pair = st.tuples(near | event, near | event)
    pairs = draw(st.frozensets(pair, max_size=6))
    if draw(st.booleans()):
        pairs = frozenset((min(p), max(p)) for p in pairs if p[0] != p[1])
    return size, events, pairs


@given(ordered_events())
@moderate
def test_linearisations_are_the_permutations_that_hold_the_order(
    case: tuple[int, Events, Pairs],
) -> None:
    size, events, order = case
    found = linearisations(ExactAlgebra(size), events, order)
    assert len(found) == len(set(found))
    assert set(found) == brute_linearisations(events, order)


@given(ordered_events())
@few
def test_linearisations_are_closed_and_total(case: tuple[int, Events, Pairs]) -> None:
    size, events, order = case
    for total in linearisations(ExactAlgebra(size), events, order):
        assert closure(total) == total
        assert is_acyclic(total)
        assert len(total) == len(events) * (len(events) - 1) // 2


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
def test_without_an_order_there_are_all_permutations(count: int) -> None:
    events = frozenset(range(1, count + 1))
    found = linearisations(ExactAlgebra(7), events, frozenset())
    assert len(found) == len(set(found)) == len(list(permutations(range(count))))


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({(1, 1)}, "a self loop"),
        ({(1, 2), (2, 1)}, "two events each before the other"),
        ({(1, 2), (2, 3), (3, 1)}, "a longer cycle"),
        ({(1, 5), (5, 1)}, "a cycle through an event outside"),
        ({(1, 5), (5, 6), (6, 1)}, "a cycle through two events outside"),
    ],
)
def test_a_cyclic_order_gives_no_linearisation(order: set[Pair], why: str) -> None:
    assert linearisations(ExactAlgebra(8), frozenset({1, 2, 3}), frozenset(order)) == [], why


def test_a_cycle_among_other_events_does_not_matter() -> None:
    order = frozenset({(5, 6), (6, 5), (7, 7)})
    assert len(linearisations(ExactAlgebra(8), frozenset({1, 2}), order)) == 2


def test_events_outside_carry_paths() -> None:
    order = frozenset({(2, 5), (5, 6), (6, 1)})
    found = linearisations(ExactAlgebra(8), frozenset({1, 2}), order)
    assert found == [frozenset({(2, 1)})]


@pytest.mark.parametrize("order", [set(), {(0, 1)}, {(0, 1), (1, 0)}, {(2, 2)}])
def test_no_events_give_one_empty_order(order: set[Pair]) -> None:
    assert linearisations(ExactAlgebra(3), frozenset(), frozenset(order)) == [frozenset()]


def test_an_empty_universe_gives_one_empty_order() -> None:
    assert linearisations(ExactAlgebra(0), frozenset(), frozenset()) == [frozenset()]


def test_a_linearisation_is_a_value_of_its_own() -> None:
    algebra = ExactAlgebra(4)
    first, *others = list(algebra.linearisations(algebra.all_events, algebra.empty_relation))
    kept = set(first)
    for other in others:
        assert set(other) != kept
    assert set(first) == kept


# Orientations


def brute_orientations(relation: Pairs, base: Pairs) -> set[Pairs]:
    """Both directions tried for every pair; kept if acyclic and with all of base that applies."""
    pairs = sorted({(min(p), max(p)) for p in relation if p[0] != p[1]})
    either = {*pairs, *((y, x) for x, y in pairs)}
    held = base & either
    found = set()
    for choice in product([False, True], repeat=len(pairs)):
        oriented = frozenset(
            (y, x) if flip else (x, y) for (x, y), flip in zip(pairs, choice, strict=True)
        )
        if held <= oriented and is_acyclic(oriented):
            found.add(oriented)
    return found


def orientations(algebra: ExactAlgebra, relation: Pairs, base: Pairs) -> list[Pairs]:
    results: list[Pairs] = []
    for oriented in algebra.orientations(algebra.relation(relation), algebra.relation(base)):
        assert isinstance(oriented, ExactRelation)
        results.append(frozenset(oriented))
    return results


@st.composite
def unoriented_pairs(draw: st.DrawFn) -> tuple[int, Pairs, Pairs]:
    """A universe, at most eight pairs, and a base that often applies to some of them."""
    size = draw(st.integers(1, 6) | st.sampled_from([9, 17, 65]))
    event = st.integers(0, min(size, 6) - 1)
    relation = draw(st.frozensets(st.tuples(event, event), max_size=8))
    among = st.sampled_from(sorted(relation)) if relation else st.tuples(event, event)
    pair = among | among.map(lambda p: (p[1], p[0])) | st.tuples(event, event)
    return size, relation, draw(st.frozensets(pair, max_size=4))


@given(unoriented_pairs())
@moderate
def test_orientations_are_the_acyclic_choices_that_hold_the_base(
    case: tuple[int, Pairs, Pairs],
) -> None:
    size, relation, base = case
    found = orientations(ExactAlgebra(size), relation, base)
    assert len(found) == len(set(found))
    assert set(found) == brute_orientations(relation, base)


@given(unoriented_pairs())
@few
def test_orientations_do_not_care_how_the_pairs_are_given(case: tuple[int, Pairs, Pairs]) -> None:
    size, relation, base = case
    algebra = ExactAlgebra(size)
    symmetric = relation | {(y, x) for x, y in relation} | {(x, x) for x in range(size)}
    found = orientations(algebra, relation, base)
    assert set(orientations(algebra, symmetric, base)) == set(found)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_orientations_of_all_pairs_are_the_total_orders(count: int) -> None:
    algebra = ExactAlgebra(count)
    found = orientations(algebra, frozenset(algebra.all_pairs), frozenset())
    assert len(found) == len(list(permutations(range(count))))
    totals = linearisations(algebra, frozenset(range(count)), frozenset())
    assert set(found) == set(totals)


@pytest.mark.parametrize(
    ("relation", "base", "expected"),
    [
        (set(), set(), [set()]),
        (set(), {(0, 1), (1, 0)}, [set()]),
        ({(2, 2)}, {(2, 2)}, [set()]),
        ({(0, 1)}, {(1, 0)}, [{(1, 0)}]),
        ({(0, 1)}, {(0, 1), (1, 0)}, []),
        ({(0, 1), (1, 2), (2, 0)}, {(0, 1), (1, 2), (2, 0)}, []),
        ({(0, 1), (1, 2), (2, 0)}, {(0, 1), (1, 2)}, [{(0, 1), (1, 2), (0, 2)}]),
        # The base counts on the pairs of the relation alone, and is not closed first.
        ({(0, 1)}, {(1, 2), (2, 0)}, [{(0, 1)}, {(1, 0)}]),
        ({(0, 2)}, {(0, 1), (1, 2)}, [{(0, 2)}, {(2, 0)}]),
        # Results are not closed.
        ({(0, 1), (1, 2)}, {(0, 1), (1, 2)}, [{(0, 1), (1, 2)}]),
    ],
)
def test_orientations_by_hand(
    relation: set[Pair], base: set[Pair], expected: list[set[Pair]]
) -> None:
    found = orientations(ExactAlgebra(3), frozenset(relation), frozenset(base))
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


def test_orientations_in_an_empty_universe() -> None:
    assert orientations(ExactAlgebra(0), frozenset(), frozenset()) == [frozenset()]


# Partial orders


def brute_partial_orders(relation: Pairs, base: Pairs) -> set[Pairs]:
    """Each pair one way, the other way or not at all; kept if a strict order with all of base."""
    pairs = sorted({(min(p), max(p)) for p in relation if p[0] != p[1]})
    either = {*pairs, *((y, x) for x, y in pairs)}
    held = base & either
    found = set()
    for choice in product(range(3), repeat=len(pairs)):
        order = frozenset(
            pair
            for (x, y), way in zip(pairs, choice, strict=True)
            for pair in ([(x, y)], [(y, x)], [])[way]
        )
        if held <= order and closure(order) == order and is_acyclic(order):
            found.add(order)
    return found


@given(unoriented_pairs())
@few
def test_partial_orders_are_the_strict_orders_within_the_pairs(
    case: tuple[int, Pairs, Pairs],
) -> None:
    size, relation, base = case
    algebra = ExactAlgebra(size)
    orders_of = algebra.partial_orders(algebra.relation(relation), algebra.relation(base))
    found = [frozenset(order) for order in orders_of]
    assert len(found) == len(set(found))
    assert set(found) == brute_partial_orders(relation, base)


@pytest.mark.parametrize(("count", "number"), [(0, 1), (1, 1), (2, 3), (3, 19), (4, 219)])
def test_numbers_of_partial_orders(count: int, number: int) -> None:
    algebra = ExactAlgebra(count)
    found = list(algebra.partial_orders(algebra.all_pairs, algebra.empty_relation))
    assert len({order.key() for order in found}) == len(found) == number


# Looking inside


@given(universes())
@few
def test_members_and_pairs(u: Universe) -> None:
    algebra = u.algebra
    assert algebra.members(algebra.event_set(u.a)) == sorted(u.a)
    assert algebra.pairs(algebra.relation(u.r)) == sorted(u.r)


# On rows


def test_rows_of_linearisations_are_fresh() -> None:
    found = list(orders.linearisations(0b1111, [0] * 4))
    assert len({tuple(rows) for rows in found}) == len(found) == 24


def test_rows_of_orientations_are_fresh() -> None:
    found = list(orders.orientations([(0, 1), (2, 3)], [0] * 4))
    assert len({tuple(rows) for rows in found}) == len(found) == 4


@given(universes(st.integers(0, 20) | st.sampled_from([33, 65])))
@few
def test_reachability_is_the_transitive_closure(u: Universe) -> None:
    relation = u.algebra.relation(u.r)
    rows = relation.rows()
    kept = list(rows)
    assert orders.reachability(rows) == relation.transitive_closure().rows()
    assert rows == kept
