"""What memory instructions and fences do to a thread: its events, and registers.

Every function takes the machine, the state (which it may change) and the instruction, and returns
the states that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from catpy.arch.program import Options
from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx.arithmetic import Type, parse_type, type_of, wrapped
from catpy.arch.ptx.instruction import Immediate, Instruction, Operand, Vector
from catpy.arch.ptx.state import Access, State, Tainted, tainted
from catpy.arch.ptx.variables import OBJECT_SIZE
from catpy.arch.ptx.words import PACKED_TYPES, SPACES, VECTORS
from catpy.arch.terms import EQUAL, Expression, compute, concat, extract
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


def memory_sets(
    instruction: Instruction, access: Access, kind: str, order: str, proxy: str = ""
) -> list[str]:
    """The sets of a memory event: kind, order, scope, proxy, qualifiers, state space.

    Weak ones have no scope, also where other events of the instruction have one.
    """
    scope = "" if order == "WEAK" else instruction.scope or ""
    own = proxy or instruction.proxy
    return [kind, order, scope, own, *instruction.mode.tags, access.space]


@dataclass(frozen=True)
class Shape:
    """The scalar elements of an access (§8.2.4, §8.2.5): `count` operands of `packed` elements.

    An access without a type has the size of what it accesses, `kind` is None then.
    """

    kind: Type | None
    count: int
    packed: int

    @property
    def size(self) -> int | None:
        """The bytes of the whole access."""
        if self.kind is None:
            return None
        return self.kind.bits // 8 * self.packed * self.count

    @property
    def bits(self) -> int | None:
        return self.kind.bits if self.kind else None

    def elements(self, machine: Machine, access: Access) -> list[Access]:
        """The access to each element."""
        if self.kind is None or self.count * self.packed == 1:
            return [access]
        size = self.kind.bits // 8
        return [
            machine.part(access, start, start + size)
            for start in range(0, self.count * self.packed * size, size)
        ]

    def operands(self, values: list[Expression]) -> list[Expression]:
        """The values of registers, from those of elements."""
        width = self.kind.bits if self.kind else 0
        groups = [values[at : at + self.packed] for at in range(0, len(values), self.packed)]
        return [concat([(value, width) for value in group]) for group in groups]

    def split(self, values: list[Tainted]) -> list[Tainted]:
        """The values of elements, from those of registers."""
        if self.packed == 1 or self.kind is None:
            return [Tainted(wrapped(self.kind, value.value), value.reads) for value in values]
        bits = self.kind.bits
        return [
            Tainted(wrapped(self.kind, extract(value.value, bits * at, bits)), value.reads)
            for value in values
            for at in range(self.packed)
        ]


def shape_of(instruction: Instruction) -> Shape:
    """The elements that the type and the vector word of an instruction say."""
    count = VECTORS.get(instruction.qualifiers.get("vector", ""), 1)
    word = instruction.qualifiers.get("type", "")
    if word in PACKED_TYPES:
        return Shape(parse_type(PACKED_TYPES[word]), count, 2)
    if count > 1 and not word:
        raise TestError("a vector access has a type", instruction.span)
    return Shape(type_of(instruction), count, 1)


def items_of(operand: Operand, shape: Shape) -> list[Operand]:
    """The operands of a vector, or the one there is; raises TestError for a wrong number."""
    items: list[Operand] = [*operand.items] if isinstance(operand, Vector) else [operand]
    if len(items) != shape.count or (shape.count > 1) != isinstance(operand, Vector):
        wanted = f"{{…}} of {shape.count} operands" if shape.count > 1 else "one operand"
        raise TestError(f"this access takes {wanted}", operand.span)
    return items


def load(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`ld d, [a]`: one R an element."""
    destination, address = instruction.operands
    shape, results = shape_of(instruction), []
    registers = items_of(destination, shape)
    for fork, access in machine.accesses(state, instruction, address, shape.size):
        if access is not None:
            values: list[Expression] = []
            reads: set[int] = set()
            for element in shape.elements(machine, access):
                sets = memory_sets(instruction, element, "R", instruction.mode.read)
                _, old = machine.record.read(fork, instruction, sets, element, shape.bits)
                values.append(wrapped(shape.kind, old.value))
                reads |= old.reads
            for register, value in zip(registers, shape.operands(values), strict=True):
                machine.assign(fork, register, Tainted(value, frozenset(reads)))
        results.append(fork)
    return results


