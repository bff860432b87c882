"""What kinds the operators take and give: the rules of `catpy.cat.operators` without values.

Whatever is not surely wrong passes: an operand of unknown kind gives a result of unknown kind, or
of the one kind that the operator can give.
"""

from __future__ import annotations

from collections.abc import Sequence

from catpy.cat.kinds import (
    CLASSES,
    EMPTY,
    EVENT,
    PAIR,
    RELATION,
    SET,
    TAG,
    UNIVERSE,
    UNKNOWN,
    Kind,
    TupleOf,
    ValuesOf,
    describe,
    join,
)
from catpy.cat.operators import AS_COLLECTION, AS_RELATION, AS_SET, BY_MATCH
from catpy.errors import ModelError
from catpy.source import Span

_VERBS = {"|": "unite", "&": "intersect", "\\": "subtract"}
_POLYMORPHIC = (EMPTY, UNIVERSE, UNKNOWN)


class KindError(ModelError):
    """Kinds that do not go together."""

    def __init__(self, message: str, span: Span, hint: str | None = None) -> None:
        super().__init__(message, span, hint, "kind")
        self.place = span


def expect_relation(kind: Kind, span: Span) -> None:
    """Raises KindError where a kind is surely no relation."""
    if kind not in (RELATION, PAIR, *_POLYMORPHIC):
        hint = AS_RELATION if kind is SET else None
        raise _expected("a relation", kind, span, hint)


def expect_set(kind: Kind, span: Span) -> None:
    """Raises KindError where a kind is surely no event set."""
    if kind not in (SET, *_POLYMORPHIC):
        hint = AS_SET if kind is RELATION else None
        raise _expected("an event set", kind, span, hint)


def expect_classes(kind: Kind, span: Span) -> None:
    """Raises KindError where a kind is surely no relation between classes."""
    if kind not in (CLASSES, EMPTY, UNKNOWN):
        raise KindError("expected a relation between classes", span, "`lift` makes one")


def expect_values(kind: Kind, span: Span) -> Kind:
    """The kind of the elements of a set of values, as `with` and `forall` walk through them."""
    match kind:
        case ValuesOf(element):
            return element
        case _ if kind is TAG:
            return TAG
        case _ if kind in (EMPTY, UNKNOWN):
            return UNKNOWN
    raise _expected("a set of values", kind, span, BY_MATCH)


def _expected(wanted: str, kind: Kind, span: Span, hint: str | None = None) -> KindError:
    return KindError(f"expected {wanted}, but this is {describe(kind)}", span, hint)


def wrong_arity(wanted: int, argument: Kind, span: Span) -> KindError:
    """The mistake that a function of several parameters gets another number of arguments."""
    given = len(argument.items) if isinstance(argument, TupleOf) else 1
    arguments = "argument" if wanted == 1 else "arguments"
    problem = KindError(f"expected {wanted} {arguments}, but this is {given}", span)
    problem.code = "arity"
    return problem


def lifted(kind: Kind) -> Kind:
    """A tag stands for the set of it, where a set is wanted."""
    return ValuesOf(TAG) if kind is TAG else kind


def operate(operator: str, kinds: Sequence[Kind], spans: Sequence[Span], whole: Span) -> Kind:
    """The kind of an operator's result. Raises KindError."""
    match operator:
        case "|":
            return _united(kinds, spans)
        case "&" | "\\":
            return _combined(operator, kinds[0], kinds[1], whole)
        case ";":
            return _sequence(kinds, spans)
        case "++":
            return _insertion(kinds[0], kinds[1], spans[1])
        case "×":
            for kind, span in zip(kinds, spans, strict=True):
                if kind is not EVENT:
                    expect_set(kind, span)
            return RELATION
        case "~":
            return _complement(kinds[0], spans[0])
        case "[]":
            expect_set(kinds[0], spans[0])
            return EMPTY if kinds[0] is EMPTY else RELATION
    return _of_relation(operator, kinds[0], spans[0])


def _of_relation(operator: str, kind: Kind, span: Span) -> Kind:
    """Closures and inverse."""
    if kind in (UNIVERSE, CLASSES) or (kind is PAIR and operator == "^-1"):
        return kind
    if kind is EMPTY:
        return EMPTY if operator in ("+", "^-1") else RELATION
    expect_relation(kind, span)
    return UNKNOWN if kind is UNKNOWN else RELATION


def _united(kinds: Sequence[Kind], spans: Sequence[Span]) -> Kind:
    result = kinds[0]
    for kind, span in zip(kinds[1:], spans[1:], strict=True):
        result = _combined("|", result, kind, span)
    return result


