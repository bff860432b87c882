"""The outcome of a test under a model: states with their counts, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from catpy.arch.terms import Value
from catpy.litmus.syntax import Observable


class Verdict(Enum):
    """Whether the condition holds as written."""

    OK = "Ok"
    NO = "No"
    UNDEFINED = "Undefined"
    ERROR = "Error"


@dataclass(frozen=True)
class State:
    """A final state: the values of the outcome's observables, in their order."""

    values: tuple[Value, ...]
    executions: int
    satisfies: bool


@dataclass(frozen=True)
class Outcome:
    """What a model makes of a test.

    `states` are sorted; `stuck` and `cut` count consistent executions that come to no final state,
    because threads wait at a barrier for ever or because a loop was unrolled no further.
    """

    name: str
    file: str
    quantifier: str
    condition: str
    observables: tuple[Observable, ...]
    states: tuple[State, ...]
    flags: tuple[str, ...]
    undefined: bool
    candidates: int
    stuck: int
    cut: int
    time: float
    digest: str

    @property
    def positive(self) -> int:
        """The number of executions that satisfy the proposition under the quantifier."""
        return sum(state.executions for state in self.states if state.satisfies)

    @property
    def negative(self) -> int:
        return sum(state.executions for state in self.states if not state.satisfies)

    @property
    def bounded(self) -> bool:
        """Whether there is more than the states show: something was cut, or is stuck."""
        return bool(self.stuck or self.cut)

    @property
    def holds(self) -> bool:
        if self.quantifier == "exists":
            return self.positive > 0
        if self.quantifier == "~exists":
            return self.positive == 0
        return self.negative == 0

    @property
    def verdict(self) -> Verdict:
        if self.undefined:
            return Verdict.UNDEFINED
        return Verdict.OK if self.holds else Verdict.NO

    @property
    def observation(self) -> str:
        if not self.positive:
            return "Never"
        return "Sometimes" if self.negative else "Always"


def make_states(
    counts: Mapping[tuple[Value, ...], int], satisfying: frozenset[tuple[Value, ...]]
) -> tuple[State, ...]:
    """The states in the order they are printed: by value, numbers before names."""
    return tuple(
        State(values, counts[values], values in satisfying)
        for values in sorted(counts, key=lambda values: tuple(map(_order, values)))
    )


def _order(value: Value) -> tuple[int, int, str]:
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))
