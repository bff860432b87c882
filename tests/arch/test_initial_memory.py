"""The memory that a test begins with, and the locations that conditions name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catpy.arch.program import Cell
from catpy.arch.terms import Address, Unknown, Value
from catpy.litmus.syntax import Location, Register
from tests.arch.helpers import (
    cells,
    fails,
    path,
    program,
    register,
)

# Initial memory


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ("x=1;", {"x": 1}),
        ("x=-1;", {"x": -1}),
        ("x=0x10;", {"x": 16}),
        ("x;", {"x": 0}),
        ("int x=7;", {"x": 7}),
        ("x=?;", {"x": Unknown("x")}),
        (".global .u32 x;", {"x": 0}),
        (".global .u32 x = 9;", {"x": 9}),
        (".shared .u32 x;", {"x": Unknown("x")}),
        (".shared::cta .u32 x;", {"x": Unknown("x")}),
        (".shared .u32 x = 0;", {"x": 0}),
        (".shared .u32 a[2];", {"a[0]": Unknown("a[0]"), "a[1]": Unknown("a[1]")}),
        (".const .u32 x; .local .u32 y;", {"x": 0, "y": 0}),
        (".u32 a[3] = {1, 2};", {"a[0]": 1, "a[1]": 2, "a[2]": 0}),
        (".u32 a[2] = {?, 5};", {"a[0]": Unknown("a[0]"), "a[1]": 5}),
        ("a[1]=5;", {"a[0]": 0, "a[1]": 5}),
        ("a[2]=5; a[0]=?;", {"a[0]": Unknown("a[0]"), "a[1]": 0, "a[2]": 5}),
        (".u32 a[2]; a[1]=5;", {"a[0]": 0, "a[1]": 5}),
        ("p=x; x=1;", {"p": Address("x"), "x": 1}),
        ("p=&x;", {"p": Address("x"), "x": 0}),
        (
            ".u64 p = a[1]; .u64 a[2];",
            {"p": Address("a", 8), "a[0]": 0, "a[1]": 0},
        ),
    ],
)
def test_initial_memory(init: str, expected: dict[str, Value]) -> None:
    assert cells(init) == expected


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        (".shared .u32 x; x=1;", {"x": 1}),
        (".global .u32 x; x=1;", {"x": 1}),
        (".shared .u32 a[2]; a[1]=1;", {"a[0]": Unknown("a[0]"), "a[1]": 1}),
    ],
)
def test_a_value_may_stand_apart_from_its_declaration(
    init: str, expected: dict[str, Value]
) -> None:
    assert cells(init) == expected


def test_declared_widths() -> None:
    prog = program("ld r0, [z]", init=".u64 x; int y; .u8 a[2];")
    assert [replace(cell, extent=None) for cell in prog.memory] == [
        Cell("x", 0, 64),
        Cell("y", 0, None),
        Cell("a[0]", 0, 8),
        Cell("a[1]", 0, 8),
        Cell("z", 0, None),
    ]


def test_initial_registers_may_be_unknown() -> None:
    assert register(path("mov r0, r1", init="0:r1=?y;"), "r0") == Unknown("y")


@pytest.mark.parametrize(
    ("init", "message", "hint"),
    [
        (".u32 x; ▸.u64 x;", "`x` is declared twice", ""),
        (".u32 x; ▸x aliases y;", "`x` is declared twice", ""),
        ("x=1; ▸x=2;", "`x` is given two initial values", ""),
        ("int x=1; ▸x=2;", "`x` is given two initial values", ""),
        ("x=1; y aliases x; ▸y=2;", "`x` is given two initial values", ""),
        ("▸.u32 a[1] = {1, 2};", "`a` has 1 elements only", ""),
        (".u32 a[2]; ▸a[2]=1;", "`a` has no element 2", ""),
        (".u32 a[2]; ▸a=1;", "`a` is an array: name an element, as `a[0]`", ""),
        (".u32 x; ▸x[0]=1;", "`x` has no element 0", ""),
        ("▸.u31 x;", "`u31` is no type or state space", "`u32`"),
        ("▸.globl .u32 x;", "`globl` is no type or state space", "`global`"),
        ("▸long x;", "`long` is no type or state space", ""),
        ("▸5:r0=1;", "the test has no thread P5", ""),
        ("▸x=1:r0;", "`1:r0` is no value", "write a number"),
    ],
)
def test_bad_declarations(init: str, message: str, hint: str) -> None:
    fails("nop", init=init, message=message, hint=hint)


# What conditions name


def test_locations_of_conditions() -> None:
    prog = program("nop", init="x; y aliases x; .u32 a[2]; b aliases a;")
    for name, place in (("x", "x"), ("y", "x"), ("a[1]", "a[1]"), ("b[1]", "a[1]")):
        variable, _, index = name.rstrip("]").partition("[")
        location = Location(variable, int(index) if index else None)
        assert [part.location for part in prog.parts_of(location)] == [place]


def test_addresses_of_conditions() -> None:
    prog = program("nop", init="x; y aliases x; .u64 a[2];")
    assert prog.address_of(Location("x")) == Address("x")
    assert prog.address_of(Location("y")) == Address("y")
    assert prog.address_of(Location("a", 1)) == Address("a", 8)


def test_everything_that_can_be_observed() -> None:
    prog = program(
        "ld r1, [x]; atom.add %r2, [x], 1; mov r3, 1; atom.add _, [x], 1",
        "bar.sync 0; ld r0, [y]; st [b], 1",
        init="x; y aliases x; .u32 a[2];",
    )
    assert list(prog.all_observables()) == [
        Register(0, "r1"),
        Register(0, "r2"),
        Register(1, "r0"),
        Location("x"),
        Location("a", 0),
        Location("a", 1),
        Location("b"),
    ]
