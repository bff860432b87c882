"""Rounds of loops that change nothing, and how many of them a thread makes."""

from __future__ import annotations

import pytest

from catpy.arch.program import End, Options, Path
from catpy.arch.ptx.decoded import decode_test
from catpy.arch.ptx.exploration import explore
from tests.arch.helpers import of_end, text_of
from tests.litmus import helpers

SPIN = "L: ld r0, [x]; beq r0, 0, L; st [y], r0"
FULL = "mbarrier.try_wait.parity.shared.b64 %p0, [full], 0"


def ways_of(code: str, spin: int, final: str = "exists (0:r0=1)", init: str = "") -> list[Path]:
    """The ways through a thread, with one backward branch and so many idle rounds in a row."""
    test = helpers.parse(text_of([code], init, final=final))
    options = Options(unroll=1, spin=spin)
    return list(explore(decode_test(test, options)).paths[0])


def is_idle(code: str, final: str = "exists (0:r0=1)", init: str = "") -> bool:
    """Whether all backward branches of a code end idle rounds: then none is ever taken."""
    return not of_end(ways_of(code, 0, final, init), End.CUT)


@pytest.mark.parametrize("bound", [0, 1, 4])
def test_idle_rounds_are_limited_and_what_is_beyond_is_left_out(bound: int) -> None:
    ways = ways_of(SPIN, bound)
    assert [way.end for way in ways] == [End.DONE] * (bound + 1)
    assert sorted(len(way.events) for way in ways) == [n + 2 for n in range(bound + 1)]


@pytest.mark.parametrize("bound", [0, 1])
def test_idle_rounds_count_anew_each_time_that_a_loop_is_entered(bound: int) -> None:
    code = f"mov r1, 0; O: ld r2, [z]; {SPIN}; add r1, r1, 1; bne r1, 2, O"
    ways = ways_of(code, bound)
    assert [way.end for way in ways] == [End.DONE] * (bound + 1) ** 2


@pytest.mark.parametrize(
    "code",
    [
        "L: ld.acquire.gpu r0, [x]; setp.eq.u32 p0, r0, 0; @p0 bra L",
        "L: ld r0, [x]; bne r0, 0, OUT; bra L; OUT: st [y], r0",
        "L: ld r0, [x]; fence.acquire.gpu; beq r0, 0, L",
        "L: ld r0, [x]; ld r1, [y]; beq r0, r1, L",
        "L: atom.acquire.gpu.cas.b32 r0, [x], 0, 1; bne r0, 0, L",
        "L: ld r0, [x]; and r1, r0, 1; bne r1, 0, L; ld r2, [y]; ld r3, [x]; bne r0, r3, L",
        "mov r5, 7; L: ld r0, [x]; mov r5, 7; beq r0, 0, L; st [y], r5",
        "mov r1, x; L: ld r0, [r1]; beq r0, 0, L",
        "ld r1, [z]; L: ld r0, [x]; beq r0, r1, L",
    ],
)
def test_a_round_that_only_reads_is_idle(code: str) -> None:
    assert is_idle(code)


def test_a_wait_for_an_mbarrier_is_idle() -> None:
    assert is_idle(f"L: {FULL}; @!%p0 bra L", init=".shared .mbarrier full = 1;")


@pytest.mark.parametrize(
    "code",
    [
        "L: ld r0, [x]; st [y], 1; beq r0, 0, L",
        "L: atom.add.u32 r0, [x], 1; beq r0, 0, L",
        "L: ld r0, [x]; bar.sync 0; beq r0, 0, L",
        "L: cp.async.ca.shared.global [s], [x], 4; ld r0, [x]; beq r0, 0, L",
        "L: ld r0, [x]; cp.async.commit_group; beq r0, 0, L",
        "L: ld r0, [x]; add r1, r1, 1; beq r0, 0, L; st [y], r1",
        "L: ld r0, [x]; beq r0, 0, L1; bra OUT; L1: ld r1, [y]; bra L; OUT: st [z], r1",
        "L: ld r0, [x]; setp.eq.u32 p0, r0, 0; @p1 ld r1, [x]; setp.eq.u32 p1, r0, 0; @p0 bra L",
        "L: @p1 st [y], r0; ld r0, [x]; setp.eq.u32 p0, r0, 0; setp.eq.u32 p1, r0, 0; @p0 bra L",
        "L: st [y], r0; M: ld r0, [x]; beq r0, 0, L",
        "L: ld r2, [r0]; ld r0, [x]; beq r2, 0, L",
        "L: bra L",
        "L: nop; goto L",
    ],
)
def test_a_round_that_changes_something_is_not_idle(code: str) -> None:
    assert not is_idle(code, init=".shared .u32 s; 0:r0 = &x;")


def test_what_a_register_holds_matters_where_it_is_looked_at_in_the_end() -> None:
    code = "M: ld r0, [x]; beq r0, 0, OUT; ld r1, [y]; bra M; OUT: nop"
    assert is_idle(code, "exists (0:r0=0)")
    assert not is_idle(code, "exists (0:r1=0)")
    assert not is_idle(code, "locations [0:r1;] exists (0:r0=0)")
    assert not is_idle(code, "filter (0:r1=0) exists (0:r0=0)")
    assert not is_idle(code, "exists (true)")
    guarded = "M: ld r0, [x]; setp.eq.u32 p0, r0, 1; @p0 ld r1, [y]; bne r0, 2, M"
    assert is_idle(guarded, "exists (0:r0=2)")
    assert not is_idle(guarded, "exists (true)")


@pytest.mark.parametrize("bound", [0, 1])
def test_a_loop_can_be_entered_behind_its_head(bound: int) -> None:
    ways = ways_of("bra T; L: fence.acquire.gpu; T: ld r0, [x]; beq r0, 0, L", bound)
    # The way to the head for the first time is a backward branch like any other.
    assert [way.end for way in ways] == [End.DONE] * (bound + 2)
    assert sorted(sum(event.is_read for event in way.events) for way in ways) == [
        n + 1 for n in range(bound + 2)
    ]
