"""What asynchronous instructions do (§8.9.1.1): operations in no program order, and waits for them.

`issued` relates what precedes the instruction in program order to the memory operations and to the
signal of their completion; `completes` relates the operations to what observes their completion: a
wait of the thread, or an operation on an mbarrier. Behind the operations of bulk forms is an
implicit proxy fence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from catpy.arch.ptx import mbarrier_semantics as mbarriers
from catpy.arch.ptx.arithmetic import type_of, wrapped
from catpy.arch.ptx.instruction import Immediate, Instruction, Operand
from catpy.arch.ptx.semantics import Modification, items_of, memory_sets, modify, shape_of
from catpy.arch.ptx.state import Access, Copy, State, Tainted, tainted
from catpy.arch.ptx.transfer import Transfer, bytes_of, transfers
from catpy.arch.terms import concat
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine

_ASYNC = "ASYNC_OP"
_IMPLICIT_FENCE = ("F", "PROXY_FENCE", "ASYNC", "IMPLICIT", _ASYNC)

#: The orders of a read and a write: of those by which completion is told, and of others.
_RELEASE = ("RLX", "REL")
_RELAXED = ("RLX", "RLX")


def copy(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async [dst], [src], size{, src-size}`: weak generic R and W of each element."""
    target, source, *sizes = instruction.operands
    size = bytes_of(sizes[0])
    taken = bytes_of(sizes[1], least=0) if len(sizes) > 1 else size
    if taken > size:
        raise TestError("more bytes are read than are copied", sizes[-1].span)
    results = []
    for fork, transfer in transfers(machine, state, instruction, target, source, size):
        if transfer is not None:
            _check_size(instruction, sizes[0], size)
            made = _copied(machine, fork, instruction, transfer, taken)
            fork.copies = fork.copies.issued(made)
        results.append(fork)
    return results


def _check_size(instruction: Instruction, operand: Operand, size: int) -> None:
    """Raises TestError for a number of bytes that no `cp.async` copies."""
    sizes = (16,) if instruction.qualifiers.get("cache") == "cg" else (4, 8, 16)
    if size not in sizes:
        which = "with `.cg` copies 16 bytes" if len(sizes) == 1 else "copies 4, 8 or 16 bytes"
        raise TestError(f"`cp.async` {which}, not {size}", operand.span)


def _copied(
    machine: Machine,
    state: State,
    instruction: Instruction,
    transfer: Transfer,
    taken: int,
    proxy: str = "",
) -> Copy:
    """The R and the W of each element that is copied; behind `taken` bytes zeros are written."""
    reads, writes = [], []
    orders = instruction.mode.read or "WEAK", instruction.mode.write or "WEAK"
    done = 0
    for target, source, size in transfer.elements(machine):
        value = Tainted(0)
        if (there := min(taken - done, size)) > 0:
            part = source if there == size else machine.part(source, 0, there)
            sets = [*memory_sets(instruction, part, "R", orders[0], proxy), _ASYNC]
            made, value = machine.record.read(state, instruction, sets, part, 8 * there)
            if there < size:
                value = tainted(concat([(value.value, 8 * there), (0, 8 * (size - there))]), value)
            reads += made
        sets = [*memory_sets(instruction, target, "W", orders[1], proxy), _ASYNC]
        writes += machine.record.write(state, instruction, sets, target, value, 8 * size)
        done += size
    state.issue([*reads, *writes])
    return Copy(tuple(reads), (*reads, *writes))


# cp.async: groups, waits, arrivals


