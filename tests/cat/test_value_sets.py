"""Sets of values: each value once, all of one type."""

from __future__ import annotations

import pytest

from tests.cat.elements import TAGS, number_of
from tests.cat.store_buffering import (
    error,
    runs,
)

# Sets of values


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("{}", 0),
        ("{po}", 1),
        ("{po, rf}", 2),
        ("{po, po}", 1),
        ("{po, rf^-1^-1, rf, po}", 2),
        ("{W, R, IW}", 3),
        ("{(po, rf), (rf, po), (po, rf)}", 2),
        ("po ++ {}", 1),
        ("po ++ rf ++ {}", 2),
        ("po ++ po ++ {}", 1),
        ("po ++ {rf, po}", 2),
        ("W ++ {}", 1),
        ("0 ++ {}", 1),
        ("{} ++ {}", 1),
        ("{po} | {rf}", 2),
        ("{po} | {po, rf}", 2),
        ("{po} | {}", 1),
        ("{} | {po}", 1),
        ("{po} | {rf} | {id, po}", 3),
        ("{{po}, {rf}, {}}", 3),
        ("{{po}, {po}}", 1),
        # An empty relation, an empty set and `{}` are equal.
        ("{0, {}}", 1),
        ("{{}, F, W \\ W}", 1),
        ("0 ++ {{}}", 1),
        # Sets are equal whatever the order they were written in.
        ("{{po, rf}, {rf, po}}", 1),
        ("{domain, domain}", 1),
        ("{domain, range}", 2),
    ],
)
def test_sets_of_values_hold_each_value_once(text: str, count: int) -> None:
    assert len(runs(f"with x from {text}")) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("{po, rf} & {rf, id}", 1),
        ("{po} & {rf}", 0),
        ("{po} & {}", 0),
        ("{po, rf} \\ {po}", 1),
        ("{po} \\ {po}", 0),
        ("{po} \\ {}", 1),
        ("{W, R} & {R}", 1),
    ],
)
def test_intersection_and_difference_of_sets_of_values(text: str, count: int) -> None:
    assert len(runs(f"with x from {text}")) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("linearisations(W \\ IW, 0) | {}", 2),
        ("linearisations(W \\ IW, 0) | {po}", 3),
        ("po ++ linearisations(W \\ IW, 0)", 3),
        ("linearisations(W \\ IW, 0) | linearisations(W \\ IW, 0)", 2),
        ("linearisations(W \\ IW, 0) & {po, rf}", 0),
        ("orientations(po, po) \\ {po}", 0),
        ("{linearisations(W \\ IW, 0)}", 1),
    ],
)
def test_what_primitives_give_are_sets_of_values(text: str, count: int) -> None:
    assert len(runs(f"with x from {text}")) == count


@pytest.mark.parametrize(
    "text", ["{po, W}", "{W, po}", "W ++ {po}", "{po} | {W}", "{po, (po, rf)}", "{{po}, {W}}"]
)
def test_sets_of_values_are_homogeneous(text: str) -> None:
    error(f"with x from {text}")


@pytest.mark.parametrize("text", ["{po} | po", "po | {po}", "W & {W}", "{W} \\ W"])
def test_sets_of_values_do_not_mix_with_others(text: str) -> None:
    error(f"with x from {text}")


# Types


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("{(po, {}), (po, rf)}", 2),
        ("{({}, po), (po, {})}", 2),
        ("{({}, po), (0, po)}", 1),
        ("{{}, {{}}}", 2),
        ("{{{}}, {{po}}}", 2),
        ("{domain, fun-of-x}", 2),
        ("{({}, domain)} | {(po, range)}", 2),
    ],
)
def test_types_are_compatible_up_to_the_empty_value(text: str, count: int) -> None:
    assert number_of(text, "let fun-of-x = fun x -> x") == count


@pytest.mark.parametrize(
    "text", ["{{}, domain}", "{{}, (po, rf)}", "{{}, 'a}", "{(po, rf), (po, W)}", "{(po, rf), ()}"]
)
def test_types_that_are_not_compatible(text: str) -> None:
    error(f"{TAGS}with one from {text}")
