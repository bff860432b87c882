"""Vectors, packed types and accesses of several sizes: events, parts of locations, values."""

from __future__ import annotations

import pytest

from catpy.arch.program import Cell, End
from catpy.errors import TestError
from catpy.litmus.syntax import Location
from tests.arch.helpers import evaluate, pairs, path, program, register, written
from tests.support import outcome_of

WORDS = ".global .u32 a[4] = {1, 2, 3, 4};"
WIDE = ".global .u64 x = 0;"


def locations(code: str, init: str) -> list[str | None]:
    return [event.location for event in path(code, init).events]


def final_values(code: str, init: str, looked_at: str) -> set[tuple[object, ...]]:
    text = f"PTX t\n{{ {init} }}\nP0 {{ {code}; }}\nlocations [{looked_at};]\nexists (true)\n"
    return {state.values for state in outcome_of(text).states}


@pytest.mark.parametrize(
    ("declared", "code", "value"),
    [
        ("u32 x", "st.s32 [x], -1", 2**32 - 1),
        ("s32 x", "st.u32 [x], -1", -1),
        ("u32 x", "st [x], -1", 2**32 - 1),
        ("u32 x", "atom.min.s32 _, [x], -1", 2**32 - 1),
        ("s32 x", "atom.max.u32 _, [x], -1", -1),
        ("u32 x = -1", "red.add [x], 1", 0),
        ("u16 x[2]", "st.s16x2 [x], -1", 2**16 - 1),
        ("s64 x", "st.v2.u32 [x], {-1, -1}", -1),
    ],
)
def test_a_variable_holds_what_its_declared_type_can(declared: str, code: str, value: int) -> None:
    name = "x[0]" if "[" in declared else "x"
    assert final_values(code, f".global .{declared};", name) == {(value,)}


def test_an_access_without_a_type_reads_what_the_declared_type_can_hold() -> None:
    assert final_values("st.s32 [x], -1; ld r0, [x]", ".global .u32 x;", "0:r0") == {(2**32 - 1,)}


# Vectors and packed types


def test_a_vector_is_an_event_of_one_step_for_each_element() -> None:
    way = path("st.v2.u32 [a], {5, 6}; ld.v4.u32 {r0, r1, r2, _}, [a]", WORDS)
    assert [event.location for event in way.events] == [
        *("a[0]", "a[1]"),
        *("a[0]", "a[1]", "a[2]", "a[3]"),
    ]
    assert {event.step for event in way.events[:2]} == {1}
    assert pairs(way, "si") >= {(0, 1), (1, 0), (2, 5)}
    assert (0, 2) not in pairs(way, "si")
    assert pairs(way, "sca") == set()
    assert [written(way, index) for index in (0, 1)] == [5, 6]
    assert [register(way, f"r{n}", {2: 7, 3: 8, 4: 9, 5: 0}) for n in range(3)] == [7, 8, 9]


def test_packed_values_have_an_event_for_each_half() -> None:
    way = path("st.relaxed.gpu.f16x2 [a], 0x20001", ".global .b16 a[2];")
    assert [event.location for event in way.events] == ["a[0]", "a[1]"]
    assert [written(way, index) for index in (0, 1)] == [1, 2]


@pytest.mark.parametrize(("by", "lost"), [("x", False), ("y", True)])
@pytest.mark.parametrize("kind", ["u32", "u64"])
def test_atomic_operations_of_any_sizes_are_atomic_on_one_virtual_address(
    kind: str, by: str, lost: bool
) -> None:
    threads = f"P0 {{ atom.add.u64 r0, [x], 1; }} P1 {{ atom.add.{kind} r0, [{by}], 1; }}"
    outcome = outcome_of(f"PTX t\n{{ {WIDE} y aliases x; }}\n{threads}\nexists (x=1)\n")
    assert bool(outcome.positive) == lost


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("st.v2.u32 [a], 5", "takes"),
        ("ld.v2.u32 r0, [a]", "takes"),
        ("st.v2.u32 [a], {5, 6, 7}", "takes"),
    ],
)
def test_vectors_have_as_many_elements_as_they_say(code: str, message: str) -> None:
    with pytest.raises(TestError, match=message):
        program(code, init=WORDS)


def test_a_vector_that_reaches_beyond_the_variable_is_a_fault() -> None:
    way = path("ld.v2.u32 {r0, r1}, [a+12]", WORDS)
    assert way.end is End.FAULT


# Sizes


def test_an_access_is_divided_where_others_begin_or_end() -> None:
    code = "st.u64 [x], 0x200000001; ld.u32 r0, [x+4]"
    way = path(code, WIDE)
    assert [event.location for event in way.events] == ["x+0", "x+4", "x+4"]
    assert pairs(way, "sca") == {(0, 1), (1, 0)}
    assert [written(way, index) for index in (0, 1)] == [1, 2]
    assert locations("st.u64 [x], 1", WIDE) == ["x"]


