"""Values, and expressions over what reads return: the data of symbolic thread executions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from catpy.errors import TestError
from catpy.source import Span


@dataclass(frozen=True, slots=True)
class Address:
    """The virtual address `offset` bytes into a variable.

    One that is `mapped` may be used outside the unit that its variable belongs to (in PTX: by other
    thread blocks of the cluster).
    """

    name: str
    offset: int = 0
    mapped: bool = False

    def moved(self, distance: int) -> Address:
        """The address so many bytes further on."""
        return replace(self, offset=self.offset + distance)

    def __str__(self) -> str:
        return f"&{self.name}" + (f"{self.offset:+}" if self.offset else "")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known but constant (§8.2.6); it equals itself and nothing else.

    An `invented` one came out of thin air, or was computed from such a one.
    """

    name: str
    invented: bool = False

    def __str__(self) -> str:
        return f"?{self.name}"


class Opaque:
    """Base of the values that only operators with a meaning for them can look into.

    An architecture has its own (the state of an mbarrier); to all else they are equal to themselves
    alone.
    """

    __slots__ = ()


Value = int | Address | Unknown | Opaque


@dataclass(frozen=True, slots=True)
class Slice(Opaque):
    """The bits from `shift` on of a value that is no number."""

    value: Value
    shift: int
    bits: int

    def __str__(self) -> str:
        return f"{self.value}[{self.shift}:{self.shift + self.bits}]"


@dataclass(frozen=True, slots=True)
class ReadValue:
    """What an event of a thread returned: a read, or a reduction at a barrier."""

    thread: int
    index: int


@dataclass(frozen=True, slots=True)
class Operator:
    """A function on integers, with the name it has in messages.

    `otherwise` is what it gives for values of which some are no integers, None where that is not
    known; without it, it never is. One for `any_value` is a function on values of all kinds. What
    is `never_true` gives 0, or an unknown value. `unknown` says what it means where something
    depends on an unknown value of it.
    """

    name: str
    function: Callable[..., Value]
    otherwise: Callable[..., Value | None] | None = None
    any_value: bool = False
    never_true: bool = False
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Computed:
    """An operator on operands of which some are not known yet."""

    operator: Operator
    operands: tuple[Expression, ...]
    #: The place in the text of what computes it, for errors.
    span: Span | None = field(default=None, compare=False, repr=False)


Expression = Value | ReadValue | Computed


def placed(expression: Expression, span: Span | None) -> Expression:
    """The same expression, with a place in the text if it has none."""
    if isinstance(expression, Computed) and expression.span is None:
        return replace(expression, span=span)
    return expression


def unknown_branch(value: Value, expression: Expression) -> str:
    """The error that a way depends on an expression whose value is not known."""
    reason = _reason(expression)
    return f"this branches on {value}, which is not known" + (f": {reason}" if reason else "")


def _reason(expression: Expression) -> str:
    """What an unknown value in an expression means, if that is said."""
    if not isinstance(expression, Computed):
        return ""
    return expression.operator.unknown or next(filter(None, map(_reason, expression.operands)), "")


#: Untyped arithmetic is mathematical, but not without bounds.
_LARGEST = 4096


def compute(operator: Operator, *operands: Expression) -> Expression:
    """The value of an operator where all operands are values, an expression otherwise."""
    values = [operand for operand in operands if not isinstance(operand, ReadValue | Computed)]
    if len(values) == len(operands):
        return apply(operator, values)
    return Computed(operator, operands)


def reads_in(expression: Expression) -> Iterator[ReadValue]:
    """What an expression depends on, once for each place in it."""
    if isinstance(expression, ReadValue):
        yield expression
    elif isinstance(expression, Computed):
        for operand in expression.operands:
            yield from reads_in(operand)


def truth(condition: Expression) -> bool | None:
    """Whether a condition is true (not 0); None where that is not known."""
    is_open = isinstance(condition, ReadValue | Computed | Unknown | Slice)
    return None if is_open else condition != 0


def given(expression: Expression, known: Mapping[Expression, Value]) -> Expression:
    """An expression where the values of some that may be in it are known."""
    if expression in known:
        return known[expression]
    if not isinstance(expression, Computed):
        return expression
    operands = [given(operand, known) for operand in expression.operands]
    try:
        return compute(expression.operator, *operands)
    except TestError:
        return expression  # an error of the test only if a model allows an execution of it


def apply(operator: Operator, values: list[Value]) -> Value:
    """The value of an operator; an unknown one where it has no meaning.

    Raises TestError where a number grows beyond bounds, or an operator does not take a value.
    """
    if operator.any_value:
        return operator.function(*values)
    integers = [value for value in values if isinstance(value, int)]
    if len(integers) == len(values):
        try:
            result = operator.function(*integers)
        except (ArithmeticError, ValueError):
            return _unknown(operator, values)
        if isinstance(result, int) and result.bit_length() > _LARGEST:
            message = f"a value grows beyond {_LARGEST} bits"
            raise TestError(message, hint="an instruction with a type wraps at its width")
        return result
    found = operator.otherwise(*values) if operator.otherwise else None
    return _unknown(operator, values) if found is None else found


def _unknown(operator: Operator, values: list[Value]) -> Unknown:
    invented = any(isinstance(value, Unknown) and value.invented for value in values)
    return Unknown(f"{operator.name}({','.join(map(str, values))})", invented)


def _extract(value: Value, shift: int, bits: int) -> Value:
    if isinstance(value, int):
        return value >> shift & (1 << bits) - 1
    if isinstance(value, Slice):
        return Slice(value.value, value.shift + shift, bits)
    return Slice(value, shift, bits)


def _concat(*pieces: Value) -> Value:
    """The value of pieces, each followed by its width, the lowest bits first."""
    values, widths = pieces[::2], [width for width in pieces[1::2] if isinstance(width, int)]
    shifts = [sum(widths[:at]) for at in range(len(widths))]
    if all(isinstance(value, int) for value in values):
        return sum(
            (value & (1 << width) - 1) << shift
            for value, width, shift in zip(values, widths, shifts, strict=True)
            if isinstance(value, int)
        )
    whole = values[0].value if isinstance(values[0], Slice) else values[0]
    if all(
        value == Slice(whole, shift, width)
        for value, width, shift in zip(values, widths, shifts, strict=True)
    ):
        return whole
    return _unknown(CONCAT, list(values))


#: The bits of a value from a shift on: value, shift, number of bits.
EXTRACT = Operator("bits", _extract, any_value=True)
#: The value that pieces make together: piece, its width, piece, its width, …
CONCAT = Operator("concat", _concat, any_value=True)


def extract(value: Expression, shift: int, bits: int) -> Expression:
    """The bits of a value from `shift` on."""
    return compute(EXTRACT, value, shift, bits)


def concat(pieces: list[tuple[Expression, int]]) -> Expression:
    """The value of pieces given with their widths in bits, the lowest bits first."""
    if len(pieces) == 1:
        return pieces[0][0]
    return compute(CONCAT, *(part for piece in pieces for part in piece))


def _equal(left: Value, right: Value) -> int:
    return int(left == right)


def _chosen(left: Value, right: Value, which: Value) -> Value | None:
    if isinstance(which, int):
        return left if which else right
    return None


EQUAL = Operator("eq", _equal, any_value=True)
SELECT = Operator("select", lambda left, right, which: left if which else right, _chosen)
