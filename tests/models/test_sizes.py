"""What ptx.cat says of accesses of several sizes where they race: their verdict does not tell."""

from __future__ import annotations

from catpy.execution import run_test
from tests.support import isa_test, load_model


def test_a_write_is_observed_with_all_its_bytes() -> None:
    outcome = run_test(isa_test("Size-CoRR+part"), load_model("ptx"))
    assert (outcome.verdict.value, outcome.positive) == ("Undefined", 0)
