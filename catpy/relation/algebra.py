"""The protocol of a relational algebra over the events of candidate executions.

An evaluator that uses only what is declared here does not know how many candidates it works on: an
event set may be the set of one candidate or of thousands at once, and a `Truth` says in which of
them a statement holds. Where the answer to a question is not the same for all of them, or is not
known yet, the algebra raises `Undecided`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Self


class Undecided(Exception):  # noqa: N818  (an answer that cannot be given, not an error of the input)
    """What is asked differs between the candidates of an algebra, or is not known yet."""


#: In which candidates a statement holds. Opaque: only the algebra that made it can read it.
Truth = Any


class Elements(ABC):
    """A set of events or of pairs of events, in each candidate of its algebra."""

    __slots__ = ()

    @abstractmethod
    def __or__(self, other: Self) -> Self:
        """The union."""

    @abstractmethod
    def __and__(self, other: Self) -> Self:
        """The intersection."""

    @abstractmethod
    def __sub__(self, other: Self) -> Self:
        """What is in this one and not in the other."""

    @abstractmethod
    def complement(self) -> Self:
        """All events, or all pairs of events, that are not in here."""

    @abstractmethod
    def key(self) -> bytes:
        """The same for equal values of one algebra and kind, different for different ones.

        May raise Undecided.
        """

    def token(self) -> Hashable:
        """The same only for equal values of one algebra and kind, though perhaps not for all."""
        return self.key()


#: A round of a recursion: the values that its right sides have for values of the names.
Step = Callable[[Sequence[Elements]], Sequence[Elements]]


class EventSet(Elements):
    """A set of events."""

    __slots__ = ()

    @abstractmethod
    def product(self, other: Self) -> Relation:
        """Events of this set × events of the other."""

    @abstractmethod
    def identity(self) -> Relation:
        """The identity on this set, `[S]` in cat."""


class Relation(Elements):
    """A relation, events × events."""

    __slots__ = ()

    @abstractmethod
    def compose(self, other: Self) -> Self:
        """`r;s`: x to z where some y has x r y and y s z."""

    @abstractmethod
    def inverse(self) -> Self:
        """`r^-1`: y to x where x r y."""

    @abstractmethod
    def transitive_closure(self) -> Self:
        """`r+`, the least transitive relation that holds this one."""

    @abstractmethod
    def reflexive_closure(self) -> Self:
        """`r?`, this relation and the identity on all events."""

    def reflexive_transitive_closure(self) -> Self:
        """`r*`."""
        return self.transitive_closure().reflexive_closure()

    @abstractmethod
    def domain(self) -> EventSet:
        """The events that have a successor."""

    @abstractmethod
    def range(self) -> EventSet:
        """The events that have a predecessor."""


class Algebra(ABC):
    """The constants, tests and enumerations of an algebra over `size` events."""

    size: int

    @property
    @abstractmethod
    def empty_set(self) -> EventSet:
        """No event."""

    @property
    @abstractmethod
    def all_events(self) -> EventSet:
        """Every event, initial writes among them."""

    @property
    @abstractmethod
    def empty_relation(self) -> Relation:
        """No pair."""

    @property
    @abstractmethod
    def identity(self) -> Relation:
        """Each event with itself, `id` in cat."""

    @property
    @abstractmethod
    def all_pairs(self) -> Relation:
        """All events × all events."""

    # Tests: in which candidates something holds.

    @abstractmethod
    def is_empty(self, value: EventSet | Relation) -> Truth:
        """Whether nothing is in it."""

    @abstractmethod
    def is_irreflexive(self, relation: Relation) -> Truth:
        """Whether no event is related to itself."""

    @abstractmethod
    def is_acyclic(self, relation: Relation) -> Truth:
        """Whether its transitive closure is irreflexive."""

    @abstractmethod
    def is_contained(self, left: EventSet | Relation, right: EventSet | Relation) -> Truth:
        """Whether `left` is a part of `right`; both are sets or both are relations."""

    # Truths.

    @property
    @abstractmethod
    def true(self) -> Truth:
        """Holds in every candidate."""

    @abstractmethod
    def both(self, left: Truth, right: Truth) -> Truth:
        """Holds where both do."""

    @abstractmethod
    def negate(self, truth: Truth) -> Truth:
        """Holds where the other does not."""

    @abstractmethod
    def always(self, truth: Truth) -> bool:
        """Whether it holds in every candidate. May raise Undecided."""

    def surely(self, truth: Truth) -> bool:
        """Whether it is known to hold in every candidate."""
        return self.always(truth)

    @abstractmethod
    def never(self, truth: Truth) -> bool:
        """Whether it is known to hold in no candidate."""

    # Recursion.

    #: Whether recursion is solved by `tie`; elsewhere the caller iterates until it settles.
    ties = False

    def tie(self, kinds: Sequence[Elements], step: Step) -> Sequence[Elements]:
        """The least solution of `values = step(values)`, for values of the kinds of `kinds`.

        May raise Undecided.
        """
        raise NotImplementedError

    # Enumerations, as `with x from …` walks through them. An algebra over many candidates gives one
    # relation that stands for all, and remembers what it can be.

    @abstractmethod
    def linearisations(self, events: EventSet, order: Relation) -> Iterator[Relation]:
        """Every strict total order on `events`, closed, that holds `order`+ restricted to them.

        None where `order`+ has a cycle on `events`; one empty relation where there are no events.
        """

    @abstractmethod
    def orientations(self, relation: Relation, base: Relation) -> Iterator[Relation]:
        """Every acyclic relation that holds one direction of each pair of `relation`.

        `relation` is taken symmetric and irreflexive; each result holds `base` restricted to the
        pairs of `relation`, and is not closed.
        """

    @abstractmethod
    def partial_orders(self, relation: Relation, base: Relation) -> Iterator[Relation]:
        """Every strict partial order within `relation`, taken symmetric and irreflexive.

        Each holds `base` restricted to the pairs of `relation`.
        """

    # Looking inside, for what asks for single events. An algebra over many candidates can do so
    # only where all of them have the same members, and raises Undecided elsewhere.

    @abstractmethod
    def members(self, events: EventSet) -> list[int]:
        """The events of a set, ascending."""

    @abstractmethod
    def pairs(self, relation: Relation) -> list[tuple[int, int]]:
        """The pairs of a relation, ascending."""

    # Making values.

    @abstractmethod
    def event_set(self, events: Iterable[int]) -> EventSet:
        """The set of these events, numbers from 0 to `size` - 1."""

    @abstractmethod
    def relation(self, pairs: Iterable[tuple[int, int]]) -> Relation:
        """The relation of these pairs of events."""
