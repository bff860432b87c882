"""Atomic operations, those of `atom`, `red` and their kin: what they write for what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catpy.arch.program import Options
from catpy.arch.ptx.arithmetic import ADD, AND, MAXIMUM, MINIMUM, OR, SUB, XOR, Type, wrapped
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import Manner, modify
from catpy.arch.ptx.state import Access, Tainted, tainted
from catpy.arch.terms import EQUAL, Operator, compute

#: What is written, by context, None for nothing; from the old value and the operands.
Operation = Callable[
    [Context, Tainted, Sequence[Tainted]], Iterable[tuple[Context, Tainted | None]]
]


def _by(operation: Operator, by_one: Operator | None = None) -> Operation:
    """An operator on the old value and the operand; without one, another operator on 1."""

    def execute(
        context: Context, old: Tainted, operands: Sequence[Tainted]
    ) -> Iterator[tuple[Context, Tainted]]:
        if by_one is not None and not operands:
            yield context, tainted(compute(by_one, old.value, 1), old)
        else:
            (operand,) = operands
            yield context, tainted(compute(operation, old.value, operand.value), old, operand)

    return execute


def _exchange(
    context: Context, old: Tainted, operands: Sequence[Tainted]
) -> Iterator[tuple[Context, Tainted]]:
    (new,) = operands
    yield context, new


def _compare_and_swap(
    context: Context, old: Tainted, operands: Sequence[Tainted]
) -> Iterator[tuple[Context, Tainted | None]]:
    expected, new = operands
    same = compute(EQUAL, old.value, expected.value)
    for fork, holds in context.decide(same, context.span):
        if holds:
            yield fork, tainted(new.value, new, expected, old)
        elif _writes_back(context.thread.options):
            yield fork, tainted(old.value, old, expected)
        else:
            yield fork, None


#: The variant by which a failing compare-and-swap is a write.
CAS_WRITES_BACK = "cas-writes-back"


def _writes_back(options: Options) -> bool:
    """Whether a failing compare-and-swap writes back what it read.

    §8.4 counts an atomic operation as a write "if it results in a write"; by the code on the page
    of `atom` a failing one does.
    """
    return options.dialect == "dat3m" or CAS_WRITES_BACK in options.variants


def _increment(old: int, bound: int) -> int:
    return 0 if old >= bound else old + 1


def _decrement(old: int, bound: int) -> int:
    return bound if old == 0 or old > bound else old - 1


#: The operations that reductions have, too.
REDUCING: Mapping[str, Operation] = {
    "add": _by(ADD),
    "sub": _by(SUB),
    "min": _by(MINIMUM),
    "max": _by(MAXIMUM),
    "and": _by(AND),
    "or": _by(OR),
    "xor": _by(XOR),
    "inc": _by(Operator("inc", _increment), by_one=ADD),
    "dec": _by(Operator("dec", _decrement), by_one=SUB),
}

#: All operations, by their words.
OPERATIONS: Mapping[str, Operation] = {
    **REDUCING,
    "exch": _exchange,
    "cas": _compare_and_swap,
}


@dataclass(frozen=True)
class Atomic:
    """An operation (by its word) on one element of a type, with its operands."""

    operation: str
    operands: Sequence[Tainted]
    kind: Type | None
    manner: Manner

    def perform(self, context: Context, access: Access) -> Iterator[tuple[Context, Tainted]]:
        """The R and, where it writes, the W; gives each context with the old value."""
        bits = self.kind.bits if self.kind else None
        for after, old in modify(context, access, self.manner, self._update, bits):
            yield after, self._held(old)

    def _update(self, context: Context, old: Tainted) -> Iterator[tuple[Context, Tainted | None]]:
        execute = OPERATIONS[self.operation]
        for after, new in execute(context, self._held(old), self.operands):
            yield after, None if new is None else self._held(new)

    def _held(self, value: Tainted) -> Tainted:
        """A value as the type holds it."""
        return Tainted(wrapped(self.kind, value.value), value.reads)
