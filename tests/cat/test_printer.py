"""Printing a syntax tree and reading it again gives the same tree."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catpy.cat.parser import parse, parse_expression
from catpy.cat.printer import show
from catpy.cat.syntax import (
    Apply,
    Binding,
    BothConditions,
    Comparison,
    Condition,
    Constant,
    EitherCondition,
    Expression,
    Function,
    If,
    Let,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    NotCondition,
    Operation,
    Pattern,
    SetOf,
    TagOf,
    Try,
    TupleOf,
    Variant,
)
from catpy.source import Source
from tests.support import MODELS

NOWHERE = Source("", " ").span(0, 0)


def bare(node: object) -> object:
    """A tree without places, and without the free names that follow from it."""
    if isinstance(node, tuple):
        return tuple(map(bare, node))
    if not is_dataclass(node):
        return node
    kept = [f.name for f in fields(node) if f.name not in ("span", "free")]
    return (type(node).__name__, *(bare(getattr(node, name)) for name in kept))


names = st.sampled_from(["a", "po-loc", "f", "x'", "a-"])
bound = st.none() | names
patterns = st.builds(lambda name: Pattern((name,), True), bound) | st.lists(
    bound, max_size=3
).filter(lambda found: len(found) != 1).map(lambda found: Pattern(tuple(found), False))
atoms = (
    st.builds(Name, names, st.just(NOWHERE))
    | st.builds(Constant, st.sampled_from(["0", "_", "{}"]), st.just(NOWHERE))
    | st.builds(TagOf, st.sampled_from(["t", "rcu-lock"]), st.just(NOWHERE))
)


def operations(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    def one(operator: str) -> st.SearchStrategy[Expression]:
        return st.builds(lambda e: Operation(operator, (e,), NOWHERE), inner)

    def two(operator: str) -> st.SearchStrategy[Expression]:
        return st.builds(lambda a, b: Operation(operator, (a, b), NOWHERE), inner, inner)

    def many(operator: str) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=3)
        return several.map(lambda found: Operation(operator, tuple(found), NOWHERE))

    return st.one_of(
        [one(o) for o in ("+", "*", "?", "^-1", "~", "[]")]
        + [two(o) for o in ("&", "\\", "++", "×")]
        + [many(o) for o in ("|", ";")]
    )


variants = st.builds(Variant, st.just("v"), st.just(NOWHERE))
variant_conditions: st.SearchStrategy[Condition] = st.recursive(
    variants,
    lambda inner: (
        st.builds(NotCondition, inner)
        | st.builds(BothConditions, inner, inner)
        | st.builds(EitherCondition, inner, inner)
    ),
    max_leaves=4,
)


def forms(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Every form, its parts from `inner`."""
    here = st.just(NOWHERE)
    none: st.SearchStrategy[frozenset[str]] = st.just(frozenset())
    some = st.lists(inner, min_size=1, max_size=3)
    nothing: st.SearchStrategy[list[Expression]] = st.just([])
    tuples = nothing | st.lists(inner, min_size=2, max_size=3)
    function = st.builds(Function, patterns, inner, none, here)
    bindings = st.lists(st.builds(Binding, patterns, inner, none, here), min_size=1, max_size=2)
    comparisons = st.builds(Comparison, st.sampled_from(["=", "subset", "in"]), inner, inner, here)
    tags = st.none() | st.just("t")
    arms = st.lists(st.tuples(tags, inner), min_size=1, max_size=2).map(tuple)
    callee = st.builds(Name, names, here)
    applied = st.builds(Apply, callee, inner, here)
    two_parts = st.builds(
        lambda s, e, x, xs, b: MatchSet(s, e, None, x, xs, False, b, NOWHERE),
        inner, inner, bound, bound, inner,
    )  # fmt: skip
    return st.one_of(
        operations(inner),
        applied,
        st.builds(Apply, applied, inner, here),
        tuples.map(lambda e: TupleOf(tuple(e), NOWHERE)),
        some.map(lambda e: SetOf(tuple(e), NOWHERE)),
        function,
        st.builds(LetIn, bindings.map(tuple), st.booleans(), inner, here),
        st.builds(Try, inner, inner, here),
        st.builds(If, variant_conditions | comparisons, inner, inner, here),
        st.builds(MatchTag, inner, arms, here),
        two_parts,
        st.builds(MatchSet, inner, inner, bound, bound, bound, st.just(True), inner, here),
    )


@given(st.recursive(atoms, forms, max_leaves=12))
def test_print_and_parse(expression: Expression) -> None:
    text = show(expression)
    assert bare(parse_expression(Source("", text))) == bare(expression), text


@pytest.mark.parametrize("path", sorted(MODELS.glob("**/*.cat")), ids=lambda path: path.stem)
def test_installed_models(path: Path) -> None:
    file = parse(Source("", path.read_text(encoding="utf-8")))
    for statement in file.statements:
        if isinstance(statement, Let):
            for binding in statement.bindings:
                again = parse_expression(Source("", show(binding.body)))
                assert bare(again) == bare(binding.body)


@pytest.mark.parametrize(
    "text",
    [
        "a | b; (c | d)",
        "a+ + | b",
        "(a & b) & c",
        "a \\ b \\ c",
        "a \\ (b \\ c)",
        "(a * b) * c",
        "~(a+)",
        "(~a)^-1",
        "f(a, b)+",
        "f(g a) b",
        "(let x = a in x) | b",
    ],
)
def test_no_more_parentheses_than_needed(text: str) -> None:
    assert show(parse_expression(Source("", text))) == text
