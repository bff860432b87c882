"""Integers in the types of PTX, as Python has them, and what an instruction makes of some."""

from __future__ import annotations

from hypothesis import strategies as st

from catpy.arch.terms import Value
from tests.arch.helpers import path, register


def result(instruction: str, *values: int, name: str = "r0") -> Value:
    """What an instruction leaves in `r0` where `%s` in it are registers with these values."""
    names = [f"r{number}" for number in range(1, len(values) + 1)]
    init = "".join(f"0:{name}={value};" for name, value in zip(names, values, strict=True))
    return register(path(instruction % tuple(names), init=init), name)


def lowest_of(kind: str) -> int:
    """The lowest value of a type."""
    return -(1 << int(kind[1:]) - 1) if kind[0] == "s" else 0


def wrap(kind: str, value: int) -> int:
    """A value as a type holds it: the residue of its width in the type's range."""
    bits = int(kind[1:])
    lowest = lowest_of(kind)
    return (value - lowest) % (1 << bits) + lowest


def values_of(kind: str) -> st.SearchStrategy[int]:
    """Values of a type, its ends and those around 0 more often."""
    lowest = lowest_of(kind)
    highest = lowest + (1 << int(kind[1:])) - 1
    near = [lowest, lowest + 1, highest - 1, highest, *(v for v in (-1, 0, 1, 2) if v >= lowest)]
    return st.sampled_from(near) | st.integers(lowest, highest)
