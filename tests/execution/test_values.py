"""Values of executions: equations along rf, values out of thin air, unknown ones, addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.arch.ptx.mbarrier import Mbarrier
from catpy.arch.terms import Address, Unknown
from catpy.errors import TestError
from tests.support import model_of, outcome_of

LB = """
PTX LB {{ x={x}; y={y}; }}
P0@cta 0,gpu 0 {{ ld.weak r0, [x]; {first} }}
P1@cta 1,gpu 0 {{ ld.weak r0, [y]; {second} }}
locations [0:r0; 1:r0;]
{condition}
"""


def lb(tmp_path: Path, first: str, second: str, condition: str, x: str = "0", y: str = "0") -> set:  # type: ignore[type-arg]
    """The states of a load-buffering test under a model that allows everything."""
    text = LB.format(first=first, second=second, condition=condition, x=x, y=y)
    outcome = outcome_of(text, model_of("let nothing = 0", tmp_path))
    return {s.values for s in outcome.states}


def test_values_that_depend_on_themselves_are_those_of_the_test_and_one_unknown(
    tmp_path: Path,
) -> None:
    copy = "st.weak [y], r0;", "st.weak [x], r0;"
    states = lb(tmp_path, *copy, condition="exists (0:r0=42 /\\ 1:r0=42)")
    assert states == {
        (0, 0),
        (42, 42),
        (Unknown("thin_air", invented=True), Unknown("thin_air", invented=True)),
    }


def test_a_value_that_grows_round_a_cycle_has_no_solution(tmp_path: Path) -> None:
    grow = "add r1, r0, 1; st.weak [y], r1;", "add r1, r0, 1; st.weak [x], r1;"
    # Each reads 0, or what the other made of 0; nothing satisfies r = r + 2.
    assert lb(tmp_path, *grow, condition="exists (0:r0=0)") == {(0, 0), (0, 1), (1, 0)}


def test_an_arrival_for_copies_loses_no_arrival_of_another_thread() -> None:
    text = """
    PTX t {{ .shared .u32 s = 0; .global .u32 g; .shared .mbarrier m = 1; }}
    P0@cta 0,gpu 0 {{
        cp.async.ca.shared.global [s], [g], 4;
        cp.async.mbarrier.arrive{noinc}.shared.b64 [m];
    }}
    P1@cta 0,gpu 0 {{ mbarrier.arrive.shared.b64 _, [m]; }}
    locations [m;]
    exists (true)
    """
    # One arrival that was expected, and one that was not unless it was announced (its own phase).
    phases = {"": 1, ".noinc": 2}
    for noinc, phase in phases.items():
        outcome = outcome_of(text.format(noinc=noinc))
        assert {state.values for state in outcome.states} == {(Mbarrier(phase, 1, 1, 0),)}


def test_a_false_dependency_settles_its_cycle(tmp_path: Path) -> None:
    false = "and r1, r0, 0; add r1, r1, 7; st.weak [y], r1;"
    states = lb(tmp_path, false, "st.weak [x], r0;", condition="exists (0:r0=0)")
    assert states == {(0, 0), (0, 7), (7, 7)}


def test_a_cycle_through_a_branch_needs_a_value_that_takes_it(tmp_path: Path) -> None:
    first = "beq r0, 0, L; st.weak [y], r0; L:"
    second = "beq r0, 0, L; st.weak [x], r0; L:"
    states = lb(tmp_path, first, second, condition="exists (0:r0=3)")
    assert states == {
        (0, 0),
        (3, 3),
        (Unknown("thin_air", invented=True), Unknown("thin_air", invented=True)),
    }


def test_no_thin_air_rejects_all_of_that() -> None:
    text = LB.format(
        first="st.weak [y], r0;", second="st.weak [x], r0;", condition="exists (0:r0=42)", x=0, y=0
    )
    assert [s.values for s in outcome_of(text).states] == [(0, 0)]


def test_an_unknown_value_equals_itself_alone() -> None:
    text = """PTX unknown { x = ?; y = ?; }
    P0 { ld.weak r0, [x]; ld.weak r1, [x]; }
    forall (0:r0 = 0:r1 /\\ 0:r0 = ?x /\\ 0:r0 != 0 /\\ 0:r0 != ?y)"""
    assert outcome_of(text).verdict.value == "Ok"


def test_a_branch_on_an_unknown_value_is_an_error() -> None:
    text = """PTX unknown { x = ?; }
    P0 { ld.weak r0, [x]; setp.lt.u32 p0, r0, 3; @p0 st.weak [y], 1; }
    exists (y=1)"""
    with pytest.raises(TestError, match="not known"):
        outcome_of(text)


def test_ordering_an_unknown_value_in_a_condition_is_an_error() -> None:
    text = "PTX unknown { x = ?; } P0 { ld.weak r0, [x]; } exists (0:r0 < 3)"
    with pytest.raises(TestError, match="= and != only"):
        outcome_of(text)


def test_addresses_are_values() -> None:
    text = """PTX pointer { p = &x; x = 5; }
    P0 { ld.weak r0, [p]; ld.weak r1, [r0]; }
    exists (0:r0 = x /\\ 0:r0 = &x /\\ 0:r1 = 5)"""
    outcome = outcome_of(text)
    assert outcome.verdict.value == "Ok"
    assert outcome.states[0].values[0] == Address("x")


def test_an_access_through_a_wild_pointer_is_an_error_where_a_model_allows_it() -> None:
    text = """PTX wild { p = 0; }
    P0@cta 0,gpu 0 { st.weak [p], x; }
    P1@cta 1,gpu 0 { ld.weak r0, [p]; ld.weak r1, [r0]; }
    exists (1:r1=0)"""
    with pytest.raises(TestError, match="no address of a location") as caught:
        outcome_of(text)
    assert caught.value.span is not None
    assert caught.value.span.text == "[r0]"


def test_the_same_access_is_fine_where_no_execution_gets_there() -> None:
    text = """PTX tame { p = 0; }
    P0@cta 0,gpu 0 { st.weak [p], x; st.release.gpu [f], 1; }
    P1@cta 1,gpu 0 {
      ld.acquire.gpu r2, [f]; beq r2, 0, L; ld.weak r0, [p]; ld.weak r1, [r0]; L: }
    exists (1:r2=1 /\\ 1:r1=0)"""
    assert outcome_of(text).verdict.value == "Ok"


def test_filter_keeps_the_states_that_satisfy_it() -> None:
    text = """PTX filtered { }
    P0@cta 0,gpu 0 { st.weak [x], 1; st.weak [y], 1; }
    P1@cta 1,gpu 0 { ld.weak r0, [y]; ld.weak r1, [x]; }
    filter (1:r0=1)
    exists (1:r1=0)"""
    outcome = outcome_of(text)
    # What only the filter names is not shown.
    assert [s.values for s in outcome.states] == [(0,), (1,)]


def test_without_a_condition_all_registers_read_and_all_locations_are_shown() -> None:
    text = "PTX all { } P0 { st.weak [x], 1; ld.weak r0, [y]; add r1, r0, 1; }"
    outcome = outcome_of(text)
    assert [str(o) for o in outcome.observables] == ["0:r0", "x", "y"]
    assert (outcome.quantifier, outcome.verdict.value) == ("forall", "Ok")


def test_the_final_value_of_an_alias_is_that_of_its_location() -> None:
    text = "PTX alias { x=0; y aliases x; } P0 { st.weak [y], 3; } forall (x=3 /\\ y=3)"
    assert outcome_of(text).verdict.value == "Ok"


def test_a_reduction_at_a_barrier_returns_what_its_phase_gives() -> None:
    text = """PTX reduce { }
    P0@cta 0,gpu 0 { mov r0, 1; bar.red.popc.u32 r1, 0, r0; }
    P1@cta 0,gpu 0 { ld.weak r0, [x]; bar.red.popc.u32 r1, 0, r0; }
    P2@cta 0,gpu 0 { st.weak [x], 1; bar.red.popc.u32 r1, 0, 0; }
    exists (0:r1=2)"""
    outcome = outcome_of(text)
    assert [s.values for s in outcome.states] == [(1,), (2,)]


def test_flags_come_from_executions_that_the_model_allows(tmp_path: Path) -> None:
    model = model_of("empty rf & ext\nflag ~empty rf & int as own-read", tmp_path)
    text = "PTX flagged { } P0 { st.weak [x], 1; ld.weak r0, [x]; } exists (0:r0=1)"
    assert outcome_of(text, model).flags == ("own-read",)


def test_undefined_unless_makes_the_verdict_undefined(tmp_path: Path) -> None:
    model = model_of("undefined_unless empty rf as no-reads", tmp_path)
    text = "PTX undefined { } P0 { ld.weak r0, [x]; } exists (0:r0=0)"
    outcome = outcome_of(text, model)
    assert (outcome.verdict.value, outcome.flags) == ("Undefined", ("*undef*",))
