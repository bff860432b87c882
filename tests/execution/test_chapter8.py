"""The engines agree on all that chapter 8 has: random tests, and the installed ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catpy.arch import build_program
from catpy.arch.program import Options
from catpy.errors import CatpyError
from tests.execution import generate
from tests.execution.agreement import SETTINGS, agree, candidates, result, small_blocks
from tests.execution.chapter8 import litmus_test, small_test
from tests.execution.flavours import MENUS
from tests.support import ASYNC, HANDOFF, load_model, model_of, read_test, test_of

few = settings(deadline=None, max_examples=5, phases=[Phase.explicit, Phase.generate])
seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("flavour", [*MENUS, None])
@few
@given(seed=seeds)
def test_engines_agree_on_random_tests(flavour: str | None, seed: int) -> None:
    """`python -m tests.execution.soak` does this with as many as one likes."""
    test = small_test(Random(seed), flavour, most=200)
    for setting in SETTINGS:
        naive = result(test, setting.model, "naive", setting.settings)
        assert result(test, setting.model, "fast", setting.settings) == naive, test.source.text
        with small_blocks():
            assert result(test, setting.model, "fast", setting.settings) == naive, test.source.text


@settings(few, max_examples=40)
@given(seed=seeds)
def test_engines_agree_on_random_models(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    random = Random(seed)
    test, model = small_test(random, most=16), generate.model(random, wide=True)
    agree(test, model_of(model, tmp_path_factory.mktemp("model")))


# The generator


@pytest.mark.parametrize("flavour", MENUS)
def test_most_random_texts_are_tests(flavour: str) -> None:
    wrong = 0
    for seed in range(30):
        text = litmus_test(Random(seed), flavour)
        try:
            build_program(test_of(text), Options())
        except CatpyError:
            wrong += 1
    assert wrong <= 3


def test_most_random_tests_are_right_and_have_several_final_states() -> None:
    found = [result(small_test(Random(seed)), load_model("ptx")) for seed in range(40)]
    states = [len(outcome[0]) if isinstance(outcome, tuple) else -1 for outcome in found]
    assert sum(number < 0 for number in states) <= 4
    assert sum(number > 1 for number in states) >= 24


# The installed tests

#: More candidates than these would take the reference engine too long (`tests.execution.soak` has
#: longer), and than so many under every model.
MOST, MANY = 1000, 300
COLLECTED = [path for folder in (ASYNC, HANDOFF) for path in sorted(folder.glob("*.litmus"))]


@cache
def size(path: Path) -> int:
    return candidates(read_test(path))


@pytest.mark.parametrize("path", COLLECTED, ids=lambda path: path.stem)
def test_engines_agree_on_installed_tests(path: Path) -> None:
    if size(path) > MOST:
        pytest.skip(f"{size(path):,} candidates")
    for setting in SETTINGS:
        if size(path) <= MANY or setting.name == "ptx":
            agree(read_test(path), setting.model, setting.settings)


def test_what_is_too_large_to_compare_are_whole_programs() -> None:
    left_out = [path.stem for path in COLLECTED if size(path) > MOST]
    assert len(left_out) <= 0.3 * len(COLLECTED), left_out
