"""Fences, and fences between proxies."""

from __future__ import annotations

from catpy.arch.ptx import semantics, words
from catpy.arch.ptx.instruction import Effect, Row
from catpy.arch.ptx.rows.common import only
from catpy.arch.ptx.words import PLAIN


def fence_rows() -> list[Row]:
    """`fence`, `membar` and the fence behind `mbarrier.init`."""
    return [
        Row(
            "fence",
            ("",),
            semantics.fence,
            words.FENCES,
            events=(Effect("F semantics scope GEN"),),
            host=True,
            about="With `.sync_restrict` it orders accesses of shared memory only.",
        ),
        Row(
            "membar",
            ("",),
            semantics.fence,
            words.MEMBARS,
            events=(Effect("F semantics scope GEN"),),
            host=True,
            about="A `fence.sc`; `.gl` is its `.gpu`.",
        ),
        Row(
            "fence.mbarrier_init",
            ("",),
            semantics.mbarrier_init_fence,
            words.MBARRIER_INIT_FENCES,
            events=(Effect("F scope MBAR_INIT_FENCE"),),
            about="Orders what `mbarrier.init` of its thread wrote, and nothing else.",
        ),
    ]


def proxy_fence_rows() -> list[Row]:
    """One-way fences, with their semantics, and two-way fences without."""
    one_way = [
        Row(
            "fence.proxy.tensormap::generic",
            ("", "an"),
            semantics.proxy_fence,
            words.ONE_WAY_FENCES,
            rules=(
                (
                    only(semantics="acquire", operands="an"),
                    only(semantics="release", operands="-"),
                ),
            ),
            proxy="TENSORMAP",
            names=("", "a 128"),
            events=(Effect("F PROXY_FENCE semantics scope proxy"),),
            about="From generic accesses to those by the tensormap proxy. With `.acquire`, and not"
            " with `.release`, stand the address of a tensormap and its size: it is for that one.",
        ),
        Row(
            "fence.proxy.async::generic",
            ("",),
            semantics.proxy_fence,
            words.ONE_WAY_ASYNC_FENCES,
            proxy="ASYNC",
            events=(Effect("F PROXY_FENCE semantics scope proxy"),),
            about="From generic accesses to those by the async proxy, in shared memory. With"
            " `::read` from the reads of its own thread only.",
        ),
    ]
    return [*one_way, *_fabric_rows(), _alias_row(), *_two_way_rows()]


def _fabric_rows() -> list[Row]:
    return [
        Row(
            f"fence.proxy.{to}::{source}",
            ("",),
            semantics.proxy_fence,
            words.FABRIC_FENCES,
            proxy="FABRIC",
            events=(Effect("F PROXY_FENCE semantics scope proxy"),),
            about="From accesses by the proxy behind `::` to those by the one before it. Nothing is"
            " accessed by the fabric proxy here, so it orders nothing.",
        )
        for to, source in (("generic", "fabric"), ("fabric", "generic"), ("fabric", "fabric"))
    ]


def _alias_row() -> Row:
    return Row(
        "fence.proxy.alias",
        ("",),
        semantics.proxy_fence,
        (*PLAIN, *words.ONE_WAY_ALIAS_FENCES),
        proxy="ALIAS",
        events=(Effect("F PROXY_FENCE semantics scope proxy"),),
        about=f"Between {_between('alias')}. With `.release` or `.acquire` it is half of such a"
        " fence.",
    )


#: Two-way proxy fences, with the tags of their proxies.
_PROXY_FENCES = {
    "alias": "ALIAS",
    "async": "ASYNC",
    "texture": "TEX",
    "surface": "SUR",
    "constant": "CON",
}


def _two_way_rows() -> list[Row]:
    spaces = {"space": ("global", "shared::cta", "shared::cluster")}
    return [
        Row(
            f"{opcode}.proxy.{name}",
            ("",),
            semantics.proxy_fence,
            PLAIN,
            spaces if name == "async" else {},
            proxy=proxy,
            events=(Effect(f"F PROXY_FENCE proxy{' space' if name == 'async' else ''}"),),
            about=f"Between {_between(name)}.",
        )
        for name, proxy in _PROXY_FENCES.items()
        for opcode in ("fence", "membar")
        if (opcode, name) != ("fence", "alias")
    ]


def _between(name: str) -> str:
    if name == "alias":
        return "accesses of a location by different aliases"
    between = f"generic accesses and those by the {name} proxy"
    return between if name == "async" else f"{between}. It is not PTX"
