"""Reads cat statements from the token list.

Operators are read by precedence climbing, with exactly the levels of herd's grammar (loosest
first): `|`, `++`, `;`, `\\`, `&`, then one non-associative level of product, postfix `* + ?` and
prefix `~`, then `^-1`, then application. What herd's parser rejects is rejected here.
"""

from __future__ import annotations

from catpy.cat.lexer import tokenize
from catpy.cat.syntax import (
    Apply,
    Binding,
    Check,
    Choice,
    Constant,
    Expression,
    File,
    Function,
    Header,
    Include,
    Let,
    LetIn,
    Name,
    Operation,
    Pattern,
    Role,
    SetOf,
    Show,
    Statement,
    Try,
    TupleOf,
    free_names,
)
from catpy.errors import ModelError
from catpy.lexing import TokenStream
from catpy.source import Source, Span

_LEVELS = {"|": 1, "++": 2, ";": 3, "\\": 4, "&": 5}
_FLATTENED = frozenset("|;")
_RIGHT_ASSOCIATIVE = frozenset({"++", "&"})
_TESTS = frozenset({"acyclic", "irreflexive", "empty"})
_ROLES = {role.value: role for role in Role if role is not Role.CHECK}
_LATER = frozenset(
    {"procedure", "call", "forall", "if", "match", "enum", "debug", "instructions", "default"}
)


def parse(source: Source) -> File:
    """The syntax tree of a model file. Raises ModelError with the place of the first mistake."""
    try:
        return _Parser(source).file()
    except RecursionError:
        span = source.span(0, 1)
        raise ModelError("this model is nested too deeply", span) from None


