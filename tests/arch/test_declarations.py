"""The initial section: what is said of variables there and makes no sense."""

from __future__ import annotations

import pytest

from catpy.arch import build_program
from catpy.arch.program import Options
from tests.arch.helpers import program
from tests.litmus import helpers


def refused(init: str, message: str, code: str = "nop") -> None:
    """Checks that an initial section is refused at its mark `▸`."""

    def act(text: str) -> object:
        return build_program(helpers.parse(text), Options())

    text = f"PTX t\n{{ {init} }}\nP0@cta 0 {{ {code}; }}\nP1@cta 1 {{ nop; }}\n"
    helpers.fails(text, message, act=act)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("▸.global .u8 x = 256;", "256 has more than the 8 bits of `x`"),
        ("▸.global .s8 x = -129;", "-129 has more than the 8 bits of `x`"),
        ("▸.global .u32 x[2] = {1, 4294967296};", "4294967296 has more than the 32 bits"),
        (".global .u32 x; ▸x = 4294967296;", "4294967296 has more than the 32 bits"),
        ("▸.global .u64 x = 18446744073709551616;", "has more than the 64 bits"),
        ("y; ▸.global .u16 x = &y;", "&y has more than the 16 bits of `x`"),
    ],
)
def test_values_that_do_not_fit(init: str, message: str) -> None:
    refused(init, message)


def test_values_that_do_not_fit_the_accesses() -> None:
    refused("▸x = 4294967296;", "more than the 32 bits of `x`", "ld.u32 r0, [x]")
    program("ld.u64 r0, [x]", init="x = 4294967296")
    program("ld r0, [x]", init="x = 4294967296")


@pytest.mark.parametrize("init", [".global .u8 x = 255", ".global .u8 x = -128", ".u64 x = -1"])
def test_values_that_fit(init: str) -> None:
    program("nop", init=init)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("▸.global .mbarrier m = 1;", "mbarriers are in shared memory"),
        ("▸.shared .tensormap t;", "tensormaps are not in shared memory"),
        ("▸.local .tensormap t;", "tensormaps are not in local memory"),
        (".shared .u32 s; ▸t @ texture aliases s;", "`s` is in shared memory, where the texture"),
        (".local .u32 l; ▸t @ constant aliases l;", "`l` is in local memory, where the constant"),
    ],
)
def test_what_is_in_the_wrong_memory(init: str, message: str) -> None:
    refused(init, message)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("x = ?; ▸y = ?x;", "`?x` is not the unknown value of `y`"),
        ("▸.global .u32 y[2] = {?, ?x};", "`?x` is not the unknown value of `y[1]`"),
        ("a[2]; ▸x = &a[2];", "`a` has no element 2"),
        ("a; ▸x = a[0];", "`a` has no element 0"),
        ("a[2]; ▸0:r0 = &a[2];", "`a` has no element 2"),
    ],
)
def test_values_that_are_none(init: str, message: str) -> None:
    refused(init, message)


def test_the_own_unknown_value_may_be_named() -> None:
    program("nop", init="x = ?x; .global .u32 a[2] = {?, ?a[1]}; 0:r0 = ?x; p = &a[1]")


def of_two_threads(init: str, first: str, second: str) -> str:
    return f"PTX t\n{{ {init} }}\nP0@cta 0 {{ {first}; }}\nP1@cta 0 {{ {second}; }}\n"


@pytest.mark.parametrize(
    ("init", "first", "second"),
    [
        (".local .u32 l;", "st.u32 [l], 1", "ld.u32 r0, ▸[l]"),
        (".param .u32 l;", "st.u32 [l], 1", "ld.u32 r0, ▸[l]"),
        (".param .u32 l;", "ld.u32 r0, [l]", "st.u32 ▸[l], 1"),
        ("l;", "st.param.u32 [l], 1", "ld.param.u32 r0, ▸[l]"),
    ],
)
def test_local_memory_is_of_one_thread(init: str, first: str, second: str) -> None:
    def act(text: str) -> object:
        return build_program(helpers.parse(text), Options())

    text = of_two_threads(init, first, second)
    helpers.fails(text, "`l` is in local memory, of which each thread has its own", act=act)


def test_parameters_of_kernels_are_read_by_all_threads() -> None:
    text = of_two_threads(".param .u32 p = 1;", "ld.param.u32 r0, [p]", "ld.u32 r0, [p]")
    build_program(helpers.parse(text), Options())
