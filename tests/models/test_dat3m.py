"""A model in Dat3M's dialect gives that tool's verdicts on its tests."""

from __future__ import annotations

from pathlib import Path

from catpy.arch.program import Options
from catpy.batch.runner import Job, Runner
from catpy.batch.verdicts import read_expectations
from catpy.cat.dialect import Dialect
from catpy.cat.loader import Library
from tests.support import MODELS, shared_corpus

MODEL = Path(__file__).parent / "ptx-v6.0-dat3m.cat"


def test_the_public_tests_agree_with_their_verdicts() -> None:
    rows = read_expectations(shared_corpus("dat3m-ptx") / "verdicts.tsv", "ptx-v6.0").rows
    stated = [row for row in rows if row.verdict != "-"]
    runner = Runner(Library([MODELS], Dialect.DAT3M), str(MODEL), Options(unroll=0))
    wrong = []
    for row in stated:
        (result,) = runner.run([Job(row.test, row.dialect)])
        found = result.outcome.verdict.value if result.outcome else str(result.error)
        if found != row.verdict:
            wrong.append((row.test.stem, found, row.verdict))
    assert wrong == []
    assert len(stated) == 76
