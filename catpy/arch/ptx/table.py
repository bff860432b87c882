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
    " synchronization. One without works in both, for its thread block.",
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
    " executed. What follows a guarded branch or end depends on the guard by `ctrl`. Registers"
    " (`.reg .pred P1;`) and labels that a block `{ … }` declares are its own.",
    "Hints": "They do nothing that a model could see: no thread is late or early here.",
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
        "Hints": registers.hint_rows(),
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
_BOXES = "the box of a tensor is a range of its elements"
_WHOLE = "copies move whole elements"
_WARPS = "threads are in no warps here"
_HALVES = "products are cut to their type"
_WIDE = "memory operations have at most 64 bits (8.2.4)"

#: What PTX has and this front end leaves out, by opcode or opcode with some qualifiers, and why.
NOT_MODELLED = {
    "multimem": "a multimem address points to several locations, and the effect of other operations"
    " on those is undefined (8.2.3)",
    "wgmma": "asynchronous matrix operations access memory in an order of their own; they read"
    " shared memory by the async proxy, as `cp.async.bulk.global.shared::cta` does",
    "tcgen05": "tensor memory is no state space of chapter 8",
    "griddepcontrol": "dependent grids are no part of chapter 8: what is behind `.wait` can be a"
    " kernel that is launched behind the other",
    "ldmatrix": "what matrix loads read is spread over a warp: write the `ld.shared` of a thread",
    "stmatrix": "what matrix stores write is spread over a warp: write the `st.shared` of a thread",
    "ld.b128": _WIDE,
    "st.b128": _WIDE,
    "atom.b128": _WIDE,
    **dict.fromkeys(("mul.hi", "mad.hi"), _HALVES),
    **{
        f"setp.{word}": f"write `{word}.pred` behind the comparison"
        for word in ("and", "or", "xor")
    },
    "bar.warp": f"{_WARPS}: `bar.sync` with the number of those that take part orders them alike",
    "elect": f"{_WARPS}: write what the elected thread does in one thread only",
    **dict.fromkeys(("shfl", "vote", "match", "redux", "activemask"), _WARPS),
    **dict.fromkeys(
        ("fma", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh", "copysign", "testp"),
        FLOATING,
    ),
    **dict.fromkeys(
        (
            *("brev", "bfind", "bmsk", "szext", "fns", "prmt", "shf", "sad", "set", "slct"),
            *("mul24", "mad24", "dp4a", "dp2a", "addc", "subc", "madc"),
        ),
        "it is arithmetic alone: write what it gives, or other instructions",
    ),
    "mma": "matrix operations are arithmetic on what a warp holds",
    "isspacep": "an address is the same in all state spaces here",
    "getctarank": "whose shared memory an address is in is known from its variable: write the rank",
    **dict.fromkeys(("call", "brx"), "threads have no functions and tables of labels here"),
    **dict.fromkeys(("trap", "brkpt"), "what a kernel leaves behind that is ended is not defined"),
    "discard": "what it leaves in memory is not defined",
    "createpolicy": "a cache policy orders nothing: any number stands for one",
    "ldu": "where it is used nothing may write: `ld.global` reads the same",
    "st.bulk": "write a `st` for each element",
    "clusterlaunchcontrol": "what is still to be launched is not known here",
    **dict.fromkeys(("alloca", "stacksave", "stackrestore"), "threads have no stack here"),
    **dict.fromkeys(
        (f"cp.async.bulk.tensor.{word}" for word in ("im2col", "im2col::w", "im2col::w::128")),
        _BOXES,
    ),
    "cp.async.bulk.tensor.tile::gather4": _BOXES,
    "cp.async.bulk.tensor.cta_group::2": "the mbarrier of a pair of CTAs is found by its address",
    "cp.async.bulk.cp_mask": _WHOLE,
    "cp.async.bulk.ignore_oob": _WHOLE,
    "tensormap": "the fields of a tensormap are one value here: store the address of the tensor",
}

#: What CUDA C++ calls otherwise, with what it is in PTX: functions, and words of scopes and orders.
CUDA_CALLS = {
    "__threadfence": "`fence.sc.gpu` (`membar.gl`)",
    "__threadfence_block": "`fence.sc.cta` (`membar.cta`)",
    "__threadfence_system": "`fence.sc.sys` (`membar.sys`)",
    "__syncthreads": "`bar.sync 0`",
    "__syncwarp": "`bar.warp.sync`, which is not modelled: `bar.sync` with a number of threads",
    "__nanosleep": "`nanosleep`",
    "atomicAdd": "`atom.add`",
    "atomicSub": "`atom.add` of the negative number",
    "atomicExch": "`atom.exch`",
    "atomicCAS": "`atom.cas`",
    "atomicInc": "`atom.inc`",
    "atomicMin": "`atom.min`",
    "atomicMax": "`atom.max`",
    "atomicOr": "`atom.or`",
    "atomicAnd": "`atom.and`",
}
CUDA_WORDS = {
    "block": "`.cta`",
    "device": "`.gpu`",
    "system": "`.sys`",
    "seq_cst": "`fence.sc` with a scope; for an access, before one that acquires or releases",
}

#: What the forms that are there do not do, for readers.
LIMITS = (
    "Floating-point types are for moving bits only.",
    "Some qualifiers may be left out that PTX asks for: types, and others in braces, and the cache"
    " policy of `.L2::cache_hint`.",
    "Registers have no types and no width: what `.reg` declares is not held against their use.",
    "Special registers (`%tid.x`, `%ctaid.x`, …) have the values the initial section gives them,"
    " and no others. Clocks are not there.",
    "A variable without a type has the bytes of the widest access to it, which may be a vector."
    " Copies of more need one that is declared.",
    "A copy moves the declared elements in its range. Its bytes, and the groups that a wait leaves,"
    " are written as numbers; no read decides a coordinate, or the mask of a multicast.",
    "Bulk copies of any number of bytes at any element are read. PTX has multiples of 16 only.",
    "Textures and surfaces have one dimension, tensors one row: their coordinates behind the first"
    " are 0. The box of a tensor has the bytes of the variable in shared memory.",
    "The shared memory of a CTA is there to the end, also where its threads have exited before"
    " others access it. That they have to wait is not looked at.",
    "Where a read decides the number or the count of a barrier, numbers up to 32 are tried.",
)
