"""What arithmetic and control instructions do to a thread: registers, and where it goes on.

Every function takes the machine, the state (which it may change) and the instruction, and returns
the states that follow; or it makes such a function from an operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from catpy.arch.program import End
from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx.arithmetic import Type, comparison, parse_type, type_of, wrapped
from catpy.arch.ptx.instruction import Execute, Instruction, Vector
from catpy.arch.ptx.state import State, tainted
from catpy.arch.terms import Operator, compute, concat, extract
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


def arithmetic(
    operator: Operator | Callable[[Type], Operator], typed: int | None = None
) -> Execute:
    """`op d, v, …` in the type of the instruction, or mathematically without one.

    An operator that is another one in each type needs one. The first `typed` sources are of the
    type, None for all; others are predicates, positions and lengths.
    """

    def execute(machine: Machine, state: State, instruction: Instruction) -> list[State]:
        destination, *operands = instruction.operands
        kind = type_of(instruction)
        sources = [machine.value(state, operand) for operand in operands]
        values = [source.value for source in sources]
        values[:typed] = [wrapped(kind, value) for value in values[:typed]]
        if isinstance(operator, Operator):
            result = compute(operator, *values)
        else:
            assert kind is not None
            result = compute(operator(kind), *values)
        result = wrapped(kind, result)
        machine.assign(state, destination, tainted(result, *sources))
        return [state]

    return execute


def shift(operator: Operator) -> Execute:
    """`shl d, v, v`, `shr d, v, v`: by an amount that has no type, and a bound."""

    def execute(machine: Machine, state: State, instruction: Instruction) -> list[State]:
        destination, *operands = instruction.operands
        kind = type_of(instruction)
        value, amount = (machine.value(state, operand) for operand in operands)
        bits = kind.bits if kind else integers.UNBOUNDED_SHIFT
        bounded = compute(integers.shift_amount(bits), amount.value)
        result = wrapped(kind, compute(operator, wrapped(kind, value.value), bounded))
        machine.assign(state, destination, tainted(result, value, amount))
        return [state]

    return execute


def multiply(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mul d, v, v`, `mad d, v, v, v`: by `.wide`, the product and what is added are wider."""
    destination, *operands = instruction.operands
    kind = type_of(instruction)
    sources = [machine.value(state, operand) for operand in operands]
    left, right, *added = sources
    result = compute(integers.MULTIPLY, wrapped(kind, left.value), wrapped(kind, right.value))
    if instruction.qualifiers.get("half") == "wide":
        kind = _widened(kind, instruction)
    for summand in added:  # which may be an address
        result = compute(integers.ADD, result, wrapped(kind, summand.value))
    machine.assign(state, destination, tainted(wrapped(kind, result), *sources))
    return [state]


def _widened(kind: Type | None, instruction: Instruction) -> Type:
    """The type of a product by `.wide`."""
    if kind is None or kind.bits not in (16, 32):
        raise TestError("`.wide` multiplies types of 16 and 32 bits", instruction.span)
    return Type(2 * kind.bits, kind.signed)


copy = arithmetic(integers.COPY)
_invert = arithmetic(integers.INVERT)
_negate = arithmetic(integers.NOT)


def complement(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`not d, v`: of a predicate, or of all bits of a number."""
    is_predicate = instruction.qualifiers.get("type") == "pred"
    return (_negate if is_predicate else _invert)(machine, state, instruction)


def move(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mov d, v`; a vector on one side is the parts of what is on the other, the lowest first."""
    destination, source = instruction.operands
    parts = [side for side in (destination, source) if isinstance(side, Vector)]
    if not parts:
        return copy(machine, state, instruction)
    kind, count = type_of(instruction), len(parts[0].items)
    word = instruction.qualifiers.get("type", "")
    if kind is None or word[0] != "b" or len(parts) > 1 or kind.bits // count not in (8, 16, 32):
        message = "a vector is made of, or becomes, one number of a type `.b16`, `.b32` or `.b64`"
        raise TestError(message, parts[0].span)
    width = kind.bits // count
    if isinstance(source, Vector):
        values = [machine.value(state, item) for item in source.items]
        whole = concat([(wrapped(Type(width, False), value.value), width) for value in values])
        machine.assign(state, destination, tainted(whole, *values))
        return [state]
    assert isinstance(destination, Vector)
    value = machine.value(state, source)
    for at, item in enumerate(destination.items):
        machine.assign(state, item, tainted(extract(value.value, width * at, width), value))
    return [state]


_UNSIGNED_COMPARISONS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def set_predicate(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`setp.cmp d, v, v`."""
    destination, *operands = instruction.operands
    name = instruction.qualifiers["comparison"]
    kind = type_of(instruction)
    left, right = (machine.value(state, operand) for operand in operands)
    result = comparison(
        _UNSIGNED_COMPARISONS.get(name, name), wrapped(kind, left.value), wrapped(kind, right.value)
    )
    machine.assign(state, destination, tainted(result, left, right))
    return [state]


def convert(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cvt.to.from d, v`."""
    destination, source = instruction.operands
    value = machine.value(state, source)
    result = value.value
    for word in (instruction.qualifiers.get("from"), instruction.qualifiers.get("type")):
        if word:
            result = wrapped(parse_type(word), result)
    machine.assign(state, destination, tainted(result, value))
    return [state]


# Control


def branch(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`bra L`, `goto L`; its guard, if any, was decided before."""
    (label,) = instruction.operands
    return machine.jump(state, label)


def compare_and_branch(name: str) -> Execute:
    """`beq v, v, L` and its kin, by the name of the comparison."""

    def execute(machine: Machine, state: State, instruction: Instruction) -> list[State]:
        first, second, label = instruction.operands
        left, right = machine.value(state, first), machine.value(state, second)
        condition = comparison(name, left.value, right.value)
        results: list[State] = []
        for fork, holds in machine.decide(state, condition, instruction.span):
            fork.control |= left.reads | right.reads
            goes = holds and fork.end is None
            results += machine.jump(fork, label) if goes else [fork]
        return results

    return execute


def leave(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`ret`, `exit`."""
    state.end = End.DONE
    return [state]


def nothing(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """What no model could see: `nop`, and hints."""
    return [state]
