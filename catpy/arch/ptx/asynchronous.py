"""What asynchronous instructions do (§8.9.1.1): operations in no program order, and waits for them.

`issued` relates what precedes the instruction in program order to the memory operations and to the
signal of their completion; `completes` relates the operations to what observes their completion: a
wait of the thread, or an operation on an mbarrier. Behind the operations of bulk forms is an
implicit proxy fence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from catpy.arch.ptx import mbarrier_semantics as mbarriers
from catpy.arch.ptx.addressing import accesses
from catpy.arch.ptx.arithmetic import wrapped
from catpy.arch.ptx.atomics import Atomic
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import manner_of, plain, read, write
from catpy.arch.ptx.instruction import Immediate, Operand
from catpy.arch.ptx.mbarrier_semantics import Amounts
from catpy.arch.ptx.shape import items_of, shape_of
from catpy.arch.ptx.state import Access, Copy, Tainted, tainted
from catpy.arch.ptx.transfer import Size, Transfer, size_of, transfers
from catpy.arch.terms import concat
from catpy.errors import TestError

_ASYNC = "ASYNC_OP"
_IMPLICIT_FENCE = ("F", "PROXY_FENCE", "ASYNC", "IMPLICIT", _ASYNC)


def copy(context: Context) -> Iterator[Context]:
    """`cp.async [dst], [src], size{, src-size}`: weak generic R and W of each element."""
    target, source, *sizes = context.operands
    size = size_of(context, sizes[0])
    taken = size_of(context, sizes[1], least=0) if len(sizes) > 1 else size
    if size is None or taken is None:
        return
    if taken.bytes > size.bytes:
        context.fail("more bytes are read than are copied", sizes[-1].span)
        return
    for fork, transfer in transfers(context, target, source, Size(size.bytes, taken.reads)):
        _check_size(fork, sizes[0], size.bytes)
        fork.state.copies = fork.state.copies.issued(_copied(fork, transfer, taken.bytes))
        yield fork


def _check_size(context: Context, operand: Operand, size: int) -> None:
    """Raises TestError for a number of bytes that no `cp.async` copies."""
    sizes = (16,) if context.word("cache") == "cg" else (4, 8, 16)
    if size not in sizes:
        which = "with `.cg` copies 16 bytes" if len(sizes) == 1 else "copies 4, 8 or 16 bytes"
        raise TestError(f"`cp.async` {which}, not {size}", operand.span)


def _copied(context: Context, transfer: Transfer, taken: int, proxy: str = "") -> Copy:
    """The R and the W of each element that is copied; behind `taken` bytes zeros are written."""
    manner = manner_of(context.instruction, _ASYNC, proxy=proxy)
    manner = replace(manner, read=manner.read or "WEAK", write=manner.write or "WEAK")
    reads, writes = [], []
    done = 0
    for target, source, size in transfer.elements(context.view):
        value = Tainted(0)
        if (there := min(taken - done, size)) > 0:
            part = source if there == size else context.view.part(source, 0, there)
            made, value = read(context, part, manner, 8 * there)
            if there < size:
                value = tainted(concat([(value.value, 8 * there), (0, 8 * (size - there))]), value)
            reads += made
        writes += write(context, target, manner, value, 8 * size)
        done += size
    context.state.issue([*reads, *writes])
    return Copy(tuple(reads), (*reads, *writes))


# cp.async: groups, waits, arrivals


def commit(context: Context) -> Iterable[Context]:
    """`cp.async.commit_group`."""
    context.state.copies = context.state.copies.committed()
    return [context]


def wait_group(context: Context) -> Iterable[Context]:
    """`cp.async.wait_group N`: a WAIT for all groups but the last N."""
    return _waited(context, context.state.copies.covered(_groups_left(context)))


def wait_all(context: Context) -> Iterable[Context]:
    """`cp.async.wait_all`: a WAIT for all copies of the thread, committed or not."""
    context.state.copies = context.state.copies.committed()
    return _waited(context, context.state.copies.covered(0))


def _groups_left(context: Context) -> int:
    (operand,) = context.operands
    assert isinstance(operand, Immediate)
    return operand.value


def _waited(context: Context, covered: Sequence[Copy]) -> Iterable[Context]:
    wait = plain(context, ["WAIT"])
    for made in covered:
        context.state.relate("completes", made.operations, [wait])
    return [context]


def arrive_on(context: Context) -> Iterator[Context]:
    """`cp.async.mbarrier.arrive{.noinc} [a]`: an arrival once all earlier copies are complete.

    Without `.noinc` the thread first makes the object expect one arrival more.
    """
    (address,) = context.operands
    before = [*context.state.copies.covered(0), *context.state.copies.pending]
    for fork, access in mbarriers.objects(context, address):
        if not context.word("noinc"):
            # Relaxed: it orders nothing, but arrivals of other threads must not get lost by it.
            manner = mbarriers.change_manner(context.instruction)
            manner = replace(manner, read="RLX", write="RLX", scope="CTA")
            mbarriers.change(fork, access, manner, Amounts(more=Tainted(1)))
        fork.state.step += 1
        signal = _signal(fork, access, Amounts(arrive=Tainted(1)), "CTA")
        for made in before:
            fork.state.relate("completes", made.operations, signal)
        yield fork


def _signal(
    context: Context, access: Access, amounts: Amounts, scope: str = "CLUSTER"
) -> Sequence[int]:
    """The operation on an mbarrier by which completion is told, a release: its events."""
    manner = mbarriers.change_manner(context.instruction, _ASYNC, "IMPLICIT")
    manner = replace(manner, read="RLX", write="REL", scope=scope)
    first = len(context.state.events)
    mbarriers.change(context, access, manner, amounts)
    made = range(first, len(context.state.events))
    context.state.issue(made)
    return made


# Bulk copies


def bulk_copy(context: Context) -> Iterator[Context]:
    """`cp.async.bulk [dst], [src], size{, [mbar]{, mask}}`: weak R and W by the async proxy."""
    target, source, number, *rest = context.operands
    if (size := size_of(context, number)) is not None:
        yield from _bulk(context, (target, source), size, rest)


def tensor_copy(context: Context) -> Iterator[Context]:
    """`cp.async.bulk.tensor.1d`: a bulk copy of the box of a tensor, behind an R of its tensormap.

    One side is `[tensormap, {c}]`. The value of a tensormap is the address of the tensor; the box
    has the bytes of the variable in shared memory, and begins at element `c`.
    """
    target, source, *rest = context.operands
    return _bulk(context, (target, source), None, rest)


def _bulk(
    context: Context, sides: tuple[Operand, Operand], size: Size | None, rest: Sequence[Operand]
) -> Iterator[Context]:
    """Copies, one for each CTA of a multicast. The `rest` are an mbarrier and a mask, if any."""
    mask = _mask(context, rest[1]) if len(rest) > 1 else None
    for fork, transfer in transfers(context, *sides, size):
        copies: list[tuple[Transfer, int | None]] = [(transfer, None)]
        if mask is not None:
            copies = [(transfer.in_rank(fork.view, rank), rank) for rank in mask]
        after = [fork]
        for one, rank in copies:
            after = [done for before in after for done in _bulk_to_one(before, one, rest[:1], rank)]
        yield from after


def _mask(context: Context, operand: Operand) -> list[int]:
    """The ranks of the CTAs that a multicast goes to."""
    mask = context.value(operand).value
    if not isinstance(mask, int) or mask < 1:
        raise TestError("the mask is a number that names CTAs by a bit each", operand.span)
    named = [rank for rank in range(mask.bit_length()) if mask >> rank & 1]
    for rank in named:
        if rank not in context.view.ranks():
            message = f"the mask names CTA {rank}, which the cluster does not have here"
            raise TestError(message, operand.span)
    return named


def _bulk_to_one(
    context: Context, transfer: Transfer, told: Sequence[Operand], rank: int | None
) -> Iterator[Context]:
    """A bulk copy to one destination; the mbarrier in `told`, if any, is told of its completion."""
    moved: Iterable[tuple[Context, Copy]]
    if context.word("operation"):
        moved = _reduced(context, transfer)
    else:
        moved = [(context, _copied(context, transfer, transfer.size, "ASYNC"))]
    maps = transfer.tensormap
    for after, copied in moved:
        made = Copy((*maps, *copied.reads), (*maps, *copied.operations))
        fence = plain(after, _IMPLICIT_FENCE)
        after.state.relate("completes", made.operations, [fence])
        if told:
            objects = transfer.mbarriers(after, told[0], rank)
            yield from _told(objects, [fence], transfer.size)
        else:
            after.state.bulk = after.state.bulk.issued(replace(made, fence=fence))
            yield after


def _reduced(context: Context, transfer: Transfer) -> Iterator[tuple[Context, Copy]]:
    """`cp.reduce.async.bulk`: a weak R and a read-modify-write for each element."""
    kind, operation = context.instruction.type, context.word("operation")
    taking = replace(manner_of(context.instruction, _ASYNC, proxy="ASYNC"), read="WEAK")
    manner = manner_of(context.instruction, "RED", _ASYNC, proxy="ASYNC")
    states: list[tuple[Context, Copy]] = [(context, Copy((), ()))]
    for target, source, size in transfer.elements(context.view):
        if kind is None or kind.bits != 8 * size:
            raise TestError("the type is that of the elements", context.span)
        extended = []
        for before, made in states:
            first = len(before.state.events)
            reads, value = read(before, source, taking, kind.bits)
            operand = Tainted(wrapped(kind, value.value), value.reads)
            for after, _ in Atomic(operation, [operand], kind, manner).perform(before, target):
                done = (*made.operations, *range(first, len(after.state.events)))
                extended.append((after, Copy((*made.reads, *reads), done)))
        states = extended
    for after, made in states:
        after.state.issue(made.operations)
        yield after, made


def bulk_commit(context: Context) -> Iterable[Context]:
    """`cp.async.bulk.commit_group`."""
    context.state.bulk = context.state.bulk.committed()
    return [context]


def bulk_wait(context: Context) -> Iterable[Context]:
    """`cp.async.bulk.wait_group{.read} N`: a WAIT for all groups but the last N.

    With `.read` for what they read from only; the proxy fence that a completion implies is then one
    behind those reads.
    """
    state = context.state
    covered = state.bulk.covered(_groups_left(context))
    fences = [made.fence for made in covered if made.fence is not None]
    if context.word("read") and covered:
        fence = plain(context, _IMPLICIT_FENCE)
        for made in covered:
            state.relate("completes", made.reads, [fence])
        fences = [fence]
    state.relate("completes", fences, [plain(context, ["WAIT"])])
    return [context]


# Asynchronous stores and reductions


def store(context: Context) -> Iterator[Context]:
    """`st.async [a], v{, [mbar]}`: a generic W of each element; an mbarrier is told of it."""
    address, source, *told = context.operands
    shape, manner = shape_of(context.instruction), manner_of(context.instruction, _ASYNC)
    values = shape.split([context.value(item) for item in items_of(source, shape)])
    for fork, access in accesses(context, address, shape.size):
        first = len(fork.state.events)
        for element, value in zip(shape.elements(fork.view, access), values, strict=True):
            write(fork, element, manner, value, shape.bits)
        yield from _finished(fork, first, access, told)


def reduce(context: Context) -> Iterator[Context]:
    """`red.async.op [a], v{, [mbar]}`: a generic read-modify-write."""
    address, source, *told = context.operands
    shape, manner = shape_of(context.instruction), manner_of(context.instruction, "RED", _ASYNC)
    values = shape.split([context.value(source)])
    atomic = Atomic(context.word("operation"), values, shape.kind, manner)
    for fork, access in accesses(context, address, shape.size):
        first = len(fork.state.events)
        for after, _ in atomic.perform(fork, access):
            yield from _finished(after, first, access, told)


def _finished(
    context: Context, first: int, access: Access, told: Sequence[Operand]
) -> Iterator[Context]:
    """Issues the events from `first` on; the mbarrier in `told`, if any, is told of the access."""
    made = range(first, len(context.state.events))
    context.state.issue(made)
    if told:
        extent = access.reach.extent
        objects = mbarriers.objects(context, told[0])
        yield from _told(objects, made, extent.stop - extent.start)
    else:
        yield context


def _told(
    objects: Iterable[tuple[Context, Access]], made: Sequence[int], size: int
) -> Iterator[Context]:
    """Tells each of the mbarriers that some bytes came, once what was made is complete."""
    for context, access in objects:
        signal = _signal(context, access, Amounts(came=Tainted(size)))
        context.state.relate("completes", made, signal)
        yield context
