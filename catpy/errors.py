"""The one family of errors that users see, and how they are written out."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from catpy.source import Span


class CatpyError(Exception):
    """Something is wrong with what the user gave: a call, a model, a test.

    `span` says where, `hint` what to try. Exit status 2.
    """

    def __init__(self, message: str, span: Span | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint

    def render(self, weight: str = "error") -> str:
        """The message as it is printed: place, what is wrong, the line with a caret, a hint.

        `weight` is `warning` for what is odd and no error.
        """
        place = f"{self.span}: " if self.span else ""
        parts = [f"{place}{weight}: {self.message}"]
        if self.span:
            parts.append(self.span.excerpt())
        if self.hint:
            parts.append(f"  hint: {self.hint}")
        return "\n".join(parts)


class UsageError(CatpyError):
    """The call is wrong: an option, a path, a model name."""


class ModelError(CatpyError):
    """A `.cat` file is wrong."""


class TestError(CatpyError):
    """A litmus test is wrong."""

    __test__ = False  # the name is not a pytest class


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """A hint that names the nearest known words, or None when there is none."""
    near = get_close_matches(word, sorted(set(known)), n=3, cutoff=cutoff)
    if not near:
        return None
    return "did you mean " + " or ".join(f"`{name}`" for name in near) + "?"
