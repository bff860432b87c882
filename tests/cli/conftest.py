"""What tests of the commands work in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import MP


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a test in it."""
    (tmp_path / "mp.litmus").write_text(MP)
    monkeypatch.chdir(tmp_path)
    return tmp_path
