"""Semantic dependencies: what a thread does that is not the same whatever one of its reads returns.

Syntactic dependencies (`addr`, `data`, `ctrl`) follow registers and branches. Of these the semantic
ones are left where another value of the read makes another event: one of another address, one that
writes another value, or none. Found by trying: a thread is run on values that the test names and
some others, then again with one read returning another value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from catpy.arch.program import Path, Program
from catpy.arch.terms import Computed, Expression, ReadValue, Unknown, Value, apply
from catpy.errors import TestError

Pairs = frozenset[tuple[int, int]]

#: What each read of a thread returns, by the index of its event.
_Returned = Mapping[int, Value]

#: Runs of a thread that differ in more than one read.
_RUNS = 64

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


def _pool(program: Program) -> list[Value]:
    """The values to try: of the test's numbers their neighbours as well."""
    values: dict[Value, None] = dict.fromkeys(_NUMBERS)
    for constant in sorted(program.constants, key=str):
        values[constant] = None
        if isinstance(constant, int):
            values |= dict.fromkeys((constant - 1, constant + 1))
    return list(values)


class _Thread:
    def __init__(self, paths: Sequence[Path], pool: Sequence[Value]) -> None:
        self._paths = paths
        self._pool = pool

    def varying(self) -> list[Pairs]:
        """For each path the dependencies that some trial shows, or all where none takes it."""
        found: dict[int, set[tuple[int, int]]] = {}
        random = Random(0)
        reads = max((len(path.events) for path in self._paths), default=0)
        for _ in range(_RUNS):
            returned = {read: random.choice(self._pool) for read in range(reads)}
            number = self._way(returned)
            if number is not None:
                shown = found.setdefault(number, set())
                left = _syntactic(self._paths[number]) - shown
                shown.update(self._differing(number, returned, left))
        return [
            frozenset(found[number]) if number in found else _syntactic(path)
            for number, path in enumerate(self._paths)
        ]

    def _differing(
        self, number: int, returned: _Returned, pairs: Pairs
    ) -> Iterator[tuple[int, int]]:
        """Those of the pairs that show when the read of one returns another value."""
        deeds = _deeds(self._paths[number], returned)
        for read in {read for read, _ in pairs}:
            for value in self._pool:
                changed = {**returned, read: value}
                way = self._way(changed)
                others = {} if way is None else dict(_deeds(self._paths[way], changed).values())
                for event, (deed, written) in deeds.items():
                    if (read, event) in pairs and others.get(deed, _NOTHING) != written:
                        yield read, event

    def _way(self, returned: _Returned) -> int | None:
        """The number of the path that these values lead to."""
        for number, path in enumerate(self._paths):
            truths = ((_value(c.expression, returned), c.truth) for c in path.constraints)
            if all(not isinstance(v, Unknown) and (v != 0) is truth for v, truth in truths):
                return number
        return None


#: Written by no event.
_NOTHING = object()


def _syntactic(path: Path) -> Pairs:
    return frozenset().union(*(path.pairs.get(name, ()) for name in ("addr", "data", "ctrl")))


def _deeds(path: Path, returned: _Returned) -> dict[int, tuple[tuple[object, ...], Value | None]]:
    """For each event of a run what it is, the k-th of its kind, and what it writes."""
    counts = Counter[object]()
    deeds: dict[int, tuple[tuple[object, ...], Value | None]] = {}
    for event in path.events:
        kind = (event.sets, event.location, event.address, event.extent)
        counts[kind] += 1
        written = None if event.value is None else _value(event.value, returned)
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
