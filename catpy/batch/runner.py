"""Runs tests, in this process or in several; what is wrong with one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from catpy.arch import ARCHITECTURES
from catpy.arch.program import Options
from catpy.batch.collect import TestFile
from catpy.batch.work import Reply, Task, Terms, perform
from catpy.cat.check import check
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Library, Model
from catpy.cat.syntax import Call, Check, Statement
from catpy.cat.walks import blocks
from catpy.errors import CatpyError, CompoundError, UsageError, did_you_mean
from catpy.execution import Outcome, surroundings
from catpy.execution.search import Effort, Progress


@dataclass(frozen=True)
class Job:
    """A test file, and the dialect it is read in where that is not the one of the call."""

    file: TestFile
    dialect: str | None = None

    def options(self, of_call: Options) -> Options:
        """How it is read, by the options of the call."""
        return replace(of_call, dialect=self.dialect or of_call.dialect)


@dataclass(frozen=True)
class Result:
    """What became of a job: an outcome, or an error. `name` is that of the test.

    The `task` has what was run; None where the file could not be read.
    """

    job: Job
    name: str
    outcome: Outcome | None = None
    error: CatpyError | None = None
    task: Task | None = None


@dataclass(frozen=True)
class Hands:
    """Who runs the tests: this process, `processes` of them, or the Dask cluster at an address."""

    processes: int = 1
    cluster: str | None = None


@dataclass
class Runner:
    """How tests are run. `model` is a path or name, None for the default of the architecture."""

    library: Library
    model: str | None = None
    options: Options = field(default_factory=Options)
    settings: Settings = field(default_factory=Settings)
    effort: Effort = field(default_factory=Effort)
    hands: Hands = field(default_factory=Hands)
    tick: Callable[[Progress], None] = lambda progress: None
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

    def models(self) -> dict[str, Model]:
        """The models that tests may be run on, by name: the one asked for, or all defaults."""
        names = [self.model] if self.model else [known.model for known in ARCHITECTURES.values()]
        return {name: self.load_model(name) for name in names}

    def options_of(self, job: Job) -> Options:
        """How the test of a job is read."""
        return job.options(self.options)

    def run(
        self,
        jobs: Sequence[Job],
        started: Callable[[Job], None] = lambda job: None,
        landed: Callable[[Result], None] = lambda result: None,
    ) -> Iterator[Result]:
        """The results in the order of the jobs.

        `started` is told of each job that is begun, `landed` of each result as soon as it is there,
        which with several processes can be before others are that come first. Raises what is wrong
        with the model, which is wrong for all tests.
        """
        terms = Terms(self.model, self.models(), self.settings, self.effort)
        if self.hands == Hands():
            yield from self._one_by_one(jobs, terms, started, landed)
        else:
            yield from self._together(jobs, terms, started, landed)

    def _one_by_one(
        self,
        jobs: Sequence[Job],
        terms: Terms,
        started: Callable[[Job], None],
        landed: Callable[[Result], None],
    ) -> Iterator[Result]:
        for job in jobs:
            started(job)
            task = self._task(job)
            reply = perform(terms, task, self.tick) if isinstance(task, Task) else task
            result = _result(job, reply, task)
            landed(result)
            yield result

    def _together(
        self,
        jobs: Sequence[Job],
        terms: Terms,
        started: Callable[[Job], None],
        landed: Callable[[Result], None],
    ) -> Iterator[Result]:
        from catpy.batch.workers import Schedule, crew_for  # slow to load, and seldom needed

        sent: list[Task | Reply] = []

        def tasks() -> Iterator[Task | Reply]:
            for job in jobs:
                task = self._task(job)
                sent.append(task)
                started(job)
                yield replace(task, may_split=True) if isinstance(task, Task) else task

        def report(index: int, reply: Reply) -> None:
            landed(_result(jobs[index], reply, sent[index]))

        crew = crew_for(terms, self.hands.processes, self.hands.cluster)
        replies = Schedule(crew, report).replies(tasks())
        for index, reply in enumerate(replies):
            yield _result(jobs[index], reply, sent[index])

    def _task(self, job: Job) -> Task | Reply:
        """The task of a job, or the reply that its file cannot be read."""
        try:
            return Task(job.file.source(), job.file.stem, self.options_of(job))
        except CatpyError as problem:
            return Reply(job.file.stem, error=problem)


def _result(job: Job, reply: Reply, task: Task | Reply) -> Result:
    done = task if isinstance(task, Task) else None
    return Result(job, reply.name, reply.outcome, reply.error, done)


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
