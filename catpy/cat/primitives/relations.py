"""Primitives on sets and relations."""

from __future__ import annotations

from catpy.cat import kinds
from catpy.cat.kinds import Kind
from catpy.cat.operator_kinds import expect_relation, expect_set, operate
from catpy.cat.operators import Operators
from catpy.cat.primitives.common import engine_relation
from catpy.cat.primitives.registry import primitive
from catpy.cat.values import EMPTY, Polymorphic, Value
from catpy.source import Span

# Sets and relations


def _set_of_relation(argument: Kind, span: Span) -> Kind:
    if argument in (kinds.EMPTY, kinds.UNIVERSE):
        return argument
    expect_relation(argument, span)
    return kinds.SET


@primitive("domain", _set_of_relation)
def domain(operators: Operators, value: Value, span: Span) -> Value:
    """The events a relation starts from."""
    if isinstance(value, Polymorphic):
        return value
    return operators.relation(value, span).domain()


@primitive("range", _set_of_relation)
def range_(operators: Operators, value: Value, span: Span) -> Value:
    """The events a relation leads to."""
    if isinstance(value, Polymorphic):
        return value
    return operators.relation(value, span).range()


def _kinds_of_fromto(argument: Kind, span: Span) -> Kind:
    expect_set(argument, span)
    return kinds.RELATION


@primitive("fromto", _kinds_of_fromto)
def fromto(operators: Operators, value: Value, span: Span) -> Value:
    """For each fence of a set, the events before it × the events after it in program order."""
    po = engine_relation(operators, "po", span)
    fences = operators.event_set(value, span)
    around = operators.algebra.empty_relation
    for fence in operators.algebra.members(fences):
        one = operators.algebra.event_set([fence]).identity()
        around = around | po.compose(one).compose(po)
    return around


def _same_relation(argument: Kind, span: Span) -> Kind:
    if argument is kinds.EMPTY:
        return kinds.EMPTY
    expect_relation(argument, span)
    return kinds.RELATION


@primitive("different-values", _same_relation, of_candidates=True)
def different_values(operators: Operators, value: Value, span: Span) -> Value:
    """The pairs of a relation whose two events do not carry the same value."""
    if value is EMPTY:
        return EMPTY
    same = engine_relation(operators, "value:same", span)
    return operators.relation(value, span) - same


def _transitive(argument: Kind, span: Span) -> Kind:
    return operate("+", [argument], [span], span)


@primitive("as_transitive", _transitive)
def as_transitive(operators: Operators, value: Value, span: Span) -> Value:
    """The transitive closure of a relation."""
    return operators.closure("+", value, span)
