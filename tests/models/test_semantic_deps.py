"""Dependencies that make no difference order nothing (`--variant semantic-deps`, §8.10.4)."""

from __future__ import annotations

import pytest

from catpy.cat.interpreter import Settings
from catpy.execution import Outcome, run_test
from catpy.execution.search import Effort
from tests.support import load_model, named_test, test_of

VARIANT = Settings(variants=frozenset({"semantic-deps"}))

#: Load buffering: each thread reads one place, does this, and so writes 1 to the other, `{out}`.
LB = """PTX LB
{{ x=0; y=0; }}
P0@cta 0,gpu 0 {{ ld.relaxed.gpu.u32 r0, [x]; {first} }}
P1@cta 1,gpu 0 {{ ld.relaxed.gpu.u32 r0, [y]; {second} }}
exists (0:r0=1 /\\ 1:r0=1)
"""

STORE = "st.relaxed.gpu.u32 [{out}], "

#: What reads the register and does not depend on it.
NO_DIFFERENCE = {
    "xor": "xor.b32 r1, r0, r0; add.u32 r1, r1, 1; " + STORE + "r1;",
    "and 0": "and.b32 r1, r0, 0; or.b32 r1, r1, 1; " + STORE + "r1;",
    "selp": "setp.eq.u32 p1, r0, 1; selp.u32 r1, 1, 1, p1; " + STORE + "r1;",
    "address": "sub.u32 r1, r0, r0; mov r2, {out}; add r3, r2, r1; st.relaxed.gpu.u32 [r3], 1;",
    "branch to the next line": "bne r0, 1, L; L: " + STORE + "1;",
    "the same on both sides": "bne r0, 1, L; " + STORE + "1; goto E; L: " + STORE + "1; E:",
    "both guards": "setp.eq.u32 p1, r0, 1; @p1 " + STORE + "1; @!p1 " + STORE + "1;",
}

#: What does depend on it.
DIFFERENCE = {
    "data": STORE + "r0;",
    "some bits": "and.b32 r1, r0, 1; " + STORE + "r1;",
    "one value alone": "setp.eq.u32 p1, r0, 1; selp.u32 r1, 1, 7, p1; " + STORE + "r1;",
    "a branch": "bne r0, 1, L; " + STORE + "1; L:",
    "another value on the other side": "bne r0, 1, L; "
    + STORE
    + "1; goto E; L: "
    + STORE
    + "2; E:",
    "twice on one side": "bne r0, 1, L; " + STORE + "3; L: " + STORE + "1;",
}


def verdicts(first: str, second: str, settings: Settings) -> set[str]:
    """What both engines say of a test."""
    test = test_of(LB.format(first=first.format(out="y"), second=second.format(out="x")))
    return {
        run_test(test, load_model("ptx"), settings=settings, effort=Effort(engine)).verdict.value
        for engine in ("fast", "naive")
    }


@pytest.mark.parametrize("code", NO_DIFFERENCE.values(), ids=NO_DIFFERENCE)
def test_what_makes_no_difference_is_no_dependency(code: str) -> None:
    assert verdicts(code, code, Settings()) == {"No"}
    assert verdicts(code, code, VARIANT) == {"Ok"}
    assert verdicts(code, DIFFERENCE["data"], VARIANT) == {"Ok"}


@pytest.mark.parametrize("code", DIFFERENCE.values(), ids=DIFFERENCE)
def test_what_makes_a_difference_is_a_dependency(code: str) -> None:
    assert verdicts(code, code, VARIANT) == {"No"}
    assert verdicts(code, DIFFERENCE["data"], VARIANT) == {"No"}


def states(outcome: Outcome) -> set[str]:
    return {str(values) for values in outcome.executions}


@pytest.mark.parametrize("name", ["LB+deps+isa", "LB+addrs", "LB+ctrls", "LB+preds"])
def test_the_dependencies_of_the_text_are_semantic(name: str) -> None:
    found = [
        run_test(named_test(name), load_model("ptx"), settings=settings)
        for settings in (Settings(), VARIANT)
    ]
    assert states(found[0]) == states(found[1])
