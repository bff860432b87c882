"""The instruction table: one row an instruction form. Whatever the table says, nothing else does.

A row names the opcode, with the qualifiers that are part of it (`bar.sync`), its operands, the
qualifiers it takes by class, its legal semantics, the function that executes it, and what events
that gives. `catpy/arch/ptx/README.md` is made from it.
"""

from __future__ import annotations

from catpy.arch.ptx import asynchronous, control, semantics, words
from catpy.arch.ptx import barrier_semantics as barriers
from catpy.arch.ptx import mbarrier_semantics as mbarriers
from catpy.arch.ptx.arithmetic import ARITHMETIC, ATOMICS, COMPARISONS, REDUCTIONS
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.words import (
    CACHE_HINTS,
    INTEGER_TYPES,
    PACKED_TYPES,
    PLAIN,
    SPACES,
    TYPES,
    VECTORS,
)

_PACKED_INTEGERS = ("u16x2", "s16x2")
_SPACE_TYPE = {"space": tuple(SPACES), "type": TYPES}
_ATOMIC_TYPES = (*INTEGER_TYPES, *_PACKED_INTEGERS)
_BARRIER_WORDS = {"level": ("cta",), "aligned": ("aligned",)}
_COMPARISONS = (*COMPARISONS, "ne")
_OPERATION = {"operation": tuple(ATOMICS)}

_ACCESS = {
    "vector": tuple(VECTORS),
    "space": tuple(SPACES),
    "type": (*TYPES, *PACKED_TYPES),
    "cache": CACHE_HINTS,
}


def _memory_rows() -> list[Row]:
    return [
        Row(
            "ld",
            ("Da",),
            semantics.load,
            words.LOADS,
            {**_ACCESS, "readonly": ("proxy::readonly",), "nc": ("nc",)},
            events="R for each element",
        ),
        Row("st", ("aV",), semantics.store, words.STORES, _ACCESS, events="W for each element"),
        Row(
            "atom",
            ("dav", "davv", "da"),
            semantics.atom,
            words.ATOMS,
            {
                "space": tuple(SPACES),
                "type": _ATOMIC_TYPES,
                "operation": (*ATOMICS, "exch", "cas"),
            },
            required=("operation",),
            events="R then W, `rmw`, in ATOM; a failing `cas` R alone",
        ),
        Row(
            "red",
            ("av", "a"),
            semantics.red,
            words.REDUCTIONS,
            {"space": tuple(SPACES), "type": _ATOMIC_TYPES, **_OPERATION},
            required=("operation",),
            events="R then W, `rmw`, in RED",
        ),
        Row("mapa", ("dvv",), semantics.mapa, PLAIN, _SPACE_TYPE, events="none"),
        *_texture_rows(),
    ]


def _texture_rows() -> list[Row]:
    """Accesses by the proxies that §8.1 leaves out; the short forms are those of public tests."""
    shape = {"geometry": ("1d",), "vector": tuple(VECTORS), "mode": ("b", "p")}
    types = {"type": (*TYPES, "b128"), "coordinate": TYPES, "clamp": ("trap", "clamp", "zero")}
    modes = words.PROXY_ACCESSES
    rows = []
    for opcode, proxy in (("tex", "TEX"), ("tld", "TEX"), ("suld", "SUR"), ("cold", "CON")):
        events = f"R for each element, in {proxy}"
        classes = {**shape, **types}
        rows.append(
            Row(opcode, ("Dt",), semantics.load, modes, classes, proxy=proxy, events=events)
        )
    events = "W for each element, in SUR"
    rows.append(
        Row("sust", ("tV",), semantics.store, modes, {**shape, **types}, proxy="SUR", events=events)
    )
    return rows


