"""What barrier instructions ask for, and the phases that their arrivals make up."""

from __future__ import annotations

from dataclasses import dataclass

from catpy.arch.program import End
from catpy.arch.terms import Expression
from catpy.source import Span

#: An arrival by its thread and the index of its event.
Where = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a barrier instruction asks for. `verb` is `sync`, `arrive` or `red`."""

    barrier: int | None
    count: int | None
    instance: int | None
    verb: str
    reduction: str | None
    predicate: Expression | None
    span: Span

    @property
    def waits(self) -> bool:
        return self.verb != "arrive"


@dataclass(frozen=True)
class Phase:
    """Arrivals that meet at a barrier; `ordinal` counts the phases of a barrier from 0."""

    barrier: object
    ordinal: int
    arrivals: frozenset[Where]
    complete: bool = True


@dataclass(frozen=True)
class Grouping:
    """The phases of the barriers of a CTA, and where its stuck threads wait."""

    phases: frozenset[Phase]
    stuck: frozenset[Where]


@dataclass(frozen=True)
class Member:
    """A thread of a CTA as far as barriers go: its arrivals in program order, and its end."""

    thread: int
    arrivals: tuple[tuple[int, Arrival], ...]
    end: End
    #: Barrier instances in the text of the thread, with the number each asks for if it is written.
    instances: frozenset[tuple[int, int | None]]
