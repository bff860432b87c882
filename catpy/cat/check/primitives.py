"""The kinds that the primitives of cat take and give."""

from __future__ import annotations

from collections.abc import Callable

from catpy.cat.check.kinds import (
    CLASSES,
    EMPTY,
    RELATION,
    SET,
    TAG,
    UNIVERSE,
    UNKNOWN,
    Kind,
    TupleOf,
    ValuesOf,
)
from catpy.cat.check.operators import KindError, expect_relation, expect_set, operate
from catpy.source import Span

_Signature = Callable[[Kind, Span], Kind]


def apply_primitive(name: str, argument: Kind, span: Span) -> Kind:
    """The kind of a primitive's result. Raises KindError where it does not take the argument."""
    signature = _SIGNATURES.get(name)
    return signature(argument, span) if signature and argument is not UNKNOWN else UNKNOWN


def _set_of_relation(argument: Kind, span: Span) -> Kind:
    if argument in (EMPTY, UNIVERSE):
        return argument
    expect_relation(argument, span)
    return SET


def _pair_of_arguments(argument: Kind, span: Span) -> tuple[Kind, Kind]:
    if isinstance(argument, TupleOf) and len(argument.items) == 2:
        return argument.items[0], argument.items[1]
    raise wrong_arity(2, argument, span)


def wrong_arity(wanted: int, argument: Kind, span: Span) -> KindError:
    """The mistake that a function of several parameters gets another number of arguments."""
    given = len(argument.items) if isinstance(argument, TupleOf) else 1
    arguments = "argument" if wanted == 1 else "arguments"
    problem = KindError(f"expected {wanted} {arguments}, but this is {given}", span)
    problem.code = "arity"
    return problem


def _fromto(argument: Kind, span: Span) -> Kind:
    expect_set(argument, span)
    return RELATION


def _same_relation(argument: Kind, span: Span) -> Kind:
    if argument is EMPTY:
        return EMPTY
    expect_relation(argument, span)
    return RELATION


def _linearisations(argument: Kind, span: Span) -> Kind:
    events, order = _pair_of_arguments(argument, span)
    if isinstance(events, ValuesOf):
        _expect_classes(order, span)
        return ValuesOf(CLASSES)
    expect_set(events, span)
    expect_relation(order, span)
    return ValuesOf(RELATION) if events is not UNKNOWN else UNKNOWN


def _orders(argument: Kind, span: Span) -> Kind:
    relation: Kind = argument
    base: Kind = EMPTY
    if isinstance(argument, TupleOf):
        relation, base = _pair_of_arguments(argument, span)
    expect_relation(relation, span)
    expect_relation(base, span)
    return ValuesOf(RELATION)


def _unions(argument: Kind, span: Span) -> Kind:
    if argument is UNKNOWN:
        return UNKNOWN
    inner = argument.element if isinstance(argument, ValuesOf) else argument
    members = inner.element if isinstance(inner, ValuesOf) else inner
    if argument not in (EMPTY, TAG) and not isinstance(argument, ValuesOf):
        raise KindError("expected a set of sets of relations", span)
    expect_relation(members, span)
    return ValuesOf(RELATION)


def _classes_loc(argument: Kind, span: Span) -> Kind:
    if argument is EMPTY:
        return EMPTY
    expect_set(argument, span)
    return ValuesOf(SET)


def _classes(argument: Kind, span: Span) -> Kind:
    if argument is EMPTY:
        return EMPTY
    expect_relation(argument, span)
    return ValuesOf(SET)


def _lift(argument: Kind, span: Span) -> Kind:
    groups, relation = _pair_of_arguments(argument, span)
    if not isinstance(groups, ValuesOf) and groups not in (EMPTY, UNKNOWN, TAG):
        raise KindError("expected a set of event sets", span)
    expect_relation(relation, span)
    return CLASSES


def _expect_classes(kind: Kind, span: Span) -> None:
    if kind not in (CLASSES, EMPTY, UNKNOWN):
        raise KindError("expected a relation between classes", span, "`lift` makes one")


def _delift(argument: Kind, span: Span) -> Kind:
    _expect_classes(argument, span)
    return RELATION


def _deliftinter(argument: Kind, span: Span) -> Kind:
    relation, related = _pair_of_arguments(argument, span)
    _expect_classes(related, span)
    return operate("&", [relation, RELATION], [span, span], span)


def _bisimulation(argument: Kind, span: Span) -> Kind:
    transition, equivalence = _pair_of_arguments(argument, span)
    if CLASSES in (transition, equivalence):
        return CLASSES
    expect_relation(transition, span)
    expect_relation(equivalence, span)
    return RELATION if UNKNOWN not in (transition, equivalence) else UNKNOWN


def _of_tag(result: Kind) -> _Signature:
    def signature(argument: Kind, span: Span) -> Kind:
        if argument is not TAG:
            raise KindError("expected a tag", span)
        return result

    return signature


_SIGNATURES: dict[str, _Signature] = {
    "domain": _set_of_relation,
    "range": _set_of_relation,
    "fromto": _fromto,
    "different-values": _same_relation,
    "as_transitive": lambda argument, span: operate("+", [argument], [span], span),
    "linearisations": _linearisations,
    "orientations": _orders,
    "partial-orders": _orders,
    "unions": _unions,
    "classes-loc": _classes_loc,
    "classes": _classes,
    "lift": _lift,
    "delift": _delift,
    "deliftinter": _deliftinter,
    "bisimulation": _bisimulation,
    "tag2events": _of_tag(SET),
    "tag2scope": _of_tag(RELATION),
    "tag2level": _of_tag(RELATION),
    "loc2events": _of_tag(SET),
}
