"""Reads cat expressions from the token list: the forms around what operators make."""

from __future__ import annotations

from collections.abc import Callable

from catpy.cat.names import free_names
from catpy.cat.precedence import OperatorParser
from catpy.cat.syntax import (
    Binding,
    BothConditions,
    Comparison,
    Condition,
    EitherCondition,
    Expression,
    Function,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    NotCondition,
    Pattern,
    Try,
    TupleOf,
    Variant,
    VariantCondition,
)
from catpy.errors import ModelError
from catpy.source import Span


class ExpressionParser(OperatorParser):
    """A token stream that expressions are read from."""

    # Bindings

    def bindings(self) -> tuple[Binding, ...]:
        """`bind and bind …`."""
        bindings = [self._binding()]
        while self.accept("and"):
            bindings.append(self._binding())
        return tuple(bindings)

    def _binding(self) -> Binding:
        start = self.peek().span
        if self.at("("):
            return self._finish_binding(self.parenthesised_pattern(), start)
        name = self.pattern_name()
        if self.at(","):
            names = [name]
            while self.accept(","):
                names.append(self.pattern_name())
            return self._finish_binding(Pattern(tuple(names), False), start)
        single = Pattern((name,), True)
        if name is None or self.at("="):
            return self._finish_binding(single, start)
        parameters = self.parameters()
        self.expect("=", f"in the definition of `{name}`, which takes one group of parameters")
        body = self.expression()
        function = _function(parameters, body, start.to(body.span))
        return Binding(single, function, function.free, start.to(body.span))

    def _finish_binding(self, pattern: Pattern, start: Span) -> Binding:
        self.expect("=", "in this binding")
        body = self.expression()
        return Binding(pattern, body, free_names(body), start.to(body.span))

    def parameters(self) -> Pattern:
        """One name, or names in parentheses."""
        if self.at("("):
            return self.parenthesised_pattern()
        return Pattern((self.pattern_name(),), True)

    def parenthesised_pattern(self) -> Pattern:
        """Names in parentheses; one alone is a single name."""
        self.next()
        names: list[str | None] = []
        if not self.at(")"):
            names.append(self.pattern_name())
            while self.accept(","):
                names.append(self.pattern_name())
        self.expect(")", "after the names")
        return Pattern(tuple(names), len(names) == 1)

    def pattern_name(self) -> str | None:
        """A name to bind, None for `_`."""
        if self.accept("_"):
            return None
        return self.expect_kind("name", "a name to bind").text

    # Expressions that reach as far as they can

    def expression(self) -> Expression:
        """An expression of any form, as far as it reaches."""
        token = self.peek()
        # In Dat3M's dialect most of these words are names.
        if token.kind == "keyword" and token.text in _FORMS:
            return _FORMS[token.text](self)
        start = token.span
        items = [self.base()]
        while self.accept(","):
            items.append(self.base())
        if len(items) == 1:
            return items[0]
        return TupleOf(tuple(items), self.since(start))

    def _let_in(self) -> LetIn:
        start = self.next().span
        recursive = self.accept("rec") is not None
        bindings = self.bindings()
        self.expect("in", "after a local definition")
        body = self.expression()
        return LetIn(bindings, recursive, body, start.to(body.span))

    def _fun(self) -> Function:
        start = self.next().span
        parameters = self.parameters()
        self.expect("->", "after the parameters of `fun`")
        body = self.expression()
        return _function(parameters, body, start.to(body.span))

    def _try(self) -> Try:
        start = self.next().span
        body = self.expression()
        self.expect("with", "after what is tried")
        fallback = self.expression()
        return Try(body, fallback, start.to(fallback.span))

    def _if(self) -> If:
        start = self.next().span
        condition = self._condition()
        self.expect("then", "after the condition")
        then = self.expression()
        self.expect("else", "after what is so")
        otherwise = self.expression()
        return If(condition, then, otherwise, start.to(otherwise.span))

    def _condition(self) -> Condition:
        if self._at_variant():
            return self.variant_condition()
        start = self.peek().span
        left = self.expression()
        if not self.at("=", "subset", "in"):
            raise self.unexpected("`=`, `subset` or `in`")
        operator = self.next().text
        right = self.expression()
        return Comparison(operator, left, right, self.since(start))

    def _at_variant(self) -> bool:
        ahead = 0
        while self.at("(", ahead=ahead):
            ahead += 1
        return self.peek(ahead).kind == "string" or self.at("variant", "not", ahead=ahead)

    def variant_condition(self) -> VariantCondition:
        """Variants with `||`, `&&`, `not` (loosest first) and parentheses."""
        left = self._variant_conjunction()
        while self.accept("||"):
            left = EitherCondition(left, self._variant_conjunction())
        return left

    def _variant_conjunction(self) -> VariantCondition:
        left = self._variant()
        while self.accept("&&"):
            left = BothConditions(left, self._variant())
        return left

    def _variant(self) -> VariantCondition:
        if self.accept("not"):
            return NotCondition(self._variant())
        if self.accept("("):
            inner = self.variant_condition()
            self.expect(")", "after the condition")
            return inner
        self.accept("variant")
        token = self.expect_kind("string", "a variant in double quotes")
        return Variant(token.text[1:-1], token.span)

    def _match(self) -> Expression:
        start = self.next().span
        scrutinee = self.expression()
        self.expect("with", "after what is matched")
        self.accept("||")
        if self.peek().kind == "tag" or (self.at("_") and self.at("->", ahead=1)):
            arms = [self._tag_arm()]
            while self.accept("||"):
                arms.append(self._tag_arm())
            end = self.expect("end", "after the last clause")
            return MatchTag(scrutinee, tuple(arms), start.to(end.span))
        return self._match_set(scrutinee, start)

    def _tag_arm(self) -> tuple[str | None, Expression]:
        tag = self.arm_tag()
        return tag, self.expression()

    def arm_tag(self) -> str | None:
        """`'tag ->`, or None for `_ ->`."""
        tag = None
        if not self.accept("_"):
            tag = self.expect_kind("tag", "a tag or `_`").text[1:]
        self.expect("->", "after the tag")
        return tag

    def _match_set(self, scrutinee: Expression, start: Span) -> MatchSet:
        """Both clauses are there, in either order."""
        empty: Expression | None = None
        names: tuple[str | None, ...] = ()
        body: Expression | None = None
        for clause in range(2):
            if clause:
                self.expect("||", "before the second clause")
            if empty is None and self.accept("{"):
                self.expect("}", "of the empty set")
                self.expect("->", "after `{}`")
                empty = self.expression()
            elif body is None:
                names = self._element_pattern()
                self.expect("->", "after the pattern")
                body = self.expression()
        end = self.expect("end", "after the last clause")
        if empty is None or body is None:
            message = "a match on a set has a clause for `{}` and one for `x ++ xs`"
            raise ModelError(message, start.to(end.span))
        three = len(names) == 3
        below, element, rest = names if three else (None, *names)
        span = start.to(end.span)
        return MatchSet(scrutinee, empty, below, element, rest, three, body, span)

    def _element_pattern(self) -> tuple[str | None, ...]:
        """`x ++ xs`, or `s1 | x ++ s2`."""
        names = [self.pattern_name()]
        if self.accept("|"):
            names.append(self.pattern_name())
        self.expect("++", "between the element and the rest")
        names.append(self.pattern_name())
        return tuple(names)


def _function(parameters: Pattern, body: Expression, span: Span) -> Function:
    bound = {name for name in parameters.names if name}
    return Function(parameters, body, free_names(body) - bound, span)


_FORMS: dict[str, Callable[[ExpressionParser], Expression]] = {
    "let": ExpressionParser._let_in,
    "fun": ExpressionParser._fun,
    "try": ExpressionParser._try,
    "if": ExpressionParser._if,
    "match": ExpressionParser._match,
}
