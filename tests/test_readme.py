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

#: Commands with what is shown below each, from the tour.
TOUR = [
    (found["command"], found["shown"])
    for block in re.findall(r"```console\n(.*?)```", README.split("## Five minutes")[1], re.DOTALL)
    for found in re.finditer(r"\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", block)
]

#: What the tools run, once there is an environment.
TOOLS = {"tools/catpy": "-m catpy", "tools/clauses": f"{ROOT}/tools/clauses.py"}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the README's commands find what they name."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("models", "litmus"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize(("command", "shown"), TOUR)
def test_commands_of_the_tour_print_what_is_shown(command: str, shown: str, clone: Path) -> None:
    for tool, run in TOOLS.items():
        command = command.replace(tool, f"{sys.executable} {run}")
    process = subprocess.run(
        command,
        shell=True,
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stderr == ""
    assert process.returncode in (0, 1)
    if shown != "…\n":
        assert re.sub(r"(?m)^(Time \S+) .*", r"\1 0.00", process.stdout) == shown


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
