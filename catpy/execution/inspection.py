"""Single executions to look into: numbered, and objects that expressions are evaluated on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TypeVar

from catpy.arch import build_program
from catpy.arch.program import Event, Options
from catpy.arch.terms import Value
from catpy.cat.interpreter import Interpreter, Run, Settings
from catpy.cat.loader import Model
from catpy.cat.onlooker import Onlooker
from catpy.cat.syntax import Check, Expression, Let, Role
from catpy.cat.values import Value as CatValue
from catpy.errors import CatpyError, ModelError, UsageError
from catpy.execution.blocks.choices import possible_choices
from catpy.execution.blocks.question import ask
from catpy.execution.candidates import (
    candidate_names,
    check_defects,
    identity,
    interpreters,
    skeletons,
)
from catpy.execution.finals import Observer
from catpy.execution.outcome import Values
from catpy.execution.search import Effort, Search
from catpy.execution.skeleton import Skeleton
from catpy.execution.tally import Tally
from catpy.execution.valuation import Valuation, rf_choices, valuations
from catpy.litmus import LitmusTest
from catpy.relation import ExactRelation

_Kind = TypeVar("_Kind", bound=Interpreter)

#: So few candidates of a control flow are looked at without asking which of them are worth it.
_FEW = 8


@dataclass(frozen=True)
class _Candidate:
    skeleton: Skeleton
    sources: Mapping[int, int]
    valuation: Valuation
    #: Which of the witnesses of the joint choice is taken.
    witness: int

    def run(self, interpreter: Interpreter) -> Iterator[Run]:
        """The model's runs on this candidate, one for each way of its `with` choices."""
        seen: set[tuple[object, ...]] = set()
        for run in interpreter.run(candidate_names(*self._parts)):
            if (chosen := identity(run)) not in seen:
                seen.add(chosen)
                yield run

    def look(self, onlooker: Onlooker) -> Run:
        """The one run of a model that nothing stops."""
        return onlooker.look(candidate_names(*self._parts))

    @property
    def _parts(self) -> tuple[Skeleton, Mapping[int, int], Valuation]:
        return self.skeleton, self.sources, self.valuation


@dataclass
class Execution:
    """One execution: its events and values, and the names that a model binds on it.

    `define` adds names; all else leaves it as it is.
    """

    skeleton: Skeleton
    #: The write that each read reads from.
    sources: Mapping[int, int]
    _valuation: Valuation
    _interpreter: Interpreter
    _run: Run

    @property
    def events(self) -> list[Event]:
        """Its events, by number; initial writes come first."""
        return self.skeleton.events

    def event_value(self, number: int) -> Value | None:
        """What a memory event reads or writes; None for other events."""
        event = self.events[number]
        if event.location is None:
            return None
        return self._valuation.read(number) if event.is_read else self._valuation.written(number)

    def registers(self) -> dict[int, dict[str, Value]]:
        """What the registers of each thread end with, as far as that is known."""
        found: dict[int, dict[str, Value]] = {}
        for thread, registers in self.skeleton.registers.items():
            values = found.setdefault(thread, {})
            for name, expression in sorted(registers.items()):
                if (value := self._valuation.evaluate(expression)) is not None:
                    values[name] = value
        return found

    def evaluate(self, expression: Expression) -> CatValue:
        """The value of an expression. Raises ModelError."""
        return self._interpreter.evaluate(self._run, expression)

    def test(self, check: Check) -> tuple[CatValue, bool]:
        """What a test is on, and whether it holds. Raises ModelError."""
        value, truth = self._interpreter.holds(self._run, check)
        return value, bool(truth)

    def define(self, let: Let) -> None:
        """Adds the bindings of a `let`, whose values it evaluates. Raises ModelError."""
        run = self._interpreter.define(self._run, let)
        for binding in let.bindings:
            for name in binding.pattern.names:
                if name:
                    self._interpreter.value(run, name)
        self._run = run

    def names(self) -> Iterator[tuple[str, CatValue | None]]:
        """What is bound: each name with its value, None where that cannot be evaluated."""
        for name in self._run.environment:
            if ":" not in name:  # those are for primitives
                yield name, self._value(name)

    def _value(self, name: str) -> CatValue | None:
        try:
            return self._interpreter.value(self._run, name)
        except ModelError:
            return None

    def checks(self) -> list[tuple[Check, bool]]:
        """The tests that the model made on this execution, each with whether it holds."""
        return [(check, bool(truth)) for check, truth in self._run.tests]

    def failed(self) -> list[Check]:
        """The checks that reject this execution; none where the model allows it."""
        checks = self.checks()
        return [check for check, holds in checks if check.role is Role.CHECK and not holds]


