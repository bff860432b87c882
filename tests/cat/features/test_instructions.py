"""Instructions: checks, flags, choices, procedures, `forall`, `match`, `include`, and the rest."""

from __future__ import annotations

import pytest

from catpy.cat.interpreter import Settings
from catpy.errors import TestError
from catpy.report.herd import herd_log
from tests.cat.features.running import ALL, NONE, counts, outcome, place, problem


@pytest.mark.parametrize(
    ("check", "kept"),
    [
        ("acyclic po", ALL),
        ("acyclic po | (rf^-1; co0)", (0, 3)),  # not where both reads read 0
        ("~acyclic po | (rf^-1; co0)", (1, 0)),
        ("acyclic loc", NONE),
        ("irreflexive po", ALL),
        ("irreflexive po | id", NONE),
        ("~irreflexive po | id", ALL),
        ("irreflexive po; (rf^-1; co0); po; (rf^-1; co0)", (0, 3)),
        ("empty rf & ext & (IW * R)", (0, 1)),
        ("~empty rf & ext & (IW * R)", (1, 2)),
        ("empty W", NONE),
        ("~empty W", ALL),
        ("empty {}", ALL),
        ("empty _", NONE),
        ("acyclic _", NONE),
        ("irreflexive {}", ALL),
    ],
)
def test_checks(check: str, kept: tuple[int, int]) -> None:
    assert counts(check) == kept
    assert counts(f"{check} as some-name.1") == kept


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("acyclic W", "expected a relation"),
        ("irreflexive W", "expected a relation"),
        ("acyclic {po}", "expected a relation"),
        ("empty {po}", "expected a relation or an event set"),
        ("enum t = 'a\nempty 'a", "expected a relation or an event set"),
        ("empty (po, rf)", "expected a relation or an event set"),
        ("empty fun x -> x", "expected a relation or an event set"),
        ("empty 'a", "the tag `'a` is undefined"),
    ],
)
def test_what_cannot_be_tested(text: str, message: str) -> None:
    found, line, column = problem(text)
    assert found.startswith(message)
    last = text.splitlines()[-1]
    assert (line, column) == (len(text.splitlines()), last.index(" ") + 2 + last.count("("))


# flag, undefined_unless, assert


def test_flags_are_of_the_kept_executions_and_reject_none() -> None:
    found = outcome("flag ~empty po as seen\nflag empty po as unseen")
    assert (found.positive, found.negative, found.flags) == (1, 3, ("seen",))
    assert "\nFlag seen\n" in herd_log(found)
    assert outcome("flag ~empty po as p\nempty po").flags == ()


def test_a_flag_without_a_name_is_not_recorded() -> None:
    found = outcome("flag ~empty po")
    assert (found.positive, found.negative, found.flags) == (1, 3, ())


def test_undefined_unless() -> None:
    found = outcome("undefined_unless empty po as q")
    assert (found.positive, found.negative, found.undefined) == (1, 3, True)
    log = herd_log(found)
    assert "\nUndef\n" in log
    assert "\nFlag *undef*\n" in log
    assert not outcome("undefined_unless ~empty po").undefined


def test_a_failed_assertion_is_an_error_of_the_test() -> None:
    found, line, column = problem("let x = po\nassert empty x as q", TestError)
    assert ("q" in found, line, column) == (True, 2, 1)
    assert counts("assert ~empty po as q") == ALL


# with and some


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("with y from {}", NONE),
        ("with y from {po}", ALL),
        ("with y from {po, rf}", (2, 6)),
        ("with y from {po, rf}\nwith z from {y, loc}", (4, 12)),
        ("with y from {po, loc}\nacyclic y", ALL),
        ("with o from linearisations(W \\ IW, 0)", (2, 6)),
        ("with o from linearisations(W, id)", NONE),
        ("with o from linearisations(W \\ IW, po)", (2, 6)),
        ("with o from linearisations(M, po | po^-1)", NONE),
        ("with o from linearisations({}, po)\nempty o", ALL),
        ("enum t = 'a || 'b\nwith y from t", (2, 6)),
        ("some y from {po, rf}", ALL),
        ("some y from {po, loc}\nacyclic y", ALL),
        ("some y from {}", NONE),
        ("with y from {(po, rf), (rf, po)}", (2, 6)),
        ("with y from {{po}, {rf}}", (2, 6)),
    ],
)
def test_choices(text: str, kept: tuple[int, int]) -> None:
    assert counts(text) == kept


@pytest.mark.parametrize("values", ["W", "po", "(po, rf)"])
def test_choices_are_made_from_sets_of_values(values: str) -> None:
    message, line, column = problem(f"with y from {values}")
    assert message.startswith("expected a set of values")
    assert (line, column) == (1, 13 + values.count("("))


# procedures


def test_procedures_are_checked_where_they_are_called() -> None:
    define = "procedure ordered(r, s) = acyclic r | s end\n"
    assert counts(define) == ALL
    assert counts(define + "call ordered(po, (rf^-1; co0))") == (0, 3)
    assert counts("procedure p x = empty x end\ncall p(po)") == NONE
    assert counts("procedure p() = empty po end\ncall p()") == NONE


def test_what_a_procedure_binds_ends_with_it_what_it_flags_and_chooses_stays() -> None:
    define = "procedure p() =\n let inner = po\n flag ~empty inner as seen\n"
    define += " with o from {po, rf}\nend\ncall p()\n"
    found = outcome(define)
    assert (found.positive, found.negative, found.flags) == (2, 6, ("seen",))
    assert place(define + "empty inner") == (7, 7)


