"""The command `catpy run`: tests are run, printed, written down, held against expectations."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from catpy.arch import ARCHITECTURES, DEFAULT
from catpy.arch.program import Options
from catpy.batch.collect import collect
from catpy.batch.runner import Hands, Job, Result, Runner
from catpy.batch.verdicts import Expectations, read_expectations
from catpy.cat.interpreter import Settings
from catpy.cli.advice import Patience, warnings_of
from catpy.cli.models import library, variants
from catpy.cli.progress import progress
from catpy.cli.status import Status
from catpy.errors import CatpyError, UsageError
from catpy.execution.search import Effort, Progress
from catpy.report.forms import LOGS, TABLES
from catpy.report.journal import Journal, finished, key_of
from catpy.report.table import Record, Table, record
from catpy.report.table_file import check_writable, write_table


def complain(problems: Iterable[CatpyError | str]) -> None:
    """Writes errors to standard error, behind what was printed so far."""
    sys.stdout.flush()
    for problem in problems:
        text = problem if isinstance(problem, str) else problem.render()
        print(text, file=sys.stderr)


def runner_of(arguments: argparse.Namespace, model: str | None) -> Runner:
    """How a call wants tests to be run. Raises UsageError where its options do not go together."""
    # eval has none of these options: it looks at single executions, not at a selection of them.
    strict_skip = getattr(arguments, "strict_skip", False)
    if strict_skip and not arguments.skip:
        raise UsageError("--strict-skip goes with --skip")
    runner = Runner(
        library(arguments),
        model,
        Options(
            arguments.unroll,
            arguments.dialect,
            tuple(sorted(variants(arguments))),
            arguments.spin,
        ),
        Settings(frozenset(arguments.skip), strict_skip, variants(arguments)),
        warn=lambda warning: complain([warning.render("warning")]),
    )
    if hasattr(arguments, "engine"):
        runner.effort = Effort(
            arguments.engine,
            arguments.states_only,
            getattr(arguments, "first", False),
            arguments.timeout,
            arguments.memory,
        )
        if arguments.cluster and arguments.jobs != 1:
            raise UsageError("-j is for this machine: a --cluster has its own number of workers")
        runner.hands = Hands(arguments.jobs or os.cpu_count() or 1, arguments.cluster)
    return runner


def run(arguments: argparse.Namespace) -> Status:
    """`catpy run`: runs tests, prints and saves what is found; says whether it is as expected."""
    runner = runner_of(arguments, arguments.model)
    expectations = _expectations(arguments, runner)
    jobs, problems = _jobs(arguments.tests, expectations)
    complain(problems)
    if arguments.resume and not arguments.output:
        raise UsageError("--resume goes with -o, the table to go on with")
    if arguments.output:
        check_writable(arguments.output)
    form = arguments.format or ("none" if expectations else "herd")
    running = _Running(runner, jobs, form, arguments.output)
    if arguments.resume:
        running.take_over(finished(arguments.output))
    try:
        running.run()
    finally:
        # What is finished is saved and shown, whatever ends the run.
        running.save()
        running.show()
    return _status(running, expectations, problems)


def _status(
    running: _Running, expectations: Expectations | None, problems: Sequence[CatpyError]
) -> Status:
    records = running.records()
    status = Status.OK
    if expectations:
        # A log or table on standard output stays as it is: the check then speaks beside it.
        out = sys.stdout if running.form == "none" else sys.stderr
        found = [(running.jobs[index], test) for index, test in sorted(running.found.items())]
        status = _check(expectations, found, lambda line: print(line, file=out))
    failed = len(problems) + sum(test.error is not None for test in records)
    if failed:
        if len(records) + len(problems) > 1:
            complain([f"catpy: {failed} of {len(records) + len(problems)} could not be run"])
        return Status.ERROR
    if any(test.incomplete for test in records):
        return Status.INCOMPLETE
    return status


@dataclass
class _Running:
    """A run: its jobs, and the records that are there so far, by the index of their job."""

    runner: Runner
    jobs: Sequence[Job]
    form: str
    output: Path | None
    found: dict[int, Record] = field(default_factory=dict)
    _journal: Journal | None = None
    _said: set[str] = field(default_factory=set)
    _unprinted: dict[int, Result] = field(default_factory=dict)

    def records(self) -> list[Record]:
        """The records in the order of the jobs."""
        return [test for _, test in sorted(self.found.items())]

    def take_over(self, known: dict[str, Record]) -> None:
        """Takes records of an earlier run for the jobs they are of."""
        for index, job in enumerate(self.jobs):
            if job.file.path is None:
                continue  # standard input is read once
            try:
                source = job.file.source()
            except CatpyError:
                continue  # it is said when the test is run
            test = known.get(self._key(source.text, self.runner.options_of(job)))
            if test is not None:
                self.found[index] = replace(test, file=job.file.name)
        if self.found:
            number = f"{len(self.found)} of {len(self.jobs)} tests"
            complain([f"catpy: {number} are taken from {self.output}"])

    def run(self) -> None:
        """Runs the jobs; logs and complaints appear in their order."""
        todo = [index for index in range(len(self.jobs)) if index not in self.found]
        if self.output:
            self._journal = Journal.of(self.output, keep=bool(self.found))
        place = {id(self.jobs[index]): index for index in todo}
        jobs = [self.jobs[index] for index in todo]
        with progress(len(jobs), beside_log=self.form in LOGS) as shown:

            def say(text: str) -> None:
                with shown.hidden():
                    complain([text])

            patience = Patience(self.runner.options, say)

            def started(job: Job) -> None:
                patience.start(job)
                shown.start(job.file.stem)

            def tick(state: Progress) -> None:
                patience.tick()
                shown.tick(state)

            self.runner.tick = tick

            def landed(result: Result) -> None:
                index = place[id(result.job)]
                self._keep(index, result)
                self._unprinted[index] = result
                outcome = result.outcome
                shown.finish(sum(outcome.executions.values()) if outcome else 0)
                if outcome and outcome.incomplete:
                    patience.end(result.job)

            for result in self.runner.run(jobs, started, landed):
                with shown.hidden() if result.error else nullcontext():
                    self._print(place[id(result.job)])

    def _keep(self, index: int, result: Result) -> None:
        key = ""
        if result.task is not None and self.output:
            key = self._key(result.task.source.text, result.task.options)
        self.found[index] = record(result, key)
        if self._journal is not None:
            self._journal.add(self.found[index])

    def _key(self, text: str, options: Options) -> str:
        """What tells a test with its model and options from others."""
        runner = self.runner
        models = list(runner.models().values())
        return key_of(text, options, models, runner.settings, runner.effort)

    def _print(self, index: int) -> None:
        result = self._unprinted.pop(index)
        if result.outcome and self.form in LOGS:
            sys.stdout.write(LOGS[self.form](result.outcome))
            sys.stdout.flush()
        if result.outcome:
            odd = warnings_of(result.name, result.outcome, self.runner.options)
            complain([one.render("warning") for one in odd])
        if result.error and (text := result.error.render()) not in self._said:
            # A mistake in a model is the same for every test: once is enough.
            self._said.add(text)
            complain([text])

    def table(self) -> Table:
        """The table of what is found."""
        name = self.runner.model
        name = self.runner.load_model(name).name if name else ARCHITECTURES[DEFAULT].model
        return Table(name, tuple(self.records()))

    def save(self) -> None:
        """Writes the table that was asked for.

        One that is there already stays as it is where the run did not come to its end: then what is
        finished is in the journal.
        """
        if self.output is None or self._journal is None or self._journal.is_broken:
            return
        is_whole = len(self.found) == len(self.jobs) and bool(self.jobs)
        if self.output.is_file() and not is_whole:
            complain([f"catpy: {self.output} is as it was; --resume goes on from its journal"])
            return
        write_table(self.table(), self.output)
        self._journal.discard()

    def show(self) -> None:
        """Prints what is printed at the end, and what came too early for the order of the log."""
        for index in sorted(self._unprinted):
            self._print(index)
        if self.form in TABLES:
            sys.stdout.write(TABLES[self.form](self.table()))


def _expectations(arguments: argparse.Namespace, runner: Runner) -> Expectations | None:
    if arguments.check is None:
        if arguments.column:
            raise UsageError("--column goes with --check")
        return None
    name = runner.load_model(arguments.model or ARCHITECTURES[DEFAULT].model).name
    return read_expectations(arguments.check, arguments.column or name)


def _jobs(
    tests: Sequence[str], expectations: Expectations | None
) -> tuple[list[Job], list[CatpyError]]:
    """The tests that are named; without any, those that an expectation is stated for."""
    rows = expectations.rows if expectations else ()
    if not tests and expectations:
        return [Job(row.test, row.dialect) for row in rows if row.verdict != "-"], []
    if not tests:
        raise UsageError("no tests: name files or folders, as `catpy run litmus/isa`")
    files, problems = collect(tests)
    dialects = {row.test.real_path: row.dialect for row in rows}
    return [Job(file, dialects.get(file.real_path)) for file in files], problems


def _check(
    expectations: Expectations, found: Sequence[tuple[Job, Record]], say: Callable[[str], None]
) -> Status:
    """Compares what was found with what is expected, and says what does not hold."""
    wanted = {row.test.real_path: row for row in expectations.rows if row.verdict != "-"}
    held = failed = unfinished = 0
    for job, test in found:
        row = wanted.get(job.file.real_path)
        if row is None:
            continue
        if test.verdict == row.verdict:
            held += 1
        else:
            failed += 1
            unfinished += bool(test.incomplete)
            say(f"{row.span}: {job.file.stem}: expected {row.verdict}, found {test.verdict}")
    unstated = sum(row.verdict == "-" for row in expectations.rows)
    say(
        f"{expectations.path}, column {expectations.column}: {held + failed} checked, "
        f"{held} hold, {failed} do not, {unstated} without a verdict"
        + (f" ({unfinished} incomplete)" if unfinished else "")
    )
    if held + failed == 0:
        say("nothing was checked: no test that was run has a verdict there")
        return Status.ERROR
    return Status.DIFFERS if failed else Status.OK
