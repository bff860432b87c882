"""What is said to be impossible at one look has no choice of sources that gives its values."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catpy.arch import build_program
from catpy.arch.program import Options
from catpy.errors import CatpyError
from catpy.execution.blocks.supports import lacks_support
from catpy.execution.candidates import skeletons
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import rf_choices, valuations
from tests.execution import generate
from tests.support import test_of


def flows_of(text: str, spin: int | None = None) -> tuple[list[Skeleton], list[Skeleton]]:
    """The control flows of a test that may be possible, and those that are said not to be."""
    program = build_program(test_of(text), Options(1, spin=spin))
    possible: list[Skeleton] = []
    impossible: list[Skeleton] = []
    for skeleton in skeletons(program):
        (impossible if lacks_support(skeleton) else possible).append(skeleton)
    for skeleton in impossible:
        found = (valuations(skeleton, choice, program.constants) for choice in rf_choices(skeleton))
        assert not any(map(list, found)), text
    return possible, impossible


@pytest.mark.parametrize("make", [generate.litmus_test, generate.waiting_test, generate.variation])
@settings(deadline=None, max_examples=150, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32 - 1))
def test_no_sources_give_what_lacks_support(make: Callable[[Random], str], seed: int) -> None:
    try:
        flows_of(make(Random(seed)))
    except CatpyError:
        return  # a variation that is no PTX


READER = "P1@cta 1,gpu 0 { ld.relaxed.gpu r0, [x]; beq r0, 2, L; st.weak [y], 1; L: }"
TEST = "PTX t {{ x = 0; }} P0@cta 0,gpu 0 {{ {} }} {} exists (1:r0 = 0)"


def test_a_value_that_nobody_writes_is_missed() -> None:
    possible, impossible = flows_of(TEST.format("st.relaxed.gpu [x], 1;", READER))
    assert (len(possible), len(impossible)) == (1, 1)


def test_a_value_that_is_computed_may_be_any() -> None:
    code = "ld.weak r1, [z]; st.relaxed.gpu [x], r1; st.weak [z], 1;"
    possible, impossible = flows_of(TEST.format(code, READER))
    assert (len(possible), len(impossible)) == (2, 0)


def test_a_value_that_is_not_known_may_be_any() -> None:
    text = TEST.format("st.relaxed.gpu [x], 1;", READER.replace("beq r0, 2", "blt r0, 0"))
    possible, impossible = flows_of(text.replace("x = 0", "x = ?"))
    assert (len(possible), len(impossible)) == (2, 0)


def test_conditions_on_one_read_have_to_hold_together() -> None:
    reader = READER.replace("beq r0, 2, L;", "blt r0, 1, L; bgt r0, 1, L;")
    possible, impossible = flows_of(TEST.format("st.relaxed.gpu [x], 2;", reader))
    assert (len(possible), len(impossible)) == (2, 1)
