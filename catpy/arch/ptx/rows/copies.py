"""Asynchronous copies, stores and reductions, and waits for them."""

from __future__ import annotations

from catpy.arch.ptx import asynchronous, control, words
from catpy.arch.ptx.instruction import Effect, Row
from catpy.arch.ptx.rows.common import (
    BEHIND,
    EACH,
    OWN_SHARED,
    POLICIES,
    PTX_OPERATIONS,
    REDUCED_TYPES,
    only,
    read,
    write,
)
from catpy.arch.ptx.words import PLAIN, PREFETCHES, TYPES

_COPY = "WEAK proxy space ASYNC_OP"
_COPIED = (Effect(f"R {_COPY}", EACH), Effect(f"W {_COPY}", EACH))
_WAIT = (Effect("WAIT"),)


def _signal(scope: str, note: str) -> tuple[Effect, Effect]:
    """The read and the write by which an mbarrier is told that something is complete."""
    sets = f"{scope} GEN space MBARRIER ASYNC_OP IMPLICIT"
    return Effect(f"R RLX {sets}", note), Effect(f"W REL {sets}", BEHIND)


def copy_rows() -> list[Row]:
    """`cp.async`: copies by the generic proxy."""
    return [
        Row(
            "cp.async",
            ("aan", "aanz"),
            asynchronous.copy,
            PLAIN,
            {
                "cache": ("ca", "cg"),
                "dst": OWN_SHARED,
                "src": ("global",),
                **POLICIES,
                "prefetch": PREFETCHES,
            },
            required=("dst", "src"),
            names=("dst src size", "dst src size src-size"),
            events=_COPIED,
            about="Behind the first `src-size` bytes it reads nothing and writes zeros.",
        ),
        *_copy_group_rows(),
        _arrival_row(),
    ]


def _copy_group_rows() -> list[Row]:
    return [
        Row(
            "cp.async.commit_group",
            ("",),
            asynchronous.commit,
            about="Makes a group of the copies of the thread that are in none.",
        ),
        Row(
            "cp.async.wait_group",
            ("n",),
            asynchronous.wait_group,
            events=_WAIT,
            about="Waits for all groups of the thread but the last `a`.",
        ),
        Row(
            "cp.async.wait_all",
            ("",),
            asynchronous.wait_all,
            events=_WAIT,
            about="Waits for all copies of the thread, in groups or not.",
        ),
    ]


def _arrival_row() -> Row:
    expecting = "RLX CTA GEN space MBARRIER"
    return Row(
        "cp.async.mbarrier.arrive",
        ("m",),
        asynchronous.arrive_on,
        PLAIN,
        {"noinc": ("noinc",), "space": OWN_SHARED, "type": ("b64",)},
        events=(
            Effect(f"R {expecting}", "without `.noinc`, so that one arrival more is expected"),
            Effect(f"W {expecting}", BEHIND),
            *_signal("CTA", "the arrival"),
        ),
        about="Arrives once the earlier copies of the thread are complete.",
    )


# Bulk copies

_MBARRIER = "mbarrier::complete_tx::bytes"
_FROM_CTA = " ".join(OWN_SHARED)
_BULK = {
    "dst": ("shared::cluster", *OWN_SHARED, "global"),
    "src": ("global", *OWN_SHARED),
    "completion": (_MBARRIER, "bulk_group"),
}
_MULTICAST = {"multicast": ("multicast::cluster",)}
_TENSOR = {"dimensions": ("1d", "2d", "3d", "4d", "5d"), "tile": ("tile",)}
_REDUCTION = {"operation": PTX_OPERATIONS, "type": REDUCED_TYPES}
_NEEDED = ("dst", "src", "completion")

