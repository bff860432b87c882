"""What a model allows, a weaker one allows: SC, TSO, PTX, and PTX by the three clauses of 8.9.5."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catpy.errors import TestError
from catpy.execution import Outcome, run_test
from catpy.litmus import LitmusTest
from tests.execution.agreement import Setting
from tests.execution.chapter8 import small_test
from tests.execution.flavours import MENUS
from tests.support import ASYNC, outcome_of, read_test, states

SC, TSO, PTX = (Setting(name) for name in ("sc", "tso", "ptx"))
LITERAL = Setting("ptx", frozenset({"literal-8.9.5"}))
SEMANTIC = Setting("ptx", frozenset({"semantic-deps"}))
MIXED_PROXIES = Setting("ptx-v7.5")
SETTINGS = [SC, TSO, PTX, LITERAL, SEMANTIC, MIXED_PROXIES]
STRONGER = [*pairwise([SC, TSO, PTX, LITERAL]), (PTX, SEMANTIC), (SC, MIXED_PROXIES)]

#: Families of small tests: what asynchronous operations do, and what waits for them.
FAMILIES = ["Bulk", "CpAsync", "Reduce", "RedAsync", "StAsync", "Tensor", "Proxy", "Mbarrier"]
SMALL = [path for family in FAMILIES for path in sorted(ASYNC.glob(f"{family}-*.litmus"))]


def outcome(test: LitmusTest, setting: Setting) -> Outcome:
    return run_test(test, setting.model, settings=setting.settings)


@pytest.mark.parametrize("flavour", [*MENUS, None])
@settings(deadline=None, max_examples=5, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32 - 1))
def test_a_weaker_model_allows_more(flavour: str | None, seed: int) -> None:
    test = small_test(Random(seed), flavour)
    try:
        found = {setting: states(outcome(test, setting)) for setting in SETTINGS}
    except TestError:
        return  # a model allows what makes no sense, as more arrivals than are expected
    for stronger, weaker in STRONGER:
        assert found[stronger] <= found[weaker], f"{weaker}: {test.source.text}"


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_no_write_is_delayed_past_an_asynchronous_operation(path: Path) -> None:
    """In none of these does it matter that a write may pass a later read: SC and TSO agree."""
    test = read_test(path)
    assert states(outcome(test, SC)) == states(outcome(test, TSO))


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


CIRCLE = """PTX LB+copies
{ .global .u32 x = 1; .shared .u32 s = 2; .shared .mbarrier m = 1; }
 P0@cta 0,gpu 0                                                                     ;
 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [x], 4, [m] ;
 cp.async.bulk.global.shared::cta.bulk_group [x], [s], 4                            ;
exists (~([x]=1 \\/ [x]=2))
"""


@pytest.mark.parametrize("model", ["sc", "tso", "ptx"])
def test_copies_in_a_circle_make_no_value(model: str) -> None:
    """Both may run at a time, but neither writes what it has not read before."""
    assert outcome_of(CIRCLE, model).verdict.value == "No"
