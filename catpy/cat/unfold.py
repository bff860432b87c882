"""Puts definitions in the place of the names that mean them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from catpy.cat.names import bound_names, free_names
from catpy.cat.syntax import (
    Apply,
    Binding,
    Comparison,
    Condition,
    Expression,
    Function,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    Operation,
    SetOf,
    Try,
    TupleOf,
)

#: What a name stands for; None where it stays.
Meaning = Callable[[str], Expression | None]


def substitute(expression: Expression, meaning: Meaning) -> Expression:
    """The expression with what names mean in their place.

    Functions are applied where all their arguments are there. Names that are bound inside stay, and
    so do those whose meaning uses a name that is bound inside.
    """
    return _Substitution(meaning, frozenset(), []).of(expression)


class _Substitution:
    """Puts meanings in the place of names, from the outside in.

    `bound` are the names that are bound between the whole and here; `kept` gathers the names that
    stay because their meaning uses one of those.
    """

    def __init__(self, meaning: Meaning, bound: frozenset[str], kept: list[str]) -> None:
        self._meaning = meaning
        self._bound = bound
        self._kept = kept

    def _within(self, names: frozenset[str]) -> _Substitution:
        return _Substitution(self._meaning, self._bound | names, self._kept)

    def _meant(self, name: str) -> Expression | None:
        if name in self._bound:
            return None
        found = self._meaning(name)
        if found is not None and free_names(found) & self._bound:
            self._kept.append(name)
            return None
        return found

    def of(self, expression: Expression) -> Expression:
        match expression:
            case Name(name):
                return self._meant(name) or expression
            case Operation(_, items):
                return replace(expression, operands=tuple(map(self.of, items)))
            case TupleOf(items) | SetOf(items):
                return replace(expression, items=tuple(map(self.of, items)))
            case Apply():
                return self._apply(expression)
            case Function(pattern, body):
                body = self._within(frozenset(filter(None, pattern.names))).of(body)
                free = free_names(body) - set(pattern.names)
                return replace(expression, body=body, free=free)
            case LetIn():
                return self._let_in(expression)
            case Try(body, fallback):
                return replace(expression, body=self.of(body), fallback=self.of(fallback))
            case If(condition, then, otherwise):
                condition, then = self._condition(condition), self.of(then)
                return If(condition, then, self.of(otherwise), expression.span)
            case MatchTag(scrutinee, arms):
                arms = tuple((tag, self.of(arm)) for tag, arm in arms)
                return replace(expression, scrutinee=self.of(scrutinee), arms=arms)
            case MatchSet():
                return self._match_set(expression)
        return expression

    def _apply(self, expression: Apply) -> Expression:
        argument = self.of(expression.argument)
        function = expression.function
        if isinstance(function, Name):
            meant = self._meant(function.name)
            if isinstance(meant, Function):
                applied = _applied(meant, argument)
                return applied if applied is not None else replace(expression, argument=argument)
            # Only names can be applied, so another meaning but a name stays unsaid.
            if isinstance(meant, Name):
                function = meant
        else:
            function = self._apply(function) if isinstance(function, Apply) else function
            if isinstance(function, Function):
                applied = _applied(function, argument)
                return applied if applied is not None else expression
        if not isinstance(function, Name | Apply):
            return replace(expression, argument=argument)
        return replace(expression, function=function, argument=argument)

    def _let_in(self, expression: LetIn) -> Expression:
        names = bound_names(expression.bindings)
        inside = self._within(names)
        outside = inside if expression.recursive else self
        bindings = tuple(outside._binding(binding) for binding in expression.bindings)
        return replace(expression, bindings=bindings, body=inside.of(expression.body))

    def _binding(self, binding: Binding) -> Binding:
        body = self.of(binding.body)
        return replace(binding, body=body, free=free_names(body))

    def _match_set(self, expression: MatchSet) -> Expression:
        parts = (expression.below, expression.element, expression.rest)
        inside = self._within(frozenset(filter(None, parts)))
        return replace(
            expression,
            scrutinee=self.of(expression.scrutinee),
            empty=self.of(expression.empty),
            body=inside.of(expression.body),
        )

    def _condition(self, condition: Condition) -> Condition:
        if not isinstance(condition, Comparison):
            return condition
        left, right = self.of(condition.left), self.of(condition.right)
        return replace(condition, left=left, right=right)


def _applied(function: Function, argument: Expression) -> Expression | None:
    """The body of a function with its arguments; None where they are not all there."""
    names = function.pattern.names
    arguments: tuple[Expression, ...] = (argument,)
    if not function.pattern.single:
        if not isinstance(argument, TupleOf) or len(argument.items) != len(names):
            return None
        arguments = argument.items
    pairs = zip(names, arguments, strict=True)
    given: Mapping[str, Expression] = {name: item for name, item in pairs if name}
    kept: list[str] = []
    result = _Substitution(given.get, frozenset(), kept).of(function.body)
    return None if kept else result
