"""Solves the values of an execution: what each read returns, given the write it reads from.

Values follow rf and the threads' expressions. Where a value depends on itself (a cycle of rf and
data flow), every value of a pool is tried for it: the constants of the test, one unknown, and what
computing around the cycle makes of them. Such executions are there for models without a
no-thin-air axiom; the others reject them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
from catpy.source import Span

#: What a value out of thin air can always be: unknown, equal to itself alone.
THIN_AIR = Unknown("thin_air", invented=True)


class Valuation:
    """The values that follow from a (partial) choice of rf and assumed values of reads."""

    def __init__(
        self,
        skeleton: Skeleton,
        sources: Mapping[int, int],
        assumed: Mapping[int, Value] | None = None,
    ) -> None:
        self._skeleton = skeleton
        self._sources = sources
        self._assumed = bool(assumed)
        self._known: dict[int, Value | None] = dict(assumed or {})
        self._defect: tuple[str, Span | None] | None = None
        self._are_writes_computed = False

    @property
    def defect(self) -> tuple[str, Span | None] | None:
        """What makes an execution with these values an error of the test, where a model allows it.

        A thread's way depends on a value that the test says is unknown, or a value grows beyond all
        bounds: one that is evaluated, or that is written though nobody reads it.
        """
        if not self._are_writes_computed:
            self._are_writes_computed = True
            for number, event in enumerate(self._skeleton.events):
                if event.is_write:
                    self.written(number)
        return self._defect

    def read(self, number: int) -> Value | None:
        """What a read returns; None where rf leaves it open or it depends on itself."""
        if number not in self._known:
            self._known[number] = None  # met again before it is known: it depends on itself
            self._known[number] = self.source_value(number)
        return self._known[number]

    def source_value(self, number: int) -> Value | None:
        """The value of the write that a read reads from."""
        source = self._sources.get(number)
        return None if source is None else self.written(source)

    def written(self, number: int) -> Value | None:
        """What a write writes."""
        event = self._skeleton.events[number]
        if event.thread is None:
            assert event.location is not None
            return self._skeleton.initial[event.location]
        assert event.value is not None
        return self.evaluate(event.value)

    def evaluate(self, expression: Expression) -> Value | None:
        """The value of an expression, None where a read in it has none."""
        match expression:
            case ReadValue(thread, index):
                reduced = self._skeleton.join.values.get((thread, index))
                if reduced is not None:
                    return self.evaluate(reduced)
                number = self._skeleton.number.get((thread, index))
                return None if number is None else self.read(number)
            case Computed(operator, operands):
                values = []
                for operand in operands:
                    value = self.evaluate(operand)
                    if value is None:
                        return None
                    values.append(value)
                try:
                    return apply(operator, values)
                except TestError as problem:
                    self._defect = (problem.message, problem.span or expression.span)
                    return Unknown(operator.name, invented=True)
            case _:
                return expression

    def contradicts(self, constraint: Constraint) -> bool:
        """Whether a way that a thread took is not the way of these values, as far as known."""
        value = self.evaluate(constraint.expression)
        if value is None:
            return False
        if isinstance(value, Unknown | Slice):
            # An assumed value is one of many: where nothing follows from it, it is none.
            self._defect = (unknown_branch(value, constraint.expression), constraint.span)
            return self._assumed
        return (value != 0) is not constraint.truth


def rf_choices(skeleton: Skeleton) -> Iterator[dict[int, int]]:
    """Every choice of a source for each read that the ways the threads took allow."""
    candidates = skeleton.sources()
    reads = list(candidates)
    chosen: dict[int, int] = {}

    def choose(position: int) -> Iterator[dict[int, int]]:
        if position == len(reads):
            yield dict(chosen)
            return
        for source in candidates[reads[position]]:
            chosen[reads[position]] = source
            valuation = Valuation(skeleton, chosen)
            if not any(valuation.contradicts(c) for c in skeleton.constraints):
                yield from choose(position + 1)
            del chosen[reads[position]]

    if not any(Valuation(skeleton, {}).contradicts(c) for c in skeleton.constraints):
        yield from choose(0)


def valuations(
    skeleton: Skeleton, sources: Mapping[int, int], constants: frozenset[Value]
) -> Iterator[Valuation]:
    """The solutions of the values for a complete choice of rf; one, unless values are cyclic."""
    pool = (*sorted(constants, key=str), THIN_AIR)
    yield from _solutions(skeleton, sources, {}, pool)


def _solutions(
    skeleton: Skeleton,
    sources: Mapping[int, int],
    assumed: dict[int, Value],
    pool: tuple[Value, ...],
) -> Iterator[Valuation]:
    valuation = Valuation(skeleton, sources, assumed)
    if any(valuation.source_value(read) not in (value, None) for read, value in assumed.items()):
        return
    open_read = next((read for read in sources if valuation.read(read) is None), None)
    if open_read is not None:
        for value in _tried(skeleton, sources, assumed, open_read, pool):
            yield from _solutions(skeleton, sources, {**assumed, open_read: value}, pool)
    elif not any(valuation.contradicts(c) for c in skeleton.constraints):
        yield valuation


def _tried(
    skeleton: Skeleton,
    sources: Mapping[int, int],
    assumed: dict[int, Value],
    read: int,
    pool: tuple[Value, ...],
) -> list[Value]:
    """The values to try for a read that depends on itself: the pool, and what comes round of it."""
    tried = dict.fromkeys(pool)
    for value in pool:
        found = Valuation(skeleton, sources, {**assumed, read: value}).source_value(read)
        if found is not None and not isinstance(found, Unknown):
            tried[found] = None
    return list(tried)


def known(value: Value | None) -> Value:
    """A value that has to be there."""
    assert value is not None
    return value