def test_accesses_divide_each_other_across_threads() -> None:
    made = program("st.u64 [x], 1", "ld.u8 r0, [x+1]", init=WIDE)
    (way,) = made.paths(0)
    assert [event.location for event in way.events] == ["x+0", "x+1", "x+2"]
    assert [part.bits for part in made.parts_of(Location("x"))] == [8, 8, 48]
    assert made.value_of(Location("x"), [1, 2, 3]) == 0x30201


def test_a_wide_access_of_an_array_reads_several_elements() -> None:
    way = path("ld.u64 r0, [a+8]", WORDS)
    assert [event.location for event in way.events] == ["a[2]", "a[3]"]
    assert evaluate(way.registers["r0"], {0: 3, 1: 4}) == 0x400000003


def test_signed_values_of_parts_are_put_together() -> None:
    code = "ld.s16 r0, [x]; st.u8 [x], 0xff; st.u8 [x+1], 0xff"
    way = path(code, ".global .s16 x = 0;")
    assert [event.location for event in way.events] == ["x+0", "x+1", "x+0", "x+1"]
    assert register(way, "r0", {0: 0xFF, 1: 0xFF}) == -1


def test_final_values_are_put_together() -> None:
    assert final_values("st.u32 [x], 1; st.u32 [x+4], 2", WIDE, "x") == {(0x200000001,)}
    assert final_values("st.u64 [a], 0x900000008", WORDS, "a[0]; a[1]") == {(8, 9)}


def test_bytes_of_an_unknown_value_stay_together() -> None:
    states = final_values("ld.u32 r0, [x]; ld.u64 r1, [x]", ".global .u64 x = ?;", "0:r1")
    ((value,),) = states
    assert str(value) == "?x"


def test_reads_take_each_byte_from_its_own_write() -> None:
    text = """PTX t
    { .global .u32 x = 0; }
    P0@cta 0 { st.relaxed.gpu.u16 [x], 1; }
    P1@cta 1 { st.relaxed.gpu.u16 [x+2], 1; }
    P2@cta 2 { ld.relaxed.gpu.u32 r0, [x]; }
    exists (2:r0 = 0x10001)
    """
    outcome = outcome_of(text)
    assert outcome.verdict.value == "Undefined"
    assert {state.values[0] for state in outcome.states} == {0, 1, 0x10000, 0x10001}
    assert "mixed-size-data-race" in str(outcome.flags) or outcome.undefined


# Variables without a type


def bytes_of(cell: Cell) -> int:
    assert cell.extent is not None
    return cell.extent.stop - cell.extent.start


@pytest.mark.parametrize(
    ("code", "size"),
    [
        ("st.b8x2 [x], 1", 2),
        ("st.f16x2 [x], 1", 4),
        ("st.v2.u32 [x], {1, 2}; ld.u32 r0, [x]", 8),
        ("st.v4.f16x2 [x], {1, 2, 3, 4}", 16),
        ("ld.u8 r0, [x]; ld.v2.b64 {r1, r2}, [x]", 16),
        ("st.u32 [x], 1; ld.v2.u32 {r0, r1}, [y]", 8),
    ],
)
@pytest.mark.parametrize("init", ["y aliases x;", "x=0; y aliases x;"])
def test_a_variable_without_a_type_has_the_bytes_of_the_widest_access(
    code: str, size: int, init: str
) -> None:
    prog = program(code, init=init)
    assert not any(way.fault for way in prog.paths(0))
    assert sum(bytes_of(cell) for cell in prog.memory) == size


def test_the_elements_of_an_array_without_a_type_are_those_of_a_vector() -> None:
    assert locations("ld.v2.u32 {r0, r1}, [a]", "a[4];") == ["a[0]", "a[1]"]


def test_the_value_of_a_vector_in_a_variable_without_a_type() -> None:
    assert final_values("st.v2.u32 [x], {1, 2}", "", "x") == {(2 << 32 | 1,)}


BYTES = "mbarrier::complete_tx::bytes"


@pytest.mark.parametrize(
    ("code", "objects"),
    [
        (f"st.async.{BYTES}.u32 [s], 1, [m]", ["m"]),
        (f"cp.async.bulk.shared::cta.global.{BYTES} [s], [g], 4, [m]", ["m"]),
        (f"cp.async.bulk.tensor.shared::cta.global.{BYTES} [s], [t, {{0}}], [m]", ["m", "t"]),
    ],
)
def test_objects_without_a_type_have_their_bytes(code: str, objects: list[str]) -> None:
    prog = program(code, init="t = &g;")
    assert any(not way.fault for way in prog.paths(0))
    assert {bytes_of(cell) for cell in prog.memory if cell.location in objects} == {8}
