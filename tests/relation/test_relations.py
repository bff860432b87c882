"""Relations of the exact algebra against plain sets of pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catpy.relation import ExactAlgebra, ExactRelation
from tests.relation.plain import (
    Pairs,
    Universe,
    assert_events,
    assert_relation,
    closure,
    compose,
    diagonal,
    everything,
    inverse,
    moderate,
    sizes,
    universes,
)


def operands(u: Universe) -> tuple[ExactAlgebra, ExactRelation, ExactRelation]:
    algebra = u.algebra
    return algebra, algebra.relation(u.r), algebra.relation(u.s)


@given(universes())
@moderate
def test_union(u: Universe) -> None:
    algebra, r, s = operands(u)
    assert_relation(algebra, r | s, u.r | u.s)


@given(universes())
@moderate
def test_intersection(u: Universe) -> None:
    algebra, r, s = operands(u)
    assert_relation(algebra, r & s, u.r & u.s)


@given(universes())
@moderate
def test_difference(u: Universe) -> None:
    algebra, r, s = operands(u)
    assert_relation(algebra, r - s, u.r - u.s)


@given(universes())
@moderate
def test_complement(u: Universe) -> None:
    algebra, r, _ = operands(u)
    assert_relation(algebra, r.complement(), everything(u.size) - u.r)
    assert_relation(algebra, r.complement().complement(), u.r)


@given(universes())
@moderate
def test_composition(u: Universe) -> None:
    algebra, r, s = operands(u)
    assert_relation(algebra, r.compose(s), compose(u.r, u.s))


@given(universes())
@moderate
def test_inverse(u: Universe) -> None:
    algebra, r, _ = operands(u)
    assert_relation(algebra, r.inverse(), inverse(u.r))


@given(universes())
@moderate
def test_transitive_closure(u: Universe) -> None:
    algebra, r, _ = operands(u)
    assert_relation(algebra, r.transitive_closure(), closure(u.r))


@given(universes())
@moderate
def test_reflexive_closure(u: Universe) -> None:
    algebra, r, _ = operands(u)
    assert_relation(algebra, r.reflexive_closure(), u.r | diagonal(range(u.size)))


@given(universes())
@moderate
def test_reflexive_transitive_closure(u: Universe) -> None:
    algebra, r, _ = operands(u)
    expected = closure(u.r) | diagonal(range(u.size))
    assert_relation(algebra, r.reflexive_transitive_closure(), expected)


@given(universes())
@moderate
def test_domain_and_range(u: Universe) -> None:
    algebra, r, _ = operands(u)
    assert_events(algebra, r.domain(), frozenset(x for x, _ in u.r))
    assert_events(algebra, r.range(), frozenset(y for _, y in u.r))


@given(universes())
@moderate
def test_restriction(u: Universe) -> None:
    algebra, r, _ = operands(u)
    restricted = r & algebra.event_set(u.a).product(algebra.event_set(u.b))
    expected = frozenset((x, y) for x, y in u.r if x in u.a and y in u.b)
    assert_relation(algebra, restricted, expected)


@given(universes())
@moderate
def test_rows_and_back(u: Universe) -> None:
    algebra, r, _ = operands(u)
    rows = r.rows()
    assert rows == [sum(1 << y for y in range(u.size) if (x, y) in u.r) for x in range(u.size)]
    assert_relation(algebra, algebra.from_rows(rows), u.r)


@given(universes(st.integers(0, 20)))
@moderate
def test_membership(u: Universe) -> None:
    _, r, _ = operands(u)
    assert {pair for pair in everything(u.size) if pair in r} == u.r


@given(universes())
@moderate
def test_containment(u: Universe) -> None:
    algebra, r, s = operands(u)
    assert algebra.is_contained(r, s) == (u.r <= u.s)
    assert algebra.is_contained(r & s, s)
    assert algebra.is_contained(r, r | s)


@given(universes())
@moderate
def test_keys_are_equal_iff_the_relations_are(u: Universe) -> None:
    _, r, s = operands(u)
    assert (r.key() == s.key()) == (u.r == u.s)
    assert (r == s) == (u.r == u.s)


@given(universes(sizes.filter(bool)), st.data())
@moderate
def test_a_key_tells_relations_apart_that_differ_in_one_pair(
    u: Universe, data: st.DataObject
) -> None:
    algebra, r, _ = operands(u)
    event = st.integers(0, u.size - 1)
    pair = data.draw(st.tuples(event, event))
    other = algebra.relation(u.r ^ {pair})
    assert r.key() != other.key()
    assert r != other


@given(universes())
@moderate
def test_operations_leave_their_operands_alone(u: Universe) -> None:
    algebra, r, s = operands(u)
    for _ in (r | s, r & s, r - s, r.compose(s), r.complement(), r.inverse()):
        assert_relation(algebra, r, u.r)
        assert_relation(algebra, s, u.s)
    for _ in (r.transitive_closure(), r.reflexive_closure(), r.domain(), r.range()):
        assert_relation(algebra, r, u.r)


@given(universes())
@moderate
def test_truths(u: Universe) -> None:
    algebra, r, s = operands(u)
    empty = algebra.is_empty(r)
    assert empty == (not u.r)
    assert algebra.both(empty, algebra.is_empty(s)) == (not u.r and not u.s)
    assert algebra.negate(empty) == bool(u.r)
    assert algebra.always(empty) == (not u.r)
    assert algebra.never(empty) == bool(u.r)
    assert algebra.always(algebra.true)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 16, 17, 33, 64, 65])
def test_constant_relations(size: int) -> None:
    algebra = ExactAlgebra(size)
    assert_relation(algebra, algebra.empty_relation, frozenset())
    assert_relation(algebra, algebra.identity, diagonal(range(size)))
    assert_relation(algebra, algebra.all_pairs, everything(size))


def test_over_no_events_there_is_one_relation() -> None:
    algebra = ExactAlgebra(0)
    r = algebra.empty_relation
    results = [
        r | r,
        r.complement(),
        r.compose(r),
        r.inverse(),
        r.transitive_closure(),
        r.reflexive_transitive_closure(),
        algebra.identity,
        algebra.all_pairs,
        algebra.all_events.product(algebra.all_events),
        algebra.all_events.identity(),
    ]
    for result in results:
        assert_relation(algebra, result, frozenset())
    assert_events(algebra, r.domain(), frozenset())
    assert_events(algebra, r.range(), frozenset())
    assert r.cycle() is None
    assert algebra.is_acyclic(r)
    assert algebra.is_irreflexive(r)
    assert algebra.is_empty(r)


@pytest.mark.parametrize("size", [8, 9, 17, 33, 65])
def test_closure_of_a_long_chain(size: int) -> None:
    algebra = ExactAlgebra(size)
    chain: Pairs = frozenset((x, x + 1) for x in range(size - 1))
    expected = frozenset((x, y) for x in range(size) for y in range(x + 1, size))
    assert_relation(algebra, algebra.relation(chain).transitive_closure(), expected)
    backwards = algebra.relation(inverse(chain)).transitive_closure()
    assert_relation(algebra, backwards, inverse(expected))
