"""Enumerations: tags, sets of them, and `match` on them."""

from __future__ import annotations

import pytest

from catpy.cat.values import Tag, key
from tests.cat.elements import TAGS, number_of
from tests.cat.store_buffering import (
    ALGEBRA,
    ALL_EVENTS,
    PO,
    RF_INIT,
    error,
    pairs,
    pointed_at,
    runs,
    value,
)
from tests.relation.plain import diagonal


def test_an_enumeration_binds_its_tags_and_its_name() -> None:
    assert value("'b", TAGS) == Tag("b", "t")
    assert number_of("t", TAGS) == 3
    assert number_of("u", TAGS) == 2


@pytest.mark.parametrize("text", ["empty 'd", "let x = 'd\nempty x", "with x from 'd ++ {}"])
def test_a_tag_that_is_not_declared(text: str) -> None:
    assert pointed_at(error(TAGS + text)) == "'d"


def test_a_tag_is_declared_before_it_is_evaluated() -> None:
    assert pointed_at(error("with x from {'a}\nenum t = 'a")) == "'a"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("'a | 'b", 2),
        ("'a | 'a", 1),
        ("'a | {'b, 'c}", 3),
        ("t \\ 'a", 2),
        ("t & 'a", 1),
        ("'a & 'b", 0),
        ("~'a", 2),
        ("~{'a, 'b}", 1),
        ("~t", 0),
        ("_ \\ 'a", 2),
        ("_ & 'a", 1),
        ("t \\ _", 0),
        ("'a ++ {}", 1),
        ("'a ++ 'b ++ {'c}", 3),
        ("{'a, 'a, 'b}", 2),
        ("{} | 'a", 1),
        ("{t, u}", None),
        ("{'a} | {'x}", None),
        ("'a | 'x", None),
        ("{'a, 'x}", None),
        ("'a | W", None),
        ("t & po", None),
        ("'a ++ W", None),
    ],
)
def test_sets_of_tags(text: str, count: int | None) -> None:
    if count is None:
        error(f"{TAGS}with one from {text}")
    else:
        assert number_of(text, TAGS) == count


def test_a_tag_that_is_declared_later_is_not_there_in_any_branch() -> None:
    text = "with r from {po, rf}\nwith x from try 'a ++ {} with {id}\nenum t = 'a"
    found = runs(text)
    assert len(found) == 2
    for run in found:
        assert key(run.choices[1]) == key(ALGEBRA.identity)


@pytest.mark.parametrize("test", ["empty 'a", "empty t", "acyclic t", "irreflexive 'a"])
def test_tags_are_not_tested(test: str) -> None:
    error(TAGS + test)


@pytest.mark.parametrize(
    ("arms", "tag", "expected"),
    [
        ("'a -> po || 'b -> rf", "'a", PO),
        ("'a -> po || 'b -> rf", "'b", RF_INIT),
        ("|| 'a -> po || _ -> rf", "'c", RF_INIT),
        ("'a -> po || _ -> rf", "'a", PO),
        ("_ -> rf", "'a", RF_INIT),
        ("'a -> po || 'a -> rf", "'a", PO),
        # The clause that is not taken is not evaluated.
        ("'a -> foo || _ -> rf", "'b", RF_INIT),
    ],
)
def test_match_on_a_tag(arms: str, tag: str, expected: frozenset[tuple[int, int]]) -> None:
    assert pairs(f"match {tag} with {arms} end", TAGS) == expected


def test_tags_are_matched_by_name_alone() -> None:
    before = (
        "enum t = 'a || 'b\nlet f x = match x with 'a -> po || _ -> rf end\nenum u = 'a || 'z\n"
    )
    assert pairs("f 'a", before) == PO
    assert pairs("f 'z", before) == RF_INIT
    assert pairs("f 'b", before) == RF_INIT


def test_a_tag_declared_again_changes_its_enumeration() -> None:
    before = "enum t = 'a || 'b\nenum u = 'a || 'c\n"
    assert value("'a", before) == Tag("a", "u")
    assert number_of("{'a, 'c}", before) == 2
    error(f"{before}with x from {{'a, 'b}}")


@pytest.mark.parametrize("scrutinee", ["W", "po", "{}", "_", "{'a}", "t", "(po, rf)", "foo", "'c"])
def test_what_a_match_on_tags_refuses(scrutinee: str) -> None:
    error(f"{TAGS}let it = match {scrutinee} with 'a -> 0 || 'b -> 0 end\nempty it")


def test_a_set_of_tags_is_walked_through_by_match() -> None:
    before = TAGS + (
        "let pick x = match x with 'a -> po || 'b -> rf || _ -> id end\n"
        "let rec all S = match S with {} -> 0 || x ++ xs -> pick x | all xs end\n"
    )
    assert pairs("all {'a, 'b}", before) == PO | RF_INIT
    assert pairs("all t", before) == PO | RF_INIT | diagonal(ALL_EVENTS)
