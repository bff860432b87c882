"""The one family of errors that users see, and how they are written out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from catpy.source import Span


class CatpyError(Exception):
    """Something is wrong with what the user gave: a call, a model, a test.

    `span` says where, `hint` what to try, `code` which kind of mistake it is, for those that look
    it up. Exit status 2.
    """

    def __init__(
        self,
        message: str,
        span: Span | None = None,
        hint: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle, which else would call the class with the message alone."""
        return _restored, (type(self), self.args, self.__dict__)

    def render(self, weight: str = "error") -> str:
        """The message as it is printed: place, what is wrong, the line with a caret, a hint.

        `weight` is `warning` for what is odd and no error.
        """
        return show_problem(weight, self.message, self.span, self.hint, self.code)


def _restored(
    kind: type[CatpyError], arguments: tuple[object, ...], attributes: dict[str, object]
) -> CatpyError:
    problem = kind.__new__(kind, *arguments)
    problem.__dict__.update(attributes)
    return problem


def show_problem(
    severity: str, message: str, span: Span | None, hint: str | None, code: str | None
) -> str:
    """How every error and warning is printed."""
    place = f"{span}: " if span else ""
    parts = [_printable(f"{place}{severity}: {message}" + (f" [{code}]" if code else ""))]
    if span:
        parts.append(span.excerpt())
    if hint:
        parts.append(_printable(f"  hint: {hint}"))
    return "\n".join(parts)


def _printable(text: str) -> str:
    """A text with the numbers of the characters in it that cannot be seen."""
    return "".join(c if c.isprintable() or c == "\n" else f"<U+{ord(c):04X}>" for c in text)


class CompoundError(CatpyError):
    """All that is wrong with one thing, where more than the first mistake is known."""

    def __init__(self, problems: Sequence[CatpyError]) -> None:
        super().__init__(problems[0].message, problems[0].span, problems[0].hint)
        self.problems = tuple(problems)

    def render(self, weight: str = "error") -> str:
        return "\n".join(problem.render(weight) for problem in self.problems)


class UsageError(CatpyError):
    """The call is wrong: an option, a path, a model name."""


class ModelError(CatpyError):
    """A `.cat` file is wrong."""


class UnboundNameError(ModelError):
    """A name is used that nothing binds: wrong whatever the candidate is."""


class TestError(CatpyError):
    """A litmus test is wrong."""

    __test__ = False  # the name is not a pytest class


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """A hint that names the nearest known words, or None when there is none."""
    near = get_close_matches(word, sorted(set(known)), n=3, cutoff=cutoff)
    if not near:
        return None
    return "did you mean " + " or ".join(f"`{name}`" for name in near) + "?"
