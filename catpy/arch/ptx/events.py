"""Adds the events of instructions to the state of a thread, with their dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catpy.arch.program import Event, Extent
from catpy.arch.ptx.arithmetic import wrapped
from catpy.arch.ptx.instruction import Instruction
from catpy.arch.ptx.memory import Memory
from catpy.arch.ptx.state import NO_READS, Access, Reads, State, Tainted
from catpy.arch.ptx.tags import ORDERS
from catpy.arch.terms import Expression, ReadValue, concat, extract, placed


@dataclass(frozen=True, slots=True)
class _Where:
    """What of memory an event accesses, or names: location, address, bits of the access, bytes."""

    location: str | None = None
    address: str | None = None
    bits: int | None = None
    extent: Extent | None = None


class Recorder:
    """Records events of one thread.

    Events in `ASYNC_OP` are in no program order. An access is one event for each location that it
    reaches: one, unless accesses of other sizes divide its bytes.
    """

    def __init__(self, thread: int, memory: Memory) -> None:
        self._thread = thread
        self._memory = memory

    def plain(
        self,
        state: State,
        instruction: Instruction,
        sets: Iterable[str],
        value: Tainted | None = None,
        named: tuple[Extent | None, Reads] = (None, NO_READS),
    ) -> int:
        """An event that accesses no memory; returns its index.

        The bytes that it may name come with the reads that chose them.
        """
        extent, chosen_by = named
        return self._event(state, instruction, sets, chosen_by, value, _Where(extent=extent))

    def read(
        self,
        state: State,
        instruction: Instruction,
        sets: Iterable[str],
        access: Access,
        bits: int | None = None,
    ) -> tuple[list[int], Tainted]:
        """The R of an access: its indices, and the value it returns."""
        indices = [
            self._event(state, instruction, sets, access.reads, None, where)
            for where in _parts(access, bits)
        ]
        pieces: list[tuple[Expression, int]] = []
        for index, segment in zip(indices, access.reach.segments, strict=True):
            known = self._memory.known(access.reach.extent.variable, segment)
            value = ReadValue(self._thread, index) if known is None else known
            pieces.append((value, segment.bits))
        self._join(state, indices)
        return indices, Tainted(concat(pieces), frozenset(indices))

    def write(
        self,
        state: State,
        instruction: Instruction,
        sets: Iterable[str],
        access: Access,
        value: Tainted,
        bits: int | None = None,
    ) -> list[int]:
        """The W of an access: its indices. A variable holds values as its declared type says."""
        segments, indices, shift = access.reach.segments, [], 0
        for segment, where in zip(segments, _parts(access, bits), strict=True):
            piece = value
            if len(segments) > 1:
                piece = Tainted(extract(value.value, shift, segment.bits), value.reads)
            kind = self._memory.type_of(access.reach.extent.variable, segment)
            piece = Tainted(wrapped(kind, piece.value), piece.reads)
            indices.append(self._event(state, instruction, sets, access.reads, piece, where))
            shift += segment.bits
        self._join(state, indices)
        return indices

    def reorder(self, state: State, indices: Iterable[int], order: str) -> None:
        """Gives events another order than they were made with."""
        for index in indices:
            event = state.events[index]
            state.events[index] = replace(event, sets=event.sets - ORDERS | {order})

    def _join(self, state: State, indices: Sequence[int]) -> None:
        """The parts of one scalar access belong together."""
        state.relate("sca", indices, indices)

    def _event(
        self,
        state: State,
        instruction: Instruction,
        sets: Iterable[str],
        chosen_by: Reads,
        value: Tainted | None,
        where: _Where,
    ) -> int:
        """Adds an event to the state, and the reads that chose it or its value; gives its index."""
        index = len(state.events)
        names = frozenset(name for name in sets if name)
        state.events.append(
            Event(
                self._thread,
                index,
                names,
                where.location,
                where.address,
                placed(value.value, instruction.span) if value else None,
                where.bits,
                instruction.span,
                where.extent,
                None if "ASYNC_OP" in names else state.step,
            )
        )
        dependencies = {
            "addr": chosen_by,
            "data": value.reads if value else NO_READS,
            "ctrl": state.control | state.guard,
        }
        for name, reads in dependencies.items():
            state.relate(name, reads, [index])
        return index


def _parts(access: Access, bits: int | None) -> list[_Where]:
    """Where the events of an access are: one for each location that it reaches."""
    reach = access.reach
    located = zip(reach.segments, reach.addresses, strict=True)
    return [_Where(segment.name, address, bits, reach.extent) for segment, address in located]
