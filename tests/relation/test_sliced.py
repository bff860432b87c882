"""Operations on blocks: in each lane they are those on plain sets of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from bitarray import bitarray
from hypothesis import given
from hypothesis import strategies as st

from catpy.relation import sliced
from catpy.relation.sliced import Mask, Rows
from tests.relation.plain import (
    Pairs,
    closure,
    compose,
    diagonal,
    everything,
    inverse,
    is_acyclic,
    is_irreflexive,
    moderate,
    pairs_of,
)


@dataclass(frozen=True)
class Lanes:
    """Two relations in each of some lanes, over `size` events."""

    size: int
    r: tuple[Pairs, ...]
    s: tuple[Pairs, ...]

    @property
    def width(self) -> int:
        return len(self.r)


def blocks() -> st.SearchStrategy[Lanes]:
    def of(shape: tuple[int, int]) -> st.SearchStrategy[Lanes]:
        size, width = shape
        lanes = st.lists(pairs_of(size), min_size=width, max_size=width).map(tuple)
        # What all lanes share is kept as True, not as a mask: it has to be there to be met.
        shared = pairs_of(size)
        return st.builds(_lanes, st.just(size), lanes, lanes, shared)

    return st.tuples(st.integers(1, 6), st.integers(1, 9)).flatmap(of)


def _lanes(size: int, r: tuple[Pairs, ...], s: tuple[Pairs, ...], shared: Pairs) -> Lanes:
    return Lanes(size, tuple(lane | shared for lane in r), s)


def rows_of(lanes: Sequence[Pairs]) -> Rows:
    """A block that has these relations in its lanes."""
    rows: Rows = {}
    for x, y in frozenset[tuple[int, int]]().union(*lanes):
        has = bitarray([(x, y) in lane for lane in lanes], "little")
        mask: Mask = True if has.all() else has
        rows.setdefault(x, {})[y] = mask
    return rows


def lanes_of(rows: Rows, width: int) -> list[Pairs]:
    """The relation of each lane. No mask may be empty, and no row."""
    assert all(rows.values())
    for row in rows.values():
        assert all(mask is True or (len(mask) == width and mask.any()) for mask in row.values())
    return [
        frozenset((x, y) for x, row in rows.items() for y, m in row.items() if m is True or m[lane])
        for lane in range(width)
    ]


def lanes_in(mask: Mask | None, width: int) -> list[bool]:
    return [bool(bit) for bit in sliced.bits(mask, width)]


@given(blocks())
@moderate
def test_union(b: Lanes) -> None:
    found = sliced.union(rows_of(b.r), rows_of(b.s))
    assert lanes_of(found, b.width) == [r | s for r, s in zip(b.r, b.s, strict=True)]


@given(blocks())
@moderate
def test_intersection(b: Lanes) -> None:
    found = sliced.intersection(rows_of(b.r), rows_of(b.s))
    assert lanes_of(found, b.width) == [r & s for r, s in zip(b.r, b.s, strict=True)]


@given(blocks())
@moderate
def test_difference(b: Lanes) -> None:
    found = sliced.difference(rows_of(b.r), rows_of(b.s))
    assert lanes_of(found, b.width) == [r - s for r, s in zip(b.r, b.s, strict=True)]


@given(blocks())
@moderate
def test_complement(b: Lanes) -> None:
    found = sliced.complement(rows_of(b.r), b.size)
    assert lanes_of(found, b.width) == [everything(b.size) - r for r in b.r]


@given(blocks())
@moderate
def test_composition(b: Lanes) -> None:
    found = sliced.compose(rows_of(b.r), rows_of(b.s))
    assert lanes_of(found, b.width) == [compose(r, s) for r, s in zip(b.r, b.s, strict=True)]


@given(blocks())
@moderate
def test_inverse(b: Lanes) -> None:
    assert lanes_of(sliced.inverse(rows_of(b.r)), b.width) == list(map(inverse, b.r))


@given(blocks())
@moderate
def test_transitive_closure(b: Lanes) -> None:
    assert lanes_of(sliced.closure(rows_of(b.r)), b.width) == list(map(closure, b.r))


@given(blocks())
@moderate
def test_reflexive_closure(b: Lanes) -> None:
    found = sliced.reflexive(rows_of(b.r), b.size)
    assert lanes_of(found, b.width) == [r | diagonal(range(b.size)) for r in b.r]


@given(blocks())
@moderate
def test_domain_as_an_identity(b: Lanes) -> None:
    found = sliced.domain(rows_of(b.r))
    assert lanes_of(found, b.width) == [diagonal(x for x, _ in r) for r in b.r]


@given(blocks())
@moderate
def test_product_of_identities(b: Lanes) -> None:
    found = sliced.product(sliced.domain(rows_of(b.r)), sliced.domain(rows_of(b.s)))
    assert lanes_of(found, b.width) == [
        frozenset((x, y) for x, _ in r for y, _ in s) for r, s in zip(b.r, b.s, strict=True)
    ]


@given(blocks())
@moderate
def test_where_a_relation_has_a_pair(b: Lanes) -> None:
    assert lanes_in(sliced.somewhere(rows_of(b.r)), b.width) == [bool(r) for r in b.r]


@given(blocks())
@moderate
def test_where_a_relation_is_not_irreflexive(b: Lanes) -> None:
    found = lanes_in(sliced.reflexive_somewhere(rows_of(b.r)), b.width)
    assert found == [not is_irreflexive(r) for r in b.r]


@given(blocks())
@moderate
def test_where_a_relation_has_a_cycle(b: Lanes) -> None:
    found = lanes_in(sliced.cyclic(rows_of(b.r)), b.width)
    assert found == [not is_acyclic(r) for r in b.r]


@given(blocks(), st.integers(1, 4))
@moderate
def test_repeated_lanes(b: Lanes, times: int) -> None:
    found = sliced.repeated(rows_of(b.r), times)
    assert lanes_of(found, times * b.width) == list(b.r) * times


@given(blocks(), st.data())
@moderate
def test_kept_lanes(b: Lanes, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.booleans(), min_size=b.width, max_size=b.width))
    found = sliced.kept(rows_of(b.r), bitarray(chosen, "little"))
    kept = [r for r, keep in zip(b.r, chosen, strict=True) if keep]
    if kept:
        assert lanes_of(found, len(kept)) == kept


@given(blocks(), st.data())
@moderate
def test_a_stretch_of_lanes(b: Lanes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, b.width - 1))
    stop = data.draw(st.integers(start + 1, b.width))
    assert lanes_of(sliced.pieces(rows_of(b.r), start, stop), stop - start) == [*b.r[start:stop]]


@pytest.mark.parametrize(
    ("left", "right", "either", "both", "without"),
    [
        ("1100", "1010", "1110", "1000", "0100"),
        ("1100", "0011", "1111", None, "1100"),
        ("1100", None, "1100", None, "1100"),
        (None, "1100", "1100", None, None),
        (True, "1100", True, "1100", "0011"),
        ("1100", True, True, "1100", None),
        (True, None, True, None, True),
        (True, True, True, True, None),
        (None, None, None, None, None),
    ],
)
def test_masks(left: object, right: object, either: object, both: object, without: object) -> None:
    first, second = _mask(left), _mask(right)
    assert sliced.either(first, second) == _mask(either)
    assert sliced.both(first, second) == _mask(both)
    assert sliced.without(first, second) == _mask(without)


def _mask(text: object) -> Mask | None:
    if isinstance(text, str):
        return bitarray(text, "little")
    assert text is True or text is None
    return text
