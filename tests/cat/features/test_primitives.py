"""Primitives and library functions, each on real executions."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, NONE, counts, equal, place, problem


@pytest.mark.parametrize(
    ("expression", "same"),
    [
        ("domain rf", "domain (rf ; [R])"),
        ("range rf", "R"),
        ("domain {}", "{}"),
        ("range 0", "emptyset"),
        ("fromto F", "po & (W * R)"),
        ("fromto W", "0"),
        ("fromto {}", "0"),
        ("different-values (IW * (W \\ IW))", "IW * (W \\ IW)"),
        ("different-values rf", "0"),
        (
            "different-values (R * R)",
            "(R * R) & ((rf^-1; (IW * (W \\ IW)); rf) | (rf^-1; ((W \\ IW) * IW); rf))",
        ),
        ("as_transitive (po \\ (po ; po))", "po"),
        ("delift (lift(classes-loc M, po))", "(loc ; po ; loc) & (M * M)"),
        ("delift (lift({}, po))", "0"),
        ("deliftinter(rf | po, lift(classes-loc M, loc))", "rf"),
        ("bisimulation(0, int)", "int"),
        # W and F both step on, R does not; F steps to R alone, W to F first.
        ("bisimulation(po \\ (po ; po), _ * _ & int)", "id \\ [IW]"),
        ("bisimulation(po, ((R | IW) * (R | IW)))", "(R | IW) * (R | IW)"),
    ],
)
def test_relations_and_sets(expression: str, same: str) -> None:
    assert equal(expression, same)


def test_classes() -> None:
    """Two locations make two classes; an event without a location is in none."""
    union = "let rec all S = match S with {} -> {} || e ++ es -> e | (all es) end"
    assert counts("with c from classes-loc M") == (2, 6)
    assert counts("with c from classes-loc _") == (2, 6)
    assert counts("with c from classes-loc {}") == NONE
    assert equal("all (classes-loc M)", "M", union)
    assert counts("with c from classes-loc M\nempty (c * c) \\ loc") == (2, 6)
    # Two threads; initial writes are in no pair of po.
    assert counts("with c from classes po") == (2, 6)
    assert equal("all (classes po)", "_ \\ IW", union)
    assert counts("with c from classes {}") == NONE


@pytest.mark.parametrize(
    ("events", "order", "number"),
    [
        ("W \\ IW", "0", 2),
        ("R", "rf", 2),
        ("IW", "id", 0),
        ("{}", "po", 1),
        ("W", "IW * (W \\ IW)", 4),
        ("F | R", "po", 6),
        ("_", "po | po^-1", 0),
        ("W \\ IW", "po ; (R * W) ; (W * W)", 0),
        ("W \\ IW", "_", 0),
    ],
)
def test_linearisations(events: str, order: str, number: int) -> None:
    assert counts(f"with o from linearisations({events}, {order})") == (number, 3 * number)


def test_linearisations_are_total_closed_and_keep_what_is_given() -> None:
    total = "(E * E) \\ id \\ (o | o^-1)"
    text = f"let E = W | R\nwith o from linearisations(E, po)\nempty {total}\nempty (o ; o) \\ o"
    assert counts(f"{text}\nempty ((E * E) & po) \\ o\nirreflexive o") == counts(text)
    # Initial writes anywhere, each W before its R: 6! / 4.
    assert counts(text) == (180, 540)


def test_linearisations_of_classes() -> None:
    text = "let c = classes-loc M\nwith o from linearisations(c, lift(c, {}))"
    assert counts(f"{text}\n~empty o\nacyclic o") == (2, 6)


@pytest.mark.parametrize(
    ("text", "line_and_column"),
    [
        ("empty domain W", (1, 14)),
        ("empty range W", (1, 13)),
        ("empty fromto po", (1, 14)),
        ("with x from classes-loc po", (1, 25)),
        ("with x from classes W", (1, 21)),
        ("with x from linearisations W", (1, 28)),
        ("with x from linearisations(po, po)", (1, 28)),
        ("empty lift po", (1, 12)),
        ("empty delift po", (1, 14)),
        ("empty bisimulation po", (1, 20)),
        ("empty tag2events po", (1, 18)),
        ("empty different-values W", (1, 24)),
    ],
)
def test_arguments_of_a_wrong_kind(text: str, line_and_column: tuple[int, int]) -> None:
    assert place(text) == line_and_column


def test_fail_fails() -> None:
    message, line, column = problem("empty fail po")
    assert message == "fail on a relation"
    assert (line, column) == (1, 12)
    assert counts("let f x = fail x") == ALL


@pytest.mark.parametrize(
    "name", ["same-oa", "at-least-one-writable", "tag2fenced", "newSet", "newRelation"]
)
def test_what_makes_no_sense_here_is_said_where_it_is_used(name: str) -> None:
    message, _, _ = problem(f"empty {name} po")
    assert f"`{name}` is not available" in message
    assert equal(f"try {name} po with 0", "0")


# The library


@pytest.mark.parametrize(
    ("expression", "same"),
    [
        ("fencerel F", "po & (W * R)"),
        ("fencerel W", "0"),
        ("ctrlcfence(po, F)", "po & (W * R)"),
        ("toid R", "[R]"),
        ("imply(po, po)", "_ * _"),
        ("imply(_ * _, po)", "po"),
        ("nodetour(po, (po & (_ * F)), po)", "po \\ (W * R)"),
        ("singlestep po", "po \\ (po ; po)"),
        ("udr (po & (W * F))", "(W \\ IW) | F"),
        ("po-loc", "0"),
        ("rfi | rfe", "rf"),
        ("rfi", "rf & int"),
        ("co0", "loc & (IW * (W \\ IW))"),
        ("lxsx | amo | rmw", "0"),
        ("emptyset", "{}"),
    ],
)
def test_library_functions(expression: str, same: str) -> None:
    assert equal(expression, same)


def test_map_makes_a_set_of_what_the_function_makes() -> None:
    assert counts("with c from map (fun s -> s * s) (partition M)\nempty c \\ loc") == (2, 6)
    assert counts("with c from map (fun s -> 0) (partition M)") == ALL
    assert counts("with c from map (fun s -> s) {}") == NONE


def test_orders_of_several_sets() -> None:
    include = 'include "cross.cat"\n'
    assert counts(include + "with o from cross {{po, rf}, {loc, id}}") == (4, 12)
    assert counts(include + "with o from cross {{po}, {rf}}\nempty o \\ (po | rf)") == ALL
    assert counts(include + "with o from cross {}\nempty o") == ALL
    assert counts(include + "with o from cross {{po, rf}, {}}") == NONE
    assert counts(include + "with o from generate_cos(0)") == (4, 12)
    assert counts(include + "with o from generate_cos(co0)") == ALL
    # A write and a read of a location, after its initial write: two locations, two orders each.
    assert counts(include + "with o from generate_orders(M, (IW * (M \\ IW)))") == (4, 12)
    assert counts(include + "with s from co_locs(0, partition W)") == (2, 6)


@pytest.mark.parametrize(
    ("call", "kept"),
    [
        ("subseteq(R, M)", ALL),
        ("subseteq(M, R)", NONE),
        ("inclusion((po ; po), po)", ALL),
        ("inclusion(po, (po ; po))", NONE),
        ("total(0, {})", ALL),
        ("total((F * F), F)", NONE),
        ("total(po, F)", NONE),
    ],
)
def test_library_procedures(call: str, kept: tuple[int, int]) -> None:
    assert counts(f"call {call}") == kept


def test_total_holds_of_a_total_order() -> None:
    assert counts("with o from linearisations(F, 0)\ncall total(o, F)") == (2, 6)


# Extensions


def test_orientations_and_partial_orders() -> None:
    writes = "((W \\ IW) * (W \\ IW))"
    assert counts(f"with o from orientations({writes})") == (2, 6)
    assert counts(f"with o from partial-orders({writes})") == (3, 9)
    assert counts("with o from orientations((W * W) & loc, IW * W)") == ALL
    assert counts("with o from partial-orders((W * W) & loc, IW * W)\nempty co0 \\ o") == ALL
