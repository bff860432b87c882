"""Conditions that no state could satisfy, by the types of the test, are refused."""

from __future__ import annotations

import pytest

from catpy.execution import run_test
from tests.litmus import helpers
from tests.support import load_model

INIT = ".global .u8 b; .global .s32 z = -1; .global .u32 a[2]; .shared .mbarrier m = 1; x = 0;"


def text_of(final: str) -> str:
    code = "mbarrier.arrive.b64 _, [m]; st.u8 [b], -1; ld.u32 r0, [x];"
    return f"PTX t\n{{ {INIT} y aliases b; }}\nP0@cta 0 {{ {code} }}\n{final}\n"


@pytest.mark.parametrize(
    ("final", "message", "hint"),
    [
        ("exists (▸b=-1)", "-1 is no value of `b`, by its type", "it is 255"),
        ("exists (▸b=256)", "256 is no value of `b`, by its type", "it is 0"),
        ("forall (x=0 /\\ ▸y!=256)", "256 is no value of `y`, by its type", "it is 0"),
        ("~exists (▸z=4294967295)", "4294967295 is no value of `z`, by its type", "it is -1"),
        ("filter (▸a[1]=-1) exists (x=0)", "-1 is no value of `a[1]`", "it is 4294967295"),
        ("exists (▸m=1)", "`m` is an mbarrier, whose value is no number", "`mbarrier(0,2,1,0)`"),
        ("exists (▸m=mbarrier(0,1,1))", "`mbarrier(0,1,1)` is no state of an mbarrier", "a phase"),
        ("exists (▸x=barrier(1))", "there is no value `barrier(1)`", "`&x`"),
        ("exists (▸m<mbarrier(0,1,1,0))", "can be compared by = and != only", ""),
    ],
)
def test_numbers_that_a_location_never_holds(final: str, message: str, hint: str) -> None:
    def act(text: str) -> object:
        return run_test(helpers.parse(text), load_model("sc"))

    helpers.fails(text_of(final), message, hint, act)


@pytest.mark.parametrize(
    "final",
    [
        "forall (b=255 /\\ y=255)",
        "forall (z=-1)",
        "forall (b<256 /\\ b>-1)",
        "forall (x!=-1)",
        "forall ([m]=mbarrier(1,1,1,0) /\\ m!=mbarrier(0,1,1,0))",
    ],
)
def test_numbers_that_it_may_hold(final: str) -> None:
    outcome = run_test(helpers.parse(text_of(final)), load_model("sc"))
    assert outcome.executions
    assert outcome.satisfying == frozenset(outcome.executions)
