"""The tokens of the cat language, as herd's lexer has them, and as Dat3M's."""

from __future__ import annotations

import functools

import pyparsing as pp

from catpy.cat.dialect import Dialect
from catpy.errors import ModelError
from catpy.lexing import Lexer, NestedComment, Token
from catpy.source import Source

KEYWORDS = frozenset(
    """let rec and when acyclic irreflexive show unshow empty subset as fun in undefined_unless flag
    assert include variant begin end procedure call enum debug match with forall from do try if then
    else catdep instructions default not""".split()  # noqa: SIM905  (quoted one by one it reads worse)
)
_DAT3M_KEYWORDS = frozenset(
    {"let", "rec", "and", "acyclic", "irreflexive", "empty", "show", "as", "flag", "include"}
    | {"undefined_unless"}
)

_STRING = r'"[^"]*"'
# Longest match, as in herd: `e->x` reads as the name `e-` and an illegal `>`.
_NAME = r"_?[A-Za-z][A-Za-z0-9_.\-]*'?"
_CONSTANT = r"[0_](?![A-Za-z0-9_])"
# What begins no token is one of its own, so that the parser can refuse it and go on behind it.
_ILLEGAL = r"[^\s]"
_SYMBOL = r"\|\||&&|\+\+|->|-1|[|&*~+^\\?=;,(){}\[\]]"


@functools.cache
def _lexer(dialect: Dialect) -> Lexer:
    if dialect is Dialect.HERD:
        return Lexer(
            {
                "string": _STRING,
                "name": _NAME,
                "tag": rf"'{_NAME}",
                "constant": _CONSTANT,
                "symbol": _SYMBOL,
                "illegal": _ILLEGAL,
            },
            error=ModelError,
            skip=[NestedComment(), pp.Regex(r"//[^\n]*|#[^\n]*")],
            keywords=KEYWORDS,
        )
    return Lexer(
        {
            "string": _STRING,
            "constant": _CONSTANT,
            "symbol": _SYMBOL,
            "name": r"[A-Za-z0-9_.\-]+",
            "illegal": _ILLEGAL,
        },
        error=ModelError,
        skip=[pp.Regex(r"\(\*(?:[^*]|\*(?!\)))*\*\)|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*")],
        keywords=_DAT3M_KEYWORDS,
    )


def tokenize(
    source: Source, dialect: Dialect = Dialect.HERD, end: int | None = None
) -> list[Token]:
    """The tokens of a model (of its text before `end`), with an `end` token last.

    Raises ModelError for a comment that is not closed, at its beginning. A character that begins
    no token is a token of kind `illegal`.
    """
    return _lexer(dialect).tokens(source.span(0, len(source.text) if end is None else end))
