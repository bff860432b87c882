"""Reads what operators make of operands, by precedence climbing.

The levels are exactly those of herd's grammar (loosest first): `|`, `++`, `;`, `\\`, `&`, then one
non-associative level of product, postfix `* + ?` and prefix `~`, then `^-1`, then application. What
herd's parser rejects is rejected here, unless the dialect is Dat3M's, in which that level has an
order of its own: postfix, product, `~`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from catpy.cat.dialect import Dialect
from catpy.cat.syntax import Apply, Constant, Expression, Name, Operation, SetOf, TagOf, TupleOf
from catpy.errors import ModelError
from catpy.lexing import Token, TokenStream
from catpy.source import Span

#: The levels of infix operators, the loosest first.
LEVELS: Mapping[str, int] = {"|": 1, "++": 2, ";": 3, "\\": 4, "&": 5}
_FLATTENED = frozenset("|;")
_RIGHT_ASSOCIATIVE = frozenset({"++", "&"})


class OperatorParser(TokenStream, ABC):
    """A token stream that operators and their operands are read from."""

    def __init__(self, tokens: Sequence[Token], dialect: Dialect) -> None:
        super().__init__(tokens, ModelError)
        self.dialect = dialect

    @abstractmethod
    def expression(self) -> Expression:
        """An expression of any form, as it may stand in parentheses."""

    # Operators

    def base(self, minimum: int = 1) -> Expression:
        """What operators make of operands, from the level `minimum` of the table on."""
        start = self.peek().span
        left = self._operand()
        while True:
            operator = self.peek().text
            level = LEVELS.get(operator, 0)
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
