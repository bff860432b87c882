"""What rows of several families have in common: qualifiers by class, combinations, and events."""

from __future__ import annotations

from catpy.arch.ptx.atomics import REDUCING
from catpy.arch.ptx.instruction import Combination, Effect
from catpy.arch.ptx.words import L1_EVICTIONS, L2_EVICTIONS, POLICY, SPACES, VECTORS


def only(**words: str) -> Combination:
    """A combination of qualifiers, by class; words with blanks between, `-` for none."""
    return {kind: tuple(text.replace("-", "").split(" ")) for kind, text in words.items()}


#: The types of reductions, and those that are two integers side by side.
REDUCED_TYPES = ("u32", "u64", "s32", "s64", "b32", "b64")
PACKED_INTEGERS = ("u16x2", "s16x2")

ANY_SPACE = {"space": tuple(SPACES)}
#: The spaces in which threads can meet, and those of shared memory.
SHARED_SPACES = ("shared", "shared::cta", "shared::cluster")
COMMON_SPACES = ("global", *SHARED_SPACES)
OWN_SHARED = ("shared", "shared::cta")

EVICTIONS = {"L1": L1_EVICTIONS, "L2": L2_EVICTIONS}
POLICIES = {"policy": (POLICY,)}

VECTOR = {"vector": tuple(VECTORS)}
OPERATION = {"operation": tuple(REDUCING)}
#: Without that of the other dialect.
PTX_OPERATIONS = tuple(word for word in REDUCING if word != "sub")

#: What goes together in `atom` and `red`; `.sub` is that of a dialect.
OPERATION_TYPES = (
    only(operation="add", type="- u32 u64 s32 u16x2 s16x2"),
    only(operation="inc dec", type="- u32"),
    only(operation="min max", type="- u32 u64 s32 s64 u16x2 s16x2"),
    only(operation="and or xor", type="- b32 b64"),
    only(operation="sub", type="- u32 u64 s32 s64"),
)

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
