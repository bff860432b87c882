"""The names that expressions take from around them, and those that bindings bind."""

from __future__ import annotations

from catpy.cat.syntax import (
    Apply,
    Binding,
    BothConditions,
    Comparison,
    Condition,
    Constant,
    EitherCondition,
    Expression,
    Function,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    NotCondition,
    Operation,
    SetOf,
    TagOf,
    Try,
    TupleOf,
    Variant,
)


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
        case Constant() | TagOf():
            return frozenset()
        case If(condition, then, otherwise):
            return condition_names(condition) | free_names(then) | free_names(otherwise)
        case MatchTag(scrutinee, arms):
            return free_names(scrutinee).union(*(free_names(arm) for _, arm in arms))
        case MatchSet(scrutinee, empty, below, element, rest, _, body):
            inside = free_names(body) - {below, element, rest}
            return free_names(scrutinee) | free_names(empty) | inside


def condition_names(condition: Condition) -> frozenset[str]:
    """The names a condition takes from its environment."""
    match condition:
        case Variant():
            return frozenset()
        case NotCondition(operand):
            return condition_names(operand)
        case BothConditions(left, right) | EitherCondition(left, right):
            return condition_names(left) | condition_names(right)
        case Comparison(_, left, right):
            return free_names(left) | free_names(right)


def bound_names(bindings: tuple[Binding, ...]) -> frozenset[str]:
    """The names that a group of bindings binds."""
    return frozenset(name for binding in bindings for name in binding.pattern.names if name)
