"""Instructions and the rows of the instruction table that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from catpy.arch.ptx.words import PLAIN, Mode
from catpy.source import Span

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine
    from catpy.arch.ptx.state import State

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
    """`[base+offset]`; `base[index]` gives an index instead. `bracketed` as in `[x]`."""

    base: str
    offset: int
    index: int | None
    bracketed: bool
    span: Span


Operand = Word | Immediate | AddressOperand


# Rows and instructions

Execute = Callable[["Machine", "State", "Instruction"], "list[State]"]


@dataclass(frozen=True)
class Row:
    """An instruction form.

    `operands` are operand lists, the first that has the right length is taken; the letters are d
    (a destination register), v (a value: register, number or address of a location), a (a memory
    address), l (a label). `classes` are further qualifiers by class; those of `required` must be
    there. A `control` instruction makes what follows it depend on its guard.
    """

    opcode: str
    operands: tuple[str, ...]
    execute: Execute
    modes: tuple[Mode, ...] = PLAIN
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    control: bool = False


@dataclass(frozen=True)
class Instruction:
    """A decoded instruction. `qualifiers` are by class, `operands` in the order of the row.

    A cell that holds labels only, or declares registers, has no row.
    """

    labels: tuple[str, ...]
    guard: Word | None
    row: Row | None
    mode: Mode
    scope: str | None
    qualifiers: dict[str, str]
    operands: tuple[Operand, ...]
    span: Span

    def lettered(self) -> list[tuple[str, Operand]]:
        """The operands with the letters that the row has for them."""
        if self.row is None:
            return []
        letters = next(o for o in self.row.operands if len(o) == len(self.operands))
        return list(zip(letters, self.operands, strict=True))

    def destinations(self) -> list[str]:
        """The names of the registers it writes."""
        return [o.name for letter, o in self.lettered() if letter == "d" and isinstance(o, Word)]
