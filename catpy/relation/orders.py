"""Enumerations of orders, on successor rows: `rows[x]` is the bit mask of x's successors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def reachability(rows: Sequence[int]) -> list[int]:
    """The rows of the transitive closure (Warshall, a row at a time)."""
    closed = list(rows)
    for middle, bit in enumerate(1 << i for i in range(len(closed))):
        through = closed[middle]
        if through:
            for x, row in enumerate(closed):
                if row & bit:
                    closed[x] = row | through
    return closed


def linearisations(members: int, rows: Sequence[int]) -> Iterator[list[int]]:
    """All strict total orders on the events of the mask `members` that hold `rows`+, closed.

    Yields fresh rows. Nothing is yielded where `rows`+ has a cycle on `members`.
    """
    closed = reachability(rows)
    elements = [x for x in range(len(rows)) if members >> x & 1]
    # A cycle through an event outside `members` counts too: its closure is reflexive inside.
    if any(closed[x] >> x & 1 for x in elements):
        return
    order = [0] * len(rows)

    def extend(rest: int) -> Iterator[list[int]]:
        if not rest:
            yield list(order)
            return
        for x in elements:
            later = rest & ~(1 << x)
            # x may come first among the rest iff no other of the rest must precede it.
            if rest >> x & 1 and not any(later >> y & 1 and closed[y] >> x & 1 for y in elements):
                order[x] = later
                yield from extend(later)
                order[x] = 0

    yield from extend(members)


def orientations(pairs: Sequence[tuple[int, int]], rows: Sequence[int]) -> Iterator[list[int]]:
    """All acyclic relations with exactly one direction of each unordered pair, holding `rows`.

    `pairs` are distinct unordered pairs x ≠ y; of `rows` only what orients one of them counts.
    Yields fresh rows.
    """
    chosen = [0] * len(rows)
    free: list[tuple[int, int]] = []
    for x, y in pairs:
        forward, backward = rows[x] >> y & 1, rows[y] >> x & 1
        if forward and backward:
            return
        if forward:
            chosen[x] |= 1 << y
        elif backward:
            chosen[y] |= 1 << x
        else:
            free.append((x, y))
    closed = reachability(chosen)
    if any(closed[x] >> x & 1 for x in range(len(rows))):
        return
    yield from _orient(free, 0, chosen, closed)


def _orient(
    free: Sequence[tuple[int, int]], index: int, chosen: list[int], closed: list[int]
) -> Iterator[list[int]]:
    if index == len(free):
        yield list(chosen)
        return
    x, y = free[index]
    for source, target in ((x, y), (y, x)):
        if closed[target] >> source & 1:
            continue
        chosen[source] |= 1 << target
        gained = closed[target] | 1 << target
        reach = [
            row | gained if event == source or row >> source & 1 else row
            for event, row in enumerate(closed)
        ]
        yield from _orient(free, index + 1, chosen, reach)
        chosen[source] &= ~(1 << target)


def partial_orders(pairs: Sequence[tuple[int, int]], rows: Sequence[int]) -> Iterator[list[int]]:
    """All strict partial orders within the unordered pairs, holding what `rows` says of them.

    Yields fresh rows, transitively closed.
    """
    fixed = [0] * len(rows)
    allowed = [0] * len(rows)
    for x, y in pairs:
        allowed[x] |= 1 << y
        allowed[y] |= 1 << x
        if rows[x] >> y & 1:
            fixed[x] |= 1 << y
        if rows[y] >> x & 1:
            fixed[y] |= 1 << x
    start = reachability(fixed)
    free = [(x, y) for x, y in pairs if not start[x] >> y & 1 and not start[y] >> x & 1]

    def choose(index: int, chosen: list[int]) -> Iterator[list[int]]:
        if index == len(free):
            closed = reachability(chosen)
            # What was left unrelated must stay so: each order is met once.
            if closed == chosen and not any(row >> x & 1 for x, row in enumerate(closed)):
                yield closed
            return
        x, y = free[index]
        yield from choose(index + 1, chosen)
        for source, target in ((x, y), (y, x)):
            more = list(chosen)
            more[source] |= 1 << target
            yield from choose(index + 1, more)

    if all(row & ~allowed[x] == 0 for x, row in enumerate(start)):
        yield from choose(0, start)
