"""Where syntax nodes and errors are in the text."""

from __future__ import annotations

import pytest

from catpy.cat.syntax import (
    Apply,
    Function,
    Let,
    Operation,
    TupleOf,
)
from catpy.errors import ModelError
from tests.cat.notation import expression, statement, statements


def test_statements_know_their_places() -> None:
    text = (
        "let x = a | b\n"
        "let rec f x = x and y = f y\n"
        "  acyclic x ; y as Name\n"
        "~empty x\n"
        " flag ~empty x as n\n"
        'include "file"\n'
        "with co from f x\n"
        "some w from s\n"
        "show a, b\n"
        "show a|b as c\n"
    )
    lines = [line.strip() for line in text.splitlines()]
    found = statements(text)
    assert [one.span.text for one in found] == lines
    assert [str(one.span) for one in found[:5]] == [
        "test.cat:1:1",
        "test.cat:2:1",
        "test.cat:3:3",
        "test.cat:4:1",
        "test.cat:5:2",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "0",
        "{}",
        "{a, b}",
        "a | b;c | d",
        "a ++ b",
        "a \\ b",
        "a & b & c",
        "W * R",
        "~~a",
        "a^-1+",
        "[W | R]",
        "f a [b]",
        "a, b",
        "()",
        "let x = a in x | b",
        "let rec x = a in x",
        "fun (x, y) -> x;y",
        "try a with b",
    ],
)
def test_an_expression_spans_its_text(text: str) -> None:
    assert expression(text).span.text == text


def test_an_expression_spans_the_parentheses_of_its_operands() -> None:
    for text in ("(a | b);c", "a;(b | c)", "f (a, b)", "(a) & f (b)"):
        assert expression(text).span.text == text


def test_operands_span_their_texts() -> None:
    tree = expression("po-loc | rf^-1;co | [W]")
    assert isinstance(tree, Operation)
    assert [operand.span.text for operand in tree.operands] == ["po-loc", "rf^-1;co", "[W]"]
    (sequence,) = [x for x in tree.operands if isinstance(x, Operation) and x.operator == ";"]
    assert [operand.span.text for operand in sequence.operands] == ["rf^-1", "co"]


def test_arguments_span_their_texts() -> None:
    tree = expression("f [a] b")
    assert isinstance(tree, Apply)
    assert tree.argument.span.text == "b"
    assert tree.function.span.text == "f [a]"
    tuple_of = expression("a|b, c")
    assert isinstance(tuple_of, TupleOf)
    assert [item.span.text for item in tuple_of.items] == ["a|b", "c"]


def test_bindings_span_pattern_and_body() -> None:
    found = statement("let rec a = b;c and f(x) = x | a")
    assert isinstance(found, Let)
    assert [binding.span.text for binding in found.bindings] == ["a = b;c", "f(x) = x | a"]
    assert isinstance(found.bindings[1].body, Function)


def test_places_count_from_one_over_several_lines() -> None:
    tree = expression("\n  a\n    | b")
    assert isinstance(tree, Operation)
    assert [str(operand.span) for operand in tree.operands] == ["test.cat:2:3", "test.cat:3:7"]


def test_a_rendered_error_shows_the_line_and_a_mark() -> None:
    with pytest.raises(ModelError) as caught:
        statements("let x = 0\nlet y = x | subset z\n")
    assert caught.value.render().splitlines() == [
        "test.cat:2:13: error: expected an expression, found `subset`",
        "  let y = x | subset z",
        "              ^^^^^^",
    ]