def commit(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.commit_group`."""
    state.copies = state.copies.committed()
    return [state]


def wait_group(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.wait_group N`: a WAIT for all groups but the last N."""
    covered = state.copies.covered(_groups_left(instruction))
    return _waited(machine, state, instruction, covered)


def wait_all(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.wait_all`: a WAIT for all copies of the thread, committed or not."""
    state.copies = state.copies.committed()
    return _waited(machine, state, instruction, state.copies.covered(0))


def _groups_left(instruction: Instruction) -> int:
    (operand,) = instruction.operands
    assert isinstance(operand, Immediate)
    return operand.value


def _waited(
    machine: Machine, state: State, instruction: Instruction, covered: Sequence[Copy]
) -> list[State]:
    wait = machine.record.plain(state, instruction, ["WAIT"])
    for made in covered:
        state.relate("completes", made.operations, [wait])
    return [state]


def arrive_on(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.mbarrier.arrive{.noinc} [a]`: an arrival once all earlier copies are complete.

    Without `.noinc` the thread first makes the object expect one arrival more.
    """
    (address,) = instruction.operands
    before = [*state.copies.covered(0), *state.copies.pending]
    results = []
    for fork, access in mbarriers.objects(machine, state, instruction, address):
        if access is None:
            results.append(fork)
            continue
        if "noinc" not in instruction.qualifiers:
            # Relaxed: it orders nothing, but arrivals of other threads must not get lost by it.
            local, numbers = replace(instruction, scope="CTA"), {"more": Tainted(1)}
            mbarriers.change(machine, fork, local, access, numbers, _RELAXED)
        fork.step += 1
        signal = _signal(machine, fork, instruction, access, {"arrive": Tainted(1)}, "CTA")
        for made in before:
            fork.relate("completes", made.operations, signal)
        results.append(fork)
    return results


def _signal(
    machine: Machine,
    state: State,
    instruction: Instruction,
    access: Access,
    numbers: dict[str, Tainted],
    scope: str = "CLUSTER",
) -> list[int]:
    """The operation on an mbarrier by which completion is told, a release: its events."""
    first = len(state.events)
    signal, tags = replace(instruction, scope=scope), [_ASYNC, "IMPLICIT"]
    mbarriers.change(machine, state, signal, access, numbers, _RELEASE, tags)
    made = list(range(first, len(state.events)))
    state.issue(made)
    return made


# Bulk copies


def bulk_copy(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.bulk [dst], [src], size{, [mbar]{, mask}}`: weak R and W by the async proxy."""
    target, source, size, *rest = instruction.operands
    return _bulk(machine, state, instruction, (target, source), bytes_of(size), rest)


def tensor_copy(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.bulk.tensor.1d`: a bulk copy of the box of a tensor, behind an R of its tensormap.

    One side is `[tensormap, {c}]`. The value of a tensormap is the address of the tensor; the box
    has the bytes of the variable in shared memory, and begins at element `c`.
    """
    target, source, *rest = instruction.operands
    return _bulk(machine, state, instruction, (target, source), None, rest)


def _bulk(
    machine: Machine,
    state: State,
    instruction: Instruction,
    sides: tuple[Operand, Operand],
    size: int | None,
    rest: Sequence[Operand],
) -> list[State]:
    mask = _mask(machine, state, rest)
    results = []
    for fork, transfer in transfers(machine, state, instruction, *sides, size):
        if transfer is None:
            results.append(fork)
            continue
        targets = [transfer] if mask is None else transfer.multicast(machine, mask)
        after = [fork]
        for at, one in enumerate(targets):
            rank = None if mask is None else mask[at]
            after = [
                done
                for before in after
                for done in _bulk_to_one(machine, before, instruction, one, rest, rank)
            ]
        results += after
    return results


def _mask(machine: Machine, state: State, rest: Sequence[Operand]) -> list[int] | None:
    """The ranks of the CTAs that a multicast goes to; None where there is none."""
    if len(rest) < 2:
        return None
    mask = machine.value(state, rest[1]).value
    ranks = machine.instances.ranks(machine.place)
    if not isinstance(mask, int) or mask < 1:
        raise TestError("the mask is a number that names CTAs by a bit each", rest[1].span)
    named = [rank for rank in range(mask.bit_length()) if mask >> rank & 1]
    for rank in named:
        if rank not in ranks:
            message = f"the mask names CTA {rank}, which the cluster does not have here"
            raise TestError(message, rest[1].span)
    return named


def _bulk_to_one(
    machine: Machine,
    state: State,
    instruction: Instruction,
    transfer: Transfer,
    rest: Sequence[Operand],
    rank: int | None,
) -> list[State]:
    """A bulk copy to one destination, with what tells its completion there."""
    assert instruction.row is not None
    if "operation" in instruction.qualifiers:
        states = _reduced(machine, state, instruction, transfer)
    else:
        states = [(state, _copied(machine, state, instruction, transfer, transfer.size, "ASYNC"))]
    results: list[State] = []
    maps = transfer.tensormap
    for after, copied in states:
        made = Copy((*maps, *copied.reads), (*maps, *copied.operations))
        fence = machine.record.plain(after, instruction, _IMPLICIT_FENCE)
        after.relate("completes", made.operations, [fence])
        if not rest:
            after.bulk = after.bulk.issued(replace(made, fence=fence))
            results.append(after)
            continue
        objects = transfer.mbarriers(machine, after, rest[0], rank)
        results += _told(machine, instruction, objects, [fence], transfer.size)
    return results


def _reduced(
    machine: Machine, state: State, instruction: Instruction, transfer: Transfer
) -> list[tuple[State, Copy]]:
    """`cp.reduce.async.bulk`: a weak R and a read-modify-write for each element."""
    kind, operation = type_of(instruction), instruction.qualifiers["operation"]
    states: list[tuple[State, Copy]] = [(state, Copy((), ()))]
    for target, source, size in transfer.elements(machine):
        if kind is None or kind.bits != 8 * size:
            raise TestError("the type is that of the elements", instruction.span)
        extended = []
        for before, made in states:
            first = len(before.events)
            sets = memory_sets(instruction, source, "R", "WEAK", "ASYNC")
            reads, value = machine.record.read(
                before, instruction, [*sets, _ASYNC], source, kind.bits
            )
            operand = Tainted(wrapped(kind, value.value), value.reads)
            change = Modification(instruction, operation, [operand], kind, ["RED", _ASYNC], "ASYNC")
            for after, _ in modify(machine, before, change, target):
                done = (*made.operations, *range(first, len(after.events)))
                extended.append((after, Copy((*made.reads, *reads), done)))
        states = extended
    for after, made in states:
        after.issue(made.operations)
    return states


def bulk_commit(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.bulk.commit_group`."""
    state.bulk = state.bulk.committed()
    return [state]


def bulk_wait(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`cp.async.bulk.wait_group{.read} N`: a WAIT for all groups but the last N.

    With `.read` for what they read from only; the proxy fence that a completion implies is then one
    behind those reads.
    """
    covered = state.bulk.covered(_groups_left(instruction))
    fences = [made.fence for made in covered if made.fence is not None]
    if "read" in instruction.qualifiers and covered:
        fence = machine.record.plain(state, instruction, _IMPLICIT_FENCE)
        for made in covered:
            state.relate("completes", made.reads, [fence])
        fences = [fence]
    wait = machine.record.plain(state, instruction, ["WAIT"])
    state.relate("completes", fences, [wait])
    return [state]


# Asynchronous stores and reductions


def store(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`st.async [a], v{, [mbar]}`: a generic W of each element; an mbarrier is told of it."""
    address, source, *rest = instruction.operands
    shape = shape_of(instruction)
    values = shape.split([machine.value(state, item) for item in items_of(source, shape)])
    results = []
    for fork, access in machine.accesses(state, instruction, address, shape.size):
        if access is None:
            results.append(fork)
            continue
        made: list[int] = []
        for element, value in zip(shape.elements(machine, access), values, strict=True):
            sets = memory_sets(instruction, element, "W", instruction.mode.write)
            made += machine.record.write(
                fork, instruction, [*sets, _ASYNC], element, value, shape.bits
            )
        fork.issue(made)
        results += _finished(machine, fork, instruction, made, access, rest)
    return results


def reduce(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`red.async.op [a], v{, [mbar]}`: a generic read-modify-write."""
    address, source, *rest = instruction.operands
    shape = shape_of(instruction)
    values = shape.split([machine.value(state, source)])
    operation = instruction.qualifiers["operation"]
    change = Modification(instruction, operation, values, shape.kind, ["RED", _ASYNC])
    results = []
    for fork, access in machine.accesses(state, instruction, address, shape.size):
        if access is None:
            results.append(fork)
            continue
        first = len(fork.events)
        for after, _ in modify(machine, fork, change, access):
            made = list(range(first, len(after.events)))
            after.issue(made)
            results += _finished(machine, after, instruction, made, access, rest)
    return results


def _finished(
    machine: Machine,
    state: State,
    instruction: Instruction,
    made: list[int],
    access: Access,
    rest: Sequence[Operand],
) -> list[State]:
    """Tells the completion of some operations to an mbarrier, where one is given."""
    if not rest:
        return [state]
    extent = access.reach.extent
    objects = mbarriers.objects(machine, state, instruction, rest[0])
    return _told(machine, instruction, objects, made, extent.stop - extent.start)


def _told(
    machine: Machine,
    instruction: Instruction,
    objects: Iterable[tuple[State, Access | None]],
    made: Sequence[int],
    size: int,
) -> list[State]:
    """Tells each of the mbarriers that some bytes came, once what was made is complete."""
    results = []
    for state, access in objects:
        if access is not None:
            came = {"came": Tainted(size)}
            state.relate("completes", made, _signal(machine, state, instruction, access, came))
        results.append(state)
    return results
