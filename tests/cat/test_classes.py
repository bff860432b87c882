"""Primitives on classes of events, and others on elements."""

from __future__ import annotations

import pytest

from catpy.cat.values import Value, key
from catpy.relation import ExactEventSet
from tests.cat.elements import TAGS, number_of
from tests.cat.store_buffering import (
    ALGEBRA,
    IW,
    LOC,
    PO,
    RF_INIT,
    RF_OTHER,
    R,
    W,
    error,
    holds,
    interpreter,
    pairs,
    reads_from,
    runs,
)
from tests.relation.plain import closure

X, Y = frozenset({0, 2, 5}), frozenset({1, 3, 4})


def test_events_by_location() -> None:
    assert number_of("classes-loc W") == 2
    assert number_of("classes-loc {}") == 0
    assert number_of("classes-loc (W & R)") == 0
    found = runs("with c from classes-loc M")
    assert {events_of(run.choices[0]) for run in found} == {X, Y}


def events_of(found: Value) -> frozenset[int]:
    assert isinstance(found, ExactEventSet)
    return frozenset(found)


def test_classes_of_a_relation() -> None:
    found = {events_of(run.choices[0]) for run in runs("with c from classes po")}
    assert found == {frozenset({2, 3}), frozenset({4, 5})}
    found = {events_of(run.choices[0]) for run in runs("with c from classes (po | rf)")}
    assert found == {frozenset({1, 2, 3}), frozenset({0, 4, 5})}
    assert number_of("classes 0") == 0


def test_lift_and_delift() -> None:
    before = "let cs = classes int\n"
    # Reads-from leads from initial writes, in no class; ext relates the two threads.
    assert holds(f"{before}empty lift(cs, rf)")
    assert pairs("delift(lift(cs, po))", before) == frozenset(
        (x, y) for x, y in pairs("int") if x not in IW and y not in IW
    )
    assert pairs("deliftinter(ext, lift(cs, ext))", before) == pairs("ext & ((M\\IW) * (M\\IW))")
    assert runs(f"{before}irreflexive lift(cs, po)") == []
    assert runs(f"{before}acyclic lift(cs, ext)") == []
    assert holds(f"{before}irreflexive lift(cs, ext)")


def test_linearisations_of_classes() -> None:
    before = "let cs = classes int\n"
    assert number_of("linearisations(cs, lift(cs, 0))", before) == 2
    assert number_of("linearisations(cs, lift(cs, ext))", before) == 0
    assert number_of("linearisations(cs, lift(cs, po))", before) == 0
    text = f"{before}with o from linearisations(cs, lift(cs, rf))\nempty o \\ lift(cs, rf)"
    assert len(runs(text, frozenset({(2, 5), (1, 3)}))) == 1
    assert runs(text, RF_OTHER) == []


def test_class_relations_do_not_mix_with_relations() -> None:
    for text in (
        "lift(cs, po) | po",
        "lift(cs, po) & po",
        "po \\ lift(cs, po)",
        "lift(cs, po) ; po",
    ):
        error(f"let cs = classes int\nlet it = {text}\nempty it")


def test_fromto() -> None:
    assert pairs("fromto R") == pairs("fromto {}") == frozenset()
    # In a longer program order, fences are what is in between.
    text = "with r from {fromto(F)}"
    more: dict[str, Value] = {
        "po": ALGEBRA.relation((x, y) for x in range(6) for y in range(x + 1, 6)),
        "F": ALGEBRA.event_set([1, 4]),
    }
    (run,) = interpreter(text, more=more).run({})
    expected = {(0, y) for y in range(2, 6)} | {(x, 5) for x in range(4)}
    assert key(run.choices[0]) == key(ALGEBRA.relation(expected))


def test_as_transitive() -> None:
    assert pairs("as_transitive(po | rf)") == closure(PO | RF_INIT)


def test_bisimulation() -> None:
    # Two events of a location are alike if both or none of them have a step in program order.
    alike = {(x, y) for x, y in LOC if (x in {2, 4}) == (y in {2, 4})}
    assert pairs("bisimulation(po, loc)") == alike
    assert pairs("bisimulation(0, loc)") == LOC


def test_fail_fails() -> None:
    error("let x = fail po\nempty x")
    assert holds("let x = fail po")
    assert pairs("try fail po with rf") == RF_INIT


@pytest.mark.parametrize(
    "call",
    [
        "domain 'a",
        "classes-loc po",
        "classes W",
        "lift(po, po)",
        "lift(classes po, W)",
        "delift(po)",
        "fromto(po)",
        "linearisations(classes po, po)",
        "bisimulation(W, po)",
        "bisimulation(po)",
        "tag2events(W)",
        "tag2scope(po)",
        "tag2scope('a)",
        "tag2events('nowhere)",
    ],
)
def test_primitives_refuse_other_arguments(call: str) -> None:
    error(f"{TAGS}enum v = 'nowhere\nlet x = {call}\nlet use = x ++ {{}}\nwith y from use")


def test_tags_name_sets_and_scopes_of_the_engine() -> None:
    text = (
        "enum tags = 'rcu-lock || 'cta || 'W\nlet W = R\n"
        "with s from {tag2events('rcu-lock), tag2events('W)}\nwith r from {tag2scope('cta)}"
    )
    more: dict[str, Value] = {
        "Rcu-lock": ALGEBRA.event_set(R),
        "scope:cta": ALGEBRA.relation(LOC),
    }
    found = list(interpreter(text, more=more).run(reads_from(RF_INIT)))
    # Names the model binds are not consulted.
    assert {tuple(events_of(run.choices[0])) for run in found} == {
        tuple(sorted(R)),
        tuple(sorted(W)),
    }
    assert all(key(run.choices[1]) == key(ALGEBRA.relation(LOC)) for run in found)
