"""What each command does: collect, run, print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from catpy.batch.collect import collect
from catpy.batch.runner import Job
from catpy.cat.loader import Library
from catpy.cli.eval import evaluate
from catpy.cli.model import show_model
from catpy.cli.progress import progress
from catpy.cli.run import complain, run, runner_of
from catpy.cli.status import Status
from catpy.errors import CatpyError, UsageError
from catpy.report import diff as differences
from catpy.report import grid
from catpy.report.table import Record, Table, record
from catpy.report.table_file import read_table
from catpy.resources import installed

# diff, table, eval, list


def diff(arguments: argparse.Namespace) -> Status:
    """`catpy diff`: prints what changes between two tables, or two models."""
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
    difference = differences.compare(before, after)
    sys.stdout.write(differences.FORMS[arguments.format](difference))
    if problems or any(test.error for table in (before, after) for test in table.tests):
        return Status.ERROR
    if difference.partial:
        return Status.INCOMPLETE
    return Status.DIFFERS if difference.changes else Status.OK


def _two_models(arguments: argparse.Namespace) -> tuple[Table, Table, list[CatpyError]]:
    """The tables of both models, and what was wrong with the words that name tests."""
    files, problems = collect(arguments.files)
    complain(problems)
    first, second = (runner_of(arguments, model) for model in arguments.model)
    for runner, model in zip((first, second), arguments.model, strict=True):
        runner.load_model(model)
    records: tuple[list[Record], list[Record]] = ([], [])
    with progress(2 * len(files), beside_log=False) as shown:
        jobs = [Job(file) for file in files]
        for runner, kept in zip((first, second), records, strict=True):
            runner.tick = shown.tick
            for result in runner.run(jobs, lambda job: shown.start(job.file.stem)):
                kept.append(record(result))
                shown.finish(0)
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
    """`catpy table`: prints saved tables side by side."""
    tables = [read_table(path) for path in arguments.files]
    sys.stdout.write(grid.FORMS[arguments.format](tables))
    return Status.OK


def evaluate_expressions(arguments: argparse.Namespace) -> Status:
    """`catpy eval`: evaluates expressions on single executions."""
    return evaluate(arguments, runner_of(arguments, arguments.model))


def list_installed(_arguments: argparse.Namespace) -> Status:
    """`catpy list`: prints the models and tests that are installed."""
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
