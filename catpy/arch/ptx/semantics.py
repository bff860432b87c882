"""What each kind of PTX instruction does to a thread: its events, registers, and where it goes on.

Every function takes the machine, the state (which it may change) and the instruction, and returns
the states that follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from catpy.arch.program import End
from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx.arithmetic import Type, comparison, parse_type, wrapped
from catpy.arch.ptx.instruction import Instruction, Operand
from catpy.arch.ptx.state import Access, State, Tainted, tainted
from catpy.arch.ptx.words import SPACES
from catpy.arch.terms import EQUAL, ReadValue, compute
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


def _type(instruction: Instruction) -> Type | None:
    word = instruction.qualifiers.get("type")
    return parse_type(word) if word and word != "pred" else None


# Memory


def _memory_sets(
    machine: Machine, instruction: Instruction, access: Access, kind: str, order: str
) -> list[str]:
    """The sets of a memory event: kind, order, scope, proxy, qualifiers, state space."""
    written = SPACES.get(instruction.qualifiers.get("space", ""))
    space = written or machine.space(access) or ""
    return [kind, order, instruction.scope or "", "GEN", *instruction.mode.tags, space]


def load(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`ld d, [a]`: one R."""
    destination, address = instruction.operands
    kind, results = _type(instruction), []
    for fork, access in machine.accesses(state, address):
        if access is not None:
            _read(machine, fork, instruction, access, [], destination, kind)
        results.append(fork)
    return results


def _read(
    machine: Machine,
    state: State,
    instruction: Instruction,
    access: Access,
    extra: list[str],
    destination: Operand | None,
    kind: Type | None,
) -> tuple[int, Tainted]:
    """The R of a load or read-modify-write: its index, and what it returned."""
    sets = _memory_sets(machine, instruction, access, "R", instruction.mode.read)
    index = machine.emit(state, instruction, [*sets, *extra], access, kind=kind)
    old = Tainted(wrapped(kind, ReadValue(machine.thread, index)), frozenset({index}))
    if destination is not None:
        machine.assign(state, destination, old)
    return index, old


def store(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`st [a], v`: one W."""
    address, source = instruction.operands
    kind = _type(instruction)
    value = machine.value(state, source)
    value = tainted(wrapped(kind, value.value), value)
    results = []
    for fork, access in machine.accesses(state, address):
        if access is not None:
            sets = _memory_sets(machine, instruction, access, "W", instruction.mode.write)
            machine.emit(fork, instruction, sets, access, value, kind)
        results.append(fork)
    return results


def atom(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`atom.op d, [a], v{, w}`: R then W, joined by `rmw`."""
    destination, address, *sources = instruction.operands
    return _modify(machine, state, instruction, "ATOM", address, destination, sources)


def red(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`red.op [a], v`: the events of an `atom`, without a destination."""
    address, *sources = instruction.operands
    return _modify(machine, state, instruction, "RED", address, None, sources)


def _modify(
    machine: Machine,
    state: State,
    instruction: Instruction,
    family: str,
    address: Operand,
    destination: Operand | None,
    sources: list[Operand],
) -> list[State]:
    operation, kind = instruction.qualifiers["operation"], _type(instruction)
    _check_sources(operation, sources, instruction)
    sourced = [machine.value(state, source) for source in sources]
    values = [tainted(wrapped(kind, source.value), source) for source in sourced]
    results = []
    for fork, access in machine.accesses(state, address):
        if access is None:
            results.append(fork)
            continue
        read, old = _read(machine, fork, instruction, access, [family], destination, kind)
        sets = _memory_sets(machine, instruction, access, "W", instruction.mode.write)
        for after, new in _new_values(machine, fork, instruction, operation, old, values):
            if new is not None:
                value = tainted(wrapped(kind, new.value), new)
                write = machine.emit(after, instruction, [*sets, family], access, value, kind)
                after.relate("rmw", [(read, write)])
            results.append(after)
    return results


def _check_sources(operation: str, sources: list[Operand], instruction: Instruction) -> None:
    wanted = 2 if operation == "cas" else 1
    # Without a bound, `inc` and `dec` do not wrap.
    fewest = 0 if operation in ("inc", "dec") else wanted
    if not fewest <= len(sources) <= wanted:
        message = f"`.{operation}` takes {wanted} values behind the address, found {len(sources)}"
        raise TestError(message, instruction.span)


def _new_values(
    machine: Machine,
    state: State,
    instruction: Instruction,
    operation: str,
    old: Tainted,
    values: list[Tainted],
) -> list[tuple[State, Tainted | None]]:
    """What a read-modify-write writes, by state; None where it writes nothing."""
    if operation == "exch":
        return [(state, values[0])]
    if operation == "cas":
        expected, new = values
        same = compute(EQUAL, old.value, expected.value)
        results: list[tuple[State, Tainted | None]] = []
        for fork, holds in machine.decide(state, same, instruction.span):
            if holds:
                results.append((fork, tainted(new.value, new, expected, old)))
            elif machine.options.dialect == "dat3m":
                # There a failing compare-and-swap writes back what it read.
                results.append((fork, tainted(old.value, old, expected)))
            else:
                results.append((fork, None))
        return results
    if not values:
        operation = "add" if operation == "inc" else "sub"
        return [(state, tainted(compute(integers.ATOMICS[operation], old.value, 1), old))]
    new_value = compute(integers.ATOMICS[operation], old.value, values[0].value)
    return [(state, tainted(new_value, old, values[0]))]


# Fences


def fence(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`fence` and `membar`: one F."""
    sets = ["F", instruction.mode.read, instruction.scope or "", "GEN"]
    machine.emit(state, instruction, sets)
    return [state]


def alias_fence(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`fence.proxy.alias`: one F, which orders no memory by itself."""
    machine.emit(state, instruction, ["F", "PROXY_FENCE", "ALIAS"])
    return [state]


# Arithmetic


def arithmetic(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`op d, v, …` in the type of the instruction, or mathematically without one."""
    assert instruction.row is not None
    destination, *operands = instruction.operands
    operator, _ = integers.ARITHMETIC.get(instruction.row.opcode, integers.ARITHMETIC["mov"])
    kind = _type(instruction)
    sources = [machine.value(state, operand) for operand in operands]
    values = [wrapped(kind, source.value) for source in sources]
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


_UNSIGNED_COMPARISONS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def set_predicate(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`setp.cmp d, v, v`."""
    destination, *operands = instruction.operands
    name = instruction.qualifiers["comparison"]
    kind = _type(instruction)
    if name in _UNSIGNED_COMPARISONS and kind is not None and kind.signed:
        raise TestError(f"`.{name}` compares unsigned types only", instruction.span)
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
    return [machine.jump(state, instruction, label)]


def compare_and_branch(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`beq v, v, L` and its kin."""
    assert instruction.row is not None
    first, second, label = instruction.operands
    left, right = machine.value(state, first), machine.value(state, second)
    condition = comparison(instruction.row.opcode[1:], left.value, right.value)
    results = []
    for fork, holds in machine.decide(state, condition, instruction.span):
        fork.control |= left.reads | right.reads
        if holds and fork.end is None:
            fork = machine.jump(fork, instruction, label)
        results.append(fork)
    return results


def leave(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`ret`, `exit`."""
    state.end = End.DONE
    return [state]


def nothing(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    return [state]
