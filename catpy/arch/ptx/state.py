"""A thread in the middle of its symbolic execution."""

from __future__ import annotations

from dataclasses import dataclass, field

from catpy.arch.program import Constraint, End, Event
from catpy.arch.terms import Expression
from catpy.source import Span

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
class Access:
    """The memory an instruction accesses: location, virtual address, the reads that chose it."""

    location: str
    address: str
    reads: Reads


@dataclass
class State:
    """Where a thread is, what its registers hold, and what it did so far."""

    pc: int = 0
    registers: dict[str, Tainted] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    pairs: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    #: Reads that branches so far depended on, and those of the guard of the present instruction.
    control: Reads = NO_READS
    guard: Reads = NO_READS
    #: How often each backward branch was taken, by its position.
    taken: dict[int, int] = field(default_factory=dict)
    notes: dict[int, object] = field(default_factory=dict)
    end: End | None = None
    fault: str = ""
    fault_span: Span | None = None

    def fork(self) -> State:
        return State(
            self.pc,
            dict(self.registers),
            list(self.events),
            {name: list(pairs) for name, pairs in self.pairs.items()},
            list(self.constraints),
            self.control,
            self.guard,
            dict(self.taken),
            dict(self.notes),
        )

    def fail(self, message: str, span: Span) -> State:
        """Ends in a fault, which is an error of the test if a model allows the execution."""
        self.end, self.fault, self.fault_span = End.FAULT, message, span
        return self

    def constrain(self, value: Expression, truth: bool, span: Span) -> None:
        """Notes that the way taken needs this expression to be true, or false."""
        self.constraints.append(Constraint(value, truth, len(self.events), span))

    def relate(self, name: str, pairs: list[tuple[int, int]]) -> None:
        """Adds pairs of events to one of the relations of the thread."""
        self.pairs.setdefault(name, []).extend(pairs)
