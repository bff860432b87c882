"""Runs tests one after the other; what is wrong with one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from catpy.arch import default_model
from catpy.arch.program import Options
from catpy.batch.collect import TestFile
from catpy.cat.check import check
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Library, Model
from catpy.cat.syntax import Call, Check, Statement
from catpy.cat.walks import blocks
from catpy.errors import CatpyError, CompoundError, UsageError, did_you_mean
from catpy.execution import Outcome, run_test, surroundings


@dataclass(frozen=True)
class Job:
    """A test file, and the dialect it is read in where that is not the one of the call."""

    file: TestFile
    dialect: str | None = None


@dataclass(frozen=True)
class Result:
    """What became of a job: an outcome, or an error. `name` is that of the test."""

    job: Job
    name: str
    outcome: Outcome | None = None
    error: CatpyError | None = None


@dataclass
class Runner:
    """How tests are run. `model` is a path or name, None for the default of the architecture."""

    library: Library
    model: str | None = None
    options: Options = field(default_factory=Options)
    settings: Settings = field(default_factory=Settings)
    tick: Callable[[int], None] = lambda candidates: None
    #: Takes what is odd about a model and no error.
    warn: Callable[[CatpyError], None] = lambda warning: None
    _models: dict[str, Model] = field(default_factory=dict)

    def load_model(self, name: str) -> Model:
        """The model, loaded and checked once. Raises UsageError, or all that is wrong with it."""
        if name not in self._models:
            model = self.library.examine(name)
            errors = check(model, surroundings(), self.settings.variants).errors
            if errors:
                raise CompoundError([error.error() for error in errors])
            _check_skipped(model, self.settings.skip)
            for warning in model.warnings:
                self.warn(warning)
            self._models[name] = model
        return self._models[name]

    def run(self, jobs: Sequence[Job]) -> Iterator[Result]:
        """The results in the order of the jobs, each as soon as it is there."""
        if self.model is not None:
            self.load_model(self.model)  # a wrong model is wrong for all tests: say so once
        for job in jobs:
            yield self._run(job)

    def _run(self, job: Job) -> Result:
        name = job.file.stem
        try:
            test = job.file.read()
            name = test.name
            model = self.load_model(self.model or default_model(test))
            options = replace(self.options, dialect=job.dialect or self.options.dialect)
            return Result(job, name, run_test(test, model, options, self.settings, self.tick))
        except CatpyError as problem:
            return Result(job, name, error=problem)
        except RecursionError:
            return Result(
                job, name, error=CatpyError(f"{job.file.name} is too large for this version")
            )


def _check_names(statements: Sequence[Statement]) -> set[str]:
    """The names that checks and calls have, in procedures too."""
    names: set[str] = set()
    for statement in statements:
        match statement:
            case Check(name=str(name)):
                names.add(name)
            case Call(procedure=procedure, name=name):
                names |= {procedure.name, name or procedure.name}
        names.update(*map(_check_names, blocks(statement)))
    return names


def _check_skipped(model: Model, skip: frozenset[str]) -> None:
    names = _check_names(model.statements)
    for name in sorted(skip - names):
        hint = did_you_mean(name, names) or f"its checks are {', '.join(sorted(names))}"
        raise UsageError(f"the model {model.name} has no check `{name}` to skip", hint=hint)
