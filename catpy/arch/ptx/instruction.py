"""Instructions and the rows of the instruction table that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from catpy.arch.ptx.arithmetic import Type, parse_type
from catpy.arch.ptx.words import PLAIN, PROXY_WORDS, Mode
from catpy.errors import TestError
from catpy.source import Span

if TYPE_CHECKING:
    from catpy.arch.ptx.context import Context

# Operands


@dataclass(frozen=True, slots=True)
class Word:
    """A bare name, a register or a location; `negated` by a `!` before it."""

    name: str
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Immediate:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class AddressOperand:
    """`[base+offset]`; `base[index]` gives an index instead. `bracketed` as in `[x]`.

    A place in a tensor has coordinates, `[base, {c}]`.
    """

    base: str
    offset: int
    index: int | None
    bracketed: bool
    span: Span
    coordinates: tuple[Word | Immediate, ...] = ()


@dataclass(frozen=True, slots=True)
class Vector:
    """`{r0, r1}`."""

    items: tuple[Word | Immediate, ...]
    span: Span


Operand = Word | Immediate | AddressOperand | Vector


# Rows and instructions

#: What an instruction does: takes the context it is executed in, and gives those that go on.
Execute = Callable[["Context"], "Iterable[Context]"]


@dataclass(frozen=True, slots=True)
class Effect:
    """An event that an instruction makes.

    `sets` are those it is in, with blanks between, the first of them its kind. Words in small
    letters stand for what the qualifiers of the instruction say: `semantics` for the order tag of
    its mode (see `Mode.order`) with the further tags that the mode has, `scope`, `space` and
    `proxy` for one set each, or none. `note` says when there is such an event, and how many.
    """

    sets: str
    note: str = ""


#: The letters of operands that are addresses, and of those that are values.
ADDRESSES = "amtT"
VALUES = "vpVbrz"

#: What some qualifiers are that go together, by class: words, with an empty one where there may be
#: none. Further keys are `semantics` (as `Mode.spelling`), `scope`, and `operands` for the lists of
#: operands that go with them. What is no key may be anything.
Combination = Mapping[str, tuple[str, ...]]


def kinds_of(rule: Iterable[Combination]) -> list[str]:
    """The keys of some combinations, in order."""
    return list(dict.fromkeys(kind for one in rule for kind in one))


class Flow(Enum):
    """Where a thread goes on when an instruction is executed."""

    ON = auto()  # behind it
    JUMP = auto()  # at its label
    BRANCH = auto()  # at either
    END = auto()  # nowhere


@dataclass(frozen=True)
class Row:
    """An instruction form.

    `operands` are operand lists, the first that has the right length is taken. Their letters are

    * d: a destination register; D: the same, or a vector of them; s: the sink `_` in its place;
    * v: a value, which is a register, a number or the address of a location; V: the same, or a
      vector of them; p: the same, with or without `!`; b: a value that is the number of a barrier;
      r: one that tells CTAs of the cluster by their ranks; z: one that is a number of bytes;
    * a: a memory address; m: that of an mbarrier; T: a place by its coordinates; t: either;
    * n: a number; l: a label.

    `classes` are further qualifiers by class; those of `required` must be there. Of each of the
    `rules` one combination has to hold. Memory is accessed through the proxy of the tag `proxy`.
    `flow` is where the thread goes on. Threads of the host have those that do not go just on, and
    those with `host`.

    The rest is for readers, and what the page of the instructions is made from: `names` has names
    for each list of operands, with blanks between (none: as PTX names them); `events` says what
    events it makes; `about` is a remark.
    """

    opcode: str
    operands: tuple[str, ...]
    execute: Execute
    modes: tuple[Mode, ...] = PLAIN
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    rules: tuple[tuple[Combination, ...], ...] = ()
    proxy: str = "GEN"
    flow: Flow = Flow.ON
    host: bool = False
    names: tuple[str, ...] = ()
    events: tuple[Effect, ...] = ()
    about: str = ""

    @property
    def control(self) -> bool:
        """Whether what follows it depends on its guard."""
        return self.flow is not Flow.ON

    @property
    def is_on_host(self) -> bool:
        """Whether threads of the host have it, too."""
        return self.host or self.control

    @property
    def writes(self) -> bool:
        """Whether it writes memory."""
        return any(effect.sets.startswith("W ") for effect in self.events)

    @property
    def observes(self) -> bool:
        """Whether its destinations get what comes from elsewhere: they do where it makes events."""
        return bool(self.events) and any(letter in "dD" for letter in "".join(self.operands))


@dataclass(frozen=True)
class Instruction:
    """A decoded instruction. `qualifiers` are by class, `operands` in the order of the row.

    `letters` is the operand list of the row that fits. A cell that holds labels only, or declares
    registers, has no row.
    """

    labels: tuple[str, ...]
    guard: Word | None
    row: Row | None
    mode: Mode
    scope: str | None
    qualifiers: dict[str, str]
    letters: str
    operands: tuple[Operand, ...]
    span: Span
    #: The registers that a cell with `.reg` declares.
    declared: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def proxy(self) -> str:
        """The tag of the proxy by which it accesses memory."""
        assert self.row is not None
        named = (PROXY_WORDS.get(word) for word in self.qualifiers.values())
        return next(filter(None, named), self.row.proxy)

    def word(self, kind: str) -> str:
        """The qualifier of a class; empty where there is none."""
        return self.qualifiers.get(kind, "")

    @property
    def type(self) -> Type | None:
        """The type that it names, None for none and for predicates."""
        word = self.word("type")
        return parse_type(word) if word and word != "pred" else None

    def lettered(self) -> list[tuple[str, Operand]]:
        """The operands with the letters that the row has for them."""
        return list(zip(self.letters, self.operands, strict=True))

    def destinations(self) -> list[Word]:
        """The registers it writes, and the sink."""
        return [
            word
            for letter, operand in self.lettered()
            if letter in "dD"
            for word in words_of(operand)
        ]

    def names(self, besides: str = "l") -> Iterator[str]:
        """The names of its guard and operands, `besides` those with these letters, with their `%`.

        They are registers or locations.
        """
        if self.guard is not None:
            yield self.guard.name
        for letter, operand in self.lettered():
            if letter not in besides:
                if isinstance(operand, AddressOperand):
                    yield operand.base
                yield from (word.name for word in words_of(operand))


def words_of(operand: Operand) -> list[Word]:
    """The bare names in an operand."""
    match operand:
        case Word():
            return [operand]
        case Vector(items) | AddressOperand(coordinates=items):
            return [item for item in items if isinstance(item, Word)]
    return []


def register_name(name: str) -> str:
    """The name of a register without its `%`."""
    return name.removeprefix("%")


def out_of_range(value: object, smallest: int, largest: int) -> str:
    """What is wrong with a number that is not from `smallest` to `largest`."""
    return f"this is a number from {smallest} to {largest}, not {value}"


def check_written(operand: Operand, smallest: int, largest: int) -> None:
    """Raises TestError for a number in the text that is not from `smallest` to `largest`.

    (One that a register holds is a fault instead, in the executions in which it is there.)
    """
    if isinstance(operand, Immediate) and not smallest <= operand.value <= largest:
        raise TestError(out_of_range(operand.value, smallest, largest), operand.span)
