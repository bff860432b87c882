"""The operands of instructions, as written."""

from __future__ import annotations

from dataclasses import dataclass

from catpy.source import Span


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
