"""Where an expression uses a name, for messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from catpy.cat.syntax import Expression, Name
from catpy.source import Span


def first_use(expression: Expression, name: str) -> Span:
    """The place of the first use of a name, the whole expression where there is none."""
    return next(_uses(expression, name), expression.span)


def _uses(node: object, name: str) -> Iterator[Span]:
    if isinstance(node, Name):
        if node.name == name:
            yield node.span
    elif isinstance(node, tuple):
        for item in node:
            yield from _uses(item, name)
    elif hasattr(node, "__dataclass_fields__") and not isinstance(node, Span):
        for field in fields(node):  # type: ignore[arg-type]
            yield from _uses(getattr(node, field.name), name)
