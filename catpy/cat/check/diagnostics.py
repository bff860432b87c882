"""What the checker says: each remark has a code, a severity, a place and a hint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from catpy.errors import CatpyError, ModelError, show_problem
from catpy.source import Span


class Severity(Enum):
    """An error makes a model unfit to run; a warning is for its author."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A remark on a model: of which kind (`code`), where, and what to do about it (`hint`)."""

    code: str
    severity: Severity
    message: str
    span: Span | None
    hint: str | None = None

    def render(self) -> str:
        """The remark as it is printed."""
        return show_problem(self.severity.value, self.message, self.span, self.hint, self.code)

    @property
    def is_error(self) -> bool:
        """Whether it makes the model unfit to run."""
        return self.severity is Severity.ERROR

    @property
    def place(self) -> tuple[str, int]:
        """What diagnostics are sorted by."""
        return (self.span.source.name, self.span.start) if self.span else ("", 0)

    def error(self) -> ModelError:
        """The remark as an error that can be raised."""
        return ModelError(self.message, self.span, self.hint, self.code)


def warning(code: str, message: str, span: Span | None, hint: str | None = None) -> Diagnostic:
    """A remark for the author of a model."""
    return Diagnostic(code, Severity.WARNING, message, span, hint)


def of_problem(problem: CatpyError, severity: Severity) -> Diagnostic:
    """A mistake that the parser or the loader found; without a code it is one of syntax."""
    return Diagnostic(
        problem.code or "syntax", severity, problem.message, problem.span, problem.hint
    )
