"""Adds the events of instructions to the state of a thread, with their dependencies.

Events in `ASYNC_OP` are in no program order. An access is one event for each location that it
reaches: one, unless accesses of other sizes divide its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from catpy.arch.program import Event, Extent
from catpy.arch.ptx.arithmetic import wrapped
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.instruction import Instruction
from catpy.arch.ptx.state import NO_READS, Access, Reads, State, Tainted
from catpy.arch.ptx.tags import ORDERS
from catpy.arch.terms import Expression, ReadValue, concat, extract, placed


@dataclass(frozen=True, slots=True)
class Manner:
    """How memory is accessed: the order tags of reads and of writes, scope, proxy, further sets."""

    read: str
    write: str
    scope: str | None
    proxy: str
    sets: tuple[str, ...]

    def of(self, kind: str, access: Access) -> list[str]:
        """The sets of an R or a W. Weak ones have no scope, also where the other has one."""
        order = self.read if kind == "R" else self.write
        scope = "" if order == "WEAK" else self.scope or ""
        return [kind, order, scope, self.proxy, access.space, *self.sets]


def manner_of(instruction: Instruction, *sets: str, proxy: str = "") -> Manner:
    """How an instruction accesses memory by its qualifiers, with further sets."""
    mode = instruction.mode
    proxy = proxy or instruction.proxy
    return Manner(mode.read, mode.write, instruction.scope, proxy, (*mode.tags, *sets))


@dataclass(frozen=True, slots=True)
class _Where:
    """What of memory an event accesses, or names: location, address, bits of the access, bytes."""

    location: str | None = None
    address: str | None = None
    bits: int | None = None
    extent: Extent | None = None


def plain(
    context: Context,
    sets: Iterable[str],
    value: Tainted | None = None,
    named: tuple[Extent | None, Reads] = (None, NO_READS),
) -> int:
    """An event that accesses no memory; returns its index.

    The bytes that it may name come with the reads that chose them.
    """
    extent, chosen_by = named
    return _event(context, sets, chosen_by, value, _Where(extent=extent))


def read(
    context: Context, access: Access, manner: Manner, bits: int | None = None
) -> tuple[list[int], Tainted]:
    """The R of an access: its indices, and the value it returns."""
    sets, thread = manner.of("R", access), context.thread
    indices = [_event(context, sets, access.reads, None, where) for where in _parts(access, bits)]
    pieces: list[tuple[Expression, int]] = []
    for index, segment in zip(indices, access.reach.segments, strict=True):
        known = thread.view.memory.known(access.reach.extent.variable, segment)
        value = ReadValue(thread.number, index) if known is None else known
        pieces.append((value, segment.bits))
    _join(context, indices)
    return indices, Tainted(concat(pieces), frozenset(indices))


def write(
    context: Context, access: Access, manner: Manner, value: Tainted, bits: int | None = None
) -> list[int]:
    """The W of an access: its indices. A variable holds values as its declared type says."""
    sets, memory = manner.of("W", access), context.view.memory
    segments, indices, shift = access.reach.segments, [], 0
    for segment, where in zip(segments, _parts(access, bits), strict=True):
        piece = value
        if len(segments) > 1:
            piece = Tainted(extract(value.value, shift, segment.bits), value.reads)
        kind = memory.type_of(access.reach.extent.variable, segment)
        piece = Tainted(wrapped(kind, piece.value), piece.reads)
        indices.append(_event(context, sets, access.reads, piece, where))
        shift += segment.bits
    _join(context, indices)
    return indices


#: What a read-modify-write writes for the old value, by context; None where it writes nothing.
Update = Callable[[Context, Tainted], Iterable[tuple[Context, Tainted | None]]]


def modify(
    context: Context, access: Access, manner: Manner, update: Update, bits: int | None = None
) -> Iterator[tuple[Context, Tainted]]:
    """A read-modify-write: R then W, joined by `rmw`. Gives each context with the old value.

    The W is one step behind the R; what comes next has to be behind it.
    """
    reads, old = read(context, access, manner, bits)
    for after, new in update(context, old):
        if new is not None:
            after.state.step += 1
            writes = write(after, access, manner, new, bits)
            after.state.step -= 1
            after.state.relate("rmw", reads, writes)
        yield after, old


def reorder(state: State, indices: Iterable[int], order: str) -> None:
    """Gives events another order than they were made with."""
    for index in indices:
        event = state.events[index]
        state.events[index] = replace(event, sets=event.sets - ORDERS | {order})


def _join(context: Context, indices: Sequence[int]) -> None:
    """The parts of one scalar access belong together."""
    context.state.relate("sca", indices, indices)


def _event(
    context: Context,
    sets: Iterable[str],
    chosen_by: Reads,
    value: Tainted | None,
    where: _Where,
) -> int:
    """Adds an event to the state, and the reads that chose it or its value; gives its index."""
    state = context.state
    index = len(state.events)
    names = frozenset(name for name in sets if name)
    state.events.append(
        Event(
            context.thread.number,
            index,
            names,
            where.location,
            where.address,
            placed(value.value, context.span) if value else None,
            where.bits,
            context.span,
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
