"""A store-buffering execution made by hand, and models run on it.

    0: W x=0, 1: W y=0 (initial)    thread 0: 2: W x=1, 3: R y    thread 1: 4: W y=1, 5: R x

Names are those of herd. Unless a test says otherwise, both reads read the initial writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from catpy.cat.interpreter import Interpreter, Run, Settings
from catpy.cat.loader import Model
from catpy.cat.parser import parse
from catpy.cat.values import Value
from catpy.errors import ModelError
from catpy.relation import EventSet, ExactAlgebra, ExactEventSet, ExactRelation, Relation
from catpy.source import Source
from tests.cat.notation import expression

Pair = tuple[int, int]

SIZE = 6
THREADS = (None, None, 0, 0, 1, 1)
LOCATIONS = "xyxyyx"
ALGEBRA = ExactAlgebra(SIZE)

RF_INIT = frozenset({(1, 3), (0, 5)})
RF_OTHER = frozenset({(4, 3), (2, 5)})
PO = frozenset({(2, 3), (4, 5)})

ALL_PAIRS = frozenset((x, y) for x in range(SIZE) for y in range(SIZE))
ALL_EVENTS = frozenset(range(SIZE))
ID = frozenset((x, x) for x in range(SIZE))
LOC = frozenset((x, y) for x, y in ALL_PAIRS if LOCATIONS[x] == LOCATIONS[y])
INT = frozenset((x, y) for x, y in ALL_PAIRS if THREADS[x] == THREADS[y] is not None)
EXT = frozenset((x, y) for x, y in ALL_PAIRS if THREADS[x] != THREADS[y])
W = frozenset({0, 1, 2, 4})
R = frozenset({3, 5})
IW = frozenset({0, 1})


def names() -> dict[str, EventSet | Relation]:
    """What all candidates share."""
    relations = {"id": ID, "po": PO, "loc": LOC, "int": INT, "ext": EXT, "rmw": frozenset[Pair]()}
    sets = {"M": ALL_EVENTS, "W": W, "R": R, "IW": IW, "F": frozenset[int]()}
    return {
        **{name: ALGEBRA.relation(pairs) for name, pairs in relations.items()},
        **{name: ALGEBRA.event_set(events) for name, events in sets.items()},
    }


def reads_from(rf: Iterable[Pair]) -> dict[str, EventSet | Relation]:
    """What one candidate has of its own."""
    return {"rf": ALGEBRA.relation(rf)}


def model_of(text: str) -> Model:
    """A model of this text alone, without the standard library."""
    file = parse(Source("test.cat", text))
    return Model("test", Path("test.cat"), file.header, file.statements)


def interpreter(
    model: Model | str,
    skip: Iterable[str] = (),
    strict_skip: bool = False,
    variants: Iterable[str] = (),
    more: Mapping[str, Value] | None = None,
) -> Interpreter:
    """A model, with the names all candidates share and `more`."""
    model = model_of(model) if isinstance(model, str) else model
    settings = Settings(frozenset(skip), strict_skip, frozenset(variants))
    return Interpreter(model, ALGEBRA, {**names(), **(more or {})}, settings)


def runs(model: Model | str, rf: Iterable[Pair] = RF_INIT, skip: Iterable[str] = ()) -> list[Run]:
    """The ways through a model that live."""
    return list(interpreter(model, skip).run(reads_from(rf)))


def holds(model: Model | str, rf: Iterable[Pair] = RF_INIT) -> bool:
    """Whether the execution lives through a model without choices."""
    found = runs(model, rf)
    assert len(found) <= 1
    return bool(found)


def error(model: Model | str) -> ModelError:
    """The error that running a model ends with."""
    with pytest.raises(ModelError) as caught:
        runs(model)
    return caught.value


def value(text: str, before: str = "") -> Value:
    """The value of an expression after some statements."""
    program = interpreter(before)
    (run,) = program.run(reads_from(RF_INIT))
    return program.evaluate(run, expression(text))


def pairs(text: str, before: str = "") -> frozenset[Pair]:
    """The pairs of an expression that is a relation."""
    found = value(text, before)
    assert isinstance(found, ExactRelation)
    return frozenset(found)


def events(text: str, before: str = "") -> frozenset[int]:
    """The events of an expression that is an event set."""
    found = value(text, before)
    assert isinstance(found, ExactEventSet)
    return frozenset(found)


def place(problem: ModelError) -> tuple[int, int]:
    """The line and column an error points at."""
    assert problem.span is not None
    return problem.span.source.position(problem.span.start)


def pointed_at(problem: ModelError) -> str:
    """The text an error points at."""
    assert problem.span is not None
    return problem.span.text


def chosen(run: Run, index: int = 0) -> frozenset[Pair]:
    """The pairs of a relation that `with` chose."""
    relation = run.choices[index]
    assert isinstance(relation, ExactRelation)
    return frozenset(relation)


def flags(text: str) -> list[str]:
    """The flags that a model with one way through it raises."""
    (run,) = runs(text)
    assert all(truth is True for _, truth in run.flags)
    return [name for name, _ in run.flags]
