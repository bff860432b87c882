"""Bindings: `let`, groups, patterns, functions, recursion."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, NONE, counts, equal, place, problem


@pytest.mark.parametrize(
    ("before", "expression", "same"),
    [
        ("let x = po", "x", "po"),
        ("let x = po in", "x", "po"),
        ("let x = po and y = rf", "x | y", "po | rf"),
        ("let W = W \\ IW and I = W & IW", "W | I", "M \\ R"),
        ("let (a, b) = (po, rf)", "a", "po"),
        ("let a, b = po, rf", "b", "rf"),
        ("let _, b = po, rf", "b", "rf"),
        ("let t = (po, rf)\nlet (a, b) = t", "b", "rf"),
        ("let f x = x | rf", "f po", "po | rf"),
        ("let f(x) = x | rf", "f po", "po | rf"),
        ("let f _ = po", "f W", "po"),
        ("let f() = po", "f()", "po"),
        ("let x = po\nlet f y = x | y\nlet x = rf", "f 0", "po"),
        ("let rec x = (po \\ (po ; po)) | (x ; x)", "x", "po"),
        ("let rec a = rf | (b ; po) and b = a | (a ; b)", "a", "a | (b ; po)"),
        ("let rec S = R | domain(rf ; [S])", "S", "R | (W & domain rf)"),
        ("let rec even r = r | odd r and odd r = r ; r", "even po", "po"),
    ],
)
def test_bindings(before: str, expression: str, same: str) -> None:
    assert equal(expression, same, before)


@pytest.mark.parametrize(
    "unused",
    [
        "let x = foo",
        "let x = W | po",
        "let () = foo",
        "let (a, b) = foo",
        "let a, b = po",
        "let f x = foo",
        "let rec f x = foo",
        "let rec x = foo | x;x",
        "procedure p() = acyclic foo end",
        "let x = let y = foo in y",
    ],
)
def test_what_is_not_used_is_not_evaluated(unused: str) -> None:
    assert counts(unused) == ALL


@pytest.mark.parametrize(
    ("text", "line_and_column"),
    [
        ("let x = foo\nacyclic x", (1, 9)),
        ("let rec x = foo | x", (1, 13)),
        ("let rec x = foo | x;x\nempty x", (1, 13)),
        ("let (a, b) = po\nempty a", (1, 14)),
        ('let f x = if "T01" then foo else x\nacyclic f(po)', (1, 25)),
        ("let f x = try foo with x\nempty f 0", (1, 15)),
    ],
)
def test_errors_are_where_the_wrong_thing_was_written(
    text: str, line_and_column: tuple[int, int]
) -> None:
    assert place(text) == line_and_column


def test_a_recursive_function_fails_only_where_it_gets_to() -> None:
    assert counts('let rec f x = if "T01" then foo else x\nacyclic f(po)') == ALL


def test_a_component_that_is_there_is_not_hindered_by_one_that_is_not() -> None:
    assert counts("let a, b, c = po, rf\nempty a \\ po") == ALL


# Recursion


@pytest.mark.parametrize(
    "text",
    [
        "let rec x = po \\ x\nempty x",
        "let rec x = x\nempty x",
        "let rec x = 0\nempty x",
        "let rec x = W\nempty x \\ W",
        "let rec x = {po} | x\nempty if x = {po} then 0 else po",
        "let rec x = lift(classes-loc M, po) | (x ; x)\nempty delift x \\ (M * M)",
    ],
)
def test_values_iterate_from_the_empty_set(text: str) -> None:
    assert counts(text) == ALL


def test_a_round_sees_what_earlier_members_have_become() -> None:
    """Gauss and Seidel's way: b has all of a after the first round, which then ends it."""
    text = "let rec a = po \\ b and b = a"
    # Round 1: a = po, b = po. Round 2: a = {}, b = {}: nothing new.
    assert counts(f"{text}\nempty a\nempty b") == ALL
    text = "let rec b = a and a = po \\ b"
    # Round 1: b = {}, a = po. Round 2: b = po, a = {}. Round 3: b = {}, a = po: nothing new in b,
    # but in a. Round 4 is as round 2 is: it does not settle.
    message, line, _ = problem(text)
    assert "does not settle" in message
    assert line == 1


@pytest.mark.parametrize("text", ["let rec x = (x, x)", "let rec x, y = po, rf"])
def test_tuples_are_not_defined_by_recursion(text: str) -> None:
    message, line, column = problem(text)
    assert "cannot be defined by recursion" in message
    assert (line, column) == (1, 9)


def test_a_round_whose_test_fails_rejects_the_execution() -> None:
    assert counts("let rec x = po | x;x when empty x as foo") == NONE
    assert counts("let rec x = po | (x ; x) when acyclic x\nempty x \\ po") == ALL
    assert counts("let rec x = po | loc | (x ; x) when irreflexive x") == NONE
    assert counts("let rec x = po | (x ; x) when ~empty x") == ALL


def test_a_closure_by_recursion() -> None:
    assert equal("x", "(po | rf)+", "let rec x = po | rf | x;x")
    assert equal("x", "(po | rf)+", "let rec x = po | (x;x) | rf")
