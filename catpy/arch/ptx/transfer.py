"""The two sides of a copy, and the elements that it moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from catpy.arch.ptx.addressing import access_at, addresses, addresses_of
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import manner_of, read
from catpy.arch.ptx.instruction import AddressOperand, Operand
from catpy.arch.ptx.mbarrier_semantics import object_at
from catpy.arch.ptx.state import NO_READS, Access, Reads
from catpy.arch.ptx.variables import OBJECT_SIZE
from catpy.arch.ptx.view import View
from catpy.arch.ptx.words import SPACES
from catpy.arch.terms import Address
from catpy.errors import TestError
from catpy.source import Span


@dataclass(frozen=True)
class Side:
    """Where a copy writes to, or reads from: an address in a variable, the space it is said to be.

    `reads` are those that chose the address, `tensormap` those of a tensormap among them.
    """

    address: Address
    reads: Reads
    space: str
    span: Span
    tensormap: tuple[int, ...] = ()


@dataclass(frozen=True)
class Transfer:
    """A copy of `size` bytes from one side to the other."""

    target: Side
    source: Side
    size: int

    @property
    def tensormap(self) -> tuple[int, ...]:
        """The reads of a tensormap."""
        return (*self.target.tensormap, *self.source.tensormap)

    def elements(self, view: View) -> Iterator[tuple[Access, Access, int]]:
        """What is written and read for each element, and its bytes."""
        bounds = sorted(self._bounds(view, self.target) | self._bounds(view, self.source))
        for start, stop in pairwise(bounds):
            sides = [_access(view, side, start, stop) for side in (self.target, self.source)]
            yield sides[0], sides[1], stop - start

    def _bounds(self, view: View, side: Side) -> set[int]:
        """The bytes at which an element of a side begins or ends, counted from its address."""
        variable = view.variable(side.address)
        start = side.address.offset
        inner = range(0, variable.bytes + 1, variable.size)
        return {at - start for at in inner if start <= at <= start + self.size}

    def in_rank(self, view: View, rank: int) -> Transfer:
        """The same copy to the same place in the CTA of a rank."""
        address = view.mapped(self.target.address, rank)
        if address is None:
            name = self.target.address.name
            message = f"CTA {rank} of the cluster has no `{name}` in its shared memory"
            raise TestError(message, self.target.span)
        return replace(self, target=replace(self.target, address=address))

    def mbarriers(
        self, context: Context, operand: Operand, rank: int | None
    ) -> Iterator[tuple[Context, Access]]:
        """The mbarriers that are told of completion: those of the CTA that is written to."""
        for fork, found in addresses(context, operand):
            if rank is not None:
                there = fork.view.mapped(found.address, rank)
                found = replace(found, address=there or found.address)
            if (access := object_at(fork, found, "shared::cluster")) is not None:
                yield fork, access


def _access(view: View, side: Side, start: int, stop: int) -> Access:
    base, variable = side.address.offset, view.variable(side.address)
    reach = view.memory.reach(variable, base + start, base + stop)
    return Access(variable.name, reach, side.reads, SPACES[side.space])


@dataclass(frozen=True)
class Size:
    """How many bytes are copied, and the reads that chose that."""

    bytes: int
    reads: Reads = NO_READS


def size_of(context: Context, operand: Operand, least: int = 1) -> Size | None:
    """The size that an operand says; None, behind a fault, where it is less or no number."""
    held = context.value(operand)
    if not isinstance(held.value, int):
        message = "the number of bytes is not known here: it may not depend on what is read"
        context.fail(message, operand.span)
    elif held.value < least:
        context.fail("a copy has at least one byte", operand.span)
    else:
        return Size(held.value, held.reads)
    return None


def transfers(
    context: Context, target: Operand, source: Operand, size: Size | None
) -> Iterator[tuple[Context, Transfer]]:
    """The copies that the operands can mean.

    Without a size it is that of the variable in shared memory, from the address on.
    """
    chosen_by = size.reads if size else NO_READS
    for fork, to in _sides(context, target, context.word("dst"), chosen_by):
        for after, start in _sides(fork, source, context.word("src"), chosen_by):
            transfer = Transfer(to, start, size.bytes if size else _box(after.view, to, start))
            problems = (_problem(after.view, side, transfer.size) for side in (to, start))
            problem = next(filter(None, problems), None)
            if problem is not None:
                after.fail(*problem)
            else:
                yield after, transfer


def _box(view: View, *sides: Side) -> int:
    """The bytes from the address in shared memory to the end of the variable."""
    shared = next(side for side in sides if SPACES[side.space] == "SHARED")
    return view.variable(shared.address).bytes - shared.address.offset


def _sides(
    context: Context, operand: Operand, space: str, chosen_by: Reads
) -> Iterator[tuple[Context, Side]]:
    """What an operand can mean as a side of a copy; these reads chose how far that goes."""
    if isinstance(operand, AddressOperand) and operand.coordinates:
        yield from _in_tensor(context, operand, space)
    else:
        for fork, target in addresses(context, operand):
            yield fork, Side(target.address, target.reads | chosen_by, space, target.span)


def _in_tensor(
    context: Context, operand: AddressOperand, space: str
) -> Iterator[tuple[Context, Side]]:
    """An element of a tensor as a side, behind a read of the tensormap by its proxy."""
    distance, chosen_by = _coordinate(context, operand)
    manner = replace(manner_of(context.instruction, "ASYNC_OP", proxy="TENSORMAP"), read="WEAK")
    for fork, found in addresses(context, replace(operand, coordinates=())):
        access = access_at(fork, found, OBJECT_SIZE, "")
        if access is None:
            continue
        reads, base = read(fork, access, manner)
        if isinstance(base.value, int):
            message = f"`{access.variable}` holds {base.value} and no tensor: say `.tensormap"
            fork.fail(f"{message} {access.variable} = &x`", operand.span)
            continue
        fork.state.issue(reads)
        for after, target in addresses_of(fork, base, operand.span):
            moved = target.address.moved(distance * after.view.variable(target.address).size)
            yield after, Side(moved, target.reads | chosen_by, space, target.span, tuple(reads))


def _coordinate(context: Context, operand: AddressOperand) -> tuple[int, Reads]:
    """The element of a tensor that is meant, and what it depends on."""
    dimensions, given = context.word("dimensions"), len(operand.coordinates)
    if dimensions and int(dimensions[0]) != given:
        message = f"a place in a tensor of `.{dimensions}` has not {given} coordinates"
        raise TestError(message, operand.span, f"write {{0{', 0' * (int(dimensions[0]) - 1)}}}")
    coordinate, *others = operand.coordinates
    held = context.value(coordinate)
    for other in others:
        if context.value(other).value != 0:
            message = "tensors have one row here: coordinates behind the first are 0"
            raise TestError(message, other.span)
    if not isinstance(held.value, int):
        raise TestError("a coordinate is a number here", coordinate.span)
    return held.value, held.reads


def _problem(view: View, side: Side, size: int) -> tuple[str, Span] | None:
    """Why a side of a copy makes no sense: it is out of reach, or holds no whole elements."""
    obstacle = view.obstacle(side.address, side.space)
    variable = view.variable(side.address)
    start = side.address.offset
    if obstacle is None and variable.mbarrier:
        obstacle = f"`{variable.name}` is an mbarrier, which is not copied"
    if obstacle is None and view.space_of(variable) not in (None, SPACES[side.space]):
        obstacle = f"`{variable.name}` is not in the state space `.{side.space}`"
    if obstacle is None and not (start >= 0 and start + size <= variable.bytes):
        obstacle = f"{size} bytes at {side.address} are more than `{variable.name}` has"
    if obstacle is None and (start % variable.size or size % variable.size):
        obstacle = (
            f"{size} bytes at {side.address} are no whole elements of `{variable.name}`,"
            f" which have {variable.size}"
        )
    return None if obstacle is None else (obstacle, side.span)
