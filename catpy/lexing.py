"""Tokens with their places: pyparsing scans, parsers read the list with one token of lookahead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyparsing as pp

from catpy.errors import CatpyError
from catpy.source import Source, Span

#: More digits than any register holds, and fewer than Python minds.
_DIGITS = 1000

#: How numbers begin that are not decimal.
_BASES = {"0x": 16, "0b": 2, "0f": 16, "0d": 16}


@dataclass(frozen=True, slots=True)
class Token:
    """A token: `kind` is a kind of its lexer, or `end` behind the last token.

    The text of an `end` says what ends there.
    """

    kind: str
    text: str
    span: Span

    def describe(self) -> str:
        """What it is, for messages."""
        if self.kind == "end":
            return self.text
        return f"`{self.text}`" if len(self.text) <= 60 else f"`{self.text[:57]}…`"


_COMMENT_ENDS = re.compile(r"\(\*|\*\)")


class NestedComment(pp.Token):
    """`(* … *)`, nested, its contents raw (quotes inside are not respected)."""

    def __init__(self) -> None:
        super().__init__()
        self.mayReturnEmpty = False

    def _generateDefaultName(self) -> str:  # noqa: N802  (pyparsing's own name)
        return "nested comment"

    def parseImpl(  # noqa: N802  (pyparsing's own name)
        self, instring: str, loc: int, do_actions: bool = True
    ) -> tuple[int, str]:
        if not instring.startswith("(*", loc):
            raise pp.ParseException(instring, loc, "comment expected", self)
        depth = 0
        for found in _COMMENT_ENDS.finditer(instring, loc):
            depth += 1 if found.group() == "(*" else -1
            if not depth:
                return found.end(), instring[loc : found.end()]
        raise pp.ParseFatalException(instring, loc, "this comment is not closed", self)


def _has_octal_value(digits: str) -> bool:
    """Whether a number is another one, or none, where a 0 before it makes it octal."""
    rest = digits.lstrip("0")
    return digits.startswith("0") and (len(rest) > 1 or rest in ("8", "9"))


class Lexer:
    """A scanner made of named regular expressions, tried in order, and of what is skipped.

    `error` is the kind of error raised for what no expression matches.
    """

    def __init__(
        self,
        kinds: Mapping[str, str],
        error: type[CatpyError],
        skip: Sequence[pp.ParserElement] = (),
        keywords: frozenset[str] = frozenset(),
    ) -> None:
        self._error = error
        self._keywords = keywords
        # One expression for all kinds, its groups named by them: one step of pyparsing per token.
        tokens = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
        scanners = [element.suppress() for element in skip] + [pp.Regex(tokens, as_match=True)]
        grammar = pp.ZeroOrMore(pp.MatchFirst(scanners)) + pp.StringEnd()
        # Tabs stay as they are: the places of tokens are places in the text.
        self._grammar = grammar.parse_with_tabs()

    def tokens(self, span: Span, whole: str = "text") -> list[Token]:
        """The tokens of a stretch of text, and an `end` token behind them.

        `whole` is what messages call the stretch.
        """
        source, text = span.source, span.text
        try:
            found = self._grammar.parse_string(text)
        except pp.ParseFatalException as problem:
            raise self._error(problem.msg, _at(span, problem.loc, 2)) from None
        except pp.ParseBaseException as problem:
            place = _at(span, problem.loc, 1)
            message = f"unexpected character `{place.text or ' '}`"
            raise self._error(message, place) from None
        tokens = [self._token(source, span.start, match) for match in found]
        end = tokens[-1].span.end if tokens else span.start
        tokens.append(Token("end", f"the end of the {whole}", source.span(end, end + 1)))
        return tokens

    def _token(self, source: Source, base: int, match: re.Match[str]) -> Token:
        text, kind = match.group(), match.lastgroup or ""
        if text in self._keywords:
            kind = "keyword"
        return Token(kind, text, source.span(base + match.start(), base + match.end()))


def _at(span: Span, loc: int, width: int) -> Span:
    return span.source.span(span.start + loc, span.start + loc + width)


class TokenStream:
    """A list of tokens that a parser walks along."""

    def __init__(self, tokens: Sequence[Token], error: type[CatpyError]) -> None:
        self._tokens = tokens
        self._index = 0
        self._error = error

    def peek(self, ahead: int = 0) -> Token:
        """The token that comes next, or one further `ahead`."""
        return self._tokens[min(self._index + ahead, len(self._tokens) - 1)]

    def next(self) -> Token:
        """Takes the next token."""
        token = self.peek()
        self._index = min(self._index + 1, len(self._tokens) - 1)
        return token

    def since(self, start: Span) -> Span:
        """From a place to the end of the last token that was read, parentheses included."""
        return start.to(self._tokens[max(0, self._index - 1)].span)

    def at(self, *texts: str, ahead: int = 0) -> bool:
        """Whether a token is one of these symbols or keywords."""
        token = self.peek(ahead)
        return token.text in texts and token.kind not in ("end", "string", "illegal")

    def accept(self, *texts: str) -> Token | None:
        """Takes the next token where it is one of these symbols or keywords; None where not."""
        return self.next() if self.at(*texts) else None

    def expect(self, text: str, where: str) -> Token:
        """Takes the symbol or keyword that has to come next, else raises; `where` says where."""
        if not self.at(text):
            raise self.unexpected(f"`{text}` {where}")
        return self.next()

    def expect_kind(self, kind: str, what: str) -> Token:
        """Takes the token of a kind that has to come next, else raises; `what` says what it is."""
        if self.peek().kind != kind:
            raise self.unexpected(what)
        return self.next()

    def expect_end(self, what: str) -> None:
        """Raises where another token comes; `what` says what else could."""
        if self.peek().kind != "end":
            raise self.unexpected(what)

    def is_behind_a_line_end(self) -> bool:
        """Whether a line ends between the last token that was read and the next."""
        last, following = self._tokens[max(0, self._index - 1)].span, self.peek().span
        return "\n" in last.source.text[last.end : following.start]

    def integer(self) -> int:
        """A number, decimal, hexadecimal (`0x`) or binary (`0b`), with a `-` before it perhaps.

        `0f` and `0d` come before the bits of a floating-point number, hexadecimal too. What is
        another number in PTX, which takes `010` for octal, is an error.
        """
        sign = -1 if self.accept("-") else 1
        token = self.expect_kind("number", "a number")
        digits = token.text.rstrip("U").lower()
        if len(digits) > _DIGITS:
            raise self._error("this number is too long", token.span)
        if digits[:2] in _BASES:
            return sign * int(digits[2:], _BASES[digits[:2]])
        if _has_octal_value(digits):
            message = f"`{token.text}` is octal in PTX, and decimal elsewhere"
            raise self._error(message, token.span, "write the number without the 0 before it")
        return sign * int(digits)

    def unexpected(self, expected: str, hint: str | None = None) -> CatpyError:
        """The error that something else than the present token was expected."""
        token = self.peek()
        message = f"expected {expected}, found {token.describe()}"
        if token.kind == "illegal":
            message = f"unexpected character `{token.text}`"
        return self._error(message, token.span, hint)
