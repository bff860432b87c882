"""Control flows that are impossible since a read would need a value that nothing there writes.

Most of the ways that threads can take do not go together. This is the quickest way to see that: one
look at each condition that depends on a single read, without trying sources.
"""

from __future__ import annotations

from collections.abc import Iterable

from catpy.arch.program import Constraint
from catpy.arch.terms import Computed, ReadValue, Value, given, reads_in, truth
from catpy.execution.skeleton import Skeleton


def lacks_support(skeleton: Skeleton) -> bool:
    """Whether the conditions on some read hold for no value that is written to its location.

    A location to which something is written that depends on reads may have any value.
    """
    written = _written(skeleton)
    conditions: dict[ReadValue, list[Constraint]] = {}
    for constraint in skeleton.constraints:
        reads = set(reads_in(constraint.expression))
        if len(reads) == 1:
            conditions.setdefault(reads.pop(), []).append(constraint)
    for read, constraints in conditions.items():
        number = skeleton.number.get((read.thread, read.index))
        location = None if number is None else skeleton.events[number].location
        values = None if location is None else written[location]
        if values is not None and not any(_fits(read, value, constraints) for value in values):
            return True
    return False


def _written(skeleton: Skeleton) -> dict[str, set[Value] | None]:
    """What can be read from each location; None where that depends on what else is read."""
    found: dict[str, set[Value] | None] = {
        location: {value} for location, value in skeleton.initial.items()
    }
    for event in skeleton.events:
        if event.location is not None and event.is_write and event.thread is not None:
            values = found[event.location]
            if event.value is None or isinstance(event.value, ReadValue | Computed):
                found[event.location] = None
            elif values is not None:
                values.add(event.value)
    return found


def _fits(read: ReadValue, value: Value, constraints: Iterable[Constraint]) -> bool:
    """Whether no condition is false where a read returns a value; it can be open, or an error."""
    return all(
        truth(given(constraint.expression, {read: value})) in (None, constraint.truth)
        for constraint in constraints
    )
