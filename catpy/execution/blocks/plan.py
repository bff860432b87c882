"""The order in which the unknowns of a question are settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from operator import truediv

from catpy.execution.blocks.block import (
    AlternativeStep,
    InsertStep,
    PairStep,
    SourceStep,
    Step,
)
from catpy.execution.blocks.question import Alternatives, Question, Sources
from catpy.relation.exact import ExactRelation
from catpy.relation.graph import Orders, Orientations, PartialOrders, Unknown
from catpy.relation.orders import reachability
from catpy.relation.sliced import Rows, rows_of, union

Pair = tuple[int, int]


@dataclass(frozen=True)
class Plan:
    """Steps, and what is known before any: `start` has the rows of each unknown, by index."""

    steps: tuple[Step, ...]
    start: tuple[Rows, ...]

    @cached_property
    def unsettled(self) -> list[int]:
        """For each number of steps taken the mask of the unknowns that the others still touch."""
        masks = [0]
        for step in reversed(self.steps):
            mask = masks[-1]
            for unknown in step.unknowns:
                mask |= 1 << unknown
            masks.append(mask)
        return masks[::-1]

    @cached_property
    def portions(self) -> list[float]:
        """For each number of steps taken the share of the space that a lane stands for."""
        return list(accumulate((max(1, step.ways) for step in self.steps), truediv, initial=1.0))

    @cached_property
    def open_pairs(self) -> list[dict[int, Rows]]:
        """For each number of steps taken the pairs that partial orders may still get, by unknown.

        Total orders need no such bound: of two events each precedes the other or does not.
        """
        found: list[dict[int, Rows]] = [{}]
        for step in reversed(self.steps):
            pairs = dict(found[-1])
            if isinstance(step, PairStep) and step.may_be_unrelated:
                more = rows_of([(step.first, step.second), (step.second, step.first)])
                pairs[step.unknown] = union(pairs.get(step.unknown, {}), more)
            found.append(pairs)
        return found[::-1]


@dataclass(frozen=True)
class _Parts:
    """An unknown order taken apart: known pairs, groups that are totally ordered, free pairs."""

    known: list[Pair]
    groups: list[list[int]]
    pairs: list[Pair]


def plan_executions(question: Question, part: int = 0, parts: int = 1) -> Plan:
    """How `rf` and what `with` chooses are settled: reads first, each with its own write.

    The place of a read-modify-write's write comes right behind the source of its read: what breaks
    atomicity then falls before more is built on it. One of several parts of the search has its
    share of the choices for the first reads, so that all candidates with one `rf` are in one part.
    """
    start: list[Rows] = [{} for _ in question.unknowns]
    inserts: dict[int, list[tuple[Unknown, list[int]]]] = {}
    rest: list[tuple[Unknown, _Parts]] = []
    for unknown in question.chosen:
        taken = _parts(unknown)
        start[unknown.index] = rows_of(taken.known)
        rest.append((unknown, taken))
        for group in taken.groups:
            for event in group:
                inserts.setdefault(event, []).append((unknown, group))
    events = question.skeleton.events
    partner = {
        read: write
        for read, write in question.skeleton.read_modify_writes()
        if events[read].location == events[write].location
    }
    sources = _sources(question)
    builder = _Builder()
    first: dict[int, list[int]] = {}
    if parts > 1:
        first = _first_reads(sources, parts)
        choices = list(product(*first.values()))[part::parts]
        shares = [{question.rf.index: rows_of(zip(c, first, strict=True))} for c in choices]
        builder.steps.append(AlternativeStep(question.rf.index, shares))
    for read, writes in sources.items():
        if read not in first:
            builder.steps.append(SourceStep(question.rf.index, read, writes))
        if read in partner:
            for unknown, group in inserts.get(partner[read], ()):
                builder.insert(unknown, group, partner[read])
    for unknown, taken in rest:
        builder.order(unknown, taken)
    return Plan(tuple(builder.steps), tuple(start))


def _sources(question: Question) -> dict[int, list[int]]:
    """The reads, in the order in which they are settled, with the writes that they can read from.

    Reads of a place that has read-modify-writes come first and together: these make a chain of
    values, and what does not fit into one, or leads to a value with which a thread would have gone
    another way, is recognised only when the reads before it in the chain are settled.
    """
    domain = question.rf.domain
    assert isinstance(domain, Sources)
    events = question.skeleton.events
    chains = {events[read].location for read, _ in question.skeleton.read_modify_writes()}
    places = list(dict.fromkeys(events[read].location for read in domain.writes))
    places = [p for p in places if p in chains]

    def order(read: int) -> int:
        place = events[read].location
        return places.index(place) if place in chains else len(places)

    return {read: domain.writes[read] for read in sorted(domain.writes, key=order)}


def _first_reads(sources: dict[int, list[int]], parts: int) -> dict[int, list[int]]:
    """As many reads as have enough choices together to share out."""
    found: dict[int, list[int]] = {}
    number = 1
    for read, writes in sources.items():
        if number >= 8 * parts:
            break
        found[read] = writes
        number *= len(writes)
    return found


def plan_witnesses(question: Question) -> Plan:
    """How what `some` chooses is settled, and which witness of the joint choice holds."""
    start: list[Rows] = [{} for _ in question.unknowns]
    builder = _Builder()
    named = [u for u in question.witnesses if isinstance(u.domain, Alternatives)]
    if named:
        builder.steps.append(AlternativeStep(named[0].index, _alternatives(question, named)))
    for unknown in question.witnesses:
        if isinstance(unknown.domain, Alternatives):
            continue
        parts = _parts(unknown)
        start[unknown.index] = rows_of(parts.known)
        builder.order(unknown, parts)
    return Plan(tuple(builder.steps), tuple(start))


def _alternatives(question: Question, named: Sequence[Unknown]) -> list[dict[int, Rows]]:
    found: list[dict[int, Rows]] = []
    for witness in question.skeleton.witnesses():
        rows: dict[int, Rows] = {}
        for unknown in named:
            assert isinstance(unknown.domain, Alternatives)
            value = witness.get(unknown.domain.name)
            assert value is None or isinstance(value, ExactRelation)
            rows[unknown.index] = rows_of(value) if value is not None else {}
        found.append(rows)
    return found


class _Builder:
    """Steps in the making; each event is inserted once into each order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._present: dict[tuple[int, int], list[int]] = {}

    def insert(self, unknown: Unknown, group: list[int], event: int) -> None:
        """An event of a group, behind or before those that are there already."""
        present = self._present.setdefault((unknown.index, group[0]), [])
        if event not in present:
            is_last = len(present) + 1 == len(group)
            self.steps.append(InsertStep(unknown.index, event, tuple(present), is_last))
            present.append(event)

    def order(self, unknown: Unknown, parts: _Parts) -> None:
        """All that is left of an order."""
        for group in parts.groups:
            for event in group:
                self.insert(unknown, group, event)
        partial = isinstance(unknown.domain, PartialOrders)
        self.steps += [PairStep(unknown.index, x, y, partial) for x, y in parts.pairs]


