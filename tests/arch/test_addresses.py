"""Registers and locations, addresses in registers, arrays."""

from __future__ import annotations

import pytest

from catpy.arch.program import End
from catpy.arch.terms import Address, Unknown, Value
from catpy.errors import TestError
from tests.arch.helpers import (
    cells,
    located,
    of_end,
    pairs,
    path,
    paths,
    program,
    register,
    taken,
    written,
)
from tests.support import outcome_of

# Registers and locations


@pytest.mark.parametrize(
    ("code", "init"),
    [
        ("st [x], %foo", ""),
        ("st [x], %r1", ""),
        ("mov foo, 0; st [x], foo", ""),
        ("mov %foo, 0; st [x], foo", ""),
        ("mov foo, 0; st [x], %foo", ""),
        ("st [x], foo", "0:foo=0;"),
        ("st [x], foo", "0:%foo=0;"),
        ("st [x], foo; mov foo, 1", ""),
        ("setp.eq foo, 0, 1; st [x], foo", ""),
    ],
)
def test_names_that_are_registers(code: str, init: str) -> None:
    assert written(path(code, init), 0) == 0


@pytest.mark.parametrize(
    ("code", "init"),
    [
        ("st [x], foo", ""),
        ("st [x], foo", "foo=5;"),
        ("st [x], foo", "1:foo=5;"),
        ("st [x], foo", ".global .u32 foo;"),
        ("st [x], r1", "r1=0;"),
    ],
)
def test_names_that_are_locations(code: str, init: str) -> None:
    prog = program(code, "nop", init=init)
    (way,) = prog.paths(0)
    name = code.rsplit(maxsplit=1)[-1]
    assert written(way, 0) == Address(name)
    assert name in [cell.location for cell in prog.memory]


def test_a_name_may_be_a_register_in_one_thread_and_a_location_in_another() -> None:
    prog = program("mov foo, 7; st [x], foo", "ld r0, [foo]")
    assert written(prog.paths(0)[0], 0) == 7
    assert prog.paths(1)[0].events[0].location == "foo"
    assert {cell.location for cell in prog.memory} == {"x", "foo"}


@pytest.mark.parametrize("address", ["[x]", "x", "[ x ]", "[x+0]"])
def test_addresses_may_be_written_with_or_without_brackets(address: str) -> None:
    assert located(f"ld r0, {address}") == [("x", "x")]
    assert located(f"st {address}, 1") == [("x", "x")]


def test_the_sink_is_no_source() -> None:
    with pytest.raises(TestError):
        program("st [x], _")


def test_registers_start_at_zero_or_at_their_initial_value() -> None:
    way = path("mov r0, %r7; mov r1, r8; mov r2, r9", init="0:r8=-3; 0:r9=x;")
    assert [register(way, f"r{n}") for n in range(3)] == [0, -3, Address("x")]


def test_registers_of_threads_are_apart() -> None:
    prog = program("st [x], %r1", "st [x], %r1", init="0:r1=5; 1:r1=6;")
    assert [written(prog.paths(thread)[0], 0) for thread in (0, 1)] == [5, 6]


def test_locations_that_are_only_used_are_zero() -> None:
    assert cells("", "ld r0, [x]; st [y], 1; mov r1, z") == {"x": 0, "y": 0, "z": 0}


# Addresses in registers


@pytest.mark.parametrize(
    ("code", "init"),
    [
        ("mov r1, x; ld r0, [r1]", ""),
        ("mov.u64 %rd1, x; ld.u32 %r0, [%rd1]", ""),
        ("ld r0, [r1]", "0:r1=x;"),
        ("ld r0, r1", "0:r1=x;"),
        ("ld r0, [r1]", "0:r1=&x;"),
        ("mov r1, x; add r1, r1, 4; ld r0, [r1-4]", ""),
        ("mov r1, x; mad.lo.u32 r1, 2, 4, r1; ld r0, [r1-8]", ""),
        ("mov r1, x; mad.wide.u32 r1, r2, 4, r1; ld r0, [r1]", ""),
        ("mov r1, x; mad.wide.u16 r1, r2, 4, r1; ld r0, [r1]", ""),
    ],
)
def test_an_address_in_a_register(code: str, init: str) -> None:
    assert located(code, init) == [("x", "x")]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("mov r1, 5; ld r0, [r1]", "this accesses 5, which is no address of a location"),
        ("mov r1, x; ld r0, [r1+4]", "this accesses &x+4, which is no address"),
        ("ld r0, [x+4]", "this accesses &x+4, which is no address"),
        ("mov r1, r2; ld r0, [r1]", "this accesses ?x, which is no address"),
    ],
)
def test_an_access_to_what_is_no_address_is_a_fault(code: str, message: str) -> None:
    way = path(f"st [y], 1; {code}; st [y], 2", init="0:r2=?x;")
    assert way.end is End.FAULT
    assert message in way.fault
    assert way.fault_span is not None
    assert way.fault_span.text.startswith("[")
    assert len(way.events) == 1


