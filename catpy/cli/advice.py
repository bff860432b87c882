"""What is said of tests that run, beside what comes of them: what is odd, what takes long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from catpy.arch import has_branches
from catpy.arch.program import Options
from catpy.batch.runner import Job
from catpy.errors import CatpyError
from catpy.execution.outcome import Outcome

#: After how many seconds a test takes long.
_LONG = 10.0


def warnings_of(name: str, outcome: Outcome, options: Options) -> Iterator[CatpyError]:
    """What is odd in a test and in what came of it."""
    yield from outcome.warnings
    if not outcome.executions and not outcome.incomplete:
        message = f"{name}: there is no final state, so its condition says nothing"
        yield CatpyError(message, hint=_why_endless(outcome, options))
    for observable, value in outcome.unknown.items():
        message = f"{name}: `{observable}` can be {value}, which equals no number"
        hint = "nothing is known of shared memory before a first write: give it a value"
        # Of a value that was computed of numbers alone, the operation has no result.
        is_of_memory = "(" not in value.name or "?" in value.name
        yield CatpyError(message, hint=hint if is_of_memory else None)
    for observable, (found, number) in outcome.other_sign.items():
        message = f"{name}: `{observable}` can be {found}, which is not {number}"
        hint = "`.s32` has a sign, `.u32` and `.b32` have none, and so with other widths"
        yield CatpyError(message, hint=hint)


def _why_endless(outcome: Outcome, options: Options) -> str | None:
    """Why there may be no final state, where it is known."""
    if outcome.cut:
        return (
            f"each loop went round {options.unroll} times at most: it waits for what never comes,"
            " or `--unroll N` lets it go on"
        )
    if outcome.stuck:
        return "threads wait for ever: `catpy eval TEST` shows how"
    if options.spin is not None:
        return "a loop may wait for what never comes: without `--spin` it is counted as cut"
    return None


def _has_branches(job: Job, options: Options) -> bool:
    """Whether a test has branches, as far as its text can still be read."""
    if job.file.path is None:
        return False  # standard input is read once
    try:
        return has_branches(job.file.read(), job.options(options))
    except CatpyError:
        return False


class Patience:
    """Says once, when a test takes long that has loops, that those that wait need not fail."""

    def __init__(self, options: Options, say: Callable[[str], None]) -> None:
        self._options = options
        self._is_silent = options.spin is not None
        self._say = say
        self._job: Job | None = None
        self._began = 0.0

    def start(self, job: Job) -> None:
        """A test begins."""
        self._job, self._began = job, time.monotonic()

    def tick(self) -> None:
        """The test that began last still runs."""
        if self._job is not None and time.monotonic() - self._began > _LONG:
            self.end(self._job)
            self._job = None

    def end(self, job: Job) -> None:
        """A test takes too long."""
        if self._is_silent or not _has_branches(job, self._options):
            return
        self._is_silent = True
        self._say(
            f"catpy: {job.file.stem} takes long: with `--spin 0` loops in which a thread only waits"
            " pass at once"
        )
