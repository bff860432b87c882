"""What loads, stores and atomic operations read, write and return."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.arch.program import End
from catpy.arch.terms import Address, ReadValue, Unknown, Value
from tests.arch.helpers import pairs, path, paths, program, register, taken, written

# Loads and stores


def test_a_load_returns_what_its_event_reads() -> None:
    way = path("ld r0, [x]; ld r1, [x]")
    assert way.registers["r0"] == ReadValue(0, 0)
    assert way.registers["r1"] == ReadValue(0, 1)


@pytest.mark.parametrize(
    ("source", "value"),
    [("5", 5), ("-1", -1), ("0x10", 16), ("x", Address("x")), ("r9", 3), ("%r8", 0)],
)
def test_a_store_writes_its_operand(source: str, value: Value) -> None:
    assert written(path(f"st [x], {source}", init="0:r9=3;"), 0) == value


def test_a_store_writes_what_was_loaded() -> None:
    assert written(path("ld r0, [x]; st [y], r0"), 1, {0: 7}) == 7


@pytest.mark.parametrize(
    ("kind", "value", "held"),
    [
        ("u8", 0x1FF, 0xFF),
        ("s8", 0xFF, -1),
        ("b16", -1, 0xFFFF),
        ("s16", 0x8000, -0x8000),
        ("u32", -1, 0xFFFFFFFF),
        ("s32", 0xFFFFFFFF, -1),
        ("u64", -1, 2**64 - 1),
        ("s64", 2**63, -(2**63)),
    ],
)
def test_typed_accesses_wrap_at_their_width(kind: str, value: int, held: int) -> None:
    assert written(path(f"st.{kind} [x], {value}"), 0) == held
    assert register(path(f"ld.{kind} r0, [x]"), "r0", {0: value}) == held


def test_untyped_accesses_do_not_wrap() -> None:
    assert written(path(f"st [x], {2**70}"), 0) == 2**70
    assert register(path("ld r0, [x]"), "r0", {0: -5}) == -5


@pytest.mark.parametrize("value", [Unknown("x"), Address("x", 4)])
def test_unknown_values_and_addresses_go_through_memory_unchanged(value: Value) -> None:
    way = path("ld.u64 r0, [x]; st.u64 [y], r0; atom.exch.b64 r1, [z], r0")
    assert register(way, "r0", {0: value}) == value
    assert written(way, 1, {0: value}) == value
    assert written(way, 3, {0: value, 2: 0}) == value


# Atomic operations on values

U32 = 2**32 - 1

OPERATIONS = [
    # operation and type, old value, operand, new value
    ("add", 5, 3, 8),
    ("add.u32", U32, 1, 0),
    ("add.s32", 2**31 - 1, 1, -(2**31)),
    ("and", 12, 10, 8),
    ("and.b32", 12, 10, 8),
    ("or", 12, 10, 14),
    ("xor", 12, 10, 6),
    ("exch", 5, 9, 9),
    ("exch.b32", 5, 9, 9),
    ("min", 5, 3, 3),
    ("min", 3, 5, 3),
    ("min.s32", -1, 0, -1),
    ("min.s32", 0, -1, -1),
    ("min.u32", U32, 0, 0),
    ("max", 5, 3, 5),
    ("max.s32", -1, 0, 0),
    ("max.s32", U32, 0, 0),
    ("max.u32", U32, 0, U32),
    ("inc", 0, 3, 1),
    ("inc", 2, 3, 3),
    ("inc", 3, 3, 0),
    ("inc", 4, 3, 0),
    ("inc.u32", 0, 0, 0),
    ("dec", 3, 5, 2),
    ("dec", 1, 5, 0),
    ("dec", 0, 5, 5),
    ("dec", 5, 5, 4),
    ("dec", 6, 5, 5),
    ("dec.u32", 0, 0, 0),
]


@pytest.mark.parametrize(("operation", "old", "operand", "new"), OPERATIONS)
def test_atom_writes_the_new_value_and_returns_the_old(
    operation: str, old: int, operand: int, new: int
) -> None:
    way = path(f"atom.{operation} r0, [x], {operand}")
    assert written(way, 1, {0: old}) == new
    signed = old - 2**32 if "s32" in operation and old == U32 else old
    assert register(way, "r0", {0: old}) == signed


@pytest.mark.parametrize(
    ("operation", "old", "operand", "new"),
    [row for row in OPERATIONS if not row[0].startswith("exch")],
)
def test_red_writes_what_atom_writes(operation: str, old: int, operand: int, new: int) -> None:
    way = path(f"red.{operation} [x], {operand}")
    assert written(way, 1, {0: old}) == new
    assert "r0" not in way.registers


@pytest.mark.parametrize(
    ("operation", "old", "operand", "new"),
    [
        ("max.u32", 5, -1, U32),
        ("min.u32", 5, -1, 5),
        ("max.s32", 5, U32, 5),
        ("min.s32", 5, U32, -1),
        ("inc.u32", 5, -1, 6),
        ("dec.u32", 0, -1, U32),
        ("add.u32", 5, -1, 4),
        ("exch.b32", 5, -1, U32),
        ("xor.b32", 0, -1, U32),
    ],
)
def test_operands_are_taken_in_the_type_of_the_instruction(
    operation: str, old: int, operand: int, new: int
) -> None:
    assert written(path(f"atom.{operation} r0, [x], {operand}"), 1, {0: old}) == new
    assert written(path(f"atom.{operation} r0, [x], r9", init=f"0:r9={operand};"), 1, {0: old}) == (
        new
    )


@pytest.mark.parametrize("kind", ["", ".u32"])
@pytest.mark.parametrize(
    ("operation", "old", "new"), [("inc", 0, 1), ("inc", 7, 8), ("dec", 1, 0), ("dec", 8, 7)]
)
def test_inc_and_dec_without_a_bound(kind: str, operation: str, old: int, new: int) -> None:
    assert written(path(f"atom.{operation}{kind} r0, [x]"), 1, {0: old}) == new
    assert written(path(f"red.{operation}{kind} [x]"), 1, {0: old}) == new


def test_inc_and_dec_without_a_bound_do_not_wrap() -> None:
    assert written(path("atom.inc r0, [x]"), 1, {0: U32}) == U32 + 1
    assert written(path("atom.dec r0, [x]"), 1, {0: 0}) == -1


TYPED_OPERATIONS = [
    *product(("add", "min", "max"), ("u32", "u64")),
    *product(("and", "or", "xor", "exch"), ("b32", "b64")),
    *product(("inc", "dec"), ("u32",)),
]


@settings(deadline=None, max_examples=100)
@given(
    st.sampled_from(TYPED_OPERATIONS),
    st.data(),
)
def test_typed_operations_stay_in_their_width(typed: tuple[str, str], data: st.DataObject) -> None:
    operation, kind = typed
    bits = int(kind[1:])
    word = st.integers(0, 2**bits - 1)
    old, operand = data.draw(word), data.draw(word)
    expected = {
        "add": (old + operand) % 2**bits,
        "min": min(old, operand),
        "max": max(old, operand),
        "and": old & operand,
        "or": old | operand,
        "xor": old ^ operand,
        "exch": operand,
        "inc": 0 if old >= operand else old + 1,
        "dec": operand if old == 0 or old > operand else old - 1,
    }
    way = path(f"atom.{operation}.{kind} r0, [x], {operand}")
    assert written(way, 1, {0: old}) == expected[operation]
    assert register(way, "r0", {0: old}) == old


def test_atomic_operations_on_unknown_values_stay_unknown() -> None:
    value = written(path("atom.add r0, [x], 1"), 1, {0: Unknown("x")})
    assert isinstance(value, Unknown)
    assert value != Unknown("x")


def test_the_sink_takes_no_value() -> None:
    assert "_" not in path("atom.add _, [x], 1").registers


def test_the_sink_of_a_skipped_instruction_is_no_register() -> None:
    for way in paths("ld r0, [y]; @r0 atom.add _, [x], 1"):
        assert "_" not in way.registers


# Pairs of read and write


@pytest.mark.parametrize(
    "code",
    [
        "atom.add r0, [x], 1",
        "atom.exch r0, [x], 1",
        "atom.inc r0, [x]",
        "red.add [x], 1",
        "red.dec [x]",
    ],
)
def test_read_and_write_are_joined(code: str) -> None:
    way = path(code)
    assert [event.is_read for event in way.events] == [True, False]
    assert {event.location for event in way.events} == {"x"}
    assert pairs(way, "rmw") == {(0, 1)}


def test_each_instruction_joins_its_own_events() -> None:
    way = path("atom.add r0, [x], 1; red.add [x], 1; ld r1, [x]; st [x], 1")
    assert pairs(way, "rmw") == {(0, 1), (2, 3)}


# Compare and swap

CAS = "atom.acq_rel.gpu.cas.b32 r0, [x], 5, 9"


@pytest.mark.parametrize("dialect", ["ptx", "dat3m"])
def test_a_successful_cas_writes_the_new_value(dialect: str) -> None:
    way = taken(paths(CAS, dialect=dialect), {0: 5})
    assert [set(event.sets) for event in way.events] == [
        {"R", "ACQ", "GPU", "GEN", "ATOM"},
        {"W", "REL", "GPU", "GEN", "ATOM"},
    ]
    assert written(way, 1, {0: 5}) == 9
    assert register(way, "r0", {0: 5}) == 5
    assert pairs(way, "rmw") == {(0, 1)}


@pytest.mark.parametrize("old", [0, 4, 9])
def test_a_failing_cas_is_a_read_alone(old: int) -> None:
    way = taken(paths(CAS), {0: old})
    assert [set(event.sets) for event in way.events] == [{"R", "ACQ", "GPU", "GEN", "ATOM"}]
    assert register(way, "r0", {0: old}) == old
    assert pairs(way, "rmw") == set()


@pytest.mark.parametrize(
    ("dialect", "variants"), [("dat3m", ()), ("ptx", ("cas-writes-back", "other"))]
)
@pytest.mark.parametrize("old", [0, 4, 9])
def test_a_failing_cas_writes_back_where_it_is_asked_to(
    old: int, dialect: str, variants: tuple[str, ...]
) -> None:
    way = taken(program(CAS, dialect=dialect, variants=variants).paths(0), {0: old})
    assert len(way.events) == 2
    assert "W" in way.events[1].sets
    assert written(way, 1, {0: old}) == old
    assert register(way, "r0", {0: old}) == old
    assert pairs(way, "rmw") == {(0, 1)}
    assert (0, 1) in pairs(way, "data")


def test_a_cas_has_two_ways() -> None:
    ways = paths(CAS)
    assert len(ways) == 2
    assert {way.end for way in ways} == {End.DONE}


def test_what_comes_behind_a_cas_does_not_depend_on_its_success() -> None:
    for way in paths(CAS + "; st [y], 1"):
        assert pairs(way, "ctrl") == set()


def test_a_cas_of_an_unknown_value_fails() -> None:
    way = taken(paths(CAS), {0: Unknown("x")})
    assert len(way.events) == 1


def test_a_cas_compares_in_its_type() -> None:
    ways = paths("atom.cas.b32 r0, [x], -1, 7")
    assert len(taken(ways, {0: -1}).events) == 2
    assert len(taken(ways, {0: U32}).events) == 2
    assert len(taken(ways, {0: 1}).events) == 1


def test_a_cas_can_compare_addresses() -> None:
    ways = paths("atom.cas.b64 r0, [p], x, y")
    way = taken(ways, {0: Address("x")})
    assert written(way, 1, {0: Address("x")}) == Address("y")
    assert len(taken(ways, {0: Address("y")}).events) == 1


def test_a_cas_on_a_register_depends_on_the_read_before() -> None:
    ways = paths("ld r1, [y]; atom.cas r0, [x], r1, 9")
    way = taken(ways, {0: 3, 1: 3})
    assert written(way, 2, {0: 3, 1: 3}) == 9
    assert pairs(way, "data") == {(0, 2), (1, 2)}
