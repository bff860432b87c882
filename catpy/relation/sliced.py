"""Operations on the relations of a block of candidates: a pair maps to the candidates that have it.

The candidates of a block are the lanes 0 to width - 1. A `Mask` says in which of them something is
so: a `bitarray` with a bit for each lane, or True for all of them. What is so in none has no mask.
One call of `bitarray` then does an operation for thousands of candidates, and pairs that all of
them share cost nothing.

`Rows` are the pairs by source, then by target. Rows and masks are shared between relations and
never changed once they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Literal, TypeVar

from bitarray import bitarray
from bitarray.util import ones, zeros

Mask = bitarray | Literal[True]
Row = dict[int, Mask]
Rows = dict[int, Row]

_Key = TypeVar("_Key", bound=Hashable)


# Masks


def either(left: Mask | None, right: Mask | None) -> Mask | None:
    """The lanes of one or the other."""
    if left is None or right is True:
        return right
    if right is None or left is True:
        return left
    return left | right


def both(left: Mask | None, right: Mask | None) -> Mask | None:
    """The lanes of both; None where there are none."""
    if left is None or right is None:
        return None
    if left is True:
        return right
    if right is True:
        return left
    found = left & right
    return found if found.any() else None


def without(left: Mask | None, right: Mask | None) -> Mask | None:
    """The lanes of the first that are not in the second; None where there are none."""
    if left is None or right is True:
        return None
    if right is None:
        return left
    found = ~right if left is True else left & ~right
    return found if found.any() else None


def bits(mask: Mask | None, width: int) -> bitarray:
    """A mask as a bitarray of its own."""
    if mask is None:
        return zeros(width, "little")
    return ones(width, "little") if mask is True else mask.copy()


def count(mask: Mask | None, width: int) -> int:
    """The number of lanes of a mask."""
    if mask is None:
        return 0
    return width if mask is True else mask.count()


def segment(start: int, stop: int, width: int) -> Mask:
    """The lanes from `start` to `stop` - 1."""
    if start == 0 and stop == width:
        return True
    mask = zeros(width, "little")
    mask[start:stop] = True
    return mask


def selected(mask: Mask, lanes: bitarray) -> Mask | None:
    """A mask over the lanes that are kept; None where none of them is in it."""
    if mask is True:
        return True
    kept = mask[lanes]
    return kept if kept.any() else None


# Making relations


def rows_of(pairs: Iterable[tuple[int, int]]) -> Rows:
    """The relation that has these pairs in all lanes."""
    rows: Rows = {}
    for source, target in pairs:
        rows.setdefault(source, {})[target] = True
    return rows


def rows_by_source(successors: Iterable[tuple[int, Iterable[int]]]) -> Rows:
    """The relation that relates each source to these targets in all lanes."""
    rows: Rows = {}
    for source, targets in successors:
        rows[source] = dict.fromkeys(targets, True)
    return rows


def set_pair(rows: Rows, source: int, target: int, mask: Mask | None) -> None:
    """Adds a pair to rows in the making."""
    if mask is not None:
        rows.setdefault(source, {})[target] = mask


def add_pair(rows: Rows, source: int, target: int, mask: Mask | None) -> None:
    """Adds lanes to a pair of rows in the making."""
    if mask is not None:
        row = rows.setdefault(source, {})
        found = either(row.get(target), mask)
        assert found is not None
        row[target] = found


# Other lanes: for rows, and for masks that are kept by any other key.


def repeated(rows: Mapping[_Key, Row], times: int) -> dict[_Key, Row]:
    """The masks over a block that has the lanes of this one several times over."""
    return _masks(rows, lambda mask: mask if mask is True or times == 1 else mask * times)


def kept(rows: Mapping[_Key, Row], lanes: bitarray) -> dict[_Key, Row]:
    """The masks over the lanes that are kept."""
    return _masks(rows, lambda mask: selected(mask, lanes))


def pieces(rows: Mapping[_Key, Row], start: int, stop: int) -> dict[_Key, Row]:
    """The masks over the lanes from `start` to `stop` - 1."""

    def piece(mask: Mask) -> Mask | None:
        part = mask if mask is True else mask[start:stop]
        return part if part is True or part.any() else None

    return _masks(rows, piece)


def _masks(rows: Mapping[_Key, Row], change: Callable[[Mask], Mask | None]) -> dict[_Key, Row]:
    """Rows of their own with other masks; what is in no lane is left out."""
    result: dict[_Key, Row] = {}
    for key, row in rows.items():
        changed = {at: found for at, mask in row.items() if (found := change(mask)) is not None}
        if changed:
            result[key] = changed
    return result


# Boolean operations


def union(left: Rows, right: Rows) -> Rows:
    """The pairs of one or the other, lane by lane."""
    if not left or not right:
        return left or right
    result = dict(left)
    for source, row in right.items():
        present = result.get(source)
        if present is None:
            result[source] = row
            continue
        joined = dict(present)
        for target, mask in row.items():
            old = joined.get(target)
            if old is None or mask is True:
                joined[target] = mask
            elif old is not True:
                joined[target] = old | mask
        result[source] = joined
    return result


def intersection(left: Rows, right: Rows) -> Rows:
    """The pairs of both, lane by lane."""
    result: Rows = {}
    for source, row in left.items():
        other = right.get(source)
        if other:
            few, many = (row, other) if len(row) <= len(other) else (other, row)
            joined = {}
            for target, mask in few.items():
                found = both(mask, many.get(target))
                if found is not None:
                    joined[target] = found
            if joined:
                result[source] = joined
    return result


def difference(left: Rows, right: Rows) -> Rows:
    """The pairs of the first that are not in the second, lane by lane."""
    result: Rows = {}
    for source, row in left.items():
        other = right.get(source)
        if other is None:
            result[source] = row
            continue
        rest = {}
        for target, mask in row.items():
            found = without(mask, other.get(target))
            if found is not None:
                rest[target] = found
        if rest:
            result[source] = rest
    return result


def complement(rows: Rows, size: int) -> Rows:
    """All pairs of `size` events that are not in here."""
    everything: Row = dict.fromkeys(range(size), True)
    return difference(dict.fromkeys(range(size), everything), rows)


# Relational operations


def inverse(rows: Rows) -> Rows:
    """`r^-1`."""
    result: Rows = {}
    for source, row in rows.items():
        for target, mask in row.items():
            result.setdefault(target, {})[source] = mask
    return result


def compose(left: Rows, right: Rows) -> Rows:
    """`r;s`."""
    result: Rows = {}
    for source, row in left.items():
        found: Row = {}
        for middle in row if len(row) <= len(right) else right:
            first, following = row.get(middle), right.get(middle)
            if first is None or following is None:
                continue
            if first is True and not found:
                found = following.copy()
                continue
            for target, second in following.items():
                old = found.get(target)
                if old is True:
                    continue
                path = second if first is True else first if second is True else first & second
                if old is None:
                    if path is True or path.any():
                        found[target] = path
                else:
                    found[target] = True if path is True else old | path
        if found:
            result[source] = found
    return result


def closure(rows: Rows) -> Rows:
    """The transitive closure (Warshall, over the pairs that are there)."""
    result = {source: dict(row) for source, row in rows.items()}
    before = _sources(result)
    for middle in list(result):
        if middle in before:
            _join_through(middle, list(result[middle].items()), result, before)
    return result


def _sources(rows: Rows) -> dict[int, set[int]]:
    """For each target the events that have it in their row."""
    found: dict[int, set[int]] = {}
    for source, row in rows.items():
        for target in row:
            found.setdefault(target, set()).add(source)
    return found


def _join_through(
    middle: int, following: list[tuple[int, Mask]], rows: Rows, before: dict[int, set[int]]
) -> None:
    """Adds to `rows` what leads through an event; `before` are the sources of each target."""
    for source in list(before[middle]):
        row = rows[source]
        first = row[middle]
        for target, second in following:
            old = row.get(target)
            if old is True:
                continue
            path = second if first is True else first if second is True else first & second
            if old is None:
                if path is True or path.any():
                    row[target] = path
                    before.setdefault(target, set()).add(source)
            else:
                row[target] = True if path is True else old | path


def reflexive(rows: Rows, size: int) -> Rows:
    """`r?`, with the identity on `size` events."""
    result = dict(rows)
    for event in range(size):
        result[event] = {**rows.get(event, {}), event: True}
    return result


# Event sets are identities: the diagonal of what follows.


def domain(rows: Rows) -> Rows:
    """The identity on the events that have a successor."""
    result: Rows = {}
    for source, row in rows.items():
        lanes: Mask | None = None
        for mask in row.values():
            lanes = either(lanes, mask)
        set_pair(result, source, source, lanes)
    return result


def product(sources: Rows, targets: Rows) -> Rows:
    """The events of one set × those of another."""
    result: Rows = {}
    for source, row in sources.items():
        for target, other in targets.items():
            set_pair(result, source, target, both(row[source], other[target]))
    return result


# Tests: in which lanes something is so.


def somewhere(rows: Rows) -> Mask | None:
    """The lanes that have any pair."""
    lanes: Mask | None = None
    for row in rows.values():
        for mask in row.values():
            if mask is True:
                return True
            lanes = mask if lanes is None else lanes | mask  # type: ignore[operator]
    return lanes


def reflexive_somewhere(rows: Rows) -> Mask | None:
    """The lanes that relate an event to itself."""
    lanes: Mask | None = None
    for event, row in rows.items():
        lanes = either(lanes, row.get(event))
    return lanes


def cyclic(rows: Rows) -> Mask | None:
    """The lanes that have a cycle: takes out one event after the other, those that add least first.

    What led through an event is joined up; an event that then leads to itself was on a cycle.
    """
    rest = {source: dict(row) for source, row in rows.items()}
    before = _sources(rest)
    todo = set(rest) & set(before)
    lanes: Mask | None = None
    while todo:
        event = min(todo, key=lambda x: len(rest.get(x, ())) * len(before.get(x, ())))
        todo.discard(event)
        following = rest.pop(event, {})
        loop = following.pop(event, None)
        sources = before.pop(event, set())
        sources.discard(event)
        if loop is True:
            return True
        lanes = either(lanes, loop)
        for target in following:
            before[target].discard(event)
        if following and sources:
            before[event] = sources
            _join_through(event, list(following.items()), rest, before)
            del before[event]
        for source in sources:
            del rest[source][event]
    return lanes
