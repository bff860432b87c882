"""Semantic dependencies: what a thread does that is not the same whatever one of its reads returns.

Syntactic dependencies (`addr`, `data`, `ctrl`) follow registers and branches. Of these the semantic
ones are left where another value of the read makes another event: one of another address, one that
writes another value, or none. Found by trying: a thread is run on values that the test names and
some others, in every combination that can make a difference to it. Where those are too many, a
dependency is taken for semantic unless its read makes no difference to anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from catpy.arch.program import Path, Program
from catpy.arch.terms import Computed, Expression, ReadValue, Unknown, Value, apply, reads_in
from catpy.errors import TestError

Pairs = frozenset[tuple[int, int]]

#: What each read of a thread returns, by the index of its event.
_Returned = Mapping[int, Value]

#: Runs of a thread at most.
_RUNS = 4096

#: Values that are tried where what is computed from them is different for most.
_FEW = 3
#: Values of one read that are tried, where only numbers of the test are more.
_MANY = 24

_NUMBERS = (0, 1, 2, 3, *(2**bits - 1 for bits in (8, 16, 31, 32, 63, 64)), 2**31, 2**63)


class Dependencies:
    """The semantic dependencies of a program's threads, found when they are asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: dict[int, list[tuple[Path, Pairs]]] = {}

    def of(self, path: Path) -> Pairs:
        """Pairs of a read and a later event of a path, by index: those of `addr`, `data` and `ctrl`
        that are left. All of them are where no run that was tried takes this path."""
        if path.thread not in self._found:
            paths = self._program.paths(path.thread)
            found = _Thread(paths, _pool(self._program)).varying()
            self._found[path.thread] = list(zip(paths, found, strict=True))
        return next(pairs for known, pairs in self._found[path.thread] if known is path)


@dataclass(frozen=True)
class _Pool:
    """The values to try: those that the test names, and `more` that may be made of its numbers."""

    values: Sequence[Value]
    more: Sequence[Value]


def _pool(program: Program) -> _Pool:
    values: dict[Value, None] = dict.fromkeys(_NUMBERS)
    numbers = sorted(value for value in program.constants if isinstance(value, int))
    for constant in sorted(program.constants, key=str):
        if not isinstance(constant, Unknown):  # that is a number, too
            values[constant] = None
    for one in numbers:
        values |= dict.fromkeys((one - 1, one + 1))
    more: dict[Value, None] = dict.fromkeys(range(64))
    for one in numbers:
        for other in numbers:
            shifted = [one << other] if 0 < other < 64 else []
            more |= dict.fromkeys([one + other, one * other, *shifted])
    return _Pool(list(values), list(more))


class _Thread:
    def __init__(self, paths: Sequence[Path], pool: _Pool) -> None:
        self._paths = paths
        self._values = _values_to_try(paths, pool)

    def varying(self) -> list[Pairs]:
        """For each path the dependencies that some run shows, or all where none takes it."""
        found = [_syntactic(path) for path in self._paths]
        dependent = {read for pairs in found for read, _ in pairs}
        used = [read for read, values in self._values.items() if len(values) > 1]
        if prod(len(values) for values in self._values.values()) > _RUNS:
            return [frozenset(pair for pair in pairs if pair[0] in used) for pairs in found]
        runs = {
            values: _Run(self._paths, dict(zip(self._values, values, strict=True)))
            for values in product(*self._values.values())
        }
        shown: dict[int, set[tuple[int, int]]] = {}
        for values, run in runs.items():
            if run.way is None:
                continue
            here = shown.setdefault(run.way, set())
            for at, read in enumerate(self._values):
                left = {event for r, event in found[run.way] - here if r == read}
                if read not in dependent or not left:
                    continue
                for other in self._values[read]:
                    changed = runs[(*values[:at], other, *values[at + 1 :])]
                    here.update((read, event) for event in run.differing(changed) & left)
        return [
            frozenset(shown[number]) if number in shown else pairs
            for number, pairs in enumerate(found)
        ]


class _Run:
    """What a thread does where its reads return these values; `way` is the number of the path."""

    def __init__(self, paths: Sequence[Path], returned: _Returned) -> None:
        self.way = _way(paths, returned)
        self._deeds = {} if self.way is None else _deeds(paths[self.way], returned)
        self._written = dict(self._deeds.values())

    def differing(self, other: _Run) -> set[int]:
        """The events that are not the same in another run."""
        return {
            event
            for event, (deed, written) in self._deeds.items()
            if written is _OPEN or other._written.get(deed, _NOTHING) != written
        }


