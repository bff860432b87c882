"""What a parser does behind a mistake: it notes it and goes on with the next statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from catpy.cat.dialect import Dialect
from catpy.cat.expressions import ExpressionParser
from catpy.cat.syntax import (
    Call,
    Check,
    Choice,
    Debug,
    Expression,
    Forall,
    Let,
    MatchStatement,
    Show,
)
from catpy.cat.walks import is_deeper
from catpy.errors import ModelError
from catpy.lexing import Token

_T = TypeVar("_T")

#: Words that begin a statement and stand in no expression.
_STATEMENTS = frozenset(
    """acyclic irreflexive flag undefined_unless assert include show unshow procedure call forall
    enum debug instructions default""".split()  # noqa: SIM905  (quoted one by one it reads worse)
) | {"empty"}
#: Words that begin a statement, but expressions too.
_AMBIGUOUS = frozenset({"let", "with", "match", "if"})
_OPENING = frozenset({"begin", "match", "procedure", "forall"})
_BINDING = frozenset({"let", "rec", "and", "with", "some", "procedure", "enum"})
#: Expressions are nested no deeper: what walks through them does so by recursion.
_DEEPEST = 400
#: Nobody reads more mistakes of one file than this.
_MOST = 50


class RecoveringParser(ExpressionParser):
    """A parser that notes its mistakes in `problems`.

    `broken` are the names that statements which cannot be read would have bound, `mentioned` all
    the names in them.
    """

    def __init__(self, tokens: Sequence[Token], dialect: Dialect) -> None:
        super().__init__(tokens, dialect)
        self.problems: list[ModelError] = []
        self.broken: set[str] = set()
        self.mentioned: set[str] = set()

    def guarded(self, read: Callable[[], _T], ends: Sequence[str] = ()) -> _T | None:
        """What `read` reads; None where it cannot be read, and then the parser stands behind it.

        `ends` are the words that end the block around it.
        """
        start = self._index
        try:
            result = read()
            if _is_too_deep(result):
                raise RecursionError
            return result
        except ModelError as problem:
            self.problems.append(problem)
        except RecursionError:
            place = self._tokens[start].span
            self.problems.append(ModelError("this is nested too deeply", place))
        self._recover(start, ends)
        return None

    def _recover(self, start: int, ends: Sequence[str]) -> None:
        stop = max(self._index, start + 1) if self._tokens[start].kind != "end" else start
        depth = sum(self._opens(index, start) for index in range(start, stop))
        depth -= sum(self._tokens[index].text == "end" for index in range(start, stop))
        while self._tokens[stop].kind != "end" and not self._restarts(stop, start, depth, ends):
            depth += self._opens(stop, start) - (self._tokens[stop].text == "end")
            stop += 1
        if len(self.problems) >= _MOST:
            stop = len(self._tokens) - 1
        skipped = self._tokens[start:stop]
        self.broken |= _names_bound(skipped)
        self.mentioned |= {token.text for token in skipped if token.kind == "name"}
        self._index = stop

    def _opens(self, index: int, start: int) -> bool:
        """Whether a token opens what an `end` closes; `if` does so as a statement only."""
        token = self._tokens[index]
        return token.text in _OPENING or (index == start and token.text == "if")

    def _restarts(self, index: int, start: int, depth: int, ends: Sequence[str]) -> bool:
        """Whether reading goes on here: at the end of the block or at a statement.

        Words that may stand in expressions too count only where they begin a line that is not
        further in than the statement that could not be read.
        """
        token = self._tokens[index]
        if token.text in ends:
            return depth <= 0
        if token.text in _STATEMENTS and depth <= 0:
            return True
        if token.text == "~" and self._tokens[index + 1].text in _STATEMENTS and depth <= 0:
            return True
        if token.text not in _STATEMENTS | _AMBIGUOUS and not self._is_some(index):
            return False
        return self._begins_line(index) and self._column(index) <= self._column(start)

    def _is_some(self, index: int) -> bool:
        following = [token.text for token in self._tokens[index : index + 3]]
        return len(following) == 3 and following[0] == "some" and following[2] == "from"

    def _column(self, index: int) -> int:
        span = self._tokens[index].span
        return span.source.position(span.start)[1]

    def _begins_line(self, index: int) -> bool:
        before = self._tokens[index - 1].span.end if index else 0
        here = self._tokens[index].span
        return index == 0 or "\n" in here.source.text[before : here.start]


def _is_too_deep(statement: object) -> bool:
    """Whether an expression of a statement is; blocks inside were looked at when they were read."""
    expressions: list[Expression] = []
    match statement:
        case Let(bindings):
            expressions = [binding.body for binding in bindings]
        case Check(expression=expression) | Choice(expression=expression) | Debug(expression):
            expressions = [expression]
        case Call(argument=expression) | Forall(expression=expression):
            expressions = [expression]
        case MatchStatement(scrutinee=expression):
            expressions = [expression]
        case Show(expression=shown) if shown is not None:
            expressions = [shown]
    return any(is_deeper(expression, _DEEPEST) for expression in expressions)


def _names_bound(tokens: Sequence[Token]) -> set[str]:
    """The names that stand where names are bound, in statements that cannot be read."""
    names: set[str] = set()
    binding = False
    for token in tokens:
        if token.kind == "keyword" or token.text == "some":
            binding = token.text in _BINDING
        elif token.text == "=":
            binding = False
        elif binding and token.kind == "name":
            names.add(token.text)
    return names
