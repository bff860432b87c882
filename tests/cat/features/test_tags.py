"""Enumerations, tags, scopes and locations by tag, and bell files."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, NONE, counts, equal, outcome, place, problem

ORDERS = "enum orders = 'WEAK || 'relaxed || 'RLX || 'sC\n"
SCOPES = "enum scopes = 'cta || 'cluster || 'gpu || 'sys\n"


def test_an_enumeration_binds_the_set_of_its_tags() -> None:
    assert counts("enum t = 'a || 'b\nwith x from t") == (2, 6)
    assert counts("enum t = || 'a\nwith x from t") == ALL
    assert counts("enum t = 'a || 'b\nempty if t = {'b, 'a} then 0 else po") == ALL


def test_a_tag_that_is_declared_again_belongs_to_the_later_enumeration() -> None:
    two = "enum t = 'a || 'b\nenum u = 'a || 'c\n"
    assert counts(two + "with x from 'a | 'c") == (2, 6)
    message, line, column = problem(two + "with x from 'a | 'b")
    assert ("u set" in message, "t set" in message, line, column) == (True, True, 3, 18)


def test_a_tag_that_no_enumeration_declares() -> None:
    message, line, column = problem("enum t = 'abc\nempty match 'abd with _ -> 0 end")
    assert message == "the tag `'abd` is undefined"
    assert (line, column) == (2, 13)


@pytest.mark.parametrize(("tag", "events"), [("'WEAK", "R"), ("'RLX", "W \\ IW")])
def test_events_by_tag(tag: str, events: str) -> None:
    assert equal(f"tag2events {tag}", events, ORDERS)
    assert equal(f"tag2instrs {tag}", events, ORDERS)


def test_the_first_letter_of_a_tag_is_a_capital_in_the_name_of_its_set() -> None:
    assert equal("tag2events 'sC", "F & SC", ORDERS)


def test_only_sets_that_were_there_before_the_model_are_found_by_tag() -> None:
    message, line, column = problem(ORDERS + "let Relaxed = W\nempty tag2events 'relaxed")
    assert message == "there is no event set `Relaxed`"
    assert (line, column) == (3, 18)
    assert equal("tag2events 'RLX", "W \\ IW", ORDERS + "let RLX = R")


def test_scopes_by_tag() -> None:
    """The threads are in two CTAs of one GPU; a CTA alone is its own cluster."""
    inside = "(_ \\ IW) * (_ \\ IW)"
    for scope in ("cta", "cluster"):
        assert equal(f"tag2scope '{scope} & ({inside})", "int", SCOPES)
    for scope in ("gpu", "sys"):
        assert equal(f"tag2scope '{scope} & ({inside})", inside, SCOPES)
        assert equal(f"tag2level '{scope}", f"tag2scope '{scope}", SCOPES)


def test_a_scope_that_is_not_there() -> None:
    message, line, column = problem("enum scopes = 'warp\nempty tag2scope 'warp")
    assert message == "there is no scope `warp`"
    assert (line, column) == (2, 17)


def test_accesses_of_a_location_by_tag() -> None:
    places = "enum places = 'x || 'y || 'z\n"
    assert equal("loc2events 'x | loc2events 'y", "M", places)
    assert equal("loc2events 'x * loc2events 'x", "loc & (_ * loc2events 'x)", places)
    assert equal("loc2events 'z", "{}", places)


def test_functions_over_tags() -> None:
    wider = "let wider s = match s with 'cta -> 'gpu || _ -> 'sys end\n"
    assert equal("tag2scope (wider 'cta)", "tag2scope 'gpu", SCOPES + wider)


def test_a_relation_for_each_scope() -> None:
    text = SCOPES + "forall s in scopes do empty (po & ext) & tag2scope s end\n"
    assert counts(text + "forall s in scopes do empty po \\ tag2scope s end") == ALL
    assert counts(SCOPES + "forall s in scopes do empty int & tag2scope s end") == NONE


# Bell files

BELL = """"a bell file"
enum Accesses = 'once || 'acquire
enum scopes = 'cta || 'gpu
instructions R[{'once, 'acquire}]
instructions W[Accesses]
default R['once]
let from-bell = po
flag ~empty po as from-the-bell
"""


def test_bell_files_run_before_the_model() -> None:
    found = outcome(
        "empty from-bell \\ po\nwith a from Accesses",
        files={"own.bell": BELL},
        bells=["own.bell"],
    )
    assert (found.positive, found.negative, found.flags) == (2, 6, ("from-the-bell",))


def test_a_model_may_include_a_bell_file() -> None:
    found = outcome('include "own.bell"\nempty from-bell \\ po', files={"own.bell": BELL})
    assert (found.positive, found.negative) == ALL


def test_catdep_changes_nothing_where_dependencies_are_given() -> None:
    assert counts('C "C++11" catdep\nempty data | addr | ctrl') == ALL


def test_an_enumeration_is_declared_outside_of_blocks() -> None:
    assert place("procedure p() = enum t = 'a end") == (1, 17)
