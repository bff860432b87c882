"""Outcome tables, their differences, and the grid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.batch.collect import TestFile
from catpy.batch.runner import Job, Runner
from catpy.cat.loader import Library
from catpy.errors import UsageError
from catpy.report import diff, grid
from catpy.report.diff import compare
from catpy.report.table import Table, record, to_json
from catpy.report.table_file import read_table, write_table
from tests.support import ISA, MODELS

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("MP+rel+acq", "SB+fence.sc.sys", "W+W+1", "Bar+deadlock", "MP+rel+acq-spin")
KEYS = {
    "counts",
    "decided",
    "incomplete",
    "key",
    *("name", "file", "kind", "condition", "verdict", "observation", "states", "positive"),
    *("negative", "candidates", "stuck", "cut", "bounded", "flags", "hash", "time", "error"),
}


def table(model: str, names: tuple[str, ...] = NAMES) -> Table:
    runner = Runner(Library([MODELS]), model)
    jobs = [Job(TestFile(ISA / f"{name}.litmus")) for name in names]
    return Table(model, tuple(map(record, runner.run(jobs))))


def without_causality(tmp_path: Path) -> Path:
    text = (MODELS / "ptx.cat").read_text(encoding="utf-8")
    check = "irreflexive (rf | fr); causality as Causality\n"
    assert check in text
    path = tmp_path / "weaker.cat"
    path.write_text(text.replace(check, ""), encoding="utf-8")
    return path


def test_json_has_every_key_of_the_schema() -> None:
    data = json.loads(to_json(table("ptx")))
    assert (data["schema"], data["model"]) == (1, "ptx")
    assert [set(test) for test in data["tests"]] == [KEYS] * len(NAMES)
    state = data["tests"][0]["states"][0]
    assert set(state) == {"values", "executions", "satisfies"}
    assert set(state["values"]) == {"1:r0", "1:r1"}


def test_a_table_reads_back_as_it_was_written(tmp_path: Path) -> None:
    written = table("ptx")
    write_table(written, tmp_path / "t.json")
    assert read_table(tmp_path / "t.json") == written


def test_a_failing_test_has_its_error_in_the_table(tmp_path: Path) -> None:
    (tmp_path / "bad.litmus").write_text("PTX bad { } P0 { frobnicate; } exists (true)")
    (result,) = Runner(Library([MODELS]), "ptx").run([Job(TestFile(tmp_path / "bad.litmus"))])
    failed = record(result)
    assert (failed.name, failed.verdict, failed.states) == ("bad", "Error", ())
    assert failed.error is not None
    assert "unknown instruction `frobnicate`" in failed.error


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": 2}', '{"schema": 1}'])
def test_what_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(UsageError, match="no outcome table"):
        read_table(tmp_path / "t.json")


def test_writing_replaces_an_old_table_only_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "t.json"
    with pytest.raises(UsageError, match="cannot write"):
        write_table(table("ptx", ("MP",)), path)
    path.parent.mkdir()
    write_table(table("ptx", ("MP",)), path)
    write_table(table("ptx", ("SB",)), path)
    assert [test.name for test in read_table(path).tests] == ["SB"]
    assert [file.name for file in path.parent.iterdir()] == ["t.json"]


def test_a_table_does_not_differ_from_itself() -> None:
    assert diff.FORMS["text"](compare(table("ptx"), table("ptx"))) == "no difference (5 tests)\n"


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_difference_of_a_weaker_model(
    form: str, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    before, after = table("ptx"), table(str(without_causality(tmp_path)))
    difference = compare(before, Table("weaker", after.tests))
    changed = [change.name for change in difference.changes]
    assert changed == ["MP+rel+acq", "SB+fence.sc.sys", "MP+rel+acq-spin"]
    golden(GOLDEN / f"difference.{form}", diff.FORMS[form](difference))


def test_a_test_that_one_table_lacks_is_a_difference() -> None:
    text = diff.FORMS["text"](compare(table("ptx", ("MP", "SB")), table("ptx", ("MP",))))
    assert "SB: Ok → missing" in text


def test_tests_of_one_name_are_told_apart_by_their_files() -> None:
    twice = Table("ptx", (*table("ptx", ("MP",)).tests, *table("ptx", ("MP",)).tests))
    renamed = Table("ptx", tuple(twice.tests))
    assert compare(twice, renamed).changes == ()


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_grid_of_models(form: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"grid.{form}", grid.FORMS[form]([table("ptx"), table("sc", NAMES[:3])]))


def test_summary_has_a_line_per_test(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "summary.text", grid.summary(table("ptx")))
