"""The initial section in all its forms."""

from __future__ import annotations

import pytest

from catpy.litmus.syntax import (
    AddressOf,
    Alias,
    Declaration,
    Initial,
    InitItem,
    Location,
    Number,
    Observable,
    Register,
    Term,
    UnknownValue,
)
from tests.litmus.helpers import columns, items, parse


def only(init: str) -> InitItem:
    (item,) = items(init)
    return item


def initial(init: str) -> tuple[Observable, Term]:
    item = only(init)
    assert isinstance(item, Initial)
    return item.target, item.value


def declaration(init: str) -> tuple[tuple[str, ...], str, int | None, tuple[Term, ...]]:
    item = only(init)
    assert isinstance(item, Declaration)
    return item.words, item.name, item.count, item.values


def alias(init: str) -> tuple[str, str | None, str]:
    item = only(init)
    assert isinstance(item, Alias)
    return item.name, item.proxy, item.target


# Values


@pytest.mark.parametrize(
    ("text", "target", "value"),
    [
        ("x=1;", Location("x"), Number(1)),
        ("x = 0", Location("x"), Number(0)),
        ("x=-1;", Location("x"), Number(-1)),
        ("x = - 7;", Location("x"), Number(-7)),
        ("x=0x1F;", Location("x"), Number(31)),
        ("x=0b101;", Location("x"), Number(5)),
        ("x=07;", Location("x"), Number(7)),
        ("x=0XfF;", Location("x"), Number(255)),
        ("x=-0x10;", Location("x"), Number(-16)),
        ("x=18446744073709551615;", Location("x"), Number(2**64 - 1)),
        ("[x]=5;", Location("x"), Number(5)),
        ("a[3]=4;", Location("a", 3), Number(4)),
        ("0:r0=1;", Register(0, "r0"), Number(1)),
        ("P1:r0=2;", Register(1, "r0"), Number(2)),
        ("P1:%r7=2;", Register(1, "r7"), Number(2)),
        ("12:%rd3 = -3;", Register(12, "rd3"), Number(-3)),
        ("0:p0=1;", Register(0, "p0"), Number(1)),
        ("0:r1=x;", Register(0, "r1"), AddressOf(Location("x"))),
        ("0:r1=&x;", Register(0, "r1"), AddressOf(Location("x"))),
        ("0:r1=a[2];", Register(0, "r1"), AddressOf(Location("a", 2))),
        ("0:r1=&a[2];", Register(0, "r1"), AddressOf(Location("a", 2))),
        ("p=x;", Location("p"), AddressOf(Location("x"))),
        ("p=&x;", Location("p"), AddressOf(Location("x"))),
        ("x=?;", Location("x"), UnknownValue("x")),
        ("x = ?", Location("x"), UnknownValue("x")),
        ("a[1]=?;", Location("a", 1), UnknownValue("a[1]")),
        ("x=?y;", Location("x"), UnknownValue("y")),
    ],
)
def test_values(text: str, target: Observable, value: Term) -> None:
    assert initial(text) == (target, value)


def test_numbers_may_begin_with_a_zero() -> None:
    assert initial("x=00;") == (Location("x"), Number(0))
    assert initial("x=07;") == (Location("x"), Number(7))


def test_a_name_alone_is_a_location_without_a_value() -> None:
    assert declaration("x;") == ((), "x", None, ())
    assert declaration("[x];") == ((), "x", None, ())


# Declarations


@pytest.mark.parametrize(
    ("text", "words", "count", "values"),
    [
        ("int x;", ("int",), None, ()),
        ("int x=0;", ("int",), None, (Number(0),)),
        ("int x = -2;", ("int",), None, (Number(-2),)),
        ("u32 x;", ("u32",), None, ()),
        ("u64 x = 5;", ("u64",), None, (Number(5),)),
        (".u32 x;", ("u32",), None, ()),
        (".global .u32 x;", ("global", "u32"), None, ()),
        (".global.u32 x;", ("global", "u32"), None, ()),
        (".global .u32 x = 5;", ("global", "u32"), None, (Number(5),)),
        (".global .s32 x = -5;", ("global", "s32"), None, (Number(-5),)),
        ("global u32 x = 0x10;", ("global", "u32"), None, (Number(16),)),
        (".shared .b64 x;", ("shared", "b64"), None, ()),
        (".shared::cta .b64 x;", ("shared::cta", "b64"), None, ()),
        (".shared::cluster .b64 x;", ("shared::cluster", "b64"), None, ()),
        (".const .u8 x = 1;", ("const", "u8"), None, (Number(1),)),
        (".local .u16 x;", ("local", "u16"), None, ()),
        (".shared .u32 x = ?;", ("shared", "u32"), None, (UnknownValue("x"),)),
        (".global .u64 x = y;", ("global", "u64"), None, (AddressOf(Location("y")),)),
        (".visible .global .align 8 .u64 x;", ("visible", "global", "align", "u64"), None, ()),
        ("u32 x[4];", ("u32",), 4, ()),
        (".u32 x[4];", ("u32",), 4, ()),
        (".global .u32 x[2] = {1, 2};", ("global", "u32"), 2, (Number(1), Number(2))),
        (".global .u32 x[4] = { 1 };", ("global", "u32"), 4, (Number(1),)),
        (".global .u32 x[4] = {};", ("global", "u32"), 4, ()),
        (".global .u32 x[2] = {1, 2,};", ("global", "u32"), 2, (Number(1), Number(2))),
        ("int x[2] = {0x1, -1};", ("int",), 2, (Number(1), Number(-1))),
        (
            "u32 x[3] = {7, ?, y};",
            ("u32",),
            3,
            (Number(7), UnknownValue("x[1]"), AddressOf(Location("y"))),
        ),
        ("x[4];", (), 4, ()),
        ("x[2]={3, ?};", (), 2, (Number(3), UnknownValue("x[1]"))),
    ],
)
def test_declarations(
    text: str, words: tuple[str, ...], count: int | None, values: tuple[Term, ...]
) -> None:
    assert declaration(text) == (words, "x", count, values)


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("y aliases x;", None),
        ("y @ generic aliases x;", "generic"),
        ("y@generic aliases x", "generic"),
        ("y @ surface aliases x;", "surface"),
    ],
)
def test_aliases(text: str, proxy: str | None) -> None:
    assert alias(text) == ("y", proxy, "x")


# The section


def test_items_keep_their_order() -> None:
    found = items("x=1; int y=2; z aliases x; 0:r0=3; .global .u32 a[2] = {1, 2};")
    assert [type(item) for item in found] == [Initial, Declaration, Alias, Initial, Declaration]


@pytest.mark.parametrize("text", ["", ";", " ;; ", "\n\n"])
def test_an_empty_section_has_no_items(text: str) -> None:
    assert items(text) == ()


@pytest.mark.parametrize("text", ["x=1; y=2", "x=1; y=2;", "\nx=1;\ny=2;\n", ";;x=1;;y=2;;"])
def test_semicolons_separate_items_and_may_be_repeated(text: str) -> None:
    assert len(items(text)) == 2


def test_items_know_their_place() -> None:
    test = parse(columns("x=1; .global .u32 d; y aliases x;"))
    assert [str(item.span) for item in test.init] == [
        "t.litmus:2:3",
        "t.litmus:2:8",
        "t.litmus:2:24",
    ]
    assert [item.span.text for item in test.init] == ["x", ".global .u32 d", "y aliases x"]
