"""Recursion that is not monotone: a name of the group is taken away from something."""

from __future__ import annotations

from collections.abc import Iterator

from catpy.cat.check.diagnostics import Diagnostic, warning
from catpy.cat.names import bound_names
from catpy.cat.syntax import Expression, Function, Let, LetIn, MatchSet, Name, Operation
from catpy.cat.walks import subexpressions

_HINT = "the result is what rounds from {} on give until one adds nothing, as in herd"


def not_monotone(let: Let) -> Iterator[Diagnostic]:
    """Warnings for the names of a `let rec` group that stand below `~` or right of `\\`."""
    if not let.recursive or all(isinstance(b.body, Function) for b in let.bindings):
        return
    group = bound_names(let.bindings)
    seen: set[str] = set()
    for binding in let.bindings:
        for place in _negative(binding.body, group, False):
            if place.name not in seen:
                seen.add(place.name)
                message = f"the recursion through `{place.name}` is not monotone"
                yield warning("not-monotone", message, place.span, _HINT)


def _negative(expression: Expression, group: frozenset[str], flipped: bool) -> Iterator[Name]:
    """The places of group names that are below an odd number of complements."""
    match expression:
        case Name(name):
            if flipped and name in group:
                yield expression
        case Operation("\\", (left, right)):
            yield from _negative(left, group, flipped)
            yield from _negative(right, group, not flipped)
        case Operation("~", (operand,)):
            yield from _negative(operand, group, not flipped)
        case Function(pattern=pattern, body=body):
            yield from _negative(body, group - set(pattern.names), flipped)
        case LetIn(bindings, _, body):
            for binding in bindings:
                yield from _negative(binding.body, group, flipped)
            yield from _negative(body, group - bound_names(bindings), flipped)
        case MatchSet(below=below, element=element, rest=rest, body=body):
            yield from _negative(expression.scrutinee, group, flipped)
            yield from _negative(expression.empty, group, flipped)
            yield from _negative(body, group - {below, element, rest}, flipped)
        case _:
            for part in subexpressions(expression):
                yield from _negative(part, group, flipped)
