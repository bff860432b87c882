"""Threads that wait: with fewer rounds of spin loops there are fewer executions, no other state."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catpy.arch.program import Options
from catpy.execution import Outcome, run_test
from catpy.execution.search import Effort
from catpy.litmus import LitmusTest
from tests.execution import generate
from tests.execution.agreement import INSTALLED, seen
from tests.support import ASYNC, ISA, load_model, read_test, test_of

many = settings(deadline=None, max_examples=60, phases=[Phase.explicit, Phase.generate])
seeds = st.integers(0, 2**32 - 1)


def outcome(test: LitmusTest, model: str, spin: int | None, engine: str = "fast") -> Outcome:
    """With two idle rounds at most: more of them take the reference engine too long."""
    unroll = 1 if spin is None else 0
    return run_test(test, load_model(model), Options(unroll, spin=spin), effort=Effort(engine))


@pytest.mark.parametrize("name", INSTALLED)
@many
@given(seed=seeds, spin=st.integers(0, 1))
def test_engines_agree_on_tests_that_wait(name: str, seed: int, spin: int) -> None:
    test = test_of(generate.waiting_test(Random(seed)))
    found = [seen(outcome(test, name, spin, engine)) for engine in ("fast", "naive")]
    assert found[0] == found[1], test.source.text


@pytest.mark.parametrize("name", INSTALLED)
@many
@given(seed=seeds)
def test_rounds_that_fail_change_no_states(name: str, seed: int) -> None:
    test = test_of(generate.waiting_test(Random(seed)))
    without, some, bounded = (outcome(test, name, spin) for spin in (0, 1, None))
    assert without.executions.keys() == some.executions.keys() == bounded.executions.keys()
    assert not without.cut
    assert not some.cut
    # What is bounded by the number of backward branches has just as many rounds, and cuts others.
    assert some.executions == bounded.executions, test.source.text


#: Whole programs that wait, which do not take long with rounds that fail.
PROGRAMS = [
    *ISA.glob("*spin.litmus"),
    *ISA.glob("SpinLock*.litmus"),
    *ASYNC.glob("TicketLock*.litmus"),
    *ASYNC.glob("GridBarrier+*.litmus"),
    *ASYNC.glob("Seqlock*.litmus"),
    *ASYNC.glob("Mbarrier-MP*.litmus"),
]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_have_the_same_verdict_without_rounds_that_fail(path: Path) -> None:
    test = read_test(path)
    for name in ("ptx", "sc"):
        found = [
            run_test(test, load_model(name), Options(1, spin=spin), effort=Effort(states_only=True))
            for spin in (0, None)
        ]
        assert found[0].executions == found[1].executions
        assert (found[0].flags, found[0].verdict) == (found[1].flags, found[1].verdict)
