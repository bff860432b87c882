"""From what a user names to test files: files, folders, lists, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from catpy.errors import CatpyError, TestError, UsageError
from catpy.litmus import LitmusTest, parse_test
from catpy.resources import locate
from catpy.source import Source

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
        return Source(self.name, self._text())

    def _text(self) -> str:
        try:
            if self.path is None:
                if sys.stdin is None:
                    raise TestError("there is no standard input")
                return sys.stdin.read()
            # A byte order mark is no part of the text.
            return self.path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as problem:
            message = f"{self.name} is not a UTF-8 text ({problem.reason})"
            raise TestError(message) from None
        except OSError as problem:
            raise TestError(f"cannot read {self.name}: {problem.strerror}") from None


def collect(words: Sequence[str]) -> tuple[list[TestFile], list[CatpyError]]:
    """The test files that words name, each once, in order; and what was wrong with some words."""
    found: dict[TestFile, None] = {}
    problems: list[CatpyError] = []
    for word in words:
        try:
            found.update(dict.fromkeys(_named(word)))
        except CatpyError as problem:
            problems.append(problem)
        except (OSError, ValueError) as problem:
            problems.append(UsageError(f"cannot read {word[:60]!r}: {problem}"[:200]))
    return list(found), problems


def _named(word: str) -> Iterator[TestFile]:
    if not word:
        raise UsageError("the name of a test is empty")
    if word == _STDIN:
        yield TestFile(None)
    elif word.startswith("@"):
        yield from _listed(Path(word[1:]))
    else:
        yield from _in_path(locate(Path(word)))


def _listed(path: Path) -> Iterator[TestFile]:
    """The tests of a list: a path a line, relative to the list, `#` for comments."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise UsageError(f"cannot read the list {path}: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise UsageError(f"the list {path} is not a UTF-8 text ({problem.reason})") from None
    names = [name for line in lines if (name := line.split("#")[0].strip())]
    if not names:
        raise UsageError(f"there are no tests in the list {path}")
    for name in names:
        yield from _in_path(path.parent / name)


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
