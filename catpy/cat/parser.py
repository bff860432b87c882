"""Reads the statements of a cat file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from catpy.cat.dialect import Dialect, dialect_of
from catpy.cat.lexer import tokenize
from catpy.cat.names import free_names
from catpy.cat.recovery import RecoveringParser
from catpy.cat.syntax import (
    Annotations,
    Binding,
    Call,
    Check,
    Choice,
    Debug,
    Enum,
    Expression,
    File,
    Forall,
    Header,
    IfStatement,
    Include,
    Let,
    MatchStatement,
    Name,
    Operation,
    Procedure,
    Role,
    Show,
    Statement,
)
from catpy.errors import ModelError, did_you_mean
from catpy.source import Source

_TESTS = frozenset({"acyclic", "irreflexive", "empty"})
_STATEMENTS = _TESTS | {"let", "include", "flag", "show", "unshow", "procedure", "forall"}
_ROLES = {role.value: role for role in Role if role is not Role.CHECK}


def parse(source: Source, dialect: Dialect = Dialect.HERD) -> File:
    """The syntax tree of a model file. Raises ModelError with the place of the first mistake.

    A comment `(* cat-dialect: dat3m *)` in the first lines of the file overrides the dialect.
    """
    file = read(source, dialect)
    if file.problems:
        raise file.problems[0]
    return file


def read(source: Source, dialect: Dialect = Dialect.HERD) -> File:
    """Like `parse`, but goes on behind mistakes, which the file then holds."""
    dialect = dialect_of(source, dialect)
    unclosed: list[ModelError] = []
    try:
        tokens = tokenize(source, dialect)
    except ModelError as problem:
        unclosed.append(problem)
        tokens = tokenize(source, dialect, problem.span.start if problem.span else 0)
    file = replace(_Parser(tokens, dialect).file(), text=source.text)
    return replace(file, problems=(*unclosed, *file.problems)) if unclosed else file


def parse_expression(source: Source, dialect: Dialect = Dialect.HERD) -> Expression:
    """The expression a whole text holds. Raises ModelError."""
    try:
        parser = _Parser(tokenize(source, dialect), dialect)
        expression = parser.expression()
        parser.expect_end("an operator or the end of the expression")
        return expression
    except RecursionError:
        message = "this expression is nested too deeply"
        raise ModelError(message, source.span(0, 1)) from None


def parse_line(source: Source, dialect: Dialect = Dialect.HERD) -> Expression | Let | Check:
    """What a line asks for: an expression, a definition, or a test. Raises ModelError."""
    try:
        return _Parser(tokenize(source, dialect), dialect).line()
    except RecursionError:
        message = "this expression is nested too deeply"
        raise ModelError(message, source.span(0, 1)) from None


class _Parser(RecoveringParser):
    def file(self) -> File:
        header = self.guarded(self._header) or Header((), None)
        statements: list[Statement] = []
        while self.peek().kind != "end":
            read = self._enum if self.at("enum") else self._statement
            if statement := self.guarded(read):
                statements.append(statement)
        return File(
            header,
            tuple(statements),
            self.dialect,
            tuple(self.problems),
            frozenset(self.broken),
            frozenset(self.mentioned),
        )

    def line(self) -> Expression | Let | Check:
        """A definition without a body, a test, or else an expression, and nothing behind it."""
        tested = 1 if self.at("~") else 0
        found: Expression | Let | Check
        if self.peek(tested).kind == "keyword" and self.peek(tested).text in _TESTS:
            found = self._check()
        elif self.at("let"):
            found = self._let_line()
        else:
            found = self.expression()
        self.expect_end("an operator or the end of the line")
        return found

    def _let_line(self) -> Expression | Let:
        """`let x = e` is a definition, `let x = e in f` an expression."""
        start = self._index
        let = self._let()
        if self.peek().kind == "end":
            return let
        self._index = start
        return self.expression()

    def _header(self) -> Header:
        """`[NAME [NAME | "title"] | "title"] [catdep]`; Dat3M lets any number of names through."""
        if self.peek().kind == "name" and self.peek().text.islower():
            # A misspelt statement would pass for a title, and what it says be lost.
            hint = did_you_mean(self.peek().text, _STATEMENTS, cutoff=0.75)
            if hint:
                raise ModelError(f"unexpected `{self.peek().text}`", self.peek().span, hint)
        start = self.peek().span
        names: list[str] = []
        most = 2 if self.dialect is Dialect.HERD else 100
        while self.peek().kind == "name" and len(names) < most and not self.at_some():
            names.append(self.next().text)
        title = None
        if self.peek().kind == "string" and len(names) < most:
            title = self.next().text[1:-1]
        catdep = self.accept("catdep") is not None
        return Header(tuple(names), title, catdep, start)

    # Statements

    def _block(self, *ends: str) -> tuple[Statement, ...]:
        """Statements up to one of these words, which is left to be read."""
        statements: list[Statement] = []
        while not self.at(*ends):
            if self.peek().kind == "end":
                raise self.unexpected(" or ".join(f"`{end}`" for end in ends))
            if statement := self.guarded(self._statement, ends):
                statements.append(statement)
        return tuple(statements)

    def _statement(self) -> Statement:
        token = self.peek()
        if token.text in _ROLES or token.text in _TESTS or self.at("~"):
            return self._check()
        if self.at_some():
            return self._choice()
        reader = _READERS.get(token.text)
        if reader is None or token.kind != "keyword":
            raise self.unexpected("a statement (`let`, `acyclic`, `include`, …)")
        return reader(self)

    def _let(self) -> Let:
        start = self.next().span
        recursive = self.accept("rec") is not None
        bindings = self.bindings()
        when = None
        if recursive and self.accept("when"):
            if self.peek().text in _ROLES:
                raise self.unexpected("`acyclic`, `irreflexive` or `empty`")
            when = self._check()
        elif recursive and len(bindings) == 1 and (closure := _as_closure(bindings[0])):
            bindings, recursive = (closure,), False
        self.accept("in")  # herd takes a trailing `in` between statements for noise
        return Let(bindings, recursive, when, start.to(bindings[-1].span))

    def _check(self) -> Check:
        start = self.peek().span
        role = _ROLES[self.next().text] if self.peek().text in _ROLES else Role.CHECK
        negated = self.accept("~") is not None
        if self.peek().text not in _TESTS:
            raise self.unexpected("`acyclic`, `irreflexive` or `empty`")
        kind = self.next().text
        expression = self.expression()
        name, end = self._as_name(), expression.span
        if name is not None:
            end = name.span
        return Check(kind, negated, expression, name.name if name else None, role, start.to(end))

    def _as_name(self) -> Name | None:
        if not self.accept("as"):
            return None
        token = self.expect_kind("name", "a name after `as`")
        return Name(token.text, token.span)

    def _choice(self) -> Choice:
        keyword = self.next()
        name = self.expect_kind("name", "a name to bind").text
        self.expect("from", f"after `{keyword.text} {name}`")
        expression = self.expression()
        span = keyword.span.to(expression.span)
        return Choice(name, expression, keyword.text == "some", span)

    def _include(self) -> Include:
        start = self.next().span
        path = self.expect_kind("string", "a file name in double quotes")
        return Include(path.text[1:-1], start.to(path.span))

    def _show(self) -> Show:
        keyword = self.next()
        hide = keyword.text == "unshow"
        items = [self.base()]
        if not hide and (name := self._as_name()):
            return Show((name.name,), items[0], hide, keyword.span.to(name.span))
        while self.accept(","):
            items.append(self.base())
            if self.dialect is Dialect.DAT3M:
                self._as_name()
        for item in items:
            if not isinstance(item, Name) and self.dialect is Dialect.HERD:
                raise ModelError(f"`{keyword.text}` takes names, or `show e as name`", item.span)
        names = tuple(item.name for item in items if isinstance(item, Name))
        return Show(names, None, hide, keyword.span.to(items[-1].span))

    def _procedure(self) -> Procedure:
        start = self.next().span
        recursive = self.accept("rec") is not None
        name = self.expect_kind("name", "the name of the procedure").text
        parameters = self.parameters()
        self.expect("=", f"in the definition of procedure `{name}`")
        body = self._block("end")
        return Procedure(name, parameters, body, recursive, start.to(self.next().span))

    def _call(self) -> Call:
        start = self.next().span
        token = self.expect_kind("name", "the name of a procedure")
        if self.peek().kind == "name":
            raise self.unexpected("an argument in parentheses")
        argument = self.simple()
        name = self._as_name()
        span = start.to(name.span if name else argument.span)
        procedure = Name(token.text, token.span)
        return Call(procedure, argument, name.name if name else None, span)

    def _forall(self) -> Forall:
        start = self.next().span
        name = self.expect_kind("name", "a name to bind").text
        self.expect("in", f"after `forall {name}`")
        expression = self.expression()
        self.expect("do", "after the set")
        body = self._block("end")
        return Forall(name, expression, body, start.to(self.next().span))

    def _if_statement(self) -> IfStatement:
        start = self.next().span
        condition = self.variant_condition()
        then = self._block("else", "end")
        otherwise = self._block("end") if self.accept("else") else ()
        return IfStatement(condition, then, otherwise, start.to(self.next().span))

    def _match_statement(self) -> MatchStatement:
        start = self.next().span
        scrutinee = self.expression()
        self.expect("with", "after what is matched")
        self.accept("||")
        arms = []
        while True:
            tag = self.arm_tag()
            arms.append((tag, self._block("||", "end")))
            if not self.accept("||"):
                break
        end = self.expect("end", "after the last clause")
        return MatchStatement(scrutinee, tuple(arms), start.to(end.span))

    def _enum(self) -> Enum:
        start = self.next().span
        name = self.expect_kind("name", "the name of the enumeration").text
        self.expect("=", f"after `enum {name}`")
        self.accept("||")
        tags = [self.expect_kind("tag", "a tag")]
        while self.accept("||"):
            tags.append(self.expect_kind("tag", "a tag"))
        names = tuple(tag.text[1:] for tag in tags)
        return Enum(name, names, start.to(tags[-1].span))

    def _debug(self) -> Debug:
        start = self.next().span
        expression = self.expression()
        return Debug(expression, start.to(expression.span))

    def _annotations(self) -> Annotations:
        keyword = self.next()
        kind = self.expect_kind("name", "a kind of instruction").text
        self.expect("[", f"after `{keyword.text} {kind}`")
        arguments: list[Expression] = []
        if not self.at("]"):
            arguments.append(self.base())
            while self.accept(","):
                arguments.append(self.base())
        end = self.expect("]", "after the annotations")
        return Annotations(keyword.text, kind, tuple(arguments), keyword.span.to(end.span))


def _as_closure(binding: Binding) -> Binding | None:
    """`r = (a | b)+` for `rec r = a | b | r;r`, as herd reads that: lazy, where `rec` is not."""
    name, body = binding.pattern.names[0], binding.body
    if not isinstance(body, Operation) or body.operator != "|" or not binding.pattern.single:
        return None
    others = [operand for operand in body.operands if not _is_doubled(operand, name)]
    rest = frozenset[str]().union(*map(free_names, others))
    if not others or len(others) == len(body.operands) or name in rest:
        return None
    union = others[0] if len(others) == 1 else replace(body, operands=tuple(others))
    return replace(binding, body=Operation("+", (union,), body.span), free=rest)


def _is_doubled(expression: Expression, name: str | None) -> bool:
    """Whether an expression is `r;r`, r being this name."""
    match expression:
        case Operation(";", (Name(first), Name(second))):
            return first == second == name
    return False


_READERS: dict[str, Callable[[_Parser], Statement]] = {
    "let": _Parser._let,
    "with": _Parser._choice,
    "include": _Parser._include,
    "show": _Parser._show,
    "unshow": _Parser._show,
    "procedure": _Parser._procedure,
    "call": _Parser._call,
    "forall": _Parser._forall,
    "if": _Parser._if_statement,
    "match": _Parser._match_statement,
    "debug": _Parser._debug,
    "instructions": _Parser._annotations,
    "default": _Parser._annotations,
}
