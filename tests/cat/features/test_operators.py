"""Operators and constants, each on real executions."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, NONE, counts, equal, place, problem

# Each thread is W, F, R in program order; a location is an initial write, a write and a read.


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("W | R", "M"),
        ("po | po^-1 | id", "(_ * _) & int | [IW]"),
        ("po ; po", "po & (W * R)"),
        ("[W] ; po ; [F]", "po & (W * F)"),
        ("po & loc", "0"),
        ("M & F", "{}"),
        ("M \\ W", "R"),
        ("po \\ (po ; po)", "(po & (W * F)) | (po & (F * R))"),
        ("domain(F * R)", "F"),
        ("range(F * R)", "R"),
        ("[R]", "id & (R * R)"),
        ("(po^-1)^-1", "po"),
        ("(F * R)^-1", "R * F"),
        ("0", "po & po^-1"),
        ("~M", "F"),
        ("~po & po", "0"),
        ("(po \\ (po ; po))+", "po"),
        ("po+", "po"),
        ("po*", "po | id"),
        ("po?", "po | id"),
        ("loc*", "loc | id"),
        ("_", "M | F"),
        ("_ * _", "~0"),
        ("[_]", "id"),
        ("_ ; po", "po"),
        ("po ; _ ; _", "po"),
        ("{} | R", "R"),
        ("{}", "R & W"),
    ],
)
def test_operators(left: str, right: str) -> None:
    assert equal(left, right)


def test_complement_in_an_intersection_is_difference() -> None:
    assert equal("po & ~(W * R)", "po \\ (W * R)")
    assert equal("~(W * R) & po", "po \\ (W * R)")


def test_elements_are_added_to_sets() -> None:
    some = "let f S = match S with {} -> {} || e ++ es -> e ++ es end"
    assert equal("f R", "R", some)
    assert counts("with r from po ++ (rf ++ {})") == (2, 6)
    assert counts("with r from po ++ (po ++ {})") == ALL


def test_pairs_are_added_to_relations() -> None:
    first = "let f r = match r with {} -> 0 || p ++ ps -> p ++ 0 end"
    assert counts(f"{first}\n~empty f po\nempty f po \\ po\n~empty po \\ f po") == ALL
    assert equal("match po with {} -> 0 || p ++ ps -> p ++ ps end", "po")


def test_a_tuple_of_events_is_a_pair() -> None:
    made = "match F with {} -> 0 || e ++ es -> (e, e) ++ 0 end"
    assert counts(f"empty ({made}) \\ [F]\n~empty ({made})") == ALL


def test_sets_in_braces() -> None:
    assert counts("with r from {po, rf, po}") == (2, 6)
    assert counts("with r from {}") == NONE
    assert equal("match R with {} -> {} || e ++ es -> {e} | es end", "R")
    assert equal("match po with {} -> {} || p ++ ps -> {p} | ps end", "po")


def test_tuples_and_the_empty_tuple() -> None:
    assert equal("f(po, W)", "po ; [R]", "let f(r, s) = r ; [~s & M]")
    assert equal("f()", "po", "let f() = po")
    assert counts("let (a, b) = (po, rf)\nempty a \\ po\nempty b \\ rf") == ALL


def test_tags_are_lifted_to_sets() -> None:
    enum = "enum t = 'a || 'b || 'c"
    assert counts(f"{enum}\nwith x from 'a | 'b") == (2, 6)
    assert counts(f"{enum}\nwith x from t \\ 'b") == (2, 6)
    assert counts(f"{enum}\nwith x from ~'b") == (2, 6)
    assert counts(f"{enum}\nwith x from t & 'b") == ALL
    assert counts(f"{enum}\nwith x from t") == (3, 9)


@pytest.mark.parametrize(
    ("text", "line_and_column"),
    [
        ("empty 0 | W", (1, 11)),
        ("empty po ; W", (1, 12)),
        ("empty W ; po", (1, 7)),
        ("empty _ ; W", (1, 11)),
        ("empty W ; _", (1, 7)),
        ("empty W+", (1, 7)),
        ("empty W^-1", (1, 7)),
        ("empty [po]", (1, 8)),
        ("empty po * W", (1, 7)),
        ("empty W * po", (1, 11)),
        ("with x from ~{po}", (1, 14)),
        ("with x from {_}", (1, 14)),
    ],
)
def test_operands_of_a_wrong_kind(text: str, line_and_column: tuple[int, int]) -> None:
    assert place(text) == line_and_column


def test_an_event_is_no_set_in_a_union() -> None:
    """A single event stands for the set of it in products only."""
    union = "let f S = match S with {} -> W || e ++ es -> e | W end\nempty f R"
    message, line, _ = problem(union)
    assert "an event" in message
    assert line == 1
    assert counts("let f S = match S with {} -> 0 || e ++ es -> e * W end\n~empty f R") == ALL


def test_a_pair_is_no_relation_in_a_union_but_in_a_sequence() -> None:
    message, _, _ = problem("let f r = match r with {} -> 0 || p ++ ps -> p | ps end\nempty f po")
    assert "a pair of events" in message
    assert counts("let f r = match r with {} -> 0 || p ++ ps -> p ; id end\n~empty f po") == ALL
    assert (
        counts("let f r = match r with {} -> 0 || p ++ ps -> p^-1 ++ 0 end\nempty f po & po") == ALL
    )


def test_sets_of_different_types_do_not_mix() -> None:
    message, line, column = problem("enum t = 'a || 'b\nenum u = 'a || 'c\nempty {'b} | {'c}")
    assert ("t set" in message, "u set" in message) == (True, True)
    assert (line, column) == (3, 14)
