"""A PTX test as a program: decoded threads, memory, places; what the execution engines ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from catpy.arch.program import Event, Join, Options, Pairs, Part, Path, Vocabulary
from catpy.arch.ptx import barriers, host, mbarrier
from catpy.arch.ptx.calls import CallInstruction
from catpy.arch.ptx.decode import decode
from catpy.arch.ptx.instances import instances_of
from catpy.arch.ptx.instruction import Immediate, register_name
from catpy.arch.ptx.kernels import host_side
from catpy.arch.ptx.machine import Machine
from catpy.arch.ptx.memory import Memory, initial_registers
from catpy.arch.ptx.oddities import oddities
from catpy.arch.ptx.placement import places_of, scope_relations
from catpy.arch.ptx.scopes import resolved
from catpy.arch.ptx.semantics import CAS_WRITES_BACK
from catpy.arch.ptx.state import Tainted
from catpy.arch.ptx.tags import SET_NAMES
from catpy.arch.ptx.usage import Usage, located_names
from catpy.arch.terms import Value
from catpy.errors import CatpyError, TestError, did_you_mean
from catpy.litmus import LitmusTest
from catpy.litmus.condition import atoms, observables
from catpy.litmus.syntax import (
    AddressOf,
    Call,
    Location,
    Number,
    ObjectState,
    Observable,
    Register,
)
from catpy.source import Span

#: What models find bound, whatever the test; names that cat cannot spell are for primitives.
VOCABULARY = Vocabulary(
    SET_NAMES,
    frozenset(name for name in scope_relations((), {}) if ":" not in name)
    | barriers.RELATIONS
    | host.RELATIONS,
    frozenset({CAS_WRITES_BACK}),
)


class PtxProgram:
    """The program of a PTX test (a `catpy.arch.program.Program`)."""

    set_names = VOCABULARY.sets

    def __init__(
        self,
        test: LitmusTest,
        options: Options,
        pulse: Callable[[], None],
        settle: bool = True,
    ) -> None:
        self._test = test
        self._pulse = pulse
        self._options = options
        self.threads = [thread.number for thread in test.threads]
        self._places = places_of(test.threads)
        self._code = {
            thread.number: resolved(
                [decode(cell, options.dialect, thread.is_host) for cell in thread.cells],
                thread.scopes,
            )
            for thread in test.threads
        }
        usage = Usage(test.init, self._code, self._places)
        usage.check_local()
        self._registers = usage.registers
        is_ptx = options.dialect == "ptx"
        odd = oddities(self._code, self._registers, self._places, usage.declared) if is_ptx else []
        self.warnings: Sequence[CatpyError] = odd
        self._instances = usage.instances()
        self._memory = Memory(test.init, usage.widths(), self._instances, usage.taken())
        self._host = host_side(test, self._calls(), self._places)
        self._initial = self._initial_registers()
        self._declare_locations()
        self._paths = self._run_all()
        if settle:
            self._settle()
        host.check_course(self._host, self._paths)
        self.memory = self._memory.cells()
        self.constants = frozenset(self._constants())

    # What the engines ask for

    def paths(self, thread: int) -> Sequence[Path]:
        return self._paths[thread]

    def joins(self, paths: Sequence[Path]) -> Iterator[Join]:
        instances = {number: instances_of(code) for number, code in self._code.items()}
        found = barriers.joins(paths, self._places, instances, self._options.dialect)
        initially = {
            thread: {name: held.value for name, held in registers.items()}
            for thread, registers in self._initial.items()
        }
        return host.joins(found, paths, self._host, initially)

    def relations(self, events: Sequence[Event]) -> Mapping[str, Pairs]:
        return scope_relations(events, self._places)

    def parts_of(self, observable: Location) -> Sequence[Part]:
        return self._memory.parts(self._memory.locate(observable, None))

    def value_of(self, observable: Location, parts: Sequence[Value]) -> Value:
        return self._memory.joined(self._memory.locate(observable, None), parts)

    def address_of(self, location: Location) -> Value:
        return self._memory.value(AddressOf(location), self._test.source.span(0, 1))

    def object_in(self, state: ObjectState, span: Span) -> Value:
        return mbarrier.in_state(state, span)

    def check_observable(self, observable: Observable, span: Span) -> None:
        if isinstance(observable, Location):
            self._check_no_register(observable.name, span)
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

    def _check_no_register(self, name: str, span: Span) -> None:
        """Raises TestError for a register without its thread, where no location has its name."""
        has = [thread for thread, names in self._registers.items() if register_name(name) in names]
        if has and name not in self._memory.names():
            hint = f"a register stands behind the number of its thread: `{has[0]}:{name}`"
            raise TestError(f"the test has no location `{name}`", span, hint)

    def check_value(self, location: Location, value: int, span: Span) -> None:
        self._memory.check_value(location, value, span)

    def all_observables(self) -> Sequence[Observable]:
        registers = {
            Register(number, register_name(word.name))
            for number, code in self._code.items()
            for instruction in code
            if instruction.row is not None and instruction.row.observes
            for word in instruction.destinations()
            if word.name != "_"
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

    def _declare_locations(self) -> None:
        """Makes a variable of every name in the code that is no register and no label."""
        for thread, code in self._code.items():
            for instruction in code:
                for name, span in located_names(instruction, self._registers[thread]):
                    place = self._places[thread]
                    self._memory.declare(self._instances.resolve(name, place, span).name)

    def _run_all(self) -> dict[int, list[Path]]:
        """The ways through all threads: once more where an access divided what others saw whole."""
        layout = self._memory.layout
        while True:
            layout.grew = False
            paths = {number: self._run(number) for number in self.threads}
            if not layout.grew:
                return paths

    def _settle(self) -> None:
        """Once more, now that it is known what is written: reads of the rest have one value.

        So an address that a thread finds in memory is often known, and a branch goes one way.
        """
        events = [e for ways in self._paths.values() for way in ways for e in way.events]
        read = {e.extent for e in events if e.is_read and e.extent is not None}
        written = {e.extent for e in events if e.is_write and e.extent is not None}
        if not all(any(x.meets(y) for y in written) for x in read):
            self._memory.settle(written)
            self._paths = self._run_all()

    def _run(self, thread: int) -> list[Path]:
        machine = Machine(
            thread,
            self._code[thread],
            self._registers[thread],
            self._memory,
            self._places[thread],
            self._instances,
            self._options,
            self._observed(thread),
        )
        return machine.paths(self._initial[thread], self._pulse)

    def _observed(self, thread: int) -> frozenset[str] | None:
        """The registers of a thread that are looked at in the end; None for all."""
        test = self._test
        shown = {o for o, _ in (*observables(test.condition), *test.locations)}
        if not shown:
            return None
        filtered = {o for o, _ in observables(test.filter)} if test.filter else set()
        registers = [o for o in shown | filtered if isinstance(o, Register)]
        return frozenset(o.name for o in registers if o.thread == thread)

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
