"""Final states of accepted executions, and the condition judged on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from catpy.arch.program import Program
from catpy.arch.terms import Expression, Unknown, Value
from catpy.errors import TestError
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import Valuation, known
from catpy.litmus import LitmusTest
from catpy.litmus.condition import atoms, holds, observables
from catpy.litmus.syntax import (
    AddressOf,
    Atom,
    Condition,
    Location,
    Number,
    Observable,
    Register,
    Term,
    UnknownValue,
)
from catpy.relation import ExactRelation
from catpy.source import Span

Values = tuple[Value, ...]


class Observer:
    """What a test looks at in a final state. Raises TestError where the test has no such thing."""

    def __init__(self, test: LitmusTest, program: Program) -> None:
        self._test = test
        self._program = program
        named = [*observables(test.condition), *test.locations]
        filtered = list(observables(test.filter)) if test.filter else []
        for observable, span in [*named, *filtered, *named_values(test)]:
            program.check_observable(observable, span)
        shown = dict.fromkeys(observable for observable, _ in named)
        #: What is shown of a state, registers first.
        self.shown = tuple(sorted(shown, key=_shown_order) if shown else program.all_observables())
        self._looked_at = tuple(dict.fromkeys([*self.shown, *(o for o, _ in filtered)]))

    def states(
        self, skeleton: Skeleton, coherence: ExactRelation | None, valuation: Valuation
    ) -> set[Values]:
        """The final states of an execution, as the values of what is shown."""
        found = set()
        for values in self._final_values(skeleton, coherence, valuation):
            state = dict(zip(self._looked_at, values, strict=True))
            if self._test.filter is None or self._satisfies(self._test.filter, state):
                found.add(tuple(state[observable] for observable in self.shown))
        return found

    def satisfies(self, values: Values) -> bool:
        """Whether a state satisfies the proposition of the test's condition."""
        state = dict(zip(self.shown, values, strict=True))
        return self._satisfies(self._test.condition, state)

    def _final_values(
        self, skeleton: Skeleton, coherence: ExactRelation | None, valuation: Valuation
    ) -> Iterator[Values]:
        registers = {path.thread: path.registers for path in skeleton.paths}
        locations = {
            observable: self._program.location_of(observable)
            for observable in self._looked_at
            if isinstance(observable, Location)
        }
        places = sorted(set(locations.values()))
        finals = [_final_writes(skeleton, place, coherence) for place in places]
        for writes in product(*finals):
            memory = {
                place: known(valuation.written(write), None)
                for place, write in zip(places, writes, strict=True)
            }
            yield tuple(
                memory[locations[observable]]
                if isinstance(observable, Location)
                else _register(registers, observable, valuation)
                for observable in self._looked_at
            )

    def _satisfies(self, condition: Condition, state: Mapping[Observable, Value]) -> bool:
        return holds(condition, lambda atom: self._compare(atom, state))

    def _compare(self, atom: Atom, state: Mapping[Observable, Value]) -> bool:
        left, right = self._value(atom.left, state), self._value(atom.right, state)
        if atom.operator == "=":
            return left == right
        if atom.operator == "!=":
            return left != right
        if not isinstance(left, int) or not isinstance(right, int):
            odd = right if isinstance(left, int) else left
            raise TestError(f"{odd} can be compared by = and != only", atom.span)
        match atom.operator:
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case _:
                return left >= right

    def _value(self, term: Term, state: Mapping[Observable, Value]) -> Value:
        match term:
            case Number(value):
                return value
            case UnknownValue(name):
                return Unknown(name)
            case AddressOf():
                return self._program.address_of(term.location)
            case Register() | Location():
                return state[term]


def named_values(test: LitmusTest) -> Iterator[tuple[Observable, Span]]:
    """The locations whose addresses or unknown values the conditions of a test name."""
    for condition in (test.condition, test.filter):
        for atom in atoms(condition) if condition else ():
            for term in (atom.left, atom.right):
                match term:
                    case AddressOf(location):
                        yield location, atom.span
                    case UnknownValue():
                        yield term.location, atom.span


def _shown_order(observable: Observable) -> tuple[bool, str | int, str]:
    if isinstance(observable, Register):
        return False, observable.thread, observable.name
    return True, 0, str(observable)


def _final_writes(skeleton: Skeleton, location: str, coherence: ExactRelation | None) -> list[int]:
    """The coherence-maximal writes of a location: any of them can be the last.

    An initial write comes before all others, whatever the model says of coherence.
    """
    writes = [
        number
        for number, event in enumerate(skeleton.events)
        if event.is_write and event.location == location
    ]
    later = [number for number in writes if skeleton.events[number].thread is not None]
    writes = later or writes
    if coherence is None:
        return writes
    return [x for x in writes if not any((x, y) in coherence for y in writes)]


def _register(
    registers: Mapping[int, Mapping[str, Expression]], observable: Register, valuation: Valuation
) -> Value:
    expression = registers[observable.thread].get(observable.name, 0)
    return known(valuation.evaluate(expression), None)
