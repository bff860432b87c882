"""Models with one clause left out: which clauses there are, how they are named, what is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.cat.check import check
from catpy.cat.mutation import without_one_clause
from catpy.cat.printer import show, show_bindings, show_check
from catpy.cat.syntax import Check, Choice, Let, Procedure
from catpy.execution import surroundings
from tests.support import model_of

#: The clauses of a model's text, in order.
CLAUSES = {
    "acyclic po as a": ["check a"],
    "acyclic po | rf | addr as a": ["check a", "check a: po", "check a: rf", "check a: addr"],
    "acyclic po": ["check acyclic po"],
    "~empty  po|\n rf": [
        "check ~empty po| rf",
        "check ~empty po| rf: po",
        "check ~empty po| rf: rf",
    ],
    "flag ~empty po | rf as odd": ["flag odd", "flag odd: po", "flag odd: rf"],
    "undefined_unless empty po | rf as good": [
        "undefined_unless good",
        "undefined_unless good: po",
        "undefined_unless good: rf",
    ],
    "assert empty po | rf as sure": [],
    "let r = po": [],
    "let r = (po | (rf; (addr | data)))+": [
        "r: po",
        "r: rf; (addr | data)",
        "r: addr",
        "r: data",
    ],
    "let f(x, y) = x | y and s = R | W": ["f: x", "f: y", "s: R", "s: W"],
    "let (a, b) = (po | rf, addr)": ["a: po", "a: rf"],
    "let r = try po | rf with addr | data": ["r: po", "r: rf", "r: addr", "r: data"],
    "let r = let s = po | rf in s": ["r: po", "r: rf"],
    # Read as (po | rf)+, as herd does: then `r; r` is no operand.
    "let rec r = po | rf | (r; r)": ["r: po", "r: rf"],
    "let rec r = po | (r; rf)": ["r: po", "r: r; rf"],
    "let rec r = po; s and s = rf | r": ["arm r", "arm s", "s: rf", "s: r"],
    "let rec r = po | (r; rf) when acyclic r | addr": [
        "r: po",
        "r: r; rf",
        "r: when acyclic r | addr",
        "r: when acyclic r | addr: r",
        "r: when acyclic r | addr: addr",
    ],
    "with x from {po, po | rf}": ["x: po", "x: rf"],
    "procedure p(r) = acyclic r | po as a end call p(rf | addr) as b": [
        "check a",
        "check a: r",
        "check a: po",
        "call b",
        "call b: rf",
        "call b: addr",
    ],
    "forall x in {po} do acyclic x as a end": ["check a"],
    "enum e = 'x || 'y match 'x with || 'x -> acyclic po as a || _ -> empty po as b end": [
        "check a",
        "check b",
    ],
    'show po if "v" acyclic po as a else acyclic rf as b end': ["check b"],
}


@pytest.mark.parametrize("text", CLAUSES)
def test_the_clauses_of_a_model(text: str, tmp_path: Path) -> None:
    assert [m.clause for m in without_one_clause(model_of(text, tmp_path))] == CLAUSES[text]


#: What is left of a model's last statement where a clause is left out.
LEFT = {
    ("let r = po | rf", "r: po"): "let r = rf",
    ("let r = [R] | [W] | po", "r: [W]"): "let r = [R] | po",
    ("let r = po & ((rf | addr)+; id)", "r: addr"): "let r = po & (rf+; id)",
    ("let f x = x | po", "f: x"): "let f x = po",
    ("let rec r = po; s and s = rf | r", "arm r"): "let rec r = {} and s = rf | r",
    ("acyclic po | (rf; addr) as a", "check a: po"): "acyclic rf; addr",
    ("flag ~empty po | rf as a", "flag a: rf"): "flag ~empty po",
    ("some x from f(po | rf)", "x: po"): "f rf",
    ("procedure p(r) = acyclic r as a irreflexive r as b end", "check a"): "irreflexive r",
}


@pytest.mark.parametrize(("text", "clause"), LEFT)
def test_what_is_left(text: str, clause: str, tmp_path: Path) -> None:
    mutants = {m.clause: m.model for m in without_one_clause(model_of(text, tmp_path))}
    match mutants[clause].statements[-1]:
        case Let(bindings, recursive):
            left = show_bindings(bindings, recursive)
        case Check() as test:
            left = show_check(test)
        case Choice(expression=expression):
            left = show(expression)
        case Procedure(body=(Check() as test,)):
            left = show_check(test)
    assert left == LEFT[text, clause]


def test_a_check_is_left_out_as_a_whole(tmp_path: Path) -> None:
    model = model_of("let r = po\nacyclic r as a\nempty r as b", tmp_path)
    left = {m.clause: len(m.model.own) for m in without_one_clause(model)}
    assert left == {"check a": 2, "check b": 2}


def test_what_a_body_needs_is_told_anew(tmp_path: Path) -> None:
    model = model_of("let f x = (fun y -> x | y | po) | rf", tmp_path)
    mutants = {m.clause: m.model.statements[-1] for m in without_one_clause(model)}
    let = mutants["f: po"]
    assert isinstance(let, Let)
    assert let.bindings[0].free == {"rf"}


def test_each_clause_has_its_place(tmp_path: Path) -> None:
    model = model_of("let r =\n  po\n  | rf\nacyclic r as a\n", tmp_path)
    places = {m.clause: m.place for m in without_one_clause(model)}
    assert places == {"r: po": "model.cat:2", "r: rf": "model.cat:3", "check a": "model.cat:4"}


def test_included_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "part.cat").write_text("let base = po | rf\nacyclic base as part\n")
    model = model_of('include "part.cat"\nacyclic base | addr as whole', tmp_path)
    clauses = [m.clause for m in without_one_clause(model)]
    assert clauses == ["check whole", "check whole: base", "check whole: addr"]
    assert all(m.model.own[1:2] == model.own[1:2] for m in without_one_clause(model))


def test_a_model_stays_right_without_a_clause(tmp_path: Path) -> None:
    text = "let rec r = po; s and s = rf | r\nlet f(x) = x | r\nacyclic f(s) | r as a\n"
    for mutant in without_one_clause(model_of(text, tmp_path)):
        assert check(mutant.model, surroundings()).errors == ()
