"""A litmus test as it is written: initial section, host, threads of instructions, condition."""

from __future__ import annotations

from dataclasses import dataclass, field

from catpy.source import Source, Span

# What can be observed in a final state


@dataclass(frozen=True, slots=True, order=True)
class Register:
    """A register of a thread, without `%`. Prints as `1:r0`."""

    thread: int
    name: str

    def __str__(self) -> str:
        return f"{self.thread}:{self.name}"


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A memory location by its name, with an index where it is an element of an array."""

    name: str
    index: int | None = None

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


Observable = Register | Location


@dataclass(frozen=True, slots=True)
class Number:
    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of a location; `x` or `&x` where a value is wanted."""

    location: Location

    def __str__(self) -> str:
        return f"&{self.location}"


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """The unknown but constant initial value of a location (or register), `?x`."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"

    @property
    def location(self) -> Location:
        """The location of a name like `x` or `a[1]`."""
        name, _, index = self.name.removesuffix("]").partition("[")
        return Location(name, int(index) if index else None)


Term = Register | Location | Number | AddressOf | UnknownValue

# Conditions


@dataclass(frozen=True, slots=True)
class ObjectState:
    """The state of an object, by its kind and its fields: `mbarrier(0,2,1,0)`, as logs show it."""

    kind: str
    fields: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.kind}({','.join(map(str, self.fields))})"


Comparand = Term | ObjectState


@dataclass(frozen=True, slots=True)
class Atom:
    """`left operator right`, the operator one of `= != < <= > >=`."""

    left: Comparand
    operator: str
    right: Comparand
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


Condition = Atom | Not | And | Or | Implies | Truth

# The initial section


@dataclass(frozen=True, slots=True)
class Initial:
    """`target = value`; the value `?` is an UnknownValue of the target's name."""

    target: Observable
    value: Term
    span: Span


@dataclass(frozen=True, slots=True)
class Declaration:
    """`.global .u32 a[4] = {1, 2}`, or shorter: a name with what is said of it.

    `words` are the type, state space and other words before the name, without dots; `count` the
    number of elements of an array; `values` the initial values, in order.
    """

    words: tuple[str, ...]
    name: str
    count: int | None
    values: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Alias:
    """`y aliases x`, or `y @ proxy aliases x`."""

    name: str
    proxy: str | None
    target: str
    span: Span


InitItem = Initial | Declaration | Alias

# What the host does


@dataclass(frozen=True, slots=True)
class Name:
    """A name and where it stands. Equal names are equal, wherever they stand."""

    text: str
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Launch:
    """`launch K stream s`: enqueues a kernel or a graph; without a stream, in stream `0`."""

    task: Name
    stream: Name
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"launch {self.task} stream {self.stream}"


@dataclass(frozen=True, slots=True)
class Record:
    """`record e s`: enqueues a record of an event in a stream."""

    event: Name
    stream: Name
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"record {self.event} {self.stream}"


@dataclass(frozen=True, slots=True)
class Wait:
    """`wait s e`: enqueues a wait for the latest record of an event in a stream."""

    stream: Name
    event: Name
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"wait {self.stream} {self.event}"


@dataclass(frozen=True, slots=True)
class Barrier:
    """`barrier`: enqueues a barrier across all streams."""

    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return "barrier"


@dataclass(frozen=True, slots=True)
class Sync:
    """`sync h`: returns when a stream or an event is done; without one, when all streams are."""

    handle: Name | None
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"sync {self.handle}" if self.handle else "sync"


@dataclass(frozen=True, slots=True)
class Query:
    """`query r h`: asks whether a stream or an event is done, and writes the answer to `r`."""

    register: Name
    handle: Name
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"query {self.register} {self.handle}"


Call = Launch | Record | Wait | Barrier | Sync | Query


@dataclass(frozen=True, slots=True)
class Graph:
    """`graph G { K0 -> K1; K2; }`: kernels, and which of them depends directly on which."""

    name: Name
    nodes: tuple[Name, ...]
    edges: tuple[tuple[Name, Name], ...]


# Threads and tests


@dataclass(frozen=True, slots=True)
class Thread:
    """A column or block: where the thread is placed (`cta 0,gpu 0`), and its cells in order.

    A cell is the text of at most one instruction, labels included. The thread is one of a `kernel`
    or of the host, where the header says so. `scopes` are the blocks `{ … }` around each cell, the
    outermost first; none where there are no blocks.
    """

    number: int
    placement: tuple[tuple[str, int], ...]
    cells: tuple[Span, ...]
    span: Span
    kernel: str | None = None
    is_host: bool = False
    scopes: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class LitmusTest:
    """A whole test. `quantifier` is `exists`, `~exists` or `forall`.

    `host` are the calls of the `host` block, in the order in which they are made.
    """

    name: str
    arch: str
    arch_span: Span
    doc: str
    source: Source
    init: tuple[InitItem, ...]
    threads: tuple[Thread, ...]
    locations: tuple[tuple[Observable, Span], ...]
    filter: Condition | None
    quantifier: str
    condition: Condition
    #: Whether the condition was written, or is the `forall (true)` of a test without one.
    has_condition: bool
    host: tuple[Call, ...] = ()
    graphs: tuple[Graph, ...] = ()
