"""What an architecture gives the execution engines: events, thread executions, joint choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from catpy.arch.terms import Expression, Value
from catpy.errors import CatpyError
from catpy.litmus.syntax import Location, ObjectState, Observable
from catpy.source import Span

#: How tests may be read: as PTX, or as the Dat3M project reads its public tests.
DIALECTS = ("ptx", "dat3m")


@dataclass(frozen=True, slots=True)
class Options:
    """How a test is read: how often a thread may take a backward branch, the dialect, the variants.

    The variants are all that are on, in order; most are for models. With a number `spin`, a thread
    makes at most so many rounds in a row of a loop in which it only waits. Those do not count as
    backward branches, and more of them are assumed not to happen.
    """

    unroll: int = 2
    dialect: str = "ptx"
    variants: tuple[str, ...] = ()
    spin: int | None = None


@dataclass(frozen=True, slots=True)
class Extent:
    """The bytes from `start` to before `stop` of a variable that an access covers.

    `variable` has the memory, `view` is the variable by whose virtual addresses it is accessed.
    """

    variable: str
    view: str
    start: int
    stop: int

    def meets(self, other: Extent) -> bool:
        """Whether both cover a byte of physical memory."""
        same = self.variable == other.variable
        return same and self.start < other.stop and other.start < self.stop

    def is_same(self, other: Extent) -> bool:
        """Whether both cover the same bytes of physical memory."""
        return (self.variable, self.start, self.stop) == (other.variable, other.start, other.stop)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a thread, or an initial write (`thread` None).

    `sets` are the names of the sets it is in, its kind (`R`, `W`, `F`, …) among them. A memory
    event has the physical `location` it accesses and the virtual `address` it does it by; the
    `extent` is that of the whole scalar access, which is several events where accesses of other
    sizes divide its bytes; another event has one where it names bytes and accesses none. The
    `value` is what a write writes; what a read returns is `ReadValue(thread, index)`. The width of
    the access is `bits`, None where the instruction does not say. Events of a thread are in program
    order by their `step`: those of one step are unordered, those of none (asynchronous operations)
    are not in program order at all.
    """

    thread: int | None
    index: int
    sets: frozenset[str]
    location: str | None = None
    address: str | None = None
    value: Expression | None = None
    bits: int | None = None
    span: Span | None = None
    extent: Extent | None = None
    step: int | None = None

    @property
    def is_read(self) -> bool:
        """Whether it reads memory."""
        return "R" in self.sets

    @property
    def is_write(self) -> bool:
        """Whether it writes memory."""
        return "W" in self.sets


@dataclass(frozen=True, slots=True)
class Constraint:
    """A way a thread took: `expression` is true (not 0) or false; `position` events came before."""

    expression: Expression
    truth: bool
    position: int
    span: Span


class End(Enum):
    """How a thread execution ends."""

    DONE = "done"
    CUT = "cut"  # the unroll bound forbids what comes next
    FAULT = "fault"  # it does what has no meaning; see Path.fault


@dataclass(frozen=True)
class Path:
    """One way through a thread, symbolic: values are expressions over what its reads return.

    `pairs` are relations between the thread's events, by index: `addr`, `data`, `ctrl`, `rmw`, `si`
    (same instruction), `sca` (parts of one scalar access), `issued`, `completes`.
    """

    thread: int
    events: tuple[Event, ...]
    pairs: Mapping[str, frozenset[tuple[int, int]]]
    constraints: tuple[Constraint, ...]
    registers: Mapping[str, Expression]
    end: End
    fault: str = ""
    fault_span: Span | None = None
    #: The architecture's own notes on events, by index (barrier arrivals, …).
    notes: Mapping[int, object] = field(default_factory=dict)


#: Relations by name, between events given as (thread, index).
Relations = Mapping[str, frozenset[tuple[tuple[int, int], tuple[int, int]]]]


@dataclass(frozen=True)
class Join:
    """A joint choice of all threads, such as which barrier arrivals make a phase.

    `lengths` is how many events each path performs (fewer than it has where the thread is stuck),
    `pairs` are relations between events given as (thread, index), `values` what events return that
    are no reads, `stuck` the threads that wait for ever, `absent` those that never come to be, with
    what their registers hold. Of the `witnesses`, more relations in the same form, any one may
    hold: they do not tell executions apart. A `defect` is an error of the test where a model allows
    such an execution.
    """

    lengths: tuple[int, ...]
    pairs: Relations
    values: Mapping[tuple[int, int], Expression]
    stuck: frozenset[int]
    witnesses: tuple[Relations, ...] = ({},)
    defect: tuple[str, Span] | None = None
    absent: Mapping[int, Mapping[str, Expression]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cell:
    """A physical memory location: what its initial write writes, its width if declared.

    The initial write is in the further `sets`. Where accesses of several sizes divide a variable,
    each part is a location.
    """

    location: str
    initial: Value
    bits: int | None = None
    extent: Extent | None = None
    sets: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Part:
    """A location as a part of a value, `bits` wide."""

    location: str
    bits: int


Pairs = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that programs of an architecture bind for models, whatever the test.

    `variants` are those of its instructions, which no model needs to ask for.
    """

    sets: frozenset[str]
    relations: frozenset[str]
    variants: frozenset[str] = frozenset()


class Program(Protocol):
    """The program of a test, as the execution engines see it."""

    @property
    def threads(self) -> Sequence[int]:
        """The numbers of the threads."""
        ...

    @property
    def memory(self) -> Sequence[Cell]:
        """The physical locations, each with one initial write."""
        ...

    @property
    def warnings(self) -> Sequence[CatpyError]:
        """What is odd in the test and no error."""
        ...

    @property
    def set_names(self) -> frozenset[str]:
        """Every set name that the architecture's events may be in; the others are empty sets."""
        ...

    @property
    def constants(self) -> frozenset[Value]:
        """Values the test names: what a value that depends on itself can be."""
        ...

    def paths(self, thread: int) -> Sequence[Path]:
        """The ways through a thread. Raises TestError where an instruction makes no sense."""
        ...

    def joins(self, paths: Sequence[Path]) -> Iterator[Join]:
        """The joint choices of one path per thread, without doubles."""
        ...

    def relations(self, events: Sequence[Event]) -> Mapping[str, Pairs]:
        """The architecture's relations that depend on where events are, as scopes."""
        ...

    def parts_of(self, observable: Location) -> Sequence[Part]:
        """The physical location that a location of a condition names; several, low bits first."""
        ...

    def value_of(self, observable: Location, parts: Sequence[Value]) -> Value:
        """The value of a location from the values of its parts."""
        ...

    def address_of(self, location: Location) -> Value:
        """The address of a location, as a condition's `x` or `&x` on the right means it."""
        ...

    def object_in(self, state: ObjectState, span: Span) -> Value:
        """The value of an object in a state. Raises TestError where there is no such state."""
        ...

    def check_observable(self, observable: Observable, span: Span) -> None:
        """Raises TestError for a register or location that the test does not have."""
        ...

    def check_value(self, location: Location, value: int, span: Span) -> None:
        """Raises TestError for a number that a location of the test never holds by its type."""
        ...

    def all_observables(self) -> Sequence[Observable]:
        """All registers that are read into, and all locations."""
        ...
