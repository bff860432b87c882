"""Tests with a host: the engines agree, and the models that know `api` give the same verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.execution import run_test
from catpy.execution.search import Effort
from tests.support import ASYNC, load_model, read_test

TESTS = sorted(ASYNC.glob("Host-*.litmus"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("model", ["ptx", "ptx-v6.0", "sc", "tso"])
def test_engines_agree(path: Path, model: str) -> None:
    found = [
        run_test(read_test(path), load_model(model), effort=Effort(engine))
        for engine in ("fast", "naive")
    ]
    fast, naive = ((o.executions, o.flags, o.stuck, o.cut) for o in found)
    assert fast == naive


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_what_the_api_forbids_is_forbidden_everywhere(path: Path, model: str) -> None:
    test = read_test(path)
    if test.quantifier == "~exists":
        assert run_test(test, load_model(model)).verdict.value == "Ok"
