"""The README shows what the command really prints, and names files that exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")

#: The blocks of the tour: commands, each with what is shown below it. Later ones of a block use
#: the files that earlier ones make.
TOUR = [
    re.findall(r"\$ (.*)\n((?:(?!\$ ).*\n)*)", block)
    for block in re.findall(r"```console\n(.*?)```", README.split("## Five minutes")[1], re.DOTALL)
]

#: What the tools run, once there is an environment.
TOOLS = {"tools/catpy": "-m catpy", "tools/clauses": f"{ROOT}/tools/clauses.py"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder in which the README's commands find what they name."""
    for name in ("models", "litmus"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def printed_by(command: str, folder: Path) -> str:
    """What a command prints, with all times 0."""
    for tool, run in TOOLS.items():
        command = command.replace(tool, f"{sys.executable} {run}")
    process = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stderr == ""
    assert process.returncode in (0, 1)
    return re.sub(r"(?m)^(Time \S+) .*", r"\1 0.00", process.stdout)


@pytest.mark.parametrize("block", TOUR, ids=lambda block: block[0][0])
def test_commands_of_the_tour_print_what_is_shown(
    block: list[tuple[str, str]], clone: Path
) -> None:
    for command, shown in block:
        printed = printed_by(command, clone)
        if shown != "…\n":
            assert printed == shown


def test_the_tour_is_there() -> None:
    assert len(TOUR) >= 8


def test_files_that_the_readme_names_exist() -> None:
    named = re.findall(r"`((?:catpy|models|tests|litmus|tools)/[\w./+-]+)`", README)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_first_screen_has_both_commands() -> None:
    first = README.splitlines()[:30]
    assert "$ tools/catpy run litmus/isa" in first
    assert "$ tools/test" in first


def test_questions_are_answered_by_tests_that_exist() -> None:
    table = README.split("| question | answer | tests |\n")[1].split("\n\n")[0]
    rows = [row.split(" | ")[2] for row in table.splitlines()[1:]]
    named = [name for row in rows for name in re.findall(r"`([A-Z][\w.+-]+)`", row)]
    assert len(named) > len(rows) > 5
    assert [name for name in named if not list(ROOT.glob(f"litmus/*/{name}*.litmus"))] == []
