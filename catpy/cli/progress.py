"""How far a run is, on a terminal only, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Silent:
    """No progress to be seen."""

    def start(self, name: str) -> None:
        """A test begins."""

    def tick(self, candidates: int) -> None:
        """The present test looked at so many candidates."""


class Bar(Silent):
    """A line with the tests done, the present one and its candidates."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._progress = Progress(
            MofNCompleteColumn(),
            BarColumn(20),
            TextColumn("{task.description}"),
            TextColumn("{task.fields[candidates]:,} candidates"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("", total=total, candidates=0)
        self._started = False

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def start(self, name: str) -> None:
        advance = 1 if self._started else 0
        self._started = True
        self._progress.update(self._task, advance=advance, description=name, candidates=0)

    def tick(self, candidates: int) -> None:
        if candidates % 64 == 0:
            self._progress.update(self._task, candidates=candidates)


@contextmanager
def progress(total: int, beside_log: bool) -> Iterator[Silent]:
    """Progress over `total` tests; silent where standard error is no terminal.

    A log that goes to the terminal itself (`beside_log`) shows the progress already.
    """
    if total < 2 or not sys.stderr.isatty() or (beside_log and sys.stdout.isatty()):
        yield Silent()
        return
    with Bar(total) as bar:
        yield bar
