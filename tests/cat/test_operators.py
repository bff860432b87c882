"""Operators on relations, event sets, `{}`, `_` and sets of values, on a small execution."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.cat.values import EMPTY, UNIVERSE
from catpy.relation import ExactEventSet, ExactRelation
from tests.cat.store_buffering import (
    ALL_EVENTS,
    ALL_PAIRS,
    EXT,
    ID,
    INT,
    IW,
    LOC,
    PO,
    RF_INIT,
    Pair,
    R,
    W,
    error,
    events,
    holds,
    pairs,
    pointed_at,
    runs,
    value,
)
from tests.relation.plain import closure, compose, diagonal, inverse

Pairs = frozenset[Pair]


def product(left: frozenset[int], right: frozenset[int]) -> Pairs:
    return frozenset((x, y) for x in left for y in right)


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


# Errors of kind


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


# Random expressions against plain sets


@dataclass(frozen=True)
class Sample:
    """A cat expression for a relation, with its value."""

    text: str
    plain: Pairs

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class SetSample:
    """A cat expression for an event set, with its value."""

    text: str
    plain: frozenset[int]

    def __str__(self) -> str:
        return self.text


SETS = {"W": W, "R": R, "IW": IW, "M": ALL_EVENTS}
RELATIONS = {"po": PO, "rf": RF_INIT, "loc": LOC, "int": INT, "ext": EXT, "id": ID}


def set_samples() -> st.SearchStrategy[SetSample]:
    leaves = st.sampled_from([SetSample(name, plain) for name, plain in SETS.items()])

    def extend(inner: st.SearchStrategy[SetSample]) -> st.SearchStrategy[SetSample]:
        return st.one_of(
            st.builds(lambda a, b: SetSample(f"({a} | {b})", a.plain | b.plain), inner, inner),
            st.builds(lambda a, b: SetSample(f"({a} & {b})", a.plain & b.plain), inner, inner),
            st.builds(lambda a, b: SetSample(f"({a} \\ {b})", a.plain - b.plain), inner, inner),
            inner.map(lambda a: SetSample(f"(~{a})", ALL_EVENTS - a.plain)),
            inner.map(lambda a: SetSample(f"(_ \\ {a})", ALL_EVENTS - a.plain)),
        )

    return st.recursive(leaves, extend, max_leaves=3)


def samples() -> st.SearchStrategy[Sample]:
    named = st.sampled_from([Sample(name, plain) for name, plain in RELATIONS.items()])
    sets = set_samples()
    leaves = st.one_of(
        named,
        sets.map(lambda a: Sample(f"[{a}]", diagonal(a.plain))),
        st.builds(lambda a, b: Sample(f"({a} * {b})", product(a.plain, b.plain)), sets, sets),
        sets.map(lambda a: Sample(f"({a} * _)", product(a.plain, ALL_EVENTS))),
    )

    def extend(inner: st.SearchStrategy[Sample]) -> st.SearchStrategy[Sample]:
        return st.one_of(
            st.builds(lambda r, s: Sample(f"({r} | {s})", r.plain | s.plain), inner, inner),
            st.builds(lambda r, s: Sample(f"({r} & {s})", r.plain & s.plain), inner, inner),
            st.builds(lambda r, s: Sample(f"({r} \\ {s})", r.plain - s.plain), inner, inner),
            # A sequence that is empty halfway is `{}`, of which `~` makes `_`; united with 0 it is
            # a relation again.
            st.builds(
                lambda r, s, t: Sample(
                    f"(0 | ({r} ; {s} ; {t}))", compose(compose(r.plain, s.plain), t.plain)
                ),
                inner,
                inner,
                inner,
            ),
            inner.map(lambda r: Sample(f"(~{r})", ALL_PAIRS - r.plain)),
            inner.map(lambda r: Sample(f"({r}^-1)", inverse(r.plain))),
            inner.map(lambda r: Sample(f"({r}+)", closure(r.plain))),
            inner.map(lambda r: Sample(f"({r}*)", closure(r.plain) | ID)),
            inner.map(lambda r: Sample(f"({r}?)", r.plain | ID)),
            inner.map(
                lambda r: Sample(
                    f"[domain {r} | range {r}]", diagonal({x for pair in r.plain for x in pair})
                )
            ),
        )

    return st.recursive(leaves, extend, max_leaves=6)


@given(samples())
@settings(deadline=None, max_examples=150)
def test_random_expressions(sample: Sample) -> None:
    assert pairs(sample.text) == sample.plain


@given(set_samples())
@settings(deadline=None, max_examples=60)
def test_random_event_sets(sample: SetSample) -> None:
    assert events(sample.text) == sample.plain


def test_a_pair_beside_a_product_is_a_relation() -> None:
    """As in herd; elsewhere `&` takes no pair."""
    first = "match po with {} -> 0 || p ++ ps -> %s end"
    assert len(pairs(first % "p & (_*_)")) == 1
    assert pairs(first % "p & (W*W)") == pairs(first % "(W*W) & p")
    mixed = error(f"empty {first % 'p & po'}").message
    assert mixed == "cannot intersect a pair of events and a relation"
