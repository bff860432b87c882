"""Operations on the bits of numbers, and vectors that are the parts of one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.arch.terms import Address, Value
from tests.arch.helpers import fails, path, register, written
from tests.arch.integers import result, values_of, wrap


@pytest.mark.parametrize("bits", [32, 64])
@settings(deadline=None, max_examples=50)
@given(st.data())
def test_bits_are_counted(bits: int, data: st.DataObject) -> None:
    value = data.draw(values_of(f"u{bits}"))
    digits = f"{value:0{bits}b}"
    assert result(f"popc.b{bits} r0, %s", value) == digits.count("1")
    assert result(f"clz.b{bits} r0, %s", value) == len(digits.partition("1")[0])
    assert result(f"cnot.b{bits} r0, %s", value) == (1 if value == 0 else 0)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(["u32", "u64", "s32", "s64"]), st.data())
def test_a_field_is_taken_out_bit_by_bit(kind: str, data: st.DataObject) -> None:
    """As the page of `bfe` says it."""
    bits = int(kind[1:])
    value = data.draw(values_of(kind))
    position, length = data.draw(st.integers(0, 70)), data.draw(st.integers(0, 70))
    source = [value >> at & 1 for at in range(bits)]
    sign = source[min(position + length - 1, bits - 1)] if kind[0] == "s" and length else 0
    found = [
        source[position + at] if at < length and position + at < bits else sign
        for at in range(bits)
    ]
    expected = wrap(kind, sum(bit << at for at, bit in enumerate(found)))
    assert result(f"bfe.{kind} r0, %s, %s, %s", value, position, length) == expected


@settings(deadline=None, max_examples=200)
@given(st.sampled_from([32, 64]), st.data())
def test_a_field_is_put_in_bit_by_bit(bits: int, data: st.DataObject) -> None:
    value, into = (data.draw(values_of(f"u{bits}")) for _ in range(2))
    position, length = data.draw(st.integers(0, 70)), data.draw(st.integers(0, 70))
    found = [into >> at & 1 for at in range(bits)]
    for at in range(min(length, max(bits - position, 0))):
        found[position + at] = value >> at & 1
    expected = sum(bit << at for at, bit in enumerate(found))
    assert result(f"bfi.b{bits} r0, %s, %s, %s, %s", value, into, position, length) == expected


@settings(deadline=None)
@given(values_of("u32"), values_of("u32"), values_of("u32"))
def test_tables_of_three_numbers(one: int, two: int, three: int) -> None:
    def looked_up(table: int) -> Value:
        return result(f"lop3.b32 r0, %s, %s, %s, {table}", one, two, three)

    assert [looked_up(table) for table in (0xF0, 0xCC, 0xAA)] == [one, two, three]
    assert looked_up(0xF0 & 0xCC & 0xAA) == one & two & three
    assert looked_up(0xF0 ^ 0xCC ^ 0xAA) == one ^ two ^ three
    assert looked_up(0xF0 & 0xCC | ~0xF0 & 0xAA & 0xFF) == one & two | ~one & three & (2**32 - 1)
    assert looked_up(0) == 0


def test_a_vector_is_the_parts_of_a_number() -> None:
    way = path("mov.b64 rd1, {r1, r2}; mov.b64 {r3, r4}, rd1", init="0:r1=1; 0:r2=-1;")
    assert register(way, "rd1") == 0xFFFFFFFF00000001
    assert [register(way, name) for name in ("r3", "r4")] == [1, 0xFFFFFFFF]
    way = path("mov.b32 r1, {r2, r3}; mov.b64 {r4, r5, _, r7}, r1", init="0:r2=7; 0:r3=9;")
    assert [register(way, name) for name in ("r4", "r5", "r7")] == [7, 9, 0]


def test_parts_of_an_address_make_it_again() -> None:
    way = path("mov.b64 {r1, r2}, x; mov.b64 r3, {r1, r2}")
    assert register(way, "r3") == Address("x")


@pytest.mark.parametrize(
    "code",
    [
        "mov.u64 rd1, ▸{r1, r2}",
        "mov rd1, ▸{r1, r2}",
        "mov.b64 ▸{r1, r2}, {r3, r4}",
        "mov.b64 rd1, ▸{r1, r2, r3}",
        "mov.b16 ▸{r1, r2, r3, r4}, r0",
    ],
)
def test_vectors_that_are_no_parts(code: str) -> None:
    fails(code, message="a vector is made of, or becomes, one number of a type")


def test_floating_point_numbers_are_their_bits() -> None:
    way = path("mov.f32 f1, 0f3F800000; mov.f64 f2, 0dBFF0000000000000; st.f32 [x], 0fBF800000")
    assert [register(way, name) for name in ("f1", "f2")] == [0x3F800000, 0xBFF0000000000000]
    assert written(way, 0) == 0xBF800000
