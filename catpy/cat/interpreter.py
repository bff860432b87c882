"""Runs the statements of a model on the candidates of an algebra.

The interpreter does not know how many candidates that is: it keeps a truth of those that live, and
stops where none does. `with` and `some` continue the rest of the model once per element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from catpy.cat.evaluator import Evaluator
from catpy.cat.loader import Model
from catpy.cat.primitives import PRIMITIVES
from catpy.cat.syntax import Binding, Check, Choice, Let, Role, Show
from catpy.cat.values import Level, Thunk, Value
from catpy.errors import ModelError, TestError
from catpy.relation import Algebra, EventSet, Relation, Truth

UNDEFINED = "*undef*"

_Maker = Callable[[tuple[Binding, ...], Mapping[str, Thunk], Level], dict[str, Thunk]]


@dataclass(frozen=True, slots=True)
class Run:
    """One way through the model: what is bound, who lives, what was flagged and chosen."""

    environment: dict[str, Thunk]
    alive: Truth
    #: Names of flags, each with the candidates it was raised on.
    flags: tuple[tuple[str, Truth], ...] = ()
    #: The values bound by `with`, in order. What `some` binds is a witness and not among them.
    choices: tuple[Value, ...] = ()


class Interpreter:
    """A model over an algebra, with the names that all its candidates share.

    `names` are the pre-bound sets and relations that are the same in every candidate to come;
    what depends on them alone is evaluated once. `skip` are names of checks that are not run.
    """

    def __init__(
        self,
        model: Model,
        algebra: Algebra,
        names: Mapping[str, EventSet | Relation],
        skip: frozenset[str] = frozenset(),
    ) -> None:
        self._statements = [s for s in model.statements if not isinstance(s, Show)]
        self._algebra = algebra
        self._evaluator = Evaluator(algebra)
        self._skip = skip
        self._base = {name: Thunk(Level.PROGRAM, value) for name, value in PRIMITIVES.items()}
        self._base |= {name: Thunk(Level.PROGRAM, value) for name, value in names.items()}
        self._suspended: dict[Level, dict[tuple[int, ...], dict[str, Thunk]]] = {
            Level.PROGRAM: {},
        }

    def run(self, names: Mapping[str, EventSet | Relation]) -> Iterator[Run]:
        """Every way through the model that some candidate lives through.

        `names` are the sets and relations of these candidates alone. Raises ModelError where the
        model is wrong, TestError where an `assert` fails.
        """
        self._suspended[Level.CANDIDATE] = {}
        own = {name: Thunk(Level.CANDIDATE, value) for name, value in names.items()}
        try:
            yield from self._from(0, Run({**self._base, **own}, self._algebra.true))
        except RecursionError:
            raise ModelError("the definitions of this model are nested too deeply") from None

    def relation(self, run: Run, name: str) -> Relation | None:
        """A relation that a model bound, None where it bound none under that name."""
        thunk = run.environment.get(name)
        if thunk is None:
            return None
        value = self._evaluator.force(thunk)
        return value if isinstance(value, Relation) else None

    def _from(self, index: int, run: Run) -> Iterator[Run]:
        """The runs of the statements from `index` on."""
        while index < len(self._statements):
            statement = self._statements[index]
            index += 1
            match statement:
                case Let():
                    run = self._let(statement, run)
                case Check():
                    run = self._check(statement, run)
                case Choice():
                    yield from self._choice(statement, index, run)
                    return
            if self._algebra.never(run.alive):
                return
        yield run

    def _choice(self, choice: Choice, index: int, run: Run) -> Iterator[Run]:
        expression = choice.expression
        values = self._evaluator.evaluate(expression, run.environment)
        for value in self._evaluator.operators.elements(values, expression.span):
            environment = {**run.environment, choice.name: Thunk(Level.CHOICE, value)}
            choices = run.choices if choice.some else (*run.choices, value)
            yield from self._from(index, replace(run, environment=environment, choices=choices))

    def _check(self, check: Check, run: Run) -> Run:
        if check.name is not None and check.name in self._skip:
            return run
        expression = check.expression
        value = self._evaluator.evaluate(expression, run.environment)
        truth = self._evaluator.operators.test(check.kind, value, expression.span)
        if check.negated:
            truth = self._algebra.negate(truth)
        match check.role:
            case Role.CHECK:
                return replace(run, alive=self._algebra.both(run.alive, truth))
            case Role.FLAG:
                return self._flag(check.name, truth, run)
            case Role.UNDEFINED_UNLESS:
                return self._flag(UNDEFINED, self._algebra.negate(truth), run)
            case Role.ASSERT:
                if not self._algebra.always(truth):
                    name = check.name or check.kind
                    raise TestError(f"the model's assertion `{name}` fails", check.span)
                return run

    def _flag(self, name: str | None, truth: Truth, run: Run) -> Run:
        if name is None or self._algebra.never(truth):
            return run
        return replace(run, flags=(*run.flags, (name, truth)))

    # Bindings

    def _let(self, let: Let, run: Run) -> Run:
        if let.recursive and let.when:
            return self._let_when(let, let.when, run)
        bound: dict[str, Thunk] = {}
        if let.recursive:
            bound = self._remembered(let.bindings, run, self._solve)
        else:
            for binding in let.bindings:
                bound |= self._remembered((binding,), run, self._suspend)
        run.environment.update(bound)
        return run

    def _suspend(
        self, bindings: tuple[Binding, ...], environment: Mapping[str, Thunk], level: Level
    ) -> dict[str, Thunk]:
        (binding,) = bindings
        thunk = Thunk(level, expression=binding.body, environment=environment)
        return self._evaluator.bind(binding.pattern, thunk, binding.body.span)

    def _solve(
        self, bindings: tuple[Binding, ...], environment: Mapping[str, Thunk], level: Level
    ) -> dict[str, Thunk]:
        rounds = self._evaluator.recursive(bindings, environment, level)
        while not rounds.settled:
            rounds.advance()
        return rounds.bound

    def _remembered(
        self, bindings: tuple[Binding, ...], run: Run, make: _Maker
    ) -> dict[str, Thunk]:
        """What `make` binds, made once for all runs in which its free names mean the same.

        Only what those names are bound to is captured (static scope, §3.2 of herd's rules): a later
        definition of the same name leaves this one as it was.
        """
        environment = run.environment
        free = frozenset[str]().union(*(binding.free for binding in bindings))
        captured = {name: environment[name] for name in free if name in environment}
        level = max((thunk.level for thunk in captured.values()), default=Level.PROGRAM)
        memory = self._suspended.get(level)
        if memory is None:
            return make(bindings, captured, level)
        key = (id(bindings[0]), *map(id, captured.values()))
        if key not in memory:
            memory[key] = make(bindings, captured, level)
        return memory[key]

    def _let_when(self, let: Let, when: Check, run: Run) -> Run:
        """`let rec … when test`: a round after which the test fails discards the execution."""
        rounds = self._evaluator.recursive(let.bindings, run.environment, Level.CHOICE)
        while not rounds.settled and not self._algebra.never(run.alive):
            rounds.advance()
            run = replace(run, environment={**run.environment, **rounds.bound})
            run = self._check(when, run)
        return run
