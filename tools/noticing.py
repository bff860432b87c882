"""Which tests notice that a model lacks a clause: its mutants are run, in one process or several.

What is compared are verdicts, sets of final states, and flags; executions are not counted.

Most clauses have nothing to say of most tests: where a union has the same value without an operand
whenever it is evaluated, the test goes on as before without that operand, and is not run again.
"""

from __future__ import annotations

import enum
import hashlib
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

from catpy.arch.program import Options
from catpy.batch.work import too_large
from catpy.batch.workers import processes
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.cat.mutation import Mutant
from catpy.cat.operators import Operators
from catpy.cat.syntax import Operation, Try
from catpy.cat.values import Value, token
from catpy.cat.walks import nodes
from catpy.errors import CatpyError
from catpy.execution import Outcome, run_test
from catpy.execution.search import Effort
from catpy.litmus import LitmusTest
from catpy.source import Span

#: Where one test for each clause is enough, those that noticed before are tried first. So many
#: clauses are under way at a time, and say nothing to each other: what is found for a clause does
#: not depend on the number of processes.
_AHEAD = 8


@dataclass(frozen=True)
class Found:
    """What counts of the outcome of a test; `states` stands for the set of its final states."""

    verdict: str
    states: str = ""
    flags: tuple[str, ...] = ()
    error: CatpyError | None = None


class Kind(enum.Enum):
    """What changes first and foremost, the weightiest first."""

    VERDICT = "verdict"
    ERROR = "error"
    STATES = "states"
    FLAGS = "flags"


@dataclass(frozen=True)
class Notice:
    """What changes for a test, which is given by its index, without a clause."""

    test: int
    kind: Kind
    before: Found
    after: Found


class Needed:
    """Gathers the operands of unions, by their places, that ever made a difference to the value."""

    def __init__(self) -> None:
        self.places: set[Span] = set()

    def __call__(
        self, operators: Operators, union: Operation, values: Sequence[Value], result: Value
    ) -> None:
        whole = token(result)
        for index, operand in enumerate(union.operands):
            if operand.span not in self.places:
                first, *others = (*values[:index], *values[index + 1 :])
                rest = reduce(lambda a, b: operators.union(a, b, union.span), others, first)
                if whole is None or token(rest) != whole:
                    self.places.add(operand.span)


@dataclass(frozen=True)
class Suite:
    """A model, its mutants, the tests, and how they are run: all that another process needs."""

    model: Model
    mutants: Sequence[Mutant]
    tests: Sequence[LitmusTest]
    options: Options
    settings: Settings

    def whole(self, test: int) -> tuple[Found, frozenset[int]]:
        """What is found for a test under the model itself, and the mutants that may differ."""
        needed = Needed()
        found = self._found(test, self.model, replace(self.settings, watch=needed))
        return found, frozenset(
            index
            for index, mutant in enumerate(self.mutants)
            if mutant.span not in self._operands or mutant.span in needed.places
        )

    @cached_property
    def _operands(self) -> frozenset[Span]:
        """The places of the operands of unions.

        Where a model has a `try` they are not told from other clauses: an operand that is left out
        can be what went wrong inside it, which nobody was told of.
        """
        tree = list(nodes(self.model.statements))
        if any(isinstance(node, Try) for node in tree):
            return frozenset()
        unions = [node for node in tree if isinstance(node, Operation) and node.operator == "|"]
        return frozenset(operand.span for union in unions for operand in union.operands)

    def notices(
        self, mutant: int, order: Sequence[int], before: Sequence[Found], first: bool
    ) -> list[Notice]:
        """The tests that notice the absence of a clause, tried in an order; with `first` only one.

        `before` is what is found for each test under the model itself.
        """
        model = self.mutants[mutant].model
        noticed = []
        for test in order:
            after = self._found(test, model, self.settings)
            kind = _kind(before[test], after)
            if kind is not None:
                noticed.append(Notice(test, kind, before[test], after))
                if first:
                    break
        return noticed

    def _found(self, test: int, model: Model, settings: Settings) -> Found:
        effort = Effort(states_only=True)
        try:
            outcome = run_test(self.tests[test], model, self.options, settings, effort)
        except CatpyError as problem:
            return Found("Error", error=problem)
        except RecursionError:
            return Found("Error", error=too_large(self.tests[test].source.name))
        return Found(outcome.verdict.value, _fingerprint(outcome), outcome.flags)


def _fingerprint(outcome: Outcome) -> str:
    """The same for the same set of states: sets can be too large to be kept and sent."""
    digest = hashlib.sha256()
    for values in sorted(map(repr, outcome.executions)):
        digest.update(values.encode(errors="backslashreplace") + b"\n")
    return digest.hexdigest()


def _kind(before: Found, after: Found) -> Kind | None:
    if after.error:
        return Kind.ERROR
    if after.verdict != before.verdict:
        return Kind.VERDICT
    if after.states != before.states:
        return Kind.STATES
    return Kind.FLAGS if after.flags != before.flags else None


# In one process or several

_suite: Suite | None = None


def _begin(suite: Suite) -> None:
    global _suite
    _suite = suite


def _call(method: str, *arguments: Any) -> Any:
    """A method of the suite that this process was given."""
    return getattr(_suite, method)(*arguments)


class _Here(Executor):
    """Does what it is given at once, in this process."""

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(work(*arguments, **named))
        return future


@contextmanager
def hands(suite: Suite, number: int) -> Iterator[Executor]:
    """Who runs the tests of a suite: this process, or so many others."""
    if number == 1:
        _begin(suite)
        yield _Here()
        return
    try:
        with processes(number, _begin, suite) as pool:
            yield pool
    except BrokenExecutor:
        hint = "leave out the largest tests, or take fewer processes"
        message = "a process that ran tests died (out of memory?)"
        raise CatpyError(message, hint=hint) from None


def outcomes(suite: Suite, workers: Executor) -> list[tuple[Found, frozenset[int]]]:
    """What is found for each test under the model itself, and the mutants that may differ."""
    return [
        future.result()
        for future in [workers.submit(_call, "whole", test) for test in range(len(suite.tests))]
    ]


def all_notices(
    suite: Suite,
    workers: Executor,
    before: Sequence[Found],
    differing: Sequence[frozenset[int]],
    first: bool,
) -> Iterator[list[Notice]]:
    """For each mutant the tests that notice, in the order of the mutants.

    `before` is what is found for each test under the model itself, `differing` are the mutants that
    may differ on it.
    """
    waiting: deque[Future[list[Notice]]] = deque()
    usable = [test for test, found in enumerate(before) if found.error is None]
    counts: Counter[int] = Counter()
    for mutant in range(len(suite.mutants)):
        while waiting and (len(waiting) >= _AHEAD if first else waiting[0].done()):
            yield _taken(waiting, counts)
        order = [test for test in usable if mutant in differing[test]]
        if first:
            order.sort(key=lambda test: -counts[test])
        waiting.append(workers.submit(_call, "notices", mutant, order, before, first))
    while waiting:
        yield _taken(waiting, counts)


def _taken(waiting: deque[Future[list[Notice]]], counts: Counter[int]) -> list[Notice]:
    noticed = waiting.popleft().result()
    counts.update(notice.test for notice in noticed)
    return noticed
