"""Primitives on the classes of equivalences, and relations between them."""

from __future__ import annotations

from typing import TypeVar

from catpy.cat import kinds
from catpy.cat.kinds import Kind
from catpy.cat.operator_kinds import KindError, expect_classes, expect_relation, expect_set, operate
from catpy.cat.operators import Operators
from catpy.cat.primitives.common import class_pairs, engine_relation, pair_of_kinds
from catpy.cat.primitives.registry import primitive
from catpy.cat.values import EMPTY, ClassRelation, Value, ValueSet
from catpy.relation import Relation
from catpy.source import Span

_T = TypeVar("_T")


def _kinds_of_classes_loc(argument: Kind, span: Span) -> Kind:
    if argument is kinds.EMPTY:
        return kinds.EMPTY
    expect_set(argument, span)
    return kinds.ValuesOf(kinds.SET)


@primitive("classes-loc", _kinds_of_classes_loc)
def classes_loc(operators: Operators, value: Value, span: Span) -> Value:
    """The events of a set grouped by location; events without a location are dropped."""
    if value is EMPTY:
        return EMPTY
    loc = engine_relation(operators, "loc", span)
    inside = operators.event_set(value, span).identity()
    return _classes(operators, inside.compose(loc).compose(inside))


def _kinds_of_classes(argument: Kind, span: Span) -> Kind:
    if argument is kinds.EMPTY:
        return kinds.EMPTY
    expect_relation(argument, span)
    return kinds.ValuesOf(kinds.SET)


@primitive("classes", _kinds_of_classes)
def classes(operators: Operators, value: Value, span: Span) -> Value:
    """The classes of the least equivalence that holds a relation, over its own events."""
    if value is EMPTY:
        return EMPTY
    relation = operators.relation(value, span)
    return _classes(operators, (relation | relation.inverse()).transitive_closure())


def _classes(operators: Operators, equivalence: Relation) -> Value:
    groups: dict[int, list[int]] = {}
    for x, y in operators.algebra.pairs(equivalence):
        groups.setdefault(x, []).append(y)
    return ValueSet.of(operators.algebra.event_set(group) for group in groups.values())


def _kinds_of_lift(argument: Kind, span: Span) -> Kind:
    groups, relation = pair_of_kinds(argument, span)
    if not isinstance(groups, kinds.ValuesOf) and groups not in (
        kinds.EMPTY,
        kinds.UNKNOWN,
        kinds.TAG,
    ):
        raise KindError("expected a set of event sets", span)
    expect_relation(relation, span)
    return kinds.CLASSES


@primitive("lift", _kinds_of_lift)
def lift(operators: Operators, value: Value, span: Span) -> Value:
    """`lift(classes, r)`: relates the classes that hold the two ends of a pair of r."""
    groups, relation = operators.pair(value, span)
    sets = [operators.event_set(item, span) for item in operators.value_set(groups, span).items]
    home = {event: found for found in sets for event in operators.algebra.members(found)}
    pairs = operators.algebra.pairs(operators.relation(relation, span))
    return ClassRelation(frozenset((home[x], home[y]) for x, y in pairs if x in home and y in home))


def _kinds_of_delift(argument: Kind, span: Span) -> Kind:
    expect_classes(argument, span)
    return kinds.RELATION


@primitive("delift", _kinds_of_delift)
def delift(operators: Operators, value: Value, span: Span) -> Value:
    """The events of related classes, each with each."""
    result = operators.algebra.empty_relation
    for x, y in class_pairs(value, span):
        result = result | x.product(y)
    return result


def _kinds_of_deliftinter(argument: Kind, span: Span) -> Kind:
    relation, related = pair_of_kinds(argument, span)
    expect_classes(related, span)
    return operate("&", [relation, kinds.RELATION], [span, span], span)


@primitive("deliftinter", _kinds_of_deliftinter)
def deliftinter(operators: Operators, value: Value, span: Span) -> Value:
    """`deliftinter(r, c)`: the pairs of r between related classes."""
    relation, related = operators.pair(value, span)
    lowered = delift(operators, related, span)
    return operators.intersection(relation, lowered, span)


def _kinds_of_bisimulation(argument: Kind, span: Span) -> Kind:
    transition, equivalence = pair_of_kinds(argument, span)
    if kinds.CLASSES in (transition, equivalence):
        return kinds.CLASSES
    expect_relation(transition, span)
    expect_relation(equivalence, span)
    return kinds.RELATION if kinds.UNKNOWN not in (transition, equivalence) else kinds.UNKNOWN


@primitive("bisimulation", _kinds_of_bisimulation)
def bisimulation(operators: Operators, value: Value, span: Span) -> Value:
    """`bisimulation(t, e)`: the greatest equivalence within e that is a bisimulation for t."""
    transition, equivalence = operators.pair(value, span)
    if isinstance(transition, ClassRelation) or isinstance(equivalence, ClassRelation):
        steps = set(class_pairs(transition, span))
        alike = set(class_pairs(equivalence, span))
        return ClassRelation(frozenset(_refined(steps, alike)))
    steps_of = set(operators.algebra.pairs(operators.relation(transition, span)))
    alike_of = set(operators.algebra.pairs(operators.relation(equivalence, span)))
    return operators.algebra.relation(_refined(steps_of, alike_of))


def _refined(steps: set[tuple[_T, _T]], alike: set[tuple[_T, _T]]) -> set[tuple[_T, _T]]:
    """Drops pairs that a step of one side tells apart, until none is left to drop."""
    while True:
        kept = {
            (x, y)
            for x, y in alike
            if _follows(x, y, steps, alike) and _follows(y, x, steps, alike)
        }
        if kept == alike:
            return kept
        alike = kept


def _follows(x: _T, y: _T, steps: set[tuple[_T, _T]], alike: set[tuple[_T, _T]]) -> bool:
    """Whether each step of x is matched by one of y to an alike event."""
    targets = [target for source, target in steps if source == y]
    return all(
        any((to, target) in alike or (target, to) in alike for target in targets)
        for source, to in steps
        if source == x
    )
