"""Primitives that find by tags what the engine binds."""

from __future__ import annotations

from catpy.cat import kinds
from catpy.cat.kinds import Kind
from catpy.cat.operator_kinds import KindError
from catpy.cat.operators import Operators, kind_error
from catpy.cat.primitives.registry import Signature, primitive
from catpy.cat.values import Tag, Value
from catpy.errors import ModelError, did_you_mean
from catpy.relation import EventSet
from catpy.source import Span


def _of_tag(result: Kind) -> Signature:
    def signature(argument: Kind, span: Span) -> Kind:
        if argument is not kinds.TAG:
            raise KindError("expected a tag", span)
        return result

    return signature


@primitive("tag2events", _of_tag(kinds.SET))
def tag2events(operators: Operators, value: Value, span: Span) -> Value:
    """The events that carry an annotation: the set named by the tag, its first letter a capital."""
    tag = _tag(value, span)
    name = tag[0].upper() + tag[1:]
    found = operators.engine.get(name)
    if not isinstance(found, EventSet):
        sets = (n for n, v in operators.engine.items() if isinstance(v, EventSet))
        raise ModelError(f"there is no event set `{name}`", span, did_you_mean(name, sets))
    return found


@primitive("tag2scope", _of_tag(kinds.RELATION))
def tag2scope(operators: Operators, value: Value, span: Span) -> Value:
    """The pairs of events in the same instance of a scope, such as `'cta`."""
    return _scope(operators, _tag(value, span), span)


@primitive("tag2level", _of_tag(kinds.RELATION))
def tag2level(operators: Operators, value: Value, span: Span) -> Value:
    """The pairs of events at the same instance of a level; here levels are scopes."""
    return _scope(operators, _tag(value, span), span)


def _scope(operators: Operators, tag: str, span: Span) -> Value:
    scopes = [name.removeprefix("scope:") for name in operators.engine if name.startswith("scope:")]
    if tag not in scopes:
        hint = did_you_mean(tag, scopes) or f"there are {', '.join(sorted(scopes))}"
        raise ModelError(f"there is no scope `{tag}`", span, hint)
    return operators.engine[f"scope:{tag}"]


@primitive("loc2events", _of_tag(kinds.SET))
def loc2events(operators: Operators, value: Value, span: Span) -> Value:
    """The events that access the location a tag names."""
    return operators.engine.get(f"loc:{_tag(value, span)}", operators.algebra.empty_set)


def _tag(value: Value, span: Span) -> str:
    if isinstance(value, Tag):
        return value.name
    raise kind_error("a tag", value, span)
