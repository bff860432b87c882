"""Accesses of memory, atomic operations, textures and surfaces."""

from __future__ import annotations

from catpy.arch.ptx import semantics, words
from catpy.arch.ptx.arithmetic import ATOMICS
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.rows.common import (
    ANY_SPACE,
    ATOMIC_TYPES,
    BEHIND,
    OPERATION,
    VECTOR,
    read,
    write,
)
from catpy.arch.ptx.words import CACHE_HINTS, PACKED_TYPES, TYPES

_ACCESS = {**VECTOR, **ANY_SPACE, "type": (*TYPES, *PACKED_TYPES), "cache": CACHE_HINTS}


def access_rows() -> list[Row]:
    """`ld` and `st`."""
    return [
        Row(
            "ld",
            ("Da",),
            semantics.load,
            words.LOADS,
            {**_ACCESS, "readonly": ("proxy::readonly",), "nc": ("nc",)},
            events=(read(),),
        ),
        Row("st", ("aV",), semantics.store, words.STORES, _ACCESS, events=(write(),)),
    ]


def atomic_rows() -> list[Row]:
    """`atom` and `red`."""
    return [
        Row(
            "atom",
            ("dav", "davv", "da"),
            semantics.atom,
            words.ATOMS,
            {**ANY_SPACE, "type": ATOMIC_TYPES, "operation": (*ATOMICS, "exch", "cas")},
            required=("operation",),
            events=(read("ATOM"), write("ATOM", f"{BEHIND}; none of a `cas` that fails")),
            about="`cas` compares with `b` and writes `c`; `inc` and `dec` without `b` do not wrap."
            " In the dialect `dat3m` a `cas` that fails writes back what it read.",
        ),
        Row(
            "red",
            ("av", "a"),
            semantics.red,
            words.REDUCTIONS,
            {**ANY_SPACE, "type": ATOMIC_TYPES, **OPERATION},
            required=("operation",),
            events=(read("RED"), write("RED", BEHIND)),
            about="An `atom` without destination.",
        ),
    ]


#: Loads by the proxies that §8.1 leaves out, with the tags of those and a remark for readers.
_LOADS = {
    "tex": ("TEX", "Reads a texture. Public tests write `tld`, which is not PTX."),
    "tld": ("TEX", "Reads a texture. Public tests write `tld`, which is not PTX."),
    "suld": ("SUR", "Reads a surface."),
    "cold": ("CON", "Reads by the constant proxy, as public tests write it. It is not PTX."),
}


def texture_rows() -> list[Row]:
    """Accesses by those proxies; the short forms are those of public tests."""
    modes = words.PROXY_ACCESSES
    classes = {
        "geometry": ("1d",),
        **VECTOR,
        "mode": ("b", "p"),
        "type": TYPES,
        "coordinate": TYPES,
        "clamp": ("trap", "clamp", "zero"),
    }
    store = Row(
        "sust",
        ("tV",),
        semantics.store,
        modes,
        classes,
        proxy="SUR",
        events=(write(),),
        about="Writes a surface.",
    )
    loads = (
        Row(name, ("Dt",), semantics.load, modes, classes, (), tag, events=(read(),), about=about)
        for name, (tag, about) in _LOADS.items()
    )
    return [*loads, store]
