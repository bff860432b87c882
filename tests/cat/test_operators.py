"""Operators on relations, event sets, `{}` and `_`, on a small execution."""

from __future__ import annotations

import pytest

from catpy.cat.values import EMPTY, UNIVERSE
from catpy.relation import ExactEventSet, ExactRelation
from tests.cat.store_buffering import (
    ALL_EVENTS,
    ALL_PAIRS,
    EXT,
    ID,
    IW,
    LOC,
    PO,
    RF_INIT,
    R,
    W,
    events,
    holds,
    pairs,
    value,
)
from tests.relation.plain import Pairs, closure, compose, diagonal, inverse, product


def is_nothing(text: str) -> bool:
    """Whether an expression is `{}`, an empty set or an empty relation."""
    found = value(text)
    if isinstance(found, ExactEventSet | ExactRelation):
        return not found.any()
    return found is EMPTY


# Relations and event sets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("po", PO),
        ("0", frozenset()),
        ("po | rf", PO | RF_INIT),
        ("po | rf | id", PO | RF_INIT | ID),
        ("loc & ext", LOC & EXT),
        ("ext \\ loc", EXT - LOC),
        ("loc \\ ext \\ id", LOC - EXT - ID),
        ("loc \\ (ext \\ id)", LOC - (EXT - ID)),
        ("~po", ALL_PAIRS - PO),
        ("~~po", PO),
        ("~0", ALL_PAIRS),
        ("rf ; po", compose(RF_INIT, PO)),
        ("po ; rf", compose(PO, RF_INIT)),
        ("rf^-1 ; rf ; po^-1", compose(compose(inverse(RF_INIT), RF_INIT), inverse(PO))),
        ("po^-1", inverse(PO)),
        ("po^-1^-1", PO),
        ("(rf | po^-1)+", closure(RF_INIT | inverse(PO))),
        ("(rf | po^-1)*", closure(RF_INIT | inverse(PO)) | ID),
        ("po?", PO | ID),
        ("0*", ID),
        ("0?", ID),
        ("0+", frozenset()),
        ("[W]", diagonal(W)),
        ("[W] ; po ; [R]", PO),
        ("[W] ; loc ; [R]", LOC & product(W, R)),
        ("[R] ; po", frozenset()),
        ("W * R", product(W, R)),
        ("loc & (W * R)", LOC & product(W, R)),
        ("(W * R) & loc", LOC & product(W, R)),
        ("loc & ~ext", LOC - EXT),
        ("~ext & loc", LOC - EXT),
        ("~ext & ~loc", ALL_PAIRS - EXT - LOC),
        ("[domain(po)]", diagonal(frozenset({2, 4}))),
    ],
)
def test_relations(text: str, expected: Pairs) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W", W),
        ("W | R", W | R),
        ("W & IW", IW),
        ("W \\ IW", W - IW),
        ("~W", ALL_EVENTS - W),
        ("~~W", W),
        ("M & ~W", R),
        ("domain(po)", {2, 4}),
        ("range(po)", {3, 5}),
        ("domain po | range rf", {2, 3, 4, 5}),
        ("domain(0)", frozenset()),
        ("F", frozenset()),
    ],
)
def test_event_sets(text: str, expected: frozenset[int]) -> None:
    assert events(text) == expected


# The universe and the empty value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_ & po", PO),
        ("po & _", PO),
        ("_ \\ po", ALL_PAIRS - PO),
        ("_ ; po", PO),
        ("po ; _", PO),
        ("po ; _ ; rf^-1", compose(PO, inverse(RF_INIT))),
        ("_ ; _ ; po", PO),
        ("_ ; _", ALL_PAIRS),
        ("_ * _", ALL_PAIRS),
        ("_ * R", product(ALL_EVENTS, R)),
        ("R * _", product(R, ALL_EVENTS)),
        ("[_]", ID),
        ("(_ * _) ; po", compose(ALL_PAIRS, PO)),
        ("po & (_ * R)", PO),
        ("{} | po", PO),
        ("po | {}", PO),
        ("po \\ {}", PO),
        ("{}*", ID),
        ("{}?", ID),
    ],
)
def test_relations_of_constants(text: str, expected: Pairs) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_ & W", W),
        ("W & _", W),
        ("_ \\ W", ALL_EVENTS - W),
        ("{} | W", W),
        ("W | {}", W),
        ("W \\ {}", W),
    ],
)
def test_event_sets_of_constants(text: str, expected: frozenset[int]) -> None:
    assert events(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "_",
        "~{}",
        "~~_",
        "~(0 ; po)",
        "_ | po",
        "po | _",
        "_ | W",
        "W | _",
        "_ | {}",
        "_ | W | po",
        "_ & _",
        "_ | _",
        "_ \\ {}",
        "_+",
        "(_*)",
        "_?",
        "_^-1",
        "domain _",
        "range _",
        "po ++ _",
    ],
)
def test_the_universe_stays_the_universe(text: str) -> None:
    assert value(text) is UNIVERSE


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "~_",
        "_ \\ _",
        "po \\ _",
        "W \\ _",
        "{} \\ _",
        "{} \\ po",
        "{} & po",
        "W & {}",
        "{} & _",
        "{}+",
        "{}^-1",
        "{} ; po",
        "po ; {}",
        "_ ; {}",
        "0 ; po",
        "[{}]",
        "{} * W",
        "W * {}",
        "{} * _",
        "domain {}",
        "range {}",
        "{} | {}",
        "po & ~_",
    ],
)
def test_what_is_nothing(text: str) -> None:
    assert is_nothing(text)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("empty _", False),
        ("empty {}", True),
        ("empty 0", True),
        ("empty W", False),
        ("empty F", True),
        ("empty po", False),
        ("irreflexive _", False),
        ("irreflexive {}", True),
        ("irreflexive po", True),
        ("irreflexive po | id", False),
        ("irreflexive po | po^-1", True),
        ("acyclic _", False),
        ("acyclic {}", True),
        ("acyclic po", True),
        ("acyclic po | po^-1", False),
        ("acyclic id", False),
        ("acyclic po | rf", True),
        ("~acyclic po", False),
        ("~acyclic id", True),
        ("~empty {}?", True),
        ("empty {}* \\ id", True),
        ("empty {}*W", True),
        ("empty [{}]", True),
        ("empty ~_", True),
        ("empty {} | W", False),
        ("empty (_;_) \\ (_*_)", True),
        ("empty (_*_) \\ (_;_)", True),
        ("empty [IW] & int", True),
        ("empty (IW*IW) & ext", True),
        ("empty (IW*(M\\IW)) \\ ext", True),
        ("empty [M\\IW] \\ int", True),
        ("empty [M] \\ loc", True),
        ("empty [M] \\ int", False),
        ("empty (_*_) \\ (int|ext)", False),
        ("empty 0 ; foo", True),
        ("empty (po & rf) ; foo", True),
        ("empty {} ; foo", True),
        ("empty po ; 0 ; foo", True),
        ("empty {} ; W", True),
    ],
)
def test_tests(test: str, expected: bool) -> None:
    assert holds(test) == expected
