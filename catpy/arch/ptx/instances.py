"""Barriers of the public `dat3m` tests: which arrivals synchronise, and who waits for ever.

They mean something else than PTX by the same words: `bar.cta.sync i, a, b` waits until every thread
of the CTA that has a barrier of instance `i` in its text reached it with the same number `a`, or,
with a quorum `b`, until at least `b` did; some `b` or more of those then synchronise and the others
pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from catpy.arch.ptx.arrivals import Arrival, Grouping, Member, Phase, Where
from catpy.arch.ptx.instruction import Immediate, Instruction


def instances_of(code: Sequence[Instruction]) -> frozenset[tuple[int, int | None]]:
    """The barrier instances in the text of a thread, with the number each asks for if written."""
    found: set[tuple[int, int | None]] = set()
    for instruction in code:
        if "b" not in instruction.letters:
            continue
        first, *others = instruction.operands[instruction.letters.index("b") :]
        if isinstance(first, Immediate):
            number = others[0] if others else None
            found.add((first.value, number.value if isinstance(number, Immediate) else None))
    return frozenset(found)


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
