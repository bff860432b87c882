"""Candidate executions: every control flow of a program, and what a model finds bound in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from catpy.arch.program import Program
from catpy.cat.interpreter import Interpreter, Run, Settings
from catpy.cat.loader import Model
from catpy.cat.values import Closure, Enumeration, key
from catpy.errors import TestError
from catpy.execution.dependencies import Dependencies
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import Valuation
from catpy.relation import Relation


def skeletons(program: Program) -> Iterator[Skeleton]:
    """Every control flow with its joint choices; once for what the threads did and came to."""
    seen: set[tuple[object, ...]] = set()
    dependencies = Dependencies(program)
    for paths in product(*(program.paths(thread) for thread in program.threads)):
        for join in program.joins(paths):
            skeleton = Skeleton(program, paths, join, dependencies)
            if join.stuck or join.absent:
                if skeleton.prefix in seen:
                    continue
                seen.add(skeleton.prefix)
            yield skeleton


def candidate_names(
    skeleton: Skeleton, sources: Mapping[int, int], valuation: Valuation
) -> Mapping[str, Relation | Callable[[], Relation]]:
    """The names of a candidate that others of its control flow do not share."""
    rf = skeleton.algebra.relation((write, read) for read, write in sources.items())
    return {"rf": rf, "value:same": lambda: _same_value(skeleton, valuation)}


def _same_value(skeleton: Skeleton, valuation: Valuation) -> Relation:
    """The pairs of memory events that carry the same value."""
    values = {
        number: valuation.read(number) if event.is_read else valuation.written(number)
        for number, event in enumerate(skeleton.events)
        if event.location is not None
    }
    return skeleton.algebra.relation(
        (x, y) for x in values for y in values if values[x] == values[y]
    )


def identity(run: Run) -> tuple[object, ...]:
    """What makes an execution of its candidate: the values bound by `with`.

    Functions and sets of orders are made anew on each way through a model: their place tells them.
    """
    return tuple(
        place if isinstance(value, Closure | Enumeration) else key(value)
        for value, place in zip(run.choices, run.places, strict=True)
    )


def interpreters(skeleton: Skeleton, model: Model, settings: Settings) -> list[Interpreter]:
    """The model over the executions of one control flow, for each witness of its joint choice."""
    names = skeleton.names()
    return [
        Interpreter(model, skeleton.algebra, {**names, **witness}, settings)
        for witness in skeleton.witnesses()
    ]


def check_defects(skeleton: Skeleton, valuation: Valuation) -> None:
    """Raises TestError where an execution that a model allows makes no sense."""
    for defect in (skeleton.defect, valuation.defect):
        if defect is not None:
            raise TestError(*defect)
