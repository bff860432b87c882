"""What many tests need: the installed models, tests from text, outcomes."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest

from catpy.arch.program import Options
from catpy.cat.loader import Library, Model
from catpy.execution import Outcome, run_test
from catpy.litmus import LitmusTest, parse_test
from catpy.source import Source

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"
ISA = ROOT / "litmus" / "isa"
HANDOFF = ROOT / "litmus" / "handoff"
ASYNC = ROOT / "litmus" / "async"


@functools.cache
def load_model(name: str) -> Model:
    """An installed model."""
    return Library([MODELS]).load(name)


def model_of(text: str, folder: Path) -> Model:
    """A model from its text, which is written to a file in a folder of the test's own."""
    path = folder / "model.cat"
    path.write_text(text, encoding="utf-8")
    return Library([MODELS]).load(str(path))


def test_of(text: str) -> LitmusTest:
    """A litmus test from its text."""
    return parse_test(Source("test.litmus", text))


test_of.__test__ = False  # type: ignore[attr-defined]  # a helper, no test


def outcome_of(
    text: str, model: Model | str = "ptx", unroll: int = 2, dialect: str = "ptx"
) -> Outcome:
    """The outcome of a litmus test under a model."""
    model = load_model(model) if isinstance(model, str) else model
    return run_test(test_of(text), model, Options(unroll, dialect))


def states(outcome: Outcome) -> set[str]:
    """The final states of an outcome, as texts."""
    return {str(values) for values in outcome.executions}


def isa_test(name: str) -> LitmusTest:
    """A test of litmus/isa."""
    return read_test(ISA / f"{name}.litmus")


def named_test(name: str) -> LitmusTest:
    """An installed test of whichever collection."""
    (path,) = (ROOT / "litmus").glob(f"*/{name}.litmus")
    return read_test(path)


def read_test(path: Path) -> LitmusTest:
    """A litmus test from its file."""
    return parse_test(Source(str(path), path.read_text(encoding="utf-8")))


def shared_corpus(name: str) -> Path:
    """A folder of test corpora that are not part of the repository; skips where they are absent."""
    root = Path(os.environ.get("CATPY_SHARED", ROOT.parent / "shared"))
    folder = root / "corpus" / name
    if not folder.is_dir():
        pytest.skip(f"there is no {folder} (CATPY_SHARED names the folder that holds corpus/)")
    return folder
