"""The block engine gives what the reference engine gives: states, counts, flags, stuck and cut."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catpy.cat.interpreter import Settings
from catpy.cat.syntax import Check
from catpy.errors import CatpyError
from catpy.execution import run_test
from catpy.execution.outcome import join
from catpy.execution.search import Effort
from catpy.litmus import LitmusTest
from tests.execution import chapter8, generate
from tests.execution.agreement import INSTALLED, agree, candidates, result, small_blocks
from tests.support import ISA, isa_test, load_model, model_of, test_of

#: There is nothing to shrink in a seed.
many = settings(deadline=None, max_examples=80, phases=[Phase.explicit, Phase.generate])
seeds = st.integers(0, 2**32 - 1)


def small_test(random: Random, most: int = 600) -> LitmusTest:
    """A random test that the reference engine gets through in little time."""
    while True:
        make = generate.litmus_test if random.random() < 0.6 else generate.variation
        try:
            test = test_of(make(random))
            size = candidates(test)
        except CatpyError:
            continue  # a variation that is no PTX
        if size <= most:
            return test


# Random tests and models


@pytest.mark.parametrize("name", INSTALLED)
@many
@given(seed=seeds)
def test_engines_agree_on_random_tests(name: str, seed: int) -> None:
    agree(small_test(Random(seed)), load_model(name))


@many
@given(seed=seeds)
def test_engines_agree_on_random_models(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    random = Random(seed)
    test, model = small_test(random, 150), generate.model(random)
    agree(test, model_of(model, tmp_path_factory.mktemp("model")))


@pytest.mark.parametrize("name", INSTALLED)
@many
@given(seed=seeds)
def test_small_blocks_make_no_difference(name: str, seed: int) -> None:
    with small_blocks():
        agree(small_test(Random(seed), 300), load_model(name))


@many
@given(seed=seeds)
def test_small_blocks_make_no_difference_to_random_models(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    random = Random(seed)
    test, model = small_test(random, 150), generate.model(random)
    with small_blocks():
        agree(test, model_of(model, tmp_path_factory.mktemp("model")))


# The tests of litmus/isa

#: What the reference engine takes minutes for.
TOO_LONG = {("SCperLoc+ring5+co", "sc"), ("SCperLoc+ring5+co", "tso")}


@pytest.mark.parametrize("path", sorted(ISA.glob("*.litmus")), ids=lambda path: path.stem)
def test_engines_agree_on_the_tests_of_the_isa(path: Path) -> None:
    for name in INSTALLED:
        if (path.stem, name) not in TOO_LONG:
            agree(isa_test(path.stem), load_model(name))


# The generator: it has to notice when a check is missing on one side.

#: The flavour of tests that need a check which plain accesses do not.
FLAVOURS = {
    "Mixed-RMW": "mixed atomics",
    "Mixed-RMW-order": "mixed atomics",
    "mixed-size-data-race": "sizes",
    "outside-the-model": "aliases",
    "mbarrier-uninitialised": "inits",
}

#: Checks that follow from the others, as the heads of the models say.
IMPLIED = {
    "ptx": {"Coherence", "Fence-SC", "Single-Copy-Atomicity"},
    "ptx-v7.5": {"Coherence", "Fence-SC"},
    "ptx-v6.0": {"Coherence", "Fence-SC"},
}


def checks_of(name: str) -> list[str]:
    names = [s.name for s in load_model(name).statements if isinstance(s, Check) and s.name]
    return [check for check in names if check not in IMPLIED.get(name, set())]


@pytest.mark.parametrize(
    ("name", "check"), [(name, check) for name in INSTALLED for check in checks_of(name)]
)
def test_the_generator_notices_a_missing_check(name: str, check: str) -> None:
    model = load_model(name)
    for seed in range(1500):
        random, flavour = Random(seed), FLAVOURS.get(check)
        if check == "SC-per-Location" and name in ("ptx", "ptx-v7.5"):
            test = test_of(generate.ring(random))  # Causality orders what other tests need it for
        else:
            test = chapter8.small_test(random, flavour) if flavour else small_test(random)
        without = result(test, model, settings=Settings(skip=frozenset({check})))
        if without != result(test, model):
            assert without != result(test, model, "naive")
            return
    pytest.fail("no random test needs this check")


# Ways to search


@pytest.mark.parametrize("engine", ["fast", "naive"])
@pytest.mark.parametrize("name", INSTALLED)
@settings(many, max_examples=25)
@given(seed=seeds, parts=st.integers(2, 5))
def test_parts_make_the_whole(name: str, engine: str, seed: int, parts: int) -> None:
    test, model = small_test(Random(seed)), load_model(name)
    try:
        whole = run_test(test, model)
    except CatpyError:
        return
    efforts = [Effort(engine, part=part, parts=parts) for part in range(parts)]
    joined = join([run_test(test, model, effort=effort) for effort in efforts])
    assert joined.executions == whole.executions
    assert joined.satisfying == whole.satisfying
    assert (joined.flags, joined.undefined) == (whole.flags, whole.undefined)
    assert (joined.stuck, joined.cut) == (whole.stuck, whole.cut)


@pytest.mark.parametrize("name", INSTALLED)
@many
@given(seed=seeds)
def test_states_only_gives_the_same_states_and_flags(name: str, seed: int) -> None:
    test, model = small_test(Random(seed)), load_model(name)
    try:
        whole = run_test(test, model)
    except CatpyError:
        return
    with small_blocks():
        quick = run_test(test, model, effort=Effort(states_only=True))
    assert quick.executions == dict.fromkeys(whole.executions, 1)
    assert (quick.flags, quick.stuck, quick.cut) == (whole.flags, whole.stuck, whole.cut)


@pytest.mark.parametrize("engine", ["fast", "naive"])
@pytest.mark.parametrize("name", INSTALLED)
@settings(many, max_examples=25)
@given(seed=seeds)
def test_the_first_state_that_decides_gives_the_same_verdict(
    name: str, engine: str, seed: int
) -> None:
    test, model = small_test(Random(seed)), load_model(name)
    try:
        whole = run_test(test, model)
    except CatpyError:
        return
    first = run_test(test, model, effort=Effort(engine, first=True))
    assert first.verdict == whole.verdict
    assert first.executions.keys() <= whole.executions.keys()
    assert first.decided or first.executions == whole.executions


def test_the_search_ends_with_the_state_that_decides() -> None:
    outcome = run_test(isa_test("SB"), load_model("ptx"), effort=Effort("naive", first=True))
    assert outcome.decided
    assert outcome.candidates < run_test(isa_test("SB"), load_model("ptx")).candidates


def test_a_verdict_that_can_be_undefined_needs_the_whole_search(tmp_path: Path) -> None:
    text = '"m"\nundefined_unless empty [range rf] & [R] as never\n'
    outcome = run_test(isa_test("SB"), model_of(text, tmp_path), effort=Effort(first=True))
    assert (outcome.decided, outcome.verdict.value) == (False, "Undefined")
