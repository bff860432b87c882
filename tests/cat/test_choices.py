"""`with` and `some`: ways through a model, and the orders that primitives give to choose from."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.cat.store_buffering import (
    PO,
    RF_INIT,
    chosen,
    runs,
)

COHERENCE = frozenset({(0, 2), (1, 4)})


# Choices


def test_with_goes_on_once_per_element() -> None:
    found = runs("with r from {po, rf}")
    assert {chosen(run) for run in found} == {PO, RF_INIT}


def test_with_binds_for_all_that_follows() -> None:
    found = runs("with r from {po, rf}\nlet s = r^-1\nlet f x = x | s\nempty f(0) \\ po^-1")
    assert [chosen(run) for run in found] == [PO]


def test_with_from_nothing_discards() -> None:
    assert runs("with r from {}") == []
    assert runs("let none = {}\nwith r from none\nacyclic foo") == []


def test_choices_multiply_and_are_listed_in_order() -> None:
    found = runs("with a from {po, rf}\nwith b from {po, rf, id}\nlet c = a | b")
    assert len(found) == 6
    assert len({(chosen(run, 0), chosen(run, 1)) for run in found}) == 6
    assert {chosen(run, 0) for run in found} == {PO, RF_INIT}


def test_a_choice_may_depend_on_one_before() -> None:
    found = runs("with a from {po, rf}\nwith b from {a, a^-1}\nempty b \\ po")
    assert [(chosen(run, 0), chosen(run, 1)) for run in found] == [(PO, PO)]


def test_a_choice_hides_a_name_from_there_on() -> None:
    found = runs("let f x = x | po\nwith po from {rf, id}\nempty f(0) & po")
    assert len(found) == 2


def test_a_choice_leaves_the_other_branches_alone() -> None:
    text = "let x = 0\nwith r from {po, rf}\nlet x = x | r\nempty x & po & rf\nwith y from {x}"
    assert {chosen(run, 1) for run in runs(text)} == {PO, RF_INIT}


def test_values_of_any_kind_may_be_chosen() -> None:
    assert len(runs("with s from {W, R}\nempty s & R")) == 1
    assert len(runs("with f from {domain, range}\nempty f(po) & R")) == 1
    assert len(runs("with t from {(po, rf), (rf, po)}\nlet a, b = t\nempty a \\ po")) == 1


def test_some_goes_on_too_but_is_no_choice() -> None:
    found = runs("some r from {po, rf}\nlet x = r\nempty x \\ po")
    assert [run.choices for run in found] == [()]
    assert len(runs("some r from {po, rf}")) == 2
    assert runs("some r from {}") == []


def test_some_beside_with() -> None:
    found = runs("some a from {po, id}\nwith b from {po, rf}\nsome c from {a, b}\nempty c \\ b")
    # (a, b, c): (po, po, po) in one or two ways, (po, rf, rf), (id, po, po), (id, rf, rf).
    assert {chosen(run) for run in found} == {PO, RF_INIT}
    assert all(len(run.choices) == 1 for run in found)
    assert [chosen(run) for run in found].count(RF_INIT) == 2


# Orders


def test_linearisations_without_an_order() -> None:
    found = runs("with o from linearisations(W \\ IW, 0)")
    assert sorted(map(sorted, map(chosen, found))) == [[(2, 4)], [(4, 2)]]


def test_linearisations_are_all_permutations() -> None:
    found = {chosen(run) for run in runs("with o from linearisations(M, 0)")}
    totals = {
        frozenset((x, y) for at, x in enumerate(order) for y in order[at + 1 :])
        for order in permutations(range(6))
    }
    assert found == totals


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ("W \\ IW, 0", 2),
        ("W \\ IW, {}", 2),
        ("W, IW * (W \\ IW)", 4),
        ("W, id", 0),
        ("W \\ IW, po", 2),
        # A path through events that are not ordered counts.
        ("W \\ IW, po | po^-1", 0),
        ("W \\ IW, po ; ext", 0),
        ("W \\ IW, po | ([R] ; ext ; [W \\ IW])", 0),
        ("{}, po", 1),
        ("{}, 0", 1),
        ("{}, id", 1),
        ("F, po", 1),
        ("R, rf", 2),
        ("_, po", 180),
    ],
)
def test_numbers_of_linearisations(arguments: str, count: int) -> None:
    assert len(runs(f"with o from linearisations({arguments})")) == count


def test_the_linearisation_of_nothing_is_empty() -> None:
    (run,) = runs("with o from linearisations({}, po)\nempty o")
    assert chosen(run) == frozenset()


def test_linearisations_hold_the_order_between_their_events() -> None:
    found = runs("with o from linearisations(W, loc & (IW * (W \\ IW)))")
    assert len(found) == 6
    for run in found:
        assert chosen(run) >= COHERENCE


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ("(W * W) & loc", 4),
        ("(W * W) & loc, IW * W", 1),
        ("(W * W) & loc, 0", 4),
        ("(W * W) & loc, {}", 4),
        ("(W * W) & loc, loc", 0),
        ("(W * W) & loc & ext, po", 4),
        ("0", 1),
        ("{}", 1),
        ("id", 1),
        ("id, id", 1),
        ("po", 4),
        ("po, po", 1),
        ("po | po^-1", 4),
        ("(W \\ IW) * (W \\ IW)", 2),
        ("W * W", 24),
        ("W * W, IW * (W \\ IW)", 4),
    ],
)
def test_numbers_of_orientations(arguments: str, count: int) -> None:
    assert len(runs(f"with o from orientations({arguments})")) == count


def test_orientations_are_not_closed() -> None:
    text = "with o from orientations(po | rf, po | rf)"
    assert [chosen(run) for run in runs(text)] == [PO | RF_INIT]


def test_an_order_is_taken_as_it_is_where_it_is_chosen() -> None:
    text = "let r = 0\nlet orders = linearisations(W \\ IW, r)\nlet r = id\nwith o from orders"
    assert len(runs(text)) == 2
