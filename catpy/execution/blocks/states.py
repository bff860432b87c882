"""The final states of the lanes of a block, without a loop over lanes where states are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast

from bitarray import bitarray

from catpy.arch.terms import Value
from catpy.execution.blocks.values import BlockValues, Spread
from catpy.execution.finals import Observer
from catpy.execution.outcome import Values
from catpy.execution.skeleton import Skeleton
from catpy.litmus.syntax import Register
from catpy.relation.sliced import Mask, Rows, bits, both, count, either, selected, without

#: With more states than this in a block, its lanes are read one by one.
_FEW = 256


def final_writes(skeleton: Skeleton, place: str, coherence: Rows | None) -> dict[int, Mask]:
    """The writes of a location that can be its last, each with its lanes."""
    writes = skeleton.last_writes(place)
    finals: dict[int, Mask] = {}
    for write in writes:
        lanes: Mask | None = True
        row = {} if coherence is None else coherence.get(write, {})
        for other in writes:
            lanes = without(lanes, row.get(other))
        if lanes is not None:
            finals[write] = lanes
    return finals


class StateReader:
    """Reads states off blocks of one control flow: a column of values for each slot.

    A slot is a register, or a physical location; locations that are aliases share one.
    """

    def __init__(self, skeleton: Skeleton, observer: Observer) -> None:
        self._skeleton = skeleton
        self._observer = observer
        self._slots = observer.slots
        self._registers = skeleton.registers

    @property
    def places(self) -> list[str]:
        """The physical locations that are looked at."""
        return [slot for slot in self._slots if isinstance(slot, str)]

    def masks(self, values: BlockValues, coherence: Rows | None, good: Mask) -> dict[Values, Mask]:
        """The lanes among `good` of each final state.

        A lane can be in several, where coherence leaves open which write is the last.
        """
        found = self._split(self._columns(values, coherence), good)
        assert found is not None
        return found

    def counted(
        self, values: BlockValues, coherence: Rows | None, good: Mask, width: int
    ) -> Counter[Values]:
        """The final states of the lanes among `good`, and how many lanes have each."""
        columns = self._columns(values, coherence)
        masks = self._split(
            columns, good, _FEW if all(_is_plain(c, good) for c in columns) else None
        )
        if masks is not None:
            return Counter({state: count(mask, width) for state, mask in masks.items()})
        return self._read_lanes(columns, bits(good, width))

    def _columns(self, values: BlockValues, coherence: Rows | None) -> list[Spread]:
        return [
            values.evaluate(self._registers[slot.thread].get(slot.name, 0))
            if isinstance(slot, Register)
            else self._memory(slot, values, coherence)
            for slot in self._slots
        ]

    def _memory(self, place: str, values: BlockValues, coherence: Rows | None) -> Spread:
        """What a location ends with: the value of any write that can be the last."""
        column: Spread = {}
        for write, lanes in final_writes(self._skeleton, place, coherence).items():
            for value, mask in values.written(write).items():
                found = either(column.get(value), both(lanes, mask))
                if found is not None:
                    column[value] = found
        return column

    def _split(
        self, columns: Sequence[Spread], good: Mask, most: int | None = None
    ) -> dict[Values, Mask] | None:
        """The lanes of each state; None where there are more than `most`."""
        states: list[tuple[Values, Mask]] = [((), good)]
        for column in columns:
            states = [
                ((*state, value), lanes)
                for state, mask in states
                for value, other in column.items()
                if (lanes := both(mask, other)) is not None
            ]
            if most is not None and len(states) > most:
                return None
        found: dict[Values, Mask] = {}
        for state, mask in states:
            if (shown := self._shown(state)) is not None:
                joined = either(found.get(shown), mask)
                assert joined is not None
                found[shown] = joined
        return found

    def _read_lanes(self, columns: Sequence[Spread], good: bitarray) -> Counter[Values]:
        planes = [_plane(column, good) for column in columns]
        if self._observer.is_divided:
            return self._read_slots(columns, Counter(zip(*planes, strict=True)))
        order = [slots[0] for slots in self._observer.slots_of]
        counts = Counter(zip(*(planes[column] for column in order), strict=True))
        if all(map(_are_bytes, columns)):
            return self._observer.shown_counts(cast("Counter[Values]", counts))
        values = [_numbered(columns[column]) for column in order]
        decoded: Counter[Values] = Counter()
        for numbers, lanes in counts.items():
            state = (column[i] for column, i in zip(values, numbers, strict=True))
            decoded[tuple(state)] = lanes
        return self._observer.shown_counts(decoded)

    def _read_slots(
        self, columns: Sequence[Spread], counts: Counter[tuple[int, ...]]
    ) -> Counter[Values]:
        """The states, given how often there are which values in the columns, by number."""
        values = [_numbered(column) for column in columns]
        found: Counter[Values] = Counter()
        for numbers, lanes in counts.items():
            state = tuple(column[i] for column, i in zip(values, numbers, strict=True))
            found[self._observer.looked_at_of(state)] += lanes
        return self._observer.shown_counts(found)

    def _shown(self, state: Values) -> Values | None:
        """What is shown of the values of the columns; None where the test's filter is false."""
        return self._observer.shown_of(self._observer.looked_at_of(state))


def _is_plain(column: Spread, good: Mask) -> bool:
    """Whether each lane has one value of a column, and its values can be numbered by a byte."""
    taken: Mask | None = None
    for mask in column.values():
        if both(taken, mask) is not None:
            return False
        taken = either(taken, mask)
    return without(good, taken) is None and len(column) <= 256


def _are_bytes(column: Spread) -> bool:
    """Whether the values of a column are numbers that a byte holds."""
    return all(isinstance(value, int) and 0 <= value < 256 for value in column)


def _numbered(column: Spread) -> Sequence[Value]:
    """The value that each number in the plane of a column means."""
    return range(256) if _are_bytes(column) else list(column)


def _plane(column: Spread, lanes: bitarray) -> Iterable[int]:
    """For each lane that is kept its value, where a byte holds it, or else the value's index."""
    width, direct = lanes.count(), _are_bytes(column)
    total = 0
    for index, (value, mask) in enumerate(column.items()):
        number = value if direct and isinstance(value, int) else index
        kept = selected(mask, lanes)
        if kept is True:
            return bytes([number]) * width
        if number and isinstance(kept, bitarray):
            total |= int.from_bytes(kept.unpack(b"\0", bytes([number])), "little")
    return total.to_bytes(width, "little")
