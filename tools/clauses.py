"""Says which tests notice that a model lacks one of its clauses, and which clauses no test needs.

Each clause in the model's own file (`catpy/cat/mutation.py` says what that is) is left out in turn,
and the tests are run: those notice whose verdict, set of final states or flags are others than
under the model itself, or that cannot be run any more. The exit status is 1 where nobody notices a
clause. The JSON form:

    {"model": "ptx", "file": "models/ptx.cat", "tests": 332, "first": false, "clauses": [
      {"clause": "strong-read: RLX", "file": "models/ptx.cat", "line": 52, "column": 24,
       "noticed": [{"test": "MP", "change": "verdict|error|states|flags", "before": "Ok",
                    "after": "No", "gained": [], "lost": ["data-race"], "error": null}]}],
     "unnoticed": ["related: po"]}

`before` and `after` are verdicts; `gained` and `lost` are flags. With `first` each clause has one
test at most.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from noticing import Found, Kind, Notice, Suite, all_notices, hands, outcomes

from catpy.batch.collect import collect
from catpy.cat.loader import Model
from catpy.cat.mutation import Mutant, without_one_clause
from catpy.cli import guarded
from catpy.cli.arguments import (
    add_jobs,
    add_model_options,
    add_reading_options,
    add_tests,
    positive,
)
from catpy.cli.run import complain, runner_of
from catpy.cli.status import Status
from catpy.errors import CatpyError, UsageError
from catpy.litmus import LitmusTest

#: A longer clause is cut in the table, though not in the list of those that nobody notices.
_WIDEST = 72

_WEIGHTS = list(Kind)


def main() -> int:
    parser = _parser()
    return guarded(lambda: clauses(parser.parse_args()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tools/clauses", description=__doc__.split("\n")[0])
    parser.add_argument("model", metavar="MODEL", help="a .cat file or the name of a model")
    add_tests(parser, at_least_one=True)
    parser.add_argument(
        "--first",
        action="store_true",
        help="look for one test for each clause, whatever it notices: much faster",
    )
    parser.add_argument(
        "--only", metavar="TEXT", default="", help="clauses with this in their place or name"
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=positive,
        default=3,
        help="print so many tests for each clause (default: 3)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_jobs(parser)
    add_model_options(parser)
    add_reading_options(parser)
    parser.set_defaults(skip=[])  # no option of this tool: each check is left out in its turn
    return parser


def clauses(arguments: argparse.Namespace) -> Status:
    """Does what a call asks for. Raises CatpyError where the call or the model is wrong."""
    runner = runner_of(arguments, arguments.model)
    model = runner.load_model(arguments.model)
    mutants = list(_chosen(model, arguments.only))
    tests, problems = _read(arguments.tests)
    complain(problems)
    suite = Suite(model, [mutant for _, mutant in mutants], tests, runner.options, runner.settings)
    report = _Report(suite, [label for label, _ in mutants], arguments.first, arguments.limit)
    with hands(suite, arguments.jobs or os.cpu_count() or 1) as workers:
        runs = outcomes(suite, workers)
        before = [found for found, _ in runs]
        # A mistake in a model is the same for every test: once is enough.
        complain(dict.fromkeys(found.error.render() for found in before if found.error))
        failed = len(problems) + sum(found.error is not None for found in before)
        if failed < len(problems) + len(tests):
            text = arguments.format == "text"
            differing = [mutants for _, mutants in runs]
            found = all_notices(suite, workers, before, differing, arguments.first)
            report.take(found, lines=text)
            sys.stdout.write(report.summary() if text else report.json(before))
    if failed:
        if len(problems) + len(tests) > 1:
            complain([f"catpy: {failed} of {len(problems) + len(tests)} could not be run"])
        return Status.ERROR
    return Status.DIFFERS if report.unnoticed else Status.OK


def _chosen(model: Model, only: str) -> Iterator[tuple[str, Mutant]]:
    """The mutants that are asked for, each with its clause's place and name."""
    mutants = list(without_one_clause(model))
    if not mutants:
        message = f"there is nothing to leave out of {model.path}: it has no clauses"
        raise UsageError(message, hint="those of the files it includes are left alone")
    times = Counter(f"{mutant.place} {mutant.clause}" for mutant in mutants)
    found = False
    for mutant in mutants:
        label = f"{mutant.place} {mutant.clause}"
        if times[label] > 1:  # twice in a line: the column tells
            _, column = mutant.span.source.position(mutant.span.start)
            label = f"{mutant.place}:{column} {mutant.clause}"
        if only in label:
            found = True
            yield label, mutant
    if not found:
        raise UsageError(f"no clause of {model.path} has `{only}` in its place or name")


