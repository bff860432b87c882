"""The addresses that operands lead to, and the memory that is accessed there.

Where an address comes from a register, there is a context for each that it can be; those in which
it is no address that the instruction can access end in a fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from catpy.arch.ptx.context import Context
from catpy.arch.ptx.instruction import Operand
from catpy.arch.ptx.spaces import objection
from catpy.arch.ptx.state import Access, Tainted, Target
from catpy.arch.ptx.variables import Variable
from catpy.arch.ptx.words import PROXY_TAGS
from catpy.arch.terms import Address, Computed, ReadValue
from catpy.errors import TestError
from catpy.source import Span


def accesses(
    context: Context, operand: Operand, size: int | None
) -> Iterator[tuple[Context, Access]]:
    """The memory that an address operand can lead to: `size` bytes, None for an element."""
    view, instruction = context.view, context.instruction
    for fork, found in addresses(context, operand):
        variable = view.variable(found.address)
        _check_proxy(variable, instruction.proxy, operand.span)
        problem = objection(variable, view.space_of(variable), instruction)
        if problem is not None:
            fork.fail(problem, operand.span)
        elif (access := access_at(fork, found, size, context.word("space"))) is not None:
            yield fork, access


def access_at(context: Context, target: Target, size: int | None, space: str) -> Access | None:
    """The access to some bytes at an address in a state space; None where that is a fault."""
    access = context.view.access(target, size, space)
    if isinstance(access, str):
        context.fail(access, target.span)
        return None
    return access


def addresses(context: Context, operand: Operand) -> Iterator[tuple[Context, Target]]:
    """The addresses that an operand can be."""
    return addresses_of(context, context.value(operand), operand.span)


def addresses_of(
    context: Context, pointer: Tainted, span: Span
) -> Iterator[tuple[Context, Target]]:
    """The addresses that a value can be."""
    value = pointer.value
    if isinstance(value, Address):
        yield context, Target(value, pointer.reads, span)
    elif isinstance(value, ReadValue | Computed):
        places, nowhere = context.state.cases(value, context.view.addresses(), span)
        for state, address in places:
            yield context.on(state), Target(address, pointer.reads, span)
        if nowhere is not None:
            context.on(nowhere).fail("this accesses what is no address of a location", span)
    else:
        message = f"this accesses {value}, which is no address of a location"
        if value == 0:
            message += ": the initial section can say what a pointer holds, `p = &x`"
        context.fail(message, span)


def _check_proxy(variable: Variable, proxy: str, span: Span) -> None:
    """Raises TestError where an alias for another proxy is accessed."""
    own = variable.proxy
    if own is not None and PROXY_TAGS[own] != proxy:
        raise TestError(f"`{variable.name}` is an address of the {own} proxy", span)
