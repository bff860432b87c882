"""A thread in the middle of its symbolic execution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from catpy.arch.program import Constraint, End, Event
from catpy.arch.ptx.memory import Reach
from catpy.arch.terms import (
    EQUAL,
    Address,
    Computed,
    Expression,
    Value,
    compute,
    given,
    truth,
)
from catpy.source import Span

_Choice = TypeVar("_Choice", int, Address)

Reads = frozenset[int]
NO_READS: Reads = frozenset()


@dataclass(frozen=True, slots=True)
class Tainted:
    """A value, and the reads of the thread it syntactically depends on (by event index)."""

    value: Expression
    reads: Reads = NO_READS


def tainted(value: Expression, *sources: Tainted) -> Tainted:
    """A value that depends on what its sources depend on."""
    return Tainted(value, NO_READS.union(*(source.reads for source in sources)))


@dataclass(frozen=True, slots=True)
class Target:
    """An address that an operand leads to, the reads that chose it, and the place in the text."""

    address: Address
    reads: Reads
    span: Span


@dataclass(frozen=True, slots=True)
class Access:
    """The memory an instruction accesses: what it reaches there, the reads that chose it.

    `variable` is the name it is accessed by, `space` the tag of the state space it is in.
    """

    variable: str
    reach: Reach
    reads: Reads
    space: str


@dataclass(frozen=True, slots=True)
class Copy:
    """An asynchronous copy under way: its reads, all its memory operations, the fence behind."""

    reads: tuple[int, ...]
    operations: tuple[int, ...]
    fence: int | None = None


@dataclass(frozen=True, slots=True)
class Copies:
    """The asynchronous copies of a thread that waits can cover: not committed yet, and groups."""

    pending: tuple[Copy, ...] = ()
    groups: tuple[tuple[Copy, ...], ...] = ()

    def issued(self, copy: Copy) -> Copies:
        """With one more copy that is not committed."""
        return replace(self, pending=(*self.pending, copy))

    def committed(self) -> Copies:
        """Those that are pending become a group, which may be empty."""
        return Copies((), (*self.groups, self.pending))

    def covered(self, left: int) -> tuple[Copy, ...]:
        """The copies of all groups but the last `left`."""
        groups = self.groups[: max(0, len(self.groups) - left)]
        return tuple(copy for group in groups for copy in group)


@dataclass(frozen=True, slots=True)
class Head:
    """A thread as it came to the head of a loop, after so many idle rounds in a row."""

    events: int
    registers: Mapping[str, Tainted]
    copies: tuple[Copies, Copies]
    idle: int


@dataclass
class State:
    """Where a thread is, what its registers hold, and what it did so far.

    `step` is the place in program order of the events that are added now.
    """

    pc: int = 0
    step: int = 0
    registers: dict[str, Tainted] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    pairs: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    #: Reads that branches so far depended on, and those of the guard of the present instruction.
    control: Reads = NO_READS
    guard: Reads = NO_READS
    #: How often each backward branch was taken, by its position.
    taken: dict[int, int] = field(default_factory=dict)
    #: What it was when it last came to the heads of loops, and the idle rounds that led it to where
    #: it is: see `catpy.arch.ptx.loops`.
    heads: Mapping[int, Head] = field(default_factory=dict)
    idle: int = 0
    notes: dict[int, object] = field(default_factory=dict)
    #: The copies by `cp.async`, and those by the bulk forms that are not signalled to an mbarrier.
    copies: Copies = Copies()
    bulk: Copies = Copies()
    end: End | None = None
    fault: str = ""
    fault_span: Span | None = None

    def fork(self) -> State:
        """The same state, to go another way from here."""
        return replace(
            self,
            registers=dict(self.registers),
            events=list(self.events),
            pairs={name: list(pairs) for name, pairs in self.pairs.items()},
            constraints=list(self.constraints),
            taken=dict(self.taken),
            notes=dict(self.notes),
        )

    def fail(self, message: str, span: Span) -> State:
        """Ends in a fault, which is an error of the test if a model allows the execution."""
        self.end, self.fault, self.fault_span = End.FAULT, message, span
        return self

    def constrain(self, value: Expression, truth: bool, span: Span) -> None:
        """Notes that the way taken needs this expression to be true, or false."""
        self.constraints.append(Constraint(value, truth, len(self.events), span))

    def truth_of(self, condition: Expression) -> bool | None:
        """Whether a condition holds on the way taken so far; None where that is open.

        Code asks the same thing twice, by two predicates or at two accesses by one register. What
        contradicts itself is no way through a thread, and not worth a control flow.
        """
        values: dict[Expression, Value] = {}
        for constraint in self.constraints:
            if constraint.expression == condition:
                return constraint.truth
            match constraint.expression:
                case Computed(operator, (value, int() | Address() as known)) if operator is EQUAL:
                    if constraint.truth:
                        values[value] = known
        return truth(given(condition, values) if values else condition)

    def cases(
        self, value: Expression, choices: Iterable[_Choice], span: Span
    ) -> tuple[list[tuple[State, _Choice]], State | None]:
        """A state for each choice that a value can be, and one in which it is none of them."""
        results: list[tuple[State, _Choice]] = []
        other = self.fork()
        for choice in choices:
            here = compute(EQUAL, value, choice)
            known = self.truth_of(here)
            if known:
                return [(self, choice)], None
            if known is None:
                fork = self.fork()
                fork.constrain(here, True, span)
                other.constrain(here, False, span)
                results.append((fork, choice))
        return results, other

    def relate(self, name: str, sources: Iterable[int], targets: Sequence[int]) -> None:
        """Adds to a relation of the thread each source with each target that is another event."""
        pairs = self.pairs.setdefault(name, [])
        pairs += [(x, y) for x in sources for y in targets if x != y]

    def issue(self, operations: Sequence[int]) -> None:
        """What is in program order before the present instruction precedes what it issues."""
        before = [e.index for e in self.events if e.step is not None and e.step < self.step]
        self.relate("issued", before, operations)
