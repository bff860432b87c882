"""What mbarrier instructions do to a thread: operations on the location of the object.

Its value is the state of the object (`mbarrier`), so that they synchronize by the rules for reads
and writes. An object that nobody initialised gives an unknown value, and the events that meet it
are in `MBAR_UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from catpy.arch.ptx import mbarrier
from catpy.arch.ptx.instruction import Immediate, Instruction, Operand
from catpy.arch.ptx.semantics import memory_sets
from catpy.arch.ptx.state import Access, State, Tainted, tainted
from catpy.arch.terms import Address, Operator, Unknown, compute
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine, Target

#: The bytes of an mbarrier object.
SIZE = 8


def init(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.init [a], count`: a weak W of an object in its first phase."""
    address, count = instruction.operands
    number = machine.value(state, count)
    fresh = Operator("mbarrier.init", mbarrier.Init(count.span), any_value=True)
    value = tainted(compute(fresh, number.value), number)
    return _overwritten(machine, state, instruction, address, value, "MBAR_INIT")


def inval(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.inval [a]`: a weak W of an unknown value."""
    (address,) = instruction.operands
    return _overwritten(machine, state, instruction, address, None, "")


def _overwritten(
    machine: Machine,
    state: State,
    instruction: Instruction,
    address: Operand,
    value: Tainted | None,
    tag: str,
) -> list[State]:
    results = []
    for fork, access in _objects(machine, state, instruction, address):
        if access is not None:
            sets = [*memory_sets(instruction, access, "W", "WEAK"), "MBARRIER", tag]
            machine.record.write(fork, instruction, sets, access, value or _unknown(access))
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
    address, reads, span = target
    variable = machine.variable(address.name)
    if machine.space_of(variable) not in (None, "SHARED"):
        state.fail(f"`{variable.name}` is not in shared memory, where mbarriers are", span)
        return None
    return machine.access(state, address, reads, span, SIZE, space)


def _unknown(access: Access) -> Tainted:
    """The value of an object that was not initialised."""
    return Tainted(Unknown(access.reach.segments[0].name))


def arrive(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.arrive{_drop}{.expect_tx} state, [a]{, number}`: R then W; gives the old state."""
    assert instruction.row is not None
    destination, address, *numbers = instruction.operands
    number = machine.value(state, numbers[0]) if numbers else Tainted(1)
    expects, drops = "expect" in instruction.qualifiers, "drop" in instruction.row.opcode
    _check_number(numbers, 0 if expects else 1)
    count = Tainted(1) if expects else number
    numbers_of = {"arrive": count, "expect": number if expects else Tainted(0)}
    if drops:
        numbers_of["drop"] = count
    results = []
    for fork, access in _objects(machine, state, instruction, address, remote=True):
        if access is None:
            results.append(fork)
            continue
        for after, old in change(machine, fork, instruction, access, numbers_of):
            if machine.instances.is_remote(access.variable, machine.place):
                if getattr(destination, "name", "_") != "_":
                    message = "an arrival at another CTA's mbarrier gives no state: write `_`"
                    raise TestError(message, destination.span)
            machine.assign(after, destination, old)
            results.append(after)
    return results


def count_bytes(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mbarrier.expect_tx [a], tx`, `mbarrier.complete_tx [a], tx`: R then W."""
    assert instruction.row is not None
    address, number = instruction.operands
    _check_number([number], 0)
    name = "expect" if "expect" in instruction.row.opcode else "came"
    results = []
    for fork, access in _objects(machine, state, instruction, address, remote=True):
        if access is None:
            results.append(fork)
        else:
            numbers = {name: machine.value(fork, number)}
            changes = change(machine, fork, instruction, access, numbers)
            results += [after for after, _ in changes]
    return results


def _check_number(operands: Sequence[Operand], least: int) -> None:
    """Raises TestError for a number of arrivals or bytes that is written and makes no sense."""
    for operand in operands:
        if isinstance(operand, Immediate) and not least <= operand.value <= mbarrier.LARGEST:
            message = f"this number is from {least} to {mbarrier.LARGEST}"
            raise TestError(message, operand.span)


def change(
    machine: Machine,
    state: State,
    instruction: Instruction,
    access: Access,
    numbers: dict[str, Tainted],
    orders: tuple[str, str] | None = None,
    extra: Sequence[str] = (),
) -> Iterator[tuple[State, Tainted]]:
    """A read-modify-write of an object; gives the states that follow, with the old value.

    `numbers` are the keywords of `mbarrier.changed`, `orders` the tags of the R and the W where
    they are not those of the instruction, `extra` further sets.
    """
    read_order, write_order = orders or (instruction.mode.read, instruction.mode.write)
    more = ["MBARRIER", *extra]
    sets = [*memory_sets(instruction, access, "R", read_order, "GEN"), *more]
    reads, old = machine.record.read(state, instruction, sets, access)
    sets = [*memory_sets(instruction, access, "W", write_order, "GEN"), *more]
    amounts = {name: number.value for name, number in numbers.items()}
    new = mbarrier.changed(old.value, instruction.span, **amounts)
    for after, known in _known(machine, state, instruction, access, old):
        value = tainted(new, old, *numbers.values()) if known else _unknown(access)
        if not known:
            machine.record.retag(after, reads, add="MBAR_UNKNOWN")
        after.step += 1
        writes = machine.record.write(after, instruction, sets, access, value)
        after.relate("rmw", [(read, write) for read in reads for write in writes])
        yield after, old if known else Tainted(_unknown(access).value, old.reads)


def _known(
    machine: Machine, state: State, instruction: Instruction, access: Access, old: Tainted
) -> list[tuple[State, bool]]:
    """The states in which an object was initialised, and in which it was not."""
    if access.variable in machine.sure_mbarriers:
        return [(state, True)]
    return machine.decide(state, compute(mbarrier.IS_MBARRIER, old.value), instruction.span)


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
    if isinstance(operand, Immediate) and operand.value not in (0, 1):
        raise TestError(f"the parity of a phase is 0 or 1, not {operand.value}", operand.span)
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
    for fork, known in _known(machine, state, instruction, access, old):
        if not known:
            machine.record.retag(fork, reads, add="MBAR_UNKNOWN", order="RLX")
            value = Tainted(_unknown(access).value, old.reads)
            machine.assign(fork, destination, value)
            results.append(fork)
            continue
        for after, holds in machine.decide(fork, over, instruction.span):
            if not holds:
                machine.record.retag(after, reads, order="RLX")
            machine.assign(after, destination, tainted(int(holds), old, phase))
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
