"""Where an expression uses a name, and which variants statements ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from catpy.cat.syntax import Expression, Name, Statement, Variant
from catpy.source import Span


def first_use(expression: Expression, name: str) -> Span:
    """The place of the first use of a name, the whole expression where there is none."""
    uses = (
        node.span for node in _nodes(expression) if isinstance(node, Name) and node.name == name
    )
    return next(uses, expression.span)


def variants_asked(statements: Iterable[Statement]) -> frozenset[str]:
    """The variants in the conditions of statements, in lower case."""
    nodes = _nodes(tuple(statements))
    return frozenset(node.name.lower() for node in nodes if isinstance(node, Variant))


def _nodes(root: object) -> Iterator[object]:
    """A node and all below it, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif hasattr(node, "__dataclass_fields__") and not isinstance(node, Span):
            below = [getattr(node, field.name) for field in fields(node)]  # type: ignore[arg-type]
            waiting.extend(reversed(below))
