"""A PTX test as a program: what the execution engines ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from catpy.arch.program import Event, Join, Options, Pairs, Part, Path, Vocabulary
from catpy.arch.ptx import barriers, host, mbarrier
from catpy.arch.ptx.atomics import CAS_WRITES_BACK
from catpy.arch.ptx.decoded import decode_test
from catpy.arch.ptx.exploration import Exploration, explore
from catpy.arch.ptx.instances import instances_of
from catpy.arch.ptx.instruction import Immediate, register_name
from catpy.arch.ptx.placement import scope_relations
from catpy.arch.ptx.tags import SET_NAMES
from catpy.arch.terms import Value
from catpy.errors import TestError, did_you_mean
from catpy.litmus import LitmusTest
from catpy.litmus.condition import atoms
from catpy.litmus.syntax import AddressOf, Location, Number, ObjectState, Observable, Register
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
    """The program of a PTX test (a `catpy.arch.program.Program`), from all ways through it."""

    set_names = VOCABULARY.sets

    def __init__(self, exploration: Exploration) -> None:
        self._decoded = exploration.decoded
        self._memory = exploration.memory
        self._symbols = exploration.memory.symbols
        self._paths = exploration.paths
        host.check_course(self._decoded.host, self._paths)
        self.threads = list(self._decoded.code)
        self.warnings = self._decoded.warnings
        self.memory = self._memory.cells()
        self.constants = frozenset(self._constants())

    def paths(self, thread: int) -> Sequence[Path]:
        return self._paths[thread]

    def joins(self, paths: Sequence[Path]) -> Iterator[Join]:
        decoded = self._decoded
        instances = {number: instances_of(code) for number, code in decoded.code.items()}
        found = barriers.joins(paths, decoded.places, instances, decoded.options.dialect)
        return host.joins(found, paths, decoded.host, decoded.initial)

    def relations(self, events: Sequence[Event]) -> Mapping[str, Pairs]:
        return scope_relations(events, self._decoded.places)

    def parts_of(self, observable: Location) -> Sequence[Part]:
        return self._memory.parts(self._symbols.locate(observable, None))

    def value_of(self, observable: Location, parts: Sequence[Value]) -> Value:
        return self._memory.joined(self._symbols.locate(observable, None), parts)

    def address_of(self, location: Location) -> Value:
        return self._symbols.value(AddressOf(location), self._decoded.test.source.span(0, 1))

    def object_in(self, state: ObjectState, span: Span) -> Value:
        return mbarrier.in_state(state, span)

    def check_observable(self, observable: Observable, span: Span) -> None:
        if isinstance(observable, Location):
            self._check_no_register(observable.name, span)
            self._symbols.locate(observable, span)
            return
        if observable.thread not in self._decoded.registers:
            message = f"the test has no thread P{observable.thread}"
            raise TestError(message, span, did_you_mean(observable.name, self._symbols.names()))
        known = self._decoded.registers[observable.thread]
        if observable.name not in known:
            hint = did_you_mean(observable.name, known)
            message = f"thread P{observable.thread} has no register `{observable.name}`"
            raise TestError(message, span, hint)

    def _check_no_register(self, name: str, span: Span) -> None:
        """Raises TestError for a register without its thread, where no location has its name."""
        has = [
            thread
            for thread, names in self._decoded.registers.items()
            if register_name(name) in names
        ]
        if has and name not in self._symbols.names():
            hint = f"a register stands behind the number of its thread: `{has[0]}:{name}`"
            raise TestError(f"the test has no location `{name}`", span, hint)

    def check_value(self, location: Location, value: int, span: Span) -> None:
        self._symbols.check_value(location, value, span)

    def all_observables(self) -> Sequence[Observable]:
        registers = {
            Register(number, register_name(word.name))
            for number, code in self._decoded.code.items()
            for instruction in code
            if instruction.row is not None and instruction.row.observes
            for word in instruction.destinations()
            if word.name != "_"
        }
        return [*sorted(registers), *self._memory.locations()]

    def _constants(self) -> Iterator[Value]:
        yield 0
        for cell in self.memory:
            yield cell.initial
        for atom in atoms(self._decoded.test.condition):
            for term in (atom.left, atom.right):
                if isinstance(term, Number):
                    yield term.value
        for code in self._decoded.code.values():
            for instruction in code:
                for operand in instruction.operands:
                    if isinstance(operand, Immediate):
                        yield operand.value


def build(test: LitmusTest, options: Options, pulse: Callable[[], None]) -> PtxProgram:
    """The program of a test. Raises TestError with the place of what PTX does not have.

    `pulse` is called with every instruction that is executed, and may end it by raising.
    """
    return PtxProgram(explore(decode_test(test, options), pulse).settled(pulse))
