"""What mbarrier instructions do to a thread: operations on the location of the object.

Its value is the state of the object (`mbarrier`), so that they synchronize by the rules for reads
and writes. An object that nobody initialised gives an unknown value. What makes an object, or
leaves it as one, is a write in `MBARRIER`; that of `mbarrier.inval` is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from catpy.arch.ptx import mbarrier
from catpy.arch.ptx.addressing import access_at, addresses
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import Manner, manner_of, modify, read, reorder, write
from catpy.arch.ptx.instruction import Instruction, Operand, Word, check_written
from catpy.arch.ptx.state import Access, Tainted, Target, tainted
from catpy.arch.ptx.variables import OBJECT_SIZE
from catpy.arch.terms import Address, Expression, Operator, Unknown, compute
from catpy.errors import TestError

NONE = Tainted(0)


@dataclass(frozen=True, slots=True)
class Amounts:
    """By how much an object is changed: arrivals and bytes, see `mbarrier.Change`.

    Without a number to `arrive` by it is no arrival.
    """

    more: Tainted = NONE
    expect: Tainted = NONE
    arrive: Tainted | None = None
    drop: Tainted = NONE
    came: Tainted = NONE

    def numbers(self) -> list[Tainted]:
        """The numbers that `mbarrier.Change` takes."""
        return [self.more, self.expect, self.arrive or NONE, self.drop, self.came]


def init(context: Context) -> Iterator[Context]:
    """`mbarrier.init [a], count`: a weak W of an object in its first phase."""
    address, count = context.operands
    number = context.value(count)
    fresh = Operator("mbarrier.init", mbarrier.Init(count.span), any_value=True)
    value = tainted(compute(fresh, number.value), number)
    manner = replace(manner_of(context.instruction, "MBARRIER", "MBAR_INIT"), write="WEAK")
    for fork, access in _own_objects(context, address):
        write(fork, access, manner, value)
        yield fork


def inval(context: Context) -> Iterator[Context]:
    """`mbarrier.inval [a]`: a weak W of an unknown value."""
    (address,) = context.operands
    manner = replace(manner_of(context.instruction), write="WEAK")
    for fork, access in _own_objects(context, address):
        write(fork, access, manner, Tainted(Unknown(_location(access))))
        yield fork


def _own_objects(context: Context, address: Operand) -> Iterator[tuple[Context, Access]]:
    """The objects that an address can lead to; a fault for those of other CTAs."""
    for fork, access in objects(context, address):
        if fork.view.is_remote(access.variable):
            message = "of another CTA's mbarrier a thread can only arrive and count bytes"
            fork.fail(message, address.span)
        else:
            yield fork, access


def objects(context: Context, address: Operand) -> Iterator[tuple[Context, Access]]:
    """The objects that an address can lead to."""
    for fork, found in addresses(context, address):
        if (access := object_at(fork, found, context.word("space"))) is not None:
            yield fork, access


def object_at(context: Context, target: Target, space: str) -> Access | None:
    """The object at an address in a state space; None where that is a fault."""
    variable = context.view.variable(target.address)
    if context.view.space_of(variable) not in (None, "SHARED"):
        message = f"`{variable.name}` is not in shared memory, where mbarriers are"
        context.fail(message, target.span)
        return None
    return access_at(context, target, OBJECT_SIZE, space)


def _location(access: Access) -> str:
    """The location of an object, after which its value is called where nobody initialised it."""
    return access.reach.segments[0].name


def arrive(context: Context) -> Iterator[Context]:
    """`mbarrier.arrive{.expect_tx} state, [a]{, number}`: R then W; gives the old state."""
    return _arrive(context, drops=False)


def arrive_drop(context: Context) -> Iterator[Context]:
    """`mbarrier.arrive_drop`: the same, and later phases expect so many arrivals less."""
    return _arrive(context, drops=True)


def _arrive(context: Context, *, drops: bool) -> Iterator[Context]:
    destination, address, *numbers = context.operands
    number = context.value(numbers[0]) if numbers else Tainted(1)
    expects = bool(context.word("expect"))
    for operand in numbers:
        check_written(operand, 0 if expects else 1, mbarrier.LARGEST)
    amounts = Amounts(arrive=Tainted(1), expect=number) if expects else Amounts(arrive=number)
    if drops:
        amounts = replace(amounts, drop=amounts.arrive or NONE)
    for fork, access in objects(context, address):
        old = change(fork, access, change_manner(context.instruction), amounts)
        if fork.view.is_remote(access.variable):
            if isinstance(destination, Word) and destination.name != "_":
                message = "an arrival at another CTA's mbarrier gives no state: write `_`"
                raise TestError(message, destination.span)
        fork.assign(destination, old)
        yield fork


def expect_tx(context: Context) -> Iterator[Context]:
    """`mbarrier.expect_tx [a], tx`: R then W; so many bytes more are expected."""
    return _count_bytes(context, Amounts(expect=_bytes(context)))


def complete_tx(context: Context) -> Iterator[Context]:
    """`mbarrier.complete_tx [a], tx`: R then W; so many bytes came."""
    return _count_bytes(context, Amounts(came=_bytes(context)))


def _bytes(context: Context) -> Tainted:
    _, number = context.operands
    check_written(number, 0, mbarrier.LARGEST)
    return context.value(number)


def _count_bytes(context: Context, amounts: Amounts) -> Iterator[Context]:
    address, _ = context.operands
    for fork, access in objects(context, address):
        change(fork, access, change_manner(context.instruction), amounts)
        yield fork


def change_manner(instruction: Instruction, *sets: str) -> Manner:
    """How an instruction accesses an object that it changes, with further sets."""
    return manner_of(instruction, "MBARRIER", *sets, proxy="GEN")


def change(context: Context, access: Access, manner: Manner, amounts: Amounts) -> Tainted:
    """A read-modify-write of an object; returns its old state. What comes next is behind the W."""
    numbers = amounts.numbers()

    def known(read: Tainted) -> Tainted:
        return tainted(mbarrier.state_of(read.value, _location(access)), read)

    def update(context: Context, read: Tainted) -> Iterable[tuple[Context, Tainted]]:
        values, arrives = [number.value for number in numbers], amounts.arrive is not None
        new = mbarrier.changed(known(read).value, values, context.span, arrives=arrives)
        yield context, tainted(new, read, *numbers)

    ((_, old),) = modify(context, access, manner, update)
    context.state.step += 1
    return known(old)


def wait(context: Context) -> Iterator[Context]:
    """`mbarrier.{test,try}_wait{.parity} p, [a], state`: one R, acquire where it returns true."""
    destination, address, operand, *_ = context.operands
    for fork, access in _own_objects(context, address):
        for after, phase in _phases(fork, operand):
            yield from _waited(after, access, destination, phase)


def _phases(context: Context, operand: Operand) -> Iterator[tuple[Context, Tainted]]:
    """The parity that is waited for, or the state whose phase is."""
    value = context.value(operand)
    if context.word("parity"):
        check_written(operand, 0, 1)
        for fork, parity in context.decide_number(value.value, (0, 1), operand.span):
            yield fork, Tainted(parity, value.reads)
    elif _can_be_state(context, value, operand):
        yield context, value


def _waited(
    context: Context, access: Access, destination: Operand, phase: Tainted
) -> Iterator[Context]:
    reads, old = read(context, access, manner_of(context.instruction, "MBARRIER"))
    is_over = mbarrier.HAS_PASSED if context.word("parity") else mbarrier.HAS_LEFT
    over = compute(is_over, old.value, phase.value)
    for after, holds in context.decide(over, context.span):
        result: Expression = 1
        if not holds:
            reorder(after.state, reads, "RLX")
            result = mbarrier.refusal(old.value, _location(access))
        after.assign(destination, tainted(result, old, phase))
        yield after


def pending_count(context: Context) -> Iterator[Context]:
    """`mbarrier.pending_count d, state`: what was pending in a state."""
    destination, operand = context.operands
    value = context.value(operand)
    if _can_be_state(context, value, operand):
        pending = compute(mbarrier.PENDING, value.value)
        context.assign(destination, tainted(pending, value))
        yield context


def _can_be_state(context: Context, value: Tainted, operand: Operand) -> bool:
    """Whether a value can be the state of an mbarrier; a fault where it surely is none."""
    if isinstance(value.value, int | Address):
        context.fail(f"{value.value} is no state that an arrival returned", operand.span)
        return False
    return True
