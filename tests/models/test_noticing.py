"""Which clauses `tools/clauses` runs a test without: all that can make a difference to it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from catpy.arch.program import Options
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.cat.mutation import without_one_clause
from tests.support import ROOT, load_model, model_of, named_test


def noticing() -> ModuleType:
    """The module of tools/clauses, which is in no package."""
    spec = importlib.util.spec_from_file_location("noticing", ROOT / "tools" / "noticing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("noticing", module)  # dataclasses look for their module there
    spec.loader.exec_module(module)
    return module


def run_without(model: Model, name: str) -> tuple[list[str], list[str]]:
    """The clauses that a test is run without, and of the others those that it would notice."""
    mutants = list(without_one_clause(model))
    suite = noticing().Suite(model, mutants, [named_test(name)], Options(), Settings())
    found, differing = suite.whole(0)
    others = [index for index in range(len(mutants)) if index not in differing]
    noticed = [index for index in others if suite.notices(index, [0], [found], first=True)]
    return [mutants[index].clause for index in differing], [mutants[i].clause for i in noticed]


@pytest.mark.parametrize("name", ["MP+rel+acq", "SB+fence.sc.sys", "Proxy-Store", "Mbarrier-MP"])
def test_no_other_clause_is_noticed(name: str) -> None:
    clauses, noticed = run_without(load_model("ptx"), name)
    assert noticed == []
    assert 20 < len(clauses) < 150


def test_an_operand_that_is_never_looked_at_is_left_in(tmp_path: Path) -> None:
    text = "let unused = po | rf\nlet f(r) = r | addr\nacyclic f(rf) | (po & data) as a\n"
    clauses, noticed = run_without(model_of(text, tmp_path), "MP+rel+acq")
    assert (clauses, noticed) == (["f: r", "check a", "check a: f(rf)"], [])


def test_with_try_a_test_is_run_without_each(tmp_path: Path) -> None:
    text = "let wrong = po | 'tag\nlet right = try wrong with 0\nacyclic right | rf as a\n"
    clauses, _ = run_without(model_of(text, tmp_path), "MP+rel+acq")
    assert "wrong: 'tag" in clauses