_TO_CLUSTER = only(
    dst="shared::cluster", src="global", completion=_MBARRIER, multicast="-", operands="aazm"
)
_TO_MANY = only(
    dst="shared::cluster",
    src="global",
    completion=_MBARRIER,
    multicast="multicast::cluster",
    operands="aazmr",
)
_TO_CTA = only(dst=_FROM_CTA, src="global", completion=_MBARRIER, multicast="-", operands="aazm")
_TO_GLOBAL = only(
    dst="global", src=_FROM_CTA, completion="bulk_group", multicast="-", operands="aaz"
)
_WITHIN_CLUSTER = only(
    dst="shared::cluster",
    src=_FROM_CTA,
    completion=_MBARRIER,
    multicast="-",
    policy="-",
    scope="- cta cluster",
    operands="aazm",
)
_COPIES = (_TO_CLUSTER, _TO_MANY, _WITHIN_CLUSTER, _TO_CTA, _TO_GLOBAL)
_TENSOR_COPIES = (
    {**_TO_CLUSTER, "operands": ("aTm",)},
    {**_TO_MANY, "operands": ("aTmr",)},
    {**_TO_CTA, "operands": ("aTm",)},
    {**_TO_GLOBAL, "operands": ("Ta",), "group": ("",)},
)
_STRENGTHS = (
    only(semantics="- weak", type="-"),
    only(semantics="relaxed", type="- b128"),
)
_REDUCED_TYPES = (
    only(operation="add", type="u32 s32 u64"),
    only(operation="inc dec", type="u32"),
    only(operation="min max", type="u32 s32"),
    only(operation="min max", type="u64 s64", dst="global"),
    only(operation="and or xor", type="b32"),
    only(operation="and or xor", type="b64", dst="global"),
)
_TENSOR_TYPES = (
    only(operation="add", type="u32 s32 u64"),
    only(operation="inc dec", type="u32"),
    only(operation="min max", type="u32 s32 u64 s64"),
    only(operation="and or xor", type="b32 b64"),
)

_IMPLICIT_FENCE = "F PROXY_FENCE ASYNC ASYNC_OP IMPLICIT"
_FENCE = Effect(_IMPLICIT_FENCE, "behind the copy, before what tells of it")
_COMPLETE_TX = _signal("CLUSTER", "of the mbarrier, where one is named: so many bytes have come")
_REDUCED = (
    Effect(f"R {_COPY}", f"of the source, {EACH}"),
    read("RED ASYNC_OP", f"of the destination, {EACH}"),
    write("RED ASYNC_OP", BEHIND),
    _FENCE,
)
_TENSORMAP = Effect("R WEAK TENSORMAP space ASYNC_OP", "of the tensormap")

#: What is asked for beyond PTX where a reduction is in a tensor.
ELEMENT_TYPE = "PTX has no type here: give that of the elements"
_NOTHING = "Does nothing that a model could see."
_BOX = (
    "One side is in a tensor, `[tensormap, {c}]`, where further coordinates are 0. The other is an"
    " address in shared memory, and as many bytes are copied as the variable has from there on."
)


def bulk_rows() -> list[Row]:
    """`cp.async.bulk` and `cp.reduce.async.bulk`: copies by the async proxy."""
    return [*_bulk_copy_rows(), *_bulk_reduction_rows(), *_bulk_group_rows()]


def _bulk_copy_rows() -> list[Row]:
    return [
        Row(
            "cp.async.bulk",
            ("aaz", "aazm", "aazmr"),
            asynchronous.bulk_copy,
            words.BULK_COPIES,
            {**_BULK, **POLICIES, **_MULTICAST, "type": ("b128",)},
            required=_NEEDED,
            rules=(_COPIES, _STRENGTHS),
            proxy="ASYNC",
            names=("dst src size", "dst src size mbarrier", "dst src size mbarrier mask"),
            events=(read("ASYNC_OP"), write("ASYNC_OP"), _FENCE, *_COMPLETE_TX),
            about="Elements are those of the variables, with `.b128`, too.",
        ),
        Row(
            "cp.async.bulk.tensor",
            ("Ta", "aTm", "aTmr"),
            asynchronous.tensor_copy,
            PLAIN,
            {**_BULK, **POLICIES, **_MULTICAST, **_TENSOR, "group": ("cta_group::1",)},
            required=_NEEDED,
            rules=(_TENSOR_COPIES,),
            proxy="ASYNC",
            names=("dst src", "dst src mbarrier", "dst src mbarrier mask"),
            events=(_TENSORMAP, *_COPIED, _FENCE, *_COMPLETE_TX),
            about=_BOX,
        ),
    ]