def _way(paths: Sequence[Path], returned: _Returned) -> int | None:
    """The number of the path that these values lead to."""
    for number, path in enumerate(paths):
        truths = ((_value(c.expression, returned), c.truth) for c in path.constraints)
        if all(not isinstance(v, Unknown) and (v != 0) is truth for v, truth in truths):
            return number
    return None


# The values that are worth trying


def _values_to_try(paths: Sequence[Path], pool: _Pool) -> dict[int, list[Value]]:
    """For each read that anything depends on, the values that make a difference to something.

    What looks at one read alone tells all that comes of it: two values are as good as one where
    each such expression has the same value for both.
    """
    written = {e.value: None for path in paths for e in path.events if e.value is not None}
    conditions = {c.expression: None for path in paths for c in path.constraints}
    alone: dict[int, dict[Expression, bool]] = {}
    for expression in written:
        for read, part in _alone(expression):
            alone.setdefault(read, {}).setdefault(part, part is expression)
            alone[read][part] &= part is expression
    for expression in conditions:
        for read, part in _alone(expression):
            alone.setdefault(read, {})[part] = False
    return {read: _telling(read, found, pool) for read, found in alone.items()}


def _telling(read: int, found: Mapping[Expression, bool], pool: _Pool) -> list[Value]:
    """The values of a read that expressions tell apart, of which some are just written.

    What is written and is different for many values is seen to be so by a few of them.
    """
    everything = list(dict.fromkeys([*pool.values, *pool.more]))
    rows = {e: [_known(e, read, value) for value in everything] for e in found}
    coarse = [rows[e] for e, is_written in found.items() if is_written and len(set(rows[e])) > _FEW]
    fine = [row for row in rows.values() if row not in coarse]
    cases: dict[object, list[int]] = {}
    for at in range(len(everything)):
        cases.setdefault(tuple(row[at] for row in fine), []).append(at)
    if len(cases) > _MANY:
        cases = {case: ats for case, ats in cases.items() if ats[0] < len(pool.values)}
    tried = {at: None for ats in cases.values() for at in _differing(ats, coarse)}
    if len(tried) == 1 and any(_OPEN in row for row in fine):
        tried[1] = None  # it may make a difference
    return [everything[at] for at in tried]


def _differing(places: Sequence[int], rows: Sequence[Sequence[object]]) -> list[int]:
    """Of some places one, and a few in which a row has different values."""
    tried = dict.fromkeys(places[:1])
    for row in rows:
        first = {row[at]: at for at in reversed(places)}
        tried |= dict.fromkeys(sorted(first.values())[:_FEW])
    return list(tried)


def _known(expression: Expression, read: int, value: Value) -> object:
    found = _value(expression, {read: value})
    return _OPEN if isinstance(found, Unknown) else found


def _alone(expression: Expression) -> Iterator[tuple[int, Expression]]:
    """The largest parts of an expression that look at one read only, each with that."""
    reads = {read.index for read in reads_in(expression)}
    if len(reads) == 1:
        yield from ((read, expression) for read in reads)
    elif isinstance(expression, Computed):
        for operand in expression.operands:
            yield from _alone(operand)


#: Written by no event.
_NOTHING = object()
#: Computed from values that have no meaning there: what others would give is open.
_OPEN = object()


def _syntactic(path: Path) -> Pairs:
    return frozenset().union(*(path.pairs.get(name, ()) for name in ("addr", "data", "ctrl")))


def _deeds(path: Path, returned: _Returned) -> dict[int, tuple[tuple[object, ...], object]]:
    """For each event of a run what it is, the k-th of its kind, and what it writes."""
    counts = Counter[object]()
    deeds: dict[int, tuple[tuple[object, ...], object]] = {}
    for event in path.events:
        kind = (event.sets, event.location, event.address, event.extent)
        counts[kind] += 1
        written: object = None if event.value is None else _value(event.value, returned)
        if isinstance(event.value, Computed) and isinstance(written, Unknown):
            written = _OPEN
        deeds[event.index] = ((*kind, counts[kind]), written)
    return deeds


def _value(expression: Expression, returned: _Returned) -> Value:
    match expression:
        case ReadValue(_, index):
            return returned[index]
        case Computed(operator, operands):
            try:
                return apply(operator, [_value(operand, returned) for operand in operands])
            except TestError:
                return Unknown(operator.name)
        case _:
            return expression
