"""Runs a model on a candidate to see what it makes of it, whether it allows it or not."""

from __future__ import annotations

from collections.abc import Iterator

from catpy.cat.interpreter import Interpreter, Names, Run
from catpy.cat.syntax import Choice
from catpy.relation import Truth


class _NoElement(Exception):  # noqa: N818  (it ends the run early, and is no error)
    """A choice has no element: the run ends before it."""

    def __init__(self, run: Run) -> None:
        self.run = run


class Onlooker(Interpreter):
    """An interpreter whose checks stop nothing; of each `with` and `some` it takes the first."""

    def look(self, names: Names) -> Run:
        """The one run. What comes behind a choice without elements is not bound in it."""
        try:
            return next(self.run(names))
        except _NoElement as early:
            return early.run

    def _kept(self, run: Run, truth: Truth) -> Run:
        return run

    def _choice(self, choice: Choice, run: Run) -> Iterator[Run]:
        for chosen in super()._choice(choice, run):
            yield chosen
            return
        raise _NoElement(run)
