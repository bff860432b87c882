"""`catpy eval`: evaluates cat expressions on single executions, one-shot or at a prompt."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress

from catpy.arch import default_model
from catpy.batch.collect import TestFile, collect
from catpy.batch.runner import Runner
from catpy.cat.dialect import Dialect
from catpy.cat.parser import parse_line
from catpy.cat.syntax import Check, Let
from catpy.cli.run import complain
from catpy.cli.status import Status
from catpy.errors import CatpyError, UsageError
from catpy.execution.inspection import Execution, Executions
from catpy.report.execution import Shown, names_by_kind
from catpy.source import Source

HELP = """\
EXPRESSION        its events, or its pairs in order
let x = EXPR      binds a name, here and in the executions that come after
acyclic EXPR      yes or no, with a shortest cycle; irreflexive, empty and ~ likewise
:events           the events, what the registers end with, rf
:names            what is bound
:check            the model's checks: which hold here
:next :prev       the execution after or before this one
:go K             the execution of that number
:v                a line with the instructions for each event and pair, or no more
:help :quit
"""


def evaluate(arguments: argparse.Namespace, runner: Runner) -> Status:
    """Runs the command; `runner` has the model and the options of the call."""
    file = _test_file(arguments)
    if file.path is None and not arguments.expressions:
        raise UsageError("a test from standard input goes with -e EXPR")
    test = file.read()
    model = runner.load_model(runner.model or default_model(test))
    wanted = {"all": None, "prop": True, "neg": False}[arguments.show]
    executions = Executions(test, model, runner.options, runner.settings, arguments.all, wanted)
    complain([odd.render("warning") for odd in executions.warnings])
    session = Session(executions, arguments.number, arguments.verbose)
    if arguments.expressions:
        return _one_shot(session, arguments.expressions)
    session.command(":events")
    return _at_terminal(session) if sys.stdin.isatty() else _piped(session)


def _test_file(arguments: argparse.Namespace) -> TestFile:
    files, problems = collect([arguments.test])
    if problems:
        raise problems[0]
    if len(files) != 1:
        raise UsageError(f"eval takes one test, and {arguments.test} has {len(files)}")
    return files[0]


def _one_shot(session: Session, expressions: list[str]) -> Status:
    for text in expressions:
        session.read(Source("-e", text))
    return session.status


def _piped(session: Session) -> Status:
    """Lines from a file or a pipe; places in messages are those in the whole of it."""
    for number, line in enumerate(sys.stdin):
        session.read(_line_of("<stdin>", number, line))
        if session.ended:
            break
    return session.status


def _at_terminal(session: Session) -> Status:
    """Lines from a user. What was wrong was said at once: the status is that of a good end."""
    _edit_lines()
    number = 0
    while not session.ended:
        try:
            session.read(_line_of("<prompt>", number, input("cat> ")))
        except EOFError:
            print()
            break
        except KeyboardInterrupt:
            print()
        number += 1
    return Status.OK


def _line_of(name: str, number: int, line: str) -> Source:
    return Source(name, "\n" * number + line.rstrip("\n"))


def _edit_lines() -> None:
    """Line editing and history, where the system has them."""
    with suppress(ImportError):
        import readline  # noqa: F401  (input() uses it once it is imported)


class Session:
    """What a prompt keeps: the present execution, and the definitions made so far."""

    def __init__(self, executions: Executions, number: int, verbose: bool) -> None:
        self._executions = executions
        self._verbose = verbose
        self._definitions: list[Let] = []
        self.status = Status.OK
        self.ended = False
        self._number = number
        self._execution = executions.find(number)

    # Lines

    def read(self, source: Source) -> None:
        """Does what a line says. What is wrong with it is printed and kept in `status`."""
        try:
            text = source.text.strip()
            if text.startswith(":"):
                self.command(text)
            elif text:
                self._evaluate(source)
        except CatpyError as problem:
            self._complain(problem)
        except RecursionError:
            self._complain(CatpyError("this expression is nested too deeply"))

    def _complain(self, problem: CatpyError) -> None:
        complain([problem])
        self.status = Status.ERROR

    def _evaluate(self, source: Source) -> None:
        line = parse_line(source, self._dialect)
        shown = self._shown()
        match line:
            case Let():
                self._execution.define(line)
                self._definitions.append(line)
            case Check():
                print(shown.test(line, *self._execution.test(line)))
            case _:
                print(shown.value(self._execution.evaluate(line)))

    @property
    def _dialect(self) -> Dialect:
        return self._executions.model.dialect

    def _shown(self) -> Shown:
        return Shown(self._execution, self._verbose)

    # Commands

    def command(self, text: str) -> None:
        """A line that begins with a colon. Raises CatpyError where it is wrong."""
        word, _, argument = text.partition(" ")
        if word == ":go":
            self._go(_number(argument.strip()))
        elif word in _COMMANDS and not argument.strip():
            _COMMANDS[word](self)
        else:
            raise UsageError(f"there is no command `{text}`", hint=":help lists them")

    def _events(self) -> None:
        print(f"{self._title()}\n{self._shown().overview()}", end="")

    def _title(self) -> str:
        if not self._executions.everything:
            return f"Execution {self._number}{_end(self._execution)}"
        failed = [check.name or check.kind for check in self._execution.failed()]
        judged = f"fails: {', '.join(dict.fromkeys(failed))}" if failed else "all checks hold"
        return f"Candidate {self._number}{_end(self._execution)} ({judged})"

    def _names(self) -> None:
        print(names_by_kind(self._execution), end="")

    def _check(self) -> None:
        print(self._shown().checks(), end="")

    def _next(self) -> None:
        self._go(self._number + 1)

    def _previous(self) -> None:
        self._go(self._number - 1)

    def _go(self, number: int) -> None:
        """Another execution, with the definitions of this session."""
        self._execution = self._executions.find(number)
        self._number = number
        self._events()
        for definition in self._definitions:
            self._execution.define(definition)

    def _switch_verbose(self) -> None:
        self._verbose = not self._verbose

    def _help(self) -> None:
        print(HELP, end="")

    def _quit(self) -> None:
        self.ended = True


def _end(execution: Execution) -> str:
    """How an execution without a final state ends."""
    if execution.skeleton.is_cut:
        return ", cut by the unroll bound"
    return ", stuck" if execution.skeleton.join.stuck else ""


def _number(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f":go takes the number of an execution, not `{text}`")
    return int(text)


_COMMANDS: dict[str, Callable[[Session], None]] = {
    ":events": Session._events,
    ":names": Session._names,
    ":check": Session._check,
    ":next": Session._next,
    ":prev": Session._previous,
    ":v": Session._switch_verbose,
    ":help": Session._help,
    ":quit": Session._quit,
}
