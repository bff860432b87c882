"""What the CUDA API orders (§8.9.4, "API synchronization"), and which kernels come to run.

The calls of the host are followed through streams, events and graphs; what happens on the way
(calls made and returned from, tasks started and completed) are moments, each after some others.
Between moments runs what §8.9.4 calls synchronizing; the relation `api` is what that comes to
between events of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from catpy.arch.program import End, Join, Path, Relations
from catpy.arch.ptx.calls import Made
from catpy.arch.ptx.kernels import HostSide, node_order
from catpy.arch.terms import Expression
from catpy.errors import TestError
from catpy.litmus.syntax import Barrier, Call, Graph, Launch, Name, Query, Record, Sync, Wait
from catpy.source import Span

RELATIONS = frozenset({"api"})

#: An event by its thread and its index there.
Where = tuple[int, int]

#: What registers hold, by thread.
Registers = Mapping[int, Mapping[str, Expression]]


class Moments:
    """Moments by number, each after some earlier ones. One that waits for ever never comes."""

    def __init__(self) -> None:
        self._before: list[int] = []
        self._comes: list[bool] = []

    def add(self, *after: int | None, comes: bool = True) -> int:
        """A moment after those given; it comes if they do and if it is let."""
        earlier = [moment for moment in after if moment is not None]
        before = 0
        for moment in earlier:
            before |= self._before[moment] | 1 << moment
        self._before.append(before)
        self._comes.append(comes and all(map(self.comes, earlier)))
        return len(self._before) - 1

    def comes(self, moment: int) -> bool:
        """Whether a moment ever comes."""
        return self._comes[moment]

    def precedes(self, first: int, second: int) -> bool:
        """Whether one moment is before another."""
        return bool(self._before[second] >> first & 1)


class Course:
    """The course of the host's calls: first those of the `host` block, then those that are made.

    `completes` says of a kernel whether all its threads come to their end, once it starts.
    `kernels` are start and end of each that was launched, `begin` is where host threads begin. A
    course is not `possible` where a query was answered as it cannot be; `defect` is a mistake.
    """

    def __init__(self, side: HostSide, completes: Callable[[str], bool]) -> None:
        self.moments = Moments()
        self.kernels: dict[str, tuple[int, int]] = {}
        self.possible = True
        self.defect: tuple[str, Span] | None = None
        self._side = side
        self._completes = completes
        #: The completion of the last task of each stream, and of the latest record of each event.
        self._last: dict[str, int] = {}
        self._records: dict[str, int] = {}
        self.begin = self._now = self.moments.add()
        for call in side.block:
            _, self.begin = self.make(call, self.begin)

    def make(self, call: Call, before: int, done: bool = True) -> tuple[int, int]:
        """Makes a call after a moment: its start and its return. A query was answered `done`."""
        start = self._now = self.moments.add(before)  # (5): what it enqueues starts after this
        awaited: list[int] = []
        match call:
            case Launch(task, stream):
                self._launch(task, stream.text, start)
            case Record(event, stream):
                self._records[event.text] = self._enqueue(stream.text, start)
            case Wait(stream, event):
                self._enqueue(stream.text, start, *self._record(event))
            case Barrier():
                self._barrier(start)
            case Sync(handle):
                awaited = self._awaited(handle)
            case Query(_, handle):
                awaited = self._answered(handle, start, done)
        return start, self.moments.add(start, *awaited)

    def _enqueue(self, stream: str, *after: int) -> int:
        """(1), (2): a task without effects of its own, behind the last one of its stream."""
        self._last[stream] = self.moments.add(self._last.get(stream), *after)
        return self._last[stream]

    def _launch(self, task: Name, stream: str, start: int) -> None:
        """(1): a kernel or graph starts when the task before it in its stream is completed."""
        begin = self._enqueue(stream, start)
        if task.text in self._side.graphs:
            self._last[stream] = self._graph(self._side.graphs[task.text], task, begin)
        else:
            self._last[stream] = self._kernel(task, begin)

    def _kernel(self, name: Name, begin: int) -> int:
        """(3): a kernel begins before all its threads do and ends after they do."""
        if name.text in self.kernels:
            self._mistake(f"`{name}` is launched twice", name.span)
            return begin
        end = self.moments.add(begin, comes=self._completes(name.text))
        self.kernels[name.text] = begin, end
        return end

    def _graph(self, graph: Graph, launched: Name, begin: int) -> int:
        """(4): sources start with the graph, the others after those they directly depend on."""
        if any(node.text in self.kernels for node in graph.nodes):
            self._mistake(f"`{graph.name}` is launched twice", launched.span)
            return begin
        ends: dict[str, int] = {}
        for node in node_order(graph):
            needed = [ends[first.text] for first, second in graph.edges if second.text == node]
            ends[node] = self._kernel(Name(node, launched.span), self.moments.add(begin, *needed))
        return self.moments.add(*ends.values())

    def _barrier(self, start: int) -> None:
        """(2): in every stream an arrival, and a wait for the arrivals of all."""
        streams = self._side.streams
        arrivals = [self._enqueue(stream, start) for stream in streams]
        for stream in streams:
            self._enqueue(stream, *arrivals)

    def _record(self, event: Name) -> list[int]:
        """(6): the latest record of an event, if any; what asks for it before waits for nothing."""
        return [self._records[event.text]] if event.text in self._records else []

    def _awaited(self, handle: Name | None) -> list[int]:
        """(6): what a synchronization with a stream, an event or the device waits for."""
        if handle is None:
            return list(self._last.values())
        if handle.text in self._side.streams:
            return [self._last[handle.text]] if handle.text in self._last else []
        return self._record(handle)

    def _answered(self, handle: Name, start: int, done: bool) -> list[int]:
        """(7): a query that found something done is like a synchronization that returned.

        It cannot find done what never is, nor not done what was known to be when it was made.
        """
        awaited = self._awaited(handle)
        if done:
            found = all(map(self.moments.comes, awaited))
        else:
            found = not all(self.moments.precedes(moment, start) for moment in awaited)
        if self.moments.comes(start) and not found:
            self.possible = False
        return awaited if done else []

    def _mistake(self, message: str, span: Span) -> None:
        """Notes the first mistake, unless the call is never made."""
        if self.moments.comes(self._now):
            self.defect = self.defect or (message, span)


def check_course(side: HostSide, paths: Mapping[int, Sequence[Path]]) -> None:
    """Raises TestError for mistakes that are made whatever the threads of the host read."""
    course = Course(side, lambda kernel: True)
    for thread in side.threads:
        if len(paths[thread]) == 1:
            _follow(course, paths[thread][0])
    if course.defect is not None:
        raise TestError(*course.defect)


def _follow(course: Course, path: Path) -> dict[int, tuple[int, int]]:
    """Makes the calls of a host thread: start and return of each, by the index of its event."""
    made: dict[int, tuple[int, int]] = {}
    moment = course.begin
    for index, note in sorted(path.notes.items()):
        if isinstance(note, Made):
            made[index] = course.make(note.call, moment, note.done)
            _, moment = made[index]
    return made


# Joint choices


def joins(
    found: Iterable[Join], paths: Sequence[Path], side: HostSide, initially: Registers
) -> Iterator[Join]:
    """Those of the joint choices that the host allows, with `api` and what never happens left out.

    Threads of a kernel that is launched and never starts, and of the host behind a call that never
    returns, are stuck there. Those of a kernel that is not launched on these ways are absent: their
    registers stay as they are `initially`.
    """
    for join in found:
        if not side.launched and not side.threads:
            yield replace(join, pairs={**join.pairs, "api": frozenset()})
        elif (followed := _followed(join, paths, side, initially)) is not None:
            yield followed


def _followed(
    join: Join, paths: Sequence[Path], side: HostSide, initially: Registers
) -> Join | None:
    """A joint choice with what the host adds; None where a query cannot have been answered so."""
    ways = {path.thread: path for path in paths}

    def completes(kernel: str) -> bool:
        threads = side.kernels[kernel]
        return all(ways[t].end is End.DONE and t not in join.stuck for t in threads)

    course = Course(side, completes)
    calls = {thread: _follow(course, ways[thread]) for thread in side.threads}
    if not course.possible:
        return None
    stops = dict(_stops(course, side, calls))
    kernels = [kernel for kernel in side.launched if kernel not in course.kernels]
    absent = {thread: initially[thread] for kernel in kernels for thread in side.kernels[kernel]}
    lengths = {**dict(zip(ways, join.lengths, strict=True)), **stops, **dict.fromkeys(absent, 0)}
    if stops or absent:
        stuck = join.stuck.union(stops).difference(absent)
        join = _shortened(join, ways, lengths, stuck)
    api = _api(course, side, calls, lengths)
    pairs = {**join.pairs, "api": api}
    return replace(join, pairs=pairs, defect=join.defect or course.defect, absent=absent)


#: Start and return of the calls of host threads, by the index of their events.
Calls = Mapping[int, Mapping[int, tuple[int, int]]]


def _stops(course: Course, side: HostSide, calls: Calls) -> Iterator[tuple[int, int]]:
    """The threads that the host keeps from their end, with how many events they perform."""
    comes = course.moments.comes
    for kernel in side.launched:
        if kernel in course.kernels and not comes(course.kernels[kernel][0]):
            for thread in side.kernels[kernel]:
                yield thread, 0
    for thread in side.threads:
        if not comes(course.begin):
            yield thread, 0
        elif pending := [index for index, (_, back) in calls[thread].items() if not comes(back)]:
            yield thread, min(pending) + 1


def _api(
    course: Course, side: HostSide, calls: Calls, lengths: Mapping[int, int]
) -> frozenset[tuple[Where, Where]]:
    """The pairs of events of which the first is over, for the API, before the second begins.

    What an event of a host thread is before, beyond its thread, is what its calls are before.
    """
    leaving: list[tuple[int, list[Where]]] = []
    entering: list[tuple[int, list[Where]]] = []
    for kernel, (begin, end) in course.kernels.items():
        threads = side.kernels[kernel]
        events = [(thread, index) for thread in threads for index in range(lengths[thread])]
        entering.append((begin, events))
        leaving.append((end, events))
    for thread in side.threads:
        entering.append((course.begin, [(thread, index) for index in range(lengths[thread])]))
        for index, (start, back) in calls[thread].items():
            if index < lengths[thread]:
                leaving.append((start, [(thread, index)]))
                entering.append((back, [(thread, index)]))
    moments = course.moments
    return frozenset(
        (x, y)
        for first, before in leaving
        for second, after in entering
        if moments.precedes(first, second) and moments.comes(second)
        for x in before
        for y in after
        if x[0] != y[0]
    )


def _shortened(
    join: Join, ways: Mapping[int, Path], lengths: Mapping[int, int], stuck: frozenset[int]
) -> Join:
    """A joint choice without what these threads do not come to do."""

    def kept(relations: Relations) -> Relations:
        return {
            name: frozenset((x, y) for x, y in pairs if happens(x) and happens(y))
            for name, pairs in relations.items()
        }

    def happens(where: Where) -> bool:
        return where[1] < lengths[where[0]]

    witnesses: list[Relations] = []
    for witness in map(kept, join.witnesses):
        if witness not in witnesses:
            witnesses.append(witness)
    events = [event for thread, path in ways.items() for event in path.events[: lengths[thread]]]
    defect = join.defect
    if defect is not None and all(event.span != defect[1] for event in events):
        defect = None
    return replace(
        join,
        lengths=tuple(lengths[thread] for thread in ways),
        pairs=kept(join.pairs),
        values={where: value for where, value in join.values.items() if happens(where)},
        stuck=stuck,
        witnesses=tuple(witnesses),
        defect=defect,
    )
