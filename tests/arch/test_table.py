"""The events of every instruction form are those that its row claims."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from catpy.arch.program import Event, Path
from catpy.arch.ptx.calls import CALLS
from catpy.arch.ptx.instruction import Effect, Instruction, Row
from catpy.arch.ptx.rows.common import BEHIND
from catpy.arch.ptx.table import all_rows
from catpy.arch.ptx.tags import SET_NAMES, TAGS
from catpy.litmus.syntax import Register
from tests.arch.examples import BEFORE, EXAMPLES, INIT, PLACES
from tests.arch.helpers import pairs, program
from tests.arch.test_decode import decoded

ROWS = {row.opcode: row for row in all_rows()}

#: The same variables, but nobody has initialised the mbarrier.
INITS = [INIT, INIT.replace(".mbarrier m = 2", ".u64 m")]


def claimed(effect: Effect, instruction: Instruction) -> list[set[str]]:
    """The sets that a row claims of an event, in every way that its open words can go."""
    kind = effect.sets.split()[0]
    mode = instruction.mode
    ways = {
        "semantics": [{mode.order(kind), *mode.tags}],
        "scope": [{instruction.scope or ""}],
        "proxy": [{instruction.proxy}],
        "space": [set(), *({tag} for tag in TAGS["State spaces"])],
    }
    choices = product(*(ways.get(word, [{word}]) for word in effect.sets.split()))
    return [set().union(*chosen) - {""} for chosen in choices]


def made_by(text: str, opcode: str) -> Iterator[tuple[Path, Event]]:
    """The events of an example, with the way through the thread that has them."""
    text = text.rstrip(";")
    before = f"{BEFORE[opcode]};\n" if opcode in BEFORE else ""
    for init in INITS:
        prog = program(f"{before}{text};\nL0: nop", "st [s], 1", init=init, places=PLACES)
        # Where the address in a tensormap is read, it can be one that is too short for the copy.
        ways = [way for way in prog.paths(0) if not way.fault]
        assert ways, text
        for way in ways:
            for event in way.events:
                if event.span is not None and event.span.text == text:
                    yield way, event


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_events_are_what_the_row_claims(row: Row) -> None:
    met = set()
    for text in EXAMPLES[row.opcode]:
        instruction = decoded(text)
        for way, event in made_by(text, row.opcode):
            fitting = {
                effect for effect in row.events if event.sets in claimed(effect, instruction)
            }
            assert fitting, (text, sorted(event.sets))
            modifies = any(write == event.index for _, write in pairs(way, "rmw"))
            assert modifies is any(BEHIND in effect.note for effect in fitting)
            met |= fitting
    assert met == set(row.events)


def test_every_set_has_an_example_but_that_of_the_host() -> None:
    found = {
        name
        for opcode, texts in EXAMPLES.items()
        for text in texts
        for _, event in made_by(text, opcode)
        for name in event.sets
    }
    assert SET_NAMES - found == {"API"}


def test_rows_that_observe_something_are_those_that_read() -> None:
    found = {name for name, row in ROWS.items() if row.observes}
    assert found == {
        *("ld", "atom", "tex", "tld", "suld", "cold", "bar.red", "barrier.red"),
        *("mbarrier.arrive", "mbarrier.arrive_drop", "mbarrier.test_wait", "mbarrier.try_wait"),
    }
    assert [name for name, row in CALLS.items() if row.observes] == ["query"]


@pytest.mark.parametrize(
    "code",
    ["tld.weak r0, x", "suld.weak r0, x", "cold.weak r0, x", "mbarrier.arrive.b64 r0, [m]"],
)
def test_what_is_observed_is_shown(code: str) -> None:
    shown = program(code, init="x=0; .shared .mbarrier m = 2;").all_observables()
    assert Register(0, "r0") in shown