def _fence_rows() -> list[Row]:
    restrict = {"restrict": ("sync_restrict::shared::cta", "sync_restrict::shared::cluster")}
    rows = [
        Row("fence", ("",), semantics.fence, words.FENCES, restrict, events="F"),
        Row("membar", ("",), semantics.fence, words.MEMBARS, events="F, as `fence.sc`"),
        Row(
            "fence.mbarrier_init",
            ("",),
            semantics.mbarrier_init_fence,
            words.MBARRIER_INIT_FENCES,
            events="F in MBAR_INIT_FENCE",
        ),
        Row(
            "fence.proxy.tensormap::generic",
            ("", "av"),
            semantics.proxy_fence,
            words.ONE_WAY_FENCES,
            proxy="TENSORMAP",
            events="F in PROXY_FENCE, TENSORMAP and REL or ACQ",
        ),
        Row(
            "fence.proxy.async::generic",
            ("",),
            semantics.proxy_fence,
            words.ONE_WAY_CLUSTER_FENCES,
            restrict,
            required=("restrict",),
            proxy="ASYNC",
            events="F in PROXY_FENCE, ASYNC, RESTRICTED and REL or ACQ",
        ),
    ]
    spaces = {"space": ("global", "shared::cta", "shared::cluster")}
    for name, proxy in _PROXY_FENCES.items():
        classes = spaces if name == "async" else {}
        for opcode in ("fence", "membar"):
            rows.append(
                Row(
                    f"{opcode}.proxy.{name}",
                    ("",),
                    semantics.proxy_fence,
                    PLAIN,
                    classes,
                    proxy=proxy,
                    events=f"F in PROXY_FENCE, {proxy}",
                )
            )
    return rows


#: Two-way proxy fences, with the tags of their proxies.
_PROXY_FENCES = {
    "alias": "ALIAS",
    "async": "ASYNC",
    "fabric": "FABRIC",
    "texture": "TEX",
    "surface": "SUR",
    "constant": "CON",
}


def _mbarrier_rows() -> list[Row]:
    place = {"space": tuple(SPACES), "type": ("b64",)}
    rows = [
        Row("mbarrier.init", ("av",), mbarriers.init, PLAIN, place, events="W in MBAR_INIT"),
        Row("mbarrier.inval", ("a",), mbarriers.inval, PLAIN, place, events="W, of no value"),
        Row("mbarrier.pending_count", ("dv",), mbarriers.pending_count, PLAIN, place),
    ]
    for verb in ("arrive", "arrive_drop"):
        rows.append(
            Row(
                f"mbarrier.{verb}",
                ("da", "dav"),
                mbarriers.arrive,
                words.MBARRIER_ARRIVES,
                {**place, "expect": ("expect_tx",), "noComplete": ("noComplete",)},
                events="R then W, `rmw`",
            )
        )
    for verb in ("expect_tx", "complete_tx"):
        rows.append(
            Row(
                f"mbarrier.{verb}",
                ("av",),
                mbarriers.count_bytes,
                words.MBARRIER_COUNTS,
                place,
                events="R then W, `rmw`",
            )
        )
    for verb in ("test_wait", "try_wait"):
        rows.append(
            Row(
                f"mbarrier.{verb}",
                ("dav", "davv"),
                mbarriers.wait,
                words.MBARRIER_WAITS,
                {**place, "parity": ("parity",)},
                events="R; ACQ where it returns true, RLX where not",
            )
        )
    return rows


