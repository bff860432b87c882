"""Formulas on blocks: bounds hold in every completion, and are values where all is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catpy.relation import Elements, ExactAlgebra, ExactRelation, Relation, Undecided
from catpy.relation.bounds import Bounds
from catpy.relation.symbolic import SymbolicAlgebra, SymbolicRelation
from tests.relation.plain import Pairs, few, pairs_of
from tests.relation.test_sliced import lanes_in, lanes_of, rows_of

SIZE = 4
WIDTH = 5


@dataclass
class Formulas:
    """A random formula over one constant and two unknowns, for two algebras at once."""

    random: Random

    def build(self, leaves: list[Relation], depth: int) -> Relation:
        random = self.random
        if depth == 0 or random.random() < 0.15:
            return random.choice(leaves)
        left, right = self.build(leaves, depth - 1), self.build(leaves, depth - 1)
        match random.randrange(14):
            case 0 | 1:
                return left | right
            case 2:
                return left & right
            case 3 | 4:
                return left - right
            case 5 | 6:
                return left.compose(right)
            case 7:
                return left.inverse()
            case 8:
                return left.transitive_closure()
            case 9:
                return left.reflexive_closure()
            case 10:
                return left.complement()
            case 11:
                return left.domain().identity()
            case 12:
                return left.range().product(right.domain().complement())
            case _:
                return left.reflexive_transitive_closure()


@given(seed=st.integers(0, 2**32), data=st.data())
@few
def test_settled_formulas_have_their_value_in_each_lane(seed: int, data: st.DataObject) -> None:
    constant = data.draw(pairs_of(SIZE))
    r, s = (_lanes(data) for _ in range(2))
    node = _symbolic(seed, constant)
    if node is None:
        return
    bounds = Bounds(SIZE, [rows_of(r), rows_of(s)], 0b11, {})
    found = lanes_of(bounds.lower(node.node), WIDTH)
    assert found == [_exact(seed, constant, r[lane], s[lane]) for lane in range(WIDTH)]
    assert bounds.upper(node.node) == bounds.lower(node.node)


@given(seed=st.integers(0, 2**32), data=st.data())
@few
def test_bounds_hold_for_every_completion(seed: int, data: st.DataObject) -> None:
    constant = data.draw(pairs_of(SIZE))
    r, s, least, most = (_lanes(data) for _ in range(4))
    # What is known of s: some of its pairs for certain, and what more there may be.
    low = [a & b for a, b in zip(s, least, strict=True)]
    high = [a | b for a, b in zip(s, most, strict=True)]
    node = _symbolic(seed, constant)
    if node is None:
        return
    values = [_exact(seed, constant, r[lane], s[lane]) for lane in range(WIDTH)]
    for upper in ({1: rows_of(high)}, None):
        bounds = Bounds(SIZE, [rows_of(r), rows_of(low)], 0b01, {}, upper)
        lower = lanes_of(bounds.lower(node.node), WIDTH)
        assert all(a <= b for a, b in zip(lower, values, strict=True))
        above = bounds.upper(node.node)
        if above is not None:
            assert all(a <= b for a, b in zip(values, lanes_of(above, WIDTH), strict=True))


@pytest.mark.parametrize("test", ["is_empty", "is_irreflexive", "is_acyclic"])
@given(seed=st.integers(0, 2**32), data=st.data())
@few
def test_what_is_said_of_a_test_holds(test: str, seed: int, data: st.DataObject) -> None:
    r, s, least = (_lanes(data) for _ in range(3))
    low = [a & b for a, b in zip(s, least, strict=True)]
    algebra, leaves = _algebra(frozenset())
    try:
        node = Formulas(Random(seed)).build(leaves, 3)
    except Undecided:
        return
    formula = algebra.negate(getattr(algebra, test)(node))
    exact = ExactAlgebra(SIZE)
    truths = [
        not getattr(exact, test)(exact.relation(_exact(seed, frozenset(), r[lane], s[lane])))
        for lane in range(WIDTH)
    ]
    settled = Bounds(SIZE, [rows_of(r), rows_of(s)], 0b11, {})
    assert [lanes_in(mask, WIDTH) for mask in settled.truth(formula)] == [truths, truths]
    bounds = Bounds(SIZE, [rows_of(r), rows_of(low)], 0b01, {})
    certain, possible = (lanes_in(mask, WIDTH) for mask in bounds.truth(formula))
    assert all(a <= b <= c for a, b, c in zip(certain, truths, possible, strict=True))


@given(base=st.data())
@few
def test_recursion_is_the_least_fixpoint(base: st.DataObject) -> None:
    r, s = (_lanes(base) for _ in range(2))
    algebra, (_, first, second) = _algebra(frozenset())

    def step(values: Sequence[Elements]) -> Sequence[Elements]:
        (present,) = values
        assert isinstance(present, Relation)
        return [first | second.compose(present)]

    (value,) = algebra.tie([first], step)
    assert isinstance(value, SymbolicRelation)
    bounds = Bounds(SIZE, [rows_of(r), rows_of(s)], 0b11, {})
    exact = ExactAlgebra(SIZE)
    for lane, found in enumerate(lanes_of(bounds.lower(value.node), WIDTH)):
        paths = exact.relation(s[lane]).reflexive_transitive_closure()
        assert found == frozenset(paths.compose(exact.relation(r[lane])))


def test_recursion_that_is_not_monotone_is_undecided() -> None:
    algebra, (_, first, second) = _algebra(frozenset())
    with pytest.raises(Undecided):
        algebra.tie([first], lambda values: [second - values[0]])  # type: ignore[operator]


def test_equal_formulas_are_one_node() -> None:
    _, (_, first, second) = _algebra(frozenset())
    assert isinstance(first | second, SymbolicRelation)
    assert (first | second).node is (first | second).node  # type: ignore[attr-defined]


def test_constants_are_folded() -> None:
    algebra, (constant, first, _) = _algebra(frozenset({(0, 1)}))
    assert algebra.pairs(constant.compose(constant.inverse())) == [(0, 0)]
    with pytest.raises(Undecided):
        algebra.pairs(first)


def _lanes(data: st.DataObject) -> list[Pairs]:
    return data.draw(st.lists(pairs_of(SIZE), min_size=WIDTH, max_size=WIDTH))


def _algebra(constant: Pairs) -> tuple[SymbolicAlgebra, list[Relation]]:
    exact = ExactAlgebra(SIZE)
    algebra = SymbolicAlgebra(exact)
    unknowns = [algebra.related(algebra.graph.unknown(None)) for _ in range(2)]
    return algebra, [algebra.lifted(exact.relation(constant)), *unknowns]  # type: ignore[list-item]


def _symbolic(seed: int, constant: Pairs) -> SymbolicRelation | None:
    """A random formula; None where cat's `_` makes it undecided."""
    _, leaves = _algebra(constant)
    try:
        found = Formulas(Random(seed)).build(leaves, 3)
    except Undecided:
        return None
    assert isinstance(found, SymbolicRelation)
    return found


def _exact(seed: int, constant: Pairs, r: Pairs, s: Pairs) -> Pairs:
    """The value of the same formula in one lane."""
    exact = ExactAlgebra(SIZE)
    leaves: list[Relation] = [exact.relation(pairs) for pairs in (constant, r, s)]
    found = Formulas(Random(seed)).build(leaves, 3)
    assert isinstance(found, ExactRelation)
    return frozenset(found)
