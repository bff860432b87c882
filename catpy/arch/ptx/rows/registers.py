"""Arithmetic and control: what happens in registers, without events."""

from __future__ import annotations

from catpy.arch.ptx import control, semantics
from catpy.arch.ptx.arithmetic import ARITHMETIC, BITWISE, COMPARISONS
from catpy.arch.ptx.instruction import Flow, Row
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
    **dict.fromkeys(("popc", "clz", "bfi"), ("b32", "b64")),
    "cnot": BIT_TYPES,
    "bfe": ("u32", "u64", "s32", "s64"),
    "lop3": ("b32",),
}
_ADDRESS_TYPE = {"type": ("u32", "u64")}
_COMPARISONS = (*COMPARISONS, "ne")
_UNSIGNED = ("lo", "ls", "hi", "hs")
_COMPARED = (
    only(comparison="eq ne"),
    only(comparison="lt le gt ge", type=f"- {' '.join(_NUMBERS)}"),
    only(comparison=" ".join(_UNSIGNED), type=f"- {' '.join(UNSIGNED_TYPES)}"),
)
_COUNT = {"type": ("u32",)}
_CONVERTED = tuple(word for word in INTEGER_TYPES if word[0] != "b")


def arithmetic_rows() -> list[Row]:
    """Arithmetic, comparisons, conversions, addresses."""
    rows = [
        Row(
            name,
            (_OPERANDS.get(name) or "d" + "v" * sources,),
            control.move if name == "mov" else control.arithmetic,
            PLAIN,
            _arithmetic_classes(name),
            about=_REMARKS.get(name, ""),
            host=True,
        )
        for name, (_, sources) in ARITHMETIC.items()
    ]
    return [*rows, *_bitwise_rows(), *_comparison_rows(), *_address_rows()]


def _bitwise_rows() -> list[Row]:
    return [
        Row(
            name,
            ("dvvvn" if name == "lop3" else "d" + "v" * sources,),
            control.bitwise,
            PLAIN,
            {"type": _TYPES[name]},
            required=("type",),
            names=_BIT_NAMES.get(name, ()),
            about=_REMARKS[name],
        )
        for name, (sources, _) in BITWISE.items()
    ]


#: The operands of arithmetic instructions, where they are not a register and numbers.
_OPERANDS = {"mov": "DV", "selp": "dvvp"}
_BIT_NAMES = {
    "bfe": ("d a position length",),
    "bfi": ("d a b position length",),
    "lop3": ("d a b c table",),
}
_REMARKS = {
    "mov": "The value of a register or number, or the address of a variable. Where one side is a"
    " vector, `{r0, r1}`, it is the parts of the other, the lowest first, and the type `.b16`,"
    " `.b32` or `.b64`.",
    "popc": "How many bits are 1.",
    "clz": "How many bits are 0 before the first 1.",
    "cnot": "1 if `a` is 0, else 0.",
    "bfe": "Some bits of `a`, with the sign of the last in a signed type.",
    "bfi": "`b` with some of its bits replaced by those of `a`.",
    "lop3": "For each bit, what the table says of those of `a`, `b` and `c`: `0xF0`, `0xCC` and"
    " `0xAA` are these themselves.",
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


def hint_rows() -> list[Row]:
    """Instructions that change no register and no memory."""
    levels = {"into": ("L1", "L2", "L2::evict_last", "L2::evict_normal")}
    spaces = {"space": ("global", "local", "const", "param")}
    return [
        Row("nanosleep", ("v",), control.nothing, PLAIN, {"type": ("u32",)}),
        Row("prefetch", ("a",), control.nothing, PLAIN, {**spaces, **levels}, required=("into",)),
        Row("prefetch.tensormap", ("a",), control.nothing, PLAIN, spaces),
        Row("prefetchu.L1", ("a",), control.nothing),
        Row("applypriority.global.L2::evict_normal", ("an",), control.nothing, names=("a size",)),
        *(
            Row(f"setmaxnreg.{change}.sync.aligned", ("n",), control.nothing, PLAIN, _COUNT)
            for change in ("inc", "dec")
        ),
        Row("pmevent", ("n",), control.nothing, PLAIN, {"mask": ("mask",)}),
    ]


def control_rows() -> list[Row]:
    """Branches and ends of threads; any of them may have a guard, `@p` or `@!p`."""
    uni = {"uni": ("uni",)}
    rows = [
        Row("bra", ("l",), control.branch, PLAIN, uni, flow=Flow.JUMP),
        Row("goto", ("l",), control.branch, flow=Flow.JUMP),
        Row("ret", ("",), control.leave, PLAIN, uni, flow=Flow.END, about="Ends the thread."),
        Row("exit", ("",), control.leave, flow=Flow.END, about="Ends the thread."),
        Row("nop", ("",), control.nothing, host=True),
    ]
    about = "Branches if `a` compares so with `b`, as numbers without a type."
    for name in _COMPARISONS:
        rows.append(
            Row(f"b{name}", ("vvl",), control.compare_and_branch, flow=Flow.BRANCH, about=about)
        )
    return rows
