"""Relations as plain sets of pairs, what the exact algebra is compared with, and strategies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st

from catpy.relation import ExactAlgebra, ExactEventSet, ExactRelation

Pair = tuple[int, int]
Pairs = frozenset[Pair]
Events = frozenset[int]

#: What property tests of this folder run with.
moderate = settings(deadline=None, max_examples=80)
few = settings(deadline=None, max_examples=40)


# The operations, as a textbook defines them


def everything(size: int) -> Pairs:
    return frozenset((x, y) for x in range(size) for y in range(size))


def diagonal(events: Iterable[int]) -> Pairs:
    return frozenset((x, x) for x in events)


def product(left: Events, right: Events) -> Pairs:
    return frozenset((x, y) for x in left for y in right)


def compose(left: Pairs, right: Pairs) -> Pairs:
    onwards: dict[int, list[int]] = {}
    for y, z in right:
        onwards.setdefault(y, []).append(z)
    return frozenset((x, z) for x, y in left for z in onwards.get(y, ()))


def inverse(pairs: Pairs) -> Pairs:
    return frozenset((y, x) for x, y in pairs)


def closure(pairs: Pairs) -> Pairs:
    """The transitive closure: what a walk along the pairs reaches from each event."""
    onwards: dict[int, list[int]] = {}
    for x, y in pairs:
        onwards.setdefault(x, []).append(y)
    closed: set[Pair] = set()
    for start, following in onwards.items():
        reached: set[int] = set()
        waiting = list(following)
        while waiting:
            event = waiting.pop()
            if event not in reached:
                reached.add(event)
                waiting.extend(onwards.get(event, ()))
        closed.update((start, event) for event in reached)
    return frozenset(closed)


def is_irreflexive(pairs: Pairs) -> bool:
    return all(x != y for x, y in pairs)


def is_acyclic(pairs: Pairs) -> bool:
    return is_irreflexive(closure(pairs))


def shortest_cycle(pairs: Pairs, size: int) -> int | None:
    """The least k for which some event reaches itself in k steps."""
    steps = pairs
    for length in range(1, size + 1):
        if not is_irreflexive(steps):
            return length
        steps = compose(steps, pairs)
    return None


# Strategies


@dataclass(frozen=True)
class Universe:
    """An algebra with two relations and two event sets of it, as plain sets."""

    size: int
    r: Pairs
    s: Pairs
    a: Events
    b: Events

    @property
    def algebra(self) -> ExactAlgebra:
        return ExactAlgebra(self.size)


def pairs_of(size: int) -> st.SearchStrategy[Pairs]:
    """Relations over `size` events: thin ones, where paths matter, and any."""
    if not size:
        return st.just(frozenset())
    event = st.integers(0, size - 1)
    thin = st.frozensets(st.tuples(event, event), max_size=size + 4)
    row = st.integers(0, (1 << size) - 1)
    rows = st.lists(row, min_size=size, max_size=size)
    return thin | thin | rows.map(_pairs_of_rows)


def _pairs_of_rows(rows: list[int]) -> Pairs:
    return frozenset((x, y) for x, row in enumerate(rows) for y in range(len(rows)) if row >> y & 1)


def events_of(size: int) -> st.SearchStrategy[Events]:
    mask = st.integers(0, (1 << size) - 1)
    return mask.map(lambda bits: frozenset(x for x in range(size) if bits >> x & 1))


#: Every row stride: 8, 16, 32, 64 and 128 bits, with rows that fill it and rows that do not.
sizes = st.integers(0, 20) | st.sampled_from(
    [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70]
)


def universes(size: st.SearchStrategy[int] = sizes) -> st.SearchStrategy[Universe]:
    def of_size(size: int) -> st.SearchStrategy[Universe]:
        pairs, events = pairs_of(size), events_of(size)
        return st.builds(Universe, st.just(size), pairs, pairs, events, events)

    return size.flatmap(of_size)


# Comparison


def assert_relation(algebra: ExactAlgebra, relation: object, pairs: Pairs) -> None:
    """That a relation is exactly these pairs, in every way it can be looked at."""
    assert isinstance(relation, ExactRelation)
    assert list(relation) == sorted(pairs)
    assert len(relation) == len(pairs)
    assert relation.any() == bool(pairs)
    again = algebra.relation(pairs)
    assert relation == again
    # One key for one relation: a padding bit that leaked would show here.
    assert relation.key() == again.key()
    assert hash(relation) == hash(again)


def assert_events(algebra: ExactAlgebra, events: object, expected: Events) -> None:
    """That an event set is exactly these events, in every way it can be looked at."""
    assert isinstance(events, ExactEventSet)
    assert list(events) == sorted(expected)
    assert len(events) == len(expected)
    assert events.any() == bool(expected)
    again = algebra.event_set(expected)
    assert events == again
    assert events.key() == again.key()
    assert hash(events) == hash(again)
    assert events.mask() == sum(1 << event for event in expected)
