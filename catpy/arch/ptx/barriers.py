"""Barriers: the joint choices of all threads at them, and what those order (§8.9.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from catpy.arch.program import Join, Path
from catpy.arch.ptx.arithmetic import REDUCTIONS
from catpy.arch.ptx.arrivals import Arrival, Grouping, Member, Phase, Where
from catpy.arch.ptx.instances import instance_groupings
from catpy.arch.ptx.phases import phase_groupings
from catpy.arch.terms import Expression, compute
from catpy.source import Span

#: From the arrivals of a phase to those that wait in it; and what barriers order in time besides.
RELATIONS = frozenset({"syncbar", "barorder"})


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
        {"syncbar": frozenset(sync)},
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
