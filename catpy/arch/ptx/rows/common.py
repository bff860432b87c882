"""What rows of several families have in common: qualifiers by class, and events."""

from __future__ import annotations

from catpy.arch.ptx.arithmetic import ATOMICS
from catpy.arch.ptx.instruction import Effect
from catpy.arch.ptx.words import INTEGER_TYPES, PACKED_TYPES, SPACES, VECTORS

#: Integer types, and those that are two integers side by side.
PACKED_INTEGERS = tuple(word for word in PACKED_TYPES if word[0] in "us")
ATOMIC_TYPES = (*INTEGER_TYPES, *PACKED_INTEGERS)

ANY_SPACE = {"space": tuple(SPACES)}
VECTOR = {"vector": tuple(VECTORS)}
OPERATION = {"operation": tuple(ATOMICS)}

_ACCESS = "semantics scope proxy space"
EACH = "one for each element"


def read(more: str = "", note: str = EACH) -> Effect:
    """The read of an access, with the further sets it is in."""
    return Effect(f"R {_ACCESS} {more}".strip(), note)


def write(more: str = "", note: str = EACH) -> Effect:
    """The write of an access, with the further sets it is in."""
    return Effect(f"W {_ACCESS} {more}".strip(), note)


#: The write of a read-modify-write.
BEHIND = "behind each `R`, joined to it by `rmw`"
