"""Event sets of the exact algebra against plain sets of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given

from catpy.relation import ExactAlgebra
from tests.relation.plain import (
    Universe,
    assert_events,
    assert_relation,
    diagonal,
    moderate,
    universes,
)


@given(universes())
@moderate
def test_union_of_sets(u: Universe) -> None:
    a, b = u.algebra.event_set(u.a), u.algebra.event_set(u.b)
    assert_events(u.algebra, a | b, u.a | u.b)


@given(universes())
@moderate
def test_intersection_of_sets(u: Universe) -> None:
    a, b = u.algebra.event_set(u.a), u.algebra.event_set(u.b)
    assert_events(u.algebra, a & b, u.a & u.b)


@given(universes())
@moderate
def test_difference_of_sets(u: Universe) -> None:
    a, b = u.algebra.event_set(u.a), u.algebra.event_set(u.b)
    assert_events(u.algebra, a - b, u.a - u.b)


@given(universes())
@moderate
def test_complement_of_a_set(u: Universe) -> None:
    complement = u.algebra.event_set(u.a).complement()
    assert_events(u.algebra, complement, frozenset(range(u.size)) - u.a)
    assert_events(u.algebra, complement.complement(), u.a)


@given(universes())
@moderate
def test_product_of_sets(u: Universe) -> None:
    a, b = u.algebra.event_set(u.a), u.algebra.event_set(u.b)
    expected = frozenset((x, y) for x in u.a for y in u.b)
    assert_relation(u.algebra, a.product(b), expected)


@given(universes())
@moderate
def test_identity_on_a_set(u: Universe) -> None:
    assert_relation(u.algebra, u.algebra.event_set(u.a).identity(), diagonal(u.a))


@given(universes())
@moderate
def test_membership_in_a_set(u: Universe) -> None:
    a = u.algebra.event_set(u.a)
    assert [event in a for event in range(u.size)] == [event in u.a for event in range(u.size)]


@given(universes())
@moderate
def test_containment_of_sets(u: Universe) -> None:
    a, b = u.algebra.event_set(u.a), u.algebra.event_set(u.b)
    assert u.algebra.is_contained(a, b) == (u.a <= u.b)
    assert u.algebra.is_contained(a & b, b)
    assert u.algebra.is_contained(a, a | b)


@given(universes())
@moderate
def test_keys_of_sets_are_equal_iff_the_sets_are(u: Universe) -> None:
    a, b = u.algebra.event_set(u.a), u.algebra.event_set(u.b)
    assert (a.key() == b.key()) == (u.a == u.b)
    assert (a == b) == (u.a == u.b)


@given(universes())
@moderate
def test_emptiness_of_sets(u: Universe) -> None:
    assert u.algebra.is_empty(u.algebra.event_set(u.a)) == (not u.a)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 16, 17, 33, 64, 65])
def test_constant_sets(size: int) -> None:
    algebra = ExactAlgebra(size)
    assert_events(algebra, algebra.empty_set, frozenset())
    assert_events(algebra, algebra.all_events, frozenset(range(size)))


def test_an_event_may_be_named_twice() -> None:
    algebra = ExactAlgebra(3)
    assert_events(algebra, algebra.event_set([1, 1, 2]), frozenset({1, 2}))


def test_a_set_is_no_relation() -> None:
    algebra = ExactAlgebra(0)
    assert algebra.empty_set != algebra.empty_relation
