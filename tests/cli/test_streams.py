"""A closed pipe, an interrupt, a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ISA, ROOT


def catpy(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "catpy", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def started(*arguments: str) -> subprocess.Popen[str]:
    """A command that goes on, with both of its streams to read."""
    return subprocess.Popen(
        catpy(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    )


def test_a_closed_pipe_ends_quietly() -> None:
    with started("run", str(ISA)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("Test ")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_an_interrupt_ends_quietly_and_keeps_the_table(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    with started("run", str(ISA), "-o", str(table)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Test ")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    assert json.loads(table.read_text())["tests"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_message(folder: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = subprocess.run(
            catpy("run", "mp.litmus"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
            check=False,
        )
    assert process.returncode == 2
    assert process.stderr == "error: cannot write the output: No space left on device\n"
