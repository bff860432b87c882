"""Conditions on variants: whether they hold, and which variants they ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from catpy.cat.syntax import (
    BothConditions,
    EitherCondition,
    NotCondition,
    Statement,
    Variant,
    VariantCondition,
)
from catpy.cat.walks import nodes


def holds(condition: VariantCondition, variants: Collection[str]) -> bool:
    """Whether a condition holds under the variants that are on, in lower case."""
    match condition:
        case Variant(name):
            return name.lower() in variants
        case NotCondition(operand):
            return not holds(operand, variants)
        case BothConditions(left, right):
            return holds(left, variants) and holds(right, variants)
        case EitherCondition(left, right):
            return holds(left, variants) or holds(right, variants)


def variants_asked(statements: Iterable[Statement]) -> frozenset[str]:
    """The variants in the conditions of statements, in lower case."""
    below = nodes(tuple(statements))
    return frozenset(node.name.lower() for node in below if isinstance(node, Variant))
