"""The values that cat expressions have, besides the algebra's event sets and relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from catpy.cat.syntax import Expression, Function
from catpy.relation import EventSet, Relation
from catpy.source import Span

if TYPE_CHECKING:
    from catpy.cat.operators import Operators


class Polymorphic(Enum):
    """Values that take the kind their context asks for."""

    EMPTY = "{}"
    UNIVERSE = "_"


EMPTY = Polymorphic.EMPTY
UNIVERSE = Polymorphic.UNIVERSE


@dataclass(frozen=True, slots=True)
class Tuple:
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function and the bindings of its free names when it was made."""

    function: Function
    environment: Environment


@dataclass(frozen=True, slots=True, eq=False)
class Primitive:
    """A function of the language itself: takes the operators, the argument and its place."""

    name: str
    apply: Callable[[Operators, Value, Span], Value]


@dataclass(frozen=True, slots=True)
class ValueSet:
    """A set of values, without doubles, in the order they were added."""

    items: tuple[Value, ...]

    def add(self, value: Value) -> ValueSet:
        return self if value in self.items else ValueSet((value, *self.items))


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """A set of relations that is walked through, never built: the orders of a primitive."""

    elements: Callable[[], Iterator[Relation]]


Value = EventSet | Relation | Polymorphic | Tuple | Closure | Primitive | ValueSet | Enumeration


class Level(IntEnum):
    """What a binding depends on at most, and so how long its value lasts."""

    PROGRAM = 0  # on what all executions of one control flow share
    CANDIDATE = 1  # on the candidate execution
    CHOICE = 2  # on what the model chose by `with` or `some`


class Thunk:
    """A binding: a suspended expression that is evaluated once at most, or a value."""

    __slots__ = ("environment", "expression", "level", "value")

    def __init__(
        self,
        level: Level,
        value: Value | None = None,
        expression: Expression | None = None,
        environment: Environment | None = None,
    ) -> None:
        self.level = level
        self.value = value
        self.expression = expression
        self.environment = environment


Environment = Mapping[str, Thunk]


def describe(value: Value) -> str:
    """What a value is, with an article, for messages."""
    match value:
        case EventSet():
            return "an event set"
        case Relation():
            return "a relation"
        case Polymorphic.EMPTY:
            return "the empty set `{}`"
        case Polymorphic.UNIVERSE:
            return "the universe `_`"
        case Tuple(items):
            return f"a tuple of {len(items)}"
        case Closure() | Primitive():
            return "a function"
        case ValueSet() | Enumeration():
            return "a set of values"
