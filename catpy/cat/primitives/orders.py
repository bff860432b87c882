"""Primitives that give the orders models choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catpy.cat import kinds
from catpy.cat.kinds import Kind
from catpy.cat.operator_kinds import KindError, expect_classes, expect_relation, expect_set
from catpy.cat.operators import Operators
from catpy.cat.primitives.common import class_pairs, pair_of_kinds
from catpy.cat.primitives.registry import primitive
from catpy.cat.values import EMPTY, ClassRelation, Enumeration, Tuple, Value, ValueSet
from catpy.relation import EventSet, Relation
from catpy.source import Span


def _kinds_of_linearisations(argument: Kind, span: Span) -> Kind:
    events, order = pair_of_kinds(argument, span)
    if isinstance(events, kinds.ValuesOf):
        expect_classes(order, span)
        return kinds.ValuesOf(kinds.CLASSES)
    expect_set(events, span)
    expect_relation(order, span)
    return kinds.ValuesOf(kinds.RELATION) if events is not kinds.UNKNOWN else kinds.UNKNOWN


@primitive("linearisations", _kinds_of_linearisations)
def linearisations(operators: Operators, value: Value, span: Span) -> Value:
    """`linearisations(S, r)`: the strict total orders on S, closed, that hold r+ on S.

    None where r+ is cyclic on S: chosen from by `with`, that discards the execution. For a set of
    event sets and a class relation: the total orders of the classes, as class relations.
    """
    events, order = operators.pair(value, span)
    if isinstance(events, ValueSet):
        return _class_linearisations(operators, events, order, span)
    members = operators.event_set(events, span)
    relation = operators.relation(order, span)
    return Enumeration(lambda: operators.algebra.linearisations(members, relation), members)


def _class_linearisations(
    operators: Operators, classes: ValueSet, order: Value, span: Span
) -> Value:
    found = [operators.event_set(item, span) for item in classes.items]
    pairs = class_pairs(order, span)
    closed = operators.closure("+", ClassRelation(frozenset(pairs)), span)
    assert isinstance(closed, ClassRelation)
    results: list[Value] = []

    def extend(chosen: list[EventSet], rest: list[EventSet]) -> None:
        if not rest:
            before = {(x, y) for i, x in enumerate(chosen) for y in chosen[i + 1 :]}
            results.append(ClassRelation(frozenset(before)))
        for item in rest:
            if not any((other, item) in closed.pairs for other in rest):
                extend([*chosen, item], [other for other in rest if other != item])

    extend([], found)
    return ValueSet.of(results)


def _orders(argument: Kind, span: Span) -> Kind:
    relation: Kind = argument
    base: Kind = kinds.EMPTY
    if isinstance(argument, kinds.TupleOf):
        relation, base = pair_of_kinds(argument, span)
    expect_relation(relation, span)
    expect_relation(base, span)
    return kinds.ValuesOf(kinds.RELATION)


@primitive("orientations", _orders, extension=True)
def orientations(operators: Operators, value: Value, span: Span) -> Value:
    """`orientations(r)` or `orientations(r, base)`; an extension of catpy.

    The acyclic relations that hold one direction of every pair of r, which is taken symmetric and
    irreflexive, and that hold base restricted to the pairs of r. They are not closed.
    """
    relation, fixed = _relation_and_base(operators, value, span)
    return Enumeration(lambda: operators.algebra.orientations(relation, fixed))


@primitive("partial-orders", _orders, extension=True)
def partial_orders(operators: Operators, value: Value, span: Span) -> Value:
    """`partial-orders(r)` or `partial-orders(r, base)`; an extension of catpy.

    The strict partial orders within r, which is taken symmetric and irreflexive, that hold base
    restricted to the pairs of r.
    """
    relation, fixed = _relation_and_base(operators, value, span)
    return Enumeration(lambda: operators.algebra.partial_orders(relation, fixed))


def _relation_and_base(operators: Operators, value: Value, span: Span) -> tuple[Relation, Relation]:
    base: Value = EMPTY
    if isinstance(value, Tuple):
        value, base = operators.pair(value, span)
    return operators.relation(value, span), operators.relation(base, span)


def _kinds_of_unions(argument: Kind, span: Span) -> Kind:
    inner = argument.element if isinstance(argument, kinds.ValuesOf) else argument
    members = inner.element if isinstance(inner, kinds.ValuesOf) else inner
    if argument not in (kinds.EMPTY, kinds.TAG) and not isinstance(argument, kinds.ValuesOf):
        raise KindError("expected a set of sets of relations", span)
    expect_relation(members, span)
    return kinds.ValuesOf(kinds.RELATION)


@primitive("unions", _kinds_of_unions, extension=True)
def unions(operators: Operators, value: Value, span: Span) -> Value:
    """`unions(S)`: what one member of each set in S makes together; an extension of catpy.

    S is a set of sets of relations. Sets of orders over different events are walked through
    together and never built; of the empty set there is one union, which is empty.
    """
    sets = operators.value_set(value, span).items
    if _are_apart(operators, sets):
        return Enumeration(lambda: _united(operators, sets, span))
    return ValueSet.of(_united(operators, sets, span))


def _united(operators: Operators, sets: Sequence[Value], span: Span) -> Iterator[Relation]:
    if not sets:
        yield operators.algebra.empty_relation
        return
    first, *others = sets
    for member in operators.choices(first, span):
        relation = operators.relation(member, span)
        for rest in _united(operators, others, span):
            yield relation | rest


def _are_apart(operators: Operators, sets: Sequence[Value]) -> bool:
    """Whether these are enumerations over events of their own: then no two unions are equal."""
    seen = operators.algebra.empty_set
    for item in sets:
        if not isinstance(item, Enumeration) or item.events is None:
            return False
        if not operators.algebra.always(operators.algebra.is_empty(seen & item.events)):
            return False
        seen = seen | item.events
    return True
