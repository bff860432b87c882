"""Tokens of the cat language: names, comments, constants, operators, and where they are."""

from __future__ import annotations

import pytest

from catpy.cat.lexer import KEYWORDS, tokenize
from catpy.cat.parser import parse
from catpy.errors import ModelError
from catpy.lexing import Token
from catpy.source import Source


def tokens(text: str) -> list[Token]:
    *found, end = tokenize(Source("test.cat", text))
    assert end.kind == "end"
    return found


def texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens(text)]


def failure(text: str) -> tuple[ModelError, int, int]:
    """The error of a text, with its line and column."""
    with pytest.raises(ModelError) as caught:
        parse(Source("test.cat", text))
    span = caught.value.span
    assert span is not None
    return caught.value, *span.source.position(span.start)


# Names


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "po-loc",
        "DMB.ISH",
        "a--b",
        "x..",
        "x-",
        "a-1",
        "_RMW",
        "_x",
        "x'",
        "W_1",
        "Fence.rw.w",
        "a-'",
        "letter",
        "recs",
        "in-between",
        "empty-set",
        "not.",
    ],
)
def test_one_name(name: str) -> None:
    assert texts(name) == [name]
    assert kinds(name) == ["name"]


@pytest.mark.parametrize("word", ["domain", "range", "toid", "fencerel", "some", "requires"])
def test_names_that_are_no_keywords(word: str) -> None:
    assert kinds(word) == ["name"]


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_keywords(word: str) -> None:
    assert kinds(word) == ["keyword"]


def test_the_keywords_are_those_of_herd() -> None:
    words = """let rec and when acyclic irreflexive show unshow empty subset as fun in
    undefined_unless flag assert include variant begin end procedure call enum debug match with
    forall from do try if then else catdep instructions default not"""
    assert set(words.split()) == KEYWORDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", ["a", "b"]),
        ("a-b c", ["a-b", "c"]),
        ("a'b", ["a'", "b"]),
        ("a'b'c", ["a'", "b'", "c"]),
        ("x''", None),
        ("a -1", ["a", "-1"]),
        ("r^-1", ["r", "^", "-1"]),
        ("r^ -1", ["r", "^", "-1"]),
        ("r^-1;s", ["r", "^", "-1", ";", "s"]),
        ("a|b", ["a", "|", "b"]),
        ("a||b", ["a", "||", "b"]),
        ("a&&b&c", ["a", "&&", "b", "&", "c"]),
        ("a++b+c", ["a", "++", "b", "+", "c"]),
        ("a+++", ["a", "++", "+"]),
        ("x ->y", ["x", "->", "y"]),
        ("{}", ["{", "}"]),
        ("_*_", ["_", "*", "_"]),
        ("[_]", ["[", "_", "]"]),
        ("0;_", ["0", ";", "_"]),
        ("(a,b)", ["(", "a", ",", "b", ")"]),
        ("a\\b?~c=d", ["a", "\\", "b", "?", "~", "c", "=", "d"]),
    ],
)
def test_longest_match(text: str, expected: list[str] | None) -> None:
    if expected is None:
        assert "illegal" in kinds(text)
    else:
        assert texts(text) == expected


def test_constants() -> None:
    assert kinds("0 _") == ["constant", "constant"]


@pytest.mark.parametrize("tag", ["'a", "'rcu-lock", "'a'", "'_RMW", "'x.y"])
def test_tags(tag: str) -> None:
    assert texts(tag) == [tag]
    assert kinds(tag) == ["tag"]


def test_strings_hold_anything_but_quotes() -> None:
    assert texts('"a (* b" // c') == ['"a (* b"']
    assert texts('"# // \\" x') == ['"# // \\"', "x"]
    assert kinds('"let"') == ["string"]


def test_a_string_over_lines_does_not_move_what_follows() -> None:
    *_, token = tokens('"a\nb\n" x')
    assert token.span.source.position(token.span.start) == (3, 3)


# What no token starts with


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("1", 1, 1),
        ("let x = 42", 1, 9),
        ("_1", 1, 1),
        ("__x", 1, 1),
        ("''a", 1, 1),
        ("a @ b", 1, 3),
        ("a - b", 1, 3),
        ("a / b", 1, 3),
        ("!a", 1, 1),
        ("a < b", 1, 3),
        ("a <- b", 1, 3),
        ("a : b", 1, 3),
        ("let x = po\n  $", 2, 3),
        ("a\n\n b %", 3, 4),
        ('a\n "open', 2, 2),
        ("é", 1, 1),
        ("(* é *) à", 1, 9),
    ],
)
def test_illegal_characters(text: str, line: int, column: int) -> None:
    _, *place = failure(text)
    assert place == [line, column]


