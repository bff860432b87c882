"""Outputs, inputs and streams that are not what one expects."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from catpy.cli import main
from tests.support import ISA, ROOT

MP = str(ISA / "MP.litmus")


def catpy(*arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "catpy", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **extra},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_table_goes_through_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert main(["run", "-o", str(tmp_path / "link.json"), "--format", "table", MP]) == 0
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["schema"] == 1


def test_a_table_goes_into_a_pipe_and_leaves_it_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        assert catpy("run", "-o", str(pipe), MP).returncode == 0
        out, _ = reader.communicate(timeout=20)
    assert json.loads(out)["tests"][0]["name"] == "MP"
    assert pipe.is_fifo()


@pytest.mark.parametrize("target", ["", ".", "no/where/t.json"])
def test_a_table_that_cannot_be_written_stops_the_run_at_once(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-o", target, MP]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "cannot write" in err


def test_a_loop_of_links_is_one_bad_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.litmus").symlink_to(tmp_path / "a.litmus")
    (tmp_path / "b.litmus").write_text((ISA / "MP.litmus").read_text())
    assert main(["run", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "Test MP " in out
    assert "cannot read" in err


@pytest.mark.parametrize("word", ["", "x" * 5000, "a\0b"])
def test_an_odd_name_is_one_bad_test(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", word, MP]) == 2
    out, err = capsys.readouterr()
    assert "Test MP " in out
    assert err.count("error:") == 1


def test_a_byte_order_mark_is_no_part_of_a_test(tmp_path: Path) -> None:
    (tmp_path / "bom.litmus").write_bytes(b"\xef\xbb\xbf" + (ISA / "MP.litmus").read_bytes())
    assert main(["run", str(tmp_path / "bom.litmus")]) == 0


def test_output_that_cannot_show_a_character_shows_its_number() -> None:
    for arguments in (["--help"], ["diff", "--help"], ["diff", "-m", "ptx", "-m", "sc", MP]):
        process = catpy(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
        assert process.returncode in (0, 1)
        assert process.stderr == ""


def test_a_long_line_is_shown_in_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.litmus"
    path.write_text("PTX t { } P0 { nop; } exists (x=0 /\\ " + "y=1 /\\ " * 50_000 + "$)")
    assert main(["run", str(path)]) == 2
    assert len(capsys.readouterr().err) < 1000


def test_a_difference_tells_failures_from_what_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.litmus").write_text("PTX bad { } P0 { frobnicate; } exists (true)")
    call = ["diff", "-m", "ptx", "-m", "ptx", str(tmp_path / "bad.litmus"), "none.litmus", MP]
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == "no difference (1 test, 1 could not be run)\n"
    assert "there is no file none.litmus" in err
    assert err.count("unknown instruction") == 1


WRONG: dict[str, object] = {
    "model": [1],
    "tests": {},
    "name": None,
    "flags": [[]],
    "positive": "1",
    "error": 3,
    "states": [{"values": {"x": []}, "executions": 1, "satisfies": True}],
}


@pytest.mark.parametrize("field", WRONG)
def test_a_table_with_a_field_of_a_wrong_type_is_refused(
    field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "-o", str(tmp_path / "t.json"), MP]) == 0
    data = json.loads((tmp_path / "t.json").read_text())
    (data if field in data else data["tests"][0])[field] = WRONG[field]
    (tmp_path / "t.json").write_text(json.dumps(data))
    for command in (["table"], ["diff", str(tmp_path / "t.json")]):
        assert main([*command, str(tmp_path / "t.json")]) == 2
        assert "is no outcome table" in capsys.readouterr().err


def test_a_closed_input_is_one_bad_test() -> None:
    command = f"{sys.executable} -m catpy run - {MP} <&-"
    process = subprocess.run(
        command,
        shell=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    assert "Test MP " in process.stdout
    assert "Traceback" not in process.stderr
