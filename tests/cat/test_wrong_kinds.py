"""Errors of kind: operators, tests and statements on values that they do not take."""

from __future__ import annotations

import pytest

from tests.cat.store_buffering import (
    error,
    pointed_at,
)


@pytest.mark.parametrize(
    ("expression", "culprit"),
    [
        # The operand that is of another kind than those before it, or the whole where two clash.
        ("0 | W", "W"),
        ("W | 0", "0"),
        ("po | rf | W", "W"),
        ("0 & W", "0 & W"),
        ("W & po", "W & po"),
        ("W \\ po", "W \\ po"),
        ("po \\ W", "po \\ W"),
        ("W & (W * R)", "W & (W * R)"),
        ("W & ~po", "W & ~po"),
        # An operand of the wrong kind.
        ("po ; W", "W"),
        ("W ; po", "W"),
        ("po ; [R] ; W", "W"),
        ("_ ; W", "W"),
        ("[po]", "po"),
        ("[domain]", "domain"),
        ("W+", "W"),
        ("W*", "W"),
        ("W?", "W"),
        ("W^-1", "W"),
        ("po * W", "po"),
        ("W * po", "po"),
        ("~(po, rf)", "po, rf"),
        ("~domain", "domain"),
        ("~{po}", "{po}"),
        ("domain(W)", "W"),
        ("range(W)", "W"),
        ("{po} ; po", "{po}"),
        ("[{W}]", "{W}"),
        ("(po, rf) | po", "po"),
        ("(po, rf) & po", "(po, rf) & po"),
        ("domain & po", "domain & po"),
        ("po ++ 0", "0"),
        ("po ++ W", "W"),
        # An application that forgot an operator.
        ("po [W]", "po [W]"),
        ("W R", "W R"),
        ("0 | po (rf)", "po (rf)"),
        ("linearisations(W)", "W"),
        ("linearisations(W, po, rf)", "W, po, rf"),
        ("linearisations(po, rf)", None),
        ("linearisations(W, R)", None),
        ("orientations(W)", "W"),
        ("orientations(po, W)", None),
        ("orientations(po, po, po)", "po, po, po"),
        ("foo", "foo"),
        ("po | foo", "foo"),
        ("foo ; 0", "foo"),
        ("{_}", "_"),
        ("{po, _}", "_"),
        ("_ ++ {}", None),
        ("_ ++ {po}", None),
    ],
)
def test_wrong_kinds(expression: str, culprit: str | None) -> None:
    problem = error(f"let it = {expression}\nwith one from it ++ {{}}")
    if culprit is not None:
        assert pointed_at(problem).strip("()") == culprit.strip("()")
    assert problem.span is not None
    assert problem.span.source.position(problem.span.start)[0] == 1


@pytest.mark.parametrize(
    ("test", "culprit"),
    [
        ("acyclic W", "W"),
        ("irreflexive W", "W"),
        ("acyclic {po}", "{po}"),
        ("empty {po}", "{po}"),
        ("empty po, rf", "po, rf"),
        ("acyclic po, rf", "po, rf"),
        ("empty ()", "()"),
        ("empty domain", "domain"),
        ("flag acyclic W as n", "W"),
        ("undefined_unless empty foo", "foo"),
        ("assert irreflexive W", "W"),
        ("with y from W", "W"),
        ("with y from po", "po"),
        ("with y from 0", "0"),
        ("with y from _", "_"),
        ("with y from (po, rf)", "po, rf"),
        ("with y from domain", "domain"),
        ("some y from W", "W"),
        ("with y from foo", "foo"),
    ],
)
def test_wrong_kinds_of_statements(test: str, culprit: str) -> None:
    assert pointed_at(error(test)) == culprit


@pytest.mark.parametrize("test", ["empty [W", "empty 'a"])
def test_what_is_no_expression_of_this_version(test: str) -> None:
    error(test)


@pytest.mark.parametrize("expression", ["0 | W", "W & po", "po \\ W", "po ; W", "acyclic W"])
def test_a_set_in_place_of_a_relation_gives_a_hint(expression: str) -> None:
    text = expression if expression.startswith("acyclic") else f"empty {expression}"
    hint = error(text).hint
    assert hint is not None
    assert "[S]" in hint


def test_a_forgotten_operator_gives_a_hint() -> None:
    hint = error("empty po [W]").hint
    assert hint is not None
    assert "`;`" in hint
