"""What arithmetic and control instructions do to a thread: registers, and where it goes on.

Every function takes the context that an instruction is executed in, whose state it may change, and
gives those that go on; or it makes such a function from an operator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from catpy.arch.program import End
from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx.arithmetic import Type, comparison, parse_type, wrapped
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.instruction import Execute, Vector
from catpy.arch.ptx.state import tainted
from catpy.arch.terms import Operator, compute, concat, extract
from catpy.errors import TestError


def arithmetic(
    operator: Operator | Callable[[Type], Operator], typed: int | None = None
) -> Execute:
    """`op d, v, …` in the type of the instruction, or mathematically without one.

    An operator that is another one in each type needs one. The first `typed` sources are of the
    type, None for all; others are predicates, positions and lengths.
    """

    def execute(context: Context) -> Iterable[Context]:
        destination, *operands = context.operands
        kind = context.instruction.type
        sources = [context.value(operand) for operand in operands]
        values = [source.value for source in sources]
        values[:typed] = [wrapped(kind, value) for value in values[:typed]]
        if isinstance(operator, Operator):
            result = compute(operator, *values)
        else:
            assert kind is not None
            result = compute(operator(kind), *values)
        result = wrapped(kind, result)
        context.assign(destination, tainted(result, *sources))
        return [context]

    return execute


def shift(operator: Operator) -> Execute:
    """`shl d, v, v`, `shr d, v, v`: by an amount that has no type, and a bound."""

    def execute(context: Context) -> Iterable[Context]:
        destination, *operands = context.operands
        kind = context.instruction.type
        value, amount = (context.value(operand) for operand in operands)
        bits = kind.bits if kind else integers.UNBOUNDED_SHIFT
        bounded = compute(integers.shift_amount(bits), amount.value)
        result = wrapped(kind, compute(operator, wrapped(kind, value.value), bounded))
        context.assign(destination, tainted(result, value, amount))
        return [context]

    return execute


def multiply(context: Context) -> Iterable[Context]:
    """`mul d, v, v`, `mad d, v, v, v`: by `.wide`, the product and what is added are wider."""
    destination, *operands = context.operands
    kind = context.instruction.type
    sources = [context.value(operand) for operand in operands]
    left, right, *added = sources
    result = compute(integers.MULTIPLY, wrapped(kind, left.value), wrapped(kind, right.value))
    if context.word("half") == "wide":
        kind = _widened(kind, context)
    for summand in added:  # which may be an address
        result = compute(integers.ADD, result, wrapped(kind, summand.value))
    context.assign(destination, tainted(wrapped(kind, result), *sources))
    return [context]


def _widened(kind: Type | None, context: Context) -> Type:
    """The type of a product by `.wide`."""
    if kind is None or kind.bits not in (16, 32):
        raise TestError("`.wide` multiplies types of 16 and 32 bits", context.span)
    return Type(2 * kind.bits, kind.signed)


copy = arithmetic(integers.COPY)
_invert = arithmetic(integers.INVERT)
_negate = arithmetic(integers.NOT)


def complement(context: Context) -> Iterable[Context]:
    """`not d, v`: of a predicate, or of all bits of a number."""
    is_predicate = context.word("type") == "pred"
    return (_negate if is_predicate else _invert)(context)


def move(context: Context) -> Iterable[Context]:
    """`mov d, v`; a vector on one side is the parts of what is on the other, the lowest first."""
    destination, source = context.operands
    parts = [side for side in (destination, source) if isinstance(side, Vector)]
    if not parts:
        return copy(context)
    kind, count = context.instruction.type, len(parts[0].items)
    word = context.word("type")
    if kind is None or word[0] != "b" or len(parts) > 1 or kind.bits // count not in (8, 16, 32):
        message = "a vector is made of, or becomes, one number of a type `.b16`, `.b32` or `.b64`"
        raise TestError(message, parts[0].span)
    width = kind.bits // count
    if isinstance(source, Vector):
        values = [context.value(item) for item in source.items]
        whole = concat([(wrapped(Type(width, False), value.value), width) for value in values])
        context.assign(destination, tainted(whole, *values))
        return [context]
    assert isinstance(destination, Vector)
    value = context.value(source)
    for at, item in enumerate(destination.items):
        context.assign(item, tainted(extract(value.value, width * at, width), value))
    return [context]


_UNSIGNED_COMPARISONS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def set_predicate(context: Context) -> Iterable[Context]:
    """`setp.cmp d, v, v`."""
    destination, *operands = context.operands
    name = context.word("comparison")
    kind = context.instruction.type
    left, right = (context.value(operand) for operand in operands)
    result = comparison(
        _UNSIGNED_COMPARISONS.get(name, name), wrapped(kind, left.value), wrapped(kind, right.value)
    )
    context.assign(destination, tainted(result, left, right))
    return [context]


def convert(context: Context) -> Iterable[Context]:
    """`cvt.to.from d, v`."""
    destination, source = context.operands
    value = context.value(source)
    result = value.value
    for word in (context.word("from"), context.word("type")):
        if word:
            result = wrapped(parse_type(word), result)
    context.assign(destination, tainted(result, value))
    return [context]


# Control


def branch(context: Context) -> Iterable[Context]:
    """`bra L`, `goto L`; its guard, if any, was decided before."""
    (label,) = context.operands
    context.jump(label)
    return [context]


def compare_and_branch(name: str) -> Execute:
    """`beq v, v, L` and its kin, by the name of the comparison."""

    def execute(context: Context) -> Iterable[Context]:
        first, second, label = context.operands
        left, right = context.value(first), context.value(second)
        condition = comparison(name, left.value, right.value)
        for fork, holds in context.decide(condition, context.span):
            fork.state.control |= left.reads | right.reads
            if holds:
                fork.jump(label)
            yield fork

    return execute


def leave(context: Context) -> Iterable[Context]:
    """`ret`, `exit`."""
    context.state.end = End.DONE
    return [context]


def nothing(context: Context) -> Iterable[Context]:
    """What no model could see: `nop`, and hints."""
    return [context]
