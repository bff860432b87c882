"""A test as a task that any process can do: all it needs goes with it, all it finds comes back."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from catpy.arch import default_model
from catpy.arch.program import Options
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.errors import CatpyError
from catpy.execution import Outcome, run_test
from catpy.execution.run import TooLarge
from catpy.execution.search import Effort, Progress
from catpy.litmus import parse_test
from catpy.source import Source

#: Expressions are evaluated by recursion, and may be nested as deep as the parser lets through.
RECURSION_LIMIT = 10_000

#: A test that takes longer than this, in seconds of processor time, is searched in parts.
SPLIT_AFTER = 3.0


@dataclass(frozen=True)
class Terms:
    """What is the same for all tests of a call. `models` are by the name that is asked for."""

    model: str | None
    models: Mapping[str, Model]
    settings: Settings
    effort: Effort


@dataclass(frozen=True)
class Task:
    """A test, or one of several `parts` of the search for its executions."""

    source: Source
    stem: str
    options: Options
    may_split: bool = False
    part: int = 0
    parts: int = 1
    #: When the test was begun (`time.time`), where that was before this part of it.
    begun: float | None = None


@dataclass(frozen=True)
class Reply:
    """What became of a task: an outcome, an error, or that it had better be done in parts."""

    name: str
    outcome: Outcome | None = None
    error: CatpyError | None = None
    split: bool = False
    #: How many seconds were spent before it was found that it had better be done in parts.
    spent: float = 0.0


def allow_deep_nesting() -> None:
    """Lets this process evaluate what the parser lets through."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))


def too_large(file: str) -> CatpyError:
    """What is said of a test that is nested deeper than that."""
    return CatpyError(f"{file} is too large for this version")


def pack(terms: Terms) -> bytes:
    """Terms as they are sent."""
    return pickle.dumps(terms)


@lru_cache(maxsize=4)
def _unpacked(terms: bytes) -> Terms:
    found = pickle.loads(terms)
    assert isinstance(found, Terms)
    return found


def perform_packed(terms: bytes, task: Task) -> Reply:
    """Does a task in a process that was sent its terms."""
    allow_deep_nesting()
    return perform(_unpacked(terms), task)


def perform(
    terms: Terms, task: Task, tick: Callable[[Progress], None] = lambda progress: None
) -> Reply:
    """Does a task."""
    name, started = task.stem, time.time()
    try:
        test = parse_test(task.source)
        name = test.name
        model = terms.models[terms.model or default_model(test)]
        effort = replace(
            terms.effort,
            part=task.part,
            parts=task.parts,
            split_after=SPLIT_AFTER if task.may_split else None,
            used=0.0 if task.begun is None else time.time() - task.begun,
        )
        return Reply(name, run_test(test, model, task.options, terms.settings, effort, tick))
    except TooLarge:
        return Reply(name, split=True, spent=time.time() - started)
    except CatpyError as problem:
        return Reply(name, error=problem)
    except RecursionError:
        return Reply(name, error=too_large(task.source.name))
