"""A PTX test as a program: decoded threads, memory, places; what the execution engines ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from catpy.arch.program import Event, Join, Options, Pairs, Path, Vocabulary
from catpy.arch.ptx import barriers, host
from catpy.arch.ptx.calls import SETS, CallInstruction
from catpy.arch.ptx.decode import decode
from catpy.arch.ptx.instruction import AddressOperand, Immediate, Instruction, Word
from catpy.arch.ptx.kernels import host_side
from catpy.arch.ptx.machine import Machine, register_name
from catpy.arch.ptx.memory import Memory, initial_registers
from catpy.arch.ptx.placement import places_of, scope_relations
from catpy.arch.ptx.state import Tainted
from catpy.arch.ptx.words import SET_NAMES
from catpy.arch.terms import Value
from catpy.errors import TestError, did_you_mean
from catpy.litmus import LitmusTest
from catpy.litmus.condition import atoms
from catpy.litmus.syntax import AddressOf, Call, Location, Number, Observable, Register
from catpy.source import Span

#: Names that look like registers are registers, unless the test declares a location of that name.
_REGISTER_NAME = re.compile(r"(?:r|rd|rs|p|f)\d+")
_SPECIAL = re.compile(
    r"%(?:n?tid|n?ctaid|laneid|n?warpid|n?smid|n?clusterid|cluster_\w+|is_explicit_cluster|gridid"
    r"|clock\w*|globaltimer\w*|lanemask_\w+|pm\d+\w*|envreg\d+|\w*smem\w*)\b"
)

#: What models find bound, whatever the test; names that cat cannot spell are for primitives.
VOCABULARY = Vocabulary(
    SET_NAMES | SETS,
    frozenset(name for name in scope_relations((), {}) if ":" not in name)
    | barriers.RELATIONS
    | host.RELATIONS,
)


class PtxProgram:
    """The program of a PTX test (a `catpy.arch.program.Program`)."""

    set_names = VOCABULARY.sets

    def __init__(self, test: LitmusTest, options: Options, pulse: Callable[[], None]) -> None:
        self._test = test
        self._pulse = pulse
        self._options = options
        self.threads = [thread.number for thread in test.threads]
        self._places = places_of(test.threads)
        self._memory = Memory(test.init)
        self._code = {
            thread.number: [decode(cell, options.dialect, thread.is_host) for cell in thread.cells]
            for thread in test.threads
        }
        self._host = host_side(test, self._calls(), self._places)
        self._initial = self._initial_registers()
        self._registers = {number: self._registers_of(number) for number in self.threads}
        self._declare_locations()
        self._paths = {number: self._run(number) for number in self.threads}
        host.check_course(self._host, self._paths)
        self.memory = self._memory.cells()
        self.constants = frozenset(self._constants())

    # What the engines ask for

    def paths(self, thread: int) -> Sequence[Path]:
        return self._paths[thread]

    def joins(self, paths: Sequence[Path]) -> Iterator[Join]:
        ctas = {number: place.cta for number, place in self._places.items()}
        instances = {number: self._instances(number) for number in self.threads}
        found = barriers.joins(paths, ctas, instances, self._options.dialect)
        return host.joins(found, paths, self._host)

    def relations(self, events: Sequence[Event]) -> Mapping[str, Pairs]:
        return scope_relations(events, self._places)

    def defect(self, events: Sequence[Event]) -> tuple[str, Span | None] | None:
        """Shared memory belongs to a CTA: this version knows one instance of a variable only."""
        users: dict[str, tuple[int, ...]] = {}
        for event in events:
            if event.thread is None or event.location is None or "SHARED" not in event.sets:
                continue
            if event.thread in self._host.threads:
                return f"a thread of the host has no `{event.location}`: it is shared", event.span
            cta = self._places[event.thread].cta
            if users.setdefault(event.location, cta) != cta:
                message = f"`{event.location}` is in shared memory and used by several CTAs"
                return f"{message}: this is not supported by this version", event.span
        return None

    def location_of(self, observable: Observable) -> str:
        assert isinstance(observable, Location)
        return str(self._memory.locate(observable, self._test.source.span(0, 1)))

    def address_of(self, location: Location) -> Value:
        return self._memory.value(AddressOf(location), self._test.source.span(0, 1))

    def check_observable(self, observable: Observable, span: Span) -> None:
        if isinstance(observable, Location):
            self._memory.locate(observable, span)
            return
        if observable.thread not in self._registers:
            message = f"the test has no thread P{observable.thread}"
            raise TestError(message, span, did_you_mean(observable.name, self._memory.names()))
        known = self._registers[observable.thread]
        if observable.name not in known:
            hint = did_you_mean(observable.name, known)
            message = f"thread P{observable.thread} has no register `{observable.name}`"
            raise TestError(message, span, hint)

    def all_observables(self) -> Sequence[Observable]:
        registers = {
            Register(number, register_name(name))
            for number, code in self._code.items()
            for instruction in code
            if instruction.row is not None and instruction.row.opcode in ("ld", "atom", "api.query")
            for name in instruction.destinations()
            if name != "_"
        }
        return [*sorted(registers), *self._memory.locations()]

    # Making it

    def _calls(self) -> dict[int, Sequence[Call]]:
        """The calls in the text of each thread of the host."""
        return {
            thread.number: [
                instruction.call
                for instruction in self._code[thread.number]
                if isinstance(instruction, CallInstruction)
            ]
            for thread in self._test.threads
            if thread.is_host
        }

    def _initial_registers(self) -> dict[int, dict[str, Tainted]]:
        initial: dict[int, dict[str, Tainted]] = {number: {} for number in self.threads}
        for register, term, span in initial_registers(self._test.init):
            if register.thread not in initial:
                raise TestError(f"the test has no thread P{register.thread}", span)
            if register.name in initial[register.thread]:
                raise TestError(f"register {register} is given two initial values", span)
            value = Tainted(self._memory.value(term, span))
            initial[register.thread][register.name] = value
        return initial

    def _registers_of(self, thread: int) -> frozenset[str]:
        """The registers of a thread: initialised, written, or named like one; without `%`."""
        names = set(self._initial[thread])
        for instruction in self._code[thread]:
            names.update(map(register_name, instruction.destinations()))
            for word in _words(instruction):
                if _SPECIAL.match(word):
                    message = f"the special register `{word}` is not supported by this version"
                    raise TestError(message, instruction.span)
                if word.startswith("%") or (
                    _REGISTER_NAME.fullmatch(word) and word not in self._memory
                ):
                    names.add(register_name(word))
        return frozenset(names - {"_"})

    def _declare_locations(self) -> None:
        """Makes a variable of every name in the code that is no register and no label."""
        for thread, code in self._code.items():
            for instruction in code:
                for letter, operand in instruction.lettered():
                    name = operand.base if isinstance(operand, AddressOperand) else None
                    if isinstance(operand, Word) and letter in "av":
                        name = operand.name
                    if name and register_name(name) not in self._registers[thread]:
                        self._memory.declare(name)

    def _run(self, thread: int) -> list[Path]:
        machine = Machine(
            thread, self._code[thread], self._registers[thread], self._memory, self._options
        )
        return machine.paths(self._initial[thread], self._pulse)

    def _instances(self, thread: int) -> frozenset[tuple[int, int | None]]:
        """The barrier instances in the text of a thread (see `barriers`)."""
        found: set[tuple[int, int | None]] = set()
        for instruction in self._code[thread]:
            if instruction.row is not None and instruction.row.opcode.startswith("bar"):
                first, *others = instruction.operands[instruction.row.opcode.endswith("red") :]
                if isinstance(first, Immediate):
                    number = others[0] if others else None
                    fixed = number.value if isinstance(number, Immediate) else None
                    found.add((first.value, fixed))
        return frozenset(found)

    def _constants(self) -> Iterator[Value]:
        yield 0
        for cell in self.memory:
            yield cell.initial
        for atom in atoms(self._test.condition):
            for term in (atom.left, atom.right):
                if isinstance(term, Number):
                    yield term.value
        for code in self._code.values():
            for instruction in code:
                for operand in instruction.operands:
                    if isinstance(operand, Immediate):
                        yield operand.value


def build(test: LitmusTest, options: Options, pulse: Callable[[], None]) -> PtxProgram:
    """The program of a test. Raises TestError with the place of what PTX does not have.

    `pulse` is called with every instruction that is executed, and may end it by raising.
    """
    return PtxProgram(test, options, pulse)


def _words(instruction: Instruction) -> Iterator[str]:
    """The names an instruction uses as registers or locations."""
    if instruction.guard is not None:
        yield instruction.guard.name
    for letter, operand in instruction.lettered():
        if letter == "l":
            continue
        if isinstance(operand, Word):
            yield operand.name
        elif isinstance(operand, AddressOperand):
            yield operand.base
