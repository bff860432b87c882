"""Barriers of PTX: which arrivals make up a phase, and who waits for ever (§8.9.4).

A phase of a barrier takes exactly as many arrivals as its count says; without a count, it is
complete when every thread of the CTA has arrived or exited. Which arrivals meet where more threads
come than a count asks for is a choice of the execution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from catpy.arch.program import End
from catpy.arch.ptx.arrivals import Arrival, Grouping, Member, Phase, Where

_T = TypeVar("_T")


@dataclass(frozen=True)
class _Progress:
    """How far the threads of a CTA came: open phases of each barrier, and who waits where."""

    position: tuple[int, ...]
    waiting: tuple[Where | None, ...]
    open: tuple[tuple[int, frozenset[Where]], ...]
    closed: frozenset[Phase]


def phase_groupings(cta: Sequence[Member]) -> list[Grouping]:
    """The groupings that some order of arrivals leads to."""
    arrivals = {(m.thread, index): note for m in cta for index, note in m.arrivals}
    start = _Progress((0,) * len(cta), (None,) * len(cta), (), frozenset())
    seen, pending = {start}, [start]
    found: dict[Grouping, None] = {}
    while pending:
        progress = _complete(pending.pop(), cta, arrivals)
        moves = [
            _arrived(progress, who, member, arrivals)
            for who, member in enumerate(cta)
            if progress.waiting[who] is None and progress.position[who] < len(member.arrivals)
        ]
        if not moves:
            stuck = frozenset(where for where in progress.waiting if where is not None)
            found[Grouping(progress.closed | _unfinished(progress), stuck)] = None
        for move in moves:
            if move not in seen:
                seen.add(move)
                pending.append(move)
    return list(found)


def _unfinished(progress: _Progress) -> frozenset[Phase]:
    """The phases that nobody completes."""
    ordinals = Counter(phase.barrier for phase in progress.closed)
    phases = set()
    for barrier, where in progress.open:
        phases.add(Phase(barrier, ordinals[barrier], where, complete=False))
        ordinals[barrier] += 1
    return frozenset(phases)


def _arrived(
    progress: _Progress, who: int, member: Member, arrivals: Mapping[Where, Arrival]
) -> _Progress:
    """One thread arrives at its next barrier, in the first open phase that it is not in yet."""
    index, arrival = member.arrivals[progress.position[who]]
    where = (member.thread, index)
    barrier = arrival.barrier or 0
    phases, placed = [], False
    for number, phase in progress.open:
        if not placed and number == barrier and all(t != member.thread for t, _ in phase):
            phase, placed = phase | {where}, True
        phases.append((number, phase))
    if not placed:
        phases.append((barrier, frozenset({where})))
    position = _replaced(progress.position, who, progress.position[who] + 1)
    waiting = _replaced(progress.waiting, who, where) if arrival.waits else progress.waiting
    return _Progress(position, waiting, tuple(phases), progress.closed)


def _replaced(items: tuple[_T, ...], at: int, item: _T) -> tuple[_T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _complete(
    progress: _Progress, cta: Sequence[Member], arrivals: Mapping[Where, Arrival]
) -> _Progress:
    """Closes every phase that is complete and lets those who wait in it go on."""
    seen: set[int] = set()
    for position, (barrier, phase) in enumerate(progress.open):
        # A later phase of a barrier never overtakes an earlier one.
        if barrier not in seen and _is_complete(phase, progress, cta, arrivals):
            rest = progress.open[:position] + progress.open[position + 1 :]
            waiting = tuple(None if where in phase else where for where in progress.waiting)
            ordinal = sum(other.barrier == barrier for other in progress.closed)
            closed = progress.closed | {Phase(barrier, ordinal, phase)}
            return _complete(_Progress(progress.position, waiting, rest, closed), cta, arrivals)
        seen.add(barrier)
    return progress


def _is_complete(
    phase: frozenset[Where],
    progress: _Progress,
    cta: Sequence[Member],
    arrivals: Mapping[Where, Arrival],
) -> bool:
    counts = {arrivals[where].count for where in phase}
    if len(counts) > 1:
        return False  # an error of the test, where a model allows it
    (count,) = counts
    if count is not None:
        return len(phase) == count
    arrived = {thread for thread, _ in phase}
    return all(
        member.thread in arrived or _has_exited(progress, who, member)
        for who, member in enumerate(cta)
    )


def _has_exited(progress: _Progress, who: int, member: Member) -> bool:
    """Whether a thread has no barrier left and came to its end: a cut one never does."""
    done = progress.position[who] == len(member.arrivals) and progress.waiting[who] is None
    return done and member.end is not End.CUT
