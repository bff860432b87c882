"""Barriers of PTX: which arrivals make up a phase, and who waits for ever (§8.9.4).

A phase of a CTA barrier takes exactly as many arrivals as its count says; without a count, it is
complete when every thread of the CTA has arrived or exited. Which arrivals meet where more threads
come than a count asks for is a choice of the execution.

The barrier of a cluster leaves no choice: the k-th arrival of each thread is in phase k, and a wait
passes when every thread of the cluster has arrived in the phase of its own thread's latest arrival,
or has exited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from catpy.arch.program import End
from catpy.arch.ptx.arrivals import Arrival, ClusterStep, Grouping, Member, Phase, Step, Where

_T = TypeVar("_T")

#: A CTA barrier: the CTA and the number.
_Barrier = tuple[tuple[int, ...], int]


def phase_groupings(unit: Sequence[Member]) -> list[Grouping]:
    """The groupings that some order of steps leads to.

    The threads are those of a CTA, or of a cluster: a thread that waits at one barrier for ever
    never comes to another.
    """
    explorer = _Explorer(unit)
    start = explorer.settled(_Progress((0,) * len(unit), (None,) * len(unit), (), frozenset()))
    seen, pending = {start}, [start]
    found: dict[Grouping, None] = {}
    while pending:
        progress = pending.pop()
        moves = explorer.moves(progress)
        if not moves:
            stuck = frozenset(where for where in progress.waiting if where is not None)
            found[Grouping(progress.closed | _unfinished(progress), stuck)] = None
        for move in moves:
            if move not in seen:
                seen.add(move)
                pending.append(move)
    return list(found)


@dataclass(frozen=True)
class _Progress:
    """How far the threads came: open phases of each CTA barrier, and who waits where."""

    position: tuple[int, ...]
    waiting: tuple[Where | None, ...]
    open: tuple[tuple[_Barrier, frozenset[Where]], ...]
    closed: frozenset[Phase]


class _Explorer:
    """What threads that meet at barriers can do, step by step."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._members = members
        self._steps: Mapping[Where, Step] = {
            (member.thread, index): step for member in members for index, step in member.steps
        }
        self._contested = _contested(members)

    def moves(self, progress: _Progress) -> list[_Progress]:
        """Where the next step of some thread leads.

        A step that takes no choice from anybody goes alone before the others: one at the barrier of
        the cluster, or at a CTA barrier where no more threads come than are waited for.
        """
        able = [
            who
            for who, member in enumerate(self._members)
            if progress.waiting[who] is None and progress.position[who] < len(member.steps)
        ]
        for who in able:
            member = self._members[who]
            _, step = member.steps[progress.position[who]]
            if isinstance(step, ClusterStep) or _barrier(member, step) not in self._contested:
                return [self._moved(progress, who)]
        return [self._moved(progress, who) for who in able]

    def _moved(self, progress: _Progress, who: int) -> _Progress:
        member = self._members[who]
        index, step = member.steps[progress.position[who]]
        where = (member.thread, index)
        after = replace(
            progress, position=_replaced(progress.position, who, progress.position[who] + 1)
        )
        if step.waits:
            after = replace(after, waiting=_replaced(progress.waiting, who, where))
        if isinstance(step, Arrival):
            after = replace(after, open=_joined(progress.open, _barrier(member, step), where))
        return self.settled(after)

    def settled(self, progress: _Progress) -> _Progress:
        """Closes every phase that is complete and lets those who wait for it go on."""
        while (after := self._released(self._with_one_closed(progress))) != progress:
            progress = after
        return progress

    # CTA barriers

    def _with_one_closed(self, progress: _Progress) -> _Progress:
        """Closes the first phase that is complete, if there is one."""
        seen: set[_Barrier] = set()
        for position, (barrier, phase) in enumerate(progress.open):
            # A later phase of a barrier never overtakes an earlier one.
            if barrier not in seen and self._is_complete(barrier, phase, progress):
                rest = progress.open[:position] + progress.open[position + 1 :]
                waiting = tuple(None if where in phase else where for where in progress.waiting)
                ordinal = sum(other.barrier == barrier for other in progress.closed)
                closed = progress.closed | {Phase(barrier, ordinal, phase)}
                return _Progress(progress.position, waiting, rest, closed)
            seen.add(barrier)
        return progress

    def _is_complete(self, barrier: _Barrier, phase: frozenset[Where], progress: _Progress) -> bool:
        counts = {step.count for w in phase if isinstance(step := self._steps[w], Arrival)}
        if len(counts) > 1:
            return False  # an error of the test, where a model allows it
        (count,) = counts
        if count is not None:
            return len(phase) == count
        arrived = {thread for thread, _ in phase}
        return all(
            member.thread in arrived or self._has_exited(progress, who)
            for who, member in enumerate(self._members)
            if member.place.cta == barrier[0]
        )

    def _has_exited(self, progress: _Progress, who: int) -> bool:
        """Whether a thread has no barrier left and came to its end: a cut one never does."""
        member = self._members[who]
        done = progress.position[who] == len(member.steps) and progress.waiting[who] is None
        return done and member.end is not End.CUT

    # The barrier of the cluster

    def _released(self, progress: _Progress) -> _Progress:
        """Lets those go on who wait for a phase of the cluster that is complete."""
        waiting = tuple(
            None if where is not None and self._passes(where, progress) else where
            for where in progress.waiting
        )
        return replace(progress, waiting=waiting)

    def _passes(self, where: Where, progress: _Progress) -> bool:
        step = self._steps[where]
        return isinstance(step, ClusterStep) and all(
            self._arrivals(progress, who) >= step.phase or self._has_exited(progress, who)
            for who in range(len(self._members))
        )

    def _arrivals(self, progress: _Progress, who: int) -> int:
        """How often a thread arrived at the barrier of its cluster."""
        done = self._members[who].steps[: progress.position[who]]
        return max((step.phase for _, step in done if isinstance(step, ClusterStep)), default=0)


def _contested(members: Sequence[Member]) -> set[_Barrier]:
    """The CTA barriers where the order of arrivals decides who meets whom."""
    counts: dict[_Barrier, set[int | None]] = {}
    users: dict[_Barrier, set[int]] = {}
    for member in members:
        for _, step in member.arrivals:
            barrier = _barrier(member, step)
            counts.setdefault(barrier, set()).add(step.count)
            users.setdefault(barrier, set()).add(member.thread)
    settled = {
        barrier
        for barrier, (count, *others) in counts.items()
        if not others and (count is None or count >= len(users[barrier]))
    }
    return counts.keys() - settled


def _barrier(member: Member, step: Arrival) -> _Barrier:
    return (member.place.cta, step.barrier or 0)


def _joined(
    phases: tuple[tuple[_Barrier, frozenset[Where]], ...], barrier: _Barrier, where: Where
) -> tuple[tuple[_Barrier, frozenset[Where]], ...]:
    """The open phases when a thread has arrived, in the first that it is not in yet."""
    for at, (other, phase) in enumerate(phases):
        if other == barrier and all(thread != where[0] for thread, _ in phase):
            return _replaced(phases, at, (barrier, phase | {where}))
    return (*phases, (barrier, frozenset({where})))


def _replaced(items: tuple[_T, ...], at: int, item: _T) -> tuple[_T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _unfinished(progress: _Progress) -> frozenset[Phase]:
    """The phases that nobody completes."""
    ordinals = Counter(phase.barrier for phase in progress.closed)
    phases = set()
    for barrier, where in progress.open:
        phases.add(Phase(barrier, ordinals[barrier], where, complete=False))
        ordinals[barrier] += 1
    return frozenset(phases)
