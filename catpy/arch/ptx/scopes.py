"""Blocks `{ … }` in the code of a thread, with registers and labels of their own.

So inline assembly can stand in a thread as it is, also more than once. The registers of a block get
other names where theirs are used outside as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from catpy.arch.ptx.instruction import (
    AddressOperand,
    Immediate,
    Instruction,
    Operand,
    Vector,
    Word,
    register_name,
)

#: The blocks around an instruction, the outermost first.
Scope = tuple[int, ...]
Rename = Callable[[str], str]


def resolved(code: Sequence[Instruction], scopes: Sequence[Scope]) -> list[Instruction]:
    """The code with one name for each register and label."""
    if not any(scopes):
        return list(code)
    registers, labels = _Names(_registers(code, scopes)), _Names(_labels(code, scopes))
    for instruction, scope in zip(code, scopes, strict=True):
        for name in instruction.names():
            registers.use(register_name(name), scope)
        for letter, operand in instruction.lettered():
            if letter == "l" and isinstance(operand, Word):
                labels.use(operand.name, scope)
    found = []
    for instruction, scope in zip(code, scopes, strict=True):
        register, label = _within(registers, scope), _within(labels, scope)
        operands = tuple(
            _renamed(operand, label if letter == "l" else register)
            for letter, operand in instruction.lettered()
        )
        guard = instruction.guard
        found.append(
            replace(
                instruction,
                labels=tuple(label(name) for name in instruction.labels),
                guard=guard and replace(guard, name=register(guard.name)),
                operands=operands,
                declared=tuple(register(name) for name in instruction.declared),
            )
        )
    return found


class _Names:
    """Which block each name belongs to, and what it is called then."""

    def __init__(self, declared: Iterable[tuple[str, Scope]]) -> None:
        #: The blocks with a name of their own, and 0 for the thread, in order.
        self._owners: dict[str, list[int]] = {}
        for name, scope in declared:
            self._add(name, _block(scope))

    def _add(self, name: str, block: int) -> None:
        owners = self._owners.setdefault(name, [])
        if block not in owners:
            owners.append(block)

    def use(self, name: str, scope: Scope) -> None:
        """Notes a use: one outside all blocks that have the name is of the thread's."""
        if self._owner(name, scope) == 0:
            owners = self._owners.setdefault(name, [])
            if 0 not in owners:
                owners.insert(0, 0)

    def _owner(self, name: str, scope: Scope) -> int:
        owners = self._owners.get(name, [])
        return next((block for block in reversed(scope) if block in owners), 0)

    def name(self, name: str, scope: Scope) -> str:
        """What it is called: the first that has the name keeps it."""
        owners = self._owners.get(name, [])
        owner = self._owner(name, scope)
        at = owners.index(owner) if owner in owners else 0
        return name if at == 0 else f"{name}${at + 1}"


def _within(names: _Names, scope: Scope) -> Rename:
    def renamed(name: str) -> str:
        sign = "%" if name.startswith("%") else ""
        return sign + names.name(register_name(name), scope)

    return renamed


def _block(scope: Scope) -> int:
    return scope[-1] if scope else 0


def _registers(code: Sequence[Instruction], scopes: Sequence[Scope]) -> Iterator[tuple[str, Scope]]:
    for instruction, scope in zip(code, scopes, strict=True):
        for name in instruction.declared:
            yield register_name(name), scope


def _labels(code: Sequence[Instruction], scopes: Sequence[Scope]) -> Iterator[tuple[str, Scope]]:
    for instruction, scope in zip(code, scopes, strict=True):
        for label in instruction.labels:
            yield label, scope


def _renamed(operand: Operand, name: Rename) -> Operand:
    match operand:
        case Word():
            return replace(operand, name=name(operand.name))
        case Vector():
            return replace(operand, items=tuple(_scalar(item, name) for item in operand.items))
        case AddressOperand():
            coordinates = tuple(_scalar(item, name) for item in operand.coordinates)
            return replace(operand, base=name(operand.base), coordinates=coordinates)
    return operand


def _scalar(item: Word | Immediate, name: Rename) -> Word | Immediate:
    return replace(item, name=name(item.name)) if isinstance(item, Word) else item
