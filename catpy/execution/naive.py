"""The reference engine: one candidate execution after the other, each judged by the whole model.

A candidate is a path for each thread, a joint choice (barrier phases) and a source for each read.
For every way of its model's `with` choices through the checks, an execution counts once for each
distinct state it allows; what `some` chose is a witness and only widens what is allowed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

from catpy.arch import build_program
from catpy.arch.program import Options, Program
from catpy.cat.interpreter import UNDEFINED, Interpreter, Settings
from catpy.cat.loader import Model
from catpy.execution.candidates import (
    candidate_names,
    check_defects,
    identity,
    interpreters,
    skeletons,
)
from catpy.execution.finals import Observer, Values
from catpy.execution.outcome import Outcome, make_states
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import rf_choices, valuations
from catpy.litmus import LitmusTest
from catpy.litmus.condition import show_condition
from catpy.litmus.digest import digest
from catpy.relation import ExactRelation


@dataclass
class _Tally:
    """What was counted so far."""

    states: Counter[Values] = field(default_factory=Counter)
    flags: set[str] = field(default_factory=set)
    candidates: int = 0
    stuck: int = 0
    cut: int = 0


def run_test(
    test: LitmusTest,
    model: Model,
    options: Options | None = None,
    settings: Settings | None = None,
    tick: Callable[[int], None] = lambda candidates: None,
) -> Outcome:
    """The outcome of a test under a model.

    `tick` is called with the number of candidates looked at, now and then. Raises TestError where
    the test is wrong and ModelError where the model is.
    """
    started = time.perf_counter()
    program = build_program(test, options or Options())
    observer = Observer(test, program)
    tally = _Tally()
    for skeleton in skeletons(program):
        _count(skeleton, program, model, settings or Settings(), observer, tally, tick)
    satisfying = frozenset(values for values in tally.states if observer.satisfies(values))
    return Outcome(
        name=test.name,
        file=test.source.name,
        quantifier=test.quantifier,
        condition=show_condition(test.condition),
        observables=observer.shown,
        states=make_states(tally.states, satisfying),
        flags=tuple(sorted(tally.flags)),
        undefined=UNDEFINED in tally.flags,
        candidates=tally.candidates,
        stuck=tally.stuck,
        cut=tally.cut,
        time=time.perf_counter() - started,
        digest=digest(test),
    )


def _count(
    skeleton: Skeleton,
    program: Program,
    model: Model,
    settings: Settings,
    observer: Observer,
    tally: _Tally,
    tick: Callable[[int], None],
) -> None:
    """Adds the executions of one control flow to the tally."""
    models: list[Interpreter] = []
    for sources in rf_choices(skeleton):
        solutions = list(valuations(skeleton, sources, program.constants))
        if not solutions:
            continue
        models = models or interpreters(skeleton, model, settings)
        tally.candidates += 1
        tick(tally.candidates)
        allowed: dict[tuple[object, ...], set[Values]] = {}
        for interpreter, valuation in product(models, solutions):
            for run in interpreter.run(candidate_names(skeleton, sources, valuation)):
                check_defects(skeleton, valuation)
                states = allowed.setdefault(identity(run), set())
                if skeleton.is_cut:
                    continue
                tally.flags.update(name for name, _ in run.flags)
                if not skeleton.join.stuck:
                    co = interpreter.relation(run, "co")
                    assert co is None or isinstance(co, ExactRelation)
                    states |= observer.states(skeleton, co, valuation)
        _add(skeleton, allowed, tally)


def _add(skeleton: Skeleton, allowed: dict[tuple[object, ...], set[Values]], tally: _Tally) -> None:
    if skeleton.is_cut:
        tally.cut += len(allowed)
    elif skeleton.join.stuck:
        tally.stuck += len(allowed)
    else:
        for states in allowed.values():
            tally.states.update(states)