def test_an_address_that_was_read_has_a_way_for_every_location_and_a_fault() -> None:
    ways = paths("ld r0, [p]; ld r1, [r0]", init="x; y; q=x; s=y; p=p;")
    assert len(of_end(ways, End.DONE)) == 3  # q and s are no values
    assert len(of_end(ways, End.FAULT)) == 1
    for name in ("x", "y", "p"):
        way = taken(ways, {0: Address(name)})
        assert way.events[1].location == name
        assert pairs(way, "addr") == {(0, 1)}


@pytest.mark.parametrize("value", [0, 7, Unknown("p"), Address("x", 4), Address("elsewhere")])
def test_a_read_value_that_is_no_address_leads_to_the_fault(value: Value) -> None:
    way = taken(paths("ld r0, [p]; st [r0], 1; st [y], 1", init="x;"), {0: value})
    assert way.end is End.FAULT
    assert "no address of a location" in way.fault
    assert len(way.events) == 1


def test_a_read_address_moves_by_an_offset() -> None:
    ways = paths("ld r0, [p]; ld r1, [r0+4]", init=".u32 a[2]; p=a;")
    assert taken(ways, {0: Address("a")}).events[1].location == "a[1]"
    assert taken(ways, {0: Address("a", 4)}).end is End.FAULT
    assert taken(ways, {0: Address("a", -4)}).events[1].location == "a[0]"


@pytest.mark.parametrize(
    "code",
    [
        "cvt.u16.u64 r1, r0; cvt.u64.u16 r2, r1;",
        "cvt.u8.u64 r2, r0;",
        "st.u16 [h], r0; ld.u16 r2, [h];",
        "mov.b16 r2, r0;",
    ],
)
def test_a_read_address_does_not_come_through_a_type_that_is_too_short(code: str) -> None:
    text = f"""PTX short
{{ .global .u64 p = &x; .global .u16 h; x=0; }}
P0@cta 0 {{ ld.u64 r0, [p]; {code} st.u32 [r2], 1; }}
P1@cta 1 {{ st.u64 [p], x; }}
exists (x=1)
"""
    with pytest.raises(TestError, match="no address of a location"):
        outcome_of(text)


def test_a_read_address_comes_through_its_parts() -> None:
    parts = "mov.b64 {r1, r2, r3, r4}, r0; mov.b16 r5, r1; mov.b64 r6, {r5, r2, r3, r4};"
    text = f"""PTX parts
{{ .global .u64 p = &x; x=0; }}
P0@cta 0 {{ ld.u64 r0, [p]; {parts} st.u32 [r6], 1; }}
P1@cta 1 {{ st.u64 [p], x; }}
forall (x=1)
"""
    assert outcome_of(text).verdict.value == "Ok"


def test_a_read_address_may_be_that_of_an_alias() -> None:
    ways = paths("ld r0, [p]; st [r0], 1", init="x=0; y aliases x; p=y; q=x;")
    way = taken(ways, {0: Address("y")})
    assert (way.events[1].location, way.events[1].address) == ("x", "y")
    assert taken(ways, {0: Address("x")}).events[1].address == "x"


# Arrays


@pytest.mark.parametrize(
    ("kind", "size"), [("u8", 1), ("b16", 2), ("u32", 4), ("s32", 4), ("u64", 8), ("b64", 8)]
)
def test_offsets_count_bytes(kind: str, size: int) -> None:
    init = f".global .{kind} a[3];"
    assert located(f"ld r0, [a]; ld r0, [a+{size}]; ld r0, [a+{2 * size}]", init) == [
        ("a[0]", "a[0]"),
        ("a[1]", "a[1]"),
        ("a[2]", "a[2]"),
    ]
    assert path(f"ld r0, [a+{3 * size}]", init).end is End.FAULT
    assert path(f"ld r0, [a-{size}]", init).end is End.FAULT
    if size > 1:
        assert path("ld r0, [a+1]", init).end is End.FAULT


def test_elements_have_four_bytes_where_no_type_says_otherwise() -> None:
    assert located("ld r0, [a+4]", "a[2];") == [("a[1]", "a[1]")]
    assert located("ld r0, [a+4]", "int a[2];") == [("a[1]", "a[1]")]


@pytest.mark.parametrize("code", ["ld r0, [a[1]]", "ld r0, a[1]", "mov r1, a[1]; ld r0, [r1]"])
def test_elements_may_be_named_by_their_index(code: str) -> None:
    assert located(code, ".u64 a[2];") == [("a[1]", "a[1]")]


def test_an_index_behind_the_last_element_is_a_fault() -> None:
    assert path("ld r0, [a[2]]", ".u32 a[2];").end is End.FAULT


def test_an_index_of_an_address_in_a_register_is_refused() -> None:
    # The register says nothing of the size of an element.
    with pytest.raises(TestError):
        program("mov r1, a; ld r0, [r1[1]]", init=".u64 a[2];")


def test_offsets_in_hexadecimal() -> None:
    assert located("ld r0, [a+0x8]", ".u32 a[3];") == [("a[2]", "a[2]")]


def test_each_thread_has_local_memory_of_its_own() -> None:
    own = program("st.local [v], 1", "ld.local r0, [w]", init=".local .u32 v; .local .u32 w;")
    assert [cell.location for cell in own.memory] == ["v", "w"]
    for init in (".local .u32 v;", ""):
        with pytest.raises(TestError, match="`v` is in local memory"):
            program("st.local [v], 1", "ld.local r0, [v]", init=init)
