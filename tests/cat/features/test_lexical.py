"""Names, comments and headers as they come in real files."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, counts, equal, place, problem


@pytest.mark.parametrize(
    "name",
    ["x'", "_x", "x..", "a--b", "a-", "a-1", "DMB.ISH", "po-loc.v2'", "some", "domain", "A_1"],
)
def test_names(name: str) -> None:
    assert equal(name, "po", f"let {name} = po")


def test_a_prime_makes_another_name() -> None:
    assert counts("let x = po\nlet x' = rf\nempty x \\ po\nempty x' \\ rf") == ALL


def test_tags_take_a_prime() -> None:
    assert counts("enum t = 'a' || 'a\nempty match 'a' with 'a -> po || 'a' -> 0 end") == ALL


@pytest.mark.parametrize(
    "comment",
    [
        "(* a (* nested *) one *)",
        "(* over\nlines *)",
        "// to the end (* of the line",
        "# to the end (* of the line",
        '(* "quotes" do not matter *)',
        "(*)*)",
        "(***)",
    ],
)
def test_comments(comment: str) -> None:
    assert counts(f"{comment}\nempty 0 {comment}\nempty {{}}\n{comment}") == ALL


def test_a_string_in_a_comment_ends_with_it() -> None:
    assert place('(* "*)" *)') == (1, 7)


def test_a_comment_that_is_not_closed() -> None:
    message, line, column = problem("empty 0\n(* (* *)")
    assert message == "this comment is not closed"
    assert (line, column) == (2, 1)


@pytest.mark.parametrize("text", ["(W(*W) & 0", "empty (W (* W) \\ _"])
def test_a_parenthesis_before_a_star_opens_a_comment(text: str) -> None:
    message, _, _ = problem(text)
    assert message == "this comment is not closed"


@pytest.mark.parametrize(
    "header",
    [
        '"a title"',
        "Name",
        "Two names",
        'Name "title"',
        '"over\nlines"',
        'C "C++11" catdep',
        "catdep",
    ],
)
def test_headers(header: str) -> None:
    assert counts(f"{header}\nempty 0") == ALL


@pytest.mark.parametrize(
    ("text", "line_and_column"),
    [
        ('"a" "b"', (1, 5)),
        ('"a" b', (1, 5)),
        ("a b c", (1, 5)),
        ("let e->x = po", (1, 7)),
        ("let in = po", (1, 5)),
        ("let _1 = po", (1, 5)),
        ("let 1 = po", (1, 5)),
        ("let x = ''a", (1, 9)),
    ],
)
def test_what_does_not_begin_or_read(text: str, line_and_column: tuple[int, int]) -> None:
    assert place(text) == line_and_column


@pytest.mark.parametrize(
    "word", ["empty", "from", "do", "default", "not", "variant", "debug", "subset", "end"]
)
def test_reserved_words_are_no_names(word: str) -> None:
    assert place(f"let {word} = po") == (1, 5)
