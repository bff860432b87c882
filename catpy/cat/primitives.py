"""The functions of the language itself. One function with the decorator is one primitive.

A primitive takes the operators of the present algebra, its argument (a tuple where cat passes
several) and the argument's place, and raises ModelError where the argument is of a wrong kind.
"""

from __future__ import annotations

from collections.abc import Callable

from catpy.cat.operators import Operators
from catpy.cat.values import EMPTY, UNIVERSE, Enumeration, Polymorphic, Primitive, Tuple, Value
from catpy.source import Span

Body = Callable[[Operators, Value, Span], Value]

PRIMITIVES: dict[str, Primitive] = {}


def primitive(name: str) -> Callable[[Body], Body]:
    """Registers a primitive under its cat name."""

    def register(body: Body) -> Body:
        PRIMITIVES[name] = Primitive(name, body)
        return body

    return register


@primitive("domain")
def domain(operators: Operators, value: Value, span: Span) -> Value:
    """The events a relation starts from."""
    if isinstance(value, Polymorphic):
        return value
    return operators.relation(value, span).domain()


@primitive("range")
def range_(operators: Operators, value: Value, span: Span) -> Value:
    """The events a relation leads to."""
    if isinstance(value, Polymorphic):
        return value
    return operators.relation(value, span).range()


@primitive("linearisations")
def linearisations(operators: Operators, value: Value, span: Span) -> Value:
    """`linearisations(S, r)`: the strict total orders on S, closed, that hold r+ on S.

    None where r+ is cyclic on S: chosen from by `with`, that discards the execution.
    """
    events, order = operators.pair(value, span)
    members = operators.event_set(events, span)
    relation = operators.relation(EMPTY if order is UNIVERSE else order, span)
    return Enumeration(lambda: operators.algebra.linearisations(members, relation))


@primitive("orientations")
def orientations(operators: Operators, value: Value, span: Span) -> Value:
    """`orientations(r)` or `orientations(r, base)`; an extension of catpy.

    The acyclic relations that hold one direction of every pair of r, which is taken symmetric and
    irreflexive, and that hold base restricted to the pairs of r. They are not closed.
    """
    base: Value = EMPTY
    if isinstance(value, Tuple):
        value, base = operators.pair(value, span)
    relation, fixed = operators.relation(value, span), operators.relation(base, span)
    return Enumeration(lambda: operators.algebra.orientations(relation, fixed))
