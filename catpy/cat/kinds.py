"""The kinds of values, as far as they can be told without running a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Union

from catpy.cat.syntax import Function as FunctionSyntax
from catpy.cat.syntax import Procedure as ProcedureSyntax
from catpy.source import Span


class Basic(Enum):
    """Kinds without parts. `EMPTY` and `UNIVERSE` take the kind their context asks for."""

    SET = "set"
    RELATION = "relation"
    EMPTY = "empty"
    UNIVERSE = "universe"
    EVENT = "event"
    PAIR = "pair"
    TAG = "tag"
    CLASSES = "class relation"
    UNKNOWN = "unknown"


SET, RELATION, UNKNOWN = Basic.SET, Basic.RELATION, Basic.UNKNOWN
EMPTY, UNIVERSE, CLASSES = Basic.EMPTY, Basic.UNIVERSE, Basic.CLASSES
EVENT, PAIR, TAG = Basic.EVENT, Basic.PAIR, Basic.TAG


@dataclass(frozen=True, slots=True)
class ValuesOf:
    """A set of values that are all of one kind."""

    element: Kind


@dataclass(frozen=True, slots=True)
class TupleOf:
    items: tuple[Kind, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function with what its free names are bound to."""

    syntax: FunctionSyntax
    environment: Mapping[str, Slot]


@dataclass(frozen=True, slots=True)
class Primitive:
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """A procedure with the bindings it sees."""

    syntax: ProcedureSyntax
    environment: Mapping[str, Slot]


Kind = Union[Basic, "ValuesOf", "TupleOf", "Function", "Primitive", "Procedure"]


@dataclass(slots=True, eq=False)
class Findings:
    """Mistakes found in a piece of the model, and the pieces it needs to be evaluated.

    `possible` are those that it needs for some values: arms and branches.
    """

    problems: list[Problem] = field(default_factory=list)
    needed: dict[int, Findings] = field(default_factory=dict)
    possible: dict[int, Findings] = field(default_factory=dict)

    def needs(self, other: Findings) -> None:
        """Notes that another piece is needed."""
        self.needed[id(other)] = other

    def may_need(self, other: Findings) -> None:
        """Notes that another piece is needed for some values."""
        self.possible[id(other)] = other

    @property
    def is_clean(self) -> bool:
        """Whether neither this nor what it needs holds a mistake."""
        return not any(findings.problems for findings in reachable(self))


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake, before it is known whether anything needs the place where it is made."""

    code: str
    message: str
    span: Span
    hint: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """What a name is bound to: a kind, and what was found where it is made."""

    kind: Kind
    findings: Findings | None = None


Environment = Mapping[str, Slot]

#: A tuple with more parts than this, those of its parts counted, is of unknown kind.
_MOST_PARTS = 1000


def tuple_of(items: Sequence[Kind]) -> Kind:
    """The kind of a tuple of these. What is doubled again and again would be told without end."""
    kind = TupleOf(tuple(items))
    return kind if _parts(kind) <= _MOST_PARTS else Basic.UNKNOWN


def _parts(kind: Kind) -> int:
    match kind:
        case TupleOf(items):
            return sum(map(_parts, items))
        case ValuesOf(element):
            return _parts(element)
    return 1


def reachable(root: Findings, possibly: bool = False) -> list[Findings]:
    """The findings and, without end, those that they need, or possibly need; each once."""
    seen = {id(root): root}
    waiting = [root]
    while waiting:
        piece = waiting.pop()
        for key, findings in [*piece.needed.items(), *(piece.possible.items() if possibly else ())]:
            if key not in seen:
                seen[key] = findings
                waiting.append(findings)
    return list(seen.values())


def join(left: Kind, right: Kind) -> Kind:
    """The kind of what is of one kind or the other."""
    if left == right or right is EMPTY:
        return left
    if left is EMPTY:
        return right
    match left, right:
        case ValuesOf(first), ValuesOf(second):
            return ValuesOf(join(first, second))
        case TupleOf(first_items), TupleOf(second_items):
            if len(first_items) == len(second_items):
                return TupleOf(tuple(map(join, first_items, second_items)))
    return UNKNOWN


_DESCRIPTIONS = {
    SET: "an event set",
    RELATION: "a relation",
    EMPTY: "the empty set `{}`",
    UNIVERSE: "the universe `_`",
    EVENT: "an event",
    PAIR: "a pair of events",
    TAG: "a tag",
    CLASSES: "a relation between classes",
    UNKNOWN: "of unknown kind",
}


def describe(kind: Kind) -> str:
    """What a value of the kind is, with an article, in the words of the evaluator."""
    match kind:
        case Basic():
            return _DESCRIPTIONS[kind]
        case ValuesOf():
            return "a set of values"
        case TupleOf(items):
            return f"a tuple of {len(items)}"
        case Function() | Primitive():
            return "a function"
        case Procedure():
            return "a procedure"


def short(kind: Kind) -> str:
    """The kind in a word or two, for tables."""
    match kind:
        case Basic():
            return kind.value
        case ValuesOf(element):
            return f"set of {short(element)}s" if element is not UNKNOWN else "set of values"
        case TupleOf(items):
            return f"tuple ({', '.join(map(short, items))})"
        case Function() | Primitive():
            return "function"
        case Procedure():
            return "procedure"