class _Parser(TokenStream):
    def __init__(self, source: Source) -> None:
        super().__init__(tokenize(source), ModelError)

    # Files and statements

    def file(self) -> File:
        header = self._header()
        statements = []
        while self.peek().kind != "end":
            statements.append(self._statement())
        return File(header, tuple(statements))

    def _header(self) -> Header:
        names: list[str] = []
        title = None
        while self.peek().kind == "name" and len(names) < 2 and not self._at_some():
            names.append(self.next().text)
        if self.peek().kind == "string" and len(names) < 2:
            title = self.next().text[1:-1]
        self.accept("catdep")
        return Header(tuple(names), title)

    def _statement(self) -> Statement:
        token = self.peek()
        if self.at("let"):
            return self._let_statement()
        if token.text in _ROLES or token.text in _TESTS or self.at("~"):
            return self._check()
        if self.at("with") or self._at_some():
            return self._choice()
        if self.at("include"):
            return self._include()
        if self.at("show", "unshow"):
            return self._show()
        if token.text in _LATER and token.kind == "keyword":
            raise ModelError(f"`{token.text}` is not supported by this version", token.span)
        raise self.unexpected("a statement (`let`, `acyclic`, `include`, …)")

    def _let_statement(self) -> Let:
        start = self.next().span
        recursive = self.accept("rec") is not None
        bindings = self._bindings()
        when = None
        if recursive and self.accept("when"):
            when = self._check()
        self.accept("in")  # herd takes a trailing `in` between statements for noise
        return Let(bindings, recursive, when, start.to(bindings[-1].span))

    def _check(self) -> Check:
        start = self.peek().span
        role = _ROLES[self.next().text] if self.peek().text in _ROLES else Role.CHECK
        negated = self.accept("~") is not None
        if self.peek().text not in _TESTS:
            raise self.unexpected("`acyclic`, `irreflexive` or `empty`")
        kind = self.next().text
        expression = self._expression()
        span, name = start.to(expression.span), None
        if self.accept("as"):
            token = self.expect_kind("name", "the name of the check")
            span, name = start.to(token.span), token.text
        return Check(kind, negated, expression, name, role, span)

    def _choice(self) -> Choice:
        keyword = self.next()
        name = self.expect_kind("name", "a name to bind").text
        self.expect("from", f"after `{keyword.text} {name}`")
        expression = self._expression()
        span = keyword.span.to(expression.span)
        return Choice(name, expression, keyword.text == "some", span)

    def _include(self) -> Include:
        start = self.next().span
        path = self.expect_kind("string", "a file name in double quotes")
        return Include(path.text[1:-1], start.to(path.span))

    def _show(self) -> Show:
        keyword = self.next()
        hide = keyword.text == "unshow"
        expression = self._base()
        if not hide and self.accept("as"):
            name = self.expect_kind("name", "the name to show it under")
            return Show((name.text,), expression, hide, keyword.span.to(name.span))
        items = [expression]
        while self.accept(","):
            items.append(self._base())
        for item in items:
            if not isinstance(item, Name):
                raise ModelError(f"`{keyword.text}` takes names, or `show e as name`", item.span)
        names = tuple(item.name for item in items if isinstance(item, Name))
        return Show(names, None, hide, keyword.span.to(items[-1].span))

    # Bindings

    def _bindings(self) -> tuple[Binding, ...]:
        bindings = [self._binding()]
        while self.accept("and"):
            bindings.append(self._binding())
        return tuple(bindings)

    def _binding(self) -> Binding:
        start = self.peek().span
        if self.at("("):
            return self._finish_binding(self._parenthesised_pattern(), start)
        name = self._pattern_name()
        if self.at(","):
            names = [name]
            while self.accept(","):
                names.append(self._pattern_name())
            return self._finish_binding(Pattern(tuple(names), False), start)
        single = Pattern((name,), True)
        if name is None or self.at("="):
            return self._finish_binding(single, start)
        parameters = self._parameters()
        self.expect("=", f"in the definition of `{name}`, which takes one group of parameters")
        body = self._expression()
        function = _function(parameters, body, start.to(body.span))
        return Binding(single, function, function.free, start.to(body.span))

    def _finish_binding(self, pattern: Pattern, start: Span) -> Binding:
        self.expect("=", "in this binding")
        body = self._expression()
        return Binding(pattern, body, free_names(body), start.to(body.span))

    def _parameters(self) -> Pattern:
        if self.at("("):
            return self._parenthesised_pattern()
        return Pattern((self._pattern_name(),), True)

    def _parenthesised_pattern(self) -> Pattern:
        self.next()
        names: list[str | None] = []
        if not self.at(")"):
            names.append(self._pattern_name())
            while self.accept(","):
                names.append(self._pattern_name())
        self.expect(")", "after the names")
        return Pattern(tuple(names), len(names) == 1)

    def _pattern_name(self) -> str | None:
        if self.accept("_"):
            return None
        return self.expect_kind("name", "a name to bind").text

    # Expressions

    def _expression(self) -> Expression:
        token = self.peek()
        if self.at("let"):
            return self._let_in()
        if self.at("fun"):
            return self._fun()
        if self.at("try"):
            start = self.next().span
            body = self._expression()
            self.expect("with", "after what is tried")
            fallback = self._expression()
            return Try(body, fallback, start.to(fallback.span))
        if self.at("if", "match"):
            message = f"`{token.text}` expressions are not supported by this version"
            raise ModelError(message, token.span)
        items = [self._base()]
        while self.accept(","):
            items.append(self._base())
        if len(items) == 1:
            return items[0]
        return TupleOf(tuple(items), items[0].span.to(items[-1].span))

    def _let_in(self) -> LetIn:
        start = self.next().span
        recursive = self.accept("rec") is not None
        bindings = self._bindings()
        self.expect("in", "after a local definition")
        body = self._expression()
        return LetIn(bindings, recursive, body, start.to(body.span))

    def _fun(self) -> Function:
        start = self.next().span
        parameters = self._parameters()
        self.expect("->", "after the parameters of `fun`")
        body = self._expression()
        return _function(parameters, body, start.to(body.span))

    def _base(self, minimum: int = 1) -> Expression:
        """What operators make of operands, from the level `minimum` of the table on."""
        left = self._operand()
        while True:
            operator = self.peek().text
            level = _LEVELS.get(operator, 0)
            if level < minimum or self.peek().kind != "symbol":
                return left
            operands = [left]
            while self.accept(operator):
                operands.append(self._base(level + (operator not in _RIGHT_ASSOCIATIVE)))
                if operator not in _FLATTENED:
                    break
            span = left.span.to(operands[-1].span)
            left = Operation(operator, tuple(operands), span)

    def _operand(self) -> Expression:
        """The non-associative level: `~`, products and postfix closures do not mix."""
        if self.at("~"):
            operand = self._complement()
            self._refuse_tight_operator("~")
            return operand
        left = self._inverted()
        while True:
            if self.at("+", "?") or (self.at("*") and not self._starts_operand(1)):
                symbol = self.next()
                if symbol.text == "*" and self.at("~"):
                    raise self._mixed("*", "~")
                left = Operation(symbol.text, (left,), left.span.to(symbol.span))
                left = self._inversions(left)
            elif self.accept("*"):
                right = self._inverted()
                self._refuse_tight_operator("*")
                return Operation("×", (left, right), left.span.to(right.span))
            else:
                return left

    def _complement(self) -> Expression:
        start = self.next().span
        operand = self._complement() if self.at("~") else self._inverted()
        return Operation("~", (operand,), start.to(operand.span))

    def _refuse_tight_operator(self, before: str) -> None:
        if self.at("+", "?", "*"):
            raise self._mixed(before, self.peek().text)

    def _mixed(self, before: str, operator: str) -> ModelError:
        message = f"`{before}` and `{operator}` do not mix without parentheses"
        hint = "write (~a)+ or ~(a+), a * (~b), (a * b) * c"
        return ModelError(message, self.peek().span, hint)

    def _inverted(self) -> Expression:
        return self._inversions(self._application())

    def _inversions(self, operand: Expression) -> Expression:
        while self.accept("^"):
            end = self.expect("-1", "after `^`")
            operand = Operation("^-1", (operand,), operand.span.to(end.span))
        return operand

    def _application(self) -> Expression:
        if self.peek().kind != "name":
            return self._simple()
        token = self.next()
        result: Expression = Name(token.text, token.span)
        while self._starts_operand(0):
            if self.peek().kind == "name":
                argument: Expression = Name(self.peek().text, self.next().span)
            else:
                argument = self._simple()
            result = Apply(result, argument, result.span.to(argument.span))
        return result

    def _starts_operand(self, ahead: int) -> bool:
        kind = self.peek(ahead).kind
        if kind == "name":
            return not self._at_some(ahead)
        return kind in ("tag", "constant") or self.at("(", "[", "{", "begin", ahead=ahead)

    def _at_some(self, ahead: int = 0) -> bool:
        """`some x from` starts a statement; anywhere else `some` is a name like others."""
        return (
            self.peek(ahead).text == "some"
            and self.peek(ahead + 1).kind == "name"
            and self.at("from", ahead=ahead + 2)
        )

    def _simple(self) -> Expression:
        token = self.peek()
        if token.kind == "constant":
            self.next()
            return Constant(token.text, token.span)
        if token.kind == "tag":
            raise ModelError("tags are not supported by this version", token.span)
        if self.at("("):
            return self._parenthesised(")")
        if self.at("begin"):
            return self._parenthesised("end")
        if self.accept("["):
            inner = self._expression()
            end = self.expect("]", "after the set")
            return Operation("[]", (inner,), token.span.to(end.span))
        if self.accept("{"):
            return self._set(token.span)
        raise self.unexpected("an expression")

    def _parenthesised(self, closing: str) -> Expression:
        opening = self.next()
        if closing == ")" and self.at(")"):
            return TupleOf((), opening.span.to(self.next().span))
        inner = self._expression()
        self.expect(closing, f"to close `{opening.text}`")
        return inner

    def _set(self, start: Span) -> Expression:
        items: list[Expression] = []
        if not self.at("}"):
            items.append(self._base())
            while self.accept(","):
                items.append(self._base())
        span = start.to(self.expect("}", "after the elements").span)
        return SetOf(tuple(items), span) if items else Constant("{}", span)


def _function(parameters: Pattern, body: Expression, span: Span) -> Function:
    bound = {name for name in parameters.names if name}
    return Function(parameters, body, free_names(body) - bound, span)
