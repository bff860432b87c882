"""The verdicts of the test collections hold under every model that they are stated for."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.arch.program import Options
from catpy.batch.runner import Hands, Job, Result, Runner
from catpy.batch.verdicts import Expectation, read_expectations
from catpy.cat.loader import Library
from catpy.litmus import parse_test
from catpy.source import Source
from tests.support import ASYNC, HANDOFF, ISA, MODELS, shared_corpus


def mismatches(
    path: Path, model: str, column: str, options: Options, states: bool = False
) -> tuple[int, list[str]]:
    """The number of rows with a verdict, and those that do not hold, with what was found.

    With `states`, a verdict about no final state at all does not hold either.
    """
    rows = [r for r in read_expectations(path, column).rows if r.verdict != "-"]
    runner = Runner(Library([MODELS]), model, options, hands=Hands(processes=2))
    results = runner.run([Job(row.test, row.dialect) for row in rows])
    wrong = []
    for row, result in zip(rows, results, strict=True):
        found = _found(result, states)
        if found != row.verdict:
            wrong.append(f"{_name(row)}: {found}, expected {row.verdict}")
    return len(rows), wrong


def _found(result: Result, states: bool) -> str:
    if result.outcome is None:
        return str(result.error)
    if states and not result.outcome.executions:
        return "no final state"
    return result.outcome.verdict.value


def _name(row: Expectation) -> str:
    return row.test.stem


@pytest.mark.parametrize(
    ("model", "rows"), [("ptx", 338), ("ptx-v6.0", 258), ("sc", 338), ("tso", 338)]
)
def test_isa_verdicts_hold(model: str, rows: int) -> None:
    assert mismatches(ISA / "verdicts.tsv", model, model, Options()) == (rows, [])


#: Tests of which every execution is stuck or cut.
ENDLESS = ["bar.sync", "opposite", "cut", "other-cta"]


def test_async_verdicts_hold() -> None:
    rows, wrong = mismatches(ASYNC / "verdicts.tsv", "ptx", "ptx", Options(), states=True)
    endless = [f"Cluster-Stuck+{what}: no final state, expected Ok" for what in ENDLESS]
    assert (rows > 0, wrong) == (True, endless)


@pytest.mark.parametrize(
    ("model", "rows"), [("ptx", 125), ("ptx-v6.0", 50), ("sc", 80), ("tso", 80)]
)
def test_handoff_verdicts_hold(model: str, rows: int) -> None:
    assert mismatches(HANDOFF / "verdicts.tsv", model, model, Options(), states=True) == (rows, [])


@pytest.mark.parametrize("folder", [ISA, HANDOFF, ASYNC], ids=["isa", "handoff", "async"])
def test_every_test_of_a_collection_has_a_row(folder: Path) -> None:
    rows = read_expectations(folder / "verdicts.tsv", "ptx").rows
    assert sorted(row.test.path.name for row in rows if row.test.path) == sorted(
        path.name for path in folder.glob("*.litmus")
    )


@pytest.mark.parametrize("folder", [ISA, HANDOFF, ASYNC], ids=["isa", "handoff", "async"])
def test_every_test_is_named_as_its_file(folder: Path) -> None:
    for path in sorted(folder.glob("*.litmus")):
        assert parse_test(Source(str(path), path.read_text(encoding="utf-8"))).name == path.stem


@pytest.mark.parametrize("model", ["ptx-v6.0", "ptx"])
def test_public_ptx_tests_agree(model: str) -> None:
    """The same verdicts under both models: no test of that collection tells them apart."""
    path = shared_corpus("dat3m-ptx") / "verdicts.tsv"
    assert mismatches(path, model, "ptx-v6.0", Options(unroll=0)) == (76, [])


def test_public_tests_of_proxies_agree() -> None:
    path = shared_corpus("dat3m-ptx") / "verdicts.tsv"
    options = Options(unroll=0, dialect="dat3m")
    assert mismatches(path, "ptx-v7.5", "ptx-v7.5", options) == (148, [])
