"""A block of candidates that are being built, and the steps that build them.

A step settles one more thing in every way it can be: a block of `n` lanes becomes one of `n` times
as many lanes as there are ways, one copy of the lanes after the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from bitarray import bitarray

from catpy.relation.sliced import (
    Mask,
    Row,
    Rows,
    add_pair,
    bits,
    both,
    either,
    kept,
    pieces,
    repeated,
    segment,
    set_pair,
    without,
)

Ranks = dict[tuple[int, int], Row]


@dataclass
class Block:
    """Candidates that have taken the same number of steps.

    `rows` has what is known of each unknown, by index; `alive` the lanes that no check has rejected
    (None: all); `touched` the unknowns that changed since the checks were last made. `ranks` are
    the places of events in total orders that are being built: (unknown, event) → place → lanes.
    Where several lanes belong to one execution, `origins` names it for each lane.
    """

    width: int
    rows: list[Rows]
    step: int = 0
    alive: bitarray | None = None
    touched: int = 0
    ranks: Ranks = field(default_factory=dict)
    origins: list[int] | None = None

    def living(self) -> int:
        """The number of lanes that are left."""
        return self.width if self.alive is None else self.alive.count()

    @property
    def good(self) -> Mask | None:
        """The lanes that are left; None where there are none."""
        if self.alive is None:
            return True
        return self.alive if self.alive.any() else None

    def kill(self, lanes: Mask | None) -> None:
        """Rejects lanes."""
        if lanes is None:
            return
        alive = without(True if self.alive is None else self.alive, lanes)
        self.alive = bits(alive, self.width)

    def compressed(self, lanes: bitarray) -> Block:
        """The block of these lanes alone."""
        return replace(
            self,
            width=lanes.count(),
            rows=[kept(rows, lanes) for rows in self.rows],
            alive=None,
            ranks=kept(self.ranks, lanes),
            origins=None if self.origins is None else list(compress(self.origins, lanes)),
        )

    def part(self, start: int, stop: int) -> Block:
        """The block of the lanes from `start` to `stop` - 1."""
        return replace(
            self,
            width=stop - start,
            rows=[pieces(rows, start, stop) for rows in self.rows],
            alive=None if self.alive is None else self.alive[start:stop],
            ranks=pieces(self.ranks, start, stop),
            origins=None if self.origins is None else self.origins[start:stop],
        )


@dataclass(frozen=True)
class Step(ABC):
    """Settles something of an unknown, in `ways` ways."""

    unknown: int

    @property
    @abstractmethod
    def ways(self) -> int:
        """In how many ways it can be taken."""

    @property
    def unknowns(self) -> tuple[int, ...]:
        """The unknowns that it settles something of."""
        return (self.unknown,)

    @abstractmethod
    def settle(self, block: Block, width: int) -> None:
        """Writes the ways into a block of `ways` copies of `width` lanes; its rows are its own."""

    def applied(self, block: Block) -> Block:
        """The block after this step."""
        ways, touched = self.ways, block.touched
        for unknown in self.unknowns:
            touched |= 1 << unknown
        rows = [
            repeated(rows, ways) if ways > 1 or index in self.unknowns else rows
            for index, rows in enumerate(block.rows)
        ]
        made = Block(
            block.width * ways,
            rows,
            block.step + 1,
            None if block.alive is None else block.alive * ways,
            touched,
            repeated(block.ranks, ways),
            None if block.origins is None else block.origins * ways,
        )
        self.settle(made, block.width)
        return made


def _way(index: int, width: int, block: Block) -> Mask:
    return segment(index * width, (index + 1) * width, block.width)


@dataclass(frozen=True)
class SourceStep(Step):
    """A read takes its value from one of some writes."""

    read: int
    writes: Sequence[int]

    @property
    def ways(self) -> int:
        return len(self.writes)

    def settle(self, block: Block, width: int) -> None:
        rows = block.rows[self.unknown]
        for index, write in enumerate(self.writes):
            set_pair(rows, write, self.read, _way(index, width, block))


@dataclass(frozen=True)
class InsertStep(Step):
    """An event takes one of the places among those of a total order that are there already."""

    event: int
    present: Sequence[int]
    is_last: bool

    @property
    def ways(self) -> int:
        return len(self.present) + 1

    def settle(self, block: Block, width: int) -> None:
        rows = block.rows[self.unknown]
        for other in self.present:
            before = self._moved(other, block, width)
            set_pair(rows, other, self.event, before)
            set_pair(rows, self.event, other, without(True, before))
        own = {place: _way(place, width, block) for place in range(self.ways)}
        block.ranks[(self.unknown, self.event)] = own
        if self.is_last:
            for event in (*self.present, self.event):
                del block.ranks[(self.unknown, event)]

    def _moved(self, other: int, block: Block, width: int) -> Mask | None:
        """Gives an event its new place; returns the lanes in which it precedes the new event."""
        before: Mask | None = None
        places: dict[int, Mask] = {}
        for rank, mask in block.ranks[(self.unknown, other)].items():
            later_ways = segment((rank + 1) * width, block.width, block.width)
            stays, moves = both(mask, later_ways), without(mask, later_ways)
            before = either(before, stays)
            for place, lanes in ((rank, stays), (rank + 1, moves)):
                found = either(places.get(place), lanes)
                if found is not None:
                    places[place] = found
        block.ranks[(self.unknown, other)] = places
        return before


@dataclass(frozen=True)
class PairStep(Step):
    """Two events are related one way or the other, or (in a partial order) not at all."""

    first: int
    second: int
    may_be_unrelated: bool

    @property
    def ways(self) -> int:
        return 3 if self.may_be_unrelated else 2

    def settle(self, block: Block, width: int) -> None:
        rows = block.rows[self.unknown]
        set_pair(rows, self.first, self.second, _way(0, width, block))
        set_pair(rows, self.second, self.first, _way(1, width, block))


@dataclass(frozen=True)
class AlternativeStep(Step):
    """Several relations are, all together, those of one of some witnesses."""

    alternatives: Sequence[dict[int, Rows]]

    @property
    def ways(self) -> int:
        return len(self.alternatives)

    @property
    def unknowns(self) -> tuple[int, ...]:
        return tuple(self.alternatives[0]) if self.alternatives else (self.unknown,)

    def settle(self, block: Block, width: int) -> None:
        for index, alternative in enumerate(self.alternatives):
            way = _way(index, width, block)
            for unknown, rows in alternative.items():
                for source, row in rows.items():
                    for target in row:
                        add_pair(block.rows[unknown], source, target, way)
