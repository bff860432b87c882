"""The outcome of a test under a model: states with their counts, and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from itertools import product
from operator import itemgetter

from catpy.arch.terms import Unknown, Value
from catpy.errors import CatpyError
from catpy.litmus.syntax import Observable


class Verdict(Enum):
    """Whether the condition holds as written."""

    OK = "Ok"
    NO = "No"
    UNDEFINED = "Undefined"
    INCOMPLETE = "Incomplete"
    ERROR = "Error"


Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A final state: the values of the outcome's observables, in their order."""

    values: Values
    executions: int
    satisfies: bool


@dataclass(frozen=True)
class Outcome:
    """What a model makes of a test.

    `executions` counts them by final state, the values of the observables in their order; those in
    `satisfying` satisfy the proposition. `stuck` and `cut` count consistent executions that come to
    no final state, because threads wait for ever or because a loop was unrolled no further.
    """

    name: str
    file: str
    quantifier: str
    condition: str
    observables: tuple[Observable, ...]
    executions: Mapping[Values, int]
    satisfying: frozenset[Values]
    flags: tuple[str, ...]
    undefined: bool
    candidates: int
    stuck: int
    cut: int
    time: float
    digest: str
    #: What ended the search early: a limit (empty: none did), or that the condition was decided.
    incomplete: str = ""
    decided: bool = False
    #: Whether executions were not counted: then each state counts once.
    states_only: bool = False
    #: What the condition compares with numbers, and these.
    compared: Mapping[Observable, Set[int]] = field(default_factory=dict)
    #: What is odd in the test and no error.
    warnings: tuple[CatpyError, ...] = ()

    @cached_property
    def _held(self) -> dict[Observable, list[Value]]:
        """The values of what the condition compares with numbers, each once."""
        return {
            observable: list(dict.fromkeys(map(itemgetter(column), self.executions)))
            for column, observable in enumerate(self.observables)
            if observable in self.compared
        }

    @cached_property
    def unknown(self) -> dict[Observable, Unknown]:
        """What the condition compares with numbers, and can be an unknown value, with one of those.

        Such a value equals no number, whatever memory holds.
        """
        found: dict[Observable, Unknown] = {}
        for observable, values in self._held.items():
            for value in values:
                if isinstance(value, Unknown) and not value.invented:
                    found.setdefault(observable, value)
        return dict(sorted(found.items(), key=str))

    @cached_property
    def other_sign(self) -> dict[Observable, tuple[int, int]]:
        """What the condition compares with a number, and is the same bits with the other sign.

        With one such value and the number.
        """
        found: dict[Observable, tuple[int, int]] = {}
        for observable, values in self._held.items():
            for value, number in product(values, self.compared[observable]):
                if isinstance(value, int) and _differ_in_sign(value, number):
                    found.setdefault(observable, (value, number))
        return dict(sorted(found.items(), key=str))

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states in the order they are printed: by value, numbers before names."""
        try:
            order = sorted(self.executions)
        except TypeError:  # not all of them are numbers
            order = sorted(self.executions, key=lambda values: tuple(map(_order, values)))
        return tuple(State(v, self.executions[v], v in self.satisfying) for v in order)

    @cached_property
    def positive(self) -> int:
        """The number of executions that satisfy the proposition under the quantifier."""
        return sum(self.executions[values] for values in self.satisfying)

    @cached_property
    def negative(self) -> int:
        """The number of the other executions."""
        return sum(self.executions.values()) - self.positive

    @property
    def bounded(self) -> bool:
        """Whether there is more than the states show: something was cut, or is stuck."""
        return bool(self.stuck or self.cut)

    @property
    def holds(self) -> bool:
        """Whether the condition holds as it is written, quantifier included."""
        if self.quantifier == "exists":
            return self.positive > 0
        if self.quantifier == "~exists":
            return self.positive == 0
        return self.negative == 0

    @property
    def verdict(self) -> Verdict:
        """What is said of the condition; what is undefined or unfinished has none."""
        if self.undefined:
            return Verdict.UNDEFINED
        if self.incomplete:
            return Verdict.INCOMPLETE
        return Verdict.OK if self.holds else Verdict.NO

    @property
    def observation(self) -> str:
        """How many executions satisfy the proposition: `Never`, `Sometimes` or `Always`."""
        if not self.positive:
            return "Never"
        return "Sometimes" if self.negative else "Always"


def _differ_in_sign(one: int, other: int) -> bool:
    """Whether a negative number and another are the same bits, in some type."""
    low, high = sorted((one, other))
    return low < 0 <= high and high - low in (2**8, 2**16, 2**32, 2**64)


def _order(value: Value) -> tuple[int, int, str]:
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))


def join(parts: Sequence[Outcome]) -> Outcome:
    """The outcome of a test that was searched in parts."""
    first, *others = parts
    decided = any(part.decided for part in parts)
    executions = Counter(first.executions)
    for part in others:
        if first.states_only:
            executions |= Counter(part.executions)
        else:
            executions += Counter(part.executions)
    return replace(
        first,
        executions=executions,
        satisfying=frozenset().union(*(part.satisfying for part in parts)),
        flags=tuple(sorted({flag for part in parts for flag in part.flags})),
        undefined=any(part.undefined for part in parts),
        candidates=sum(part.candidates for part in parts),
        stuck=sum(part.stuck for part in parts),
        cut=sum(part.cut for part in parts),
        time=sum(part.time for part in parts),
        incomplete=next((part.incomplete for part in parts if part.incomplete and not decided), ""),
        decided=decided,
    )
