"""Runs the statements of a model on the candidates of an algebra.

The interpreter does not know how many candidates that is: it keeps a truth of those that live, and
stops where none does. `with` and `some` continue the rest of the model once per element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from catpy.cat.dialect import Dialect
from catpy.cat.evaluator import Evaluator, Watch, chosen_arm
from catpy.cat.loader import Model
from catpy.cat.primitives import PRIMITIVES
from catpy.cat.syntax import (
    Annotations,
    Binding,
    Call,
    Check,
    Choice,
    Debug,
    Enum,
    Expression,
    Forall,
    IfStatement,
    Include,
    Let,
    MatchStatement,
    Procedure,
    Role,
    Show,
    Statement,
)
from catpy.cat.values import Level, Tag, Thunk, Value, ValueSet, describe
from catpy.cat.values import Procedure as ProcedureValue
from catpy.errors import ModelError, TestError
from catpy.relation import Algebra, Relation, Truth

UNDEFINED = "*undef*"

_Maker = Callable[[tuple[Binding, ...], Mapping[str, Thunk], Level], dict[str, Thunk]]

#: Pre-bound names: values, or what computes them where they are asked for.
Names = Mapping[str, "Value | Callable[[], Value]"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is run: checks that are left out, and variants that are on.

    With `strict_skip` the checks in `skip` are run, and kept are the executions that fail exactly
    those of them. `watch` is told of every union that is evaluated.
    """

    skip: frozenset[str] = frozenset()
    strict_skip: bool = False
    variants: frozenset[str] = frozenset()
    watch: Watch | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One way through the model: what is bound, who lives, what was flagged and chosen."""

    environment: dict[str, Thunk]
    alive: Truth
    #: Names of flags, each with the candidates it was raised on.
    flags: tuple[tuple[str, Truth], ...] = ()
    #: Checks of `strict_skip` that failed, each with the candidates it failed on.
    failures: tuple[tuple[str, Truth], ...] = ()
    #: The values bound by `with`, in order, and the place of each in what it was chosen from.
    choices: tuple[Value, ...] = ()
    places: tuple[int, ...] = ()
    #: The values bound by `some`, which do not tell executions apart.
    witnesses: tuple[Value, ...] = ()
    #: The tests that were made on the way, each with the candidates it holds on.
    tests: tuple[tuple[Check, Truth], ...] = ()
    #: The tags of each enumeration that was declared so far, the last one last.
    enums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Interpreter:
    """A model over an algebra, with the names that all its candidates share.

    `names` are the pre-bound sets and relations that are the same in every candidate to come;
    what depends on them alone is evaluated once. Names that cat cannot spell are for primitives.
    """

    def __init__(
        self, model: Model, algebra: Algebra, names: Names, settings: Settings | None = None
    ) -> None:
        self._settings = settings or Settings()
        self._statements = model.statements
        self._algebra = algebra
        by_name = model.dialect is Dialect.DAT3M
        variants, watch = self._settings.variants, self._settings.watch
        self._evaluator = Evaluator(algebra, variants, by_name, watch)
        self._present: Statement | None = None
        self._base = {
            name: Thunk(Level.CANDIDATE if value.of_candidates else Level.PROGRAM, value)
            for name, value in PRIMITIVES.items()
        }
        self._base |= _thunks(names, Level.PROGRAM)
        self._suspended: dict[Level, dict[tuple[int, ...], dict[str, Thunk]]] = {
            Level.PROGRAM: {},
        }

    def run(self, names: Names) -> Iterator[Run]:
        """Every way through the model that some candidate lives through.

        `names` are the sets and relations of these candidates alone. Raises ModelError where the
        model is wrong, TestError where an `assert` fails.
        """
        self._suspended[Level.CANDIDATE] = {}
        environment = {**self._base, **_thunks(names, Level.CANDIDATE)}
        self._evaluator.operators.engine = _Forced(self._evaluator, dict(environment))
        try:
            for run in self._block(self._statements, Run(environment, self._algebra.true)):
                kept = self._strictly_skipped(run) if self._settings.strict_skip else run
                if not self._algebra.never(kept.alive):
                    yield kept
        except RecursionError:
            message = "what this statement asks for is nested too deeply"
            raise ModelError(message, self._present.span if self._present else None) from None

    def relation(self, run: Run, name: str) -> Relation | None:
        """A relation that a model bound, None where it bound none under that name."""
        if name not in run.environment:
            return None
        value = self.value(run, name)
        return value if isinstance(value, Relation) else None

    def evaluate(self, run: Run, expression: Expression) -> Value:
        """The value of an expression at the end of a run. Raises ModelError."""
        self._evaluator.operators.enums = run.enums
        return self._evaluator.evaluate(expression, run.environment)

    def value(self, run: Run, name: str) -> Value:
        """What a name is bound to at the end of a run. Raises ModelError where that is wrong."""
        self._evaluator.operators.enums = run.enums
        return self._evaluator.force(run.environment[name])

    def holds(self, run: Run, check: Check) -> tuple[Value, Truth]:
        """What a test at the end of a run is on, and where it holds. Raises ModelError."""
        value = self.evaluate(run, check.expression)
        truth = self._evaluator.operators.test(check.kind, value, check.expression.span)
        return value, self._algebra.negate(truth) if check.negated else truth

    def define(self, run: Run, let: Let) -> Run:
        """A run with the bindings of a `let` behind it. Raises ModelError."""
        bound: dict[str, Thunk] = {}
        groups = [let.bindings] if let.recursive else [(binding,) for binding in let.bindings]
        make = self._solve if let.recursive else self._suspend
        for group in groups:
            bound |= make(group, run.environment, Level.CHOICE)
        return replace(run, environment={**run.environment, **bound})

    # Statements

    def _block(self, statements: Sequence[Statement], run: Run, index: int = 0) -> Iterator[Run]:
        """The runs that are left behind the statements from `index` on."""
        while index < len(statements):
            statement = self._present = statements[index]
            self._evaluator.operators.enums = run.enums
            index += 1
            match statement:
                case Let():
                    run = self._let(statement, run)
                case Check():
                    run = self._check(statement, run)
                case Enum():
                    run = self._enum(statement, run)
                case Procedure():
                    run = self._procedure(statement, run)
                case Choice() | Call() | Forall() | MatchStatement():
                    for after in self._branches(statement, run):
                        yield from self._block(statements, after, index)
                    return
                case Show() | Debug() | Annotations():
                    pass  # drawings, traces, and what concerns bell files alone
                case Include() | IfStatement():
                    raise AssertionError("the loader has put these in place")
            if self._algebra.never(run.alive):
                return
        yield run

    def _branches(
        self, statement: Choice | Call | Forall | MatchStatement, run: Run
    ) -> Iterator[Run]:
        match statement:
            case Choice():
                return self._choice(statement, run)
            case Call():
                return self._call(statement, run)
            case Forall():
                return self._forall(statement, run)
            case MatchStatement(scrutinee, arms):
                tag = self._evaluator.scrutinised_tag(scrutinee, run.environment)
                arm = chosen_arm(tag, arms, scrutinee.span)
                return self._scoped(arm, run, run.environment)

    def _choice(self, choice: Choice, run: Run) -> Iterator[Run]:
        values = self._evaluator.evaluate(choice.expression, run.environment)
        elements = self._evaluator.operators.choices(values, choice.expression.span)
        for index, value in enumerate(elements):
            yield _chosen(run, choice, value, index)

    def _scoped(
        self, body: Sequence[Statement], run: Run, environment: Mapping[str, Thunk]
    ) -> Iterator[Run]:
        """Runs a body in an environment that ends with it; what it flags and chooses stays."""
        for after in self._block(body, replace(run, environment=dict(environment))):
            yield replace(after, environment=dict(run.environment))

    def _call(self, call: Call, run: Run) -> Iterator[Run]:
        span = call.procedure.span
        value = self._evaluator.lookup(call.procedure.name, run.environment, span)
        if not isinstance(value, ProcedureValue):
            raise ModelError(f"expected a procedure, but this is {describe(value)}", span)
        if self._settings.skip & {call.name, call.procedure.name}:
            yield run
            return
        argument = self._evaluator.evaluate(call.argument, run.environment)
        pattern, body = value.statement.pattern, value.statement.body
        bound = self._evaluator.bind_argument(pattern, argument, call.argument.span)
        yield from self._scoped(body, run, {**value.environment, **bound})

    def _forall(self, forall: Forall, run: Run) -> Iterator[Run]:
        values = self._evaluator.evaluate(forall.expression, run.environment)
        # The set is built: a symbolic algebra's enumerations hold one stand-in for all elements.
        elements = self._evaluator.operators.value_set(values, forall.expression.span).items

        def rest(index: int, present: Run) -> Iterator[Run]:
            if index == len(elements):
                yield present
                return
            element = Thunk(Level.CHOICE, elements[index])
            inside = {**present.environment, forall.name: element}
            for after in self._scoped(forall.body, present, inside):
                yield from rest(index + 1, after)

        yield from rest(0, run)

    def _check(self, check: Check, run: Run) -> Run:
        skipped = check.name is not None and check.name in self._settings.skip
        if skipped and not self._settings.strict_skip:
            return run
        _, truth = self.holds(run, check)
        run = replace(run, tests=(*run.tests, (check, truth)))
        match check.role:
            case Role.CHECK if skipped:
                failure = (check.name or "", self._algebra.negate(truth))
                return replace(run, failures=(*run.failures, failure))
            case Role.CHECK:
                return self._kept(run, truth)
            case Role.FLAG:
                return self._flag(check.name, truth, run)
            case Role.UNDEFINED_UNLESS:
                return self._flag(UNDEFINED, self._algebra.negate(truth), run)
            case Role.ASSERT:
                if not self._algebra.always(truth):
                    name = check.name or check.kind
                    raise TestError(f"the model's assertion `{name}` fails", check.span)
                return run

    def _kept(self, run: Run, truth: Truth) -> Run:
        """The run with the candidates left on which a check holds."""
        return replace(run, alive=self._algebra.both(run.alive, truth))

    def _flag(self, name: str | None, truth: Truth, run: Run) -> Run:
        if name is None or self._algebra.never(truth):
            return run
        return replace(run, flags=(*run.flags, (name, truth)))

    def _strictly_skipped(self, run: Run) -> Run:
        """Keeps the candidates on which each of the skipped checks failed."""
        alive = run.alive
        for name in self._settings.skip:
            passed = self._algebra.true
            for failed, truth in run.failures:
                if failed == name:
                    passed = self._algebra.both(passed, self._algebra.negate(truth))
            alive = self._algebra.both(alive, self._algebra.negate(passed))
        return replace(run, alive=alive)

    def _enum(self, enum: Enum, run: Run) -> Run:
        # A tag that is declared again belongs to the later enumeration.
        earlier = {name: tags for name, tags in run.enums.items() if name != enum.name}
        run = replace(run, enums={**earlier, enum.name: enum.tags})
        tags = ValueSet(tuple(Tag(tag, enum.name) for tag in enum.tags))
        return _bound(run, {enum.name: Thunk(Level.CHOICE, tags)})

    def _procedure(self, procedure: Procedure, run: Run) -> Run:
        environment = dict(run.environment)
        thunk = Thunk(Level.CHOICE, ProcedureValue(procedure, environment))
        if procedure.recursive:
            environment[procedure.name] = thunk
        return _bound(run, {procedure.name: thunk})

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
        return _bound(run, bound)

    def _suspend(
        self, bindings: tuple[Binding, ...], environment: Mapping[str, Thunk], level: Level
    ) -> dict[str, Thunk]:
        (binding,) = bindings
        thunk = Thunk(level, expression=binding.body, environment=environment)
        return self._evaluator.bind(binding.pattern, thunk, binding.body.span)

    def _solve(
        self, bindings: tuple[Binding, ...], environment: Mapping[str, Thunk], level: Level
    ) -> dict[str, Thunk]:
        return self._evaluator.recursive(bindings, environment, level).solved()

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


def _bound(run: Run, bound: Mapping[str, Thunk]) -> Run:
    """The run with more bindings; its environment is its own, so it is changed in place."""
    run.environment.update(bound)
    return run


def _chosen(run: Run, choice: Choice, value: Value, index: int) -> Run:
    environment = {**run.environment, choice.name: Thunk(Level.CHOICE, value)}
    if choice.some:
        return replace(run, environment=environment, witnesses=(*run.witnesses, value))
    choices, places = (*run.choices, value), (*run.places, index)
    return replace(run, environment=environment, choices=choices, places=places)


def _thunks(names: Names, level: Level) -> dict[str, Thunk]:
    return {
        name: Thunk(level, compute=value) if callable(value) else Thunk(level, value)
        for name, value in names.items()
    }


class _Forced(Mapping[str, Value]):
    """The values of thunks, evaluated where they are asked for."""

    def __init__(self, evaluator: Evaluator, thunks: Mapping[str, Thunk]) -> None:
        self._evaluator = evaluator
        self._thunks = thunks

    def __getitem__(self, name: str) -> Value:
        return self._evaluator.force(self._thunks[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._thunks)

    def __len__(self) -> int:
        return len(self._thunks)
