"""Which instructions may access which variables: state spaces, constant memory, mbarriers."""

from __future__ import annotations

from catpy.arch.ptx.instruction import Instruction
from catpy.arch.ptx.shape import shape_of
from catpy.arch.ptx.variables import Variable
from catpy.arch.ptx.words import SPACES

#: Where threads have no others to meet, by tag.
_PRIVATE = {"CONST": "constant", "LOCAL": "local"}


def objection(variable: Variable, space: str | None, instruction: Instruction) -> str | None:
    """Why an access of a variable in a state space (by tag) makes no sense; None if it does."""
    assert instruction.row is not None
    name, mode = variable.name, instruction.mode
    word = instruction.word("space") or _implied(instruction)
    if variable.mbarrier:
        return f"`{name}` is an mbarrier: only the operations on mbarriers access it"
    if word and space not in (None, SPACES[word]):
        return f"`{name}` is not in the state space `.{word}`"
    if space == "CONST" and instruction.row.writes:
        return f"`{name}` is in constant memory, which nothing writes"
    if space in _PRIVATE and {mode.read, mode.write} - {"", "WEAK"}:
        return f"`{name}` is in {_PRIVATE[space]} memory, where all accesses are weak"
    if "MMIO" in mode.tags and space not in (None, "GLOBAL"):
        return f"`{name}` is not in global memory, where accesses with `.mmio` are"
    if space not in (None, "GLOBAL") and _is_wide(instruction):
        return f"`{name}` is not in global memory, where accesses of 32 bytes are"
    return None


def _is_wide(instruction: Instruction) -> bool:
    """Whether a vector access is of more than 16 bytes."""
    shape = shape_of(instruction)
    return shape.count > 1 and (shape.size or 0) > 16


def _implied(instruction: Instruction) -> str:
    """The state space of an asynchronous store or reduction that names none."""
    assert instruction.row is not None
    if "completion" not in instruction.row.classes:
        return ""
    return "shared::cluster" if instruction.word("completion") else "global"