def test_an_arrow_needs_a_blank_before_it() -> None:
    problem, line, column = failure("let f = fun e->x")
    assert (line, column) == (1, 15)
    assert "`>`" in problem.message
    assert texts("fun e ->x") == ["fun", "e", "->", "x"]


def test_an_illegal_character_is_named_and_shown() -> None:
    problem, *_ = failure("let x = a @ b")
    assert "`@`" in problem.message
    assert problem.render().splitlines()[-2:] == ["  let x = a @ b", "            ^"]


# Comments


@pytest.mark.parametrize(
    "text",
    [
        "a // b",
        "a # b",
        "a // b (* c",
        "a # b (* c",
        "a (* b *)",
        "(* b *) a",
        "a (**)",
        "a (***)",
        "a (* b (* c *) d *)",
        "a (* (* (* *) (* *) *) *)",
        "a (* b\nc\n*)",
        "a (* // *)",
        "a (* # *)",
        "// b\na",
        "# b\r\na",
        "a //",
        "a #",
        "a(*b*)",
        'a (* " *)',
        "a (* ' *)",
        "(*) (* *) *) a",
    ],
)
def test_comments_leave_nothing(text: str) -> None:
    assert texts(text) == ["a"]


def test_comments_separate_names() -> None:
    assert texts("a(* *)b") == ["a", "b"]


def test_a_line_comment_ends_with_its_line() -> None:
    assert texts("a // b\nc # d\ne") == ["a", "c", "e"]


def test_quotes_in_a_comment_are_raw() -> None:
    # The first `*)` closes; the string of what follows is never opened.
    assert texts('(* "*)" b *)"') == ['" b *)"']


def test_a_parenthesis_before_a_star_opens_a_comment() -> None:
    problem, line, column = failure("let x = (*) a")
    assert (line, column) == (1, 9)
    assert "not closed" in problem.message


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("(*", 1, 1),
        ("(* a", 1, 1),
        ("a\n  (* b\nc\n", 2, 3),
        ("a\r\n (* b", 2, 2),
        ("(* a (* b *)", 1, 1),
        ("(* a *) b (* c", 1, 11),
        ("a // (*\n(* b", 2, 1),
        ("(* a *)\n\n   (* (* *)", 3, 4),
    ],
)
def test_an_unclosed_comment_points_at_its_opening(text: str, line: int, column: int) -> None:
    problem, *place = failure(text)
    assert place == [line, column]
    assert problem.span is not None
    assert problem.span.text == "(*"


def test_a_closing_without_an_opening_is_an_operator_and_a_parenthesis() -> None:
    assert texts("a *) b") == ["a", "*", ")", "b"]


# Places


def test_every_token_knows_its_place() -> None:
    text = "let x = (* one\n two *) po-loc?\n ; [W]  # end\r\n|'t"
    for token in tokens(text):
        assert token.span.text == token.text
    positions = {t.text: t.span.source.position(t.span.start) for t in tokens(text)}
    assert positions["let"] == (1, 1)
    assert positions["="] == (1, 7)
    assert positions["po-loc"] == (2, 9)
    assert positions["?"] == (2, 15)
    assert positions[";"] == (3, 2)
    assert positions["W"] == (3, 5)
    assert positions["'t"] == (4, 2)


@pytest.mark.parametrize(
    ("text", "line", "column"), [("\tb %", 1, 4), ("a\n\t\tb %", 2, 5), ("\t(* b *)\n(* c", 2, 1)]
)
def test_a_tab_is_one_column_in_errors(text: str, line: int, column: int) -> None:
    _, *place = failure(text)
    assert place == [line, column]


def test_a_tab_is_one_column_for_tokens() -> None:
    text = "let\tx\t=\n\tpo\t(*\t*)\t; rf"
    assert [token.span.text for token in tokens(text)] == texts(text)


def test_a_tab_in_a_string_stays_one() -> None:
    assert texts('"a\tb"') == ['"a\tb"']


@pytest.mark.parametrize("text", ["", " ", "\n\n", "// a", "(* a *)", "# a\n"])
def test_a_text_without_tokens(text: str) -> None:
    (end,) = tokenize(Source("test.cat", text))
    assert end.kind == "end"
    assert end.describe() == "the end of the text"


def test_the_end_is_right_behind_the_last_token() -> None:
    *_, last, end = tokenize(Source("test.cat", "let x =  \n // more\n"))
    assert last.text == "="
    assert end.span.start == last.span.end
