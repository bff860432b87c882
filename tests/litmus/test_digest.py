"""The digest: what counts and what does not."""

from __future__ import annotations

import re

import pytest

from catpy.litmus.digest import digest
from tests.litmus.helpers import parse

TEXT = """PTX t
"doc"
{ x=0; .global .u32 d = 1; y aliases x; 1:r3=7; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak [x], 1 | ld.acquire.gpu r0, [x] ;
 fence.sc.gpu | ld.weak r1, [d] ;
locations [x;]
exists (1:r0=1 /\\ 1:r1=0)
"""


def of(text: str) -> str:
    return digest(parse(text))


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return of(TEXT.replace(old, new))


def test_is_an_md5_in_hexadecimal() -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", of(TEXT))


def test_is_the_same_each_time() -> None:
    assert of(TEXT) == of(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("exists (1:r0=1 /\\ 1:r1=0)", "forall (x=1)"),
        ("exists (1:r0=1 /\\ 1:r1=0)", ""),
        ("locations [x;]", "locations [1:r0;]"),
        ("locations [x;]", "filter (x=1)"),
        ("PTX t\n", "PTX other\n"),
        ('"doc"', '"another"'),
        ('"doc"', ""),
    ],
)
def test_does_not_depend_on_name_doc_and_condition(old: str, new: str) -> None:
    assert changed(old, new) == of(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" fence.sc.gpu |", "\n\n\tfence.sc.gpu   |"),
        ("ld.acquire.gpu r0, [x]", "ld.acquire.gpu  r0,\n   [x]"),
        ("{ x=0; ", "{\n  x = 0 ;\n"),
        ("P0@cta 0,gpu 0", "P0 @ cta 0 , gpu 0"),
        ("ld.acquire.gpu r0, [x]", "ld.acquire.gpu r0,[x]"),
        ("ld.acquire.gpu r0, [x]", "ld.acquire.gpu r0 , [ x ]"),
    ],
)
def test_does_not_depend_on_white_space(old: str, new: str) -> None:
    assert changed(old, new) == of(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fence.sc.gpu |", "fence.sc.gpu (* strong *) | // to the right\n"),
        ("{ x=0; ", "/* before */ { x=0; // x\n"),
        ("ld.acquire.gpu r0, [x]", "ld.acquire.gpu (* wait *) r0, [x]"),
        ("P0@cta 0,gpu 0", "P0@cta 0,/* the first */ gpu 0"),
        ("st.weak [x], 1", "st.weak [x]/* here */, 1"),
    ],
)
def test_does_not_depend_on_comments(old: str, new: str) -> None:
    assert changed(old, new) == of(TEXT)


def test_does_not_depend_on_the_order_of_initial_values() -> None:
    assert changed("x=0; .global .u32 d = 1;", ".global .u32 d = 1; x=0;") == of(TEXT)


def test_does_not_depend_on_the_order_of_levels() -> None:
    assert changed("P0@cta 0,gpu 0", "P0@gpu 0,cta 0") == of(TEXT)


def test_is_the_same_for_columns_and_blocks() -> None:
    columns = "PTX t\n{ x=0; }\n P0@cta 0 | P1@cta 1 ;\n st [x], 1 | ld r0, [x] ;\n | nop ;\n"
    blocks = "PTX t\n{ x=0; }\nP0@cta 0 { st [x], 1; }\nP1@cta 1 { ld r0, [x]; nop; }\n"
    assert of(columns) == of(blocks)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("P1@cta 1,gpu 0", "P1@cta 0,gpu 0"),
        ("P1@cta 1,gpu 0", "P1@cta 1,gpu 1"),
        ("P1@cta 1,gpu 0", "P1@cta 1,cluster 0,gpu 0"),
        ("P1@cta 1,gpu 0", "P2@cta 1,gpu 0"),
        ("x=0", "x=1"),
        ("x=0", "x=?"),
        ("x=0", "z=0"),
        ("x=0", "x=y"),
        (".global .u32 d = 1", ".global .u32 d = 2"),
        (".global .u32 d = 1", ".global .u64 d = 1"),
        (".global .u32 d = 1", ".shared .u32 d = 1"),
        (".global .u32 d = 1", ".global .u32 d[2] = {1}"),
        ("y aliases x", "y aliases d"),
        ("y aliases x; ", ""),
        ("1:r3=7", "1:r3=8"),
        ("1:r3=7", "1:r4=7"),
        ("1:r3=7", "0:r3=7"),
        ("st.weak [x], 1", "st.weak [x], 2"),
        ("st.weak [x], 1", "st.relaxed.gpu [x], 1"),
        ("st.weak [x], 1", "st.weak [y], 1"),
        ("fence.sc.gpu |", "|"),
        ("ld.weak r1, [d]", "ld.weak r2, [d]"),
    ],
)
def test_depends_on_placement_values_and_code(old: str, new: str) -> None:
    assert changed(old, new) != of(TEXT)


def test_depends_on_the_order_of_instructions() -> None:
    one = of("PTX t\n{ }\nP0 { st [x], 1; st [y], 1; }\n")
    other = of("PTX t\n{ }\nP0 { st [y], 1; st [x], 1; }\n")
    assert one != other


def test_depends_on_which_thread_runs_what() -> None:
    one = of("PTX t\n{ }\nP0 { st [x], 1; }\nP1 { nop; }\n")
    other = of("PTX t\n{ }\nP0 { nop; }\nP1 { st [x], 1; }\n")
    assert one != other


# The host

HOST = """PTX t
{ x=0; }
graph G { K1 -> K2; K1 -> K3; }
host { launch K0 stream s; record e s; wait t e; launch G stream t; }
 P0@kernel K0,cta 0 | P1@host ;
 st [x], 1 | sync ;
"""


def host_changed(old: str, new: str) -> bool:
    assert old in HOST
    return of(HOST.replace(old, new)) != of(HOST)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("host { launch", "host {\n  launch"),
        ("launch K0 stream s;", "launch K0 (* first *) stream s ; ;"),
        ("kernel K0,cta 0", "cta 0 , kernel K0"),
        ("K1 -> K2; K1 -> K3", "K1->K3; K1->K2"),
    ],
)
def test_does_not_depend_on_how_the_host_is_written(old: str, new: str) -> None:
    assert not host_changed(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("launch K0 stream s;", ""),
        ("launch K0 stream s;", "launch K0;"),
        ("launch K0 stream s; record e s;", "record e s; launch K0 stream s;"),
        ("wait t e", "wait s e"),
        ("graph G { K1 -> K2; K1 -> K3; }", ""),
        ("K1 -> K2;", "K2;"),
        ("K1 -> K2;", "K2 -> K1;"),
        ("graph G", "graph H"),
        ("P0@kernel K0,cta 0", "P0@cta 0"),
        ("P0@kernel K0,cta 0", "P0@kernel K1,cta 0"),
        ("P1@host", "P1"),
        ("st [x], 1 | sync", "st [x], 1 | sync s"),
    ],
)
def test_depends_on_the_host(old: str, new: str) -> None:
    assert host_changed(old, new)


def test_host_block_and_host_thread_differ() -> None:
    block = "PTX t\nhost { sync; }\nP0@host { nop; }\n"
    thread = "PTX t\nP0@host { nop; sync; }\n"
    assert of(block) != of(thread)