def _copy_rows() -> list[Row]:
    return [
        Row(
            "cp.async",
            ("aav", "aavv"),
            asynchronous.copy,
            PLAIN,
            {
                "cache": ("ca", "cg"),
                "dst": ("shared", "shared::cta"),
                "src": ("global",),
            },
            required=("dst", "src"),
            events="R and W for each element, WEAK, GEN, ASYNC_OP",
        ),
        Row("cp.async.commit_group", ("",), asynchronous.commit, events="none"),
        Row("cp.async.wait_group", ("v",), asynchronous.wait_group, events="WAIT"),
        Row("cp.async.wait_all", ("",), asynchronous.wait_all, events="WAIT"),
        Row(
            "cp.async.mbarrier.arrive",
            ("a",),
            asynchronous.arrive_on,
            PLAIN,
            {"noinc": ("noinc",), "space": ("shared", "shared::cta"), "type": ("b64",)},
            events="R then W of the arrival, ASYNC_OP; without `.noinc` R then W before",
        ),
        Row("cp.async.bulk.commit_group", ("",), asynchronous.bulk_commit, events="none"),
        Row(
            "cp.async.bulk.wait_group",
            ("v",),
            asynchronous.bulk_wait,
            PLAIN,
            {"read": ("read",)},
            events="WAIT; with `.read` an implicit proxy fence",
        ),
        Row("cp.async.bulk.prefetch", ("av", "a"), control.nothing, PLAIN, _BULK, events="none"),
        *_bulk_rows(),
    ]


_SIDES = ("shared::cluster", "shared::cta", "shared", "global")
_BULK = {
    "dst": _SIDES,
    "src": _SIDES,
    "completion": ("mbarrier::complete_tx::bytes", "bulk_group"),
    "multicast": ("multicast::cluster",),
    "cache": ("L2::cache_hint", "L2"),
}
_BULK_EVENTS = "R and W for each element, ASYNC; F, implicit; R then W of complete-tx"


def _bulk_rows() -> list[Row]:
    needed = ("dst", "src", "completion")
    tensor = {**_BULK, "dimensions": ("1d",), "mode": ("tile",)}
    reduction = {"operation": tuple(ATOMICS), "type": INTEGER_TYPES}
    signalled = ("aava", "aavav", "aav")
    boxed = ("tta", "ttav", "tt")
    return [
        Row(
            "cp.async.bulk",
            signalled,
            asynchronous.bulk_copy,
            words.BULK_COPIES,
            {**_BULK, "type": (*TYPES, "b128")},
            required=needed,
            proxy="ASYNC",
            events=_BULK_EVENTS,
        ),
        Row(
            "cp.async.bulk.tensor",
            boxed,
            asynchronous.tensor_copy,
            PLAIN,
            tensor,
            required=needed,
            proxy="ASYNC",
            events=f"R in TENSORMAP; {_BULK_EVENTS}",
        ),
        Row(
            "cp.reduce.async.bulk",
            signalled,
            asynchronous.bulk_copy,
            words.BULK_REDUCTIONS,
            {**_BULK, **reduction},
            required=(*needed, "operation", "type"),
            proxy="ASYNC",
            events="R, R then W for each element, ASYNC; F, implicit; R then W of complete-tx",
        ),
        Row(
            "cp.reduce.async.bulk.tensor",
            boxed,
            asynchronous.tensor_copy,
            words.BULK_REDUCTIONS,
            {**tensor, **reduction},
            required=(*needed, "operation"),
            proxy="ASYNC",
            events="as `cp.reduce.async.bulk`, behind R in TENSORMAP",
        ),
    ]


def _async_store_rows() -> list[Row]:
    signal = {"completion": ("mbarrier::complete_tx::bytes",), "space": tuple(SPACES)}
    return [
        Row(
            "st.async",
            ("aVa", "aV"),
            asynchronous.store,
            words.ASYNC_STORES,
            {**signal, "vector": tuple(VECTORS), "type": TYPES},
            events="W for each element, GEN, ASYNC_OP; R then W of complete-tx",
        ),
        Row(
            "red.async",
            ("ava", "av"),
            asynchronous.reduce,
            words.ASYNC_REDUCTIONS,
            {**signal, **_OPERATION, "type": INTEGER_TYPES},
            required=("operation",),
            events="R then W, `rmw`, RED, GEN, ASYNC_OP; R then W of complete-tx",
        ),
    ]


