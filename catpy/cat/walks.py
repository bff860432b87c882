"""Walks through syntax trees: what is below an expression, and what statements mention."""

from __future__ import annotations

from collections.abc import Iterable

from catpy.cat.names import free_names
from catpy.cat.syntax import (
    Annotations,
    Apply,
    Call,
    Check,
    Choice,
    Comparison,
    Condition,
    Debug,
    Enum,
    Expression,
    Forall,
    Function,
    If,
    IfStatement,
    Include,
    Let,
    LetIn,
    MatchSet,
    MatchStatement,
    MatchTag,
    Operation,
    Procedure,
    SetOf,
    Show,
    Statement,
    Try,
    TupleOf,
)


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
        case If(condition, then, otherwise):
            return (*compared(condition), then, otherwise)
        case MatchTag(scrutinee, arms):
            return (scrutinee, *(arm for _, arm in arms))
        case MatchSet(scrutinee, empty, body=body):
            return (scrutinee, empty, body)
    return ()


def compared(condition: Condition) -> tuple[Expression, ...]:
    """The expressions that a condition compares; variants cannot be mixed with them."""
    return (condition.left, condition.right) if isinstance(condition, Comparison) else ()


def is_deeper(expression: Expression, levels: int) -> bool:
    """Whether expressions are nested to more than so many levels. (Counted without recursion.)"""
    layer: tuple[Expression, ...] = (expression,)
    while layer and levels:
        layer = tuple(part for above in layer for part in subexpressions(above))
        levels -= 1
    return bool(layer)


def mentioned_names(statements: Iterable[Statement]) -> frozenset[str]:
    """The names that statements use, wherever they are bound."""
    names: set[str] = set()
    for statement in statements:
        match statement:
            case Let(bindings, _, when):
                names.update(*(binding.free for binding in bindings))
                names |= mentioned_names([when] if when else [])
            case Check(expression=expression) | Choice(expression=expression):
                names |= free_names(expression)
            case Call(procedure, argument):
                names |= {procedure.name} | free_names(argument)
            case Forall(expression=expression, body=body):
                names |= free_names(expression) | mentioned_names(body)
            case Procedure(body=body):
                names |= mentioned_names(body)
            case IfStatement(_, then, otherwise):
                names |= mentioned_names(then) | mentioned_names(otherwise)
            case MatchStatement(scrutinee, arms):
                names |= free_names(scrutinee)
                names.update(*(mentioned_names(body) for _, body in arms))
            case Show(shown, expression):
                names.update(shown, free_names(expression) if expression else ())
            case Debug(expression):
                names |= free_names(expression)
            case Include() | Enum() | Annotations():
                pass
    return frozenset(names)
