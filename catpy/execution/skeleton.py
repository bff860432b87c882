"""What all candidate executions of one control flow share: events, and every relation but rf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from catpy.arch.program import Constraint, End, Event, Join, Path, Program
from catpy.arch.terms import Expression
from catpy.execution.dependencies import Dependencies
from catpy.relation import EventSet, ExactAlgebra, Relation
from catpy.source import Span

#: Relations within a thread that its path gives.
_PATH_RELATIONS = ("addr", "data", "ctrl", "rmw", "si", "sca", "issued", "completes")

#: Those that relate every memory event to itself, too.
_REFLEXIVE = frozenset({"si", "sca"})

#: The relations that every skeleton binds, besides its architecture's.
RELATIONS = frozenset(
    {*_PATH_RELATIONS, "po", "id", "int", "ext"}
    | {"loc", "overlap", "same-range", "vloc", "va", "aimed", "sdep"}
)

#: What a model finds bound, or what computes it where that takes long.
Bound = EventSet | Relation | Callable[[], Relation]

#: The sets that every skeleton binds, besides its architecture's.
OWN_SETS = frozenset({"IW", "M"})


class Skeleton:
    """The events of one path per thread, joined; initial writes come first.

    Events are numbered from 0; `number[(thread, index)]` is that of a thread's event.
    """

    def __init__(
        self, program: Program, paths: Sequence[Path], join: Join, dependencies: Dependencies
    ) -> None:
        self._program = program
        self._dependencies = dependencies
        self.paths = paths
        self.join = join
        self.initial = {cell.location: cell.initial for cell in program.memory}
        self.events: list[Event] = [
            Event(
                None,
                index,
                cell.sets | {"IW", "W"},
                cell.location,
                bits=cell.bits,
                extent=cell.extent,
            )
            for index, cell in enumerate(program.memory)
        ]
        self.number: dict[tuple[int, int], int] = {}
        self.constraints: list[Constraint] = []
        for path, length in zip(paths, join.lengths, strict=True):
            whole = path.thread not in join.stuck
            if path.thread in join.absent:
                continue
            for event in path.events[:length]:
                self.number[(path.thread, event.index)] = len(self.events)
                self.events.append(event)
            self.constraints += [c for c in path.constraints if whole or c.position < length]

    @property
    def is_cut(self) -> bool:
        """Whether the unroll bound forbids what comes next in some thread."""
        return any(path.end is End.CUT for path in self._running())

    @property
    def ends(self) -> bool:
        """Whether its executions come to a final state."""
        return not self.is_cut and not self.join.stuck

    def _running(self) -> list[Path]:
        """The paths that are not stuck before their end, nor absent."""
        idle = {*self.join.stuck, *self.join.absent}
        return [path for path in self.paths if path.thread not in idle]

    @property
    def registers(self) -> Mapping[int, Mapping[str, Expression]]:
        """What the registers of each thread hold in the end."""
        return {path.thread: path.registers for path in self.paths} | dict(self.join.absent)

    @cached_property
    def defect(self) -> tuple[str, Span | None] | None:
        """What makes these executions an error of the test, where a model allows one of them."""
        for path in self._running():
            if path.end is End.FAULT:
                return path.fault, path.fault_span
        return self.join.defect

    @property
    def prefix(self) -> tuple[object, ...]:
        """What the threads did: equal for paths that differ only in what they do not come to."""
        phases = tuple(sorted((name, pairs) for name, pairs in self.join.pairs.items()))
        return (tuple(self.events), tuple(self.constraints), phases)

    def sources(self) -> dict[int, list[int]]:
        """For each read the writes to its location, but for what its own instruction writes.

        (That a read-modify-write does not read its own result is part of what an execution is, as
        in herd, not of a model.)
        """
        writes: dict[str | None, list[int]] = {}
        for number, event in enumerate(self.events):
            if event.is_write:
                writes.setdefault(event.location, []).append(number)
        own = set(self.read_modify_writes())
        return {
            read: [write for write in writes.get(event.location, []) if (read, write) not in own]
            for read, event in enumerate(self.events)
            if event.is_read
        }

    def last_writes(self, location: str) -> list[int]:
        """The writes of a location that can be the last.

        An initial write comes before all others, whatever a model says of coherence.
        """
        writes = [
            number
            for number, event in enumerate(self.events)
            if event.is_write and event.location == location
        ]
        return [number for number in writes if self.events[number].thread is not None] or writes

    def read_modify_writes(self) -> list[tuple[int, int]]:
        """The read and the write of each read-modify-write."""
        return self._path_pairs("rmw")

    @cached_property
    def algebra(self) -> ExactAlgebra:
        """The algebra over its events."""
        return ExactAlgebra(len(self.events))

    def names(self) -> dict[str, Bound]:
        """The sets and relations that the model finds bound, all but `rf`.

        Names that cat cannot spell are for primitives: `loc:x`, the accesses of a location.
        """
        relations: dict[str, Iterable[tuple[int, int]]] = {}
        sets: dict[str, EventSet | Relation] = {**self._sets()}
        for name in _PATH_RELATIONS:
            relations[name] = self._path_pairs(name)
        relations.update(self._program.relations(self.events))
        accesses: dict[str, list[int]] = {place: [] for place in self.initial}
        for number, event in enumerate(self.events):
            if event.location is not None:
                accesses[event.location].append(number)
        for place, events in accesses.items():
            sets[f"loc:{place}"] = self.algebra.event_set(events)
        for name, joined in self.join.pairs.items():
            relations[name] = self._numbered(joined)
        names: dict[str, Bound] = {"id": self.algebra.identity, "sdep": self._semantic_dependencies}
        rows = {"po": self._program_order(), **self._locations(), **self._threads()}
        names |= {name: self.algebra.from_rows(found) for name, found in rows.items()}
        made: dict[int, Relation] = {}  # some relations have several names
        for name, pairs in relations.items():
            if id(pairs) not in made:
                made[id(pairs)] = self.algebra.relation(pairs)
            names[name] = made[id(pairs)]
        return names | sets

    def witnesses(self) -> list[dict[str, EventSet | Relation]]:
        """The further relations of each witness of the join."""
        return [
            {name: self.algebra.relation(self._numbered(pairs)) for name, pairs in found.items()}
            for found in self.join.witnesses
        ]

    def _numbered(
        self, pairs: Iterable[tuple[tuple[int, int], tuple[int, int]]]
    ) -> list[tuple[int, int]]:
        return [(self.number[x], self.number[y]) for x, y in pairs]

    def _sets(self) -> dict[str, EventSet]:
        members: dict[str, list[int]] = {name: [] for name in self._program.set_names}
        members |= {name: [] for name in OWN_SETS}
        for number, event in enumerate(self.events):
            for name in event.sets:
                members[name].append(number)
            if event.location is not None:
                members["M"].append(number)
        return {name: self.algebra.event_set(events) for name, events in members.items()}

    def _path_pairs(self, name: str) -> list[tuple[int, int]]:
        pairs = [pair for path in self.paths for pair in self._of(path, path.pairs.get(name, ()))]
        if name in _REFLEXIVE:
            pairs += [(x, x) for x, event in enumerate(self.events) if event.location is not None]
        return pairs

    def _semantic_dependencies(self) -> Relation:
        depends = self._dependencies.of
        return self.algebra.relation(
            pair for path in self.paths for pair in self._of(path, depends(path))
        )

    def _of(self, path: Path, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Pairs of a path's events, as far as its thread came."""
        for x, y in pairs:
            first, second = (path.thread, x), (path.thread, y)
            if first in self.number and second in self.number:
                yield self.number[first], self.number[second]

    # Relations that have many pairs are made row by row: for each event a mask of those behind it.

    def _program_order(self) -> list[int]:
        rows = [0] * len(self.events)
        for path, length in zip(self.paths, self.join.lengths, strict=True):
            steps: dict[int, list[int]] = {}
            for event in path.events[:length]:
                if event.step is not None:
                    number = self.number[(path.thread, event.index)]
                    steps.setdefault(event.step, []).append(number)
            later = 0
            for step in sorted(steps, reverse=True):
                for number in steps[step]:
                    rows[number] = later
                later |= _mask(steps[step])
        return rows

    def _locations(self) -> dict[str, list[int]]:
        """How accesses meet, in physical memory and by virtual addresses.

        `loc`: the same location. `overlap`, `same-range`: the accesses, with all their parts, have
        a byte in common, or all of them. `va`, `vloc`: that by the virtual addresses of one
        variable, too. An initial write is of its location whatever the address. `aimed`: from an
        event that names bytes and accesses none to the accesses of those by their addresses.
        """
        # Events that access the same bytes in the same way meet the same others.
        alike: dict[object, list[int]] = {}
        for number, event in enumerate(self.events):
            if event.location is not None:
                way = (event.thread is None, event.location, event.address, event.extent)
                alike.setdefault(way, []).append(number)
        found = {name: [0] * len(self.events) for name in (*_MEETINGS, "aimed")}
        groups = [(self.events[numbers[0]], numbers, _mask(numbers)) for numbers in alike.values()]
        for a, numbers, _ in groups:
            met = dict.fromkeys(_MEETINGS, 0)
            for b, _, others in groups:
                for name in _meetings(a, b):
                    met[name] |= others
            for name, row in met.items():
                for number in numbers:
                    found[name][number] = row
        for number, event in enumerate(self.events):
            if event.location is None and event.extent is not None:
                aims = [numbers for b, numbers, _ in groups if "va" in _meetings(event, b)]
                found["aimed"][number] = _mask(chain.from_iterable(aims))
        return found

    def _threads(self) -> dict[str, list[int]]:
        """`int`: the same thread, reflexive, no initial writes. `ext`: different threads.

        An initial write and a thread's event are `ext`; two initial writes are neither, as in herd.
        """
        members: dict[int | None, int] = {}
        for number, event in enumerate(self.events):
            members[event.thread] = members.get(event.thread, 0) | 1 << number
        everything = (1 << len(self.events)) - 1
        threads = [event.thread for event in self.events]
        same = [0 if thread is None else members[thread] for thread in threads]
        return {"int": same, "ext": [everything & ~members[thread] for thread in threads]}


def _mask(events: Iterable[int]) -> int:
    """A set of events as bits."""
    return sum(1 << event for event in events)


#: The relations that say how accesses meet.
_MEETINGS = ("loc", "overlap", "same-range", "vloc", "va")


def _meetings(a: Event, b: Event) -> Iterator[str]:
    """The names of the relations that two memory events are in, by where they access memory."""
    initial = None in (a.thread, b.thread)
    if a.location == b.location:
        yield "loc"
    if a.extent is None or b.extent is None:
        same = meets = a.location == b.location
        view = initial or a.address == b.address
    else:
        same, meets = a.extent.is_same(b.extent), a.extent.meets(b.extent)
        view = initial or a.extent.view == b.extent.view
    if meets:
        yield "overlap"
        if view:
            yield "va"
    if same:
        yield "same-range"
    if view and (same or (initial and a.location == b.location)):
        yield "vloc"
