"""Comments and tokens of test files."""

from __future__ import annotations

import functools
import re

import pyparsing as pp

from catpy.errors import TestError
from catpy.lexing import Lexer, NestedComment, TokenStream
from catpy.source import Source, Span


def without_comments(source: Source) -> Source:
    """The source with every comment (`//`, `/* */`, `(* *)`) blanked, places unchanged.

    Quoted texts are left alone: they may hold anything. Raises TestError for an open comment.
    """
    try:
        pieces = _text_and_comments().parse_string(source.text)
    except pp.ParseFatalException as problem:
        raise TestError(problem.msg, source.span(problem.loc, problem.loc + 2)) from None
    return Source(source.name, "".join(pieces), source.text)


@functools.cache
def _text_and_comments() -> pp.ParserElement:
    """A text in pieces, where those that are comments come out blank."""

    def blank(tokens: pp.ParseResults) -> str:
        return re.sub(r"[^\n]", " ", tokens[0])

    def unclosed(text: str, place: int, tokens: pp.ParseResults) -> None:
        raise pp.ParseFatalException(text, place, "this comment is not closed")

    plain = pp.Regex(r'[^"/(]+|"[^"]*"')
    comment = NestedComment() | pp.Regex(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
    open_comment = pp.Regex(r"/\*")
    comment.set_parse_action(blank)
    open_comment.set_parse_action(unclosed)
    piece = plain | comment | open_comment | pp.Regex(r'["/(]')
    return pp.ZeroOrMore(piece).leave_whitespace().parse_with_tabs()


@functools.cache
def _lexer() -> Lexer:
    return Lexer(
        {
            "number": r"0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+",
            "dotted": r"\.[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z0-9_]+)*",
            "name": r"[%$A-Za-z_][A-Za-z0-9_$.]*",
            "symbol": r"/\\|\\/|=>|->|==|!=|<>|<=|>=|[-=<>~?&@:;,()\[\]{}*]",
        },
        error=TestError,
    )


def token_stream(span: Span, whole: str = "text") -> TokenStream:
    """The tokens of a part of a test file, ready for a parser; messages call it `whole`."""
    return TokenStream(_lexer().tokens(span, whole), TestError)
