"""CTA barriers: which arrivals make up a phase, who gets stuck, and what that orders (§8.9.4).

In PTX a phase of a barrier takes exactly as many arrivals as its count says; without a count, it is
complete when every thread of the CTA has arrived or exited. Which arrivals meet where more threads
come than a count asks for is a choice of the execution.

The public `dat3m` tests mean something else by the same words: `bar.cta.sync i, a, b` waits until
every thread of the CTA that has a barrier of instance `i` in its text reached it with the same
number `a`, or, with a quorum `b`, until at least `b` did; some `b` or more of those then
synchronise and the others pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeVar

from catpy.arch.program import End, Join, Path
from catpy.arch.ptx.arithmetic import REDUCTIONS
from catpy.arch.terms import Expression, compute
from catpy.source import Span

_T = TypeVar("_T")

#: From the arrivals of a phase to those that wait in it; and what barriers order in time besides.
RELATIONS = frozenset({"syncbar", "barorder", "phase", "api"})

#: An arrival by its thread and the index of its event.
Where = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a barrier instruction asks for. `verb` is `sync`, `arrive` or `red`."""

    barrier: int | None
    count: int | None
    instance: int | None
    verb: str
    reduction: str | None
    predicate: Expression | None
    span: Span

    @property
    def waits(self) -> bool:
        return self.verb != "arrive"


@dataclass(frozen=True)
class Phase:
    """Arrivals that meet at a barrier; `ordinal` counts the phases of a barrier from 0."""

    barrier: object
    ordinal: int
    arrivals: frozenset[Where]
    complete: bool = True


@dataclass(frozen=True)
class Grouping:
    """The phases of the barriers of a CTA, and where its stuck threads wait."""

    phases: frozenset[Phase]
    stuck: frozenset[Where]


@dataclass(frozen=True)
class Member:
    """A thread of a CTA as far as barriers go: its arrivals in program order, and its end."""

    thread: int
    arrivals: tuple[tuple[int, Arrival], ...]
    end: End
    #: Barrier instances in the text of the thread, with the number each asks for if it is written.
    instances: frozenset[tuple[int, int | None]]


def joins(
    paths: Sequence[Path],
    ctas: Mapping[int, tuple[int, ...]],
    instances: Mapping[int, frozenset[tuple[int, int | None]]],
    dialect: str,
) -> Iterator[Join]:
    """Every way the barrier arrivals of these paths can meet, one join for each.

    In which order phases came about is a witness, where arrivals meet in the same way.
    """
    members: dict[tuple[int, ...], list[Member]] = {}
    for path in paths:
        arrivals = tuple((i, n) for i, n in sorted(path.notes.items()) if isinstance(n, Arrival))
        member = Member(path.thread, arrivals, path.end, instances[path.thread])
        members.setdefault(ctas[path.thread], []).append(member)
    group = instance_groupings if dialect == "dat3m" else phase_groupings
    found: dict[tuple[object, ...], Join] = {}
    for groupings in product(*(group(cta) for cta in members.values())):
        join = _join(paths, list(zip(members.values(), groupings, strict=True)))
        meetings = frozenset(
            (p.barrier, p.arrivals, p.complete) for g in groupings for p in g.phases
        )
        same = found.setdefault((meetings, join.stuck), join)
        if join.witnesses[0] not in same.witnesses:
            more = (*same.witnesses, *join.witnesses)
            found[(meetings, join.stuck)] = replace(same, witnesses=more)
    yield from found.values()


def _join(paths: Sequence[Path], ctas: Sequence[tuple[Sequence[Member], Grouping]]) -> Join:
    stuck = {thread: index for _, grouping in ctas for thread, index in grouping.stuck}
    lengths = {
        path.thread: stuck[path.thread] + 1 if path.thread in stuck else len(path.events)
        for path in paths
    }
    arrivals = {
        (path.thread, index): note
        for path in paths
        for index, note in path.notes.items()
        if isinstance(note, Arrival)
    }
    sync: set[tuple[Where, Where]] = set()
    after: set[tuple[Where, Where]] = set()
    values: dict[Where, Expression] = {}
    for cta, grouping in ctas:
        for phase in grouping.phases:
            after |= _later_arrivals(phase, grouping, arrivals)
            if phase.complete:
                waiting = [where for where in phase.arrivals if arrivals[where].waits]
                sync |= {(x, y) for x in phase.arrivals for y in waiting if x != y}
                after |= {(x, y) for x in _exits(phase, cta, lengths, arrivals) for y in waiting}
                values |= _reductions(sorted(phase.arrivals), arrivals)
    return Join(
        tuple(lengths.values()),
        {"syncbar": frozenset(sync), "phase": frozenset(), "api": frozenset()},
        values,
        frozenset(stuck),
        ({"barorder": frozenset(after)},),
        next((d for _, g in ctas for p in g.phases if (d := _disagreement(p, arrivals))), None),
    )


def _later_arrivals(
    phase: Phase, grouping: Grouping, arrivals: Mapping[Where, Arrival]
) -> set[tuple[Where, Where]]:
    """From the arrivals of a phase to those of later ones that cannot have come before its end.

    Such a thread had no part in the phase, else it would have joined it; or it waited for its end.
    """
    passed_through = {t for t, i in phase.arrivals if not arrivals[(t, i)].waits}
    return {
        (x, y)
        for later in grouping.phases
        if later.barrier == phase.barrier and later.ordinal > phase.ordinal
        for y in later.arrivals
        if y[0] not in passed_through
        for x in phase.arrivals
    }