def _barrier_rows() -> list[Row]:
    rows = []
    for opcode in ("bar", "barrier"):
        rows += [
            Row(f"{opcode}.sync", ("v", "vv", "vvv"), barriers.barrier, PLAIN, _BARRIER_WORDS),
            Row(f"{opcode}.arrive", ("v", "vv", "vvv"), barriers.barrier, PLAIN, _BARRIER_WORDS),
            Row(
                f"{opcode}.red",
                ("dvv", "dvvv"),
                barriers.barrier,
                PLAIN,
                {**_BARRIER_WORDS, "reduction": tuple(REDUCTIONS), "type": ("u32", "pred")},
                required=("reduction",),
            ),
        ]
    aligned = {"aligned": ("aligned",)}
    rows += [
        Row(
            "barrier.cluster.arrive", ("",), barriers.cluster_arrive, words.CLUSTER_ARRIVES, aligned
        ),
        Row("barrier.cluster.wait", ("",), barriers.cluster_wait, words.CLUSTER_WAITS, aligned),
    ]
    return rows


def _arithmetic_rows() -> list[Row]:
    rows = [
        Row(name, ("d" + "v" * sources,), control.arithmetic, PLAIN, _arithmetic_classes(name))
        for name, (_, sources) in ARITHMETIC.items()
    ]
    rows.append(
        Row(
            "setp",
            ("dvv",),
            control.set_predicate,
            PLAIN,
            {"comparison": (*_COMPARISONS, "lo", "ls", "hi", "hs"), "type": INTEGER_TYPES},
            required=("comparison",),
        )
    )
    rows.append(
        Row("cvt", ("dv",), control.convert, PLAIN, {"type": INTEGER_TYPES, "from": INTEGER_TYPES})
    )
    rows.append(
        Row("cvta", ("dv",), control.arithmetic, PLAIN, {**_SPACE_TYPE, "direction": ("to",)})
    )
    return rows


def _arithmetic_classes(name: str) -> dict[str, tuple[str, ...]]:
    classes = {"type": (*(TYPES if name in ("mov", "selp") else INTEGER_TYPES), "pred")}
    if name in ("mul", "mad"):
        classes["half"] = ("lo",)
    return classes


def _control_rows() -> list[Row]:
    rows = [
        Row("bra", ("l",), control.branch, PLAIN, {"uni": ("uni",)}, control=True),
        Row("goto", ("l",), control.branch, control=True),
        Row("ret", ("",), control.leave, control=True),
        Row("exit", ("",), control.leave, control=True),
        Row("nop", ("",), control.nothing),
    ]
    for name in _COMPARISONS:
        rows.append(Row(f"b{name}", ("vvl",), control.compare_and_branch, control=True))
    return rows


def all_rows() -> list[Row]:
    """Every instruction form."""
    return [
        *_memory_rows(),
        *_fence_rows(),
        *_barrier_rows(),
        *_mbarrier_rows(),
        *_copy_rows(),
        *_async_store_rows(),
        *_arithmetic_rows(),
        *_control_rows(),
    ]


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

#: What PTX has and this front end leaves out, by opcode or opcode with a qualifier, and why.
NOT_MODELLED = {
    "multimem": "a multimem address points to several locations, and the effect of other operations"
    " on those is undefined (8.2.3)",
    "wgmma": "asynchronous matrix operations access memory in an order of their own",
    "tcgen05": "tensor memory is no state space of chapter 8",
    "griddepcontrol": "dependent grids are no part of chapter 8",
    "ldmatrix": "what matrix loads read is spread over a warp",
    "stmatrix": "what matrix stores write is spread over a warp",
    "ld.b128": "memory operations have at most 64 bits (8.2.4)",
    "st.b128": "memory operations have at most 64 bits (8.2.4)",
    "atom.b128": "memory operations have at most 64 bits (8.2.4)",
    "tensormap": "the fields of a tensormap are one value here: store the address of the tensor",
    "atom.f16x2": "floating-point arithmetic is not modelled",
    "atom.bf16x2": "floating-point arithmetic is not modelled",
    "red.f16x2": "floating-point arithmetic is not modelled",
    "red.bf16x2": "floating-point arithmetic is not modelled",
}
