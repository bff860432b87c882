"""The two sides of a copy, and the elements that it moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from catpy.arch.ptx.arithmetic import ADD
from catpy.arch.ptx.instruction import AddressOperand, Immediate, Instruction, Operand
from catpy.arch.ptx.mbarrier_semantics import object_at
from catpy.arch.ptx.semantics import memory_sets
from catpy.arch.ptx.state import Access, Reads, State
from catpy.arch.ptx.variables import OBJECT_SIZE
from catpy.arch.ptx.words import SPACES
from catpy.arch.terms import Address, compute
from catpy.errors import TestError
from catpy.source import Span

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


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

    def elements(self, machine: Machine) -> Iterator[tuple[Access, Access, int]]:
        """What is written and read for each element, and its bytes."""
        bounds = sorted(self._bounds(machine, self.target) | self._bounds(machine, self.source))
        for start, stop in pairwise(bounds):
            sides = [_access(machine, side, start, stop) for side in (self.target, self.source)]
            yield sides[0], sides[1], stop - start

    def _bounds(self, machine: Machine, side: Side) -> set[int]:
        """The bytes at which an element of a side begins or ends, counted from its address."""
        variable = machine.variable(side.address.name)
        start = side.address.offset
        inner = range(0, variable.bytes + 1, variable.size)
        return {at - start for at in inner if start <= at <= start + self.size}

    def multicast(self, machine: Machine, ranks: list[int]) -> list[Transfer]:
        """The same copy to the same place in each CTA of some ranks."""
        return [
            replace(self, target=replace(self.target, address=_in_rank(machine, self.target, rank)))
            for rank in ranks
        ]

    def mbarriers(
        self,
        machine: Machine,
        state: State,
        operand: Operand,
        rank: int | None,
    ) -> Iterator[tuple[State, Access | None]]:
        """The mbarriers that are told of completion: those of the CTA that is written to."""
        for fork, found in machine.addresses(state, operand):
            if found is not None and rank is not None:
                there = machine.instances.mapped(found.address, rank, machine.place)
                found = replace(found, address=there or found.address)
            if found is None:
                yield fork, None
            else:
                yield fork, object_at(machine, fork, found, "shared::cluster")


def _in_rank(machine: Machine, side: Side, rank: int) -> Address:
    address = machine.instances.mapped(side.address, rank, machine.place)
    if address is None:
        message = f"CTA {rank} of the cluster has no `{side.address.name}` in its shared memory"
        raise TestError(message, side.span)
    return address


def _access(machine: Machine, side: Side, start: int, stop: int) -> Access:
    base = side.address.offset
    variable = machine.variable(side.address.name)
    reach = machine.reach(variable, base + start, base + stop)
    return Access(variable.name, reach, side.reads, SPACES[side.space])


def bytes_of(operand: Operand, least: int = 1) -> int:
    """The bytes of a copy; raises TestError where they are less than that."""
    assert isinstance(operand, Immediate)
    if operand.value < least:
        raise TestError("a copy has at least one byte", operand.span)
    return operand.value


def transfers(
    machine: Machine,
    state: State,
    instruction: Instruction,
    target: Operand,
    source: Operand,
    size: int | None,
) -> Iterator[tuple[State, Transfer | None]]:
    """The copies that the operands can mean, a state for each; None for a fault.

    Without a size it is that of the variable in shared memory, from the address on.
    """
    words = instruction.qualifiers
    for fork, to in _sides(machine, state, instruction, target, words["dst"]):
        if to is None:
            yield fork, None
            continue
        for after, start in _sides(machine, fork, instruction, source, words["src"]):
            if start is None:
                yield after, None
                continue
            transfer = Transfer(to, start, size or _box(machine, to, start))
            problem = _problem(machine, to, transfer.size) or _problem(
                machine, start, transfer.size
            )
            if problem is not None:
                yield after.fail(*problem), None
            else:
                yield after, transfer


def _box(machine: Machine, *sides: Side) -> int:
    """The bytes from the address in shared memory to the end of the variable."""
    shared = next(side for side in sides if SPACES[side.space] == "SHARED")
    return machine.variable(shared.address.name).bytes - shared.address.offset


def _sides(
    machine: Machine, state: State, instruction: Instruction, operand: Operand, space: str
) -> Iterator[tuple[State, Side | None]]:
    """What an operand can mean as a side of a copy."""
    if isinstance(operand, AddressOperand) and operand.coordinates:
        yield from _in_tensor(machine, state, instruction, operand, space)
        return
    for fork, target in machine.addresses(state, operand):
        if target is None:
            yield fork, None
        else:
            yield fork, Side(target.address, target.reads, space, target.span)


def _in_tensor(
    machine: Machine, state: State, instruction: Instruction, operand: AddressOperand, space: str
) -> Iterator[tuple[State, Side | None]]:
    """An element of a tensor as a side, behind a read of the tensormap by its proxy."""
    dimensions, given = instruction.qualifiers.get("dimensions", ""), len(operand.coordinates)
    if dimensions and int(dimensions[0]) != given:
        message = f"a place in a tensor of `.{dimensions}` has not {given} coordinates"
        raise TestError(message, operand.span, f"write {{0{', 0' * (int(dimensions[0]) - 1)}}}")
    coordinate, *others = operand.coordinates
    offset = machine.value(state, coordinate)
    for other in others:
        if machine.value(state, other).value != 0:
            message = "tensors have one row here: coordinates behind the first are 0"
            raise TestError(message, other.span)
    if not isinstance(offset.value, int):
        raise TestError("a coordinate is a number here", coordinate.span)
    plain = replace(operand, coordinates=())
    for fork, found in machine.addresses(state, plain):
        access = found and machine.access(fork, found, OBJECT_SIZE, "")
        if not access:
            yield fork, None
            continue
        sets = [*memory_sets(instruction, access, "R", "WEAK", "TENSORMAP"), "ASYNC_OP"]
        reads, base = machine.record.read(fork, instruction, sets, access)
        if isinstance(base.value, int):
            message = f"`{access.variable}` holds {base.value} and no tensor: say `.tensormap"
            yield fork.fail(f"{message} {access.variable} = &x`", operand.span), None
            continue
        fork.issue(reads)
        for after, target in machine.addresses_of(fork, base, operand.span):
            if target is None:
                yield after, None
                continue
            size = machine.variable(target.address.name).size
            moved = compute(ADD, target.address, offset.value * size)
            assert isinstance(moved, Address)
            chosen_by = target.reads | offset.reads
            yield after, Side(moved, chosen_by, space, target.span, tuple(reads))


def _problem(machine: Machine, side: Side, size: int) -> tuple[str, Span] | None:
    """Why a side of a copy makes no sense: it is out of reach, or holds no whole elements."""
    obstacle = machine.obstacle(side.address, side.space)
    variable = machine.variable(side.address.name)
    start = side.address.offset
    if obstacle is None and variable.mbarrier:
        obstacle = f"`{variable.name}` is an mbarrier, which is not copied"
    if obstacle is None and machine.space_of(variable) not in (None, SPACES[side.space]):
        obstacle = f"`{variable.name}` is not in the state space `.{side.space}`"
    if obstacle is None and not (start >= 0 and start + size <= variable.bytes):
        obstacle = f"{size} bytes at {side.address} are more than `{variable.name}` has"
    if obstacle is None and (start % variable.size or size % variable.size):
        obstacle = (
            f"{size} bytes at {side.address} are no whole elements of `{variable.name}`,"
            f" which have {variable.size}"
        )
    return None if obstacle is None else (obstacle, side.span)