def _exits(
    phase: Phase,
    cta: Sequence[Member],
    lengths: Mapping[int, int],
    arrivals: Mapping[Where, Arrival],
) -> list[Where]:
    """All events of the threads for whose exit a phase without a count had to wait."""
    if any(
        arrivals[where].count is not None or arrivals[where].instance is not None
        for where in phase.arrivals
    ):
        return []
    arrived = {thread for thread, _ in phase.arrivals}
    exited = [member.thread for member in cta if member.thread not in arrived]
    return [(thread, index) for thread in exited for index in range(lengths[thread])]


def _disagreement(phase: Phase, arrivals: Mapping[Where, Arrival]) -> tuple[str, Span] | None:
    """An error of the test: a phase whose arrivals ask for different counts."""
    found = [arrivals[where] for where in phase.arrivals]
    if found[0].instance is not None or len({arrival.count for arrival in found}) == 1:
        return None
    span = max((arrival.span for arrival in found), key=lambda span: span.start)
    return "the counts of this barrier disagree within a phase", span


def _reductions(
    phase: Sequence[Where], arrivals: Mapping[Where, Arrival]
) -> dict[Where, Expression]:
    """What the `red` arrivals of a phase return: the reduction of the predicates of all of them."""
    operands = [p for where in phase if (p := arrivals[where].predicate) is not None]
    results: dict[Where, Expression] = {}
    for where in phase:
        reduction = arrivals[where].reduction
        if reduction is not None:
            results[where] = compute(REDUCTIONS[reduction], *operands)
    return results


# PTX: phases


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


# Dat3M: instances


def instance_groupings(cta: Sequence[Member]) -> list[Grouping]:
    """The groupings of instance barriers: who passes is settled, who synchronises may not be."""
    reached = {member.thread: len(member.arrivals) for member in cta}
    stuck: dict[int, int] = {}
    while blocked := _first_blocked(cta, reached, stuck):
        member, position = blocked
        reached[member.thread] = position + 1
        stuck[member.thread] = member.arrivals[position][0]
    groups: dict[tuple[object, ...], list[tuple[Where, Arrival]]] = {}
    for member in cta:
        for position, (index, arrival) in enumerate(member.arrivals[: reached[member.thread]]):
            if stuck.get(member.thread) != index:
                key = (arrival.instance, _occurrence(member, position), arrival.barrier)
                groups.setdefault(key, []).append(((member.thread, index), arrival))
    choices = [
        [Phase(key, 0, arrivals) for arrivals in _synchronising(group)]
        for key, group in groups.items()
    ]
    return [Grouping(frozenset(chosen), frozenset(stuck.items())) for chosen in product(*choices)]


def _first_blocked(
    cta: Sequence[Member], reached: Mapping[int, int], stuck: Mapping[int, int]
) -> tuple[Member, int] | None:
    """An arrival that is reached and waits for ever, of a thread not known to be stuck there."""
    for member in cta:
        for position, (index, arrival) in enumerate(member.arrivals[: reached[member.thread]]):
            if arrival.waits and stuck.get(member.thread) != index:
                if not _passes(member, position, cta, reached):
                    return member, position
    return None


def _passes(
    member: Member, position: int, cta: Sequence[Member], reached: Mapping[int, int]
) -> bool:
    _, arrival = member.arrivals[position]
    occurrence = _occurrence(member, position)
    met = [
        _reaches(other, arrival, occurrence, reached[other.thread], arrival.count is None)
        for other in cta
    ]
    if arrival.count is not None:
        return sum(answer is True for answer in met) >= arrival.count
    return all(answer is not False for answer in met)


def _reaches(
    member: Member, arrival: Arrival, occurrence: int, reached: int, needed: bool
) -> bool | None:
    """Whether a thread reaches this barrier; None where it has no part in it."""
    for position, (_, own) in enumerate(member.arrivals):
        same = own.instance == arrival.instance and _occurrence(member, position) == occurrence
        if same:
            return position < reached if own.barrier == arrival.barrier else None
    if not needed or occurrence:
        return None
    numbers = {number for instance, number in member.instances if instance == arrival.instance}
    # A barrier that is jumped over blocks the others, unless it surely has another number.
    return False if numbers & {arrival.barrier, None} else None


def _occurrence(member: Member, position: int) -> int:
    """How many arrivals of the same instance the thread made before."""
    instance = member.arrivals[position][1].instance
    return sum(arrival.instance == instance for _, arrival in member.arrivals[:position])


def _synchronising(group: list[tuple[Where, Arrival]]) -> Iterator[frozenset[Where]]:
    """The sets of arrivals of one barrier that may synchronise."""
    everybody = [where for where, _ in group]
    quorum = max((arrival.count or 0 for _, arrival in group), default=0)
    if not quorum:
        yield frozenset(everybody)
        return
    for size in range(quorum, len(everybody) + 1):
        yield from map(frozenset, combinations(everybody, size))
