"""How far a run is, on a terminal only, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from catpy.execution.search import Progress

#: How often the line is renewed, in seconds.
_INTERVAL = 0.1


class Silent:
    """No progress to be seen."""

    def start(self, name: str) -> None:
        """A test begins."""

    def tick(self, progress: Progress) -> None:
        """The present test is so far."""

    def finish(self, executions: int) -> None:
        """A test is done; it has so many executions."""

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Leaves the terminal to what is written within."""
        yield


class Bar(Silent):
    """A line with the tests done, the present one, and how far that one is."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Display

        self._display = Display(
            MofNCompleteColumn(),
            BarColumn(20),
            TextColumn("{task.description}", markup=False),
            TextColumn("{task.fields[present]}", markup=False),
            console=Console(stderr=True),
            transient=True,
            # What is printed goes where it is meant to go, as it is.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._left = total
        self._task = self._display.add_task("", total=total, present="")
        self._started = time.monotonic()
        self._executions = 0
        self._shown = 0.0

    def __enter__(self) -> Bar:
        self._display.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._display.stop()

    def start(self, name: str) -> None:
        self._display.update(self._task, description=name)

    def tick(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._shown >= _INTERVAL:
            self._shown = now
            self._show(self._executions + progress.executions, f"{progress.share:.0%}")

    def finish(self, executions: int) -> None:
        self._executions += executions
        self._left -= 1
        self._display.advance(self._task)
        self._show(self._executions, "")
        if not self._left:
            self._display.stop()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        self._display.stop()
        yield
        if self._left:
            self._display.start()

    def _show(self, executions: int, share: str) -> None:
        rate = executions / max(0.001, time.monotonic() - self._started)
        present = f"{share}  {rate:,.0f} executions/s"
        self._display.update(self._task, present=present.strip())


@contextmanager
def progress(total: int, beside_log: bool) -> Iterator[Silent]:
    """Progress over `total` tests; silent where standard error is no terminal.

    A log of several tests that goes to the terminal itself (`beside_log`) shows the progress
    already.
    """
    if not total or not sys.stderr.isatty() or (beside_log and sys.stdout.isatty() and total > 1):
        yield Silent()
        return
    with Bar(total) as bar:
        yield bar
