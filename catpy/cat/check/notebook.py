"""Notes mistakes piece by piece, with which piece needs which."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from catpy.cat.kinds import UNKNOWN, Findings, Kind, Problem, Slot
from catpy.cat.operator_kinds import KindError
from catpy.source import Span


class Notebook:
    """`findings` is what the present piece of the model has on it.

    `pieces` are all that were looked at, but for those that `try` swallows.
    """

    def __init__(self) -> None:
        self.findings = Findings()
        self.pieces: list[Findings] = []

    @contextmanager
    def piece(self) -> Iterator[Findings]:
        """Notes what is found inside apart from what is found around it."""
        outer, inner = self.findings, Findings()
        self.pieces.append(inner)
        self.findings = inner
        try:
            yield inner
        finally:
            self.findings = outer

    @contextmanager
    def branch(self) -> Iterator[Findings]:
        """Notes what is found inside as what is needed for some values alone."""
        with self.piece() as inner:
            yield inner
        self.findings.may_need(inner)

    @contextmanager
    def swallowed(self) -> Iterator[Findings]:
        """Notes what is found inside for nobody but the caller."""
        pieces = self.pieces
        self.pieces = []
        try:
            with self.piece() as findings:
                yield findings
        finally:
            self.pieces = pieces

    def use(self, slot: Slot) -> Kind:
        """The kind of a binding that is needed here."""
        if slot.findings is not None:
            self.findings.needs(slot.findings)
        return slot.kind

    def note(
        self, code: str, message: str, span: Span, hint: str | None = None, name: str | None = None
    ) -> None:
        """Notes a mistake on the present piece; `name` is that of an unbound name."""
        self.findings.problems.append(Problem(code, message, span, hint, name))

    def note_kind_error(self, problem: KindError) -> Kind:
        """Notes kinds that do not go together; what comes of them is of unknown kind."""
        self.note(problem.code or "kind", problem.message, problem.place, problem.hint)
        return UNKNOWN
