"""Values, and expressions over what reads return: the data of symbolic thread executions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from catpy.errors import TestError


@dataclass(frozen=True, slots=True)
class Address:
    """The virtual address `offset` bytes into a variable."""

    name: str
    offset: int = 0

    def __str__(self) -> str:
        return f"&{self.name}" + (f"+{self.offset}" if self.offset else "")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known but constant (§8.2.6); it equals itself and nothing else.

    An `invented` one came out of thin air, or was computed from such a one.
    """

    name: str
    invented: bool = False

    def __str__(self) -> str:
        return f"?{self.name}"


Value = int | Address | Unknown


@dataclass(frozen=True, slots=True)
class ReadValue:
    """What an event of a thread returned: a read, or a reduction at a barrier."""

    thread: int
    index: int


@dataclass(frozen=True, slots=True)
class Operator:
    """A function on integers, with the name it has in messages."""

    name: str
    function: Callable[..., int]


@dataclass(frozen=True, slots=True)
class Computed:
    """An operator on operands of which some are not known yet."""

    operator: Operator
    operands: tuple[Expression, ...]


Expression = Value | ReadValue | Computed


#: Untyped arithmetic is mathematical, but not without bounds.
_LARGEST = 4096


def compute(operator: Operator, *operands: Expression) -> Expression:
    """The value of an operator where all operands are values, an expression otherwise."""
    values = [operand for operand in operands if not isinstance(operand, ReadValue | Computed)]
    if len(values) == len(operands):
        return apply(operator, values)
    return Computed(operator, operands)


def apply(operator: Operator, values: list[Value]) -> Value:
    """The value of an operator. Addresses move by integers; other uses of them are unknown."""
    integers = [value for value in values if isinstance(value, int)]
    if len(integers) == len(values):
        try:
            result = operator.function(*integers)
        except (ArithmeticError, ValueError):
            return _unknown(operator, values)
        if result.bit_length() > _LARGEST:
            message = f"a value grows beyond {_LARGEST} bits"
            raise TestError(message, hint="an instruction with a type wraps at its width")
        return result
    if operator is EQUAL:
        return int(values[0] == values[1])
    if operator.name in ("add", "sub") and len(values) == 2:
        return _moved(operator, values)
    if operator.name == "wrap":
        return values[0]
    if operator.name == "lnot" and isinstance(values[0], Address):
        return 0  # the address of a location is not null
    if operator.name == "select" and isinstance(values[2], int):
        return values[0] if values[2] else values[1]
    return _unknown(operator, values)


def _moved(operator: Operator, values: list[Value]) -> Value:
    match operator.name, values:
        case "add", [Address(name, offset), int(distance)] | [int(distance), Address(name, offset)]:
            return Address(name, offset + distance)
        case "sub", [Address(name, offset), int(distance)]:
            return Address(name, offset - distance)
        case _, [Unknown() as unknown, 0]:
            return unknown
    return _unknown(operator, values)


def _unknown(operator: Operator, values: list[Value]) -> Unknown:
    invented = any(isinstance(value, Unknown) and value.invented for value in values)
    return Unknown(f"{operator.name}({','.join(map(str, values))})", invented)


EQUAL = Operator("eq", lambda left, right: int(left == right))
SELECT = Operator("select", lambda left, right, which: left if which else right)
