"""Reads cat expressions from the token list.

Operators are read by precedence climbing, with exactly the levels of herd's grammar (loosest
first): `|`, `++`, `;`, `\\`, `&`, then one non-associative level of product, postfix `* + ?` and
prefix `~`, then `^-1`, then application. What herd's parser rejects is rejected here, unless the
dialect is Dat3M's, in which that level has an order of its own: postfix, product, `~`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from catpy.cat.dialect import Dialect
from catpy.cat.syntax import (
    Apply,
    Binding,
    BothConditions,
    Comparison,
    Condition,
    Constant,
    EitherCondition,
    Expression,
    Function,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    NotCondition,
    Operation,
    Pattern,
    SetOf,
    TagOf,
    Try,
    TupleOf,
    Variant,
    free_names,
)
from catpy.errors import ModelError
from catpy.lexing import Token, TokenStream
from catpy.source import Span

_LEVELS = {"|": 1, "++": 2, ";": 3, "\\": 4, "&": 5}
_FLATTENED = frozenset("|;")
_RIGHT_ASSOCIATIVE = frozenset({"++", "&"})


class ExpressionParser(TokenStream):
    """A token stream that expressions are read from."""

    def __init__(self, tokens: Sequence[Token], dialect: Dialect) -> None:
        super().__init__(tokens, ModelError)
        self.dialect = dialect

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

    def variant_condition(self) -> Condition:
        """Variants with `||`, `&&`, `not` (loosest first) and parentheses."""
        left = self._variant_conjunction()
        while self.accept("||"):
            left = EitherCondition(left, self._variant_conjunction())
        return left

    def _variant_conjunction(self) -> Condition:
        left = self._variant()
        while self.accept("&&"):
            left = BothConditions(left, self._variant())
        return left

    def _variant(self) -> Condition:
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

    # Operators

    def base(self, minimum: int = 1) -> Expression:
        """What operators make of operands, from the level `minimum` of the table on."""
        start = self.peek().span
        left = self._operand()
        while True:
            operator = self.peek().text
            level = _LEVELS.get(operator, 0)
            if level < minimum or self.peek().kind != "symbol":
                return left
            operands = [left]
            while self.accept(operator):
                operands.append(self.base(level + (operator not in _RIGHT_ASSOCIATIVE)))
                if operator not in _FLATTENED:
                    break
            left = Operation(operator, tuple(operands), self.since(start))

    def _operand(self) -> Expression:
        """The level of `~`, products and postfix closures."""
        return self._strict_operand() if self.dialect is Dialect.HERD else self._free_operand()

    def _strict_operand(self) -> Expression:
        """herd: they do not mix without parentheses."""
        if self.at("~"):
            operand = self._complement()
            self._refuse_tight_operator("~")
            return operand
        start = self.peek().span
        left = self._inverted()
        while True:
            if self.at("+", "?") or (self.at("*") and not self._starts_operand(1)):
                symbol = self.next()
                if symbol.text == "*" and self.at("~"):
                    raise self._mixed("*", "~")
                left = Operation(symbol.text, (left,), self.since(start))
                left = self._inversions(left, start)
            elif self.accept("*"):
                right = self._inverted()
                self._refuse_tight_operator("*")
                return Operation("×", (left, right), self.since(start))
            else:
                return left

    def _complement(self) -> Expression:
        start = self.next().span
        operand = self._complement() if self.at("~") else self._inverted()
        return Operation("~", (operand,), self.since(start))

    def _refuse_tight_operator(self, before: str) -> None:
        if self.at("+", "?", "*"):
            raise self._mixed(before, self.peek().text)

    def _mixed(self, before: str, operator: str) -> ModelError:
        message = f"`{before}` and `{operator}` do not mix without parentheses"
        hint = "write (~a)+ or ~(a+), a * (~b), (a * b) * c"
        return ModelError(message, self.peek().span, hint)

    def _free_operand(self) -> Expression:
        """Dat3M: `~` takes all of a product, whose operands have their postfixes and `~`."""
        start = self.peek().span
        if self.accept("~"):
            operand = self._free_operand()
            return Operation("~", (operand,), self.since(start))
        left = self._postfixed()
        while self.at("*"):
            self.next()
            right = self._free_operand() if self.at("~") else self._postfixed()
            left = Operation("×", (left, right), self.since(start))
        return left

    def _postfixed(self) -> Expression:
        start = self.peek().span
        left = self._application()
        while True:
            ahead = 1 if self.at("^") else 0
            if self.at("-1", ahead=ahead):
                operator = "^-1"
            elif self.at("+", "?", ahead=ahead):
                operator = self.peek(ahead).text
            elif self.at("*", ahead=ahead) and (ahead or not self._follows_product()):
                operator = "*"
            else:
                return left
            for _ in range(ahead + 1):
                self.next()
            left = Operation(operator, (left,), self.since(start))

    def _follows_product(self) -> bool:
        return self._starts_operand(1) or self.at("~", ahead=1)

    def _inverted(self) -> Expression:
        start = self.peek().span
        return self._inversions(self._application(), start)

    def _inversions(self, operand: Expression, start: Span) -> Expression:
        while self.accept("^"):
            self.expect("-1", "after `^`")
            operand = Operation("^-1", (operand,), self.since(start))
        return operand

    # Application and closed forms

    def _application(self) -> Expression:
        if self.peek().kind != "name":
            return self.simple()
        token = self.next()
        result: Expression = Name(token.text, token.span)
        while self._starts_operand(0):
            if self.peek().kind == "name":
                argument: Expression = Name(self.peek().text, self.next().span)
            else:
                argument = self.simple()
            result = Apply(result, argument, self.since(token.span))
        return result

    def _starts_operand(self, ahead: int) -> bool:
        kind = self.peek(ahead).kind
        if kind == "name":
            return not self.at_some(ahead)
        return kind in ("tag", "constant") or self.at("(", "[", "{", "begin", ahead=ahead)

    def at_some(self, ahead: int = 0) -> bool:
        """`some x from` starts a statement; anywhere else `some` is a name like others."""
        return (
            self.peek(ahead).text == "some"
            and self.peek(ahead + 1).kind == "name"
            and self.at("from", ahead=ahead + 2)
        )

    def simple(self) -> Expression:
        """A constant, a tag, or a form that closes itself."""
        token = self.peek()
        if token.kind == "constant":
            self.next()
            return Constant(token.text, token.span)
        if token.kind == "tag":
            self.next()
            return TagOf(token.text[1:], token.span)
        if self.at("("):
            return self._parenthesised(")")
        if self.at("begin"):
            return self._parenthesised("end")
        if self.accept("["):
            inner = self.expression()
            end = self.expect("]", "after the set")
            return Operation("[]", (inner,), token.span.to(end.span))
        if self.accept("{"):
            return self._set(token.span)
        raise self.unexpected("an expression")

    def _parenthesised(self, closing: str) -> Expression:
        opening = self.next()
        if closing == ")" and self.at(")"):
            return TupleOf((), opening.span.to(self.next().span))
        inner = self.expression()
        self.expect(closing, f"to close `{opening.text}`")
        return inner

    def _set(self, start: Span) -> Expression:
        items: list[Expression] = []
        if not self.at("}"):
            items.append(self.base())
            while self.accept(","):
                items.append(self.base())
        span = start.to(self.expect("}", "after the elements").span)
        return SetOf(tuple(items), span) if items else Constant("{}", span)


_FORMS: dict[str, Callable[[ExpressionParser], Expression]] = {
    "let": ExpressionParser._let_in,
    "fun": ExpressionParser._fun,
    "try": ExpressionParser._try,
    "if": ExpressionParser._if,
    "match": ExpressionParser._match,
}


def _function(parameters: Pattern, body: Expression, span: Span) -> Function:
    bound = {name for name in parameters.names if name}
    return Function(parameters, body, free_names(body) - bound, span)
