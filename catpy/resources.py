"""Where the models and tests that come with catpy are."""

from __future__ import annotations

from pathlib import Path


def installed(name: str) -> Path:
    """The folder `models` or `litmus`: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "data" / name
    return inside if inside.is_dir() else package.parent / name


def locate(path: Path) -> Path:
    """The path itself, or, where there is none, what came with catpy as `litmus/…`."""
    if not path.exists() and path.parts[:1] == ("litmus",):
        own = installed("litmus").joinpath(*path.parts[1:])
        if own.exists():
            return own
    return path
