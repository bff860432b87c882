"""Texts and places in them: what every error message points at."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

#: Of a longer line only a part around the place is shown.
_WIDEST = 160


@dataclass(frozen=True)
class Source:
    """A text with the name it is shown under (a path as the user gave it, or `<stdin>`).

    `original` is what messages quote, where `text` is a version of the same length that was made
    ready for parsing (comments blanked).
    """

    name: str
    text: str
    original: str | None = None

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column, both from 1, of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self._line_starts[number - 1]
        text = self.text if self.original is None else self.original
        end = text.find("\n", start)
        return text[start : len(text) if end < 0 else end].rstrip("\r")

    def span(self, start: int, end: int) -> Span:
        """The stretch from one character offset to before another."""
        return Span(self, start, end)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of a source."""

    source: Source
    start: int
    end: int

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    def __repr__(self) -> str:
        return f"Span({self})"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this one to the end of the other."""
        return Span(self.source, self.start, other.end)

    def holds(self, other: Span) -> bool:
        """Whether the other stretch lies inside this one."""
        same = self.source is other.source
        return same and self.start <= other.start and other.end <= self.end

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source.text[self.start : self.end]

    def excerpt(self) -> str:
        """The line this starts on, and under it carets that mark the stretch."""
        number, column = self.source.position(self.start)
        line = self.source.line(number)
        if len(line) > _WIDEST:
            left = max(0, column - _WIDEST // 2)
            line, column = line[left : left + _WIDEST], column - left
        marked = line[column - 1 :][: self.end - self.start]
        # Tabs stay tabs under the line, so that the carets fall below what they mark.
        lead = "".join(
            "\t" if char == "\t" else " " * _columns(char) for char in line[: column - 1]
        )
        carets = "^" * max(1, sum(map(_columns, marked)))
        return f"  {''.join(map(_shown, line))}\n  {lead}{carets}"


def _columns(char: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _shown(char: str) -> str:
    """A character as it is quoted: none that does things to a terminal."""
    return char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}"
