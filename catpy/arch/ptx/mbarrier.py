"""The values of mbarrier objects, and what operations make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catpy.arch.terms import Computed, Expression, Opaque, Operator, Unknown, Value, compute
from catpy.errors import TestError
from catpy.litmus.syntax import ObjectState
from catpy.source import Span

#: The largest number of arrivals, and of bytes that a phase can wait for.
LARGEST = 2**20 - 1

#: What the state of an mbarrier is made of, for messages.
FIELDS = "a phase, the arrivals expected and those pending, the bytes to come"


@dataclass(frozen=True, slots=True)
class Mbarrier(Opaque):
    """The state of an mbarrier: its phase, and what is left of it.

    A phase is complete when no arrival is `pending` and the `tx` (bytes that were announced less
    those that arrived) is 0. The next one then expects `expected` arrivals.
    """

    phase: int
    expected: int
    pending: int
    tx: int

    def __str__(self) -> str:
        return f"mbarrier({self.phase},{self.expected},{self.pending},{self.tx})"

    def settled(self) -> Mbarrier:
        """The state after a phase that became complete."""
        if self.pending or self.tx:
            return self
        return Mbarrier(self.phase + 1, self.expected, self.expected, 0)


def fresh(count: Value, span: Span | None) -> Value:
    """An mbarrier that was just made; raises TestError for a count that it cannot have."""
    if isinstance(count, Unknown):
        return count
    if not isinstance(count, int) or not 1 <= count <= LARGEST:
        raise TestError(f"the count of an mbarrier is from 1 to {LARGEST}, not {count}", span)
    return Mbarrier(0, count, count, 0)


def in_state(state: ObjectState, span: Span) -> Value:
    """The mbarrier that a condition names; raises TestError for what is the state of none."""
    if state.kind != "mbarrier":
        raise TestError(f"there is no value `{state}`", span, "the address of `x` is `&x`, or `x`")
    if len(state.fields) != 4:
        raise TestError(f"`{state}` is no state of an mbarrier", span, f"it has {FIELDS}")
    return Mbarrier(*state.fields)


@dataclass(frozen=True, slots=True)
class Init:
    """`mbarrier.init`: the object that a count makes."""

    span: Span

    def __call__(self, count: Value) -> Value:
        return fresh(count, self.span)


@dataclass(frozen=True, slots=True)
class Change:
    """What an operation on an mbarrier does.

    In this order: it raises the pending count and the bytes that are expected, arrives (and leaves
    for good where it drops), and takes bytes off that came.

    The numbers are given as values behind the old state. Raises TestError where a count overflows,
    and where the operation `arrives` by none.
    """

    span: Span
    arrives: bool

    def __call__(self, old: Value, *numbers: Value) -> Value:
        if not isinstance(old, Mbarrier):
            return old
        more, expect, arrive, drop, came = (self._number(number) for number in numbers)
        if self.arrives and arrive < 1:
            raise TestError("the number of arrivals is 1 or more, not 0", self.span)
        if arrive > old.pending + more:
            message = f"{arrive} arrivals at an mbarrier with {old.pending + more} pending"
            raise TestError(message, self.span)
        if drop > old.expected or old.pending + more > LARGEST:
            raise TestError("the arrivals that this mbarrier expects overflow", self.span)
        tx = old.tx + expect - came
        if abs(tx) > LARGEST or abs(old.tx + expect) > LARGEST:
            raise TestError(f"the tx-count of this mbarrier overflows: {tx}", self.span)
        new = replace(old, expected=old.expected - drop, pending=old.pending + more - arrive, tx=tx)
        return new.settled()

    def _number(self, value: Value) -> int:
        if not isinstance(value, int):
            raise TestError(f"{value} is no number of arrivals or bytes", self.span)
        if value < 0:
            raise TestError(f"{value} arrivals or bytes are less than none", self.span)
        return value


def changed(
    old: Expression, numbers: Sequence[Expression], span: Span, *, arrives: bool
) -> Expression:
    """The state of an mbarrier after an operation, by the numbers that `Change` takes."""
    operator = Operator("mbarrier", Change(span, arrives), any_value=True)
    return compute(operator, old, *numbers)


@dataclass(frozen=True, slots=True)
class _Known:
    """A value of a location as a state: an unknown one where it is no mbarrier."""

    location: str

    def __call__(self, value: Value) -> Value:
        return value if isinstance(value, Mbarrier) else Unknown(self.location)


@dataclass(frozen=True, slots=True)
class _Refused:
    """What a wait for an object gives that does not return true: whether there is one is known."""

    location: str

    def __call__(self, value: Value) -> Value:
        return 0 if isinstance(value, Mbarrier) else Unknown(self.location)


def state_of(value: Expression, location: str) -> Expression:
    """What was read from a location, as the state of an mbarrier."""
    return compute(Operator("mbarrier state", _Known(location), any_value=True), value)


def refusal(value: Expression, location: str) -> Expression:
    """What a wait gives that found an object as it still is in the phase.

    It stays an expression where there is surely no object, so that what branches on it can say why.
    """
    reason = f"this wait, or an arrival at `{location}`, can come before what initialises it"
    if isinstance(value, Unknown):
        made = "`mbarrier.init` does, or a declaration like `.shared .mbarrier b = 1`"
        reason = f"nothing initialises `{location}`; {made}"
    operator = Operator(
        "mbarrier wait", _Refused(location), any_value=True, never_true=True, unknown=reason
    )
    return Computed(operator, (value,)) if isinstance(value, Unknown) else compute(operator, value)


def _has_passed(value: Value, parity: Value) -> int:
    return int(isinstance(value, Mbarrier) and value.phase % 2 != parity)


def _has_left(value: Value, state: Value) -> int:
    if isinstance(value, Mbarrier) and isinstance(state, Mbarrier):
        return int(value.phase != state.phase)
    return 0


def _pending(state: Value) -> Value:
    if isinstance(state, Mbarrier):
        return state.pending
    return Unknown(f"pending({state})")


#: Whether the phase of a parity is over: the present one has the other parity.
HAS_PASSED = Operator("has_passed", _has_passed, any_value=True)
#: Whether the phase of an earlier state is over.
HAS_LEFT = Operator("has_left", _has_left, any_value=True)
#: The pending count of a state.
PENDING = Operator("pending", _pending, any_value=True)
