"""Where the models and tests that come with catpy are."""

from __future__ import annotations

from pathlib import Path


def installed(name: str) -> Path:
    """The folder `models` or `litmus`: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "data" / name
    return inside if inside.is_dir() else package.parent / name
