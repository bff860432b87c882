"""The tokens of the cat language, as herd's lexer has them."""

from __future__ import annotations

import pyparsing as pp

from catpy.errors import ModelError
from catpy.lexing import Lexer, NestedComment, Token
from catpy.source import Source

KEYWORDS = frozenset(
    """let rec and when acyclic irreflexive show unshow empty subset as fun in undefined_unless flag
    assert include variant begin end procedure call enum debug match with forall from do try if then
    else catdep instructions default not""".split()  # noqa: SIM905  (quoted one by one it reads worse)
)


def cat_lexer() -> Lexer:
    """A lexer of cat: `(* *)` nests, `//` and `#` go to the end of the line."""
    return Lexer(
        {
            "string": r'"[^"]*"',
            # `e->x` reads as the name `e-` and an illegal `>`: longest match, as in herd.
            "name": r"_?[A-Za-z][A-Za-z0-9_.\-]*'?",
            "tag": r"'_?[A-Za-z][A-Za-z0-9_.\-]*'?",
            "constant": r"[0_](?![A-Za-z0-9_])",
            "symbol": r"\|\||&&|\+\+|->|-1|[|&*~+^\\?=;,(){}\[\]]",
        },
        error=ModelError,
        skip=[NestedComment(), pp.Regex(r"//[^\n]*|#[^\n]*")],
        keywords=KEYWORDS,
    )


def tokenize(source: Source) -> list[Token]:
    """The tokens of a model, with an `end` token last. Raises ModelError."""
    return cat_lexer().tokens(source.span(0, len(source.text)))
