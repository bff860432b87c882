"""`sc` and `tso` on the tests of asynchronous operations, which were written for `ptx`."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.execution import Outcome, run_test
from tests.support import ASYNC, load_model, outcome_of, read_test

#: Families of small tests: what asynchronous operations do, and what waits for them.
FAMILIES = ["Bulk", "CpAsync", "Reduce", "RedAsync", "StAsync", "Tensor", "Proxy", "Mbarrier"]
SMALL = [path for family in FAMILIES for path in sorted(ASYNC.glob(f"{family}-*.litmus"))]


def states(outcome: Outcome) -> set[str]:
    return {str(values) for values in outcome.executions}


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_no_write_is_delayed_past_an_asynchronous_operation(path: Path) -> None:
    """In none of these does it matter that a write may pass a later read: SC and TSO agree."""
    found = [run_test(read_test(path), load_model(model)) for model in ("sc", "tso")]
    assert states(found[0]) == states(found[1])


DELAYED = """PTX SB+copy
{ .global .u32 x = 0; .global .u32 y = 0; .shared .u32 s = 7; }
 P0@cta 0,gpu 0                        | P1@cta 1,gpu 0         ;
 st.weak.u32 [x], 1                    | atom.exch.b32 r0, y, 1 ;
 cp.async.ca.shared.global [s], [y], 4 | ld.weak.u32 r1, [x]    ;
 cp.async.wait_all                     |                        ;
 ld.weak.shared.u32 r0, [s]            |                        ;
exists (0:r0=0 /\\ 1:r1=0)
"""


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_a_copy_drains_the_store_buffer(model: str) -> None:
    """The copy reads y after the write of x is seen by all, unlike a load would."""
    assert outcome_of(DELAYED, model).verdict.value == "No"
