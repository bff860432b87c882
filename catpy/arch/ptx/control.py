"""What arithmetic and control instructions do to a thread: registers, and where it goes on.

Every function takes the machine, the state (which it may change) and the instruction, and returns
the states that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from catpy.arch.program import End
from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx.arithmetic import Type, comparison, parse_type, type_of, wrapped
from catpy.arch.ptx.instruction import Instruction, Vector
from catpy.arch.ptx.state import State, tainted
from catpy.arch.terms import compute, concat, extract
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


def arithmetic(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`op d, v, …` in the type of the instruction, or mathematically without one."""
    assert instruction.row is not None
    destination, *operands = instruction.operands
    operator, _ = integers.ARITHMETIC.get(instruction.row.opcode, integers.ARITHMETIC["mov"])
    kind = type_of(instruction)
    sources = [machine.value(state, operand) for operand in operands]
    values = [wrapped(kind, source.value) for source in sources]
    if instruction.qualifiers.get("half") == "wide":
        kind = _widened(kind, instruction)
    if instruction.row.opcode == "mad":
        # An address may be added to a product.
        values = [compute(integers.MULTIPLY, *values[:2]), wrapped(kind, sources[2].value)]
        operator = integers.ADD
    if instruction.row.opcode == "selp":
        values[2] = sources[2].value
    if instruction.row.opcode in ("shl", "shr"):
        bits = kind.bits if kind else integers.UNBOUNDED_SHIFT
        values[1] = compute(integers.shift_amount(bits), sources[1].value)
    if instruction.qualifiers.get("type") == "pred" and instruction.row.opcode == "not":
        operator = integers.NOT
    result = wrapped(kind, compute(operator, *values))
    machine.assign(state, destination, tainted(result, *sources))
    return [state]


def _widened(kind: Type | None, instruction: Instruction) -> Type:
    """The type of a product by `.wide`."""
    if kind is None or kind.bits not in (16, 32):
        raise TestError("`.wide` multiplies types of 16 and 32 bits", instruction.span)
    return Type(2 * kind.bits, kind.signed)


def move(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mov d, v`; a vector on one side is the parts of what is on the other, the lowest first."""
    destination, source = instruction.operands
    parts = [side for side in (destination, source) if isinstance(side, Vector)]
    if not parts:
        return arithmetic(machine, state, instruction)
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


def bitwise(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`popc d, v` and other operations on the bits of a number."""
    assert instruction.row is not None
    destination, *operands = instruction.operands
    kind = type_of(instruction)
    assert kind is not None
    sources = [machine.value(state, operand) for operand in operands]
    _, typed = integers.BITWISE[instruction.row.opcode]
    values = [wrapped(kind, source.value) for source in sources[:typed]]
    values += [source.value for source in sources[typed:]]
    operator = integers.bitwise(instruction.row.opcode, kind)
    result = wrapped(kind, compute(operator, *values))
    machine.assign(state, destination, tainted(result, *sources))
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
    return machine.jump(state, instruction, label)


def compare_and_branch(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`beq v, v, L` and its kin."""
    assert instruction.row is not None
    first, second, label = instruction.operands
    left, right = machine.value(state, first), machine.value(state, second)
    condition = comparison(instruction.row.opcode[1:], left.value, right.value)
    results: list[State] = []
    for fork, holds in machine.decide(state, condition, instruction.span):
        fork.control |= left.reads | right.reads
        goes = holds and fork.end is None
        results += machine.jump(fork, instruction, label) if goes else [fork]
    return results


def leave(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`ret`, `exit`."""
    state.end = End.DONE
    return [state]


def nothing(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """What no model could see: `nop`, and hints."""
    return [state]
