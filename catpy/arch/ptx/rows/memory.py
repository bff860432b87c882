"""Accesses of memory, atomic operations, textures and surfaces."""

from __future__ import annotations

from catpy.arch.ptx import semantics, words
from catpy.arch.ptx.atomics import OPERATIONS
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.rows.common import (
    ANY_SPACE,
    BEHIND,
    COMMON_SPACES,
    EVICTIONS,
    OPERATION,
    OPERATION_TYPES,
    PACKED_INTEGERS,
    POLICIES,
    REDUCED_TYPES,
    VECTOR,
    only,
    read,
    write,
)
from catpy.arch.ptx.words import (
    LOAD_HINTS,
    PACKED_TYPES,
    PREFETCHES,
    SPACES,
    STORE_HINTS,
    TYPES,
    size_of,
)

_TYPE = {"type": (*TYPES, *PACKED_TYPES)}


def _typed(*sizes: int) -> str:
    """The types of so many bytes."""
    return " ".join(word for word in _TYPE["type"] if size_of(word) in sizes)


_COMMON = {"space": COMMON_SPACES}
_MAY_BE_COMMON = f"- {' '.join(COMMON_SPACES)}"

_LOADS = (
    only(nc="-", readonly="-", semantics="- weak"),
    only(
        nc="-",
        readonly="-",
        semantics="relaxed acquire volatile",
        space=_MAY_BE_COMMON,
        cache="-",
    ),
    only(
        nc="-",
        readonly="-",
        semantics="mmio.relaxed mmio.acquire",
        space="- global",
        cache="-",
        vector="-",
    ),
    only(nc="nc", readonly="-", semantics="-", space="global", cache="- ca cg cs"),
    only(
        nc="-", readonly="proxy::readonly", semantics="-", space="- global", cache="-", vector="-"
    ),
)
_STORES = (
    only(semantics="- weak"),
    only(semantics="relaxed release volatile", space=_MAY_BE_COMMON, cache="-"),
    only(semantics="mmio.relaxed", space="- global", cache="-", vector="-"),
)
#: Strong accesses take other hints than weak ones, and no access both kinds of them.
_LOAD_HINTS = (
    only(semantics="- weak", readonly="-", cache="-"),
    only(semantics="- weak", readonly="-", cache=" ".join(LOAD_HINTS), L1="-", L2="-"),
    only(semantics="relaxed acquire", readonly="-", cache="-"),
    only(semantics="volatile", readonly="-", cache="-", L1="-", L2="-", policy="-"),
    only(cache="-", L1="-", L2="-", policy="-", prefetch="-"),
)
_STORE_HINTS = (
    only(semantics="- weak", cache="-"),
    only(semantics="- weak", cache=" ".join(STORE_HINTS), L1="-", L2="-"),
    only(semantics="relaxed release", cache="-"),
    only(cache="-", L1="-", L2="-", policy="-"),
)
#: At most 32 bytes at once, and so many of global memory only.
_VECTORS = (
    only(vector="- v2"),
    only(vector="v4", type=_typed(1, 2, 4)),
    only(vector="v4", type=_typed(8), space="- global"),
    only(vector="v8", type=_typed(1, 2)),
    only(vector="v8", type=_typed(4), space="- global"),
)
_ATOMS = (
    *({**one, "operands": ("dav",)} for one in OPERATION_TYPES if "inc" not in one["operation"]),
    only(operation="inc dec", type="- u32", operands="da dav"),
    only(operation="exch", type="- b32 b64", operands="dav"),
    only(operation="cas", type="- b16 b32 b64", operands="davv"),
)
_REDUCTIONS = (
    *({**one, "operands": ("av",)} for one in OPERATION_TYPES if "inc" not in one["operation"]),
    only(operation="inc dec", type="- u32", operands="a av"),
)


def access_rows() -> list[Row]:
    """`ld` and `st`."""
    stored = {"space": tuple(word for word in SPACES if word != "const")}
    own = {"readonly": ("proxy::readonly",), "nc": ("nc",)}
    return [
        Row(
            "ld",
            ("Da",),
            semantics.load,
            words.LOADS,
            {
                **VECTOR,
                **ANY_SPACE,
                **_TYPE,
                "cache": LOAD_HINTS,
                **EVICTIONS,
                **POLICIES,
                "prefetch": PREFETCHES,
                **own,
            },
            rules=(_LOADS, _LOAD_HINTS, _VECTORS),
            events=(read(),),
            host=True,
        ),
        Row(
            "st",
            ("aV",),
            semantics.store,
            words.STORES,
            {**VECTOR, **stored, **_TYPE, "cache": STORE_HINTS, **EVICTIONS, **POLICIES},
            rules=(_STORES, _STORE_HINTS, _VECTORS),
            events=(write(),),
            host=True,
        ),
    ]


def atomic_rows() -> list[Row]:
    """`atom` and `red`."""
    types = (*REDUCED_TYPES, *PACKED_INTEGERS)
    return [
        Row(
            "atom",
            ("da", "dav", "davv"),
            semantics.atom,
            words.ATOMS,
            {
                **_COMMON,
                "type": ("b16", *types),
                "operation": tuple(OPERATIONS),
                **POLICIES,
            },
            required=("operation",),
            rules=(_ATOMS,),
            events=(read("ATOM"), write("ATOM", f"{BEHIND}; none of a `cas` that fails")),
            host=True,
            about="`cas` compares with `b` and writes `c`; `inc` and `dec` without `b` do not wrap."
            " In the dialect `dat3m`, and by `--variant cas-writes-back`, a `cas` that fails writes"
            " back what it read.",
        ),
        Row(
            "red",
            ("a", "av"),
            semantics.red,
            words.REDUCTIONS,
            {**_COMMON, "type": types, **OPERATION, **POLICIES},
            required=("operation",),
            rules=(_REDUCTIONS,),
            events=(read("RED"), write("RED", BEHIND)),
            host=True,
            about="An `atom` without destination.",
        ),
    ]


#: Loads by the proxies that §8.1 leaves out, with the tags of those and a remark for readers.
_PROXY_LOADS = {
    "tex": ("TEX", "Reads a texture. Public tests write `tld`, which is not PTX."),
    "tld": ("TEX", "Reads a texture. Public tests write `tld`, which is not PTX."),
    "suld": ("SUR", "Reads a surface."),
    "cold": ("CON", "Reads by the constant proxy, as public tests write it. It is not PTX."),
}


def texture_rows() -> list[Row]:
    """Accesses by those proxies; the short forms are those of public tests."""
    modes = words.PROXY_ACCESSES
    shape = {"geometry": ("1d",), "vector": ("v2", "v4"), "type": TYPES}
    textures = {**shape, "coordinate": TYPES}
    surfaces = {**shape, "mode": ("b", "p"), "clamp": ("trap", "clamp", "zero")}
    store = Row(
        "sust",
        ("tV",),
        semantics.store,
        modes,
        surfaces,
        proxy="SUR",
        events=(write(),),
        about="Writes a surface.",
    )
    loads = (
        Row(
            name,
            ("Dt",),
            semantics.load,
            modes,
            surfaces if tag == "SUR" else textures,
            proxy=tag,
            events=(read(),),
            about=about,
        )
        for name, (tag, about) in _PROXY_LOADS.items()
    )
    return [*loads, store]