@dataclass
class Executions:
    """The executions of a test, numbered from 1: those that the model allows, or all candidates.

    Of those it allows, each way of its `with` choices counts, with the first witness of `some`. On
    a candidate (`everything`) the first element is taken of `with` and `some` alike. Where it is
    `wanted` that the proposition of the test's condition is true, or false, only those executions
    are numbered that come to such a final state.
    """

    test: LitmusTest
    model: Model
    options: Options = field(default_factory=Options)
    settings: Settings = field(default_factory=Settings)
    everything: bool = False
    wanted: bool | None = None

    def __post_init__(self) -> None:
        self._program = build_program(self.test, self.options)
        self._observer = Observer(self.test, self._program)
        self._rest = self._walk(list(skeletons(self._program)))
        self._found: list[tuple[_Candidate, int]] = []

    @property
    def warnings(self) -> Sequence[CatpyError]:
        """What is odd about the test, and no error."""
        return self._program.warnings

    def find(self, number: int) -> Execution:
        """The execution of a number.

        Raises UsageError where there are not so many, TestError and ModelError where the test or
        the model is wrong.
        """
        while len(self._found) < number:
            following = next(self._rest, None)
            if following is None:
                raise UsageError(self._too_few(number))
            self._found.append(following)
        if number < 1:
            raise UsageError("executions are numbered from 1 on")
        return self._open(*self._found[number - 1])

    def _too_few(self, number: int) -> str:
        found = len(self._found)
        what = "candidate execution" if self.everything else "allowed execution"
        are = f"is 1 {what}" if found == 1 else f"are {found} {what}s"
        if self.wanted is not None:
            are += f" in which the proposition is {'true' if self.wanted else 'false'}"
        return f"there is no execution {number}: there {are}"

    def _walk(self, flows: list[Skeleton]) -> Iterator[tuple[_Candidate, int]]:
        """The candidates, each as often as there are ways through the model for it."""
        for skeleton in flows:
            models = interpreters(skeleton, self.model, self.settings)
            for sources in self._choices(skeleton):
                for valuation in valuations(skeleton, sources, self._program.constants):
                    for witness, interpreter in enumerate(models):
                        candidate = _Candidate(skeleton, sources, valuation, witness)
                        some = False
                        for way in self._ways(candidate, interpreter):
                            some = True
                            yield candidate, way
                        if some:
                            break  # one witness suffices

    def _choices(self, skeleton: Skeleton) -> Iterable[Mapping[int, int]]:
        """The choices of `rf` that are looked at: as few as it takes to miss no execution."""
        if self.everything:
            return rf_choices(skeleton)
        if not skeleton.constraints:
            first = list(islice(rf_choices(skeleton), _FEW + 1))
            if len(first) <= _FEW:
                return first
        found = possible_choices(skeleton, self._search(skeleton), self._satisfies)
        return rf_choices(skeleton) if found is None else found

    def _search(self, skeleton: Skeleton) -> Search:
        """The search for executions of a control flow that the fast engine makes."""
        return Search(
            self._program,
            self.model,
            self.settings,
            Effort(),
            self._observer,
            Tally(),
            lambda candidates, share: None,
            partial(ask, skeleton, self.model, self.settings),
        )

    @property
    def _satisfies(self) -> Callable[[Values], bool] | None:
        """Whether a state is asked for; None where any is."""
        if self.wanted is None:
            return None
        return lambda state: self._observer.satisfies(state) is self.wanted

    def _ways(self, candidate: _Candidate, interpreter: Interpreter) -> Iterator[int]:
        if self.everything:
            if self.wanted is None or self._looks_wanted(candidate):
                yield 0
            return
        for way, run in enumerate(candidate.run(interpreter)):
            check_defects(candidate.skeleton, candidate.valuation)
            if self._is_wanted(candidate, interpreter, run):
                yield way

    def _looks_wanted(self, candidate: _Candidate) -> bool:
        onlooker = self._interpreter(Onlooker, candidate)
        return self._is_wanted(candidate, onlooker, candidate.look(onlooker))

    def _is_wanted(self, candidate: _Candidate, interpreter: Interpreter, run: Run) -> bool:
        """Whether an execution comes to a state that is asked for."""
        satisfies = self._satisfies
        if satisfies is None:
            return True
        if not candidate.skeleton.ends:
            return False
        coherence = interpreter.relation(run, "co")
        assert coherence is None or isinstance(coherence, ExactRelation)
        states = self._observer.states(candidate.skeleton, coherence, candidate.valuation)
        return any(map(satisfies, states))

    def _open(self, candidate: _Candidate, way: int) -> Execution:
        """The execution with an interpreter of its own, so that it stays as it is."""
        interpreter: Interpreter
        if self.everything:
            interpreter = onlooker = self._interpreter(Onlooker, candidate)
            run = candidate.look(onlooker)
        else:
            interpreter = self._interpreter(Interpreter, candidate)
            run = next(run for at, run in enumerate(candidate.run(interpreter)) if at == way)
        return Execution(
            candidate.skeleton, candidate.sources, candidate.valuation, interpreter, run
        )

    def _interpreter(self, kind: type[_Kind], candidate: _Candidate) -> _Kind:
        skeleton = candidate.skeleton
        names = {**skeleton.names(), **skeleton.witnesses()[candidate.witness]}
        return kind(self.model, skeleton.algebra, names, self.settings)
