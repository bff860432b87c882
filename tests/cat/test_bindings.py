"""Bindings, functions and scopes: what is evaluated when, and in which environment."""

from __future__ import annotations

import pytest

from catpy.cat.values import EMPTY, UNIVERSE, Tuple
from tests.cat.store_buffering import (
    ID,
    IW,
    PO,
    RF_INIT,
    R,
    W,
    error,
    events,
    holds,
    pairs,
    place,
    pointed_at,
    value,
)
from tests.relation.plain import compose

# Call by need


@pytest.mark.parametrize(
    "text",
    [
        "let x = foo",
        "let x = 0 | W",
        "let x = domain(W)",
        "let x = foo and y = po",
        "let f x = foo",
        "let f = fun x -> foo",
        "let x = foo\nlet y = x\nlet z = y | W",
        "let _ = foo",
        "let () = foo",
        "let a, b = foo",
        "let (_, b) = foo",
        "let x = (let y = foo in y)",
        "empty (let y = foo in 0)",
        "empty (let a, b = foo in 0)",
        "let (a, b) = (po, foo)",
    ],
)
def test_an_unused_binding_is_never_evaluated(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("let x = foo\nacyclic x", 1, 9),
        ("let x = po\n  | foo\nlet y = x\nempty y & 0", 2, 5),
        ("let f x = x | foo\n\nempty f(0)", 1, 15),
        ("let a, b = foo\nempty a", 1, 12),
        ("empty (let y = foo in y)", 1, 16),
        ("acyclic foo", 1, 9),
        ("let rec x = po | foo", 1, 18),
        ("with x from foo", 1, 13),
        ("flag ~empty foo as n", 1, 13),
        ("empty foo(0)", 1, 7),
    ],
)
def test_an_unbound_name_is_reported_where_it_stands(text: str, line: int, column: int) -> None:
    problem = error(text)
    assert problem.message == "unbound name `foo`"
    assert pointed_at(problem) == "foo"
    assert place(problem) == (line, column)


def test_a_wrong_kind_is_reported_where_it_was_written() -> None:
    problem = error("let x = po | W\nlet y = x\nempty y")
    assert place(problem) == (1, 14)


def test_a_binding_is_evaluated_once() -> None:
    # Evaluated on every use, the last of these would take two to the sixtieth steps.
    doubled = "\n".join(f"let x{n} = x{n - 1} | x{n - 1}" for n in range(1, 61))
    assert pairs("x60", f"let x0 = po\n{doubled}") == PO


def test_a_name_that_is_near_is_suggested() -> None:
    assert error("empty linearisation(W, 0)").hint == "did you mean `linearisations`?"
    hint = error("let causality-order = po\nempty causality_order").hint
    assert hint is not None
    assert "`causality-order`" in hint


def test_a_name_near_to_none_gets_no_suggestion() -> None:
    assert error("empty zzzzzzzz").hint is None


def test_local_names_are_suggested() -> None:
    hint = error("let f observed = obseved\nempty f(0)").hint
    assert hint is not None
    assert "`observed`" in hint


# Environments


def test_a_later_definition_does_not_change_earlier_ones() -> None:
    assert pairs("y", "let x = po\nlet y = x\nlet x = rf") == PO
    assert pairs("x", "let x = po\nlet y = x\nlet x = rf") == RF_INIT


def test_static_scope_of_functions() -> None:
    assert holds("let x = po\nlet f y = x | y\nlet x = rf\nempty f(0) \\ po")
    assert pairs("f(0)", "let x = po\nlet f y = x | y\nlet x = rf") == PO


def test_static_scope_of_functions_that_came_with_a_choice() -> None:
    assert holds("with x from {po}\nlet f y = x | y\nlet x = rf\nempty f(0) \\ po")


def test_a_name_may_be_defined_from_its_former_self() -> None:
    assert pairs("x", "let x = po\nlet x = x | rf\nlet x = x | id") == PO | RF_INIT | ID


def test_names_bound_before_the_model_may_be_defined_anew() -> None:
    assert events("W", "let W = W \\ IW") == W - IW
    assert pairs("rf", "let rf = po") == PO
    assert pairs("domain", "let domain = po") == PO
    assert pairs("domain rf", "let domain r = r") == RF_INIT


def test_a_group_sees_the_environment_before_it() -> None:
    before = "let a = po\nlet b = rf\nlet a = b and b = a"
    assert pairs("a", before) == RF_INIT
    assert pairs("b", before) == PO


