"""What memory instructions and fences do to a thread: its events, and registers.

Every function takes the context that an instruction is executed in, whose state it may change, and
gives those that go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from catpy.arch.ptx.addressing import accesses, addresses
from catpy.arch.ptx.arithmetic import wrapped
from catpy.arch.ptx.atomics import Atomic
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import manner_of, plain, read, write
from catpy.arch.ptx.instruction import Immediate, Operand
from catpy.arch.ptx.shape import items_of, shape_of
from catpy.arch.ptx.state import Tainted, tainted
from catpy.arch.ptx.variables import OBJECT_SIZE
from catpy.arch.ptx.words import SPACES
from catpy.errors import TestError


def load(context: Context) -> Iterator[Context]:
    """`ld d, [a]`: one R an element."""
    destination, address = context.operands
    shape, manner = shape_of(context.instruction), manner_of(context.instruction)
    registers = items_of(destination, shape)
    for fork, access in accesses(context, address, shape.size):
        elements = shape.elements(fork.view, access)
        olds = [read(fork, element, manner, shape.bits)[1] for element in elements]
        values = shape.operands([wrapped(shape.kind, old.value) for old in olds])
        for register, value in zip(registers, values, strict=True):
            fork.assign(register, tainted(value, *olds))
        yield fork


def store(context: Context) -> Iterator[Context]:
    """`st [a], v`: one W an element."""
    address, source = context.operands
    shape, manner = shape_of(context.instruction), manner_of(context.instruction)
    values = shape.split([context.value(item) for item in items_of(source, shape)])
    for fork, access in accesses(context, address, shape.size):
        for element, value in zip(shape.elements(fork.view, access), values, strict=True):
            write(fork, element, manner, value, shape.bits)
        yield fork


def atom(context: Context) -> Iterator[Context]:
    """`atom.op d, [a], v{, w}`: R then W, joined by `rmw`."""
    destination, address, *sources = context.operands
    return _atomic(context, "ATOM", address, sources, destination)


def red(context: Context) -> Iterator[Context]:
    """`red.op [a], v`: the events of an `atom`, without a destination."""
    address, *sources = context.operands
    return _atomic(context, "RED", address, sources)


def _atomic(
    context: Context,
    family: str,
    address: Operand,
    sources: Sequence[Operand],
    destination: Operand | None = None,
) -> Iterator[Context]:
    """The operation on each element of what is accessed; they are in no order."""
    shape, manner = shape_of(context.instruction), manner_of(context.instruction, family)
    values = [shape.split([context.value(source)]) for source in sources]
    for fork, access in accesses(context, address, shape.size):
        after: list[tuple[Context, list[Tainted]]] = [(fork, [])]
        for at, element in enumerate(shape.elements(fork.view, access)):
            operands = [source[at] for source in values]
            atomic = Atomic(context.word("operation"), operands, shape.kind, manner)
            after = [
                (then, [*olds, old])
                for before, olds in after
                for then, old in atomic.perform(before, element)
            ]
        for then, olds in after:
            if destination is not None:
                (whole,) = shape.operands([old.value for old in olds])
                then.assign(destination, tainted(whole, *olds))
            then.state.step += 1  # the W is behind the R
            yield then


def mapa(context: Context) -> Iterator[Context]:
    """`mapa d, a, rank`: the address of the same variable in a CTA of the cluster."""
    destination, variable, rank = context.operands
    number, ranks = context.value(rank), context.view.ranks()
    if isinstance(number.value, int) and number.value not in ranks:
        message = f"the cluster does not have CTA {number.value} here: no thread is in it"
        context.fail(message, rank.span)
        return
    for fork, found in addresses(context, variable):
        for after, chosen in fork.decide_number(number.value, ranks, rank.span):
            mapped = after.view.mapped(found.address, chosen)
            if mapped is None:
                raise TestError(f"{found.address} is no address in shared memory", found.span)
            after.assign(destination, Tainted(mapped, found.reads | number.reads))
            yield after


# Fences


def fence(context: Context) -> Iterable[Context]:
    """`fence` and `membar`: one F; `RESTRICTED` if it orders shared memory only."""
    instruction = context.instruction
    mode = instruction.mode
    plain(context, ["F", mode.read, instruction.scope or "", "GEN", *mode.tags])
    return [context]


def mbarrier_init_fence(context: Context) -> Iterable[Context]:
    """`fence.mbarrier_init`: one F, which orders what `mbarrier.init` wrote and nothing else."""
    plain(context, ["F", "MBAR_INIT_FENCE", context.instruction.scope or ""])
    return [context]


def proxy_fence(context: Context) -> Iterator[Context]:
    """`fence.proxy`, `membar.proxy`: one F, which orders no memory by itself.

    It is for the proxy of its row, and for one state space where it names that. One-way forms have
    a semantics and a scope, and some are for one tensormap.
    """
    instruction = context.instruction
    assert instruction.row is not None
    mode, space = instruction.mode, SPACES.get(context.word("space"), "")
    sets = ["F", "PROXY_FENCE", instruction.row.proxy, space]
    sets += [mode.read, instruction.scope or "", *mode.tags]
    if not instruction.operands:
        plain(context, sets)
        yield context
        return
    address, size = instruction.operands
    if not (isinstance(size, Immediate) and size.value == 128):
        raise TestError("the size of a tensormap is 128", size.span)
    for fork, target in addresses(context, address):
        if fork.view.space_of(fork.view.variable(target.address)) not in (None, "GLOBAL"):
            fork.fail("tensormaps are in global memory", address.span)
            continue
        extent = fork.view.memory.extent(target.address, OBJECT_SIZE)
        plain(fork, sets, named=(extent, target.reads))
        yield fork
