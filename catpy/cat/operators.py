"""What the operators of cat do with values: kinds, `{}` and `_` here, the rest by the algebra."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catpy.cat.values import (
    EMPTY,
    UNIVERSE,
    ClassRelation,
    Enumeration,
    Event,
    Pair,
    Polymorphic,
    Tag,
    Tuple,
    Value,
    ValueSet,
    compatible,
    describe,
    key,
    kind,
)
from catpy.errors import ModelError
from catpy.relation import Algebra, EventSet, Relation, Truth
from catpy.source import Span

# What to write instead, where a value is of another kind: said of values here, of kinds in
# `operator_kinds`.
AS_RELATION = "[S] is the identity on a set S, S * S all its pairs"
AS_SET = "domain(r) and range(r) are sets"
BY_MATCH = "elements of event sets and relations are reached by `match`"
AS_COLLECTION = "write {e} for the set of an event, p ++ 0 for the relation of a pair"


class Operators:
    """The operators over one algebra. Each takes the places of its operands for its errors.

    `engine` are the names that were bound before the model runs, and more that no cat name can
    spell (`scope:cta`, `loc:x`), for primitives; `enums` the tags of each enumeration so far.
    """

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.engine: Mapping[str, Value] = {}
        self.enums: Mapping[str, tuple[str, ...]] = {}

    # Kinds

    def relation(self, value: Value, span: Span) -> Relation:
        """The value as a relation; raises ModelError for another kind."""
        match value:
            case Relation():
                return value
            case Polymorphic.EMPTY:
                return self.algebra.empty_relation
            case Polymorphic.UNIVERSE:
                return self.algebra.all_pairs
            case Pair(source, target):
                return self.algebra.relation([(source, target)])
        hint = AS_RELATION if isinstance(value, EventSet) else None
        raise kind_error("a relation", value, span, hint)

    def event_set(self, value: Value, span: Span) -> EventSet:
        """The value as an event set; raises ModelError for another kind."""
        match value:
            case EventSet():
                return value
            case Polymorphic.EMPTY:
                return self.algebra.empty_set
            case Polymorphic.UNIVERSE:
                return self.algebra.all_events
        hint = AS_SET if isinstance(value, Relation) else None
        raise kind_error("an event set", value, span, hint)

    def choices(self, value: Value, span: Span) -> Iterator[Value]:
        """The elements of a set of values, as `with`, `some` and `forall` walk through them."""
        match value:
            case Enumeration(elements):
                return iter(elements())
            case ValueSet(items):
                return iter(items)
            case Polymorphic.EMPTY:
                return iter(())
            case Tag():
                return iter((value,))
        raise kind_error("a set of values", value, span, BY_MATCH)

    def value_set(self, value: Value, span: Span) -> ValueSet:
        """The value as a set of values, built where it was an enumeration."""
        if isinstance(value, ValueSet):
            return value
        return ValueSet.of(self.choices(value, span))

    def pair(self, value: Value, span: Span) -> tuple[Value, Value]:
        """The items of a tuple of two."""
        if isinstance(value, Tuple) and len(value.items) == 2:
            return value.items[0], value.items[1]
        raise kind_error("two arguments", value, span)

    # Union, intersection, difference, complement

    def union(self, left: Value, right: Value, span: Span) -> Value:
        """`left | right`, both of one kind."""
        if left is UNIVERSE or right is UNIVERSE:
            return UNIVERSE
        if left is EMPTY:
            return self._lifted(right)
        if right is EMPTY:
            return self._lifted(left)
        left, right = self._same_kind("unite", left, right, span)
        match left, right:
            case ValueSet(first), ValueSet(second):
                return ValueSet.of([*first, *second])
            case ClassRelation(first_pairs), ClassRelation(second_pairs):
                return ClassRelation(first_pairs | second_pairs)
        return left | right  # type: ignore[operator]

    def intersection(self, left: Value, right: Value, span: Span) -> Value:
        """`left & right`, both of one kind."""
        if left is UNIVERSE:
            return self._lifted(right)
        if right is UNIVERSE:
            return self._lifted(left)
        if left is EMPTY or right is EMPTY:
            return EMPTY
        left, right = self._same_kind("intersect", left, right, span)
        match left, right:
            case ValueSet(items), ValueSet():
                return ValueSet(tuple(item for item in items if key(item) in right.keys))
            case ClassRelation(first_pairs), ClassRelation(second_pairs):
                return ClassRelation(first_pairs & second_pairs)
        return left & right  # type: ignore[operator]

    def difference(self, left: Value, right: Value, span: Span) -> Value:
        """`left \\ right`, both of one kind."""
        if right is UNIVERSE or left is EMPTY:
            return EMPTY
        if right is EMPTY:
            return self._lifted(left)
        if left is UNIVERSE:
            return self.complement(right, span)
        left, right = self._same_kind("subtract", left, right, span)
        match left, right:
            case ValueSet(items), ValueSet():
                return ValueSet(tuple(item for item in items if key(item) not in right.keys))
            case ClassRelation(first_pairs), ClassRelation(second_pairs):
                return ClassRelation(first_pairs - second_pairs)
        return left - right  # type: ignore[operator]

    def complement(self, value: Value, span: Span) -> Value:
        """`~value`: of an event set, a relation, or tags of one enumeration."""
        match self._lifted(value):
            case Polymorphic.EMPTY:
                return UNIVERSE
            case Polymorphic.UNIVERSE:
                return EMPTY
            case EventSet() | Relation() as elements:
                return elements.complement()
            case ValueSet([Tag(_, enum), *_]) as tags:
                rest = (Tag(name, enum) for name in self.enums[enum])
                return ValueSet(tuple(tag for tag in rest if key(tag) not in tags.keys))
        raise kind_error("an event set or a relation", value, span)

    @staticmethod
    def _lifted(value: Value) -> Value:
        """A tag stands for the set of it, where a set is wanted."""
        if isinstance(value, Tag):
            return ValueSet((value,))
        return value

    def _same_kind(self, verb: str, left: Value, right: Value, span: Span) -> tuple[Value, Value]:
        """Both operands, tags lifted, enumerations built. Raises ModelError where they differ."""
        if type(left) is type(right) and isinstance(left, EventSet | Relation):
            return left, right
        left, right = self._lifted(left), self._lifted(right)
        if isinstance(left, Enumeration):
            left = self.value_set(left, span)
        if isinstance(right, Enumeration):
            right = self.value_set(right, span)
        operable = EventSet | Relation | ValueSet | ClassRelation
        if isinstance(left, operable) and isinstance(right, operable):
            if compatible(left, right):
                return left, right
        mixed = {kind(left), kind(right)} == {"events", "rel"}
        hint = AS_RELATION if mixed else None
        if isinstance(left, Event | Pair) or isinstance(right, Event | Pair):
            hint = AS_COLLECTION
        raise ModelError(f"cannot {verb} {describe(left)} and {describe(right)}", span, hint)

    def insertion(self, element: Value, value: Value, span: Span) -> Value:
        """`element ++ value`."""
        self.check_no_universe(element, span)
        match element, value:
            case _, Polymorphic.UNIVERSE:
                return UNIVERSE
            case _, Polymorphic.EMPTY:
                return self.explicit_set([element], span)
            case Event(number), EventSet():
                return value | self.algebra.event_set([number])
            case ((Pair(x, y) | Tuple((Event(x), Event(y)))), Relation()):
                return value | self.algebra.relation([(x, y)])
            case _, ValueSet() | Enumeration():
                values = self.value_set(value, span)
                self._check_element(element, values, span)
                return values.add(element)
        raise ModelError(f"cannot add {describe(element)} to {describe(value)}", span)

    def _check_element(self, element: Value, values: ValueSet, span: Span) -> None:
        if values.items and not compatible(values.items[0], element):
            message = f"cannot add {describe(element)} to {describe(values)}"
            raise ModelError(message, span)

    @staticmethod
    def check_no_universe(value: Value, span: Span) -> None:
        """Raises ModelError where a value is the universe, which is no element of a set."""
        if value is UNIVERSE:
            raise ModelError("the universe `_` cannot be an element of a set", span)

    def explicit_set(self, items: list[Value], span: Span) -> Value:
        """`{e1, …}`: of events an event set, of pairs a relation, else a set of values."""
        if items and all(isinstance(item, Event) for item in items):
            return self.algebra.event_set(i.number for i in items if isinstance(i, Event))
        if items and all(isinstance(item, Pair) for item in items):
            pairs = [(i.source, i.target) for i in items if isinstance(i, Pair)]
            return self.algebra.relation(pairs)
        values = ValueSet.of(items)
        for item in items:
            self._check_element(item, values, span)
        return values

    # Relations

    def sequence(self, left: Value, right: Value, left_span: Span, right_span: Span) -> Value:
        """`left ; right`; a universe is dropped: it is neutral here, not all pairs."""
        if left is EMPTY or right is EMPTY:
            return EMPTY
        if right is UNIVERSE:
            return self._step(left, left_span)
        if left is UNIVERSE:
            return self._step(right, right_span)
        if isinstance(left, ClassRelation) and isinstance(right, ClassRelation):
            pairs = {(x, z) for x, y in left.pairs for other, z in right.pairs if y == other}
            return ClassRelation(frozenset(pairs))
        return self.relation(left, left_span).compose(self.relation(right, right_span))

    def _step(self, value: Value, span: Span) -> Value:
        """What may stand in a sequence, where nothing else does but the universe."""
        if value is UNIVERSE or isinstance(value, ClassRelation):
            return value
        return self.relation(value, span)

    def is_surely_empty(self, value: Value) -> bool:
        """Whether the value is known to be an empty relation or set in every candidate."""
        if isinstance(value, EventSet | Relation):
            return self.algebra.surely(self.algebra.is_empty(value))
        return value is EMPTY or (isinstance(value, ClassRelation) and not value.pairs)

    def product(self, left: Value, right: Value, left_span: Span, right_span: Span) -> Value:
        """`left * right`, the events of one × those of the other."""
        sources = self.promoted(left, left_span)
        return sources.product(self.promoted(right, right_span))

    def promoted(self, value: Value, span: Span) -> EventSet:
        """An event set; a single event stands for the set of it here."""
        if isinstance(value, Event):
            return self.algebra.event_set([value.number])
        return self.event_set(value, span)

    def identity_on(self, value: Value, span: Span) -> Value:
        """`[value]`, the identity on an event set."""
        if value is EMPTY:
            return EMPTY
        return self.event_set(value, span).identity()

    def inverse(self, value: Value, span: Span) -> Value:
        """`value^-1`."""
        match value:
            case Polymorphic():
                return value
            case Pair(source, target):
                return Pair(target, source)
            case ClassRelation(pairs):
                return ClassRelation(frozenset((y, x) for x, y in pairs))
        return self.relation(value, span).inverse()

    def closure(self, operator: str, value: Value, span: Span) -> Value:
        """`+`, `*` or `?` of a relation."""
        if value is UNIVERSE:
            return UNIVERSE
        if value is EMPTY:
            return EMPTY if operator == "+" else self.algebra.identity
        if isinstance(value, ClassRelation):
            return _class_closure(operator, value)
        relation = self.relation(value, span)
        match operator:
            case "+":
                return relation.transitive_closure()
            case "*":
                return relation.reflexive_transitive_closure()
            case _:
                return relation.reflexive_closure()

    # Tests and comparisons

    def test(self, test: str, value: Value, span: Span) -> Truth:
        """In which candidates a value is `empty`, `irreflexive` or `acyclic`."""
        if isinstance(value, ClassRelation):
            return self._class_test(test, value)
        if isinstance(value, Event):
            value = self.promoted(value, span)
        if test == "empty" and isinstance(value, EventSet):
            return self.algebra.is_empty(value)
        if not isinstance(value, EventSet | Relation | Polymorphic | Pair):
            raise kind_error("a relation or an event set", value, span)
        relation = self.relation(value, span)
        if test == "empty":
            return self.algebra.is_empty(relation)
        if test == "irreflexive":
            return self.algebra.is_irreflexive(relation)
        return self.algebra.is_acyclic(relation)

    def _class_test(self, test: str, value: ClassRelation) -> Truth:
        pairs = value.pairs
        if test == "acyclic":
            closed = _class_closure("+", value)
            assert isinstance(closed, ClassRelation)
            pairs = closed.pairs
        holds = not pairs if test == "empty" else all(x != y for x, y in pairs)
        return self.algebra.true if holds else self.algebra.negate(self.algebra.true)

    def equal(self, left: Value, right: Value, span: Span) -> bool:
        """`a = b`; values of different types are an error."""
        if UNIVERSE in (left, right):
            return left is right
        if not compatible(left, right):
            raise ModelError(f"cannot compare {describe(left)} and {describe(right)}", span)
        return key(left) == key(right)

    def is_subset(self, left: Value, right: Value, span: Span) -> bool:
        """`a subset b`."""
        if left is EMPTY or right is UNIVERSE:
            return True
        rest = self.difference(left, right, span)
        if isinstance(rest, EventSet | Relation):
            return self.algebra.always(self.algebra.is_empty(rest))
        return self.is_surely_empty(rest) or (
            isinstance(left, ValueSet) and isinstance(right, ValueSet) and left.keys <= right.keys
        )

    def is_element(self, element: Value, value: Value, span: Span) -> bool:
        """`a in b`."""
        match element, value:
            case _, Polymorphic():
                return value is UNIVERSE
            case Event(number), EventSet():
                return number in self.algebra.members(value)
            case ((Pair(x, y) | Tuple((Event(x), Event(y)))), Relation()):
                return (x, y) in self.algebra.pairs(value)
            case _, ValueSet() | Enumeration():
                return key(element) in self.value_set(value, span).keys
        raise ModelError(f"{describe(element)} cannot be in {describe(value)}", span)

    def settled(self, new: Value, old: Value, span: Span) -> bool:
        """Whether a round of `let rec` brought nothing new: new ⊆ old in every candidate."""
        if isinstance(new, Tuple | Tag | Event | Pair) or kind(new) in ("closure", "procedure"):
            raise ModelError(f"{describe(new)} cannot be defined by recursion", span)
        if old is UNIVERSE or self.is_surely_empty(new):
            return True
        if old is EMPTY or new is UNIVERSE:
            return isinstance(new, ValueSet) and not new.items
        new, old = self._same_kind("iterate over", new, old, span)
        if isinstance(new, EventSet | Relation):
            assert isinstance(old, EventSet | Relation)
            return self.algebra.always(self.algebra.is_contained(new, old))
        return self.is_surely_empty(self.difference(new, old, span)) or (
            isinstance(new, ValueSet) and isinstance(old, ValueSet) and new.keys <= old.keys
        )


def _class_closure(operator: str, value: ClassRelation) -> Value:
    pairs = set(value.pairs)
    if operator != "?":
        while True:
            gained = {(x, z) for x, y in pairs for other, z in pairs if y == other} - pairs
            if not gained:
                break
            pairs |= gained
    if operator != "+":
        pairs |= {(x, x) for pair in value.pairs for x in pair}
    return ClassRelation(frozenset(pairs))


def kind_error(wanted: str, value: Value, span: Span, hint: str | None = None) -> ModelError:
    """The error that a value of another kind was expected."""
    return ModelError(f"expected {wanted}, but this is {describe(value)}", span, hint)