def store(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`st [a], v`: one W an element."""
    address, source = instruction.operands
    shape, results = shape_of(instruction), []
    values = shape.split([machine.value(state, item) for item in items_of(source, shape)])
    for fork, access in machine.accesses(state, instruction, address, shape.size):
        if access is not None:
            for element, value in zip(shape.elements(machine, access), values, strict=True):
                sets = memory_sets(instruction, element, "W", instruction.mode.write)
                machine.record.write(fork, instruction, sets, element, value, shape.bits)
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
    operation, shape = instruction.qualifiers["operation"], shape_of(instruction)
    values = [shape.split([machine.value(state, source)]) for source in sources]
    results = []
    for fork, access in machine.accesses(state, instruction, address, shape.size):
        if access is None:
            results.append(fork)
            continue
        after: list[tuple[State, list[Tainted]]] = [(fork, [])]
        for at, element in enumerate(shape.elements(machine, access)):
            operands = [source[at] for source in values]
            change = Modification(instruction, operation, operands, shape.kind, [family])
            after = [
                (then, [*olds, old])
                for before, olds in after
                for then, old in modify(machine, before, change, element)
            ]
        for then, olds in after:
            if destination is not None:
                (whole,) = shape.operands([old.value for old in olds])
                machine.assign(then, destination, tainted(whole, *olds))
            then.step += 1  # the W is behind the R
            results.append(then)
    return results


@dataclass(frozen=True)
class Modification:
    """A read-modify-write of one element: operation, operands, type, further sets of its events."""

    instruction: Instruction
    operation: str
    operands: list[Tainted]
    kind: Type | None
    sets: list[str]
    proxy: str = ""


def modify(
    machine: Machine, state: State, change: Modification, access: Access
) -> Iterator[tuple[State, Tainted]]:
    """Performs a read-modify-write; gives the states that follow, each with the old value."""
    instruction, kind, proxy = change.instruction, change.kind, change.proxy
    bits = kind.bits if kind else None
    sets = memory_sets(instruction, access, "R", instruction.mode.read, proxy)
    reads, old = machine.record.read(state, instruction, [*sets, *change.sets], access, bits)
    old = Tainted(wrapped(kind, old.value), old.reads)
    sets = memory_sets(instruction, access, "W", instruction.mode.write, proxy)
    for after, new in _new_values(machine, state, change, old):
        if new is not None:
            value = tainted(wrapped(kind, new.value), new)
            after.step += 1
            writes = machine.record.write(
                after, instruction, [*sets, *change.sets], access, value, bits
            )
            after.step -= 1
            after.relate("rmw", reads, writes)
        yield after, old


def _new_values(
    machine: Machine, state: State, change: Modification, old: Tainted
) -> list[tuple[State, Tainted | None]]:
    """What a read-modify-write writes, by state; None where it writes nothing."""
    operation, values = change.operation, change.operands
    if operation == "exch":
        return [(state, values[0])]
    if operation == "cas":
        expected, new = values
        same = compute(EQUAL, old.value, expected.value)
        results: list[tuple[State, Tainted | None]] = []
        for fork, holds in machine.decide(state, same, change.instruction.span):
            if holds:
                results.append((fork, tainted(new.value, new, expected, old)))
            elif _writes_back(machine.options):
                results.append((fork, tainted(old.value, old, expected)))
            else:
                results.append((fork, None))
        return results
    if not values:
        operation = "add" if operation == "inc" else "sub"
        return [(state, tainted(compute(integers.ATOMICS[operation], old.value, 1), old))]
    new_value = compute(integers.ATOMICS[operation], old.value, values[0].value)
    return [(state, tainted(new_value, old, values[0]))]


#: The variant by which a failing compare-and-swap is a write.
CAS_WRITES_BACK = "cas-writes-back"


def _writes_back(options: Options) -> bool:
    """Whether a failing compare-and-swap writes back what it read.

    §8.4 counts an atomic operation as a write "if it results in a write"; by the code on the page
    of `atom` a failing one does.
    """
    return options.dialect == "dat3m" or CAS_WRITES_BACK in options.variants


def mapa(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`mapa d, a, rank`: the address of the same variable in a CTA of the cluster."""
    destination, variable, rank = instruction.operands
    number, ranks = machine.value(state, rank), machine.instances.ranks(machine.place)
    if isinstance(number.value, int) and number.value not in ranks:
        message = f"the cluster does not have CTA {number.value} here: no thread is in it"
        return [state.fail(message, rank.span)]
    results = []
    for fork, found in machine.addresses(state, variable):
        if found is None:
            results.append(fork)
            continue
        for after, chosen in machine.decide_number(fork, number.value, ranks, rank.span):
            if after.end is None:
                mapped = machine.instances.mapped(found.address, chosen, machine.place)
                if mapped is None:
                    raise TestError(f"{found.address} is no address in shared memory", found.span)
                machine.assign(after, destination, Tainted(mapped, found.reads | number.reads))
            results.append(after)
    return results


# Fences


def fence(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`fence` and `membar`: one F; `RESTRICTED` if it orders shared memory only."""
    mode = instruction.mode
    sets = ["F", mode.read, instruction.scope or "", "GEN", *mode.tags]
    machine.record.plain(state, instruction, sets)
    return [state]


def mbarrier_init_fence(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`fence.mbarrier_init`: one F, which orders what `mbarrier.init` wrote and nothing else."""
    machine.record.plain(state, instruction, ["F", "MBAR_INIT_FENCE", instruction.scope or ""])
    return [state]


def proxy_fence(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`fence.proxy`, `membar.proxy`: one F, which orders no memory by itself.

    It is for the proxy of its row, and for one state space where it names that. One-way forms have
    a semantics and a scope, and some are for one tensormap.
    """
    assert instruction.row is not None
    space = SPACES.get(instruction.qualifiers.get("space", ""), "")
    kinds = ["F", "PROXY_FENCE", instruction.row.proxy, space]
    kinds += [instruction.mode.read, instruction.scope or "", *instruction.mode.tags]
    if not instruction.operands:
        machine.record.plain(state, instruction, kinds)
        return [state]
    address, size = instruction.operands
    if not (isinstance(size, Immediate) and size.value == 128):
        raise TestError("the size of a tensormap is 128", size.span)
    results = []
    for fork, target in machine.addresses(state, address):
        if target is not None:
            if machine.space_of(machine.variable(target.address.name)) not in (None, "GLOBAL"):
                fork.fail("tensormaps are in global memory", address.span)
            else:
                named = machine.extent(target.address, OBJECT_SIZE), target.reads
                machine.record.plain(fork, instruction, kinds, named=named)
        results.append(fork)
    return results