def _bulk_reduction_rows() -> list[Row]:
    to_tensor = {"dst": ("global",), "src": OWN_SHARED, "completion": ("bulk_group",)}
    no_multicast = [
        {kind: words for kind, words in one.items() if kind != "multicast"}
        for one in (_WITHIN_CLUSTER, _TO_GLOBAL)
    ]
    return [
        Row(
            "cp.reduce.async.bulk",
            ("aaz", "aazm"),
            asynchronous.bulk_copy,
            words.BULK_REDUCTIONS,
            {**_BULK, "src": OWN_SHARED, **POLICIES, **_REDUCTION},
            required=(*_NEEDED, "operation", "type"),
            rules=(tuple(no_multicast), _REDUCED_TYPES),
            proxy="ASYNC",
            names=("dst src size", "dst src size mbarrier"),
            events=(*_REDUCED, *_COMPLETE_TX),
        ),
        Row(
            "cp.reduce.async.bulk.tensor",
            ("Ta",),
            asynchronous.tensor_copy,
            words.BULK_REDUCTIONS,
            {**to_tensor, **POLICIES, **_TENSOR, **_REDUCTION},
            required=(*_NEEDED, "operation", "type"),
            rules=(_TENSOR_TYPES,),
            proxy="ASYNC",
            names=("dst src",),
            events=(_TENSORMAP, *_REDUCED),
            about=f"{_BOX} {ELEMENT_TYPE}.",
        ),
    ]


def _bulk_group_rows() -> list[Row]:
    fence = Effect(_IMPLICIT_FENCE, "with `.read`, where there is something to wait for")
    return [
        Row(
            "cp.async.bulk.commit_group",
            ("",),
            asynchronous.bulk_commit,
            about="Makes a group of the thread's copies with `.bulk_group` that are in none.",
        ),
        Row(
            "cp.async.bulk.wait_group",
            ("n",),
            asynchronous.bulk_wait,
            PLAIN,
            {"read": ("read",)},
            events=(fence, *_WAIT),
            about="Waits for all groups of the thread but the last `a`; with `.read` only for what"
            " they read.",
        ),
        Row(
            "cp.async.bulk.prefetch.L2",
            ("az",),
            control.nothing,
            PLAIN,
            {"space": ("global",), **POLICIES},
            required=("space",),
            names=("a size",),
            about=_NOTHING,
        ),
        Row(
            "cp.async.bulk.prefetch.tensor.L2",
            ("T",),
            control.nothing,
            PLAIN,
            {**_TENSOR, "src": ("global",), **POLICIES},
            required=("src",),
            about=_NOTHING,
        ),
    ]


_ASYNC_STORES = (
    only(
        semantics="- weak",
        completion=_MBARRIER,
        space="- shared::cluster",
        vector="- v2 v4",
        type="- b32 b64 u32 u64 s32 s64 f32 f64",
        operands="aVm",
    ),
    only(
        semantics="release mmio.release",
        completion="-",
        space="- global",
        vector="-",
        operands="aV",
    ),
)
_ASYNC_REDUCTIONS = (
    only(semantics="- relaxed", completion=_MBARRIER, space="- shared::cluster", operands="avm"),
    only(
        semantics="release mmio.release",
        completion="-",
        space="- global",
        operation="add",
        operands="av",
    ),
)
_ASYNC_REDUCED_TYPES = (
    only(semantics="- relaxed", operation="add", type="- u32 s32 u64"),
    only(semantics="- relaxed", operation="inc dec", type="- u32"),
    only(semantics="- relaxed", operation="min max", type="- u32 s32"),
    only(semantics="- relaxed", operation="and or xor", type="- b32"),
    only(semantics="release mmio.release", type="- u32 s32 u64 s64"),
)


def async_store_rows() -> list[Row]:
    """`st.async` and `red.async`: by the generic proxy."""
    signal = {"completion": (_MBARRIER,), "space": ("shared::cluster", "global")}
    return [
        Row(
            "st.async",
            ("aV", "aVm"),
            asynchronous.store,
            words.ASYNC_STORES,
            {**signal, "vector": ("v2", "v4"), "type": TYPES},
            rules=(_ASYNC_STORES,),
            names=("a b", "a b mbarrier"),
            events=(write("ASYNC_OP"), *_COMPLETE_TX),
        ),
        Row(
            "red.async",
            ("av", "avm"),
            asynchronous.reduce,
            words.ASYNC_REDUCTIONS,
            {**signal, **_REDUCTION, "type": ("u32", "u64", "s32", "s64", "b32")},
            required=("operation",),
            rules=(_ASYNC_REDUCTIONS, _ASYNC_REDUCED_TYPES),
            names=("a b", "a b mbarrier"),
            events=(read("RED ASYNC_OP"), write("RED ASYNC_OP", BEHIND), *_COMPLETE_TX),
        ),
    ]
