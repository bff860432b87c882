"""herd's log, byte for byte in its structure."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.execution import run_test
from catpy.report.herd import herd_log
from tests.support import isa_test, load_model, outcome_of

GOLDEN = Path(__file__).parent / "golden"

#: One test for each form that a log can have.
LOGS = {
    "allowed": "SB+rlx",
    "forbidden": "SB+fence.sc.sys",
    "required": "Atomicity+isa2+only",
    "race": "W+W+1",
    "loop": "MP+rel+acq-spin",
    "stuck": "Bar+deadlock",
    "vacuous": "Bar+deadlock+forall",
    "address": "MP+ptr+rel+acq",
}


def log(name: str, model: str = "ptx") -> str:
    return timeless(herd_log(run_test(isa_test(name), load_model(model))))


def timeless(text: str) -> str:
    return re.sub(r"(?m)^(Time \S+) [\d.]+$", r"\1 0.00", text)


@pytest.mark.parametrize("form", LOGS)
def test_log_is_as_it_was(form: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{form}.log", log(LOGS[form]))


# The lexer of herd's log tools, as far as a log's lines go.
VALUE = r"(?:-?(?:\d+|0x[0-9a-fA-F]+)|[A-Za-z][\w.]*(?::[A-Za-z][\w.]*)?)"
NAME = r"[A-Za-z][\w.]*"
STATE = rf"(?:(?:\d+:{NAME}|\[{NAME}(?:\[\d+\])?\])={VALUE};[ ]?)*"
LOG = re.compile(
    rf"""Test\ (?P<name>[\w/.+\-\[\]]+)\ (?:Allowed|Forbidden|Required)\n
    States\ (?P<states>\d+)\n
    (?P<lines>(?:{STATE}\n)*?)
    (?:Loop\ )?(?:Ok|No|Undef)\n
    Witnesses\n
    Positive:\ \d+\ Negative:\ \d+\n
    (?:Flag\ \S+\n)*
    Condition\ (?:exists|~exists|forall)\ \(.*\)\n
    Observation\ (?P=name)\ (?:Never|Sometimes|Always)\ \d+\ \d+\n
    (?:[A-Za-z]+\ (?P=name)\ .*\n)*
    Time\ (?P=name)\ \d+\.\d\d\n
    Hash=[0-9a-f]{{32}}\n
    \n""",
    re.VERBOSE,
)


@pytest.mark.parametrize("name", LOGS.values())
@pytest.mark.parametrize("model", ["ptx", "sc"])
def test_log_reads_as_the_log_tools_read_it(name: str, model: str) -> None:
    found = LOG.fullmatch(log(name, model))
    assert found
    assert found["lines"].count("\n") == int(found["states"])


def test_witnesses_are_of_the_condition_and_the_observation_of_the_proposition() -> None:
    text = "PTX w {{ }} P0 {{ ld.weak r0, [x]; }} P1 {{ st.weak [x], 1; }} {} (0:r0=1)"
    for quantifier, expected in {
        "exists": "Allowed",
        "~exists": "Forbidden",
        "forall": "Required",
    }.items():
        lines = herd_log(outcome_of(text.format(quantifier))).splitlines()
        assert lines[0] == f"Test w {expected}"
        assert "Observation w Sometimes 1 1" in lines


def test_unknown_values_and_addresses_are_names_that_herd_reads() -> None:
    text = "PTX odd { x = ?; p = &x; } P0 { ld.weak r0, [x]; ld.weak r1, [p]; } exists (0:r0 = ?x)"
    lines = herd_log(outcome_of(text + "\n")).splitlines()
    assert "0:r0=unknown:x;" in lines
    assert "Condition exists (0:r0=unknown:x)" in lines
    shown = herd_log(outcome_of(text.replace("0:r0 = ?x", "0:r1 = x")))
    assert "0:r1=x;" in shown
