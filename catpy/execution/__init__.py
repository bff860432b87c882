"""Candidate executions: a program and a model put together, every final state counted.

`skeleton` is what executions of one control flow share, `valuation` solves the values for a choice
of rf, `finals` reads final states off an accepted execution, `naive` is the reference engine;
`names` says what models find bound.
"""

from catpy.execution.naive import run_test
from catpy.execution.names import surroundings
from catpy.execution.outcome import Outcome, Verdict

__all__ = ["Outcome", "Verdict", "run_test", "surroundings"]