def test_a_procedure_sees_what_was_bound_before_it() -> None:
    assert counts("let x = 0\nprocedure p() = empty x end\nlet x = po\ncall p()") == ALL
    assert place("procedure p() = call p() end\ncall p()") == (1, 22)


def test_recursive_procedures() -> None:
    """It takes one event after the other away and so ends."""
    text = """
enum t = 'go || 'stop
procedure rec each(S, go) =
  match go with
    'stop -> empty S
  || 'go ->
    let rest = match S with {} -> {} || e ++ es -> es end
    call each(rest, (if rest = {} then 'stop else 'go))
  end
end
call each(R, 'go)
"""
    assert counts(text) == ALL
    assert counts(text.replace("empty S", "~empty S")) == NONE


def test_a_call_takes_a_procedure() -> None:
    message, line, column = problem("let f() = po\ncall f()")
    assert message == "expected a procedure, but this is a function"
    assert (line, column) == (2, 6)


@pytest.mark.parametrize(("skip", "kept"), [("n", ALL), ("p", ALL), ("q", NONE)])
def test_calls_are_skipped_by_either_name(skip: str, kept: tuple[int, int]) -> None:
    text = "procedure p() = empty po as inside end\ncall p() as n"
    found = outcome(text, settings=Settings(frozenset({skip})))
    assert (found.positive, found.negative) == kept


@pytest.mark.parametrize(
    ("check", "strict", "kept"),
    [
        ("empty po as q", False, ALL),
        ("empty po as q", True, ALL),
        ("~empty po as q", False, ALL),
        ("~empty po as q", True, NONE),
    ],
)
def test_skipped_checks(check: str, strict: bool, kept: tuple[int, int]) -> None:
    found = outcome(check, settings=Settings(frozenset({"q"}), strict))
    assert (found.positive, found.negative) == kept


# forall, match, if, include


def test_forall_runs_its_body_for_each_element() -> None:
    assert counts("forall r in {po, rf} do acyclic r end") == ALL
    assert counts("forall r in {po, loc} do acyclic r end") == NONE
    assert counts("forall r in {} do empty po end") == ALL
    assert counts("forall r in {po, rf} do with o from {po, rf} end") == (4, 12)
    assert outcome("forall r in {po} do flag ~empty r as seen end").flags == ("seen",)
    enum = "enum t = 'a || 'b\n"
    assert counts(enum + "forall x in t do empty match x with 'a -> 0 || 'b -> po end end") == NONE
    assert counts(enum + "forall x in 'a do empty match x with 'a -> 0 || 'b -> po end end") == ALL


@pytest.mark.parametrize("values", ["W", "po"])
def test_forall_is_over_sets_of_values(values: str) -> None:
    assert place(f"forall x in {values} do empty 0 end") == (1, 13)


def test_what_forall_binds_ends_with_each_turn() -> None:
    assert place("forall r in {po} do let x = r end\nempty x") == (2, 7)


@pytest.mark.parametrize(("tag", "kept"), [("'a", ALL), ("'b", NONE), ("'c", (0, 3))])
def test_match_on_a_tag_as_an_instruction(tag: str, kept: tuple[int, int]) -> None:
    arms = "'a -> empty 0 || 'b -> let x = po empty x || _ -> acyclic po | (rf^-1; co0)"
    assert counts(f"enum t = 'a || 'b || 'c\nmatch {tag} with {arms} end") == kept


def test_match_without_a_clause_for_the_tag() -> None:
    assert place("enum t = 'a || 'b\nmatch 'b with 'a -> empty 0 end") == (2, 7)


@pytest.mark.parametrize(("variants", "kept"), [(["v"], NONE), ([], (0, 3))])
def test_if_as_an_instruction(variants: list[str], kept: tuple[int, int]) -> None:
    assert counts('if "v" empty po else acyclic po | (rf^-1; co0) end', variants) == kept


def test_include_runs_a_file_every_time_in_the_present_scope() -> None:
    files = {"part.cat": '"a part"\nwith o from {po, rf}\nlet found = x\n'}
    text = 'let x = po\ninclude "part.cat"\n'
    found = outcome(text + "empty found \\ po", files=files)
    assert (found.positive, found.negative) == (2, 6)
    found = outcome(text + 'include "part.cat"', files=files)
    assert (found.positive, found.negative) == (4, 12)


def test_an_include_that_is_not_there() -> None:
    message, line, column = problem('let x = po\ninclude "nowhere.cat"')
    assert message == "cannot find the included file `nowhere.cat`"
    assert (line, column) == (2, 1)


def test_show_and_debug_evaluate_nothing() -> None:
    text = "show foo, bar\nshow foo | W as baz\nunshow foo\ndebug foo | W\n"
    assert counts(text + "instructions R['a]\ndefault R['a]") == ALL


def test_one_coherence_order_for_each_location_with_one_write() -> None:
    assert counts('include "cos.cat"') == ALL
    assert counts('include "cos.cat"\ninclude "cos.cat"') == ALL
    # Each location's initial write comes first: what co orders is known.
    assert counts('include "cos.cat"\nempty co \\ co0\nempty co0 \\ co') == ALL
    # Both reads from memory: the store-buffering execution violates sequential consistency.
    assert counts('include "cos.cat"\nacyclic po | rf | co | fr') == (0, 3)
    assert place("empty co") == (1, 7)
