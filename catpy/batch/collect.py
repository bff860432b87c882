"""From what a user names to test files: files, folders, lists, standard input."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from catpy.errors import CatpyError, TestError, UsageError
from catpy.litmus import LitmusTest, parse_test
from catpy.reading import decoded, read_source
from catpy.resources import locate
from catpy.source import Source, Span

_STDIN = "-"


@dataclass(frozen=True)
class TestFile:
    """A test to be read: a path, or standard input (None)."""

    __test__ = False  # the name is not a pytest class

    path: Path | None

    @property
    def name(self) -> str:
        """How messages name it."""
        return "<stdin>" if self.path is None else str(self.path)

    @property
    def real_path(self) -> Path | None:
        """What tells this file from others, however it is named."""
        return Path(os.path.realpath(self.path)) if self.path else None

    @property
    def stem(self) -> str:
        """The name of the test, unless the file says otherwise."""
        return "stdin" if self.path is None else self.path.stem

    def read(self) -> LitmusTest:
        """The test. Raises TestError where the file cannot be read or is no test."""
        return parse_test(self.source())

    def source(self) -> Source:
        """The text. Raises TestError where the file cannot be read."""
        try:
            if self.path is None:
                return _standard_input(self.name)
            return read_source(self.path, TestError)
        except OSError as problem:
            raise TestError(f"cannot read {self.name}: {problem.strerror}") from None


def _standard_input(name: str) -> Source:
    if sys.stdin is None:
        raise TestError("there is no standard input")
    if isinstance(sys.stdin, io.TextIOWrapper):
        return decoded(sys.stdin.buffer.read(), name, TestError)
    return Source(name, sys.stdin.read())


def collect(words: Sequence[str]) -> tuple[list[TestFile], list[CatpyError]]:
    """The test files that words name, each once, in order; and what was wrong with some words."""
    found: dict[TestFile, None] = {}
    problems: list[CatpyError] = []
    for word in words:
        try:
            named = _listed(Path(word[1:]), problems) if word.startswith("@") else _named(word)
            found.update(dict.fromkeys(named))
        except CatpyError as problem:
            problems.append(problem)
        except (OSError, ValueError) as problem:
            problems.append(UsageError(f"cannot read {word[:60]!r}: {problem}"[:200]))
    return list(found), problems


def _named(word: str) -> list[TestFile]:
    if not word:
        raise UsageError("the name of a test is empty")
    return [TestFile(None)] if word == _STDIN else _in_path(locate(Path(word)))


def _listed(path: Path, problems: list[CatpyError]) -> list[TestFile]:
    """The tests of a list: a path a line, relative to the list, `#` for comments.

    What is wrong with a line is one of the `problems`; the others are read.
    """
    try:
        source = read_source(path, UsageError)
    except OSError as problem:
        raise UsageError(f"cannot read the list {path}: {problem.strerror}") from None
    names = list(_names(source))
    if not names:
        raise UsageError(f"there are no tests in the list {path}")
    found: list[TestFile] = []
    for name in names:
        try:
            found += _in_path(path.parent / name.text)
        except UsageError as problem:
            problems.append(UsageError(problem.message, name, problem.hint))
        except (OSError, ValueError) as problem:
            problems.append(UsageError(f"cannot read this file: {problem}"[:200], name))
    return found


def _names(source: Source) -> Iterator[Span]:
    """The names in a list."""
    at = 0
    for line in source.text.split("\n"):
        if name := line.split("#")[0].strip():
            start = at + line.index(name)
            yield source.span(start, start + len(name))
        at += len(line) + 1


def _in_path(path: Path) -> list[TestFile]:
    if path.is_dir():
        files = sorted(path.rglob("*.litmus"))
        if not files:
            raise UsageError(f"there are no tests (*.litmus) in {path}")
        return [TestFile(file) for file in files]
    if not path.exists():
        raise UsageError(f"there is no file {path}", hint=_near(path))
    return [TestFile(path)]


def _near(path: Path) -> str | None:
    folder = path.parent
    if not folder.is_dir():
        return None
    stems = {item.stem: item.name for item in folder.iterdir() if item.exists()}
    near = get_close_matches(path.stem, stems, n=1)
    return f"did you mean `{stems[near[0]]}`?" if near else None
