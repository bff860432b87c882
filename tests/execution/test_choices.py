"""Executions to look into: those that the reference engine finds alone, in the same order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from catpy.arch.program import Options
from catpy.errors import TestError, UsageError
from catpy.execution import inspection
from catpy.execution.inspection import Execution, Executions
from catpy.litmus import LitmusTest
from tests.support import load_model, named_test, test_of

#: Tests of all sorts: loops, barriers that can be stuck, copies, fences, parts, joint witnesses.
NAMES = [
    "MP+weak+fence.sc",
    "SB+fence.sc.sys",
    "CoRR+rlx",
    "Handoff-5.3-reuse",
    "Mbarrier-MP+cluster",
    "Bulk-Reuse",
    "Size-CoRR+part",
    "Cluster-Stuck+cut",
    "Bar+deadlock",
    "Host-MP+stream",
]

#: A value that comes of itself, where `sc` says nothing: candidates with several valuations.
CYCLE = """PTX LB
{ x=0; y=0; }
P0 { ld r0, [x]; add r0, r0, 0; st [y], r0; }
P1@cta 1 { ld r1, [y]; st [x], r1; beq r1, 0, L; st [z], 1; L: }
exists (0:r0=1)
"""

_MOST = 25


def found(test: LitmusTest, model: str, wanted: bool | None) -> list[object]:
    """The first executions, by what was read and what was chosen; errors as they come."""

    def walk() -> Iterator[object]:
        executions = Executions(test, load_model(model), Options(), wanted=wanted)
        for number in range(1, _MOST):
            try:
                yield told(executions.find(number))
            except (UsageError, TestError) as problem:
                yield problem.message
                return

    return list(walk())


def told(execution: Execution) -> object:
    """What tells an execution from others."""
    threads = [[str(event) for event in path.events] for path in execution.skeleton.paths]
    values = [execution.event_value(number) for number in range(len(execution.events))]
    return threads, dict(execution.sources), values, execution.registers()


@pytest.mark.parametrize("wanted", [None, True, False])
@pytest.mark.parametrize("model", ["ptx", "sc"])
@pytest.mark.parametrize("name", [*NAMES, "cycle"])
def test_the_fast_engine_leaves_out_no_execution(
    name: str, model: str, wanted: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = test_of(CYCLE) if name == "cycle" else named_test(name)
    monkeypatch.setattr(inspection, "_FEW", 0)
    fast = found(test, model, wanted)
    monkeypatch.setattr(inspection, "possible_choices", lambda *_: None)
    assert fast == found(test, model, wanted)
