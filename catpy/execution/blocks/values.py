"""The values of reads and writes in a block: for each event the lanes of each of its values."""

from __future__ import annotations

from collections.abc import Iterable

from catpy.arch.program import Constraint
from catpy.arch.terms import (
    Computed,
    Expression,
    ReadValue,
    Slice,
    Unknown,
    Value,
    apply,
    unknown_branch,
)
from catpy.errors import TestError
from catpy.execution.skeleton import Skeleton
from catpy.relation.sliced import Mask, Rows, both, either, inverse, without
from catpy.source import Span

#: The lanes of each value. Lanes that are in none have no value (yet).
Spread = dict[Value, Mask]


class BlockValues:
    """The values that follow from what is known of `rf`.

    A read has no value where its source is not chosen yet, or where its value depends on itself.
    """

    def __init__(self, skeleton: Skeleton, rf: Rows) -> None:
        self._skeleton = skeleton
        self._sources = inverse(rf)
        self._reads: dict[int, Spread] = {read: {} for read in self._sources}
        self._written: dict[int, Spread] = {}
        self._computed: dict[int, Spread] = {}
        #: Lanes with values that make their executions errors of the test, and why.
        self.defects: list[tuple[Mask, tuple[str, Span | None]]] = []
        self._solve()

    def _solve(self) -> None:
        """Values travel along `rf` until nothing new comes: as often as they are passed on."""
        open_reads = list(self._reads)
        while open_reads:
            changed = []
            for read in open_reads:
                found: Spread = {}
                for write, lanes in self._sources[read].items():
                    for value, mask in self.written(write).items():
                        _add(found, value, both(lanes, mask))
                if found != self._reads[read]:
                    self._reads[read] = found
                    changed.append(read)
            if not changed:
                break
            self._written.clear()
            self._computed.clear()

    def read(self, number: int) -> Spread:
        """What a read returns."""
        return self._reads.get(number, {})

    def written(self, number: int) -> Spread:
        """What a write writes."""
        found = self._written.get(number)
        if found is None:
            event = self._skeleton.events[number]
            if event.thread is None:
                assert event.location is not None
                found = {self._skeleton.initial[event.location]: True}
            else:
                assert event.value is not None
                found = self.evaluate(event.value)
            self._written[number] = found
        return found

    def compute_writes(self) -> None:
        """Computes what is written, also where nobody reads it, for what makes no sense there."""
        for number, event in enumerate(self._skeleton.events):
            if event.is_write:
                self.written(number)

    def evaluate(self, expression: Expression) -> Spread:
        """The values of an expression."""
        match expression:
            case ReadValue(thread, index):
                reduced = self._skeleton.join.values.get((thread, index))
                if reduced is not None:
                    return self.evaluate(reduced)
                number = self._skeleton.number.get((thread, index))
                return {} if number is None else self.read(number)
            case Computed():
                key = id(expression)
                if key not in self._computed:
                    self._computed[key] = self._compute(expression)
                return self._computed[key]
            case _:
                return {expression: True}

    def _compute(self, expression: Computed) -> Spread:
        combined: list[tuple[list[Value], Mask]] = [([], True)]
        for operand in expression.operands:
            spread = self.evaluate(operand)
            combined = [
                ([*values, value], lanes)
                for values, mask in combined
                for value, other in spread.items()
                if (lanes := both(mask, other)) is not None
            ]
        found: Spread = {}
        for values, mask in combined:
            try:
                result = apply(expression.operator, values)
            except TestError as problem:
                place = problem.span or expression.span
                self.defects.append((mask, (problem.message, place)))
                result = Unknown(expression.operator.name, invented=True)
            _add(found, result, mask)
        return found

    def contradicted(self, constraints: Iterable[Constraint]) -> Mask | None:
        """The lanes whose values are not those of the ways that the threads took.

        Where a way depends on an unknown value, that is noted in `defects`.
        """
        lanes: Mask | None = None
        for constraint in constraints:
            for value, mask in self.evaluate(constraint.expression).items():
                if isinstance(value, Unknown | Slice):
                    message = unknown_branch(value, constraint.expression)
                    self.defects.append((mask, (message, constraint.span)))
                elif (value != 0) is not constraint.truth:
                    lanes = either(lanes, mask)
        return lanes

    def open_lanes(self) -> Mask | None:
        """The lanes in which a read has no value."""
        lanes: Mask | None = None
        for spread in self._reads.values():
            missing: Mask | None = True
            for mask in spread.values():
                missing = without(missing, mask)
            lanes = either(lanes, missing)
        return lanes

    def same(self) -> Rows:
        """The pairs of memory events that have the same value."""
        spreads = {
            number: self.read(number) if event.is_read else self.written(number)
            for number, event in enumerate(self._skeleton.events)
            if event.location is not None
        }
        rows: Rows = {}
        for x, first in spreads.items():
            for y, second in spreads.items():
                lanes: Mask | None = None
                for value, mask in first.items():
                    lanes = either(lanes, both(mask, second.get(value)))
                if lanes is not None:
                    rows.setdefault(x, {})[y] = lanes
        return rows


def _add(spread: Spread, value: Value, lanes: Mask | None) -> None:
    found = either(spread.get(value), lanes)
    if found is not None:
        spread[value] = found
