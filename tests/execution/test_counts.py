"""The numbers of executions and states equal those known in closed form or counted by hand."""

from __future__ import annotations

from itertools import pairwise
from math import factorial
from pathlib import Path

import pytest

from tests.support import model_of, outcome_of


def columns(*threads: list[str]) -> str:
    """The threads of a test, each in its own CTA, in block form."""
    return "\n".join(
        f"P{number}@cta {number},gpu 0 {{ {'; '.join(code)}; }}"
        for number, code in enumerate(threads)
    )


def store_buffering_ring(size: int) -> str:
    names = [f"x{i}" for i in range(size)]
    around = pairwise([*names, names[0]])
    code = [
        [f"st.relaxed.gpu [{own}], 1", "fence.sc.gpu", f"ld.relaxed.gpu r0, [{other}]"]
        for own, other in around
    ]
    return f"PTX ring {{ }}\n{columns(*code)}\nexists ({all_zero(size)})"


def all_zero(size: int) -> str:
    return " /\\ ".join(f"{i}:r0=0" for i in range(size))


@pytest.mark.parametrize("model", ["sc", "tso", "ptx", "ptx-v6.0"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_fenced_ring_allows_all_but_one_combination(size: int, model: str) -> None:
    outcome = outcome_of(store_buffering_ring(size), model)
    assert len(outcome.states) == outcome.negative == 2**size - 1
    assert outcome.positive == 0


@pytest.mark.parametrize("model", ["sc", "tso", "ptx", "ptx-v6.0"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_atomic_adds_come_in_every_order(size: int, model: str) -> None:
    code = [["atom.add.gpu.u32 r0, [x], 1"]] * size
    outcome = outcome_of(f"PTX adds {{ }}\n{columns(*code)}\nforall (x={size})", model)
    registers = " /\\ ".join(f"{i}:r0={i}" for i in range(size))
    shown = outcome_of(f"PTX adds {{ }}\n{columns(*code)}\nexists ({registers})", model)
    assert (outcome.positive, outcome.negative) == (factorial(size), 0)
    assert len(shown.states) == factorial(size)
    assert shown.positive == 1


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_coherence_of_strong_writes_is_every_total_order(size: int) -> None:
    code = [[f"st.relaxed.gpu [x], {i + 1}"] for i in range(size)]
    outcome = outcome_of(f"PTX co {{ }}\n{columns(*code)}\nexists (x=1)")
    # One execution for each order of the writes; each writer is last in an equal share of them.
    assert outcome.positive + outcome.negative == factorial(size)
    assert [s.executions for s in outcome.states] == [factorial(size) // size] * size


def test_racing_weak_writes_are_one_execution_with_several_final_states() -> None:
    code = [["st.weak [x], 1"], ["st.weak [x], 2"]]
    outcome = outcome_of(f"PTX race {{ }}\n{columns(*code)}\nlocations [x;]\nexists (x=1)")
    assert [(s.values, s.executions) for s in outcome.states] == [((1,), 1), ((2,), 1)]
    assert outcome.candidates == 1


def test_states_count_once_where_only_equal_values_are_shown() -> None:
    code = [["st.weak [x], 1"], ["st.weak [x], 1"], ["ld.weak r0, [x]"]]
    outcome = outcome_of(f"PTX race {{ }}\n{columns(*code)}\nexists (x=1)")
    # Three sources for the read, and in each execution x=1 whichever write is last.
    assert [(s.values, s.executions) for s in outcome.states] == [((1,), 3)]


IRIW = [
    ["st.relaxed.gpu [x], 1"],
    ["st.relaxed.gpu [y], 1"],
    ["ld.relaxed.gpu r0, [x]", "ld.relaxed.gpu r1, [y]"],
    ["ld.relaxed.gpu r0, [y]", "ld.relaxed.gpu r1, [x]"],
]


@pytest.mark.parametrize(("model", "states"), [("sc", 15), ("tso", 15), ("ptx", 16)])
def test_independent_reads_of_independent_writes(model: str, states: int) -> None:
    condition = "exists (2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)"
    outcome = outcome_of(f"PTX IRIW {{ }}\n{columns(*IRIW)}\n{condition}", model)
    assert len(outcome.states) == outcome.positive + outcome.negative == states


SB = [["st.weak [x], 1", "ld.weak r0, [y]"], ["st.weak [y], 1", "ld.weak r0, [x]"]]


def test_with_multiplies_the_count(tmp_path: Path) -> None:
    model = model_of("with o from linearisations(W \\ IW, 0)", tmp_path)
    outcome = outcome_of(f"PTX SB {{ }}\n{columns(*SB)}\nexists ({all_zero(2)})", model)
    assert (outcome.positive, outcome.negative) == (2, 6)


def test_some_does_not_multiply_the_count(tmp_path: Path) -> None:
    model = model_of("some o from linearisations(W \\ IW, 0)", tmp_path)
    outcome = outcome_of(f"PTX SB {{ }}\n{columns(*SB)}\nexists ({all_zero(2)})", model)
    assert (outcome.positive, outcome.negative) == (1, 3)


def test_what_some_chooses_widens_the_states_of_one_execution(tmp_path: Path) -> None:
    """`some` is a witness: the states that any choice allows, each counted once."""
    text = "some o from linearisations(W \\ IW, 0)\nlet co = o | (IW * (W \\ IW) & loc)"
    code = [["st.weak [x], 1"], ["st.weak [x], 2"]]
    outcome = outcome_of(
        f"PTX race {{ }}\n{columns(*code)}\nexists (x=1)", model_of(text, tmp_path)
    )
    assert [(s.values, s.executions) for s in outcome.states] == [((1,), 1), ((2,), 1)]
    assert outcome.candidates == 1


def test_with_tells_the_executions_of_those_states_apart(tmp_path: Path) -> None:
    text = "with o from linearisations(W \\ IW, 0)\nlet co = o | (IW * (W \\ IW) & loc)"
    code = [["st.weak [x], 1"], ["st.weak [x], 1"]]
    outcome = outcome_of(
        f"PTX race {{ }}\n{columns(*code)}\nexists (x=1)", model_of(text, tmp_path)
    )
    assert [(s.values, s.executions) for s in outcome.states] == [((1,), 2)]


def test_a_model_without_co_lets_any_write_be_last_but_the_initial_one(tmp_path: Path) -> None:
    code = [["st.weak [x], 1"], ["st.weak [x], 2"]]
    outcome = outcome_of(
        f"PTX race {{ }}\n{columns(*code)}\nexists (x=0)", model_of("let unused = po", tmp_path)
    )
    assert [s.values for s in outcome.states] == [(1,), (2,)]


LOOP = """
PTX loop {{ }}
P0@cta 0,gpu 0 {{ st.relaxed.gpu [x], 1; }}
P1@cta 1,gpu 0 {{ L: ld.relaxed.gpu r0, [x]; bne r0, 1, L; }}
{condition}
"""


@pytest.mark.parametrize(("unroll", "done"), [(0, 1), (1, 2), (2, 3), (5, 6)])
def test_a_loop_runs_up_to_the_bound_and_what_is_cut_is_counted(unroll: int, done: int) -> None:
    outcome = outcome_of(LOOP.format(condition="forall (1:r0=1)"), unroll=unroll)
    assert (outcome.positive, outcome.negative, outcome.cut) == (done, 0, 1)
    assert outcome.bounded


def test_cut_executions_are_judged_by_the_model() -> None:
    """A read that must see the write cannot go round: nothing is cut there."""
    text = """PTX own { }
    P0 { st.weak [x], 1; L: ld.weak r0, [x]; bne r0, 1, L; }
    forall (0:r0=1)"""
    outcome = outcome_of(text)
    assert (outcome.positive, outcome.cut, outcome.bounded) == (1, 0, False)


def test_stuck_executions_are_counted_and_give_no_state() -> None:
    text = """PTX stuck { }
    P0@cta 0,gpu 0 { bar.sync 0; st.weak [x], 1; }
    P1@cta 0,gpu 0 { bar.sync 1; ld.weak r0, [x]; }
    forall (1:r0=1)"""
    outcome = outcome_of(text)
    assert (outcome.states, outcome.stuck, outcome.verdict.value) == ((), 1, "Ok")
    assert outcome.observation == "Never"


def test_stuck_executions_count_once_for_what_the_threads_did() -> None:
    """The branches behind the barrier that nobody passes make no difference."""
    text = """PTX stuck { }
    P0@cta 0,gpu 0 { bar.sync 0, 2; ld.weak r0, [x]; beq r0, 0, L; st.weak [y], 1; L: }
    exists (y=1)"""
    assert outcome_of(text).stuck == 1


def test_who_meets_at_a_counted_barrier_is_part_of_the_execution() -> None:
    text = """PTX three { }
    P0@cta 0,gpu 0 { bar.sync 0, 2; }
    P1@cta 0,gpu 0 { bar.sync 0, 2; }
    P2@cta 0,gpu 0 { bar.sync 0, 2; }
    exists (true)"""
    # Two of three meet and the third is stuck: three ways.
    assert outcome_of(text).stuck == 3
