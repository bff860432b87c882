"""Barriers of CTAs and clusters: the joint choices of all threads, and what they order (§8.9.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from catpy.arch.program import Join, Path
from catpy.arch.ptx.arithmetic import REDUCTIONS
from catpy.arch.ptx.arrivals import Arrival, Grouping, Member, Phase, Step, Where
from catpy.arch.ptx.instances import instance_groupings
from catpy.arch.ptx.phases import phase_groupings
from catpy.arch.ptx.placement import Place
from catpy.arch.terms import Expression, compute
from catpy.source import Span

#: `syncbar`: from the arrivals of a phase of a CTA barrier to those that wait in it. `phase`: from
#: the arrivals in a phase of a cluster to the waits for it, also of the same thread, which come
#: later in program order anyway. `barorder`: what barriers order in time besides.
RELATIONS = frozenset({"syncbar", "phase", "barorder"})


def joins(
    paths: Sequence[Path],
    places: Mapping[int, Place],
    instances: Mapping[int, frozenset[tuple[int, int | None]]],
    dialect: str,
) -> Iterator[Join]:
    """Every way these paths can meet at barriers, one join for each.

    In which order phases came about is a witness, where threads meet in the same way; so is who met
    whom where nobody waits.
    """
    units = _units([_member(path, places, instances) for path in paths])
    group = instance_groupings if dialect == "dat3m" else phase_groupings
    found: dict[tuple[object, ...], Join] = {}
    for groupings in product(*map(group, units)):
        join = _join(paths, list(zip(units, groupings, strict=True)))
        meetings = (join.stuck, join.lengths, tuple(join.pairs.items()), join.defect)
        same = found.setdefault(meetings, join)
        if join.witnesses[0] not in same.witnesses:
            found[meetings] = replace(same, witnesses=(*same.witnesses, *join.witnesses))
    yield from found.values()


def _member(
    path: Path,
    places: Mapping[int, Place],
    instances: Mapping[int, frozenset[tuple[int, int | None]]],
) -> Member:
    steps = tuple((i, note) for i, note in sorted(path.notes.items()) if isinstance(note, Step))
    return Member(path.thread, places[path.thread], steps, path.end, instances[path.thread])


def _units(members: Sequence[Member]) -> list[list[Member]]:
    """The threads that depend on each other: of a cluster that uses its barrier, else of a CTA."""
    used = {member.place.cluster for member in members if member.cluster_steps}
    units: dict[tuple[int, ...], list[Member]] = {}
    for member in members:
        place = member.place
        units.setdefault(place.cluster if place.cluster in used else place.cta, []).append(member)
    return list(units.values())


def _join(paths: Sequence[Path], units: Sequence[tuple[Sequence[Member], Grouping]]) -> Join:
    stuck = {thread: index for _, grouping in units for thread, index in grouping.stuck}
    lengths = {
        path.thread: stuck[path.thread] + 1 if path.thread in stuck else len(path.events)
        for path in paths
    }
    effects = _Effects()
    for unit, grouping in units:
        _meet_in_ctas(unit, grouping, lengths, effects)
        _meet_in_cluster(unit, grouping, lengths, effects)
    return Join(
        tuple(lengths.values()),
        {"syncbar": frozenset(effects.syncbar), "phase": frozenset(effects.phase)},
        effects.values,
        frozenset(stuck),
        ({"barorder": frozenset(effects.barorder)},),
        effects.defect,
    )


@dataclass
class _Effects:
    """What comes of a grouping: relations, what reductions return, an error of the test."""

    syncbar: set[tuple[Where, Where]] = field(default_factory=set)
    phase: set[tuple[Where, Where]] = field(default_factory=set)
    barorder: set[tuple[Where, Where]] = field(default_factory=set)
    values: dict[Where, Expression] = field(default_factory=dict)
    defect: tuple[str, Span] | None = None


def _meet_in_ctas(
    unit: Sequence[Member], grouping: Grouping, lengths: Mapping[int, int], effects: _Effects
) -> None:
    arrivals = {(member.thread, i): note for member in unit for i, note in member.arrivals}
    for phase in grouping.phases:
        effects.barorder |= _later_arrivals(phase, grouping, arrivals)
        effects.defect = effects.defect or _disagreement(phase, arrivals)
        if phase.complete:
            waits = [where for where in phase.arrivals if arrivals[where].waits]
            effects.syncbar |= {(x, y) for x in phase.arrivals for y in waits if x != y}
            effects.barorder |= set(product(_exits(phase, unit, lengths, arrivals), waits))
            effects.values |= _reductions(sorted(phase.arrivals), arrivals)


def _meet_in_cluster(
    unit: Sequence[Member], grouping: Grouping, lengths: Mapping[int, int], effects: _Effects
) -> None:
    """A wait that was passed comes behind the arrivals in its phase, and behind the other exits."""
    arrived: dict[int, list[Where]] = {}
    passed: dict[int, list[Where]] = {}
    for member in unit:
        for index, step in member.cluster_steps:
            where = (member.thread, index)
            if index < lengths[member.thread] and where not in grouping.stuck:
                (passed if step.waits else arrived).setdefault(step.phase, []).append(where)
    for phase, waits in passed.items():
        effects.phase |= set(product(arrived[phase], waits))
        threads = {thread for thread, _ in arrived[phase]}
        effects.barorder |= set(product(_others(unit, threads, lengths), waits))


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
    unit: Sequence[Member],
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
    ctas = {member.place.cta for member in unit if member.thread in arrived}
    return _others([member for member in unit if member.place.cta in ctas], arrived, lengths)


def _others(
    unit: Sequence[Member], arrived: Collection[int], lengths: Mapping[int, int]
) -> list[Where]:
    """All events of the threads that did not arrive."""
    others = [member.thread for member in unit if member.thread not in arrived]
    return [(thread, index) for thread in others for index in range(lengths[thread])]


def _disagreement(phase: Phase, arrivals: Mapping[Where, Arrival]) -> tuple[str, Span] | None:
    """An error of the test: a phase whose arrivals ask for different counts or reductions.

    That a reduction meets a `sync` or an `arrive` is none: 8.9.4 (2) says what that orders, though
    the page of `bar` calls such executions unpredictable. They have no part in the reduction.
    """
    found = [arrivals[where] for where in phase.arrivals]
    if found[0].instance is not None:
        return None
    span = max((arrival.span for arrival in found), key=lambda span: span.start)
    if len({arrival.count for arrival in found}) > 1:
        return "the counts of this barrier disagree within a phase", span
    if len({arrival.reduction for arrival in found} - {None}) > 1:
        return "the reductions of this barrier disagree within a phase", span
    return None


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
