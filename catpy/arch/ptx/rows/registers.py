"""Arithmetic and control: what happens in registers, without events."""

from __future__ import annotations

from catpy.arch.ptx import arithmetic as integers
from catpy.arch.ptx import control, semantics
from catpy.arch.ptx.instruction import Execute, Flow, Row
from catpy.arch.ptx.rows.common import ANY_SPACE, only
from catpy.arch.ptx.words import BIT_TYPES, INTEGER_TYPES, PLAIN, SIGNED_TYPES, UNSIGNED_TYPES
from catpy.arch.terms import SELECT

_NUMBERS = (*UNSIGNED_TYPES, *SIGNED_TYPES)
_MOVED = (*BIT_TYPES, *_NUMBERS, "f32", "f64")
_TRUTHS = (*BIT_TYPES, "pred")
_ADDRESS_TYPE = {"type": ("u32", "u64")}
_COMPARISONS = (*integers.COMPARISONS, "ne")
_UNSIGNED = ("lo", "ls", "hi", "hs")
_COMPARED = (
    only(comparison="eq ne"),
    only(comparison="lt le gt ge", type=f"- {' '.join(_NUMBERS)}"),
    only(comparison=" ".join(_UNSIGNED), type=f"- {' '.join(UNSIGNED_TYPES)}"),
)
_COUNT = {"type": ("u32",)}
_CONVERTED = tuple(word for word in INTEGER_TYPES if word[0] != "b")

_MOV = (
    "The value of a register or number, or the address of a variable. Where one side is a vector,"
    " `{r0, r1}`, it is the parts of the other, the lowest first, and the type `.b16`, `.b32` or"
    " `.b64`."
)
_MAD = "`a` times `b`, plus `c`."


def arithmetic_rows() -> list[Row]:
    """Arithmetic, comparisons, conversions, addresses."""
    return [
        *_number_rows(),
        *_bit_count_rows(),
        *_bit_field_rows(),
        *_comparison_rows(),
        *_address_rows(),
    ]


def _number_rows() -> list[Row]:
    return [
        _number("mov", control.move, "DV", (*_MOVED, "pred"), _MOV),
        _number("add", control.arithmetic(integers.ADD)),
        _number("sub", control.arithmetic(integers.SUB)),
        _number("mul", control.multiply, half=("lo", "wide")),
        _number("mad", control.multiply, "dvvv", about=_MAD, half=("lo", "wide")),
        _number("div", control.arithmetic(integers.DIVIDE)),
        _number("rem", control.arithmetic(integers.REMAINDER)),
        _number("min", control.arithmetic(integers.MINIMUM)),
        _number("max", control.arithmetic(integers.MAXIMUM)),
        _number("and", control.arithmetic(integers.AND), "dvv", _TRUTHS),
        _number("or", control.arithmetic(integers.OR), "dvv", _TRUTHS),
        _number("xor", control.arithmetic(integers.XOR), "dvv", _TRUTHS),
        _number("not", control.complement, "dv", _TRUTHS),
        _number("neg", control.arithmetic(integers.NEGATE), "dv", SIGNED_TYPES),
        _number("abs", control.arithmetic(integers.ABSOLUTE), "dv", SIGNED_TYPES),
        _number("shl", control.shift(integers.SHIFT_LEFT), "dvv", BIT_TYPES),
        _number("shr", control.shift(integers.SHIFT_RIGHT), "dvv", (*BIT_TYPES, *_NUMBERS)),
        _number(
            "selp",
            control.arithmetic(SELECT, typed=2),
            "dvvp",
            _MOVED,
            "`a` if the predicate `c` holds, else `b`.",
        ),
    ]


def _number(
    opcode: str,
    execute: Execute,
    operands: str = "dvv",
    types: tuple[str, ...] = _NUMBERS,
    about: str = "",
    half: tuple[str, ...] = (),
) -> Row:
    """Arithmetic that makes sense without a type, too, and for the host."""
    qualifiers = {"type": types, **({"half": half} if half else {})}
    return Row(opcode, (operands,), execute, PLAIN, qualifiers, about=about, host=True)


def _bit_count_rows() -> list[Row]:
    """How many bits there are of a kind, in a type."""
    return [
        Row(
            "popc",
            ("dv",),
            control.arithmetic(integers.ONES),
            PLAIN,
            {"type": ("b32", "b64")},
            required=("type",),
            about="How many bits are 1.",
        ),
        Row(
            "clz",
            ("dv",),
            control.arithmetic(integers.leading_zeros),
            PLAIN,
            {"type": ("b32", "b64")},
            required=("type",),
            about="How many bits are 0 before the first 1.",
        ),
        Row(
            "cnot",
            ("dv",),
            control.arithmetic(integers.IS_ZERO),
            PLAIN,
            {"type": BIT_TYPES},
            required=("type",),
            about="1 if `a` is 0, else 0.",
        ),
    ]


def _bit_field_rows() -> list[Row]:
    """Operations on some of the bits of numbers, in a type."""
    return [
        Row(
            "bfe",
            ("dvvv",),
            control.arithmetic(integers.bit_field, typed=1),
            PLAIN,
            {"type": ("u32", "u64", "s32", "s64")},
            required=("type",),
            names=("d a position length",),
            about="Some bits of `a`, with the sign of the last in a signed type.",
        ),
        Row(
            "bfi",
            ("dvvvv",),
            control.arithmetic(integers.INSERT, typed=2),
            PLAIN,
            {"type": ("b32", "b64")},
            required=("type",),
            names=("d a b position length",),
            about="`b` with some of its bits replaced by those of `a`.",
        ),
        Row(
            "lop3",
            ("dvvvn",),
            control.arithmetic(integers.LOOK_UP, typed=3),
            PLAIN,
            {"type": ("b32",)},
            required=("type",),
            names=("d a b c table",),
            about="For each bit, what the table says of those of `a`, `b` and `c`: `0xF0`, `0xCC`"
            " and `0xAA` are these themselves.",
        ),
    ]


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
            control.copy,
            PLAIN,
            {**ANY_SPACE, **_ADDRESS_TYPE, "direction": ("to",)},
            about="A copy: an address is the same in all state spaces.",
        ),
        Row(
            "mapa",
            ("dvr",),
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
        branch = control.compare_and_branch(name)
        rows.append(Row(f"b{name}", ("vvl",), branch, flow=Flow.BRANCH, about=about))
    return rows
