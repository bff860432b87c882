"""Asynchronous operations under sequential consistency: each at some time between the others."""

from __future__ import annotations

import pytest

from catpy.execution import run_test
from tests.support import load_model, named_test, outcome_of

INIT = "{ .global .u32 x = 0; .shared .u32 s = 1; }"


@pytest.mark.parametrize(
    ("operation", "place", "later"),
    [
        ("cp.async.ca.shared.global [s], [x], 4", "s", 5),
        ("red.async.release.gpu.global.add.u32 [x], 1", "x", 6),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [x], [s], 4", "x", 6),
    ],
)
def test_what_is_written_was_read_before(operation: str, place: str, later: int) -> None:
    threads = f"P0@cta 0 {{ {operation}; }} P1@cta 0 {{ ld.u32 r0, [{place}]; st.u32 [x], 5; }}"
    text = f"PTX t\n{INIT}\n{threads}\n~exists (1:r0={later})\n"
    assert outcome_of(text, "sc").verdict.value == "Ok"


@pytest.mark.parametrize("name", ["Tensor-Reuse+wait", "Tensor-Reuse+wait.read"])
def test_a_complete_copy_has_read_its_tensormap(name: str) -> None:
    assert run_test(named_test(name), load_model("sc")).verdict.value == "Ok"
