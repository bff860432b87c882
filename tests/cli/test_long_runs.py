"""Runs that are long, limited, killed, resumed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from tests.batch.large import atomic_adds, endless, many_readers, many_writers
from tests.support import ISA, ROOT

SMALL = [ISA / f"{name}.litmus" for name in ("MP", "SB", "LB", "CoRR")]


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "catpy", "run", *map(str, arguments)]


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*arguments), cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=ROOT, text=True, capture_output=True, check=False, timeout=60
    )


def table_of(table: Path) -> list[dict[str, Any]]:
    """The tests of a table, without what differs from run to run."""
    tests: list[dict[str, Any]] = json.loads(table.read_text(encoding="utf-8"))["tests"]
    return [{k: v for k, v in test.items() if k not in ("time", "candidates")} for test in tests]


def wait_for(condition: Any) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.02)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_test_out_of_time_is_incomplete_and_the_others_go_on(tmp_path: Path, jobs: int) -> None:
    long, table = endless(tmp_path), tmp_path / "t.json"
    done = call("-j", jobs, "--timeout", 1, "-o", table, SMALL[0], long, SMALL[1])
    assert done.returncode == 3
    assert "Incomplete endless after 1 s\n" in done.stdout
    assert [test["verdict"] for test in table_of(table)] == ["Ok", "Incomplete", "Ok"]
    assert done.stderr == ""


@pytest.mark.parametrize(("engine", "make"), [("fast", many_writers), ("naive", many_readers)])
def test_what_was_found_before_the_limit_is_there(
    tmp_path: Path, engine: str, make: Callable[[Path], Path]
) -> None:
    table = tmp_path / "t.json"
    done = call("--engine", engine, "--timeout", 1, "-o", table, make(tmp_path))
    (test,) = table_of(table)
    assert (done.returncode, test["verdict"]) == (3, "Incomplete")
    assert 0 < test["negative"] + test["positive"] < 13 * factorial(12)


def test_a_test_out_of_memory_is_incomplete_and_the_others_go_on(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    done = call("--memory", 60, "-o", table, many_readers(tmp_path), SMALL[0])
    assert [test["verdict"] for test in table_of(table)] == ["Incomplete", "Ok"]
    assert "Incomplete many at 60 MB of memory\n" in done.stdout
    assert done.returncode == 3


def test_ways_without_end_are_limited_too(tmp_path: Path) -> None:
    """Before any search, threads are run in every way: that has to end as well."""
    branches = "L: ld.weak r0, [x]; setp.eq.u32 p0, r0, 0; @p0 bra L; "
    text = f"PTX ways {{ x=0; }}\nP0@cta 0,gpu 0 {{ {branches * 2} }}\nexists (x=0)\n"
    text = text.replace("L:", "L0:", 1).replace("bra L;", "bra L0;", 1)
    (tmp_path / "ways.litmus").write_text(text, encoding="utf-8")
    done = call("--unroll", 5000, "--timeout", 1, tmp_path / "ways.litmus")
    assert done.returncode == 3
    assert done.stderr.startswith("catpy: ways takes long: with `--spin 0` loops")
    assert "Incomplete ways after 1 s" in done.stdout


def test_ctrl_c_leaves_a_valid_table(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    run = start("-j", 2, "-o", table, *SMALL, endless(tmp_path))
    journal = tmp_path / "t.json.journal"
    wait_for(lambda: journal.exists() and journal.read_text(encoding="utf-8").count("\n") == 4)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors) == (130, "")
    assert [test["name"] for test in table_of(table)] == ["MP", "SB", "LB", "CoRR"]
    assert not journal.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_the_run_ends_the_workers(tmp_path: Path, number: signal.Signals) -> None:
    run = start("-j", 2, endless(tmp_path), endless(tmp_path, "other"))
    wait_for(lambda: len(_descendants(run.pid)) >= 3)
    family = _descendants(run.pid)
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors) == (130, "")
    wait_for(lambda: not any(map(_is_running, family)))


def _descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        pytest.skip("this system does not tell the children of a process")
    children = list(map(int, listed.split()))
    return children + [found for child in children for found in _descendants(child)]


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_is_resumed(tmp_path: Path, jobs: int) -> None:
    """What a killed run had finished is not run again; the table is that of an undisturbed run."""
    table, whole = tmp_path / "t.json", tmp_path / "whole.json"
    waiting = tmp_path / "waiting.litmus"
    waiting.write_text(atomic_adds(14, "waiting"), encoding="utf-8")
    files = [*SMALL[:3], waiting, SMALL[3]]
    run = start("-j", jobs, "-o", table, *files)
    journal = tmp_path / "t.json.journal"
    wait_for(lambda: journal.exists() and journal.read_text(encoding="utf-8").count("\n") >= 3)
    family = _descendants(run.pid)
    run.kill()
    run.communicate()
    wait_for(lambda: not any(map(_is_running, family)))
    assert not table.exists()
    with journal.open("a", encoding="utf-8") as file:
        file.write('\n{"name": "cut sh')
    waiting.write_text(atomic_adds(3, "waiting"), encoding="utf-8")
    resumed = call("-j", jobs, "-o", table, "--resume", *files)
    assert resumed.returncode == 0
    assert "of 5 tests are taken from" in resumed.stderr
    assert "Test MP " not in resumed.stdout
    assert not journal.exists()
    call("-o", whole, *files)
    assert table_of(table) == table_of(whole)


def test_other_definitions_are_no_reason_to_skip_a_test(tmp_path: Path) -> None:
    """Definitions of the call, bell files in another order, an included file that changed."""
    table, model = tmp_path / "t.json", tmp_path / "m.cat"
    part, first, second = (tmp_path / name for name in ("part.cat", "first.bell", "second.bell"))
    model.write_text('include "cos.cat"\ninclude "part.cat"\nacyclic po | com as sc\n', "utf-8")
    part.write_text("let com = rf | fr | co | more\n", encoding="utf-8")
    first.write_text("let more = rf\n", encoding="utf-8")
    second.write_text("let more = po\n", encoding="utf-8")
    bells = ["--bell", first, "--bell", second]
    common = ["-I", tmp_path, "-m", model, "-o", table, "--resume", SMALL[1]]
    assert "Test SB " in call(*bells, *common).stdout
    assert call(*bells, *common).stdout == ""
    for changed in ([*bells, "-D", "com=rf"], [*bells[2:], *bells[:2]]):
        assert "Test SB " in call(*changed, *common).stdout
    part.write_text("let com = rf | fr | more\n", encoding="utf-8")
    assert "Test SB " in call(*bells, *common).stdout


def test_an_interrupted_run_leaves_the_table_of_an_earlier_one(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    call("-o", table, SMALL[0], SMALL[1])
    before = table.read_text(encoding="utf-8")
    run = start("-o", table, SMALL[0], endless(tmp_path), SMALL[1])
    journal = tmp_path / "t.json.journal"
    wait_for(lambda: journal.exists() and journal.read_text(encoding="utf-8").count("\n") == 1)
    run.send_signal(signal.SIGINT)
    log, errors = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Test MP " in log
    assert errors == f"catpy: {table} is as it was; --resume goes on from its journal\n"
    assert table.read_text(encoding="utf-8") == before


def test_what_is_finished_is_printed_when_the_run_is_interrupted(tmp_path: Path) -> None:
    """Also what comes behind a test that is not."""
    table = tmp_path / "t.json"
    run = start("-j", 2, "-o", table, endless(tmp_path), *SMALL)
    journal = tmp_path / "t.json.journal"
    wait_for(lambda: journal.exists() and journal.read_text(encoding="utf-8").count("\n") == 4)
    run.send_signal(signal.SIGINT)
    log, _ = run.communicate(timeout=30)
    assert log.count("Test ") == 4


def test_a_file_that_is_no_table_is_not_overwritten(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("mine", encoding="utf-8")
    done = call("-o", other, SMALL[0])
    assert (done.returncode, other.read_text(encoding="utf-8")) == (2, "mine")
    assert done.stderr == f"error: {other} is no outcome table: it is not overwritten\n"


def test_a_difference_says_what_was_not_searched_to_the_end(tmp_path: Path) -> None:
    model = [sys.executable, "-m", "catpy", "diff", "-m", "sc", "-m", "tso"]
    done = subprocess.run(
        [*model, "--timeout", "0.000001", str(SMALL[1])],
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (
        3,
        "no difference (0 tests, 1 not searched to the end: SB)\n",
    )


def test_other_options_are_no_reason_to_skip_a_test(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    call("-o", table, SMALL[0])
    for changed in (["-m", "sc"], ["--unroll", 1], ["--skip", "Causality"], ["--states-only"]):
        again = call("-o", table, "--resume", *changed, SMALL[0])
        assert "Test MP " in again.stdout
        assert again.stderr == ""
    again = call("-o", table, "--resume", "--states-only", SMALL[0])
    assert again.stdout == ""
    assert again.stderr == f"catpy: 1 of 1 tests are taken from {table}\n"


def test_a_finished_table_is_gone_on_with_and_checked(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    verdicts = ISA / "verdicts.tsv"
    call("-o", table, SMALL[0], SMALL[1])
    done = call("-o", table, "--resume", "--check", verdicts, *SMALL)
    assert done.stdout.endswith("column ptx: 4 checked, 4 hold, 0 do not, 0 without a verdict\n")
    assert [test["name"] for test in table_of(table)] == ["MP", "SB", "LB", "CoRR"]


def test_resume_wants_a_table_to_go_on_with(tmp_path: Path) -> None:
    assert call("--resume", SMALL[0]).stderr == (
        "error: --resume goes with -o, the table to go on with\n"
    )
    other = tmp_path / "t.json"
    other.write_text("{}", encoding="utf-8")
    done = call("--resume", "-o", other, SMALL[0])
    assert (done.returncode, other.read_text(encoding="utf-8")) == (2, "{}")
    assert "is no outcome table" in done.stderr


def test_a_full_disk_leaves_the_old_table_and_one_message(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    table = tmp_path / "t.json"
    call("-o", table, SMALL[0])
    before = table.read_text(encoding="utf-8")
    (tmp_path / "t.json.journal").symlink_to(full)
    done = call("-o", table, *SMALL)
    assert done.returncode == 2
    assert done.stderr == f"error: cannot write {table}.journal: No space left on device\n"
    assert table.read_text(encoding="utf-8") == before


def test_states_are_counted_once_where_executions_are_not(tmp_path: Path) -> None:
    done = call("--states-only", ISA / "CoRR.litmus", "--format", "json")
    (test,) = json.loads(done.stdout)["tests"]
    assert test["counts"] == "states"
    assert {state["executions"] for state in test["states"]} == {1}
    assert "Counts CoRR are numbers of states\n" in call("--states-only", SMALL[3]).stdout


def test_the_first_state_that_decides() -> None:
    done = call("--first", SMALL[1])
    assert "First SB the condition is decided, there may be more states\n" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-j", "x"], "a number from 0 on is wanted, not 'x'"),
        (["--timeout", "0"], "a number of seconds is wanted, not '0'"),
        (["--timeout", "nan"], "a number of seconds is wanted, not 'nan'"),
        (["--memory", "0"], "a number from 1 on is wanted, not '0'"),
        (["--engine", "warp"], "invalid choice: 'warp'"),
        (["-j", "2", "--cluster", "tcp://here:1"], "-j is for this machine"),
    ],
)
def test_wrong_options(arguments: list[str], message: str) -> None:
    done = call(*arguments, SMALL[0])
    assert done.returncode == 2
    assert message in done.stderr
