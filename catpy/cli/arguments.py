"""The command line: options are data here, and mean something in `commands`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from catpy import __version__
from catpy.arch.program import DIALECTS
from catpy.cat.dialect import Dialect
from catpy.errors import UsageError, did_you_mean
from catpy.execution.run import ENGINES
from catpy.report import diff as differences
from catpy.report import grid
from catpy.report import model as reports
from catpy.report.definitions import DEPENDENCIES
from catpy.report.forms import LOGS, TABLES


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line; `command` in the result is a name in `commands.COMMANDS`.

    Raises UsageError for what its command does not take.
    """
    parser, commands = _parsers()
    parsed, rest = parser.parse_known_args(arguments)
    if rest:
        actions = commands.choices[parsed.command]._actions  # argparse has no public name for it
        options = [option for action in actions for option in action.option_strings]
        hint = did_you_mean(rest[0].partition("=")[0], options)
        hint = hint or f"`catpy {parsed.command} --help` lists the options"
        raise UsageError(f"`catpy {parsed.command}` does not take `{rest[0]}`", hint=hint)
    return parsed


def _parsers() -> tuple[argparse.ArgumentParser, Subparsers[argparse.ArgumentParser]]:
    """What reads the command line, and in it what reads that of each command."""
    parser = argparse.ArgumentParser(
        prog="catpy",
        description="A herd-style interpreter for .cat memory models, for GPUs first.",
    )
    parser.add_argument("--version", action="version", version=f"catpy {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_diff(commands)
    _add_table(commands)
    _add_eval(commands)
    _add_model_command(commands)
    commands.add_parser("list", help="models and test collections that are installed")
    return parser, commands


_TEXT = "default: text"

Subparsers = argparse._SubParsersAction  # argparse has no public name for it


def _add_run(commands: Subparsers[argparse.ArgumentParser]) -> None:
    run = commands.add_parser("run", help="run tests on a model")
    add_tests(run)
    _add_model(run)
    _add_run_options(run)
    run.add_argument("--format", choices=(*LOGS, *TABLES), help="default: herd")
    run.add_argument(
        "--check", metavar="FILE.tsv", type=Path, help="compare verdicts with those of a file"
    )
    run.add_argument(
        "--column", metavar="NAME", help="the column of --check (default: the model's name)"
    )
    run.add_argument(
        "-o", "--output", metavar="TABLE.json", type=Path, help="write the outcome table to a file"
    )
    run.add_argument(
        "--resume",
        action="store_true",
        help="take from the table of -o, or what is left of it, the tests that it has",
    )
    run.add_argument(
        "--first",
        action="store_true",
        help="end each test with the state that decides its condition",
    )


def _add_diff(commands: Subparsers[argparse.ArgumentParser]) -> None:
    diff = commands.add_parser(
        "diff",
        help="what changes between two tables, or two models on the same tests",
        usage="catpy diff [options] A.json B.json\n       "
        "catpy diff [options] -m A.cat -m B.cat TEST…",
    )
    diff.add_argument(
        "-m",
        "--model",
        metavar="MODEL",
        action="append",
        default=[],
        help="a .cat file or the name of a model; two of them are compared on the tests",
    )
    diff.add_argument("files", nargs="+", metavar="FILE", help="two tables, or tests")
    _add_run_options(diff)
    diff.add_argument("--format", choices=tuple(differences.FORMS), default="text", help=_TEXT)


def _add_table(commands: Subparsers[argparse.ArgumentParser]) -> None:
    table = commands.add_parser("table", help="tests × models grid of saved tables")
    table.add_argument("files", nargs="+", metavar="TABLE.json", type=Path, help="what -o wrote")
    table.add_argument("--format", choices=tuple(grid.FORMS), default="text", help=_TEXT)


def _add_eval(commands: Subparsers[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("eval", help="evaluate cat expressions on single executions")
    parser.add_argument("test", metavar="TEST", help="a test file, - for standard input")
    _add_model(parser)
    parser.add_argument(
        "-n",
        "--number",
        metavar="K",
        type=positive,
        default=1,
        help="the K-th execution that the model allows, from 1 on (default: 1)",
    )
    parser.add_argument("--all", action="store_true", help="number all candidates, allowed or not")
    parser.add_argument(
        "--show",
        choices=("all", "prop", "neg"),
        default="all",
        help="number those only in which the proposition of the test's condition is true (prop),"
        " or is not (neg)",
    )
    parser.add_argument(
        "-e",
        "--expression",
        dest="expressions",
        metavar="EXPR",
        action="append",
        default=[],
        help="print the value of this and no more (may be repeated)",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="a line for each event and pair"
    )
    add_model_options(parser)
    _add_test_options(parser)


class _Once(argparse.Action):
    """Keeps what is given once, and is an error where it is given again."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, self.dest) is not None:
            message = "there is one already: `catpy diff -m A.cat -m B.cat` compares two"
            raise argparse.ArgumentError(self, message)
        setattr(namespace, self.dest, values)


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-m",
        "--model",
        metavar="MODEL",
        action=_Once,
        help="a .cat file or the name of a model (default: ptx)",
    )


def _add_model_command(commands: Subparsers[argparse.ArgumentParser]) -> None:
    model = commands.add_parser(
        "model", help="what is wrong with a model, what it defines, checks and chooses"
    )
    model.add_argument("file", metavar="MODEL", help="a .cat file or the name of a model")
    add_model_options(model)
    shown = model.add_mutually_exclusive_group()
    shown.add_argument(
        "--deps",
        choices=tuple(DEPENDENCIES),
        nargs="?",
        const="text",
        help="print which definition needs which (default: text)",
    )
    shown.add_argument(
        "--explain", metavar="NAME", help="print a definition with those it needs in their place"
    )
    shown.add_argument(
        "--explain-all", metavar="NAME", help="the same, down to what is bound before the model"
    )
    model.add_argument("--format", choices=tuple(reports.FORMS), default="text", help=_TEXT)


def add_tests(parser: argparse.ArgumentParser, at_least_one: bool = False) -> None:
    """Which tests are run."""
    parser.add_argument(
        "tests",
        nargs="+" if at_least_one else "*",
        metavar="TEST",
        help="a test file, a folder of them, @FILE that lists them, - for standard input",
    )


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Where a model is looked up, and how it is read."""
    parser.add_argument(
        "-I",
        "--include",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="look for models here first (may be repeated)",
    )
    parser.add_argument(
        "-D",
        "--define",
        metavar="NAME=EXPR",
        action="append",
        default=[],
        help="replace the model's definition of a name, or add one (may be repeated)",
    )
    parser.add_argument(
        "--variant",
        metavar="NAME",
        action="append",
        default=[],
        help='make `if "NAME"` hold in the model; by cas-writes-back a compare-and-swap that fails'
        " writes what it read (may be repeated)",
    )
    parser.add_argument(
        "--bell",
        metavar="FILE",
        action="append",
        default=[],
        help="run this file before the model (may be repeated)",
    )
    parser.add_argument(
        "--cat-dialect",
        choices=tuple(dialect.value for dialect in Dialect),
        default=Dialect.HERD.value,
        help="how models are read (default: herd)",
    )


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """How tests are read."""
    parser.add_argument(
        "--unroll",
        metavar="N",
        type=_natural,
        default=2,
        help="how often a thread may take the same backward branch (default: 2)",
    )
    parser.add_argument(
        "--spin",
        metavar="N",
        type=_natural,
        help="how many rounds in a row of a loop that only waits may fail; more are assumed not to"
        " happen (default: they count for --unroll)",
    )
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DIALECTS[0],
        help=f"how tests are read (default: {DIALECTS[0]})",
    )


def _add_test_options(parser: argparse.ArgumentParser) -> None:
    add_reading_options(parser)
    parser.add_argument(
        "--skip",
        metavar="CHECK",
        action="append",
        default=[],
        help="do not run the model's check of this name (may be repeated)",
    )


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    _add_test_options(parser)
    parser.add_argument(
        "--strict-skip",
        action="store_true",
        help="keep the executions that fail exactly the checks of --skip",
    )
    _add_effort(parser)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """On how many processes tests are run."""
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=_jobs,
        default=1,
        help="run on N processes, 0: one for each processor (default: 1)",
    )


def _add_effort(parser: argparse.ArgumentParser) -> None:
    add_jobs(parser)
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="run on the workers of a Dask cluster (tcp://…)"
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=_seconds,
        help="end a test after so many seconds, with what was found",
    )
    parser.add_argument(
        "--memory",
        metavar="MB",
        type=positive,
        help="end a test where it takes more memory, with what was found",
    )
    parser.add_argument(
        "--states-only",
        action="store_true",
        help="which states there are; executions are not counted",
    )
    parser.add_argument(
        "--engine",
        choices=tuple(ENGINES),
        default="fast",
        help="naive: one candidate after the other, to compare with (default: fast)",
    )


def _jobs(text: str) -> int:
    number = _natural(text)
    if number > 1000:
        raise argparse.ArgumentTypeError(f"at most 1000 processes, not {text}")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"a number of seconds is wanted, not {text!r}")
    return seconds


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a number from 0 on is wanted, not {text!r}")
    return int(text)


def positive(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"a number from 1 on is wanted, not {text!r}")
    return int(text)
