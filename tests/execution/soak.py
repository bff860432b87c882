"""Compares the engines on many more tests than the test suite does, for as long as one likes.

`python -m tests.execution.soak --minutes 60` takes random tests, a seed each; with files or folders
it takes those. It prints the tests on which the engines do not agree, with what is left of each
when everything is taken away that makes no difference to that; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.errors import CatpyError
from catpy.execution import Outcome, run_test
from catpy.execution.outcome import join
from catpy.execution.search import Effort
from catpy.litmus import LitmusTest
from tests.execution import chapter8, generate
from tests.execution.agreement import SETTINGS, is_part, seen, small_blocks
from tests.execution.flavours import MENUS
from tests.support import model_of, read_test, test_of


class TooLong(Exception):  # noqa: N818  (no error of anybody)
    """A search by the block engine did not come to its end in the time it has."""


@dataclass(frozen=True)
class Judge:
    """A model, as it is run; a search may take some seconds."""

    name: str
    model: Model
    settings: Settings
    seconds: float

    def naive(self, test: LitmusTest) -> Outcome:
        """What the reference engine finds, which may not be all."""
        return self._run(test, Effort("naive"))

    def fast(self, test: LitmusTest, effort: Effort | None = None) -> Outcome:
        """What the block engine finds; raises TooLong where that is not all."""
        found = self._run(test, effort or Effort())
        if found.incomplete:
            raise TooLong
        return found

    def _run(self, test: LitmusTest, effort: Effort) -> Outcome:
        effort = replace(effort, timeout=self.seconds)
        return run_test(test, self.model, settings=self.settings, effort=effort)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="tests and folders of them")
    parser.add_argument("--minutes", type=float, default=1, help="how long (1), for random tests")
    parser.add_argument("--seconds", type=float, default=10, help="for one search (10)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--flavour", help="of random tests (any)", choices=MENUS)
    parser.add_argument("--most", type=int, default=600, help="candidates of a random test (600)")
    arguments = parser.parse_args()
    counts = Counter[str]()
    try:
        for label, test, random in tests(arguments):
            with TemporaryDirectory() as folder:
                for judge in judges(arguments, random, Path(folder)):
                    counts[f"{judge.name}: {_compare(label, test, judge, random)}"] += 1
    except KeyboardInterrupt:
        print("interrupted")
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")
    return 1 if any(_DIFFERENT in what for what in counts) else 0


def tests(arguments: argparse.Namespace) -> Iterator[tuple[str, LitmusTest, Random]]:
    """The tests, each with a name and numbers of its own."""
    deadline = time.monotonic() + 60 * arguments.minutes
    for path in arguments.files:
        for file in sorted(path.glob("*.litmus")) if path.is_dir() else [path]:
            yield file.stem, read_test(file), Random(0)
    seeds = count(arguments.first) if not arguments.files else ()
    for seed in seeds:
        if time.monotonic() > deadline:
            print(f"seeds {arguments.first} to {seed - 1}")
            return
        random = Random(seed)
        test = chapter8.small_test(random, arguments.flavour, most=arguments.most)
        yield f"seed {seed}", test, random


def judges(arguments: argparse.Namespace, random: Random, folder: Path) -> Iterator[Judge]:
    """The installed models with their variants, and a random one for a random test."""
    for setting in SETTINGS:
        yield Judge(str(setting), setting.model, setting.settings, arguments.seconds)
    if not arguments.files:
        model = model_of(generate.model(random, wide=True), folder)
        yield Judge("random", model, Settings(), arguments.seconds)


_DIFFERENT = "different"


def _compare(label: str, test: LitmusTest, judge: Judge, random: Random) -> str:
    """What came of a comparison."""
    naive = outcome_or_error(test, judge)
    ways = [*_ALWAYS, random.choice(_SOMETIMES)]
    if naive is None:
        ways = [*_ALWAYS]
    elif naive.incomplete:
        ways = [_whole]
    try:
        way = difference(test, judge, naive, ways)
    except TooLong:
        print(f"{label}, {judge.name}: too long", flush=True)
        return "too long"
    if way is not None:
        _report(label, reduced(test, judge, way), judge, way)
        return _DIFFERENT
    if naive is not None and naive.incomplete:
        print(f"{label}, {judge.name}: compared with a part of it", flush=True)
        return "equal as far as the reference engine came"
    return "equal" if naive is not None else "an error"


# Ways to search, each with whether it finds what the reference engine found; None is an error


def _whole(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    fast = judge.fast(test)
    if naive is not None and naive.incomplete:
        return is_part(naive, fast)
    return naive is not None and seen(fast) == seen(naive)


def _small_blocks(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    with small_blocks():
        return _whole(test, judge, naive)


def _states_only(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    with small_blocks():
        fast = judge.fast(test, Effort(states_only=True))
    assert naive is not None
    return (fast.executions, fast.flags) == (dict.fromkeys(naive.executions, 1), naive.flags)


def _parts(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    parts = [judge.fast(test, Effort(part=part, parts=3)) for part in range(3)]
    assert naive is not None
    return seen(join(parts)) == seen(naive)


def _first(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    assert naive is not None
    return judge.fast(test, Effort(first=True)).verdict == naive.verdict


Way = Callable[[LitmusTest, Judge, Outcome | None], bool]
_ALWAYS: tuple[Way, ...] = (_whole, _small_blocks)
#: These need not look at every execution, and so may miss what is an error of the test.
_SOMETIMES: tuple[Way, ...] = (_states_only, _parts, _first)


def outcome_or_error(test: LitmusTest, judge: Judge) -> Outcome | None:
    """What the reference engine finds; None where the test or the model is wrong."""
    try:
        return judge.naive(test)
    except CatpyError:
        return None


def difference(
    test: LitmusTest, judge: Judge, naive: Outcome | None, ways: Sequence[Way]
) -> Way | None:
    """The first way that finds something else than the reference engine; None where none does."""
    for way in ways:
        try:
            same = way(test, judge, naive)
        except CatpyError:
            same = naive is None
        if not same:
            return way
    return None


# What is left of a difference


def reduced(test: LitmusTest, judge: Judge, way: Way) -> LitmusTest:
    """The test without what makes no difference to a difference."""
    while (smaller := _smaller(test, judge, way)) is not None:
        test = smaller
    return test


def _smaller(test: LitmusTest, judge: Judge, way: Way) -> LitmusTest | None:
    """The test without one of the things that end with a semicolon."""
    text = test.source.text
    for piece in reversed(list(re.finditer(r"[^;{}\n]+;", text))):
        try:
            smaller = test_of(text[: piece.start()] + text[piece.end() :])
            naive = outcome_or_error(smaller, judge)
            if (naive is not None or way in _ALWAYS) and difference(smaller, judge, naive, [way]):
                return smaller
        except (CatpyError, TooLong):
            continue  # what is left is no test, or a larger one
    return None


def _report(label: str, test: LitmusTest, judge: Judge, way: Way) -> None:
    print(f"{label}, {judge.name}, {way.__name__}", test.source.text, sep="\n", flush=True)
    if judge.name == "random":
        print(judge.model.path.read_text("utf-8"), flush=True)


if __name__ == "__main__":
    sys.exit(main())
