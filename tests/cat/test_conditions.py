"""`if` in expressions: what is compared, which branch is evaluated."""

from __future__ import annotations

import pytest

from catpy.relation import ExactRelation
from tests.cat.elements import ELEMENTS, TAGS
from tests.cat.store_buffering import (
    PO,
    RF_INIT,
    error,
    holds,
    interpreter,
    pairs,
    reads_from,
)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("po = po", True),
        ("po = rf", False),
        ("po = po^-1^-1", True),
        ("W | R = M", True),
        ("W = R", False),
        ("{} = 0", True),
        ("0 = {}", True),
        ("{} = F", True),
        ("{} = W", False),
        ("{} = {}", True),
        ("{po, rf} = {rf, po}", True),
        ("{po, rf} = {rf}", False),
        ("{po} \\ {po} = {}", True),
        ("{{}} = {0}", True),
        ("(po, rf) = (po, rf)", True),
        ("(po, rf) = (rf, po)", False),
        ("'a = 'a", True),
        ("'a = 'b", False),
        ("{'a, 'b} = {'b, 'a}", True),
        ("e = e", True),
        ("p = p", True),
        ("domain = domain", True),
        ("domain = range", False),
        ("po subset po", True),
        ("po subset po | rf", True),
        ("po | rf subset po", False),
        ("IW subset W", True),
        ("W subset IW", False),
        ("{} subset W", True),
        ("0 subset po", True),
        ("{po} subset {rf, po}", True),
        ("{po, id} subset {rf, po}", False),
        ("{} subset {po}", True),
        ("e in W", True),
        ("e in R", False),
        ("p in po", True),
        ("p in rf", False),
        ("let a, b = p in (a, b) in po", True),
        ("(let a, b = p in (a, b)) in po", True),
        ("(let a, b = p in (b, a)) in po", False),
        ("p^-1 in po", False),
        ("po in {rf, po}", True),
        ("id in {rf, po}", False),
        ("W in {W}", True),
        ("'a in t", True),
        ("'a in {'b, 'c}", False),
        ("0 in {{}}", True),
        ("(po, rf) in {(po, rf)}", True),
    ],
)
def test_conditions(condition: str, expected: bool) -> None:
    text = f"if {condition} then po else rf"
    assert pairs(text, TAGS + ELEMENTS) == (PO if expected else RF_INIT)


@pytest.mark.parametrize(
    "condition",
    ["W = po", "po = 'a", "(po, rf) = po", "W subset po", "(po, rf) subset (po, rf)", "po in W"],
)
def test_conditions_between_different_kinds(condition: str) -> None:
    error(f"{TAGS}let it = if {condition} then po else rf\nempty it")


def test_the_branch_that_is_not_taken_is_not_evaluated() -> None:
    assert pairs("if po = po then rf else foo") == RF_INIT
    assert pairs("if po = rf then foo else rf") == RF_INIT


@pytest.mark.parametrize(
    ("condition", "variants", "expected"),
    [
        ('"T01"', [], False),
        ('"T01"', ["t01"], True),
        ('variant "t01"', ["t01"], True),
        ('not "v"', [], True),
        ('not "v" && "w" || "z"', ["w"], True),
        ('not "v" && "w" || "z"', ["v", "w"], False),
        ('not "v" && "w" || "z"', ["v", "w", "z"], True),
        ('not ("v" || "w")', ["w"], False),
        ('"v" && ("w" || "z")', ["v", "z"], True),
        ('"v" || "w" && "z"', ["v"], True),
    ],
)
def test_conditions_on_variants(condition: str, variants: list[str], expected: bool) -> None:
    text = f"with r from {{(if {condition} then po else rf)}}"
    program = interpreter(text, variants=variants)
    (run,) = program.run(reads_from(RF_INIT))
    (chosen,) = run.choices
    assert isinstance(chosen, ExactRelation)
    assert frozenset(chosen) == (PO if expected else RF_INIT)


def test_a_branch_for_a_variant_that_is_off_still_captures_its_names() -> None:
    problem = error('let f x = if "T01" then foo else x\nacyclic f(po)')
    assert problem.message == "unbound name `foo`"
    assert holds('let rec f x = if "T01" then foo else x\nacyclic f(po)')
