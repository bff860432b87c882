"""What the operators of cat do with values: kinds, `{}` and `_` here, the rest by the algebra."""

from __future__ import annotations

from collections.abc import Iterator

from catpy.cat.values import (
    EMPTY,
    UNIVERSE,
    Enumeration,
    Polymorphic,
    Tuple,
    Value,
    ValueSet,
    describe,
)
from catpy.errors import ModelError
from catpy.relation import Algebra, EventSet, Relation, Truth
from catpy.source import Span

_AS_RELATION = "[S] is the identity on a set S, S * S all its pairs"


class Operators:
    """The operators over one algebra. Each takes the places of its operands for its errors."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra

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
        hint = _AS_RELATION if isinstance(value, EventSet) else None
        raise _kind_error("a relation", value, span, hint)

    def event_set(self, value: Value, span: Span) -> EventSet:
        """The value as an event set; raises ModelError for another kind."""
        match value:
            case EventSet():
                return value
            case Polymorphic.EMPTY:
                return self.algebra.empty_set
            case Polymorphic.UNIVERSE:
                return self.algebra.all_events
        hint = "domain(r) and range(r) are sets" if isinstance(value, Relation) else None
        raise _kind_error("an event set", value, span, hint)

    def elements(self, value: Value, span: Span) -> Iterator[Value]:
        """The elements of a set of values, as `with` and `some` walk through them."""
        match value:
            case Enumeration(elements):
                return elements()
            case ValueSet(items):
                return iter(items)
            case Polymorphic.EMPTY:
                return iter(())
        raise _kind_error("a set to choose from", value, span)

    def _same_kind(self, verb: str, left: Value, right: Value, span: Span) -> None:
        for kind in (EventSet, Relation):
            if isinstance(left, kind) and isinstance(right, kind):
                return
        message = f"cannot {verb} {describe(left)} and {describe(right)}"
        mixed = isinstance(left, EventSet | Relation) and isinstance(right, EventSet | Relation)
        raise ModelError(message, span, _AS_RELATION if mixed else None)

    # Union, intersection, difference, complement

    def union(self, left: Value, right: Value, span: Span) -> Value:
        if left is UNIVERSE or right is UNIVERSE:
            return UNIVERSE
        if left is EMPTY:
            return right
        if right is EMPTY:
            return left
        if isinstance(left, ValueSet) and isinstance(right, ValueSet):
            for item in right.items:
                left = left.add(item)
            return left
        self._same_kind("unite", left, right, span)
        return left | right  # type: ignore[operator]

    def intersection(self, left: Value, right: Value, span: Span) -> Value:
        if left is UNIVERSE:
            return right
        if right is UNIVERSE:
            return left
        if left is EMPTY or right is EMPTY:
            return EMPTY
        self._same_kind("intersect", left, right, span)
        return left & right  # type: ignore[operator]

    def difference(self, left: Value, right: Value, span: Span) -> Value:
        if right is UNIVERSE or left is EMPTY:
            return EMPTY
        if right is EMPTY:
            return left
        if left is UNIVERSE:
            return self.complement(right, span)
        self._same_kind("subtract", left, right, span)
        return left - right  # type: ignore[operator]

    def complement(self, value: Value, span: Span) -> Value:
        match value:
            case Polymorphic.EMPTY:
                return UNIVERSE
            case Polymorphic.UNIVERSE:
                return EMPTY
            case EventSet() | Relation():
                return value.complement()
        raise _kind_error("an event set or a relation", value, span)

    def insertion(self, element: Value, value: Value, span: Span) -> Value:
        """`element ++ value`."""
        match value:
            case Polymorphic.UNIVERSE:
                return UNIVERSE
            case Polymorphic.EMPTY:
                return ValueSet((element,))
            case ValueSet():
                return value.add(element)
        raise _kind_error("a set of values", value, span)

    # Relations

    def sequence(self, left: Value, right: Value, left_span: Span, right_span: Span) -> Value:
        """`left ; right`; a universe is dropped: it is neutral here, not all pairs."""
        if left is EMPTY or right is EMPTY:
            return EMPTY
        if right is UNIVERSE:
            return left
        if left is UNIVERSE:
            return right
        return self.relation(left, left_span).compose(self.relation(right, right_span))

    def is_surely_empty(self, value: Value) -> bool:
        """Whether the value is an empty relation or set in every candidate."""
        if isinstance(value, EventSet | Relation):
            return self.algebra.always(self.algebra.is_empty(value))
        return value is EMPTY

    def product(self, left: Value, right: Value, left_span: Span, right_span: Span) -> Value:
        sources = self.event_set(left, left_span)
        return sources.product(self.event_set(right, right_span))

    def identity_on(self, value: Value, span: Span) -> Value:
        return self.event_set(value, span).identity()

    def inverse(self, value: Value, span: Span) -> Value:
        if isinstance(value, Polymorphic):
            return value
        return self.relation(value, span).inverse()

    def closure(self, operator: str, value: Value, span: Span) -> Value:
        """`+`, `*` or `?` of a relation."""
        if value is UNIVERSE:
            return UNIVERSE
        if value is EMPTY:
            return EMPTY if operator == "+" else self.algebra.identity
        relation = self.relation(value, span)
        match operator:
            case "+":
                return relation.transitive_closure()
            case "*":
                return relation.reflexive_transitive_closure()
            case _:
                return relation.reflexive_closure()

    # Tests

    def test(self, kind: str, value: Value, span: Span) -> Truth:
        """In which candidates a value is `empty`, `irreflexive` or `acyclic`."""
        if kind == "empty":
            if isinstance(value, EventSet):
                return self.algebra.is_empty(value)
            return self.algebra.is_empty(self.relation(value, span))
        relation = self.relation(value, span)
        if kind == "irreflexive":
            return self.algebra.is_irreflexive(relation)
        return self.algebra.is_acyclic(relation)

    def settled(self, new: Value, old: Value, span: Span) -> bool:
        """Whether a round of `let rec` brought nothing new: new ⊆ old in every candidate."""
        if old is UNIVERSE or self.is_surely_empty(new):
            return True
        if old is EMPTY or new is UNIVERSE:
            return False
        self._same_kind("iterate over", new, old, span)
        contained = self.algebra.is_contained(new, old)  # type: ignore[arg-type]
        return self.algebra.always(contained)

    def pair(self, value: Value, span: Span) -> tuple[Value, Value]:
        """The items of a tuple of two."""
        if isinstance(value, Tuple) and len(value.items) == 2:
            return value.items[0], value.items[1]
        raise _kind_error("two arguments", value, span)


def _kind_error(wanted: str, value: Value, span: Span, hint: str | None = None) -> ModelError:
    return ModelError(f"expected {wanted}, but this is {describe(value)}", span, hint)
