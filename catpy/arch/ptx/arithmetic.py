"""The integer types of PTX and the operators of its arithmetic instructions.

Operators of one name and type are one object, so that equal expressions compare equal.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from catpy.arch.terms import (
    EQUAL,
    Address,
    Computed,
    Expression,
    Operator,
    Unknown,
    Value,
    compute,
)
from catpy.errors import TestError

#: The bits of the shortest addresses, those in shared memory.
ADDRESS_BITS = 32


@dataclass(frozen=True, slots=True)
class Type:
    """An integer type: `bits` wide, signed or not (`.b` types count as unsigned)."""

    bits: int
    signed: bool

    def wrap(self, value: int) -> int:
        """The number that the type holds for another one, modulo its width."""
        value &= (1 << self.bits) - 1
        if self.signed and value >> (self.bits - 1):
            value -= 1 << self.bits
        return value


def parse_type(word: str) -> Type:
    """The type of `u32`, `s64`, `b8`, …; a floating-point type stands for its bits."""
    found = re.fullmatch(r"([busf])(8|16|32|64)", word)
    assert found, word
    return Type(int(found[2]), found[1] == "s")


def wrapped(kind: Type | None, value: Expression) -> Expression:
    """The value as the type holds it; an untyped value is mathematical.

    Raises TestError where an address is put into a type that has too few bits for any.
    """
    if kind is None:
        return value
    if isinstance(value, Address) and kind.bits < ADDRESS_BITS:
        raise TestError(f"the address {value} has more than {kind.bits} bits")
    operator = _wrapper(kind)
    if isinstance(value, Computed) and value.operator is operator:
        return value
    return compute(operator, value)


@functools.cache
def _wrapper(kind: Type) -> Operator:
    """One operator for each type, so that equal expressions compare equal."""
    if kind.bits < ADDRESS_BITS:
        return Operator("wrap", functools.partial(_narrow, kind), any_value=True)
    return Operator("wrap", kind.wrap, _unchanged)


def _narrow(kind: Type, value: Value) -> Value:
    """What a type holds that is too short for addresses: what is left of one is not known."""
    if isinstance(value, Address):
        return Unknown(f"wrap({value})")
    return kind.wrap(value) if isinstance(value, int) else value


def _unchanged(value: Value) -> Value:
    """What a copy is of what is no number."""
    return value


def _sum(left: Value, right: Value) -> Value | None:
    """An address moves by a number; nothing more than 0 can be added to an unknown value."""
    match left, right:
        case [Address() as base, int(distance)] | [int(distance), Address() as base]:
            return base.moved(distance)
        case Unknown(), 0:
            return left
    return None


def _difference(left: Value, right: Value) -> Value | None:
    return _sum(left, -right) if isinstance(right, int) else None


def _denied(value: Value) -> Value | None:
    """The address of a location is not null."""
    return 0 if isinstance(value, Address) else None


def _divide(left: int, right: int) -> int:
    """Towards zero, as hardware does."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


#: How far an untyped value is shifted at most: the result must not fill the memory.
UNBOUNDED_SHIFT = 8192


@functools.cache
def shift_amount(bits: int) -> Operator:
    """A shift amount is unsigned, and none is larger than the width of what is shifted."""
    return Operator("amount", lambda amount: min(amount & 0xFFFFFFFF, bits))


def _compare(relation: Callable[[int, int], bool]) -> Callable[[int, int], int]:
    return lambda left, right: int(relation(left, right))


COPY = Operator("wrap", lambda value: value, _unchanged)
ADD = Operator("add", operator.add, _sum)
SUB = Operator("sub", operator.sub, _difference)
MULTIPLY = Operator("mul", operator.mul)
DIVIDE = Operator("div", _divide)
REMAINDER = Operator("rem", lambda a, b: a - b * _divide(a, b))
MINIMUM = Operator("min", min)
MAXIMUM = Operator("max", max)
AND = Operator("and", operator.and_)
OR = Operator("or", operator.or_)
XOR = Operator("xor", operator.xor)
INVERT = Operator("not", operator.invert)
NEGATE = Operator("neg", operator.neg)
ABSOLUTE = Operator("abs", abs)
SHIFT_LEFT = Operator("shl", operator.lshift)
SHIFT_RIGHT = Operator("shr", operator.rshift)

#: The truth that a predicate has not.
NOT = Operator("lnot", lambda value: int(not value), _denied)


def _field(bits: int, signed: bool) -> Callable[[int, int, int], int]:
    """`bfe`: the bits of a number from a position on, with the sign of the last of them."""

    def extracted(value: int, position: int, length: int) -> int:
        position, length = position & 0xFF, length & 0xFF
        found = (value & (1 << bits) - 1) >> position & (1 << length) - 1
        last = min(position + length - 1, bits - 1)
        if signed and length and value >> last & 1:
            found |= -1 << max(last - position + 1, 0)
        return found

    return extracted


def _inserted(value: int, into: int, position: int, length: int) -> int:
    """`bfi`: a number with some of its bits replaced."""
    mask = (1 << (length & 0xFF)) - 1 << (position & 0xFF)
    return into & ~mask | value << (position & 0xFF) & mask


def _looked_up(one: int, two: int, three: int, table: int) -> int:
    """`lop3`: for each bit, what the table says of those of three numbers."""
    found = 0
    for at in range(8):
        if table >> at & 1:
            sources = zip((one, two, three), (4, 2, 1), strict=True)
            first, second, third = (value if at & bit else ~value for value, bit in sources)
            found |= first & second & third
    return found


ONES = Operator("popc", int.bit_count)
IS_ZERO = Operator("cnot", lambda value: int(not value))
INSERT = Operator("bfi", _inserted)
LOOK_UP = Operator("lop3", _looked_up)


@functools.cache
def leading_zeros(kind: Type) -> Operator:
    """`clz` in a type."""
    return Operator("clz", lambda value: kind.bits - value.bit_length())


@functools.cache
def bit_field(kind: Type) -> Operator:
    """`bfe` in a type."""
    return Operator("bfe", _field(kind.bits, kind.signed))


#: The comparisons of `setp` and of the short branches `beq`, `bne`, ….
COMPARISONS: dict[str, Operator] = {
    "eq": EQUAL,
    "lt": Operator("lt", _compare(operator.lt)),
    "le": Operator("le", _compare(operator.le)),
    "gt": Operator("gt", _compare(operator.gt)),
    "ge": Operator("ge", _compare(operator.ge)),
}

#: The reductions of `bar.red`.
REDUCTIONS: dict[str, Operator] = {
    "popc": Operator("popc", lambda *values: sum(map(bool, values))),
    "and": Operator("and", lambda *values: int(all(values))),
    "or": Operator("or", lambda *values: int(any(values))),
}


def comparison(name: str, left: Expression, right: Expression) -> Expression:
    """`left name right` as 0 or 1; `ne` is the negation of `eq`."""
    if name == "ne":
        return compute(NOT, compute(EQUAL, left, right))
    return compute(COMPARISONS[name], left, right)
