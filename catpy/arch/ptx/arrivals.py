"""What barrier instructions ask for, and the phases that their arrivals make up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from catpy.arch.program import End
from catpy.arch.ptx.placement import Place
from catpy.arch.terms import Expression
from catpy.source import Span

#: An arrival by its thread and the index of its event.
Where = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Arrival:
    """What an instruction of a CTA barrier asks for. `verb` is `sync`, `arrive` or `red`."""

    barrier: int | None
    count: int | None
    instance: int | None
    verb: str
    reduction: str | None
    predicate: Expression | None
    span: Span

    @property
    def waits(self) -> bool:
        """Whether the thread goes on only once the phase is complete."""
        return self.verb != "arrive"


@dataclass(frozen=True, slots=True)
class ClusterStep:
    """The arrival of a thread in a phase of its cluster's barrier, counted from 1, or the wait."""

    phase: int
    waits: bool


Step = Arrival | ClusterStep


@dataclass(frozen=True)
class Phase:
    """Arrivals that meet at a CTA barrier; `ordinal` counts the phases of a barrier from 0."""

    barrier: object
    ordinal: int
    arrivals: frozenset[Where]
    complete: bool = True


@dataclass(frozen=True)
class Grouping:
    """The phases of the CTA barriers of some threads, and where those that are stuck wait."""

    phases: frozenset[Phase]
    stuck: frozenset[Where]


@dataclass(frozen=True)
class Member:
    """A thread as far as barriers go: its place, its steps in program order, and its end."""

    thread: int
    place: Place
    steps: tuple[tuple[int, Step], ...]
    end: End
    #: Barrier instances in the text of the thread, with the number each asks for if it is written.
    instances: frozenset[tuple[int, int | None]]

    @cached_property
    def arrivals(self) -> tuple[tuple[int, Arrival], ...]:
        """The steps at CTA barriers."""
        return tuple((index, step) for index, step in self.steps if isinstance(step, Arrival))

    @cached_property
    def cluster_steps(self) -> tuple[tuple[int, ClusterStep], ...]:
        """The steps at the barrier of the cluster."""
        return tuple((index, step) for index, step in self.steps if isinstance(step, ClusterStep))