def test_a_group_may_bind_names_that_its_other_members_lack() -> None:
    problem = error("let fresh = po and other = fresh\nempty other")
    assert problem.message == "unbound name `fresh`"


def test_local_definitions() -> None:
    assert pairs("let x = po in x | rf") == PO | RF_INIT
    assert pairs("let x = po in let y = x | rf in y | id") == PO | RF_INIT | ID
    assert pairs("let x = po and y = x in y", "let x = rf") == RF_INIT
    assert pairs("(let x = po in x) | x", "let x = rf") == PO | RF_INIT
    assert pairs("let x = x | po in x", "let x = rf") == PO | RF_INIT


def test_a_local_definition_ends_with_its_expression() -> None:
    assert pointed_at(error("let y = let fresh = po in fresh\nempty fresh")) == "fresh"


# Tuples and patterns


@pytest.mark.parametrize("pattern", ["(a, b)", "a, b"])
def test_tuples_are_taken_apart(pattern: str) -> None:
    before = f"let {pattern} = po, rf"
    assert pairs("a", before) == PO
    assert pairs("b", before) == RF_INIT


def test_one_name_takes_a_whole_tuple() -> None:
    assert isinstance(value("t", "let t = (po, rf)"), Tuple)
    assert pairs("let a, b = t in b", "let t = (po, rf)") == RF_INIT


def test_an_underscore_takes_nothing() -> None:
    assert pairs("a", "let _, a, _ = po, rf, id") == RF_INIT
    assert pairs("a", "let a, _ = po, W") == PO


def test_the_components_of_a_tuple_have_kinds_of_their_own() -> None:
    before = "let a, b, c = (po, W, (fun x -> x))"
    assert events("b", before) == W
    assert pairs("c a", before) == PO


def test_a_missing_component_is_an_error_only_when_it_is_used() -> None:
    assert pairs("a", "let a, b, c = po, rf") == PO
    error("let a, b, c = po, rf\nempty c")


def test_what_is_no_tuple_cannot_be_taken_apart() -> None:
    error("let a, b = po\nempty b")


# Functions


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("let f x = x | rf", "f po"),
        ("let f x = x | rf", "f(po)"),
        ("let f(x) = x | rf", "f(po)"),
        ("let f = fun x -> x | rf", "f po"),
        ("let f = fun (x) -> x | rf", "f po"),
        ("let f(x, y) = x | y", "f(po, rf)"),
        ("let f(x, _) = x | rf", "f(po, W)"),
        ("let f x = fun y -> x | y", "f po rf"),
        ("let f x = fun y -> x | y", "f(po)(rf)"),
        ("let f x = fun y -> x | y\nlet g = f po", "g rf"),
        ("let f () = po | rf", "f ()"),
        ("let f _ = po | rf", "f W"),
        ("let f t = let x, y = t in x | y", "f(po, rf)"),
        ("let f g = g po", "f (fun x -> x | rf)"),
        ("let f g = g po\nlet h x = x | rf", "f h"),
        ("let f(g, x) = g x", "f((fun y -> y | rf), po)"),
        ("let f x = (x, x)\nlet g(x, y) = x | y | rf", "g(f po)"),
        ("let t = (po, rf)\nlet f(x, y) = x | y", "f t"),
    ],
)
def test_functions(definition: str, call: str) -> None:
    assert pairs(call, definition) == PO | RF_INIT


def test_parameters_hide_names() -> None:
    assert pairs("f po", "let x = rf\nlet f x = x") == PO
    assert pairs("f po", "let f W = W") == PO


def test_arguments_are_evaluated_before_the_call() -> None:
    assert pointed_at(error("let f x = 0\nempty f(foo)")) == "foo"
    assert pointed_at(error("let f _ = 0\nempty f(0 | W)")) == "W"


def test_an_argument_keeps_its_kind() -> None:
    assert value("f {}", "let f x = x") is EMPTY
    assert value("f _", "let f x = x") is UNIVERSE
    assert events("f W", "let f x = x") == W


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("let f(x, y) = x", "f po"),
        ("let f(x, y) = x", "f(po, rf, id)"),
        ("let f(x, y) = x", "f ()"),
        ("let f () = po", "f po"),
        ("let f () = po", "f(po, rf)"),
        ("let f(x, y) = x", "f po rf"),
    ],
)
def test_a_wrong_number_of_arguments(definition: str, call: str) -> None:
    problem = error(f"{definition}\nempty {call}")
    assert place(problem)[0] == 2