def _read(words: Sequence[str]) -> tuple[list[LitmusTest], list[CatpyError]]:
    """The tests that words name, and what is wrong with some of them."""
    files, problems = collect(words)
    tests = []
    for file in files:
        try:
            tests.append(file.read())
        except CatpyError as problem:
            problems.append(problem)
    return tests, problems


# What is printed


@dataclass
class _Report:
    """The clauses of a suite by their labels, and what is found for them."""

    suite: Suite
    labels: Sequence[str]
    first: bool
    limit: int

    def __post_init__(self) -> None:
        self.found: list[list[Notice]] = []
        names = [test.name for test in self.suite.tests]
        times = Counter(names)
        #: The tests' names, with the file where several have one name.
        self.names = [
            name if times[name] == 1 else f"{name} ({test.source.name})"
            for name, test in zip(names, self.suite.tests, strict=True)
        ]
        self.width = min(_WIDEST, max(map(len, self.labels)))

    @property
    def unnoticed(self) -> list[str]:
        """The labels of clauses that were left out and not missed."""
        found = zip(self.labels, self.found, strict=True)
        return [label for label, noticed in found if not noticed]

    def take(self, results: Iterable[list[Notice]], lines: bool) -> None:
        """Takes what is found for each clause; prints a line as soon as it is there."""
        if lines:
            counts = "" if self.first else "  verdicts  others"
            print(f"{'clause':{self.width}}{counts}  noticed by", flush=True)
        for label, noticed in zip(self.labels, results, strict=True):
            noticed.sort(key=lambda notice: _WEIGHTS.index(notice.kind))
            self.found.append(noticed)
            if lines:
                print(self._line(label, noticed), flush=True)

    def _line(self, label: str, noticed: Sequence[Notice]) -> str:
        if len(label) > self.width:
            label = label[: self.width - 1] + "…"
        verdicts = sum(notice.kind is Kind.VERDICT for notice in noticed)
        counts = "" if self.first else f"{verdicts:10}{len(noticed) - verdicts:8}"
        shown = [self._shown(notice) for notice in noticed[: self.limit]]
        more = ["…"] if len(noticed) > self.limit else []
        return f"{label:{self.width}}{counts}  {', '.join(shown + more) or '-'}"

    def _shown(self, notice: Notice) -> str:
        match notice.kind:
            case Kind.VERDICT:
                change = f"{notice.before.verdict} → {notice.after.verdict}"
            case Kind.FLAGS:
                gained, lost = _flags(notice)
                change = " ".join([f"+{flag}" for flag in gained] + [f"-{flag}" for flag in lost])
            case kind:
                change = kind.value
        return f"{self.names[notice.test]} ({change})"

    def summary(self) -> str:
        """What is said at the end: the clauses that nobody notices."""
        number = f"{len(self.labels)} {'clause' if len(self.labels) == 1 else 'clauses'}"
        if not self.unnoticed:
            return f"\n{number}, each noticed by a test\n"
        lines = [f"\nnoticed by no test: {len(self.unnoticed)} of {number}"]
        return "\n".join([*lines, *(f"  {label}" for label in self.unnoticed)]) + "\n"

    def json(self, before: Sequence[Found]) -> str:
        """The JSON form; of the tests, those count that can be run."""
        mutants = zip(self.suite.mutants, self.found, strict=True)
        data = {
            "model": self.suite.model.name,
            "file": str(self.suite.model.path),
            "tests": sum(found.error is None for found in before),
            "first": self.first,
            "clauses": [self._clause(mutant, noticed) for mutant, noticed in mutants],
            "unnoticed": self.unnoticed,
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"

    def _clause(self, mutant: Mutant, noticed: Sequence[Notice]) -> dict[str, Any]:
        line, column = mutant.span.source.position(mutant.span.start)
        return {
            "clause": mutant.clause,
            "file": mutant.span.source.name,
            "line": line,
            "column": column,
            "noticed": [self._notice(notice) for notice in noticed],
        }

    def _notice(self, notice: Notice) -> dict[str, Any]:
        gained, lost = _flags(notice)
        return {
            "test": self.names[notice.test],
            "change": notice.kind.value,
            "before": notice.before.verdict,
            "after": notice.after.verdict,
            "gained": gained,
            "lost": lost,
            "error": notice.after.error.message if notice.after.error else None,
        }


def _flags(notice: Notice) -> tuple[list[str], list[str]]:
    """The flags gained and lost."""
    before, after = set(notice.before.flags), set(notice.after.flags)
    return sorted(after - before), sorted(before - after)


if __name__ == "__main__":
    sys.exit(main())
