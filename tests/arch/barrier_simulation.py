"""A second account of barriers, to compare with: threads that take their steps one after the other.

It knows no shortcuts: every order of steps is tried, and what can be seen of each end is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

Where = tuple[int, int]
Pairs = frozenset[tuple[Where, Where]]
#: The CTA and the number of a CTA barrier.
Barrier = tuple[tuple[int, int], str]


@dataclass(frozen=True)
class Thread:
    """The cluster and CTA of a thread, its instructions, and whether it loops for ever behind them.

    Each instruction gives one event.
    """

    cta: tuple[int, int]
    code: tuple[str, ...]
    loops: bool = False


@dataclass(frozen=True)
class State:
    """How many events each thread began, who waits at its last, and who came together so far.

    A phase is a barrier, its arrivals, and whether it is complete.
    """

    begun: tuple[int, ...]
    waiting: frozenset[int] = frozenset()
    phases: tuple[tuple[Barrier, frozenset[Where], bool], ...] = ()


@dataclass(frozen=True)
class End:
    """What can be seen of an end: who met whom, how far each thread came, who waits for ever."""

    syncbar: Pairs
    phase: Pairs
    lengths: tuple[int, ...]
    stuck: frozenset[int]


@dataclass(frozen=True)
class Trace:
    """One order of steps: its end, and when each event began and was passed."""

    end: End
    begun: dict[Where, int]
    passed: dict[Where, int]


class Simulation:
    def __init__(self, threads: Sequence[Thread]) -> None:
        self._threads = threads
        self._start = State((0,) * len(threads))

    def ends(self) -> set[End]:
        """The ends of all orders of steps."""
        seen, pending, found = {self._start}, [self._start], set()
        while pending:
            state = pending.pop()
            after = [self._step(state, thread) for thread in self._movable(state)]
            if not after:
                found.add(self._end(state))
            pending += set(after) - seen
            seen |= set(after)
        return found

    def trace(self, choose: Callable[[list[int]], int]) -> Trace:
        """The order of steps in which the next thread is always the one chosen."""
        state, clock = self._start, 0
        begun: dict[Where, int] = {}
        passed: dict[Where, int] = {}
        while movable := self._movable(state):
            clock += 2
            thread = choose(movable)
            begun[(thread, state.begun[thread])] = clock
            state = self._step(state, thread)
            for where in begun:
                if not self._waits_at(state, where):
                    passed.setdefault(where, clock + 1)
        return Trace(self._end(state), begun, passed)

    def _code(self, where: Where) -> str:
        return self._threads[where[0]].code[where[1]]

    def _movable(self, state: State) -> list[int]:
        return [
            number
            for number, thread in enumerate(self._threads)
            if number not in state.waiting and state.begun[number] < len(thread.code)
        ]

    @staticmethod
    def _waits_at(state: State, where: Where) -> bool:
        return where[0] in state.waiting and where[1] == state.begun[where[0]] - 1

    def _step(self, state: State, thread: int) -> State:
        where = (thread, state.begun[thread])
        code = self._code(where)
        counts = list(state.begun)
        counts[thread] += 1
        after = replace(state, begun=tuple(counts))
        if "wait" in code or "sync" in code:
            after = replace(after, waiting=state.waiting | {thread})
        if code.startswith("bar."):
            after = replace(after, phases=self._joined(state, where))
        while (settled := self._settled(after)) != after:
            after = settled
        return after

    def _joined(
        self, state: State, where: Where
    ) -> tuple[tuple[Barrier, frozenset[Where], bool], ...]:
        """The phases when a thread has arrived: in the first open one that it is not in."""
        barrier = self._barrier(where)
        phases = list(state.phases)
        for position, (other, arrivals, complete) in enumerate(phases):
            strange = all(thread != where[0] for thread, _ in arrivals)
            if other == barrier and not complete and strange:
                phases[position] = (barrier, arrivals | {where}, False)
                return tuple(phases)
        return (*phases, (barrier, frozenset({where}), False))

    def _barrier(self, where: Where) -> Barrier:
        number = self._code(where).split()[1].rstrip(",")
        return self._threads[where[0]].cta, number

    def _settled(self, state: State) -> State:
        """The state when a phase that is full is complete, and a cluster's wait is over."""
        for position, (barrier, arrivals, complete) in enumerate(state.phases):
            earlier = state.phases[:position]
            if complete or any(other == barrier and not done for other, _, done in earlier):
                continue
            if self._is_full(state, barrier, arrivals):
                phases = (*earlier, (barrier, arrivals, True), *state.phases[position + 1 :])
                here = {thread for thread, index in arrivals if index == state.begun[thread] - 1}
                return replace(state, phases=phases, waiting=state.waiting - here)
        over = {t for t in state.waiting if self._is_over(state, (t, state.begun[t] - 1))}
        return replace(state, waiting=state.waiting - over)

    def _is_full(self, state: State, barrier: Barrier, arrivals: frozenset[Where]) -> bool:
        count = self._code(min(arrivals)).partition(",")[2]
        if count:
            return len(arrivals) == int(count)
        arrived = {thread for thread, _ in arrivals}
        others = {n for n, thread in enumerate(self._threads) if thread.cta == barrier[0]} - arrived
        return all(self._exited(state, other) for other in others)

    def _is_over(self, state: State, where: Where) -> bool:
        if "cluster.wait" not in self._code(where):
            return False
        wanted = self._arrivals(where[0], where[1])
        return all(
            self._exited(state, other) or self._arrivals(other, state.begun[other]) >= wanted
            for other in self._cluster(where[0])
        )

    def _arrivals(self, thread: int, length: int) -> int:
        return sum("cluster.arrive" in code for code in self._threads[thread].code[:length])

    def _cluster(self, thread: int) -> list[int]:
        cluster = self._threads[thread].cta[0]
        return [n for n, other in enumerate(self._threads) if other.cta[0] == cluster]

    def _exited(self, state: State, thread: int) -> bool:
        code = self._threads[thread]
        return (
            state.begun[thread] == len(code.code) and thread not in state.waiting and not code.loops
        )

    def _end(self, state: State) -> End:
        syncbar = {
            (x, y)
            for _, arrivals, complete in state.phases
            if complete
            for x, y in product(arrivals, arrivals)
            if x != y and "sync" in self._code(y)
        }
        events = [(t, i) for t, length in enumerate(state.begun) for i in range(length)]
        phase = {
            (x, y)
            for x, y in product(events, events)
            if "cluster.arrive" in self._code(x)
            and "cluster.wait" in self._code(y)
            and not self._waits_at(state, y)
            and x[0] in self._cluster(y[0])
            and self._arrivals(x[0], x[1] + 1) == self._arrivals(*y)
        }
        return End(frozenset(syncbar), frozenset(phase), state.begun, state.waiting)
