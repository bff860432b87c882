"""tools/clauses, as a model's author calls it: what it prints, and its exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ISA, ROOT

#: Sequential consistency, with one clause too many.
MODEL = """include "cos.cat"
let order = po | (po; po)
acyclic order | rf | co |
        fr as total
"""

#: What tools/clauses prints for it, on the tests below.
TABLE = """\
clause                        verdicts  others  noticed by
own.cat:2 order: po                  2       1  MP (No → Ok), SB (No → Ok), …
own.cat:2 order: po; po              0       0  -
own.cat:3 check total                2       1  MP (No → Ok), SB (No → Ok), …
own.cat:3 check total: order         2       1  MP (No → Ok), SB (No → Ok), …
own.cat:3 check total: rf            1       0  MP (No → Ok)
own.cat:3 check total: co            0       1  CoWW (states)
own.cat:4 check total: fr            2       0  MP (No → Ok), SB (No → Ok)

noticed by no test: 1 of 7 clauses
  own.cat:2 order: po; po
"""

COWW = """PTX CoWW
{ x=0; }
 P0          ;
 st [x], 1   ;
 st [x], 2   ;
exists (x=2)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the model and three tests."""
    (tmp_path / "own.cat").write_text(MODEL)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "CoWW.litmus").write_text(COWW)
    for name in ("MP", "SB"):
        (tmp_path / "tests" / f"{name}.litmus").symlink_to(ISA / f"{name}.litmus")
    return tmp_path


def clauses(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """The exit status of a call in a folder, what it prints, and what it complains of."""
    process = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "clauses.py"), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout, process.stderr


def of_model(folder: Path, text: str, *arguments: str) -> tuple[int, str]:
    """The same for another model, which nothing is wrong with."""
    (folder / "own.cat").write_text(text)
    status, out, err = clauses(folder, "own.cat", "tests", *arguments)
    assert err == ""
    return status, out


def test_a_clause_that_nobody_notices_is_listed(folder: Path) -> None:
    assert clauses(folder, "own.cat", "tests", "--limit", "2") == (1, TABLE, "")


def test_several_processes_find_the_same(folder: Path) -> None:
    assert clauses(folder, "own.cat", "tests", "--limit", "2", "-j", "2") == (1, TABLE, "")


def test_one_test_for_each_clause(folder: Path) -> None:
    status, out, err = clauses(folder, "own.cat", "tests", "--first", "--only", "total")
    assert (status, err) == (0, "")
    assert out == (
        "clause                        noticed by\n"
        "own.cat:3 check total         CoWW (states)\n"
        "own.cat:3 check total: order  CoWW (states)\n"
        "own.cat:3 check total: rf     MP (No → Ok)\n"
        "own.cat:3 check total: co     CoWW (states)\n"
        "own.cat:4 check total: fr     MP (No → Ok)\n"
        "\n"
        "5 clauses, each noticed by a test\n"
    )


def test_with_first_the_order_does_not_depend_on_processes(folder: Path) -> None:
    call = ("own.cat", "tests", "--first")
    assert clauses(folder, *call, "-j", "2") == clauses(folder, *call)


def test_the_json_form(folder: Path) -> None:
    status, out, err = clauses(folder, "own.cat", "tests", "--only", "own.cat:2", "--format=json")
    assert (status, err) == (1, "")
    data = json.loads(out)
    clause, unnoticed = data.pop("clauses")
    assert data == {
        "model": "own",
        "file": "own.cat",
        "tests": 3,
        "first": False,
        "unnoticed": ["own.cat:2 order: po; po"],
    }
    noticed = clause.pop("noticed")
    assert clause == {"clause": "order: po", "file": "own.cat", "line": 2, "column": 13}
    assert [(n["test"], n["change"]) for n in noticed] == [
        ("MP", "verdict"),
        ("SB", "verdict"),
        ("CoWW", "states"),
    ]
    assert noticed[0] == {
        "test": "MP",
        "change": "verdict",
        "before": "No",
        "after": "Ok",
        "gained": [],
        "lost": [],
        "error": None,
    }
    assert unnoticed["noticed"] == []


def test_flags_and_undefined_tests_are_noticed(folder: Path) -> None:
    text = "flag ~empty rf | addr as reads\nundefined_unless empty rmw | po as good\n"
    status, out = of_model(folder, text)
    assert status == 1
    assert out == (
        "clause                                verdicts  others  noticed by\n"
        "own.cat:1 flag reads                         0       2  MP (-reads), SB (-reads)\n"
        "own.cat:1 flag reads: rf                     0       2  MP (-reads), SB (-reads)\n"
        "own.cat:1 flag reads: addr                   0       0  -\n"
        "own.cat:2 undefined_unless good              3       0  CoWW (Undefined → Ok), "
        "MP (Undefined → Ok), SB (Undefined → Ok)\n"
        "own.cat:2 undefined_unless good: rmw         0       0  -\n"
        "own.cat:2 undefined_unless good: po          3       0  CoWW (Undefined → Ok), "
        "MP (Undefined → Ok), SB (Undefined → Ok)\n"
        "\n"
        "noticed by no test: 2 of 6 clauses\n"
        "  own.cat:1 flag reads: addr\n"
        "  own.cat:2 undefined_unless good: rmw\n"
    )


def test_a_model_that_goes_wrong_without_a_clause_is_an_error(folder: Path) -> None:
    status, out = of_model(folder, "let cycle = po | po^-1\nassert ~acyclic cycle as sure\n")
    assert status == 0
    assert out == (
        "clause                  verdicts  others  noticed by\n"
        "own.cat:1 cycle: po            0       3  CoWW (error), MP (error), SB (error)\n"
        "own.cat:1 cycle: po^-1         0       3  CoWW (error), MP (error), SB (error)\n"
        "\n"
        "2 clauses, each noticed by a test\n"
    )


def test_twice_the_same_in_a_line_is_told_by_the_column(folder: Path) -> None:
    _, out = of_model(folder, "acyclic (po | rf); (po | addr) as a\n", "--first", "--only", ": po")
    found = [line.split("  ")[0] for line in out.splitlines()[1:3]]
    assert found == ["own.cat:1:10 check a: po", "own.cat:1:21 check a: po"]


def test_options_reach_the_model(folder: Path) -> None:
    (folder / "lib").mkdir()
    text = 'if "strong" acyclic po | rf as strong else acyclic rf as weak end\n'
    (folder / "lib" / "part.cat").write_text(text)
    call = ("part", "-I", "lib", "tests/SB.litmus", "--variant", "strong", "--unroll", "1")
    status, out, err = clauses(folder, *call)
    assert (status, err) == (1, "")
    assert "part.cat:1 check strong: po " in out
    assert "weak" not in out


BAD_CALLS = {
    ("nosuch", "tests"): "error: no model `nosuch`",
    ("own.cat", "nosuch"): "error: there is no file nosuch",
    ("own.cat",): "arguments are required: TEST",
    ("own.cat", "tests", "--only", "nosuch"): "error: no clause of own.cat has `nosuch`",
    ("own.cat", "tests", "--limit", "0"): "a number from 1 on is wanted, not '0'",
    ("own.cat", "tests", "-I", "nosuch"): "error: -I: there is no folder nosuch",
    ("bare.cat", "tests"): "error: there is nothing to leave out of bare.cat",
    ("wrong.cat", "tests"): "wrong.cat:1:9: error: unbound name `poo` [unbound-name]",
}


@pytest.mark.parametrize("call", BAD_CALLS)
def test_a_wrong_call_is_one_error(call: tuple[str, ...], folder: Path) -> None:
    (folder / "bare.cat").write_text('include "own.cat"\n')
    (folder / "wrong.cat").write_text("acyclic poo as a\n")
    status, out, err = clauses(folder, *call)
    assert (status, out) == (2, "")
    assert BAD_CALLS[call] in err
    assert err.count("error:") == 1


def test_tests_that_cannot_be_run_are_told_and_the_others_run(folder: Path) -> None:
    (folder / "tests" / "broken.litmus").write_text("PTX\n")
    wrong = COWW.replace("CoWW", "wrong").replace("st [x], 2", "st.acquire [x], 2")
    (folder / "tests" / "wrong.litmus").write_text(wrong)
    status, out, err = clauses(folder, "own.cat", "tests", "--limit", "2")
    assert (status, out) == (2, TABLE)
    assert err.count("error:") == 2
    assert err.endswith("catpy: 2 of 5 could not be run\n")
