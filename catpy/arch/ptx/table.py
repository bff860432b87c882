"""The instruction table: one row an instruction form. Whatever the table says, nothing else does.

A row names the opcode, with the qualifiers that are part of it (`bar.sync`), its operands, the
qualifiers it takes by class, its legal semantics, and the function that executes it.
"""

from __future__ import annotations

from catpy.arch.ptx import semantics, words
from catpy.arch.ptx.arithmetic import ARITHMETIC, ATOMICS, COMPARISONS, REDUCTIONS
from catpy.arch.ptx.barrier_semantics import barrier, cluster_arrive, cluster_wait
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.words import CACHE_HINTS, INTEGER_TYPES, PLAIN, SPACES, TYPES

_SPACE_TYPE = {"space": tuple(SPACES), "type": TYPES}
_SPACE_INTEGER = {"space": tuple(SPACES), "type": INTEGER_TYPES}
_BARRIER_WORDS = {"level": ("cta",), "aligned": ("aligned",)}
_COMPARISONS = (*COMPARISONS, "ne")


def _memory_rows() -> list[Row]:
    access = {**_SPACE_TYPE, "cache": CACHE_HINTS}
    return [
        Row("ld", ("da",), semantics.load, words.LOADS, access),
        Row("st", ("av",), semantics.store, words.STORES, access),
        Row(
            "atom",
            ("dav", "davv", "da"),
            semantics.atom,
            words.ATOMS,
            {**_SPACE_INTEGER, "operation": (*ATOMICS, "exch", "cas")},
            required=("operation",),
        ),
        Row(
            "red",
            ("av", "a"),
            semantics.red,
            words.REDUCTIONS,
            {**_SPACE_INTEGER, "operation": tuple(ATOMICS)},
            required=("operation",),
        ),
        Row("fence", ("",), semantics.fence, words.FENCES),
        Row("membar", ("",), semantics.fence, words.MEMBARS),
        Row("fence.proxy.alias", ("",), semantics.alias_fence),
        Row("membar.proxy.alias", ("",), semantics.alias_fence),
    ]


def _barrier_rows() -> list[Row]:
    rows = []
    for opcode in ("bar", "barrier"):
        rows += [
            Row(f"{opcode}.sync", ("v", "vv", "vvv"), barrier, PLAIN, _BARRIER_WORDS),
            Row(f"{opcode}.arrive", ("v", "vv", "vvv"), barrier, PLAIN, _BARRIER_WORDS),
            Row(
                f"{opcode}.red",
                ("dvv", "dvvv"),
                barrier,
                PLAIN,
                {**_BARRIER_WORDS, "reduction": tuple(REDUCTIONS), "type": ("u32", "pred")},
                required=("reduction",),
            ),
        ]
    aligned = {"aligned": ("aligned",)}
    rows += [
        Row("barrier.cluster.arrive", ("",), cluster_arrive, words.CLUSTER_ARRIVES, aligned),
        Row("barrier.cluster.wait", ("",), cluster_wait, words.CLUSTER_WAITS, aligned),
    ]
    return rows


def _arithmetic_rows() -> list[Row]:
    rows = [
        Row(name, ("d" + "v" * sources,), semantics.arithmetic, PLAIN, _arithmetic_classes(name))
        for name, (_, sources) in ARITHMETIC.items()
    ]
    rows.append(
        Row(
            "setp",
            ("dvv",),
            semantics.set_predicate,
            PLAIN,
            {"comparison": (*_COMPARISONS, "lo", "ls", "hi", "hs"), "type": INTEGER_TYPES},
            required=("comparison",),
        )
    )
    rows.append(
        Row(
            "cvt", ("dv",), semantics.convert, PLAIN, {"type": INTEGER_TYPES, "from": INTEGER_TYPES}
        )
    )
    rows.append(
        Row("cvta", ("dv",), semantics.arithmetic, PLAIN, {**_SPACE_TYPE, "direction": ("to",)})
    )
    return rows


def _arithmetic_classes(name: str) -> dict[str, tuple[str, ...]]:
    classes = {"type": (*(TYPES if name in ("mov", "selp") else INTEGER_TYPES), "pred")}
    if name in ("mul", "mad"):
        classes["half"] = ("lo",)
    return classes


def _control_rows() -> list[Row]:
    rows = [
        Row("bra", ("l",), semantics.branch, PLAIN, {"uni": ("uni",)}, control=True),
        Row("goto", ("l",), semantics.branch, control=True),
        Row("ret", ("",), semantics.leave, control=True),
        Row("exit", ("",), semantics.leave, control=True),
        Row("nop", ("",), semantics.nothing),
    ]
    for name in _COMPARISONS:
        rows.append(Row(f"b{name}", ("vvl",), semantics.compare_and_branch, control=True))
    return rows


def build_table() -> dict[str, list[Row]]:
    """The rows by the first word of their opcode, those with longer opcodes first."""
    table: dict[str, list[Row]] = {}
    for row in [*_memory_rows(), *_barrier_rows(), *_arithmetic_rows(), *_control_rows()]:
        table.setdefault(row.opcode.split(".")[0], []).append(row)
    for rows in table.values():
        rows.sort(key=lambda row: -row.opcode.count("."))
    return table


#: Qualifiers that only the other dialect has.
DIALECT_WORDS = {"sub": "dat3m"}

#: Forms of PTX that this version names instead of guessing at them, by opcode or qualifier.
NOT_SUPPORTED = {
    "cp": "asynchronous copies",
    "mbarrier": "mbarrier objects",
    "multimem": "multimem operations",
    "mapa": "addresses in the shared memory of another CTA",
    "wgmma": "asynchronous matrix operations",
    "tcgen05": "tensor memory operations",
    "griddepcontrol": "dependent grids",
    "tex": "texture accesses",
    "tld": "texture accesses",
    "suld": "surface accesses",
    "sust": "surface accesses",
}
NOT_SUPPORTED_FORMS = frozenset({"proxy", "async", "mbarrier_init", "sync_restrict"})
NOT_SUPPORTED_WORDS = frozenset({"nc", "v2", "v4", "v8", "b128"})
