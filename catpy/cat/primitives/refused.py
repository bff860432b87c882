"""Primitives that always fail: `fail` itself, and those of herd that make no sense here."""

from __future__ import annotations

from catpy.cat import kinds
from catpy.cat.kinds import Kind
from catpy.cat.operators import Operators
from catpy.cat.primitives.registry import primitive
from catpy.cat.values import Value, describe
from catpy.errors import ModelError
from catpy.source import Span


def _no_result(argument: Kind, span: Span) -> Kind:
    return kinds.UNKNOWN


@primitive("fail", _no_result)
def fail(operators: Operators, value: Value, span: Span) -> Value:
    """An error, always."""
    raise ModelError(f"fail on {describe(value)}", span)


def _unavailable(name: str, reason: str) -> None:
    @primitive(name, _no_result)
    def refuse(operators: Operators, value: Value, span: Span) -> Value:
        raise ModelError(f"`{name}` is not available: {reason}", span)


for _name in ("same-oa", "at-least-one-writable"):
    _unavailable(_name, "this architecture has no page tables")
_unavailable("tag2fenced", "it names a relation that no engine has any more")
for _name in ("newSet", "newRelation"):
    _unavailable(_name, "it is chosen by a solver; use `some x from S`")
