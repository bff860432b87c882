"""The page of all instruction forms is current, and leaves nothing out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.arch.ptx.page import page
from catpy.arch.ptx.table import NOT_MODELLED, all_rows
from catpy.arch.ptx.tags import SET_NAMES
from catpy.arch.ptx.words import CLASSES
from catpy.litmus.host import FORMS, parse_call
from catpy.source import Source
from tests.arch.test_host import built
from tests.support import ROOT

PAGE = page()


def test_the_page_is_current(golden: Callable[[Path, str], None]) -> None:
    golden(ROOT / "catpy" / "arch" / "ptx" / "README.md", PAGE)


def test_every_form_has_an_entry() -> None:
    headings = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)
    named = [name for heading in headings for name in re.findall(r"`(.+?)`", heading)]
    assert sorted(named) == sorted([*(row.opcode for row in all_rows()), *FORMS])


def test_every_set_and_everything_left_out_has_a_line() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| `")]
    first = " ".join(line.split(" | ")[0] for line in lines)
    assert set(re.findall(r"`(\w+)`", first)) >= SET_NAMES
    assert NOT_MODELLED.keys() <= set(re.findall(r"`([\w.:]+)`", first))


def test_every_class_of_qualifiers_is_described() -> None:
    assert {kind for row in all_rows() for kind in row.classes} == CLASSES.keys()


def test_links_lead_to_sections() -> None:
    titles = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    places = {title.lower().replace(",", "").replace(" ", "-") for title in titles}
    assert set(re.findall(r"\(#(.*?)\)", PAGE)) <= places


# Calls of the host

SPELLINGS = [(verb, text) for verb, form in FORMS.items() for text in form.spellings]


@pytest.mark.parametrize(("verb", "text"), SPELLINGS)
def test_calls_are_spelled_as_the_page_says(verb: str, text: str) -> None:
    call = parse_call(Source("t", text).span(0, len(text)))
    assert str(call).split()[0] == verb


@pytest.mark.parametrize(("verb", "text"), SPELLINGS)
def test_the_event_of_a_call_is_in_one_set(verb: str, text: str) -> None:
    made = "" if verb == "launch" else "launch K stream s; record e s; "
    test = built("", "kernel K,cta 0: nop", f"host: {made}{text.replace('query d', 'query r0')}")
    for way in test.paths(1):
        assert {frozenset(event.sets) for event in way.events} == {frozenset({"API"})}
