"""Blocks `{ … }` in threads, as inline assembly has them: what is declared in one is its own."""

from __future__ import annotations

import pytest

from catpy.errors import TestError
from catpy.litmus.syntax import Register
from tests.arch.helpers import fails, path, paths, program, register, written
from tests.litmus.helpers import parse

WAIT = """{
    .reg .pred P1;
    LAB_WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 P1, [m], 0;
    @P1 bra DONE;
    bra LAB_WAIT;
    DONE:
}"""


def test_a_block_is_run_in_place() -> None:
    way = path("st [x], 1; { st [x], 2; } st [x], 3; { { st [x], 4 } }; st [x], 5")
    assert [written(way, at) for at in range(5)] == [1, 2, 3, 4, 5]


def test_inline_assembly_can_stand_there_twice() -> None:
    ways = paths(f"{WAIT} st [x], 1; {WAIT} st [x], 2", init=".shared .mbarrier m = 1")
    done = [way for way in ways if way.end.name == "DONE"]
    assert all(len([event for event in way.events if event.is_write]) == 2 for way in done)
    # Each wait may be repeated twice.
    assert len(done) == 9


def test_registers_of_a_block_are_its_own() -> None:
    inner = ("{ .reg .u32 r0; mov r0, 2; st [x], r0; }", "{ .reg .u32 r0; st [x], r0 }")
    way = path(f"mov r0, 1; {inner[0]} st [x], r0; {inner[1]}")
    assert [written(way, at) for at in range(3)] == [2, 1, 0]
    assert register(way, "r0") == 1


def test_without_a_declaration_registers_are_those_of_the_thread() -> None:
    way = path("mov r0, 1; { mov r0, 2; } st [x], r0")
    assert written(way, 0) == 2


def test_inner_blocks_see_the_registers_of_outer_ones() -> None:
    way = path(
        "{ .reg .u32 a, b; mov a, 1; { .reg .u32 b; mov b, 2; mov a, b; } st [x], a; st [x], b }"
    )
    assert [written(way, at) for at in range(2)] == [2, 0]


def test_a_register_is_called_what_it_is_called_if_it_can() -> None:
    code = "{ .reg .pred P; .reg .b32 %r<3>; ld.u32 %r2, [x]; setp.eq.u32 P, %r2, 0; @P st [y], 1 }"
    assert Register(0, "r2") in program(code).all_observables()
    assert {"P", "r2"} <= paths(code)[0].registers.keys()


def test_a_register_of_a_block_hides_a_location() -> None:
    way = path("{ .reg .u32 x; mov x, 1; st [y], x; } st [x], 2", init="x = 0;")
    assert [event.location for event in way.events] == ["y", "x"]
    assert written(way, 0) == 1


def test_declared_registers_are_registers_before_they_are_written() -> None:
    way = path(".reg .u32 %a<2>; .reg .b32 tmp; st [x], tmp; st [x], a1")
    assert [written(way, at) for at in range(2)] == [0, 0]


def test_a_condition_on_a_register_that_is_declared_only_is_a_mistake() -> None:
    prog = program(".reg .b32 %r<9>; mov.u32 %r1, 1")
    span = parse("PTX t\n{ }\nP0 { nop; }\n").source.span(0, 1)
    prog.check_observable(Register(0, "r1"), span)
    with pytest.raises(TestError, match="has no register `r2`"):
        prog.check_observable(Register(0, "r2"), span)


def test_labels_of_a_block_are_its_own() -> None:
    way = path(
        "{ bra L; st [x], 1; L: st [x], 2; } { bra L; st [x], 3; L: } bra L; nop; L: st [x], 4"
    )
    assert [written(way, at) for at in range(2)] == [2, 4]
    way = path("{ bra OUT; } st [x], 1; OUT: { st [x], 2; }")
    assert written(way, 0) == 2


def test_vectors_in_blocks_are_vectors() -> None:
    code = "{ .reg .b32 lo, hi; mov.b64 {lo, hi}, 0x100000002; { st.v2.u32 [g], {lo, hi}; } }"
    way = path(code, init=".global .u32 g[2]")
    assert [written(way, at) for at in range(2)] == [2, 1]


@pytest.mark.parametrize(
    "directive", [".loc 1 20 3\n", '.pragma "nounroll";', '.file 1 "k.cu"\n', ";;"]
)
def test_directives_of_compilers_say_nothing(directive: str) -> None:
    way = path(f"st [x], 1;\n{directive} st [x], 2;\n{directive}")
    assert [written(way, at) for at in range(2)] == [1, 2]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("L: nop; ▸L: nop", "the label `L` is there twice"),
        ("{ L: nop; ▸L: nop; }", "the label `L` is there twice"),
        ("{ L: nop; } bra ▸L", "there is no label `L` in this thread"),
        (".reg .u32 r0 ▸r1", "`,` or the end of the declaration"),
        (".reg .u32 ▸7", "a register"),
    ],
)
def test_mistakes(code: str, message: str) -> None:
    fails(code, message=message)


def test_blocks_count_in_the_hash() -> None:
    texts = ["PTX t\n{ }\nP0 { nop; { .reg .u32 a; mov a, 1; } }\n"]
    texts.append(texts[0].replace("{ .reg", ".reg").replace("; } }", "; }"))
    cells = [[cell.text for cell in parse(text).threads[0].cells] for text in texts]
    assert cells[0] == cells[1]
    assert parse(texts[0]).threads[0].scopes == ((), (1,), (1,))
