"""What each command does: collect, run, print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from catpy.arch.program import Options
from catpy.batch.collect import collect
from catpy.batch.runner import Job, Result, Runner
from catpy.batch.verdicts import Expectations, read_expectations
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Library
from catpy.cli.eval import evaluate
from catpy.cli.model import show_model
from catpy.cli.models import library, variants
from catpy.cli.progress import progress
from catpy.cli.status import Status
from catpy.errors import CatpyError, UsageError
from catpy.report.diff import compare, show
from catpy.report.grid import grid, summary
from catpy.report.herd import herd_log
from catpy.report.table import (
    Record,
    Table,
    check_writable,
    read_table,
    record,
    to_json,
    write_table,
)
from catpy.resources import installed


def complain(problems: Iterable[CatpyError | str]) -> None:
    """Writes errors to standard error, behind what was printed so far."""
    sys.stdout.flush()
    for problem in problems:
        text = problem if isinstance(problem, str) else problem.render()
        print(text, file=sys.stderr)


# run


def run(arguments: argparse.Namespace) -> Status:
    runner = _runner(arguments, arguments.model)
    expectations = _expectations(arguments, runner)
    jobs, problems = _jobs(arguments.tests, expectations)
    complain(problems)
    form = arguments.format or ("none" if expectations else "herd")
    results: list[Result] = []
    if arguments.output:
        check_writable(arguments.output)
    try:
        _run_all(runner, jobs, form, results)
    finally:
        # What is finished is saved and shown, whatever ends the run.
        if arguments.output:
            write_table(_table(runner, results), arguments.output)
        if form == "json":
            sys.stdout.write(to_json(_table(runner, results)))
        elif form == "table":
            sys.stdout.write(summary([record(result) for result in results]))
    failed = len(problems) + sum(result.error is not None for result in results)
    status = Status.OK
    if expectations:
        # A log or table on standard output stays as it is: the check then speaks beside it.
        out = sys.stdout if form == "none" else sys.stderr
        status = _check(expectations, results, lambda line: print(line, file=out))
    if failed:
        if len(results) + len(problems) > 1:
            complain([f"catpy: {failed} of {len(results) + len(problems)} could not be run"])
        return Status.ERROR
    return status


def _run_all(runner: Runner, jobs: Sequence[Job], form: str, results: list[Result]) -> None:
    """Runs the jobs; logs and complaints appear as they come, results are added one by one."""
    said: set[str] = set()
    with progress(len(jobs), beside_log=form == "herd") as shown:
        runner.tick = shown.tick
        for job in jobs:
            shown.start(job.file.stem)
            for result in runner.run([job]):
                results.append(result)
                if result.outcome and form == "herd":
                    sys.stdout.write(herd_log(result.outcome))
                    sys.stdout.flush()
                if result.error and (text := result.error.render()) not in said:
                    # A mistake in a model is the same for every test: once is enough.
                    said.add(text)
                    complain([text])


def _runner(arguments: argparse.Namespace, model: str | None) -> Runner:
    # eval has no --strict-skip: it looks at single executions, not at a selection of them.
    strict_skip = getattr(arguments, "strict_skip", False)
    if strict_skip and not arguments.skip:
        raise UsageError("--strict-skip goes with --skip")
    return Runner(
        library(arguments),
        model,
        Options(arguments.unroll, arguments.dialect),
        Settings(frozenset(arguments.skip), strict_skip, variants(arguments)),
        warn=lambda warning: complain([warning.render("warning")]),
    )


def _expectations(arguments: argparse.Namespace, runner: Runner) -> Expectations | None:
    if arguments.check is None:
        if arguments.column:
            raise UsageError("--column goes with --check")
        return None
    name = runner.load_model(arguments.model or "ptx").name
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


def _table(runner: Runner, results: Sequence[Result]) -> Table:
    name = runner.load_model(runner.model).name if runner.model else "ptx"
    return Table(name, tuple(record(result) for result in results))


def _check(
    expectations: Expectations, results: Sequence[Result], say: Callable[[str], None]
) -> Status:
    """Compares the results with what is expected of them, and says what does not hold."""
    wanted = {row.test.real_path: row for row in expectations.rows if row.verdict != "-"}
    held = failed = 0
    for result in results:
        row = wanted.get(result.job.file.real_path)
        if row is None:
            continue
        found = result.outcome.verdict.value if result.outcome else "Error"
        if found == row.verdict:
            held += 1
        else:
            failed += 1
            say(f"{row.span}: {result.job.file.stem}: expected {row.verdict}, found {found}")
    unstated = sum(row.verdict == "-" for row in expectations.rows)
    say(
        f"{expectations.path}, column {expectations.column}: {held + failed} checked, "
        f"{held} hold, {failed} do not, {unstated} without a verdict"
    )
    if held + failed == 0:
        say("nothing was checked: no test that was run has a verdict there")
        return Status.ERROR
    return Status.DIFFERS if failed else Status.OK


# diff, table, eval, list


def diff(arguments: argparse.Namespace) -> Status:
    models = arguments.model
    if models:
        if len(models) != 2:
            raise UsageError("diff takes two models: -m A.cat -m B.cat")
        before, after, problems = _two_models(arguments)
    else:
        if len(arguments.files) != 2:
            raise UsageError("diff takes two tables, or two models by -m and tests")
        before, after = (read_table(Path(file)) for file in arguments.files)
        problems = []
    difference = compare(before, after)
    sys.stdout.write(show(difference, arguments.format))
    if problems or any(test.error for table in (before, after) for test in table.tests):
        return Status.ERROR
    return Status.DIFFERS if difference.changes else Status.OK


def _two_models(arguments: argparse.Namespace) -> tuple[Table, Table, list[CatpyError]]:
    """The tables of both models, and what was wrong with the words that name tests."""
    files, problems = collect(arguments.files)
    complain(problems)
    first, second = (_runner(arguments, model) for model in arguments.model)
    for runner, model in zip((first, second), arguments.model, strict=True):
        runner.load_model(model)
    records: tuple[list[Record], list[Record]] = ([], [])
    with progress(len(files), beside_log=False) as shown:
        for file in files:
            shown.start(file.stem)
            for runner, kept in zip((first, second), records, strict=True):
                runner.tick = shown.tick
                for result in runner.run([Job(file)]):
                    kept.append(record(result))
    _complain_of(records)
    names = [Path(model).stem for model in arguments.model]
    if names[0] == names[1]:
        names = list(arguments.model)
    before, after = (Table(name, tuple(kept)) for name, kept in zip(names, records, strict=True))
    return before, after, problems


def _complain_of(records: tuple[list[Record], list[Record]]) -> None:
    """Each error once: a wrong test is wrong under both models."""
    complain(dict.fromkeys(test.error for kept in records for test in kept if test.error))


def table(arguments: argparse.Namespace) -> Status:
    tables = [read_table(path) for path in arguments.files]
    sys.stdout.write(grid(tables, arguments.format))
    return Status.OK


def evaluate_expressions(arguments: argparse.Namespace) -> Status:
    return evaluate(arguments, _runner(arguments, arguments.model))


def list_installed(arguments: argparse.Namespace) -> Status:
    print("models:")
    for name in Library([installed("models")]).names():
        print(f"  {name}")
    print("tests:")
    root = installed("litmus")
    for folder in sorted({path.parent for path in root.rglob("*.litmus")}):
        number = len(list(folder.glob("*.litmus")))
        print(f"  litmus/{folder.relative_to(root)} ({number})")
    return Status.OK


COMMANDS: dict[str, Callable[[argparse.Namespace], Status]] = {
    "run": run,
    "diff": diff,
    "table": table,
    "eval": evaluate_expressions,
    "model": show_model,
    "list": list_installed,
}
