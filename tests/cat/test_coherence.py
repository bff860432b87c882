"""Coherence as a model enumerates it, and the primitive that crosses orders."""

from __future__ import annotations

import pytest

from tests.cat.store_buffering import (
    RF_INIT,
    RF_OTHER,
    chosen,
    error,
    runs,
)

# Coherence as herd's library enumerates it

COS = """
let map f = let rec go S = match S with {} -> {} || x ++ xs -> f x ++ go xs end in go
let co_locs(before, S) = map (fun ws -> linearisations(ws, before)) S
let rec cross SS = match SS with
    {} -> {0}
 || S ++ rest ->
      let others = cross rest in
      let rec each S = match S with
          {} -> {}
       || x ++ xs -> (map (fun r -> r | x) others) | each xs end in
      each S
end
"""


@pytest.mark.parametrize(
    ("before", "count"),
    [("loc & (IW * (W \\ IW))", 1), ("0", 4), ("id", 0), ("(W * W) & loc & ext", 0)],
)
def test_coherence_by_crossing_the_orders_of_each_location(before: str, count: int) -> None:
    found = runs(f"{COS}with co from cross(co_locs({before}, classes-loc W))")
    assert len(found) == count
    orders = {chosen(run) for run in found}
    assert len(orders) == count
    expected = {chosen(run) for run in runs("with co from orientations((W * W) & loc)")}
    if count == 4:
        assert orders == expected


def test_crossing_nothing() -> None:
    (run,) = runs(f"{COS}with co from cross {{}}")
    assert chosen(run) == frozenset()


def test_sequential_consistency_with_coherence_from_the_model() -> None:
    text = (
        f"{COS}with co from cross(co_locs(loc & (IW * (W \\ IW)), classes-loc W))\n"
        "let fr = rf^-1 ; co \\ id\nacyclic po | rf | co | fr"
    )
    assert runs(text, RF_INIT) == []
    assert len(runs(text, RF_OTHER)) == 1


def test_orders_of_a_location_are_checked_after_the_choice() -> None:
    found = runs(f"{COS}with co from cross(co_locs(0, classes-loc W))\nempty co & (W * IW)")
    assert [chosen(run) for run in found] == [frozenset({(0, 2), (1, 4)})]


# The primitive that our library crosses orders by


MAP = "let map f = let rec go S = match S with {} -> {} || x ++ xs -> f x ++ go xs end in go\n"


@pytest.mark.parametrize(
    "sets",
    [
        "(map (fun ws -> linearisations(ws, 0)) (classes-loc W))",
        "(map (fun ws -> linearisations(ws, id)) (classes-loc W))",
        "{}",
        "{{po, rf}, {0, po}}",
        "{{po, rf}, {}}",
        "{linearisations(W, IW * W), {po}}",
        "{linearisations(W, IW * W), linearisations(W & IW, 0)}",
    ],
)
def test_unions_are_what_crossing_gives(sets: str) -> None:
    by_hand = runs(f"{COS}with one from cross {sets}")
    found = runs(f"{MAP}with one from unions {sets}")
    assert {chosen(run) for run in found} == {chosen(run) for run in by_hand}
    assert len(found) == len(by_hand)


@pytest.mark.parametrize(
    "sets", ["W", "po", "_", "{W}", "{po}", "{{W}}", "(po, po)", "{{(po, po)}}"]
)
def test_unions_are_of_sets_of_relations(sets: str) -> None:
    error(f"with one from unions {sets}\nempty one")
