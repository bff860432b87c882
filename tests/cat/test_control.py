"""Procedures, `forall`, `match` and `if` as statements, strict skipping, bell files."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.cat.loader import Library
from catpy.errors import ModelError, TestError, UsageError
from tests.cat.store_buffering import (
    PO,
    RF_INIT,
    chosen,
    error,
    flags,
    holds,
    interpreter,
    pairs,
    place,
    pointed_at,
    reads_from,
    runs,
)

TAGS = "enum t = 'a || 'b || 'c\n"


# Procedures


@pytest.mark.parametrize(
    ("definition", "call", "kept"),
    [
        ("procedure p(r) = acyclic r end", "call p(po)", True),
        ("procedure p(r) = acyclic r end", "call p(id)", False),
        ("procedure p r = acyclic r end", "call p(id)", False),
        ("procedure p(r, s) = empty r & s end", "call p(po, rf)", True),
        ("procedure p(r, s) = empty r & s end", "call p(po, po)", False),
        ("procedure p() = empty po end", "call p()", False),
        ("procedure p() = end", "call p()", True),
        ("procedure p _ = acyclic po end", "call p(W)", True),
        ("procedure p(_, r) = acyclic r end", "call p(W, po)", True),
        ("procedure p(S) = empty S end", "call p {}", True),
        ("procedure p(r) = empty r end", "call p 0", True),
        ("procedure p(r) = irreflexive r end", "call p [W]", False),
        ("procedure p(r) = let s = r | rf empty s \\ r end", "call p(rf)", True),
        ("procedure p(r) = ~acyclic r as name end", "call p(id) as n", True),
        ("procedure p(f) = empty f(po) end", "call p(fun x -> x & 0)", True),
    ],
)
def test_procedures(definition: str, call: str, kept: bool) -> None:
    assert holds(f"{definition}\n{call}") == kept


@pytest.mark.parametrize(
    "text",
    [
        "procedure p() = acyclic foo end",
        "procedure p() = call nowhere() end",
        "debug foo",
        "show foo",
        "instructions R[foo]",
        "default R[foo]",
    ],
)
def test_what_is_never_evaluated(text: str) -> None:
    assert holds(text)


def test_bindings_of_a_procedure_end_with_it() -> None:
    text = "let x = po\nprocedure p() = let x = rf let y = rf end\ncall p()\n"
    assert pairs("x", text) == PO
    assert pointed_at(error(f"{text}empty y")) == "y"


def test_a_procedure_sees_what_was_bound_before_it() -> None:
    assert holds("let x = 0\nprocedure p() = empty x end\nlet x = po\ncall p()")
    problem = error("procedure p() = empty fresh end\nlet fresh = 0\ncall p()")
    assert pointed_at(problem) == "fresh"


def test_flags_of_a_procedure_stay() -> None:
    assert flags("procedure p(r) = flag ~empty r as n end\ncall p(po)\ncall p(0)") == ["n"]


def test_choices_of_a_procedure_stay() -> None:
    text = "procedure p() = with x from {po, rf} end\ncall p()\nwith y from {id}"
    found = runs(text)
    assert {chosen(run) for run in found} == {PO, RF_INIT}
    assert len(found) == 2
    assert pointed_at(error(f"{text}\nempty x")) == "x"


def test_checks_of_a_procedure_discard_its_choices() -> None:
    found = runs("procedure p(r) = with x from {po, rf} empty x & r end\ncall p(po)")
    assert [chosen(run) for run in found] == [RF_INIT]


def test_a_procedure_is_recursive_only_if_it_says_so() -> None:
    assert pointed_at(error("procedure p(r) = call p(0) end\ncall p(po)")) == "p"
    former = "procedure p(r) = flag ~empty r as former end\n"
    assert flags(f"{former}procedure p(r) = call p(r) end\ncall p(po)") == ["former"]


def test_a_recursive_procedure() -> None:
    # It calls itself with the rest of its tags, and ends where none is left.
    text = (
        "enum end-or-more = 'none || 'some-left\n" + TAGS + "let left S = match S with "
        "{} -> 'none || x ++ xs -> 'some-left end\n"
        "let rest S = match S with {} -> {} || x ++ xs -> xs end\n"
        "procedure rec p(S) =\n"
        "  flag acyclic po as step\n"
        "  match left S with 'none -> flag acyclic po as bottom || _ -> call p(rest S) end\n"
        "end\n"
        "call p(t)"
    )
    assert flags(text) == ["step"] * 4 + ["bottom"]


def test_endless_recursion_of_a_procedure_is_an_error_of_the_model() -> None:
    assert place(error("procedure rec p() = call p() end\ncall p()"))[0] in (1, 2)


def test_procedures_and_values_share_their_names() -> None:
    error("procedure p() = end\nlet p = po\ncall p()")
    error("procedure p() = end\nempty p")
    assert holds("let p = po\nprocedure p() = end\ncall p()")


@pytest.mark.parametrize(
    "call", ["call nowhere()", "call po()", "call p(po)", "call p(po, rf, id)", "call p(foo, po)"]
)
def test_wrong_calls(call: str) -> None:
    assert place(error(f"procedure p(r, s) = end\n{call}"))[0] == 2


@pytest.mark.parametrize("skip", ["n", "p"])
def test_a_call_is_skipped_by_its_name_or_that_of_the_procedure(skip: str) -> None:
    text = "procedure p() = empty po end\ncall p() as n"
    assert runs(text) == []
    assert len(runs(text, skip=[skip])) == 1


def test_the_argument_of_a_skipped_call_is_not_evaluated() -> None:
    assert len(runs("procedure p(r) = empty r end\ncall p(foo) as n", skip=["n"])) == 1


# Forall


def test_forall_runs_its_body_for_every_element() -> None:
    assert holds("forall r in {po, rf} do acyclic r end")
    assert not holds("forall r in {po, id} do acyclic r end")
    assert flags("forall r in {po, rf, 0} do flag ~empty r as n end") == ["n", "n"]


def test_forall_over_nothing() -> None:
    assert holds("forall r in {} do acyclic foo end")
    assert holds("forall r in {po} \\ {po} do acyclic foo end")


def test_forall_over_tags() -> None:
    body = "match x with 'a -> flag acyclic po as is-a || _ -> flag acyclic po as other end"
    assert sorted(flags(f"{TAGS}forall x in t do {body} end")) == ["is-a", "other", "other"]
    assert flags(f"{TAGS}forall x in 'a do {body} end") == ["is-a"]


def test_bindings_of_forall_end_with_each_round() -> None:
    text = "let x = po\nforall r in {rf, id} do empty x \\ po let x = r let y = r end\n"
    assert pairs("x", text) == PO
    assert pointed_at(error(f"{text}empty y")) == "y"
    assert pointed_at(error(f"{text}empty r")) == "r"


def test_choices_in_forall_multiply() -> None:
    found = runs("forall r in {po, rf} do with o from {r, r^-1} end")
    assert len(found) == 4
    assert len({(chosen(run, 0), chosen(run, 1)) for run in found}) == 4


@pytest.mark.parametrize("values", ["W", "po", "0", "_", "(po, rf)", "domain", "foo"])
def test_what_forall_does_not_walk_through(values: str) -> None:
    assert pointed_at(error(f"forall x in {values} do end")).strip("()") == values.strip("()")


def test_all_orders_of_a_primitive() -> None:
    assert len(flags("forall o in linearisations(W, 0) do flag ~empty o as n end")) == 24


# Match


@pytest.mark.parametrize(
    ("arms", "raised"),
    [
        ("'a -> flag acyclic po as one || 'b -> flag acyclic po as two", ["one"]),
        ("'b -> flag acyclic po as one || _ -> flag acyclic po as two", ["two"]),
        ("|| _ -> flag acyclic po as one flag acyclic po as two", ["one", "two"]),
        ("'a -> || _ -> flag acyclic po as one", []),
        ("'b -> empty po acyclic foo || _ -> flag acyclic po as one", ["one"]),
    ],
)
def test_match_as_a_statement(arms: str, raised: list[str]) -> None:
    assert flags(f"{TAGS}match 'a with {arms} end") == raised


@pytest.mark.parametrize("scrutinee", ["'c", "{}", "_", "W", "po", "t", "foo"])
def test_what_a_match_refuses(scrutinee: str) -> None:
    error(f"{TAGS}match {scrutinee} with 'a -> acyclic po || 'b -> acyclic po end")


# If


@pytest.mark.parametrize(
    ("condition", "variants", "names"),
    [
        ('"v"', (), ["off"]),
        ('"v"', ("v",), ["on"]),
        ('"V"', ("v",), ["on"]),
        ('not "v" && not "w"', (), ["on"]),
        ('"v" || "w"', ("w",), ["on"]),
        ('"v" && "w"', ("w",), ["off"]),
    ],
)
@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        'if not "nowhere" {} end',
        "procedure p() = {} end call p()",
        "forall x in {{0}} do {} end",
        "enum t = 'a match 'a with _ -> {} end",
    ],
)
def test_if_as_a_statement(
    tmp_path: Path, wrapped: str, condition: str, variants: tuple[str, ...], names: list[str]
) -> None:
    branches = f"if {condition} flag acyclic po as on else flag acyclic po as off end"
    path = tmp_path / "mine.cat"
    path.write_text(wrapped.format(branches), encoding="utf-8")
    (run,) = runs(Library([], variants=frozenset(variants)).load(str(path)))
    assert [name for name, _ in run.flags] == names


def test_the_bindings_of_a_branch_stay(tmp_path: Path) -> None:
    path = tmp_path / "mine.cat"
    path.write_text('let x = po\nif "v" let x = 0 end\nempty x', encoding="utf-8")
    assert runs(Library([]).load(str(path))) == []
    assert len(runs(Library([], variants=frozenset({"v"})).load(str(path)))) == 1


def test_includes_in_the_branch_that_is_not_taken_need_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "mine.cat"
    path.write_text('if "v" include "nowhere.cat" else empty 0 end', encoding="utf-8")
    assert len(runs(Library([]).load(str(path)))) == 1


def test_includes_in_blocks(tmp_path: Path) -> None:
    (tmp_path / "part.cat").write_text("empty r", encoding="utf-8")
    path = tmp_path / "mine.cat"
    path.write_text('procedure p(r) = include "part.cat" end\ncall p(po)', encoding="utf-8")
    assert runs(Library([]).load(str(path))) == []


# Strict skipping


def strictly(text: str, *skip: str) -> int:
    program = interpreter(text, skip, strict_skip=True)
    return len(list(program.run(reads_from(RF_INIT))))


@pytest.mark.parametrize(
    ("text", "skip", "kept"),
    [
        ("empty po as q", ["q"], 1),
        ("~empty po as q", ["q"], 0),
        ("empty po as q", [], 0),
        ("~empty po as q", [], 1),
        ("empty po as p\nacyclic id as q", ["p", "q"], 1),
        ("empty po as p\nacyclic po as q", ["p", "q"], 0),
        ("empty po as p\nacyclic id as q", ["p"], 0),
        ("empty po as p\nacyclic po as q", ["p"], 1),
        # One of the checks of a name is enough.
        ("empty po as q\nacyclic po as q", ["q"], 1),
        ("acyclic po as q\nacyclic rf as q", ["q"], 0),
        ("acyclic po", ["nowhere"], 0),
        ("with r from {0, po, rf}\nempty r as q", ["q"], 2),
    ],
)
def test_strict_skipping_keeps_what_fails_exactly_these(
    text: str, skip: list[str], kept: int
) -> None:
    assert strictly(text, *skip) == kept


def test_strictly_skipped_checks_are_evaluated() -> None:
    program = interpreter("empty foo as q", ["q"], strict_skip=True)
    with pytest.raises(ModelError, match="unbound name `foo`"):
        list(program.run(reads_from(RF_INIT)))


# Assertions in blocks


def test_an_assertion_in_a_procedure() -> None:
    with pytest.raises(TestError):
        runs("procedure p(r) = assert empty r as q end\ncall p(po)")


# Bell files and definitions of the call


def test_a_bell_file_is_run_before_the_model(tmp_path: Path) -> None:
    (tmp_path / "my.bell").write_text(
        "enum t = 'a || 'b\ninstructions R[t]\nlet from-bell = po\nflag acyclic po as seen",
        encoding="utf-8",
    )
    (tmp_path / "mine.cat").write_text("empty from-bell \\ po\nwith x from t", encoding="utf-8")
    found = runs(Library([tmp_path], bells=["my.bell"]).load("mine"))
    assert len(found) == 2
    assert all([name for name, _ in run.flags] == ["seen"] for run in found)


def test_a_missing_bell_file(tmp_path: Path) -> None:
    (tmp_path / "mine.cat").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"nowhere\.bell"):
        Library([tmp_path], bells=["nowhere.bell"]).load("mine")


@pytest.mark.parametrize(
    ("definition", "text"),
    [
        ("x=0", "let x = po\nempty x"),
        ("x = 0", "let x = po and y = rf\nempty x\n~empty y"),
        ("new = po & rf", "empty new"),
        ("co=0", "with co from linearisations(W, 0)\nempty co"),
        ("co=0", "some co from linearisations(W, 0)\nempty co"),
        ("x=y", "let y = 0\nlet x = po\nempty x"),
    ],
)
def test_definitions_of_the_call(tmp_path: Path, definition: str, text: str) -> None:
    (tmp_path / "mine.cat").write_text(text, encoding="utf-8")
    assert len(runs(Library([tmp_path], definitions=[definition]).load("mine"))) == 1


@pytest.mark.parametrize("definition", ["x", "=po", ""])
def test_a_definition_of_the_call_has_a_name_and_an_expression(
    tmp_path: Path, definition: str
) -> None:
    (tmp_path / "mine.cat").write_text("", encoding="utf-8")
    with pytest.raises(UsageError):
        Library([tmp_path], definitions=[definition]).load("mine")
