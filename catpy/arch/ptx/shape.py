"""The scalar elements of accesses."""

from __future__ import annotations

from dataclasses import dataclass

from catpy.arch.ptx.arithmetic import Type, parse_type, wrapped
from catpy.arch.ptx.instruction import Instruction, Operand, Vector
from catpy.arch.ptx.state import Access, Tainted
from catpy.arch.ptx.view import View
from catpy.arch.ptx.words import PACKED_TYPES, VECTORS
from catpy.arch.terms import Expression, concat, extract
from catpy.errors import TestError


@dataclass(frozen=True)
class Shape:
    """The scalar elements of an access (§8.2.4, §8.2.5): `count` operands of `packed` elements.

    An access without a type has the size of what it accesses, `kind` is None then.
    """

    kind: Type | None
    count: int
    packed: int

    @property
    def size(self) -> int | None:
        """The bytes of the whole access."""
        if self.kind is None:
            return None
        return self.kind.bits // 8 * self.packed * self.count

    @property
    def bits(self) -> int | None:
        return self.kind.bits if self.kind else None

    def elements(self, view: View, access: Access) -> list[Access]:
        """The access to each element."""
        if self.kind is None or self.count * self.packed == 1:
            return [access]
        size = self.kind.bits // 8
        return [
            view.part(access, start, start + size)
            for start in range(0, self.count * self.packed * size, size)
        ]

    def operands(self, values: list[Expression]) -> list[Expression]:
        """The values of registers, from those of elements."""
        width = self.kind.bits if self.kind else 0
        groups = [values[at : at + self.packed] for at in range(0, len(values), self.packed)]
        return [concat([(value, width) for value in group]) for group in groups]

    def split(self, values: list[Tainted]) -> list[Tainted]:
        """The values of elements, from those of registers."""
        if self.packed == 1 or self.kind is None:
            return [Tainted(wrapped(self.kind, value.value), value.reads) for value in values]
        bits = self.kind.bits
        return [
            Tainted(wrapped(self.kind, extract(value.value, bits * at, bits)), value.reads)
            for value in values
            for at in range(self.packed)
        ]


def shape_of(instruction: Instruction) -> Shape:
    """The elements that the type and the vector word of an instruction say."""
    count = VECTORS.get(instruction.word("vector"), 1)
    word = instruction.word("type")
    if word in PACKED_TYPES:
        return Shape(parse_type(PACKED_TYPES[word]), count, 2)
    if count > 1 and not word:
        raise TestError("a vector access has a type", instruction.span)
    return Shape(instruction.type, count, 1)


def items_of(operand: Operand, shape: Shape) -> list[Operand]:
    """The operands of a vector, or the one there is; raises TestError for a wrong number."""
    items: list[Operand] = [*operand.items] if isinstance(operand, Vector) else [operand]
    if len(items) != shape.count or (shape.count > 1) != isinstance(operand, Vector):
        wanted = f"{{…}} of {shape.count} operands" if shape.count > 1 else "one operand"
        raise TestError(f"this access takes {wanted}", operand.span)
    return items
