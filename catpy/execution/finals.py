"""Final states of accepted executions, and the condition judged on them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from operator import itemgetter
from typing import Any

from catpy.arch.program import Program
from catpy.arch.terms import Expression, Unknown, Value
from catpy.errors import TestError
from catpy.execution.outcome import Values
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import Valuation, known
from catpy.litmus import LitmusTest
from catpy.litmus.condition import Predicate, atoms, observables, predicate
from catpy.litmus.syntax import (
    AddressOf,
    Atom,
    Comparand,
    Condition,
    Location,
    Number,
    ObjectState,
    Observable,
    Register,
    UnknownValue,
)
from catpy.relation import ExactRelation
from catpy.source import Span

#: A register, or a physical location.
Slot = Register | str


class Observer:
    """What a test looks at in a final state. Raises TestError where the test has no such thing."""

    def __init__(self, test: LitmusTest, program: Program) -> None:
        self._program = program
        named = [*observables(test.condition), *test.locations]
        filtered = list(observables(test.filter)) if test.filter else []
        for observable, span in [*named, *filtered, *named_values(test)]:
            program.check_observable(observable, span)
        for location, value, span in compared_numbers(test):
            program.check_value(location, value, span)
        shown = dict.fromkeys(observable for observable, _ in named)
        #: What is shown of a state, registers first.
        self.shown = tuple(sorted(shown, key=_shown_order) if shown else program.all_observables())
        #: What the condition, `locations` or the filter look at.
        self.looked_at = tuple(dict.fromkeys([*self.shown, *(o for o, _ in filtered)]))
        pieces = {o: self._pieces(o) for o in self.looked_at}
        #: What a state is read from: registers, and physical locations (which aliases share).
        self.slots = tuple(dict.fromkeys(slot for found in pieces.values() for slot in found))
        #: For each thing that is looked at the numbers of its slots: several for a location that
        #: accesses divide.
        self.slots_of = [[self.slots.index(s) for s in pieces[o]] for o in self.looked_at]
        self._filter = self._predicate(test.filter) if test.filter else None
        #: Whether a state, of what is shown, satisfies the proposition of the test's condition.
        self.satisfies = self._predicate(test.condition)

    @property
    def filters(self) -> bool:
        """Whether the test leaves out some states."""
        return self._filter is not None

    def states(
        self, skeleton: Skeleton, coherence: ExactRelation | None, valuation: Valuation
    ) -> set[Values]:
        """The final states of an execution, as the values of what is shown."""
        found = map(self.shown_of, self._final_values(skeleton, coherence, valuation))
        return {shown for shown in found if shown is not None}

    def shown_of(self, values: Values) -> Values | None:
        """What is shown of a state; None where the test's filter leaves it out."""
        if self._filter is not None and not self._filter(values):
            return None
        return values[: len(self.shown)]

    def shown_counts(self, counts: Counter[Values]) -> Counter[Values]:
        """What is shown of states of all that is looked at, with how often there is each."""
        if self._filter is None and self.shown == self.looked_at:
            return counts
        found: Counter[Values] = Counter()
        for values, number in counts.items():
            if (shown := self.shown_of(values)) is not None:
                found[shown] += number
        return found

    @property
    def is_divided(self) -> bool:
        """Whether something that is looked at consists of several slots."""
        return any(len(slots) > 1 for slots in self.slots_of)

    def _pieces(self, observable: Observable) -> list[Slot]:
        if isinstance(observable, Register):
            return [observable]
        return [part.location for part in self._program.parts_of(observable)]

    def looked_at_of(self, state: Values) -> Values:
        """What is looked at, from the values of the slots."""
        return tuple(
            state[slots[0]] if len(slots) == 1 else self._joined(observable, slots, state)
            for observable, slots in zip(self.looked_at, self.slots_of, strict=True)
        )

    def _joined(self, observable: Observable, slots: list[int], state: Values) -> Value:
        assert isinstance(observable, Location)
        return self._program.value_of(observable, [state[slot] for slot in slots])

    def _final_values(
        self, skeleton: Skeleton, coherence: ExactRelation | None, valuation: Valuation
    ) -> Iterator[Values]:
        registers = skeleton.registers
        columns = [
            [_register(registers, slot, valuation)]
            if isinstance(slot, Register)
            else [
                known(valuation.written(write))
                for write in _final_writes(skeleton, slot, coherence)
            ]
            for slot in self.slots
        ]
        for state in product(*columns):
            yield self.looked_at_of(state)

    def _predicate(self, condition: Condition) -> Predicate[Values]:
        """A condition on the values of what is looked at; what is shown comes first in those."""
        return predicate(condition, self._comparison)

    def _comparison(self, atom: Atom) -> Predicate[Values]:
        left, right = (self._value(term, atom.span) for term in (atom.left, atom.right))
        compare = _COMPARISONS[atom.operator]
        if atom.operator in ("=", "!="):
            return lambda state: compare(left(state), right(state))

        def ordered(state: Values) -> bool:
            sides = left(state), right(state)
            for side in sides:
                if not isinstance(side, int):
                    raise TestError(f"{side} can be compared by = and != only", atom.span)
            return compare(*sides)

        return ordered

    def _value(self, term: Comparand, span: Span) -> Callable[[Values], Value]:
        """What gives the value of a term in a state."""
        match term:
            case Register() | Location():
                return itemgetter(self.looked_at.index(term))
            case Number(value):
                constant: Value = value
            case UnknownValue(name):
                constant = Unknown(name)
            case AddressOf():
                constant = self._program.address_of(term.location)
            case ObjectState():
                constant = self._program.object_in(term, span)
        return lambda state: constant


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


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


def compared_numbers(test: LitmusTest) -> Iterator[tuple[Location, int, Span]]:
    """The locations that the conditions of a test hold against a number by `=` or `!=`."""
    for condition in (test.condition, test.filter):
        for atom in atoms(condition) if condition else ():
            match atom:
                case Atom(Location() as location, "=" | "!=", Number(value), span):
                    yield location, value, span


def _shown_order(observable: Observable) -> tuple[bool, str | int, str]:
    if isinstance(observable, Register):
        return False, observable.thread, observable.name
    return True, 0, str(observable)


def _final_writes(skeleton: Skeleton, location: str, coherence: ExactRelation | None) -> list[int]:
    """The coherence-maximal writes of a location: any of them can be the last."""
    writes = skeleton.last_writes(location)
    if coherence is None:
        return writes
    return [x for x in writes if not any((x, y) in coherence for y in writes)]


def _register(
    registers: Mapping[int, Mapping[str, Expression]], observable: Register, valuation: Valuation
) -> Value:
    expression = registers[observable.thread].get(observable.name, 0)
    return known(valuation.evaluate(expression))
