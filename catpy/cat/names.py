"""The names that expressions and statements use, and those that bindings bind."""

from __future__ import annotations

from collections.abc import Iterable

from catpy.cat.syntax import (
    Binding,
    Call,
    Check,
    Choice,
    Debug,
    Expression,
    Forall,
    Function,
    Let,
    LetIn,
    MatchSet,
    MatchStatement,
    Name,
    Show,
    Statement,
)
from catpy.cat.walks import blocks, nodes, subexpressions
from catpy.source import Span


def free_names(expression: Expression) -> frozenset[str]:
    """The names an expression takes from its environment."""
    match expression:
        case Name(name):
            return frozenset({name})
        case Function():
            return expression.free
        case LetIn(bindings, recursive, body):
            bound = bound_names(bindings)
            inside = frozenset[str]().union(*(binding.free for binding in bindings))
            return (inside - bound if recursive else inside) | (free_names(body) - bound)
        case MatchSet(scrutinee, empty, below, element, rest, _, body):
            inside = free_names(body) - {below, element, rest}
            return free_names(scrutinee) | free_names(empty) | inside
    return frozenset[str]().union(*map(free_names, subexpressions(expression)))


def bound_names(bindings: tuple[Binding, ...]) -> frozenset[str]:
    """The names that a group of bindings binds."""
    return frozenset(name for binding in bindings for name in binding.pattern.names if name)


def first_use(expression: Expression, name: str) -> Span:
    """The place of the first use of a name, the whole expression where there is none."""
    below = nodes(expression)
    uses = (node.span for node in below if isinstance(node, Name) and node.name == name)
    return next(uses, expression.span)


def own_names(statement: Statement) -> frozenset[str]:
    """The names that a statement uses outside what it defines and the blocks inside it."""
    match statement:
        case Check(expression=expression) | Choice(expression=expression) | Debug(expression):
            return free_names(expression)
        case Call(procedure, argument):
            return free_names(argument) | {procedure.name}
        case Forall(expression=expression):
            return free_names(expression)
        case MatchStatement(scrutinee):
            return free_names(scrutinee)
        case Show(names, expression):
            return free_names(expression) if expression else frozenset(names)
        case Let(when=Check(expression=expression)):
            return free_names(expression)
    return frozenset()


def mentioned_names(statements: Iterable[Statement]) -> frozenset[str]:
    """The names that statements use, wherever they are bound."""
    names: set[str] = set()
    for statement in statements:
        names |= own_names(statement)
        match statement:
            case Let(bindings):
                names.update(*(binding.free for binding in bindings))
            case Show(shown):
                names.update(shown)
        names.update(*map(mentioned_names, blocks(statement)))
    return frozenset(names)
