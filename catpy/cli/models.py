"""Where and how the models of a call are looked up."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from catpy.arch import ARCHITECTURES
from catpy.cat.dialect import Dialect
from catpy.cat.loader import Library
from catpy.errors import UsageError
from catpy.resources import installed


def library(arguments: argparse.Namespace) -> Library:
    """The models that a call may name. Raises UsageError for a folder that is not there."""
    for folder in arguments.include:
        if not folder.is_dir():
            raise UsageError(f"-I: there is no folder {folder}")
    return Library(
        model_folders(arguments.include),
        Dialect(arguments.cat_dialect),
        variants(arguments),
        arguments.bell,
        arguments.define,
        frozenset().union(*(known.vocabulary.variants for known in ARCHITECTURES.values())),
    )


def variants(arguments: argparse.Namespace) -> frozenset[str]:
    """The variants that are on, in lower case."""
    return frozenset(name.lower() for name in arguments.variant)


def model_folders(included: Sequence[Path]) -> list[Path]:
    """Where models are looked up: -I, the working folder, CATPY_PATH, the installed ones."""
    listed = [Path(part) for part in os.environ.get("CATPY_PATH", "").split(os.pathsep) if part]
    return [*included, Path(), *listed, installed("models")]
