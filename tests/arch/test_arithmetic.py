"""Arithmetic in the types of PTX, against Python's integers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.arch.terms import Address, Unknown
from catpy.errors import TestError
from tests.arch.helpers import path, program, register
from tests.arch.integers import result, values_of, wrap

TYPES = [f"{letter}{bits}" for letter in "us" for bits in (16, 32, 64)]
BIT_TYPES = ["b16", "b32", "b64"]


def quotient(left: int, right: int) -> int:
    """Division towards zero."""
    return math.trunc(Fraction(left, right))


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul.lo": operator.mul,
    "min": min,
    "max": max,
}
BITWISE: dict[str, Callable[[int, int], int]] = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}

# Wrapping


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(sorted(BINARY)), st.sampled_from(TYPES), st.data())
def test_binary_operations_wrap_at_their_width(name: str, kind: str, data: st.DataObject) -> None:
    left, right = data.draw(values_of(kind)), data.draw(values_of(kind))
    expected = wrap(kind, BINARY[name](left, right))
    assert result(f"{name}.{kind} r0, %s, %s", left, right) == expected
    assert result(f"{name}.{kind} r0, %s, {right}", left) == expected


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(sorted(BITWISE)), st.sampled_from(BIT_TYPES), st.data())
def test_bitwise_operations(name: str, kind: str, data: st.DataObject) -> None:
    left, right = data.draw(values_of(kind)), data.draw(values_of(kind))
    assert result(f"{name}.{kind} r0, %s, %s", left, right) == BITWISE[name](left, right)


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(TYPES), st.data())
def test_division_goes_towards_zero(kind: str, data: st.DataObject) -> None:
    left = data.draw(values_of(kind))
    right = data.draw(values_of(kind).filter(bool))
    whole = quotient(left, right)
    assert result(f"div.{kind} r0, %s, %s", left, right) == wrap(kind, whole)
    assert result(f"rem.{kind} r0, %s, %s", left, right) == wrap(kind, left - right * whole)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(TYPES), st.data())
def test_multiply_and_add(kind: str, data: st.DataObject) -> None:
    a, b, c = (data.draw(values_of(kind)) for _ in range(3))
    assert result(f"mad.lo.{kind} r0, %s, %s, %s", a, b, c) == wrap(kind, a * b + c)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from([kind for kind in TYPES if kind[1:] != "64"]), st.data())
def test_products_of_twice_the_width(kind: str, data: st.DataObject) -> None:
    double = kind[0] + str(2 * int(kind[1:]))
    a, b, c = data.draw(values_of(kind)), data.draw(values_of(kind)), data.draw(values_of(double))
    assert result(f"mul.wide.{kind} r0, %s, %s", a, b) == a * b
    assert result(f"mad.wide.{kind} r0, %s, %s, %s", a, b, c) == wrap(double, a * b + c)


@pytest.mark.parametrize("instruction", ["mul.wide.u64 r0, 1, 1", "mul.wide r0, 1, 1"])
def test_no_product_is_wider_than_64_bits(instruction: str) -> None:
    with pytest.raises(TestError, match="multiplies types of 16 and 32 bits"):
        result(instruction)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from([kind for kind in TYPES if kind[0] == "s"]), st.data())
def test_negation_and_absolute_value(kind: str, data: st.DataObject) -> None:
    value = data.draw(values_of(kind))
    assert result(f"neg.{kind} r0, %s", value) == wrap(kind, -value)
    assert result(f"abs.{kind} r0, %s", value) == wrap(kind, abs(value))


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(BIT_TYPES), st.data())
def test_complement(kind: str, data: st.DataObject) -> None:
    value = data.draw(values_of(kind))
    assert result(f"not.{kind} r0, %s", value) == 2 ** int(kind[1:]) - 1 - value


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(BIT_TYPES), st.integers(0, 80), st.data())
def test_left_shifts_drop_what_goes_out(kind: str, amount: int, data: st.DataObject) -> None:
    value = data.draw(values_of(kind))
    expected = wrap(kind, value * 2**amount)
    assert result(f"shl.{kind} r0, %s, {amount}", value) == expected


@settings(deadline=None, max_examples=80)
@given(st.sampled_from([*TYPES, *BIT_TYPES]), st.integers(0, 80), st.data())
def test_right_shifts_keep_the_sign_of_signed_types(
    kind: str, amount: int, data: st.DataObject
) -> None:
    value = data.draw(values_of(kind))
    assert result(f"shr.{kind} r0, %s, {amount}", value) == math.floor(Fraction(value, 2**amount))


@pytest.mark.parametrize(
    ("instruction", "value", "expected"),
    [
        ("shr.s32", -8, -1),
        ("shr.s32", 8, 0),
        ("shr.u16", 0xFFFF, 0),
        ("shl.b16", 5, 0),
    ],
)
@pytest.mark.parametrize("amount", [64, 65537, 100_000])
def test_shift_amounts_are_clamped_to_the_width(
    instruction: str, value: int, expected: int, amount: int
) -> None:
    assert result(f"{instruction} r0, %s, {amount}", value) == expected


@pytest.mark.parametrize(("value", "expected"), [(-8, -1), (8, 0)])
def test_shift_amounts_are_unsigned(value: int, expected: int) -> None:
    assert result("shr.s32 r0, %s, %s", value, -1) == expected


@settings(deadline=None, max_examples=50)
@given(st.sampled_from([*TYPES, *BIT_TYPES]), st.integers(-(2**70), 2**70))
def test_moves_hold_what_fits(kind: str, value: int) -> None:
    assert result(f"mov.{kind} r0, %s", value) == wrap(kind, value)
    assert result(f"mov.{kind} r0, {value}") == wrap(kind, value)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(["add", "sub", "min", "max", "and", "or", "xor"]), st.data())
def test_operands_are_taken_in_the_type_of_the_instruction(name: str, data: st.DataObject) -> None:
    wide = st.integers(-(2**40), 2**40)
    left, right = data.draw(wide), data.draw(wide)
    kind = "b32" if name in BITWISE else data.draw(st.sampled_from(["u32", "s32"]))
    function = {**BINARY, **BITWISE}[name]
    expected = wrap(kind, function(wrap(kind, left), wrap(kind, right)))
    assert result(f"{name}.{kind} r0, %s, %s", left, right) == expected


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(TYPES), st.sampled_from(TYPES), st.data())
def test_conversions_go_through_the_source_type(
    target: str, source: str, data: st.DataObject
) -> None:
    value = data.draw(values_of(source) | st.integers(-(2**65), 2**65))
    expected = wrap(target, wrap(source, value))
    assert result(f"cvt.{target}.{source} r0, %s", value) == expected


@pytest.mark.parametrize(
    ("instruction", "value", "expected"),
    [
        ("cvt.u64.s32", 0xFFFFFFFF, 2**64 - 1),
        ("cvt.u64.u32", 0xFFFFFFFF, 0xFFFFFFFF),
        ("cvt.s64.s32", -1, -1),
        ("cvt.u32.s8", 0x80, 0xFFFFFF80),
        ("cvt.u32.u8", 0x1FF, 0xFF),
        ("cvt.s8.u32", 0xFF, -1),
        ("cvt.u16.u64", 0x12345678, 0x5678),
        ("cvt.u8", 0x1FF, 0xFF),
    ],
)
def test_some_conversions(instruction: str, value: int, expected: int) -> None:
    assert result(f"{instruction} r0, %s", value) == expected


# Without a type


@settings(deadline=None, max_examples=100)
@given(
    st.sampled_from(sorted({**BINARY, **BITWISE})),
    st.integers(-(2**70), 2**70),
    st.integers(-(2**70), 2**70),
)
def test_untyped_operations_are_mathematical(name: str, left: int, right: int) -> None:
    expected = {**BINARY, **BITWISE}[name](left, right)
    assert result(f"{name} r0, %s, %s", left, right) == expected


def test_untyped_unary_operations_are_mathematical() -> None:
    assert result("not r0, %s", 5) == -6
    assert result("neg r0, %s", 2**40) == -(2**40)
    assert result("abs r0, %s", -(2**40)) == 2**40
    assert result("mov r0, %s", 2**80) == 2**80
    assert result("shl r0, %s, 40", 3) == 3 * 2**40
    assert result("div r0, %s, 2", -7) == -3
    assert result("rem r0, %s, 2", -7) == -1


# Predicates


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(sorted(COMPARISONS)), st.sampled_from(TYPES), st.data())
def test_comparisons_are_those_of_the_type(name: str, kind: str, data: st.DataObject) -> None:
    value = values_of(kind)
    left = data.draw(value)
    right = data.draw(value | st.just(left))
    assert result(f"setp.{name}.{kind} r0, %s, %s", left, right) == COMPARISONS[name](left, right)


@pytest.mark.parametrize(
    ("kind", "expected"), [("s32", 1), ("u32", 0), ("s64", 0), ("u64", 0), ("s16", 1)]
)
def test_signs_matter_to_comparisons(kind: str, expected: int) -> None:
    bits = 2**32 - 1
    assert result(f"setp.lt.{kind} r0, %s, %s", bits, 1) == expected


def test_negative_numbers_are_large_in_unsigned_comparisons() -> None:
    assert result("setp.gt.u32 r0, %s, %s", -1, 1) == 1
    assert result("setp.eq.u32 r0, %s, %s", -1, 2**32 - 1) == 1
    assert result("setp.eq r0, %s, %s", -1, 2**32 - 1) == 0


@pytest.mark.parametrize(("name", "same"), [("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")])
@pytest.mark.parametrize(("left", "right"), [(1, 2), (2, 2), (2, 1), (2**32 - 1, 0)])
def test_unsigned_names_of_comparisons(name: str, same: str, left: int, right: int) -> None:
    found = result(f"setp.{name}.u32 r0, %s, %s", left, right)
    assert found == result(f"setp.{same}.u32 r0, %s, %s", left, right)


@pytest.mark.parametrize(("predicate", "expected"), [(0, 20), (1, 10), (2, 10), (-1, 10)])
def test_selection(predicate: int, expected: int) -> None:
    assert result("selp.u32 r0, 10, 20, %s", predicate) == expected
    assert result("selp r0, 10, 20, %s", predicate) == expected


def test_a_selected_value_wraps() -> None:
    assert result("selp.u32 r0, -1, 0, 1") == 2**32 - 1
    assert result("selp.s16 r0, 0, 0xFFFF, 0") == -1


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("right", [0, 1])
def test_logic_on_predicates(left: int, right: int) -> None:
    assert result("and.pred r0, %s, %s", left, right) == (left & right)
    assert result("or.pred r0, %s, %s", left, right) == (left | right)
    assert result("xor.pred r0, %s, %s", left, right) == (left ^ right)
    assert result("mov.pred r0, %s", left) == left


@pytest.mark.parametrize("value", [0, 1])
def test_the_negation_of_a_predicate_is_logical(value: int) -> None:
    assert result("not.pred r0, %s", value) == 1 - value


@pytest.mark.parametrize(("value", "jumps"), [(0, True), (1, False)])
def test_a_negated_predicate_guards_the_other_case(value: int, jumps: bool) -> None:
    way = path("not.pred p1, p0; @p1 st [x], 1", init=f"0:p0={value};")
    assert bool(way.events) is jumps


@pytest.mark.parametrize("value", [0, 1])
def test_an_exclamation_mark_negates_a_predicate(value: int) -> None:
    assert result("mov.pred r0, !%s", value) == 1 - value
    assert result("selp r0, 10, 20, !%s", value) == (10 if value == 0 else 20)


# Addresses and what has no value


def test_addresses_move_by_integers() -> None:
    way = path("mov r0, x; add.u64 r1, r0, 8; sub.u64 r2, r1, 4; add r3, 4, r0")
    assert [register(way, f"r{n}") for n in range(4)] == [
        Address("x"),
        Address("x", 8),
        Address("x", 4),
        Address("x", 4),
    ]


def test_an_address_with_an_offset_is_a_value() -> None:
    way = path("mov r0, x+4; mov r1, a[2]; mov.u64 r2, a", init="u64 a[3];")
    assert [register(way, f"r{n}") for n in range(3)] == [
        Address("x", 4),
        Address("a", 16),
        Address("a"),
    ]


def test_addresses_can_be_compared() -> None:
    way = path("mov r0, x; mov r1, y; setp.eq p0, r0, r1; setp.ne p1, r0, r1; setp.eq p2, r0, x")
    assert [register(way, f"p{n}") for n in range(3)] == [0, 1, 1]


def test_conversions_of_addresses_leave_them() -> None:
    way = path("mov.u64 r0, x; cvta.to.global.u64 r1, r0; cvta.shared.u64 r2, r1")
    assert {register(way, f"r{n}") for n in range(3)} == {Address("x")}


@pytest.mark.parametrize("instruction", ["div.u32", "rem.s32", "div", "rem"])
def test_division_by_zero_is_unknown(instruction: str) -> None:
    assert isinstance(result(f"{instruction} r0, %s, 0", 7), Unknown)


@pytest.mark.parametrize(
    "code",
    [
        "add.f32 r0, r1, r2",
        "mul.f64 r0, r1, r2",
        "min.f32 r0, r1, r2",
        "setp.lt.f32 p0, r1, r2",
        "cvt.f32.s32 r0, r1",
        "cvt.s32.f32 r0, r1",
        "atom.add.f32 r0, [x], r1",
        "red.add.f32 [x], r1",
    ],
)
def test_floating_point_is_refused_where_bits_are_not_enough(code: str) -> None:
    with pytest.raises(TestError):
        program(code)


@pytest.mark.parametrize("code", ["ld.f32 r0, [x]", "st.f64 [x], r1", "mov.f32 r0, r1"])
def test_floating_point_may_be_moved_as_bits(code: str) -> None:
    program(code)


@pytest.mark.parametrize(
    "code",
    [
        "mul.hi.u32 r0, r1, r2",
        "add.sat.s32 r0, r1, r2",
        "add.cc.u32 r0, r1, r2",
        "cvt.sat.u8.u32 r0, r1",
        "setp.eq.and.u32 p0, r0, r1, p1",
    ],
)
def test_forms_that_mean_something_else_are_refused(code: str) -> None:
    with pytest.raises(TestError):
        program(code)
