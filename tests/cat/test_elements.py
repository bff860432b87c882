"""Elements of sets and relations, and `match` on sets."""

from __future__ import annotations

import pytest

from catpy.cat.values import EMPTY, Pair, ValueSet, key
from tests.cat.elements import ELEMENTS, TAGS, number_of
from tests.cat.store_buffering import (
    LOC,
    PO,
    RF_INIT,
    W,
    error,
    events,
    holds,
    pairs,
    value,
)
from tests.relation.plain import diagonal, inverse

# Events and pairs


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("copy W", "W"),
        ("copy (W \\ IW)", "W \\ IW"),
        ("copy po", "po"),
        ("copy loc", "loc"),
        ("{e} | W", "W"),
        ("e ++ (W \\ {e})", "W"),
        ("e ++ (e ++ {})", "{e}"),
        ("{e, e}", "{e}"),
        ("{p} | po", "po"),
        ("p ++ 0", "{p}"),
        ("p ++ {}", "{p}"),
        ("p ++ po", "po"),
        ("p ++ (po \\ {p})", "po"),
        ("let a, b = p in (a, b) ++ 0", "{p}"),
        ("let a, b = p in {a} * {b}", "{p}"),
        ("let a, b = p in {a}", "domain {p}"),
        ("let a, b = p in a * b", "{p}"),
        ("p ; id", "{p}"),
        ("id ; p", "{p}"),
        ("{p^-1}", "{p}^-1"),
        ("p^-1 ++ 0", "{p}^-1"),
        ("e * W", "{e} * W"),
        ("W * e", "W * {e}"),
        ("let f(x, y) = {x} * {y} in f p", "{p}"),
        ("[{e}]", "{e} * e"),
    ],
)
def test_elements_make_sets_and_relations(text: str, same: str) -> None:
    assert key(value(text, ELEMENTS)) == key(value(same, ELEMENTS))


def test_an_element_is_one_of_its_set() -> None:
    assert len(events("{e}", ELEMENTS)) == 1
    assert events("{e}", ELEMENTS) <= W
    assert len(pairs("{p}", ELEMENTS)) == 1
    assert pairs("{p}", ELEMENTS) <= PO
    assert isinstance(value("p", ELEMENTS), Pair)


@pytest.mark.parametrize(
    ("test", "expected"),
    [("empty e", False), ("empty p", False), ("irreflexive p", True), ("acyclic p", True)],
)
def test_elements_are_promoted_in_tests(test: str, expected: bool) -> None:
    assert holds(f"{ELEMENTS}{test}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "e | W",
        "W | e",
        "e & W",
        "W \\ e",
        "[e]",
        "p | po",
        "po & p",
        "po \\ p",
        "p ++ W",
        "e ++ po",
        "e ++ 0",
        "W ++ W",
        "po ++ po",
        "po ++ 0",
        "{e, p}",
        "{e, W}",
        "e ; po",
        "e+",
        "~e",
        "_ ++ W",
        "{e, _}",
    ],
)
def test_elements_are_no_sets(text: str) -> None:
    error(f"{ELEMENTS}let it = {text}\nlet use = it ++ {{}}\nwith x from use")


# Match on sets


@pytest.mark.parametrize("scrutinee", ["{}", "0", "W \\ W", "F", "po & rf", "{po} \\ {po}"])
def test_an_empty_set_takes_the_empty_clause(scrutinee: str) -> None:
    assert pairs(f"match {scrutinee} with {{}} -> po || x ++ xs -> rf end") == PO


@pytest.mark.parametrize("scrutinee", ["W", "po", "{po}", "{W, R}", "{{}}", "{0}"])
def test_a_set_with_elements_takes_the_other(scrutinee: str) -> None:
    assert pairs(f"match {scrutinee} with {{}} -> po || x ++ xs -> rf end") == RF_INIT
    assert pairs(f"match {scrutinee} with x ++ xs -> rf || {{}} -> po end") == RF_INIT


def test_the_rest_lacks_the_element() -> None:
    text = "match {} with {{}} -> 0 || x ++ xs -> (x ++ xs) end"
    assert events(text.format("W")) == W
    assert pairs(text.format("po")) == PO
    assert events("match W with {} -> W || x ++ xs -> xs & {x} end") == frozenset()
    assert len(events("match W with {} -> W || _ ++ xs -> xs end")) == len(W) - 1
    assert len(pairs("match loc with {} -> 0 || _ ++ xs -> xs end")) == len(LOC) - 1
    assert number_of("match {po, rf, id} with {} -> {} || x ++ xs -> xs end") == 2
    assert number_of("match {po, rf, id} with {} -> {} || x ++ xs -> x ++ xs end") == 3


def test_the_three_parts_of_a_set() -> None:
    text = "match W with {} -> W || below | x ++ above -> below | {x} | above end"
    assert events(text) == W
    assert events(text.replace("below | {x} | above end", "below & above end")) == frozenset()
    assert (
        events(text.replace("below | {x} | above end", "(below | above) & {x} end")) == frozenset()
    )
    assert pairs("match po with {} -> 0 || a | p ++ b -> p ++ (a | b) end") == PO
    assert number_of("match {po, rf, id} with {} -> {} || a | x ++ b -> x ++ (a | b) end") == 3


def test_the_clause_that_is_not_taken_is_not_evaluated() -> None:
    assert pairs("match 0 with {} -> po || x ++ xs -> foo end") == PO
    assert pairs("match po with {} -> foo || x ++ xs -> rf end") == RF_INIT


@pytest.mark.parametrize(
    "scrutinee", ["_", "(po, rf)", "domain", "()", "fun x -> x", "foo", "e", "p"]
)
def test_what_has_no_elements(scrutinee: str) -> None:
    error(
        f"{ELEMENTS}{TAGS}let it = match {scrutinee} with {{}} -> 0 || x ++ xs -> 0 end\nempty it"
    )


def test_a_function_over_all_elements() -> None:
    before = (
        "let map f = let rec go S = match S with {} -> {} || x ++ xs -> f x ++ go xs end in go\n"
        "let rec union SS = match SS with {} -> {} || S ++ SS -> S | union SS end\n"
    )
    assert pairs("union (map (fun r -> r^-1) {po, rf})", before) == inverse(PO | RF_INIT)
    assert pairs("union (map (fun e -> {e} * e) W)", before) == diagonal(W)
    assert value("union {}", before) is EMPTY


def test_counting() -> None:
    # Three times a set in a set around `{}`.
    counted = value("count {po, rf, id}", ELEMENTS)
    for _ in range(3):
        assert isinstance(counted, ValueSet)
        (counted,) = counted.items
    assert counted is EMPTY
