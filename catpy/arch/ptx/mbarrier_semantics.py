"""What mbarrier instructions do to a thread: operations on the location of the object.

Its value is the state of the object (`mbarrier`), so that they synchronize by the rules for reads
and writes. An object that nobody initialised gives an unknown value. What makes an object, or
leaves it as one, is a write in `MBARRIER`; that of `mbarrier.inval` is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from catpy.arch.ptx import mbarrier
from catpy.arch.ptx.instruction import Instruction, Operand, Word, check_written
from catpy.arch.ptx.semantics import memory_sets
from catpy.arch.ptx.state import Access, State, Tainted, Target, tainted
from catpy.arch.ptx.variables import OBJECT_SIZE
from catpy.arch.terms import Address, Expression, Operator, Unknown, compute
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


def init(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.init [a], count`: a weak W of an object in its first phase."""
    address, count = instruction.operands
    number = machine.value(state, count)
    fresh = Operator("mbarrier.init", mbarrier.Init(count.span), any_value=True)
    value = tainted(compute(fresh, number.value), number)
    return _overwritten(machine, state, instruction, address, value, ["MBARRIER", "MBAR_INIT"])


def inval(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.inval [a]`: a weak W of an unknown value."""
    (address,) = instruction.operands
    return _overwritten(machine, state, instruction, address, None, [])


def _overwritten(
    machine: Machine,
    state: State,
    instruction: Instruction,
    address: Operand,
    value: Tainted | None,
    tags: Sequence[str],
) -> list[State]:
    results = []
    for fork, access in _objects(machine, state, instruction, address):
        if access is not None:
            sets = [*memory_sets(instruction, access, "W", "WEAK"), *tags]
            written = value or Tainted(Unknown(_location(access)))
            machine.record.write(fork, instruction, sets, access, written)
        results.append(fork)
    return results


def _objects(
    machine: Machine, state: State, instruction: Instruction, address: Operand, remote: bool = False
) -> Iterator[tuple[State, Access | None]]:
    """The objects that an address can lead to; only some operations reach those of other CTAs."""
    for fork, access in objects(machine, state, instruction, address):
        if access is not None and not remote:
            if machine.instances.is_remote(access.variable, machine.place):
                message = "of another CTA's mbarrier a thread can only arrive and count bytes"
                yield fork.fail(message, address.span), None
                continue
        yield fork, access


def objects(
    machine: Machine, state: State, instruction: Instruction, address: Operand
) -> Iterator[tuple[State, Access | None]]:
    """The objects that an address can lead to, a state for each; None for a fault."""
    space = instruction.qualifiers.get("space", "")
    for fork, found in machine.addresses(state, address):
        yield fork, None if found is None else object_at(machine, fork, found, space)


def object_at(machine: Machine, state: State, target: Target, space: str) -> Access | None:
    """The object at an address; None where that is a fault."""
    variable = machine.variable(target.address.name)
    if machine.space_of(variable) not in (None, "SHARED"):
        state.fail(f"`{variable.name}` is not in shared memory, where mbarriers are", target.span)
        return None
    return machine.access(state, target, OBJECT_SIZE, space)


def _location(access: Access) -> str:
    """The location of an object, after which its value is called where nobody initialised it."""
    return access.reach.segments[0].name


def arrive(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.arrive{.expect_tx} state, [a]{, number}`: R then W; gives the old state."""
    return _arrive(machine, state, instruction, drops=False)


def arrive_drop(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.arrive_drop`: the same, and later phases expect so many arrivals less."""
    return _arrive(machine, state, instruction, drops=True)


def _arrive(
    machine: Machine, state: State, instruction: Instruction, *, drops: bool
) -> list[State]:
    destination, address, *numbers = instruction.operands
    number = machine.value(state, numbers[0]) if numbers else Tainted(1)
    expects = "expect" in instruction.qualifiers
    for operand in numbers:
        check_written(operand, 0 if expects else 1, mbarrier.LARGEST)
    count = Tainted(1) if expects else number
    numbers_of = {"arrive": count, "expect": number if expects else Tainted(0)}
    if drops:
        numbers_of["drop"] = count
    results = []
    for fork, access in _objects(machine, state, instruction, address, remote=True):
        if access is None:
            results.append(fork)
            continue
        old = change(machine, fork, instruction, access, numbers_of)
        if machine.instances.is_remote(access.variable, machine.place):
            if isinstance(destination, Word) and destination.name != "_":
                message = "an arrival at another CTA's mbarrier gives no state: write `_`"
                raise TestError(message, destination.span)
        machine.assign(fork, destination, old)
        results.append(fork)
    return results


def expect_tx(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.expect_tx [a], tx`: R then W; so many bytes more are expected."""
    return _count_bytes(machine, state, instruction, "expect")


def complete_tx(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.complete_tx [a], tx`: R then W; so many bytes came."""
    return _count_bytes(machine, state, instruction, "came")


def _count_bytes(
    machine: Machine, state: State, instruction: Instruction, name: str
) -> list[State]:
    """Counts bytes under the name that they have in `mbarrier.changed`."""
    address, number = instruction.operands
    check_written(number, 0, mbarrier.LARGEST)
    results = []
    for fork, access in _objects(machine, state, instruction, address, remote=True):
        if access is not None:
            change(machine, fork, instruction, access, {name: machine.value(fork, number)})
        results.append(fork)
    return results


def change(
    machine: Machine,
    state: State,
    instruction: Instruction,
    access: Access,
    numbers: dict[str, Tainted],
    orders: tuple[str, str] | None = None,
    extra: Sequence[str] = (),
) -> Tainted:
    """A read-modify-write of an object; returns its old state.

    `numbers` are the keywords of `mbarrier.changed`, `orders` the tags of the R and the W where
    they are not those of the instruction, `extra` further sets.
    """
    read_order, write_order = orders or (instruction.mode.read, instruction.mode.write)
    more = ["MBARRIER", *extra]
    sets = [*memory_sets(instruction, access, "R", read_order, "GEN"), *more]
    reads, old = machine.record.read(state, instruction, sets, access)
    sets = [*memory_sets(instruction, access, "W", write_order, "GEN"), *more]
    amounts = {name: number.value for name, number in numbers.items()}
    old = tainted(mbarrier.state_of(old.value, _location(access)), old)
    new = mbarrier.changed(old.value, instruction.span, **amounts)
    state.step += 1
    value = tainted(new, old, *numbers.values())
    writes = machine.record.write(state, instruction, sets, access, value)
    state.relate("rmw", reads, writes)
    return old


def wait(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.{test,try}_wait{.parity} p, [a], state`: one R, acquire where it returns true."""
    destination, address, phase, *_ = instruction.operands
    results = []
    for fork, access in _objects(machine, state, instruction, address):
        if access is None:
            results.append(fork)
            continue
        for after, parity in _parities(machine, fork, instruction, phase):
            if after.end is None:
                results += _waited(machine, after, instruction, access, destination, parity)
            else:
                results.append(after)
    return results


def _parities(
    machine: Machine, state: State, instruction: Instruction, operand: Operand
) -> list[tuple[State, Tainted]]:
    """The parity that is waited for, or the state whose phase is."""
    value = machine.value(state, operand)
    if "parity" not in instruction.qualifiers:
        _check_state(state, value, operand)
        return [(state, value)]
    check_written(operand, 0, 1)
    choices = machine.decide_number(state, value.value, (0, 1), operand.span)
    return [(fork, Tainted(parity, value.reads)) for fork, parity in choices]


def _waited(
    machine: Machine,
    state: State,
    instruction: Instruction,
    access: Access,
    destination: Operand,
    phase: Tainted,
) -> list[State]:
    sets = [*memory_sets(instruction, access, "R", instruction.mode.read), "MBARRIER"]
    reads, old = machine.record.read(state, instruction, sets, access)
    is_over = mbarrier.HAS_PASSED if "parity" in instruction.qualifiers else mbarrier.HAS_LEFT
    over = compute(is_over, old.value, phase.value)
    results = []
    for after, holds in machine.decide(state, over, instruction.span):
        result: Expression = 1
        if not holds:
            machine.record.reorder(after, reads, "RLX")
            result = mbarrier.refusal(old.value, _location(access))
        machine.assign(after, destination, tainted(result, old, phase))
        results.append(after)
    return results


def pending_count(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.pending_count d, state`: what was pending in a state."""
    destination, operand = instruction.operands
    value = machine.value(state, operand)
    _check_state(state, value, operand)
    machine.assign(state, destination, tainted(compute(mbarrier.PENDING, value.value), value))
    return [state]


def _check_state(state: State, value: Tainted, operand: Operand) -> None:
    """Ends in a fault where a value is surely no state of an mbarrier."""
    if isinstance(value.value, int | Address):
        state.fail(f"{value.value} is no state that an arrival returned", operand.span)
