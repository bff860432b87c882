"""The instruction table: one row an instruction form. Whatever the table says, nothing else does.

A row (they are in `rows`) names the opcode, with the qualifiers that are part of it (`bar.sync`),
its operands, the qualifiers it takes by class, its legal semantics, the function that executes it,
and what events that gives. `catpy/arch/ptx/README.md` is made from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.rows import barriers, copies, fences, mbarriers, memory, registers


@dataclass(frozen=True)
class Family:
    """Instructions that belong together, with what is true of all of them."""

    title: str
    rows: list[Row]
    about: str


#: What is true of all instructions of a family, by its title.
_ABOUT = {
    "Proxy fences": "A fence with semantics works in one direction, and takes part in"
    " synchronization. One without works in both, for the thread that executes it.",
    "Barriers": "Counts are of threads, not of warps. Who meets whom is in the relations `syncbar`"
    " and `phase`.",
    "Mbarriers": "An mbarrier is an object of 8 bytes in memory. Its value is its state, so that it"
    " synchronizes by the rules for reads and writes.",
    "Asynchronous copies": "`issued` relates what precedes the instruction to the events in"
    " `ASYNC_OP`, `completes` those to the wait or the arrival that observes them.",
    "Textures, surfaces and constants": "Chapter 8 leaves these accesses out: under `ptx` they"
    " raise the flag `outside-the-model`.",
    "Arithmetic and addresses": "On integers and predicates, in the type of the instruction;"
    " without one, on numbers of any size.",
    "Control": "Every instruction may have a guard, `@p` or `@!p`, which decides whether it is"
    " executed. What follows a guarded branch or end depends on the guard by `ctrl`.",
}


def families() -> list[Family]:
    """Every instruction form, by family."""
    rows = {
        "Accesses of memory": memory.access_rows(),
        "Atomic operations": memory.atomic_rows(),
        "Fences": fences.fence_rows(),
        "Proxy fences": fences.proxy_fence_rows(),
        "Barriers": barriers.barrier_rows(),
        "Mbarriers": mbarriers.mbarrier_rows(),
        "Asynchronous copies": copies.copy_rows(),
        "Bulk copies": copies.bulk_rows(),
        "Asynchronous stores and reductions": copies.async_store_rows(),
        "Textures, surfaces and constants": memory.texture_rows(),
        "Arithmetic and addresses": registers.arithmetic_rows(),
        "Control": registers.control_rows(),
    }
    return [Family(title, found, _ABOUT.get(title, "")) for title, found in rows.items()]


def all_rows() -> list[Row]:
    """Every instruction form."""
    return [row for family in families() for row in family.rows]


def build_table() -> dict[str, list[Row]]:
    """The rows by the first word of their opcode, those with longer opcodes first."""
    table: dict[str, list[Row]] = {}
    for row in all_rows():
        table.setdefault(row.opcode.split(".")[0], []).append(row)
    for rows in table.values():
        rows.sort(key=lambda row: -row.opcode.count("."))
    return table


#: Qualifiers that only the other dialect has.
DIALECT_WORDS = {"sub": "dat3m"}

FLOATING = "floating-point arithmetic"
_ALIAS = "chapter 8 has no alias fences that synchronize"
_FABRIC = "there are no accesses by the fabric proxy here"
_HALVES = "products are cut to their type"
_WIDE = "memory operations have at most 64 bits (8.2.4)"

#: What PTX has and this front end leaves out, by opcode or opcode with some qualifiers, and why.
NOT_MODELLED = {
    "multimem": "a multimem address points to several locations, and the effect of other operations"
    " on those is undefined (8.2.3)",
    "wgmma": "asynchronous matrix operations access memory in an order of their own",
    "tcgen05": "tensor memory is no state space of chapter 8",
    "griddepcontrol": "dependent grids are no part of chapter 8",
    "ldmatrix": "what matrix loads read is spread over a warp",
    "stmatrix": "what matrix stores write is spread over a warp",
    "ld.b128": _WIDE,
    "st.b128": _WIDE,
    "atom.b128": _WIDE,
    **dict.fromkeys(("mul.hi", "mad.hi"), _HALVES),
    "bar.warp": "threads are in no warps here",
    "fence.sync_restrict::shared::cluster::read": "chapter 8 has no fences of reads alone",
    "fence.proxy.generic::fabric": _FABRIC,
    "fence.proxy.fabric::generic": _FABRIC,
    "fence.proxy.fabric::fabric": _FABRIC,
    "fence.proxy.alias.acquire": _ALIAS,
    "fence.proxy.alias.release": _ALIAS,
    "tensormap": "the fields of a tensormap are one value here: store the address of the tensor",
}

#: What the forms that are there do not do, for readers.
LIMITS = (
    "Floating-point types are for moving bits only.",
    "Some qualifiers may be left out that PTX asks for: types, and others in braces. Cache policies"
    " are always left out, also with `.L2::cache_hint`.",
    "Registers have no types and no width: what `.reg` declares is not held against their use.",
    "Special registers (`%tid`, `%clock`, …) are not there.",
    "A variable without a type has the bytes of the widest access to it, which may be a vector."
    " Copies of more need one that is declared.",
    "A copy moves the declared elements in its range. Its bytes, and the groups that a wait leaves,"
    " are written as numbers; no read decides a coordinate, or the mask of a multicast.",
    "Bulk copies of any number of bytes at any element are read. PTX has multiples of 16 only.",
    "Textures, surfaces and tensors have one dimension. The box of a tensor has the bytes of the"
    " variable in shared memory.",
    "Where a read decides the number or the count of a barrier, numbers up to 32 are tried.",
)
