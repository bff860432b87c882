"""The values that cat expressions have, besides the algebra's event sets and relations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Union

from catpy.cat.kinds import Kind
from catpy.cat.syntax import Expression, Function
from catpy.cat.syntax import Procedure as ProcedureStatement
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
class Event:
    """A single event, as `match` on an event set gives it."""

    number: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A single pair of events, as `match` on a relation gives it."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Tag:
    """`'name` of an enumeration; tags are compared by name alone."""

    name: str
    enum: str


@dataclass(frozen=True, slots=True)
class Tuple:
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function and the bindings of its free names when it was made.

    `last` has the result of the last call by the token of its argument: models call one function
    for several sets that are often the same.
    """

    function: Function
    environment: Environment
    last: dict[Hashable, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Primitive:
    """A function of the language itself: takes the operators, the argument and its place.

    `kinds` gives the kind of its result from that of the argument, where this is known; with
    `of_candidates` the result can differ between candidates though the argument does not.
    """

    name: str
    apply: Callable[[Operators, Value, Span], Value]
    kinds: Callable[[Kind, Span], Kind]
    of_candidates: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """A procedure and the bindings it sees."""

    statement: ProcedureStatement
    environment: Environment


@dataclass(frozen=True, slots=True)
class ClassRelation:
    """A relation between event sets, such as the classes of an equivalence."""

    pairs: frozenset[tuple[EventSet, EventSet]]


@dataclass(frozen=True)
class ValueSet:
    """A set of values, without doubles, in the order they were added."""

    items: tuple[Value, ...]

    @cached_property
    def keys(self) -> frozenset[Hashable]:
        """The keys of the items."""
        return frozenset(map(key, self.items))

    def add(self, value: Value) -> ValueSet:
        """This set with a value in front, unless it is in here."""
        return self if key(value) in self.keys else ValueSet((value, *self.items))

    @staticmethod
    def of(values: Iterable[Value]) -> ValueSet:
        """The set of some values, each once."""
        return ValueSet(tuple({key(value): value for value in values}.values()))


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """A set of relations that is walked through, never built: the orders of a primitive.

    They relate no events but those of `events`, where that is known.
    """

    elements: Callable[[], Iterator[Relation]]
    events: EventSet | None = None


Value = Union[
    EventSet,
    Relation,
    Polymorphic,
    Event,
    Pair,
    Tag,
    "Tuple",
    "Closure",
    "Primitive",
    "Procedure",
    "ClassRelation",
    "ValueSet",
    "Enumeration",
]


def key(value: Value) -> Hashable:
    """The same for equal values: extensional, tags by name, `{}` equal to all that is empty."""
    match value:
        case Polymorphic.EMPTY:
            return "{}"
        case EventSet() | Relation():
            found = value.key()
            return (type(value), found) if any(found) else "{}"
        case Tag(name):
            return ("tag", name)
        case Tuple(items):
            return ("tuple", *map(key, items))
        case ValueSet():
            return value.keys or "{}"
        case ClassRelation(pairs):
            return ("classes", frozenset((key(x), key(y)) for x, y in pairs)) if pairs else "{}"
        case _:
            return value


def token(value: Value) -> Hashable | None:
    """The same only for equal values, though perhaps not for all; None where that is not known."""
    match value:
        case EventSet() | Relation():
            return (type(value), value.token())
        case Tuple(items):
            tokens = tuple(map(token, items))
            return None if None in tokens else ("tuple", *tokens)
        case ValueSet() | ClassRelation():
            return None
        case _:
            return value


def kind(value: Value) -> str:
    """The type of a value, as herd names it."""
    match value:
        case EventSet():
            return "events"
        case Relation():
            return "rel"
        case Polymorphic():
            return value.value
        case Event():
            return "event"
        case Pair():
            return "pair"
        case Tag(_, enum):
            return enum
        case Tuple(items):
            return f"({' * '.join(map(kind, items))})"
        case Closure() | Primitive():
            return "closure"
        case Procedure():
            return "procedure"
        case ClassRelation():
            return "classrel"
        case ValueSet(items):
            return f"{kind(items[0])} set" if items else "{}"
        case Enumeration():
            return "rel set"


def compatible(left: Value, right: Value) -> bool:
    """Whether two values are of one type, where `{}` is of the type of any set or relation."""
    if left is EMPTY or right is EMPTY:
        return all(isinstance(value, _COLLECTIONS) for value in (left, right))
    match left, right:
        case Tuple(first), Tuple(second):
            return len(first) == len(second) and all(map(compatible, first, second))
        case ValueSet([some, *_]), ValueSet([other, *_]):
            return compatible(some, other)
        case ValueSet(), ValueSet():
            return True
        case Tag(_, some_enum), Tag(_, other_enum):
            return some_enum == other_enum
    return kind(left) == kind(right)


_COLLECTIONS = (EventSet, Relation, Polymorphic, ClassRelation, ValueSet, Enumeration)


class Level(IntEnum):
    """What a binding depends on at most, and so how long its value lasts."""

    PROGRAM = 0  # on what all executions of one control flow share
    CANDIDATE = 1  # on the candidate execution
    CHOICE = 2  # on what the model chose by `with` or `some`


class Thunk:
    """A binding: a value, or what gives it on its first use: an expression, or a call."""

    __slots__ = ("compute", "environment", "expression", "level", "value")

    def __init__(
        self,
        level: Level,
        value: Value | None = None,
        expression: Expression | None = None,
        environment: Environment | None = None,
        compute: Callable[[], Value] | None = None,
    ) -> None:
        self.level = level
        self.value = value
        self.expression = expression
        self.environment = environment
        self.compute = compute


Environment = Mapping[str, Thunk]

_DESCRIPTIONS = {
    "events": "an event set",
    "rel": "a relation",
    "{}": "the empty set `{}`",
    "_": "the universe `_`",
    "event": "an event",
    "pair": "a pair of events",
    "closure": "a function",
    "procedure": "a procedure",
    "classrel": "a relation between classes",
}


def describe(value: Value) -> str:
    """What a value is, with an article, for messages."""
    if isinstance(value, Tag):
        return f"the tag `'{value.name}`"
    if isinstance(value, Tuple):
        return f"a tuple of {len(value.items)}"
    name = kind(value)
    return _DESCRIPTIONS.get(name, f"a set of type `{name}`")
