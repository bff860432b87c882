"""Compares the engines on many more random tests than the test suite does, as long as one likes.

`python -m tests.execution.soak --minutes 60` prints the tests on which they do not agree, with what
is left of each when everything is taken away that makes no difference to that; the exit status is 1
then. Every seed is a test of its own.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from tests.execution.agreement import SETTINGS, seen, small_blocks
from tests.execution.flavours import MENUS
from tests.support import model_of, test_of

#: For one search. Random models may have any number of choices.
_SECONDS = 10


class TooLong(Exception):  # noqa: N818  (no error of anybody)
    """A search took too long. The text says which engine."""


@dataclass(frozen=True)
class Judge:
    """A model, as it is run."""

    name: str
    model: Model
    settings: Settings

    def outcome(self, test: LitmusTest, effort: Effort) -> Outcome:
        """The whole outcome; raises TooLong where a search does not come to its end."""
        effort = replace(effort, timeout=_SECONDS)
        found = run_test(test, self.model, settings=self.settings, effort=effort)
        if found.incomplete:
            raise TooLong(effort.engine)
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=1, help="how long (1)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--flavour", help="of the tests (any)", choices=MENUS)
    parser.add_argument("--most", type=int, default=600, help="candidates of a test (600)")
    arguments = parser.parse_args()
    deadline = time.monotonic() + 60 * arguments.minutes
    seed, wrong = arguments.first, 0
    compared, skipped = Counter[str](), Counter[str]()
    with TemporaryDirectory() as folder:
        while time.monotonic() < deadline:
            random = Random(seed)
            test = chapter8.small_test(random, arguments.flavour, most=arguments.most)
            for judge in judges(random, test, Path(folder)):
                compared[judge.name] += 1
                ways = [*_ALWAYS, random.choice(_SOMETIMES)]
                try:
                    way = difference(test, judge, ways)
                except TooLong as engine:
                    skipped[f"{judge.name} ({engine})"] += 1
                    continue
                if way is not None:
                    wrong += 1
                    _report(seed, reduced(test, judge, way), judge, way)
            seed += 1
    print(f"seeds {arguments.first} to {seed - 1}, {wrong} differences")
    for what, counts in (("compared", compared), ("too long", skipped)):
        print(f"{what}: {', '.join(f'{name} {number}' for name, number in counts.items()) or 0}")
    return 1 if wrong else 0


def judges(random: Random, test: LitmusTest, folder: Path) -> Iterator[Judge]:
    """The installed models with their variants, and a random one."""
    for setting in SETTINGS:
        yield Judge(str(setting), setting.model, setting.settings)
    yield Judge("random", model_of(generate.model(random, wide=True), folder), Settings())


# Ways to search, each with whether it finds what the reference engine found; None is an error


def _whole(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    fast = judge.outcome(test, Effort())
    return naive is not None and seen(fast) == seen(naive)


def _small_blocks(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    with small_blocks():
        return _whole(test, judge, naive)


def _states_only(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    with small_blocks():
        fast = judge.outcome(test, Effort(states_only=True))
    assert naive is not None
    return (fast.executions, fast.flags) == (dict.fromkeys(naive.executions, 1), naive.flags)


def _parts(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    parts = [judge.outcome(test, Effort(part=part, parts=3)) for part in range(3)]
    assert naive is not None
    return seen(join(parts)) == seen(naive)


def _first(test: LitmusTest, judge: Judge, naive: Outcome | None) -> bool:
    assert naive is not None
    return judge.outcome(test, Effort(first=True)).verdict == naive.verdict


Way = Callable[[LitmusTest, Judge, Outcome | None], bool]
_ALWAYS: tuple[Way, ...] = (_whole, _small_blocks)
#: These need not look at every execution, and so may miss what is an error of the test.
_SOMETIMES: tuple[Way, ...] = (_states_only, _parts, _first)


def difference(test: LitmusTest, judge: Judge, ways: Sequence[Way]) -> Way | None:
    """The first way that finds something else than the reference engine; None where none does."""
    naive: Outcome | None = None
    try:
        naive = judge.outcome(test, Effort("naive"))
    except CatpyError:
        ways = [way for way in ways if way in _ALWAYS]
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
            if difference(smaller, judge, [way]) is not None:
                return smaller
        except (CatpyError, TooLong):
            continue  # what is left is no test, or a larger one
    return None


def _report(seed: int, test: LitmusTest, judge: Judge, way: Way) -> None:
    print(f"seed {seed}, {judge.name}, {way.__name__}", test.source.text, sep="\n", flush=True)
    if judge.name == "random":
        print(judge.model.path.read_text("utf-8"), flush=True)


if __name__ == "__main__":
    sys.exit(main())
