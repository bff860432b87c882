"""The syntax tree of the cat language, one page. Every node knows its place in the text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from catpy.source import Span

# Expressions


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Constant:
    """`0` (the empty relation), `_` (the universe) or `{}` (empty, of any kind)."""

    symbol: str
    span: Span


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator applied to its operands.

    `operator` is one of `| ; \\ & ++ × ~ + * ? ^-1 []`, where `×` is the binary `*` and `[]` the
    identity on a set. `|` and `;` have two operands or more.
    """

    operator: str
    operands: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """A function applied to one argument, which may be a tuple."""

    function: Expression
    argument: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class TupleOf:
    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{e1, …, en}` with at least one element."""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """`fun params -> body`; `free` are the names it takes from around it."""

    pattern: Pattern
    body: Expression
    free: frozenset[str]
    span: Span


@dataclass(frozen=True, slots=True)
class LetIn:
    bindings: tuple[Binding, ...]
    recursive: bool
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Try:
    body: Expression
    fallback: Expression
    span: Span


Expression = Name | Constant | Operation | Apply | TupleOf | SetOf | Function | LetIn | Try


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a binding binds: one name (`single`) or a tuple of names; None stands for `_`."""

    names: tuple[str | None, ...]
    single: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """`pattern = body`; a function definition has a `Function` for its body."""

    pattern: Pattern
    body: Expression
    free: frozenset[str]
    span: Span


# Statements


@dataclass(frozen=True, slots=True)
class Let:
    bindings: tuple[Binding, ...]
    recursive: bool
    when: Check | None
    span: Span


class Role(Enum):
    """What a test does with an execution for which it is false (a check) or true (a flag)."""

    CHECK = "check"
    FLAG = "flag"
    UNDEFINED_UNLESS = "undefined_unless"
    ASSERT = "assert"


@dataclass(frozen=True, slots=True)
class Check:
    """`[role] [~] acyclic|irreflexive|empty expression [as name]`."""

    kind: str
    negated: bool
    expression: Expression
    name: str | None
    role: Role
    span: Span


@dataclass(frozen=True, slots=True)
class Include:
    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """`with name from expression`, or `some …`: one element suffices and counts once."""

    name: str
    expression: Expression
    some: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Show:
    """`show` and `unshow`: for drawings; nothing is evaluated."""

    names: tuple[str, ...]
    expression: Expression | None
    hide: bool
    span: Span


Statement = Let | Check | Include | Choice | Show


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself: at most an architecture name and a title."""

    names: tuple[str, ...]
    title: str | None


@dataclass(frozen=True, slots=True)
class File:
    header: Header
    statements: tuple[Statement, ...]


def free_names(expression: Expression) -> frozenset[str]:
    """The names an expression takes from its environment."""
    match expression:
        case Name(name):
            return frozenset({name})
        case Operation(_, items) | TupleOf(items) | SetOf(items):
            return frozenset[str]().union(*map(free_names, items))
        case Apply(function, argument):
            return free_names(function) | free_names(argument)
        case Try(body, fallback):
            return free_names(body) | free_names(fallback)
        case Function():
            return expression.free
        case LetIn(bindings, recursive, body):
            bound = bound_names(bindings)
            inside = frozenset[str]().union(*(binding.free for binding in bindings))
            return (inside - bound if recursive else inside) | (free_names(body) - bound)
        case Constant():
            return frozenset()


def bound_names(bindings: tuple[Binding, ...]) -> frozenset[str]:
    """The names that a group of bindings binds."""
    return frozenset(name for binding in bindings for name in binding.pattern.names if name)
