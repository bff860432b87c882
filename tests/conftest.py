"""What holds for all tests, and golden files: `pytest --promote` writes what the tests find."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.batch.work import allow_deep_nesting


def pytest_configure() -> None:
    """The command raises the limit for its process; a test by hypothesis may not be the first."""
    allow_deep_nesting()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--promote", action="store_true", help="write the golden files anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a golden file."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--promote"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
