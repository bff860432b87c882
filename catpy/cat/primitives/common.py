"""What several primitives take: two arguments, relations between classes, what is bound before."""

from __future__ import annotations

from catpy.cat.kinds import Kind, TupleOf
from catpy.cat.operator_kinds import wrong_arity
from catpy.cat.operators import Operators, kind_error
from catpy.cat.values import EMPTY, ClassRelation, Value
from catpy.errors import ModelError
from catpy.relation import EventSet, Relation
from catpy.source import Span


def pair_of_kinds(argument: Kind, span: Span) -> tuple[Kind, Kind]:
    """The kinds of two arguments. Raises KindError for another number of them."""
    if isinstance(argument, TupleOf) and len(argument.items) == 2:
        return argument.items[0], argument.items[1]
    raise wrong_arity(2, argument, span)


def class_pairs(value: Value, span: Span) -> frozenset[tuple[EventSet, EventSet]]:
    """The pairs of a relation between classes. Raises ModelError for another value."""
    if value is EMPTY:
        return frozenset()
    if isinstance(value, ClassRelation):
        return value.pairs
    raise kind_error("a relation between classes", value, span)


def engine_relation(operators: Operators, name: str, span: Span) -> Relation:
    """A relation as it was bound before the model ran. Raises ModelError where there is none."""
    value = operators.engine.get(name)
    if not isinstance(value, Relation):
        raise ModelError(f"the relation `{name}` is not there", span)
    return value
