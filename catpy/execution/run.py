"""Runs a test under a model by one of the engines."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from math import isqrt, prod

from catpy.arch import build_program
from catpy.arch.program import Options, Program
from catpy.cat.interpreter import UNDEFINED, Settings
from catpy.cat.loader import Model
from catpy.execution import blocks, naive
from catpy.execution.blocks.question import ask, may_raise
from catpy.execution.candidates import skeletons
from catpy.execution.finals import Observer
from catpy.execution.limits import Budget, OutOfBudget
from catpy.execution.outcome import Outcome, Values
from catpy.execution.search import Effort, Progress, Search
from catpy.execution.skeleton import Skeleton
from catpy.execution.tally import Tally
from catpy.litmus import LitmusTest
from catpy.litmus.condition import compared_with_numbers, show_condition
from catpy.litmus.digest import digest

#: How the executions of one control flow are counted. All engines give the same counts.
ENGINES: Mapping[str, Callable[[Skeleton, Search], None]] = {
    "fast": blocks.count_flow,
    "naive": naive.count_flow,
}

Tick = Callable[[Progress], None]


class TooLarge(Exception):  # noqa: N818  (a wish, and no error)
    """A test is worth being searched in parts."""


class _Decided(Exception):  # noqa: N818  (the search ends early, and well)
    """The condition of the test is decided."""


def run_test(
    test: LitmusTest,
    model: Model,
    options: Options | None = None,
    settings: Settings | None = None,
    effort: Effort | None = None,
    tick: Tick = lambda progress: None,
) -> Outcome:
    """The outcome of a test under a model.

    `tick` is told how far the search is, now and then. Where a limit of `effort` is reached, the
    outcome has what was found until then. Raises TestError where the test is wrong and ModelError
    where the model is.
    """
    return _Running(test, model, options or Options(), settings, effort or Effort(), tick).run()


class _Running:
    def __init__(
        self,
        test: LitmusTest,
        model: Model,
        options: Options,
        settings: Settings | None,
        effort: Effort,
        tick: Tick,
    ) -> None:
        self._started = time.perf_counter()
        self._begun = time.process_time() if effort.split_after is not None else 0.0
        self._test = test
        self._model = model
        self._options = options
        self._settings = settings or Settings()
        self._effort = effort
        self._tick = tick
        self._budget = Budget(effort.timeout, effort.memory, effort.used)
        self._tally = Tally(effort.states_only)
        self._flows, self._flow = 1, 0
        self._decided = False

    def run(self) -> Outcome:
        incomplete = ""
        program: Program | None = None
        observer: Observer | None = None
        try:
            with self._budget.enforced():
                program = build_program(self._test, self._options, self._budget.check)
                observer = Observer(self._test, program)
                self._search(program, observer)
        except OutOfBudget as spent:
            incomplete = str(spent)
        if program is None or observer is None:
            # Not even the ways through the threads were found; what is looked at does not need
            # them.
            program = build_program(self._test, replace(self._options, unroll=0))
            observer = Observer(self._test, program)
        return self._outcome(program, observer, incomplete)

    def _search(self, program: Program, observer: Observer) -> None:
        self._flows = prod(len(program.paths(thread)) for thread in program.threads)
        groups, parts = _shares(self._effort.parts, self._flows)
        group, part = divmod(self._effort.part, parts)
        effort = replace(self._effort, part=part, parts=parts)
        for skeleton in skeletons(program):
            self._pulse(0, 0.0)
            if self._flow % groups == group:
                search = Search(
                    program,
                    self._model,
                    self._settings,
                    effort,
                    observer,
                    self._tally,
                    self._pulse,
                    cache(partial(ask, skeleton, self._model, self._settings)),
                )
                self._search_flow(skeleton, search)
            self._flow += 1

    def _search_flow(self, skeleton: Skeleton, search: Search) -> None:
        """With `first`, all is looked at that may make the test undefined: no state decides it."""

        @cache
        def may_be_undefined() -> bool:
            return self._model.may_say_undefined and may_raise(UNDEFINED, skeleton, search.ask)

        if self._effort.first:
            if self._decided and not may_be_undefined():
                return
            self._tally.watch = self._watch(search.observer, may_be_undefined)
        try:
            ENGINES[self._effort.engine](skeleton, search)
        except _Decided:
            self._decided = True

    def _pulse(self, candidates: int, share: float) -> None:
        self._budget.check()
        split = self._effort.split_after
        if split is not None and time.process_time() - self._begun > split:
            raise TooLarge
        tally = self._tally
        tally.candidates += candidates
        covered = min(1.0, (self._flow + share) / self._flows)
        self._tick(Progress(tally.candidates, tally.executions, covered))

    def _watch(
        self, observer: Observer, may_be_undefined: Callable[[], bool]
    ) -> Callable[[Values], None]:
        """Ends the search of a control flow at a state that decides the condition."""
        deciding = self._test.quantifier != "forall"

        def watch(values: Values) -> None:
            if observer.satisfies(values) is deciding and not may_be_undefined():
                raise _Decided

        return watch

    def _outcome(self, program: Program, observer: Observer, incomplete: str) -> Outcome:
        test, tally = self._test, self._tally
        return Outcome(
            name=test.name,
            file=test.source.name,
            quantifier=test.quantifier,
            condition=show_condition(test.condition),
            observables=observer.shown,
            executions=tally.states,
            satisfying=frozenset(filter(observer.satisfies, tally.states)),
            flags=tuple(sorted(tally.flags)),
            undefined=UNDEFINED in tally.flags,
            candidates=tally.candidates,
            stuck=tally.stuck,
            cut=tally.cut,
            time=time.perf_counter() - self._started,
            digest=digest(test),
            incomplete=incomplete,
            decided=self._decided,
            states_only=self._effort.states_only,
            compared=compared_with_numbers(test.condition),
            warnings=tuple(program.warnings),
        )


def _shares(parts: int, flows: int) -> tuple[int, int]:
    """Into how many groups control flows are shared out, and each into how many parts.

    What is found out for a whole control flow is found out again for each part of it. So where
    there are many control flows they are shared out first; but one may take longer than all others.
    """
    if flows < parts:
        return 1, parts
    inside = max(divisor for divisor in range(1, isqrt(parts) + 1) if parts % divisor == 0)
    return parts // inside, inside
