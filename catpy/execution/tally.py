"""What an engine counts, control flow by control flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from catpy.execution.outcome import Values
from catpy.execution.skeleton import Skeleton


@dataclass
class Tally:
    """What was counted so far: executions by final state, and those that come to none.

    With `states_only` each state counts once. `watch` is shown every state that is added, and may
    end the search by an exception.
    """

    states_only: bool = False
    watch: Callable[[Values], None] | None = None
    states: Counter[Values] = field(default_factory=Counter)
    flags: set[str] = field(default_factory=set)
    candidates: int = 0
    executions: int = 0
    stuck: int = 0
    cut: int = 0

    def add_unfinished(self, skeleton: Skeleton, executions: int) -> None:
        """Adds executions of a control flow that come to no final state."""
        if skeleton.is_cut:
            self.cut += executions
        else:
            self.stuck += executions

    def add(self, executions: Mapping[Values, int]) -> None:
        """Adds executions of some final states."""
        self.executions += sum(executions.values())
        if self.states_only:
            self.states.update(dict.fromkeys(executions.keys() - self.states.keys(), 1))
        else:
            self.states.update(executions)
        if self.watch is not None:
            for values in executions:
                self.watch(values)
