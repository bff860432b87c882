"""Walks through syntax trees: what is below an expression, a statement, or anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from catpy.cat.syntax import (
    Apply,
    Comparison,
    Expression,
    Forall,
    Function,
    If,
    IfStatement,
    LetIn,
    MatchSet,
    MatchStatement,
    MatchTag,
    Operation,
    Procedure,
    SetOf,
    Statement,
    Try,
    TupleOf,
)
from catpy.source import Span


def subexpressions(expression: Expression) -> tuple[Expression, ...]:
    """The expressions right below an expression."""
    match expression:
        case Operation(_, items) | TupleOf(items) | SetOf(items):
            return items
        case Apply(function, argument):
            return (function, argument)
        case Function(body=body):
            return (body,)
        case LetIn(bindings, _, body):
            return (*(binding.body for binding in bindings), body)
        case Try(body, fallback):
            return (body, fallback)
        case If(Comparison(_, left, right), then, otherwise):
            return (left, right, then, otherwise)
        case If(_, then, otherwise):
            return (then, otherwise)
        case MatchTag(scrutinee, arms):
            return (scrutinee, *(arm for _, arm in arms))
        case MatchSet(scrutinee, empty, body=body):
            return (scrutinee, empty, body)
    return ()


def is_deeper(expression: Expression, levels: int) -> bool:
    """Whether expressions are nested to more than so many levels. (Counted without recursion.)"""
    layer: tuple[Expression, ...] = (expression,)
    while layer and levels:
        layer = tuple(part for above in layer for part in subexpressions(above))
        levels -= 1
    return bool(layer)


def blocks(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks of statements right inside a statement."""
    match statement:
        case Forall(body=body) | Procedure(body=body):
            return (body,)
        case IfStatement(_, then, otherwise):
            return (then, otherwise)
        case MatchStatement(_, arms):
            return tuple(body for _, body in arms)
    return ()


def nodes(root: object) -> Iterator[object]:
    """A node of a syntax tree and all below it, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif hasattr(node, "__dataclass_fields__") and not isinstance(node, Span):
            below = [getattr(node, field.name) for field in fields(node)]  # type: ignore[arg-type]
            waiting.extend(reversed(below))
