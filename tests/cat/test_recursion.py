"""`let rec` of values: rounds in textual order until nothing grows, as in herd."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.cat.values import EMPTY, UNIVERSE
from tests.cat.store_buffering import (
    ALL_EVENTS,
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
    runs,
    value,
)
from tests.relation.plain import closure, inverse

# Monotone groups: the least fixpoint


def test_a_transitive_closure() -> None:
    step = RF_INIT | inverse(PO)
    assert pairs("r", "let rec r = rf | po^-1 | r;r") == closure(step)
    assert pairs("r", "let rec r = (rf | po^-1) | ((rf | po^-1) ; r)") == closure(step)
    assert pairs("let rec r = rf | po^-1 | r;r in r") == closure(step)


def test_recursion_without_a_start_is_empty() -> None:
    assert holds("let rec x = x\nempty x")
    assert holds("let rec x = x ; x\nempty x")
    assert holds("let rec x = y and y = x\nempty x | y")
    assert value("x", "let rec x = x") is EMPTY


def test_recursion_that_is_none() -> None:
    assert pairs("x", "let rec x = po") == PO
    assert pairs("y", "let rec x = po and y = x | rf") == PO | RF_INIT


def test_recursion_over_event_sets() -> None:
    # From the initial writes along reads-from and backwards in program order.
    reached = "let rec s = IW | range([s] ; rf) | range([s] ; po^-1)"
    assert events("s", reached) == IW | {3, 5} | {2, 4} == ALL_EVENTS


def test_mutual_recursion_over_sets_and_relations() -> None:
    # From the writes of the threads, writes are an even number of steps away, reads an odd one.
    before = (
        "let step = po | po^-1\n"
        "let rec even = (W \\ IW) | range([odd] ; step) and odd = range([even] ; step)"
    )
    assert events("even", before) == W - IW
    assert events("odd", before) == R


def test_a_value_may_grow_to_the_universe() -> None:
    assert value("x", "let rec x = y | po and y = _") is UNIVERSE


def test_a_group_sees_its_own_names_before_those_outside() -> None:
    assert pairs("x", "let x = rf\nlet rec x = po | x") == PO


def test_the_order_of_a_monotone_group_does_not_matter() -> None:
    forth = "let rec a = po | b;b and b = rf^-1 | a | b;a"
    back = "let rec b = rf^-1 | a | b;a and a = po | b;b"
    assert pairs("a", forth) == pairs("a", back)
    assert pairs("b", forth) == pairs("b", back)


@given(st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=9))
@settings(deadline=None, max_examples=50)
def test_any_closure_by_recursion(step: frozenset[tuple[int, int]]) -> None:
    for right_side in ("rf | r;r", "rf | rf;r", "rf | r;rf", "r;r | rf | r"):
        (run,) = runs(f"let rec r = {right_side}\nempty (r \\ rf+) | (rf+ \\ r)", step)
        assert run.alive


# Groups that are not monotone: the schedule shows


def test_a_difference_from_itself() -> None:
    # Round 1: x = po. Round 2: x = po \ po, which is in the old one.
    assert holds("let rec x = po \\ x\nempty x")


def test_names_see_those_before_them_already_renewed() -> None:
    # Round 1: x = po, y = po. Round 2: x = 0, y = 0. Were y to see the x of the round before, it
    # would end with po: (po, 0), (po, po), (0, po).
    before = "let rec x = po \\ y and y = x"
    assert holds(f"{before}\nempty x | y")


def test_the_textual_order_counts_z_first() -> None:
    # Round 1: z = {} | (po \ {}) = po, y = po. Round 2: z = po | (po \ po) = po.
    assert pairs("z", "let rec z = z | (po \\ y) and y = po") == PO


def test_the_textual_order_counts_y_first() -> None:
    # Round 1: y = po, z = {} | (po \ po) = 0. Round 2: the same.
    assert holds("let rec y = po and z = z | (po \\ y)\nempty z")


def test_a_group_stops_when_no_name_grows_although_some_shrink() -> None:
    # Round 1: a = po, b = po | rf, c = rf. Round 2: a = po \ (po | rf) = 0, b = rf, c = rf; nothing
    # grew, so this stays, though a third round would give a = po.
    before = "let rec a = po \\ b and b = a | rf and c = b \\ a"
    assert holds(f"{before}\nempty a")
    assert pairs("b", before) == RF_INIT
    assert pairs("c", before) == RF_INIT


def test_nesting_as_in_the_linux_model() -> None:
    # Writes are locks and reads are unlocks of their location: 0 and 2 are followed by 5, 1 and 4
    # by 3. Of two locks the inner one, 2 or 4, is matched.
    before = (
        "let order = loc & ((IW * (W \\ IW)) | (W * R))\n"
        "let rec unmatched-locks = W \\ domain(matched)\n"
        "and unmatched-unlocks = R \\ range(matched)\n"
        "and unmatched = unmatched-locks | unmatched-unlocks\n"
        "and unmatched-order = [unmatched] ; order ; [unmatched]\n"
        "and matched = matched | (([unmatched-locks] ; unmatched-order ; [unmatched-unlocks])\n"
        "    \\ (unmatched-order ; unmatched-order))\n"
    )
    # Round 1 matches 2 with 5 and 4 with 3; from 0 to 5 and from 1 to 3 there is a way round. In
    # round 2 no unlock is left.
    assert pairs("matched", before) == {(2, 5), (4, 3)}
    assert events("unmatched-locks", before) == IW
    assert events("unmatched-unlocks", before) == frozenset()


def test_a_group_that_never_settles_is_an_error() -> None:
    # y = x comes first, so that they take turns for ever.
    problem = error("let rec y = x and x = po \\ y")
    assert place(problem) == (1, 9)


# Functions in a group with values


def test_a_function_of_the_group_follows_its_values() -> None:
    before = "let rec r = po | join r and join x = x | rf^-1 | (x ; r)"
    assert pairs("r", before) == closure(PO | inverse(RF_INIT))
    assert pairs("join 0", before) == inverse(RF_INIT)
    assert pairs("join id", before) == ID | inverse(RF_INIT) | closure(PO | inverse(RF_INIT))


def test_a_function_sees_the_values_of_the_round_before() -> None:
    # `late` returns y as of the round before; `y \ late` is what the last round brought.
    # Round 1: y = po, z = po \ {} = po. Round 2: y = po, z = po \ po = 0.
    before = "let rec y = po and z = y \\ late 0 and late x = y | x"
    assert holds(f"{before}\nempty z")


# Strictness


def test_recursive_values_are_computed_where_they_are_defined() -> None:
    assert pointed_at(error("let rec x = foo | x")) == "foo"
    assert pointed_at(error("let rec x = po | W | x")) == "W"


def test_a_closure_by_recursion_is_lazy() -> None:
    # Read as `let x = foo+`.
    assert holds("let rec x = foo | x;x")
    assert pointed_at(error("let rec x = foo | x;x\nempty x")) == "foo"


def test_recursive_functions_are_lazy() -> None:
    assert holds("let rec f x = foo")


def test_local_recursion_is_computed_with_its_expression() -> None:
    assert holds("let y = let rec x = foo | x in x")
    assert pointed_at(error("let y = let rec x = foo | x in x\nempty y")) == "foo"
    assert pointed_at(error("empty (let rec x = foo | x in 0)")) == "foo"


@pytest.mark.parametrize(
    "text",
    [
        "let rec x = (x, x)",
        "let rec x = (po, rf)",
        "let rec (a, b) = (po, rf)",
        "let rec a, b = (b, a)",
        "let rec x = domain",
        "let rec x = po and y = W | x",
        "let rec (f, g) = fun x -> x",
    ],
)
def test_illegal_recursion(text: str) -> None:
    assert place(error(text))[0] == 1


def test_illegal_recursion_in_an_expression() -> None:
    error("empty (let rec x = (x, x) in 0)")


# With a condition


def test_a_condition_that_holds_changes_nothing() -> None:
    before = "let rec r = po | rf | r;r when acyclic r as n"
    assert pairs("r", before) == closure(PO | RF_INIT)


@pytest.mark.parametrize(
    "text",
    [
        "let rec x = po | x;x when empty x as foo",
        "let rec x = po | x;x when empty x",
        "let rec x = po | x when ~acyclic x",
        "let rec x = po | po^-1 | x;x when acyclic x",
        # It holds in the first round only.
        "let rec x = po | (x ; po^-1) when irreflexive x",
    ],
)
def test_a_condition_that_fails_discards_the_execution(text: str) -> None:
    assert runs(text) == []


def test_a_condition_is_looked_at_after_every_round() -> None:
    # x is po, then empty: a condition on the last round alone would hold.
    assert runs("let rec x = po \\ x when empty x") == []
    assert len(runs("let rec x = po \\ x")) == 1


def test_a_condition_stops_a_recursion_that_does_not_settle() -> None:
    assert runs("let rec y = x and x = po \\ y when empty y") == []


def test_a_condition_that_is_skipped() -> None:
    text = "let rec x = po | x;x when empty x as foo\nlet it = x"
    assert len(runs(text, skip=["foo"])) == 1
    assert runs(text, skip=["bar"]) == []


def test_a_condition_may_be_wrong() -> None:
    assert pointed_at(error("let rec x = po when acyclic bar")) == "bar"
    assert pointed_at(error("let rec x = W when acyclic x")) == "x"
