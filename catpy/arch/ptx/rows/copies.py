"""Asynchronous copies, stores and reductions, and waits for them."""

from __future__ import annotations

from catpy.arch.ptx import asynchronous, control, words
from catpy.arch.ptx.instruction import Effect, Row
from catpy.arch.ptx.rows.common import (
    ANY_SPACE,
    BEHIND,
    EACH,
    OPERATION,
    VECTOR,
    read,
    write,
)
from catpy.arch.ptx.words import INTEGER_TYPES, PLAIN, TYPES

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
            ("aav", "aavv"),
            asynchronous.copy,
            PLAIN,
            {"cache": ("ca", "cg"), "dst": ("shared", "shared::cta"), "src": ("global",)},
            required=("dst", "src"),
            names=("dst src size", "dst src size src-size"),
            events=_COPIED,
            about="Behind the first `src-size` bytes it reads nothing and writes zeros.",
        ),
        Row(
            "cp.async.commit_group",
            ("",),
            asynchronous.commit,
            about="Makes a group of the copies of the thread that are in none.",
        ),
        Row(
            "cp.async.wait_group",
            ("v",),
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
        _arrival_row(),
    ]


def _arrival_row() -> Row:
    expecting = "RLX CTA GEN space MBARRIER"
    return Row(
        "cp.async.mbarrier.arrive",
        ("a",),
        asynchronous.arrive_on,
        PLAIN,
        {"noinc": ("noinc",), "space": ("shared", "shared::cta"), "type": ("b64",)},
        events=(
            Effect(f"R {expecting}", "without `.noinc`, so that one arrival more is expected"),
            Effect(f"W {expecting}", BEHIND),
            *_signal("CTA", "the arrival"),
        ),
        about="Arrives once the earlier copies of the thread are complete.",
    )


# Bulk copies

_SIDES = ("shared::cluster", "shared::cta", "shared", "global")
_BULK = {
    "dst": _SIDES,
    "src": _SIDES,
    "completion": ("mbarrier::complete_tx::bytes", "bulk_group"),
    "cache": ("L2::cache_hint", "L2"),
}
_MULTICAST = {"multicast": ("multicast::cluster",)}
_TENSOR = {"dimensions": ("1d",), "tile": ("tile",)}
_TO_TENSOR = {"dst": ("global",), "src": ("shared::cta", "shared"), "completion": ("bulk_group",)}
_REDUCTION = {**OPERATION, "type": INTEGER_TYPES}
_NEEDED = ("dst", "src", "completion")

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

_BOX = (
    "One side is in a tensor. The other is an address in shared memory, and as many bytes are"
    " copied as the variable has from there on."
)


def bulk_rows() -> list[Row]:
    """`cp.async.bulk` and `cp.reduce.async.bulk`: copies by the async proxy."""
    return [*_bulk_copy_rows(), *_bulk_reduction_rows(), *_bulk_group_rows()]


def _bulk_copy_rows() -> list[Row]:
    return [
        Row(
            "cp.async.bulk",
            ("aav", "aava", "aavav"),
            asynchronous.bulk_copy,
            words.BULK_COPIES,
            {**_BULK, **_MULTICAST, "type": (*TYPES, "b128")},
            required=_NEEDED,
            proxy="ASYNC",
            names=("dst src size", "dst src size mbarrier", "dst src size mbarrier mask"),
            events=(read("ASYNC_OP"), write("ASYNC_OP"), _FENCE, *_COMPLETE_TX),
            about="The type makes no difference: elements are those of the variables.",
        ),
        Row(
            "cp.async.bulk.tensor",
            ("tt", "tta", "ttav"),
            asynchronous.tensor_copy,
            PLAIN,
            {**_BULK, **_MULTICAST, **_TENSOR},
            required=_NEEDED,
            proxy="ASYNC",
            names=("dst src", "dst src mbarrier", "dst src mbarrier mask"),
            events=(_TENSORMAP, *_COPIED, _FENCE, *_COMPLETE_TX),
            about=_BOX,
        ),
    ]


def _bulk_reduction_rows() -> list[Row]:
    return [
        Row(
            "cp.reduce.async.bulk",
            ("aav", "aava"),
            asynchronous.bulk_copy,
            words.BULK_REDUCTIONS,
            {**_BULK, **_REDUCTION},
            required=(*_NEEDED, "operation", "type"),
            proxy="ASYNC",
            names=("dst src size", "dst src size mbarrier"),
            events=(*_REDUCED, *_COMPLETE_TX),
        ),
        Row(
            "cp.reduce.async.bulk.tensor",
            ("tt",),
            asynchronous.tensor_copy,
            words.BULK_REDUCTIONS,
            {**_BULK, **_TO_TENSOR, **_TENSOR, **_REDUCTION},
            required=(*_NEEDED, "operation", "type"),
            proxy="ASYNC",
            names=("dst src",),
            events=(_TENSORMAP, *_REDUCED),
            about=f"{_BOX} PTX has no type here: give that of the elements.",
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
            ("v",),
            asynchronous.bulk_wait,
            PLAIN,
            {"read": ("read",)},
            events=(fence, *_WAIT),
            about="Waits for all groups of the thread but the last `a`; with `.read` only for what"
            " they read.",
        ),
        Row(
            "cp.async.bulk.prefetch",
            ("av",),
            control.nothing,
            PLAIN,
            {"space": ("global",), "cache": _BULK["cache"]},
            required=("space",),
            names=("a size",),
            about="Does nothing that a model could see.",
        ),
    ]


def async_store_rows() -> list[Row]:
    """`st.async` and `red.async`: by the generic proxy."""
    signal = {"completion": ("mbarrier::complete_tx::bytes",), **ANY_SPACE}
    return [
        Row(
            "st.async",
            ("aVa", "aV"),
            asynchronous.store,
            words.ASYNC_STORES,
            {**signal, **VECTOR, "type": TYPES},
            names=("a b mbarrier", "a b"),
            events=(write("ASYNC_OP"), *_COMPLETE_TX),
        ),
        Row(
            "red.async",
            ("ava", "av"),
            asynchronous.reduce,
            words.ASYNC_REDUCTIONS,
            {**signal, **_REDUCTION},
            required=("operation",),
            names=("a b mbarrier", "a b"),
            events=(read("RED ASYNC_OP"), write("RED ASYNC_OP", BEHIND), *_COMPLETE_TX),
        ),
    ]
