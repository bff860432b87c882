"""The reference engine: one candidate execution after the other, each judged by the whole model.

A candidate is a path for each thread, a joint choice (barrier phases) and a source for each read.
For every way of its model's `with` choices through the checks, an execution counts once for each
distinct state it allows; what `some` chose is a witness and only widens what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice, product

from catpy.cat.interpreter import Interpreter
from catpy.execution.candidates import candidate_names, check_defects, identity, interpreters
from catpy.execution.outcome import Values
from catpy.execution.search import Search
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import rf_choices, valuations
from catpy.relation import ExactRelation


def count_flow(skeleton: Skeleton, search: Search) -> None:
    """Adds the executions of one control flow to the tally of a search: of its part of them."""
    effort = search.effort
    choices = islice(rf_choices(skeleton), effort.part, None, effort.parts)
    count_choices(skeleton, choices, search)


def count_choices(skeleton: Skeleton, choices: Iterable[Mapping[int, int]], search: Search) -> None:
    """Adds the executions of some choices of `rf`, given as the source of each read."""
    models: list[Interpreter] = []
    for sources in choices:
        search.pulse(0, 0.0)
        solutions = list(valuations(skeleton, sources, search.program.constants))
        if not solutions:
            continue
        models = models or interpreters(skeleton, search.model, search.settings)
        search.pulse(1, 0.0)
        allowed: dict[tuple[object, ...], set[Values]] = {}
        for interpreter, valuation in product(models, solutions):
            for run in interpreter.run(candidate_names(skeleton, sources, valuation)):
                search.pulse(0, 0.0)
                check_defects(skeleton, valuation)
                states = allowed.setdefault(identity(run), set())
                if skeleton.is_cut:
                    continue
                search.tally.flags.update(name for name, _ in run.flags)
                if skeleton.ends:
                    co = interpreter.relation(run, "co")
                    assert co is None or isinstance(co, ExactRelation)
                    states |= search.observer.states(skeleton, co, valuation)
                    check_defects(skeleton, valuation)  # registers can have values of their own
        if skeleton.ends:
            for states in allowed.values():
                search.tally.add(dict.fromkeys(states, 1))
        else:
            search.tally.add_unfinished(skeleton, len(allowed))
