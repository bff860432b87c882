"""Candidate executions: a program and a model put together, every final state counted.

`skeleton` is what executions of one control flow share, `valuation` solves the values for a choice
of rf, `finals` reads final states off an accepted execution; `naive` is the reference engine,
`blocks` the fast one, `run` runs a test by either; `names` says what models find bound.
"""

from catpy.execution.names import surroundings
from catpy.execution.outcome import Outcome, Verdict
from catpy.execution.run import run_test

__all__ = ["Outcome", "Verdict", "run_test", "surroundings"]
