"""`catpy run --check`: expected verdicts held against those that are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from catpy.cli import main
from tests.cli.helpers import weaker_model
from tests.support import ISA, MODELS


def expectations(folder: Path, verdict: str) -> Path:
    path = folder / "v.tsv"
    path.write_text(f"# comment\nfile\tdialect\tptx\tsc\nmp.litmus\tptx\t{verdict}\t-\n")
    return path


def test_check_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expectations(folder, "Ok")
    assert main(["run", "--check", "v.tsv"]) == 0
    out, err = capsys.readouterr()
    assert out == "v.tsv, column ptx: 1 checked, 1 hold, 0 do not, 0 without a verdict\n"
    assert err == ""


def test_check_names_the_row_that_does_not_hold(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expectations(folder, "No")
    assert main(["run", "--check", "v.tsv", "mp.litmus"]) == 1
    assert "v.tsv:3:1: mp: expected No, found Ok" in capsys.readouterr().out


def test_check_takes_another_column_and_runs_no_row_without_a_verdict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expectations(folder, "Ok")
    assert main(["run", "--check", "v.tsv", "--column", "sc"]) == 2
    assert "0 checked" in (out := capsys.readouterr().out)
    assert "nothing was checked" in out
    assert main(["run", "--check", "v.tsv", "-m", "tso"]) == 2
    assert "no column `tso`" in capsys.readouterr().err


def test_check_speaks_beside_a_format_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expectations(folder, "No")
    assert main(["run", "--format", "json", "--check", "v.tsv"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["tests"][0]["verdict"] == "Ok"
    assert "expected No, found Ok" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no header line"),
        ("test\tptx\n", "begins with `file`"),
        ("file\tptx\nmp.litmus\n", "v.tsv:2:1: error: this row has 1 cells"),
        ("file\tptx\nmp.litmus\tYes\n", "v.tsv:2:1: error: `Yes` is no verdict"),
        ("file\tdialect\tptx\nmp.litmus\tcuda\tOk\n", "there is no dialect `cuda`"),
    ],
)
def test_a_wrong_verdict_file_is_one_message(
    text: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "v.tsv").write_text(text)
    assert main(["run", "--check", "v.tsv"]) == 2
    assert message in capsys.readouterr().err


CHECKS = [
    line
    for line in (MODELS / "ptx.cat").read_text(encoding="utf-8").splitlines(keepends=True)
    if line.startswith(("acyclic", "irreflexive", "empty"))
    and not line.endswith(("as Coherence\n", "as Fence-SC\n", "as Single-Copy-Atomicity\n"))
    and "mixed-atomic" not in line
]


@pytest.mark.parametrize("check", CHECKS)
def test_a_copy_of_the_model_without_a_check_fails_some_row(
    check: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = [str(ISA / f"{n}.litmus") for n in ("LB+deps+isa", "Atomicity+isa1", "SCperLoc+ring3")]
    tests.append(str(ISA / "MP+rel+acq.litmus"))
    model = weaker_model(folder, check)
    assert main(["run", "-m", model, "--check", str(ISA / "verdicts.tsv"), *tests]) == 1
    assert "expected Ok, found No" in capsys.readouterr().out
