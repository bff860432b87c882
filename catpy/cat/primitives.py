"""The functions of the language itself. One function with the decorator is one primitive.

A primitive takes the operators of the present algebra, its argument (a tuple where cat passes
several) and the argument's place, and raises ModelError where the argument is of a wrong kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from catpy.cat.operators import Operators, kind_error
from catpy.cat.values import (
    EMPTY,
    ClassRelation,
    Enumeration,
    Polymorphic,
    Primitive,
    Tag,
    Tuple,
    Value,
    ValueSet,
    describe,
)
from catpy.errors import ModelError, did_you_mean
from catpy.relation import EventSet, Relation
from catpy.source import Span

_T = TypeVar("_T")

Body = Callable[[Operators, Value, Span], Value]

PRIMITIVES: dict[str, Primitive] = {}
#: Those that catpy adds to cat, in the order of this file.
EXTENSIONS: list[str] = []


def primitive(
    name: str, extension: bool = False, of_candidates: bool = False
) -> Callable[[Body], Body]:
    """Registers a primitive under its cat name."""

    def register(body: Body) -> Body:
        PRIMITIVES[name] = Primitive(name, body, of_candidates)
        if extension:
            EXTENSIONS.append(name)
        return body

    return register


# Sets and relations


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


@primitive("fromto")
def fromto(operators: Operators, value: Value, span: Span) -> Value:
    """For each fence of a set, the events before it × the events after it in program order."""
    po = _engine_relation(operators, "po", span)
    fences = operators.event_set(value, span)
    around = operators.algebra.empty_relation
    for fence in operators.algebra.members(fences):
        one = operators.algebra.event_set([fence]).identity()
        around = around | po.compose(one).compose(po)
    return around


@primitive("different-values", of_candidates=True)
def different_values(operators: Operators, value: Value, span: Span) -> Value:
    """The pairs of a relation whose two events do not carry the same value."""
    if value is EMPTY:
        return EMPTY
    same = _engine_relation(operators, "value:same", span)
    return operators.relation(value, span) - same


@primitive("as_transitive")
def as_transitive(operators: Operators, value: Value, span: Span) -> Value:
    """The transitive closure of a relation."""
    return operators.closure("+", value, span)


@primitive("fail")
def fail(operators: Operators, value: Value, span: Span) -> Value:
    """An error, always."""
    raise ModelError(f"fail on {describe(value)}", span)


# Orders to choose from


@primitive("linearisations")
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
    pairs = _class_pairs(order, span)
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


@primitive("orientations", extension=True)
def orientations(operators: Operators, value: Value, span: Span) -> Value:
    """`orientations(r)` or `orientations(r, base)`; an extension of catpy.

    The acyclic relations that hold one direction of every pair of r, which is taken symmetric and
    irreflexive, and that hold base restricted to the pairs of r. They are not closed.
    """
    relation, fixed = _relation_and_base(operators, value, span)
    return Enumeration(lambda: operators.algebra.orientations(relation, fixed))


@primitive("partial-orders", extension=True)
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


@primitive("unions", extension=True)
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


# Classes


@primitive("classes-loc")
def classes_loc(operators: Operators, value: Value, span: Span) -> Value:
    """The events of a set grouped by location; events without a location are dropped."""
    if value is EMPTY:
        return EMPTY
    loc = _engine_relation(operators, "loc", span)
    inside = operators.event_set(value, span).identity()
    return _classes(operators, inside.compose(loc).compose(inside))


@primitive("classes")
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


@primitive("lift")
def lift(operators: Operators, value: Value, span: Span) -> Value:
    """`lift(classes, r)`: relates the classes that hold the two ends of a pair of r."""
    groups, relation = operators.pair(value, span)
    sets = [operators.event_set(item, span) for item in operators.value_set(groups, span).items]
    home = {event: found for found in sets for event in operators.algebra.members(found)}
    pairs = operators.algebra.pairs(operators.relation(relation, span))
    return ClassRelation(frozenset((home[x], home[y]) for x, y in pairs if x in home and y in home))


@primitive("delift")
def delift(operators: Operators, value: Value, span: Span) -> Value:
    """The events of related classes, each with each."""
    result = operators.algebra.empty_relation
    for x, y in _class_pairs(value, span):
        result = result | x.product(y)
    return result


@primitive("deliftinter")
def deliftinter(operators: Operators, value: Value, span: Span) -> Value:
    """`deliftinter(r, c)`: the pairs of r between related classes."""
    relation, related = operators.pair(value, span)
    lowered = delift(operators, related, span)
    return operators.intersection(relation, lowered, span)


@primitive("bisimulation")
def bisimulation(operators: Operators, value: Value, span: Span) -> Value:
    """`bisimulation(t, e)`: the greatest equivalence within e that is a bisimulation for t."""
    transition, equivalence = operators.pair(value, span)
    if isinstance(transition, ClassRelation) or isinstance(equivalence, ClassRelation):
        steps = set(_class_pairs(transition, span))
        alike = set(_class_pairs(equivalence, span))
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


def _class_pairs(value: Value, span: Span) -> frozenset[tuple[EventSet, EventSet]]:
    if value is EMPTY:
        return frozenset()
    if isinstance(value, ClassRelation):
        return value.pairs
    raise kind_error("a relation between classes", value, span)


# Names of the engine by tags


@primitive("tag2events")
def tag2events(operators: Operators, value: Value, span: Span) -> Value:
    """The events that carry an annotation: the set named by the tag, its first letter a capital."""
    tag = _tag(value, span)
    name = tag[0].upper() + tag[1:]
    found = operators.engine.get(name)
    if not isinstance(found, EventSet):
        sets = (n for n, v in operators.engine.items() if isinstance(v, EventSet))
        raise ModelError(f"there is no event set `{name}`", span, did_you_mean(name, sets))
    return found


@primitive("tag2scope")
def tag2scope(operators: Operators, value: Value, span: Span) -> Value:
    """The pairs of events in the same instance of a scope, such as `'cta`."""
    return _scope(operators, _tag(value, span), span)


@primitive("tag2level")
def tag2level(operators: Operators, value: Value, span: Span) -> Value:
    """The pairs of events at the same instance of a level; here levels are scopes."""
    return _scope(operators, _tag(value, span), span)


def _scope(operators: Operators, tag: str, span: Span) -> Value:
    scopes = [name.removeprefix("scope:") for name in operators.engine if name.startswith("scope:")]
    if tag not in scopes:
        hint = did_you_mean(tag, scopes) or f"there are {', '.join(sorted(scopes))}"
        raise ModelError(f"there is no scope `{tag}`", span, hint)
    return operators.engine[f"scope:{tag}"]


@primitive("loc2events")
def loc2events(operators: Operators, value: Value, span: Span) -> Value:
    """The events that access the location a tag names."""
    return operators.engine.get(f"loc:{_tag(value, span)}", operators.algebra.empty_set)


def _tag(value: Value, span: Span) -> str:
    if isinstance(value, Tag):
        return value.name
    raise kind_error("a tag", value, span)


def _engine_relation(operators: Operators, name: str, span: Span) -> Relation:
    """A relation as it was bound before the model ran."""
    value = operators.engine.get(name)
    if not isinstance(value, Relation):
        raise ModelError(f"the relation `{name}` is not there", span)
    return value


# What makes no sense here


def _unavailable(name: str, reason: str) -> None:
    @primitive(name)
    def refuse(operators: Operators, value: Value, span: Span) -> Value:
        raise ModelError(f"`{name}` is not available: {reason}", span)


for _name in ("same-oa", "at-least-one-writable"):
    _unavailable(_name, "this architecture has no page tables")
_unavailable("tag2fenced", "it names a relation that no engine has any more")
for _name in ("newSet", "newRelation"):
    _unavailable(_name, "it is chosen by a solver; use `some x from S`")
