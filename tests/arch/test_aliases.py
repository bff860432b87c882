"""Aliases: other addresses of the same location, also for other proxies."""

from __future__ import annotations

import pytest

from catpy.errors import TestError
from tests.arch.helpers import (
    cells,
    fails,
    located,
    path,
    program,
    register,
)


@pytest.mark.parametrize("alias", ["y aliases x;", "y @ generic aliases x;"])
def test_an_alias_is_another_address_of_the_same_location(alias: str) -> None:
    found = located("st [x], 1; ld r0, [y]; atom.add r1, [y], 1", f"x=3; {alias}")
    assert found == [("x", "x"), ("x", "y"), ("x", "y"), ("x", "y")]
    assert cells(f"x=3; {alias}") == {"x": 3}


def test_an_alias_of_an_alias() -> None:
    init = "x=3; y aliases x; z aliases y;"
    assert located("ld r0, [z]", init) == [("x", "z")]
    assert cells(init) == {"x": 3}


@pytest.mark.parametrize(
    "init",
    [
        "y aliases x;",
        "y aliases x; x=0;",
        "z aliases y; y aliases x;",
        "y @ generic aliases x; .global .u32 x;",
    ],
)
def test_an_alias_may_stand_before_what_it_is_an_alias_of(init: str) -> None:
    assert located("ld r0, [y]", init) == [("x", "y")]
    assert cells(init) == {"x": 0}


def test_an_alias_of_an_array_has_its_elements() -> None:
    init = ".u64 a[2] = {1, 2}; b aliases a;"
    assert located("ld r0, [b+8]; ld r1, [b[0]]", init) == [("a[1]", "b[1]"), ("a[0]", "b[0]")]
    assert cells(init) == {"a[0]": 1, "a[1]": 2}


def test_an_alias_may_give_the_initial_value() -> None:
    assert cells("x; y aliases x; y=4;") == {"x": 4}


def test_the_address_of_an_alias_differs_from_that_of_its_location() -> None:
    way = path("mov r0, x; mov r1, y; setp.eq p0, r0, r1", init="x; y aliases x;")
    assert register(way, "p0") == 0


def test_aliases_in_a_circle() -> None:
    with pytest.raises(TestError, match="these aliases run in a circle"):
        program("nop", init="x aliases y; y aliases x;")
    with pytest.raises(TestError, match="these aliases run in a circle"):
        program("nop", init="x aliases x;")


@pytest.mark.parametrize(
    ("proxy", "load"),
    [
        ("surface", "suld.weak"),
        ("texture", "tld.weak"),
        ("texture", "ld.global.nc"),
        ("constant", "cold.weak"),
        ("readonly", "ld.proxy::readonly"),
    ],
)
def test_aliases_through_other_proxies_are_the_same_virtual_address(proxy: str, load: str) -> None:
    way = path(f"{load} r0, y", init=f"x=0; y @ {proxy} aliases x;")
    assert (way.events[0].location, way.events[0].address) == ("x", "x")
    message = f"`y` is an address of the {proxy} proxy"
    fails("ld.weak r0, ▸[y]", init=f"x=0; y @ {proxy} aliases x;", message=message)


def test_there_is_no_other_proxy() -> None:
    fails("nop", init="x=0; ▸y @ surfase aliases x;", message="no proxy `surfase`", hint="surface")
