"""What threads do on ways that no execution takes, or behind a wait for ever, is no error."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.errors import TestError
from tests.support import model_of, outcome_of


def test_an_access_behind_an_endless_wait_is_never_made() -> None:
    text = """PTX t { p = 5; }
    P0@cta 0,gpu 0 { ld.weak r1, [p]; bar.sync 0, 2; ld.weak r2, [r1]; } exists (true)"""
    outcome = outcome_of(text)
    assert (outcome.stuck, outcome.states) == (1, ())


def test_what_comes_behind_the_barrier_does_not_tell_stuck_executions_apart() -> None:
    text = """PTX t { x = 0; }
    P0@cta 0,gpu 0 { ld.weak r0, [x]; bar.sync 0, 2; @r0 st.weak [x], 1; } exists (true)"""
    assert outcome_of(text).stuck == 1


def test_a_loop_behind_the_barrier_does_not_make_a_stuck_execution_a_cut_one() -> None:
    text = "PTX t { } P0@cta 0,gpu 0 { bar.sync 0, 2; L: bra L; } exists (true)"
    outcome = outcome_of(text)
    assert (outcome.stuck, outcome.cut) == (1, 0)


def test_a_count_may_come_from_memory() -> None:
    text = """PTX t { n = 2; }
    P0@cta 0,gpu 0 { ld.weak r1, [n]; bar.sync 0, r1; }
    P1@cta 0,gpu 0 { bar.sync 0, 2; } forall (0:r1 = 2)"""
    outcome = outcome_of(text)
    assert (outcome.positive, outcome.stuck) == (1, 0)


def test_counts_that_disagree_are_an_error_where_a_model_allows_it() -> None:
    text = """PTX t { }
    P0@cta 0,gpu 0 { bar.sync 0, 2; }
    P1@cta 0,gpu 0 { bar.sync 0, 3; } exists (true)"""
    with pytest.raises(TestError, match="disagree within a phase"):
        outcome_of(text)


def test_shared_memory_of_another_cta_is_fine_where_no_execution_reaches_it() -> None:
    text = """PTX t { q = &x; x = 1; .shared .u32 s = 0; }
    P0@cta 0,gpu 0 { st.weak [s], 1; }
    P1@cta 1,gpu 0 { ld.weak r0, [q]; ld.weak r1, [r0]; } forall (1:r1 = 1)"""
    assert outcome_of(text).verdict.value == "Ok"


def test_a_value_out_of_thin_air_that_decides_nothing_is_none() -> None:
    """Only a read of the thread's own later store could branch on the address."""
    text = """PTX t { x = 0; q = &x; }
    P0@cta 0,gpu 0 { st.weak [y], 1; }
    P1@cta 1,gpu 0 {
      ld.relaxed.sys r0, [x]; st.release.sys [x], r0; setp.gt p0, r0, 3; @p0 bra L; L: }
    forall (1:r0 = 0)"""
    assert outcome_of(text).verdict.value == "Ok"


@pytest.mark.parametrize("name", ["foo", "many", "any", "thin_air"])
def test_an_unknown_value_is_one_whatever_its_name(name: str) -> None:
    text = f"""PTX t {{ {name} = ?; }}
    P0 {{ ld.weak r0, [{name}]; setp.lt p0, r0, 5; @p0 st.weak [x], 1; }} exists (x = 1)"""
    with pytest.raises(TestError, match="which is not known"):
        outcome_of(text)


def test_declared_values_are_as_their_type_holds_them() -> None:
    text = """PTX t { .global .u32 x = -1; .global .u8 b = -2; } P0 { nop; }
    forall (x = 4294967295 /\\ b = 254)"""
    assert outcome_of(text).verdict.value == "Ok"


def test_arithmetic_without_a_type_has_bounds() -> None:
    code = "mov r0, 3; " + "mul r0, r0, r0; " * 40
    with pytest.raises(TestError, match="grows beyond"):
        outcome_of(f"PTX t {{ }} P0 {{ {code} }} exists (0:r0 = 0)")


# Time at barriers, which sc and tso look at

EXIT = """PTX t {{ }}
P0@cta 0,gpu 0 {{ {first} }}
P1@cta 0,gpu 0 {{ bar.sync 0; {second} }}
exists ({condition})"""


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize(
    ("first", "second", "condition"),
    [
        ("ld.weak r0, [y]", "st.weak [y], 1", "0:r0 = 1"),
        ("st.weak [y], 1", "ld.weak r0, [y]", "1:r0 = 0"),
        ("L: ld.weak r0, [y]; bne r0, 1, L", "st.weak [y], 1", "0:r0 = 1"),
    ],
)
def test_who_waits_for_an_exit_comes_after_it(
    first: str, second: str, condition: str, model: str
) -> None:
    text = EXIT.format(first=first, second=second, condition=condition)
    assert outcome_of(text, model).positive == 0


def test_an_exit_orders_no_memory_in_ptx() -> None:
    text = EXIT.format(first="ld.weak r0, [y]", second="st.weak [y], 1", condition="0:r0 = 1")
    assert outcome_of(text).positive == 1


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_phases_of_a_barrier_come_one_after_the_other(model: str) -> None:
    text = """PTX t { 1:p1 = 0; 2:p2 = 1; }
    P0@cta 0,gpu 0 { bar.arrive 1, 2; ld.weak r0, [x]; }
    P1@cta 0,gpu 0 { st.weak [x], 2; bar.red.popc.u32 r1, 1, 2, p1; bar.sync 1, 2; }
    P2@cta 0,gpu 0 { bar.red.popc.u32 r2, 1, 2, p2; }
    exists (0:r0 = 0 /\\ 1:r1 = 1)"""
    assert outcome_of(text, model).positive == 0
    assert outcome_of(text, "ptx").positive > 0


def test_the_order_of_phases_does_not_multiply_executions(tmp_path: Path) -> None:
    text = """PTX t { }
    P0@cta 0,gpu 0 { bar.sync 0, 2; } P1@cta 0,gpu 0 { bar.sync 0, 2; }
    P2@cta 0,gpu 0 { bar.sync 0, 2; } P3@cta 0,gpu 0 { bar.sync 0, 2; } forall (true)"""
    # Three ways to pair four threads, in whatever order the pairs meet.
    assert outcome_of(text, model_of("let nothing = 0", tmp_path)).positive == 3
