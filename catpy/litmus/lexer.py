"""Comments and tokens of test files."""

from __future__ import annotations

import functools

import pyparsing as pp

from catpy.errors import TestError
from catpy.lexing import Lexer, NestedComment, TokenStream
from catpy.source import Source, Span


def without_comments(source: Source) -> Source:
    """The source with every comment (`//`, `/* */`, `(* *)`) blanked, places unchanged.

    Quoted texts are left alone: they may hold anything. Raises TestError for an open comment.
    """
    quoted = pp.Regex(r'"[^"]*"')
    comment = NestedComment() | pp.Regex(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
    unclosed = pp.Regex(r"/\*")
    scanner = (quoted("quoted") | comment | unclosed("unclosed")).parse_with_tabs()
    pieces, last = [], 0
    try:
        for tokens, start, end in scanner.scan_string(source.text):
            if "unclosed" in tokens:
                raise TestError("this comment is not closed", source.span(start, end))
            if "quoted" in tokens:
                continue
            blank = "".join("\n" if char == "\n" else " " for char in source.text[start:end])
            pieces += [source.text[last:start], blank]
            last = end
    except pp.ParseFatalException as problem:
        raise TestError(problem.msg, source.span(problem.loc, problem.loc + 2)) from None
    pieces.append(source.text[last:])
    return Source(source.name, "".join(pieces), source.text)


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
