"""All ways through all threads of a test, and the memory as their accesses divide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from catpy.arch.program import Path
from catpy.arch.ptx.context import Thread
from catpy.arch.ptx.decoded import DecodedTest
from catpy.arch.ptx.loops import Loops
from catpy.arch.ptx.machine import Machine
from catpy.arch.ptx.memory import Memory
from catpy.arch.ptx.state import Tainted
from catpy.arch.ptx.view import View
from catpy.litmus.condition import observables
from catpy.litmus.syntax import Register

Pulse = Callable[[], None]


@dataclass(frozen=True)
class Exploration:
    """A decoded test that was executed on a memory: the ways through each thread, by its number."""

    decoded: DecodedTest
    memory: Memory
    paths: Mapping[int, Sequence[Path]]

    def settled(self, pulse: Pulse) -> Exploration:
        """Once more, now that it is known what is written: reads of the rest have one value.

        So an address that a thread finds in memory is often known, and a branch goes one way.
        """
        events = [e for ways in self.paths.values() for way in ways for e in way.events]
        read = {e.extent for e in events if e.is_read and e.extent is not None}
        written = {e.extent for e in events if e.is_write and e.extent is not None}
        if all(any(x.meets(y) for y in written) for x in read):
            return self
        return _explored(self.decoded, self.memory.settled(written), pulse)


def explore(decoded: DecodedTest, pulse: Pulse = lambda: None) -> Exploration:
    """All ways through a test where any read may return anything.

    `pulse` is called with every instruction that is executed, and may end it by raising.
    """
    return _explored(decoded, decoded.memory, pulse)


def _explored(decoded: DecodedTest, memory: Memory, pulse: Pulse) -> Exploration:
    """The ways through all threads: once more where an access divided what others saw whole."""
    while True:
        memory.layout.grew = False
        paths = {number: _paths(decoded, memory, number, pulse) for number in decoded.code}
        if not memory.layout.grew:
            return Exploration(decoded, memory, paths)


def _paths(decoded: DecodedTest, memory: Memory, number: int, pulse: Pulse) -> list[Path]:
    code, view = decoded.code[number], View(memory, decoded.places[number])
    loops = Loops(code, _observed(decoded, number))
    thread = Thread(number, view, decoded.registers[number], loops.labels, decoded.options)
    initial = {name: Tainted(value) for name, value in decoded.initial[number].items()}
    return Machine(thread, code, loops).paths(initial, pulse)


def _observed(decoded: DecodedTest, thread: int) -> frozenset[str] | None:
    """The registers of a thread that are looked at in the end; None for all."""
    test = decoded.test
    shown = {o for o, _ in (*observables(test.condition), *test.locations)}
    if not shown:
        return None
    filtered = {o for o, _ in observables(test.filter)} if test.filter else set()
    registers = [o for o in shown | filtered if isinstance(o, Register)]
    return frozenset(o.name for o in registers if o.thread == thread)