def _combined(operator: str, left: Kind, right: Kind, span: Span) -> Kind:
    """Union, intersection and difference: both operands are of one kind."""
    left, right = lifted(left), lifted(right)
    if UNKNOWN in (left, right):
        return UNKNOWN
    if left in _POLYMORPHIC or right in _POLYMORPHIC:
        return _with_polymorphic(operator, left, right)
    match left, right:
        case ValuesOf(first), ValuesOf(second):
            return ValuesOf(join(first, second))
        case _ if left == right and left in (SET, RELATION, CLASSES):
            return left
    hint = AS_RELATION if {left, right} == {SET, RELATION} else None
    if EVENT in (left, right) or PAIR in (left, right):
        hint = AS_COLLECTION
    message = f"cannot {_VERBS[operator]} {describe(left)} and {describe(right)}"
    raise KindError(message, span, hint)


def _with_polymorphic(operator: str, left: Kind, right: Kind) -> Kind:
    if operator == "|":
        if UNIVERSE in (left, right):
            return UNIVERSE
        return right if left is EMPTY else left
    if operator == "&":
        if EMPTY in (left, right):
            return EMPTY
        return right if left is UNIVERSE else left
    if right is UNIVERSE or left is EMPTY:
        return EMPTY
    if right is EMPTY:
        return left
    return right


def _sequence(kinds: Sequence[Kind], spans: Sequence[Span]) -> Kind:
    """A universe is dropped; what comes behind something empty does not matter."""
    if EMPTY in kinds:
        for kind, span in zip(kinds[: kinds.index(EMPTY)], spans, strict=False):
            if len(kinds) > 1 and kind is not CLASSES:
                expect_relation(kind, span)
        return EMPTY
    kept = [(k, s) for k, s in zip(kinds, spans, strict=True) if k is not UNIVERSE]
    if any(kind is CLASSES for kind, _ in kept):
        for kind, span in kept:
            if kind not in (CLASSES, UNKNOWN):
                raise _expected("a relation between classes", kind, span)
        return CLASSES
    if len(kept) > 1:
        for kind, span in kept:
            expect_relation(kind, span)
    if len(kept) == 1:
        return kept[0][0]
    return UNKNOWN if kept and all(kind is UNKNOWN for kind, _ in kept) else RELATION


def _insertion(element: Kind, values: Kind, span: Span) -> Kind:
    if element is UNIVERSE:
        raise KindError("the universe `_` cannot be an element of a set", span)
    if UNKNOWN in (element, values):
        return values
    if values is UNIVERSE:
        return UNIVERSE
    if values is EMPTY:
        return explicit_set([element], span)
    match values:
        case ValuesOf(present):
            return ValuesOf(join(present, element))
    is_pair = element is PAIR or element == TupleOf((EVENT, EVENT))
    is_pair = is_pair or (isinstance(element, TupleOf) and UNKNOWN in element.items)
    if (values is SET and element is EVENT) or (values is RELATION and is_pair):
        return values
    raise KindError(f"cannot add {describe(element)} to {describe(values)}", span)


def explicit_set(elements: Sequence[Kind], span: Span) -> Kind:
    """`{e1, …}`: of events an event set, of pairs a relation, else a set of values."""
    if UNIVERSE in elements:
        raise KindError("the universe `_` cannot be an element of a set", span)
    if all(element is EVENT for element in elements):
        return SET
    if all(element is PAIR for element in elements):
        return RELATION
    if UNKNOWN in elements:
        return UNKNOWN
    together = elements[0]
    for element in elements[1:]:
        if not may_be_equal(together, element):
            raise KindError(
                f"cannot add {describe(element)} to a set of {describe(together)}", span
            )
        together = join(together, element)
    return ValuesOf(together)


def may_be_equal(left: Kind, right: Kind) -> bool:
    """Whether values of two kinds can be compared, as far as kinds without parts tell."""
    plain = (SET, RELATION, CLASSES, EVENT, PAIR, TAG)
    return left is right or left not in plain or right not in plain


def _complement(kind: Kind, span: Span) -> Kind:
    kind = lifted(kind)
    match kind:
        case _ if kind is EMPTY:
            return UNIVERSE
        case _ if kind is UNIVERSE:
            return EMPTY
        case _ if kind in (SET, RELATION, UNKNOWN):
            return kind
        case ValuesOf(element) if element in (TAG, UNKNOWN):
            return kind
    raise _expected("an event set or a relation", kind, span)


def expect_test(test: str, kind: Kind, span: Span) -> None:
    """Whether a test can be made of the kind; only `empty` can of an event set."""
    if kind is CLASSES:
        return
    if kind in (SET, EVENT) and test == "empty":
        return
    if kind not in (SET, EVENT, RELATION, PAIR, *_POLYMORPHIC):
        raise _expected("a relation or an event set", kind, span)
    expect_relation(SET if kind is EVENT else kind, span)
