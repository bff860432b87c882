"""What arithmetic and control instructions do to a thread: registers, and where it goes on.

Every function takes the machine, the state (which it may change) and the instruction, and returns
the states that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from catpy.arch.program import End
from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx.arithmetic import Type, comparison, parse_type, type_of, wrapped
from catpy.arch.ptx.instruction import Instruction
from catpy.arch.ptx.state import State, tainted
from catpy.arch.terms import compute
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
    return [state]
