"""Random expressions on relations and event sets, against plain Python sets."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

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
    R,
    W,
    error,
    events,
    pairs,
)
from tests.relation.plain import Pairs, closure, compose, diagonal, inverse, product


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