def test_only_functions_are_applied() -> None:
    for text in ("po rf", "W (R)", "(let x = po in x) | po (rf)", "(let t = (po, rf) in t po)"):
        error(f"empty {text}")


def test_primitives_are_values() -> None:
    assert events("f po", "let f = domain") == events("domain po")
    assert events("apply(range, po)", "let apply(f, x) = f x") == R


# What a function captures


def test_a_function_that_mentions_an_unbound_name_fails_although_it_does_not_get_there() -> None:
    problem = error("let f x = (x & 0) ; foo\nempty f(po)")
    assert problem.message == "unbound name `foo`"


def test_capture_happens_outside_of_what_is_tried_in_the_function() -> None:
    problem = error("let f x = try foo with x\nempty f(0)")
    assert problem.message == "unbound name `foo`"


def test_a_recursive_function_fails_only_where_it_gets_to_an_unbound_name() -> None:
    assert holds("let rec f x = (x & 0) ; foo\nempty f(po)")
    assert pointed_at(error("let rec f x = x ; foo\nempty f(po)")) == "foo"


def test_a_captured_binding_is_not_evaluated_by_the_capture() -> None:
    assert holds("let foo = bar\nlet f x = (x & 0) ; foo\nempty f(po)")


def test_a_function_keeps_what_it_was_made_with() -> None:
    before = "let add x = fun y -> x | y\nlet with-po = add po\nlet with-rf = add rf"
    assert pairs("with-po id", before) == PO | ID
    assert pairs("with-rf id", before) == RF_INIT | ID


# Recursive functions


#: At most two steps follow each other.
STEP = frozenset({(0, 2), (2, 3), (1, 4), (4, 5)})
LET_STEP = "let step = po | ((IW * (W \\ IW)) & loc)\n"


def test_recursion_ends_where_a_sequence_is_empty() -> None:
    # f(step) = id | step;f(2 steps), f(2 steps) = id | 2 steps;f({}), and f({}) = id.
    before = LET_STEP + "let rec f r = id | (r ; f(r ; step))"
    assert pairs("step", before) == STEP
    assert pairs("f {}", before) == ID
    assert pairs("f(step ; step)", before) == ID | compose(STEP, STEP)
    assert pairs("f step", before) == ID | STEP


def test_functions_that_call_each_other() -> None:
    # odd(2 steps) = id, as three steps are none; so even(step) = step | step;step;id.
    before = (
        LET_STEP + "let rec even r = r | (r ; (step ; odd(r ; step)))\n"
        "and odd r = id | ((r ; step) ; even(r ; step))"
    )
    assert pairs("odd(step ; step)", before) == ID
    assert pairs("even step", before) == STEP | compose(STEP, STEP)


def test_endless_recursion_is_an_error_of_the_model() -> None:
    error("let rec f x = f x\nempty f(po)")
    error("let rec f x = g x and g x = f x\nempty f(po)")


def test_a_function_is_not_recursive_by_itself() -> None:
    assert pointed_at(error("let f x = f x\nempty f(po)")) == "f"
    assert pairs("f po", "let f x = x | rf\nlet f x = f x | id") == PO | RF_INIT | ID


def test_recursive_functions_may_be_local() -> None:
    assert pairs("let rec f r = r | ((r;r) ; f(r;r)) in f po") == PO


# Try


@pytest.mark.parametrize(
    "attempt",
    ["foo", "0 | W", "domain(W)", "po rf", "f(po, rf)", "x", "po ; W", "linearisations(W)", "[po]"],
)
def test_try_replaces_what_fails(attempt: str) -> None:
    before = "let f() = 0\nlet x = foo | po"
    assert pairs(f"try {attempt} with rf", before) == RF_INIT


def test_try_keeps_what_does_not_fail() -> None:
    assert pairs("try po with foo") == PO
    assert value("try 0 ; foo with rf") is EMPTY


def test_an_error_in_the_fallback_is_reported() -> None:
    assert pointed_at(error("empty try foo with bar")) == "bar"


def test_tries_nest() -> None:
    assert pairs("try foo with try bar with po") == PO
    assert pairs("try (try foo with bar) with po") == PO


def test_try_is_lazy_when_bound() -> None:
    before = "let EX = try EX with emptyset\nlet emptyset = domain 0\nlet W = try W with foo"
    assert events("W", before) == W
    assert pointed_at(error(f"{before}\nempty EX")) == "emptyset"


def test_the_definition_of_a_default() -> None:
    assert value("EX", "let EX = try EX with {}") is EMPTY
    assert events("W", "let W = try W with {}") == W
