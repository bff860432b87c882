"""Arithmetic and control: what happens in registers, without events."""

from __future__ import annotations

from catpy.arch.ptx import control, semantics
from catpy.arch.ptx.arithmetic import ARITHMETIC, COMPARISONS
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.rows.common import ANY_SPACE, only
from catpy.arch.ptx.words import BIT_TYPES, INTEGER_TYPES, PLAIN, SIGNED_TYPES, UNSIGNED_TYPES

_NUMBERS = (*UNSIGNED_TYPES, *SIGNED_TYPES)
_MOVED = (*BIT_TYPES, *_NUMBERS, "f32", "f64")
#: The types of arithmetic instructions, where they are others than those of numbers.
_TYPES = {
    "mov": (*_MOVED, "pred"),
    "selp": _MOVED,
    **dict.fromkeys(("and", "or", "xor", "not"), (*BIT_TYPES, "pred")),
    **dict.fromkeys(("neg", "abs"), SIGNED_TYPES),
    "shl": BIT_TYPES,
    "shr": (*BIT_TYPES, *_NUMBERS),
}
_ADDRESS_TYPE = {"type": ("u32", "u64")}
_COMPARISONS = (*COMPARISONS, "ne")
_UNSIGNED = ("lo", "ls", "hi", "hs")
_COMPARED = (
    only(comparison="eq ne"),
    only(comparison="lt le gt ge", type=f"- {' '.join(_NUMBERS)}"),
    only(comparison=" ".join(_UNSIGNED), type=f"- {' '.join(UNSIGNED_TYPES)}"),
)
_CONVERTED = tuple(word for word in INTEGER_TYPES if word[0] != "b")


def arithmetic_rows() -> list[Row]:
    """Arithmetic, comparisons, conversions, addresses."""
    rows = [
        Row(
            name,
            ("dvvp" if name == "selp" else "d" + "v" * sources,),
            control.arithmetic,
            PLAIN,
            _arithmetic_classes(name),
            about=_REMARKS.get(name, ""),
            host=True,
        )
        for name, (_, sources) in ARITHMETIC.items()
    ]
    return [*rows, *_comparison_rows(), *_address_rows()]


_REMARKS = {
    "mov": "The value of a register or number, or the address of a variable.",
    "mad": "`a` times `b`, plus `c`.",
    "selp": "`a` if the predicate `c` holds, else `b`.",
}


def _arithmetic_classes(name: str) -> dict[str, tuple[str, ...]]:
    classes = {"type": _TYPES.get(name, _NUMBERS)}
    if name in ("mul", "mad"):
        classes["half"] = ("lo", "wide")
    return classes


def _comparison_rows() -> list[Row]:
    return [
        Row(
            "setp",
            ("dvv",),
            control.set_predicate,
            PLAIN,
            {"comparison": (*_COMPARISONS, *_UNSIGNED), "type": (*BIT_TYPES, *_NUMBERS)},
            required=("comparison",),
            rules=(_COMPARED,),
            about="Whether `a` compares so with `b`.",
            host=True,
        ),
        Row(
            "cvt",
            ("dv",),
            control.convert,
            PLAIN,
            {"type": _CONVERTED, "from": _CONVERTED},
            host=True,
        ),
    ]


def _address_rows() -> list[Row]:
    return [
        Row(
            "cvta",
            ("dv",),
            control.arithmetic,
            PLAIN,
            {**ANY_SPACE, **_ADDRESS_TYPE, "direction": ("to",)},
            about="A copy: an address is the same in all state spaces.",
        ),
        Row(
            "mapa",
            ("dvv",),
            semantics.mapa,
            PLAIN,
            {"space": ("shared::cluster",), **_ADDRESS_TYPE},
            names=("d a rank",),
            about="The address of the same shared variable in the CTA of that rank in the cluster.",
        ),
    ]


def control_rows() -> list[Row]:
    """Branches and ends of threads; any of them may have a guard, `@p` or `@!p`."""
    rows = [
        Row("bra", ("l",), control.branch, PLAIN, {"uni": ("uni",)}, control=True),
        Row("goto", ("l",), control.branch, control=True),
        Row("ret", ("",), control.leave, control=True, about="Ends the thread."),
        Row("exit", ("",), control.leave, control=True, about="Ends the thread."),
        Row("nop", ("",), control.nothing, host=True),
    ]
    about = "Branches if `a` compares so with `b`, as numbers without a type."
    for name in _COMPARISONS:
        rows.append(
            Row(f"b{name}", ("vvl",), control.compare_and_branch, control=True, about=about)
        )
    return rows
