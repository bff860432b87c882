"""Evaluates expressions over kinds instead of values, and notes what would go wrong.

A definition is looked at where it is made; what is found there counts when something needs it, as
`Findings` keep. So laziness is the evaluator's: what nothing needs makes no error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce

from catpy.cat.check.bindings import Binder
from catpy.cat.kinds import (
    EMPTY,
    EVENT,
    PAIR,
    RELATION,
    SET,
    TAG,
    UNIVERSE,
    UNKNOWN,
    Basic,
    Environment,
    Function,
    Kind,
    Primitive,
    Slot,
    ValuesOf,
    describe,
    join,
    tuple_of,
)
from catpy.cat.names import first_use
from catpy.cat.operator_kinds import KindError, explicit_set, operate
from catpy.cat.primitives import PRIMITIVES
from catpy.cat.syntax import (
    Apply,
    Binding,
    Comparison,
    Condition,
    Constant,
    Expression,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    Operation,
    SetOf,
    TagOf,
    Try,
)
from catpy.cat.syntax import Function as FunctionSyntax
from catpy.cat.syntax import TupleOf as TupleSyntax
from catpy.cat.variants import holds
from catpy.errors import did_you_mean
from catpy.source import Span

_CONSTANTS: Mapping[str, Kind] = {"0": RELATION, "_": UNIVERSE, "{}": EMPTY}
#: Calls inside calls, and steps in all, behind which everything is of unknown kind.
_DEEPEST = 40
_MOST_STEPS = 400_000
_ROUNDS = 8


class Inference(Binder):
    """The kinds of expressions. `variants` are those that are on, in lower case.

    Names in `broken` are of unknown kind; with `tags_by_name`, as in Dat3M, an unbound name is an
    empty event set. `tags` are the tags of all enumerations.
    """

    def __init__(
        self,
        variants: Collection[str],
        broken: Collection[str],
        tags: Collection[str],
        tags_by_name: bool,
    ) -> None:
        super().__init__(broken, tags_by_name)
        self._variants = variants
        self._tags = tags
        self._results: dict[tuple[int, Kind], Slot] = {}
        self._kept: list[object] = []  # keeps alive what `_results` knows by its identity
        self._functions: dict[int, Function] = {}
        self._applied: set[int] = set()
        self._depth = 0
        self._steps = 0

    def slot(self, expression: Expression, environment: Environment) -> Slot:
        """A binding of an expression: nothing needs it yet."""
        with self.piece() as findings:
            return Slot(self.evaluate(expression, environment), findings)

    # Bindings

    def let(self, bindings: Sequence[Binding], environment: Environment) -> dict[str, Slot]:
        """`let … and …`: every right side sees what was bound before."""
        bound: dict[str, Slot] = {}
        for binding in bindings:
            slot = self.slot(binding.body, environment)
            bound |= self.bind(binding.pattern, slot, binding.body.span)
        return bound

    def let_rec(self, bindings: Sequence[Binding], environment: Environment) -> dict[str, Slot]:
        """`let rec`: kinds from `{}` on until they stay, as the evaluator's rounds do."""
        functions = [b for b in bindings if isinstance(b.body, FunctionSyntax)]
        values = [b for b in bindings if not isinstance(b.body, FunctionSyntax)]
        bound: dict[str, Slot] = {}
        for binding in bindings:
            if not binding.pattern.single:
                message = "a tuple cannot be defined by recursion"
                self.note("recursion", message, binding.span)
            bound |= {name: Slot(EMPTY) for name in binding.pattern.names if name}
        self._close_group(functions, bound, environment)
        for _ in range(_ROUNDS if values else 0):
            with self.swallowed():
                settled = self._round(values, functions, bound, environment)
            if settled:
                break
        self._round(values, functions, bound, environment)
        self._refuse_recursion(values, bound)
        return bound

    def _round(
        self,
        values: Sequence[Binding],
        functions: Sequence[Binding],
        bound: dict[str, Slot],
        environment: Environment,
    ) -> bool:
        settled = True
        for binding in values:
            kind = self.evaluate(binding.body, {**environment, **bound})
            name = binding.pattern.names[0] if binding.pattern.single else None
            if name:
                wider = join(bound[name].kind, kind)
                settled &= wider == bound[name].kind
                bound[name] = Slot(wider)
        self._close_group(functions, bound, environment)
        return settled

    def _close_group(
        self, functions: Sequence[Binding], bound: dict[str, Slot], environment: Environment
    ) -> None:
        """Functions of one group see each other."""
        scope = {**environment, **bound}
        for binding in functions:
            assert isinstance(binding.body, FunctionSyntax)
            for name in binding.pattern.names:
                if name:
                    kind = self._function(binding.body, scope)
                    bound[name] = scope[name] = Slot(kind)

    def _refuse_recursion(self, values: Sequence[Binding], bound: dict[str, Slot]) -> None:
        """Only sets and relations, of events or of values, can be iterated."""
        for binding in values:
            name = binding.pattern.names[0] if binding.pattern.single else None
            kind = bound[name].kind if name else UNKNOWN
            plain = isinstance(kind, Basic) and kind not in (TAG, EVENT, PAIR)
            if not plain and not isinstance(kind, ValuesOf):
                message = f"{describe(kind)} cannot be defined by recursion"
                self.note("recursion", message, binding.span)
                bound |= {name: Slot(UNKNOWN) for name in binding.pattern.names if name}

    # Expressions

    def evaluate(self, expression: Expression, environment: Environment) -> Kind:
        """The kind of an expression; what is wrong with it is noted."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return UNKNOWN
        match expression:
            case Operation():
                return self._operation(expression, environment)
            case Name(name, span):
                return self.lookup(name, environment, span)
            case Constant(symbol):
                return _CONSTANTS[symbol]
            case Apply(function, argument, span):
                callee = self.evaluate(function, environment)
                value = self.evaluate(argument, environment)
                return self.apply(callee, value, argument.span, span)
            case FunctionSyntax():
                return self._close(expression, environment)
            case LetIn(bindings, recursive, body):
                bound = (self.let_rec if recursive else self.let)(bindings, environment)
                return self.evaluate(body, {**environment, **bound})
            case TupleSyntax(items):
                return tuple_of([self.evaluate(item, environment) for item in items])
            case SetOf(items, span):
                kinds = [self.evaluate(item, environment) for item in items]
                return self._guarded_set(kinds, span)
            case TagOf(name, span):
                return self._tag(name, span)
            case If():
                return self._if(expression, environment)
            case MatchTag():
                return self._match_tag(expression, environment)
            case MatchSet():
                return self._match_set(expression, environment)
            case Try():
                return self._try(expression, environment)

    def _operation(self, expression: Operation, environment: Environment) -> Kind:
        operands = expression.operands
        kinds: list[Kind] = []
        for index, operand in enumerate(operands):
            before = operands[index - 1] if index else None
            if expression.operator == ";" and _is_nothing(before):
                # Behind something empty the evaluator does not even look.
                with self.piece():
                    for rest in operands[index:]:
                        self.evaluate(rest, environment)
                return EMPTY
            if expression.operator == ";" and _is_intersection(before):
                with self.branch():
                    kinds.append(self.evaluate(operand, environment))
            else:
                kinds.append(self.evaluate(operand, environment))
        spans = [operand.span for operand in operands]
        if expression.meets_product:
            kinds = [RELATION if kind is PAIR else kind for kind in kinds]
        try:
            return operate(expression.operator, kinds, spans, expression.span)
        except KindError as problem:
            return self.note_kind_error(problem)

    def _guarded_set(self, kinds: Sequence[Kind], span: Span) -> Kind:
        try:
            return explicit_set(kinds, span)
        except KindError as problem:
            return self.note_kind_error(problem)

    def _tag(self, name: str, span: Span) -> Kind:
        if name not in self._tags:
            hint = did_you_mean(name, self._tags) or "tags are declared by `enum`"
            self.note("undefined-tag", f"the tag `'{name}` is undefined", span, hint)
        return TAG

    # Functions

    def _close(self, syntax: FunctionSyntax, environment: Environment) -> Function:
        """A function outside `let rec` takes what its free names are bound to, used or not."""
        for name in sorted(syntax.free - environment.keys()):
            self.lookup(name, environment, first_use(syntax.body, name))
        kept = {name: environment[name] for name in syntax.free if name in environment}
        return self._function(syntax, kept)

    def _function(self, syntax: FunctionSyntax, environment: Environment) -> Function:
        function = Function(syntax, environment)
        self._kept.append(syntax)
        self._functions.setdefault(id(syntax), function)
        return function

    def apply(self, callee: Kind, argument: Kind, argument_span: Span, span: Span) -> Kind:
        """The kind of a function or primitive applied to its argument."""
        match callee:
            case Primitive(name):
                return self._apply_primitive(name, argument, argument_span)
            case Function():
                return self._apply_function(callee, argument, argument_span)
            case _ if callee is UNKNOWN:
                return UNKNOWN
        hint = "an operator such as `;` may be missing here"
        self.note("not-a-function", f"{describe(callee)} is applied like a function", span, hint)
        return UNKNOWN

    def _apply_primitive(self, name: str, argument: Kind, span: Span) -> Kind:
        if argument is UNKNOWN:
            return UNKNOWN
        try:
            return PRIMITIVES[name].kinds(argument, span)
        except KindError as problem:
            return self.note_kind_error(problem)

    def _apply_function(self, function: Function, argument: Kind, span: Span) -> Kind:
        bound = self.bind_argument(function.syntax.pattern, argument, span)
        key = (id(function), argument)
        if key not in self._results:
            self._results[key] = Slot(UNKNOWN)  # what a call of itself gives
            self._kept.append(function)
            self._applied.add(id(function.syntax))
            self._results[key] = self._body(function, bound)
        return self.use(self._results[key])

    def _body(self, function: Function, bound: Mapping[str, Slot]) -> Slot:
        if self._depth >= _DEEPEST:
            return Slot(UNKNOWN)
        self._depth += 1
        try:
            return self.slot(function.syntax.body, {**function.environment, **bound})
        finally:
            self._depth -= 1

    def look_at_the_rest(self) -> None:
        """Looks into the functions that nothing applies, so that their mistakes are known."""
        while waiting := [f for key, f in self._functions.items() if key not in self._applied]:
            for function in waiting:
                self._applied.add(id(function.syntax))
                names = filter(None, function.syntax.pattern.names)
                with self.piece():
                    self._body(function, {name: Slot(UNKNOWN) for name in names})

    # Conditions, matches, try

    def _if(self, expression: If, environment: Environment) -> Kind:
        decided = self._decide(expression.condition, environment)
        if decided is None:
            return self._one_of((expression.then, expression.otherwise), environment)
        taken, other = expression.then, expression.otherwise
        if not decided:
            taken, other = other, taken
        with self.piece():
            self.evaluate(other, environment)
        return self.evaluate(taken, environment)

    def _decide(self, condition: Condition, environment: Environment) -> bool | None:
        """Whether a condition holds; None where that depends on values."""
        if not isinstance(condition, Comparison):
            return holds(condition, self._variants)
        self.evaluate(condition.left, environment)
        self.evaluate(condition.right, environment)
        return None

    def expect_tag(self, scrutinee: Expression, environment: Environment) -> None:
        """Notes where a match on tags is on something else."""
        kind = self.evaluate(scrutinee, environment)
        if kind not in (TAG, UNKNOWN):
            message = f"expected a tag to match on, but this is {describe(kind)}"
            self.note("kind", message, scrutinee.span)

    def _match_tag(self, expression: MatchTag, environment: Environment) -> Kind:
        self.expect_tag(expression.scrutinee, environment)
        return self._one_of([arm for _, arm in expression.arms], environment)

    def _one_of(self, branches: Sequence[Expression], environment: Environment) -> Kind:
        """One of the branches is evaluated, as values have it."""
        kinds = []
        for branch in branches:
            with self.branch():
                kinds.append(self.evaluate(branch, environment))
        return reduce(join, kinds)

    def _match_set(self, expression: MatchSet, environment: Environment) -> Kind:
        kind = self.evaluate(expression.scrutinee, environment)
        with self.branch():
            empty = self.evaluate(expression.empty, environment)
        element = self._element(kind, expression.scrutinee.span)
        parts: dict[str | None, Kind] = {
            expression.below: kind,
            expression.element: element,
            expression.rest: kind,
        }
        inside = {**environment, **{name: Slot(part) for name, part in parts.items() if name}}
        if kind is EMPTY:
            with self.piece():
                self.evaluate(expression.body, inside)
            return empty
        with self.branch():
            return join(empty, self.evaluate(expression.body, inside))

    def _element(self, kind: Kind, span: Span) -> Kind:
        elements: Mapping[Kind, Kind] = {SET: EVENT, RELATION: PAIR, TAG: TAG}
        match kind:
            case ValuesOf(element):
                return element
            case Basic() if kind in elements:
                return elements[kind]
        if kind is UNIVERSE:
            message = "a match on the universe `_` has no elements to take"
            self.note("kind", message, span)
        elif kind not in (EMPTY, UNKNOWN):
            message = f"expected a set of values, but this is {describe(kind)}"
            self.note("kind", message, span)
        return UNKNOWN

    def _try(self, expression: Try, environment: Environment) -> Kind:
        with self.swallowed() as findings:
            kind = self.evaluate(expression.body, environment)
        if not findings.is_clean:
            fallback = self.evaluate(expression.fallback, environment)
            return fallback if kind is UNKNOWN else join(kind, fallback)
        with self.branch():
            return join(kind, self.evaluate(expression.fallback, environment))


def _is_intersection(expression: Expression | None) -> bool:
    """What is cut down like this is often empty; then nothing behind it is evaluated."""
    return isinstance(expression, Operation) and expression.operator == "&"


def _is_nothing(expression: Expression | None) -> bool:
    return isinstance(expression, Constant) and expression.symbol in ("0", "{}")
