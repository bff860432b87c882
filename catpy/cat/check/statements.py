"""Walks through the statements of a model with kinds instead of values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from catpy.cat.check.inference import Inference
from catpy.cat.kinds import (
    TAG,
    UNKNOWN,
    Findings,
    Kind,
    Slot,
    ValuesOf,
    describe,
)
from catpy.cat.kinds import Procedure as ProcedureKind
from catpy.cat.operator_kinds import KindError, expect_test, expect_values
from catpy.cat.syntax import (
    Annotations,
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
    Show,
    Statement,
)
from catpy.source import Span


def all_tags(statements: Iterable[Statement]) -> frozenset[str]:
    """The tags that a model declares, wherever."""
    return frozenset(tag for item in statements if isinstance(item, Enum) for tag in item.tags)


class StatementWalk:
    """Goes through statements; environments are dictionaries that bindings are added to.

    `made` are the bindings that statements made at the outermost level, by (statement, name).
    """

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.made: dict[tuple[int, str], Slot] = {}
        self._called: set[int] = set()
        self._calls: dict[tuple[int, Kind], Findings] = {}
        self._procedures: list[ProcedureKind] = []

    def run(self, statements: Sequence[Statement], environment: dict[str, Slot]) -> None:
        """The outermost statements. What is found here is needed."""
        for statement in statements:
            names = names_bound(statement)
            before = {name: environment.get(name) for name in names}
            try:
                self._statement(statement, environment)
            except RecursionError:
                self.inference.note("too-deep", "this is nested too deeply", statement.span)
            for name in names:
                slot = environment.get(name)
                if slot is None or slot is before[name]:
                    slot = environment[name] = Slot(UNKNOWN)
                self.made[(id(statement), name)] = slot

    def look_at_the_rest(self) -> None:
        """Looks into procedures and functions that nothing calls."""
        for procedure in list(self._procedures):
            if id(procedure.syntax) not in self._called:
                names = filter(None, procedure.syntax.pattern.names)
                bound = {name: Slot(UNKNOWN) for name in names}
                with self.inference.piece():
                    self._block(procedure.syntax.body, {**procedure.environment, **bound})
        self.inference.look_at_the_rest()

    def _block(self, statements: Sequence[Statement], environment: dict[str, Slot]) -> None:
        for statement in statements:
            self._statement(statement, environment)

    def _statement(self, statement: Statement, environment: dict[str, Slot]) -> None:
        inference = self.inference
        match statement:
            case Let():
                self._let(statement, environment)
            case Check():
                self._check(statement, environment)
            case Choice(name, expression):
                element = self._elements(expression, environment)
                environment[name] = Slot(element)
            case Procedure():
                self._procedure(statement, environment)
            case Call():
                self._call(statement, environment)
            case Forall(name, expression, body):
                element = self._elements(expression, environment)
                self._block(body, {**environment, name: Slot(element)})
            case MatchStatement(scrutinee, arms):
                inference.expect_tag(scrutinee, environment)
                for _, body in arms:
                    with inference.branch():
                        self._block(body, dict(environment))
            case Enum(name):
                environment[name] = Slot(ValuesOf(TAG))
            case Show() | Debug() | Annotations() | Include() | IfStatement():
                pass  # nothing is evaluated

    def _let(self, let: Let, environment: dict[str, Slot]) -> None:
        if not let.recursive:
            environment.update(self.inference.let(let.bindings, environment))
            return
        environment.update(self.inference.let_rec(let.bindings, environment))
        if let.when:
            self._check(let.when, environment)

    def _check(self, check: Check, environment: Mapping[str, Slot]) -> None:
        kind = self.inference.evaluate(check.expression, environment)
        self._guarded(lambda: expect_test(check.kind, kind, check.expression.span))

    def _elements(self, expression: Expression, environment: Mapping[str, Slot]) -> Kind:
        kind = self.inference.evaluate(expression, environment)
        found: list[Kind] = []
        self._guarded(lambda: found.append(expect_values(kind, expression.span)))
        return found[0] if found else UNKNOWN

    def _guarded(self, expect: Callable[[], None]) -> None:
        try:
            expect()
        except KindError as problem:
            self.inference.note("kind", problem.message, problem.place, problem.hint)

    def _procedure(self, procedure: Procedure, environment: dict[str, Slot]) -> None:
        scope = dict(environment)
        kind = ProcedureKind(procedure, scope)
        self._procedures.append(kind)
        environment[procedure.name] = Slot(kind)
        if procedure.recursive:
            scope[procedure.name] = environment[procedure.name]

    def _call(self, call: Call, environment: Mapping[str, Slot]) -> None:
        span = call.procedure.span
        kind = self.inference.lookup(call.procedure.name, environment, span)
        argument = self.inference.evaluate(call.argument, environment)
        if isinstance(kind, ProcedureKind):
            self._enter(kind, argument, call.argument.span)
        elif kind is not UNKNOWN:
            message = f"expected a procedure, but this is {describe(kind)}"
            self.inference.note("kind", message, span)

    def _enter(self, procedure: ProcedureKind, argument: Kind, span: Span) -> None:
        bound = self.inference.bind_argument(procedure.syntax.pattern, argument, span)
        self._called.add(id(procedure.syntax))
        key = (id(procedure), argument)
        if key not in self._calls:
            with self.inference.piece() as findings:
                self._calls[key] = findings
                self._block(procedure.syntax.body, {**procedure.environment, **bound})
        self.inference.findings.needs(self._calls[key])


def names_bound(statement: Statement) -> Collection[str]:
    """The names that a statement binds for those behind it."""
    match statement:
        case Let(bindings):
            return [name for b in bindings for name in b.pattern.names if name]
        case Choice(name=name) | Procedure(name=name) | Enum(name=name):
            return [name]
    return []