def _parts(unknown: Unknown) -> _Parts:
    match unknown.domain:
        case Orders(events):
            pairs = {(x, y) for x in events for y in events if x < y}
            return _taken_apart(pairs, unknown.fixed)
        case Orientations(all_pairs):
            return _taken_apart(set(all_pairs), unknown.fixed)
        case PartialOrders(all_pairs):
            free = [p for p in all_pairs if not {p, p[::-1]} & unknown.fixed]
            return _Parts(sorted(unknown.fixed), [], free)
    raise AssertionError(unknown.domain)


def _taken_apart(pairs: set[Pair], fixed: frozenset[Pair]) -> _Parts:
    """Cliques are ordered by insertion, which beats choosing pairs; other pairs one by one."""
    known: list[Pair] = []
    groups: list[list[int]] = []
    single: list[Pair] = []
    for component in _components(pairs):
        inside = {(x, y) for x, y in pairs if x in component}
        size = len(component)
        if len(inside) == size * (size - 1) // 2:
            first, rest = _peeled(component, fixed)
            known += [(x, y) for at, x in enumerate(first) for y in (*first[at + 1 :], *rest)]
            if len(rest) > 1:
                groups.append(rest)
        else:
            known += sorted(p for p in fixed if p[0] in component and p[1] in component)
            single += sorted(p for p in inside if not {p, p[::-1]} & fixed)
    return _Parts(known, groups, single)


def _components(pairs: Iterable[Pair]) -> list[list[int]]:
    """The connected parts of a graph."""
    home: dict[int, set[int]] = {}
    for x, y in pairs:
        joined = home.get(x, {x}) | home.get(y, {y})
        for event in joined:
            home[event] = joined
    return [sorted(part) for part in {min(part): part for part in home.values()}.values()]


def _peeled(component: Sequence[int], fixed: frozenset[Pair]) -> tuple[list[int], list[int]]:
    """The events that are known to come first, in order, and the rest in an order that fits.

    Where what is fixed is a cycle no order fits: any will do, a demand then rejects them all.
    """
    position = {event: at for at, event in enumerate(component)}
    rows = [0] * len(component)
    for x, y in fixed:
        if x in position and y in position:
            rows[position[x]] |= 1 << position[y]
    closed = reachability(rows)
    if any(row >> at & 1 for at, row in enumerate(closed)):
        return [], list(component)
    order = sorted(range(len(component)), key=lambda at: -closed[at].bit_count())
    first: list[int] = []
    for taken, at in enumerate(order):
        if closed[at].bit_count() < len(component) - taken - 1:
            break
        first.append(at)
    rest = order[len(first) :]
    return [component[at] for at in first], [component[at] for at in rest]
