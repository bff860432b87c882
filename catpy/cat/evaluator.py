"""Evaluates cat expressions over an algebra. Bindings are call-by-need, arguments call-by-value."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from catpy.cat.operators import Operators
from catpy.cat.syntax import (
    Apply,
    Binding,
    Constant,
    Expression,
    Function,
    LetIn,
    Name,
    Operation,
    Pattern,
    SetOf,
    Try,
    TupleOf,
)
from catpy.cat.values import (
    EMPTY,
    UNIVERSE,
    Closure,
    Environment,
    Level,
    Primitive,
    Thunk,
    Tuple,
    Value,
    ValueSet,
    describe,
)
from catpy.errors import ModelError, did_you_mean
from catpy.relation import Algebra
from catpy.source import Span


class Evaluator:
    """Gives expressions their values in an environment of suspended bindings."""

    def __init__(self, algebra: Algebra) -> None:
        self.operators = Operators(algebra)
        self._constants: Mapping[str, Value] = {
            "0": algebra.empty_relation,
            "_": UNIVERSE,
            "{}": EMPTY,
        }

    # Environments

    def force(self, thunk: Thunk) -> Value:
        """The value of a binding, evaluated on its first use."""
        if thunk.value is None:
            assert thunk.expression is not None
            assert thunk.environment is not None
            thunk.value = self.evaluate(thunk.expression, thunk.environment)
        return thunk.value

    def lookup(self, name: str, environment: Environment, span: Span) -> Value:
        thunk = environment.get(name)
        if thunk is None:
            raise ModelError(f"unbound name `{name}`", span, did_you_mean(name, environment))
        return self.force(thunk)

    def bind(self, pattern: Pattern, thunk: Thunk, span: Span) -> dict[str, Thunk]:
        """The bindings a pattern makes of what it is bound to."""
        if pattern.single:
            return {name: thunk for name in pattern.names if name}
        value = self.force(thunk)
        if not isinstance(value, Tuple) or len(value.items) != len(pattern.names):
            message = f"expected a tuple of {len(pattern.names)}, but this is {describe(value)}"
            raise ModelError(message, span)
        pairs = zip(pattern.names, value.items, strict=True)
        return {name: Thunk(thunk.level, item) for name, item in pairs if name}

    def recursive(
        self, bindings: tuple[Binding, ...], environment: Environment, level: Level
    ) -> Rounds:
        """The bindings of a `let rec` group, to be iterated until they settle."""
        return Rounds(self, bindings, environment, level)

    # Expressions

    def evaluate(self, expression: Expression, environment: Environment) -> Value:
        """The value of an expression. Raises ModelError with the place of what is wrong."""
        match expression:
            case Operation():
                return _OPERATIONS[expression.operator](self, expression, environment)
            case Name(name, span):
                return self.lookup(name, environment, span)
            case Constant(symbol):
                return self._constants[symbol]
            case Apply(function, argument, span):
                callee = self.evaluate(function, environment)
                return self.apply(callee, self.evaluate(argument, environment), argument.span, span)
            case Function():
                return self._close(expression, environment)
            case LetIn():
                return self._let_in(expression, environment)
            case TupleOf(items):
                return Tuple(tuple(self.evaluate(item, environment) for item in items))
            case SetOf(items):
                return self._set_of(items, environment)
            case Try(body, fallback):
                try:
                    return self.evaluate(body, environment)
                except ModelError:
                    return self.evaluate(fallback, environment)

    def apply(self, callee: Value, argument: Value, argument_span: Span, span: Span) -> Value:
        """A function or primitive applied to its argument."""
        match callee:
            case Primitive():
                return callee.apply(self.operators, argument, argument_span)
            case Closure(function, environment):
                thunk = Thunk(Level.CHOICE, argument)
                bound = self.bind(function.pattern, thunk, argument_span)
                return self.evaluate(function.body, {**environment, **bound})
        hint = "an operator such as `;` may be missing here"
        raise ModelError(f"{describe(callee)} is applied like a function", span, hint)

    @staticmethod
    def _close(function: Function, environment: Environment) -> Closure:
        """Static scope: a function keeps the bindings its free names have now."""
        kept = {name: environment[name] for name in function.free if name in environment}
        return Closure(function, kept)

    def _let_in(self, expression: LetIn, environment: Environment) -> Value:
        if expression.recursive:
            rounds = self.recursive(expression.bindings, environment, Level.CHOICE)
            while not rounds.settled:
                rounds.advance()
            return self.evaluate(expression.body, {**environment, **rounds.bound})
        bound: dict[str, Thunk] = {}
        for binding in expression.bindings:
            thunk = Thunk(Level.CHOICE, expression=binding.body, environment=environment)
            bound.update(self.bind(binding.pattern, thunk, binding.body.span))
        return self.evaluate(expression.body, {**environment, **bound})

    def _set_of(self, items: tuple[Expression, ...], environment: Environment) -> Value:
        result = ValueSet(())
        for item in reversed(items):
            value = self.evaluate(item, environment)
            if value is UNIVERSE:
                raise ModelError("the universe `_` cannot be an element of a set", item.span)
            result = result.add(value)
        return result

    # Operators

    def _union(self, expression: Operation, environment: Environment) -> Value:
        first, *others = expression.operands
        result = self.evaluate(first, environment)
        for operand in others:
            value = self.evaluate(operand, environment)
            result = self.operators.union(result, value, operand.span)
        return result

    def _sequence(self, expression: Operation, environment: Environment) -> Value:
        first, *others = expression.operands
        result, span = self.evaluate(first, environment), first.span
        for operand in others:
            # As in herd: once a prefix is empty, what follows is not even evaluated.
            if self.operators.is_surely_empty(self.operators.relation(result, span)):
                return EMPTY
            value = self.evaluate(operand, environment)
            result = self.operators.sequence(result, value, span, operand.span)
            span = first.span.to(operand.span)
        return self.operators.algebra.all_pairs if result is UNIVERSE else result

    def _two(
        self, expression: Operation, environment: Environment
    ) -> tuple[Value, Value, Span, Span]:
        left, right = expression.operands
        values = self.evaluate(left, environment), self.evaluate(right, environment)
        return (*values, left.span, right.span)

    def _intersection(self, expression: Operation, environment: Environment) -> Value:
        left, right, _, _ = self._two(expression, environment)
        return self.operators.intersection(left, right, expression.span)

    def _difference(self, expression: Operation, environment: Environment) -> Value:
        left, right, _, _ = self._two(expression, environment)
        return self.operators.difference(left, right, expression.span)

    def _insertion(self, expression: Operation, environment: Environment) -> Value:
        left, right, _, right_span = self._two(expression, environment)
        return self.operators.insertion(left, right, right_span)

    def _product(self, expression: Operation, environment: Environment) -> Value:
        return self.operators.product(*self._two(expression, environment))

    def _complement(self, expression: Operation, environment: Environment) -> Value:
        (operand,) = expression.operands
        return self.operators.complement(self.evaluate(operand, environment), operand.span)

    def _inverse(self, expression: Operation, environment: Environment) -> Value:
        (operand,) = expression.operands
        return self.operators.inverse(self.evaluate(operand, environment), operand.span)

    def _identity_on(self, expression: Operation, environment: Environment) -> Value:
        (operand,) = expression.operands
        return self.operators.identity_on(self.evaluate(operand, environment), operand.span)

    def _closure(self, expression: Operation, environment: Environment) -> Value:
        (operand,) = expression.operands
        value = self.evaluate(operand, environment)
        return self.operators.closure(expression.operator, value, operand.span)


_OPERATIONS: Mapping[str, Callable[[Evaluator, Operation, Environment], Value]] = {
    "|": Evaluator._union,
    ";": Evaluator._sequence,
    "&": Evaluator._intersection,
    "\\": Evaluator._difference,
    "++": Evaluator._insertion,
    "×": Evaluator._product,
    "~": Evaluator._complement,
    "^-1": Evaluator._inverse,
    "[]": Evaluator._identity_on,
    "+": Evaluator._closure,
    "*": Evaluator._closure,
    "?": Evaluator._closure,
}


class Rounds:
    """The iteration of a `let rec` group, as herd does it.

    Values start at `{}`. A round evaluates them in textual order, each seeing those before it
    already renewed, and rebuilds the functions of the group. The group has settled when a round
    brings nothing new to any value; for a monotone group that is the least fixpoint.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        bindings: tuple[Binding, ...],
        environment: Environment,
        level: Level,
    ) -> None:
        self._evaluator = evaluator
        self._functions = [b for b in bindings if isinstance(b.body, Function)]
        self._values = [b for b in bindings if not isinstance(b.body, Function)]
        self._environment = environment
        self._level = level
        self._left = 2 * evaluator.operators.algebra.size**2 * max(1, len(self._values)) + 2
        #: The bindings of the last round.
        self.bound: dict[str, Thunk] = {}
        self.settled = not self._values
        for binding in bindings:
            if not binding.pattern.single:
                raise ModelError("a tuple cannot be defined by recursion", binding.span)
            for name in binding.pattern.names:
                if name:
                    self.bound[name] = Thunk(level, EMPTY)
        self._rebuild_functions()

    def advance(self) -> None:
        """One round."""
        self._left -= 1
        if self._left < 0:
            message = "this recursion does not settle: it is not monotone"
            raise ModelError(message, self._values[0].span)
        scope = {**self._environment, **self.bound}
        self.settled = True
        for binding in self._values:
            name = binding.pattern.names[0] or "_"
            new = self._evaluator.evaluate(binding.body, scope)
            old = self.bound[name].value if name in self.bound else EMPTY
            assert old is not None
            self.settled &= self._evaluator.operators.settled(new, old, binding.span)
            self.bound[name] = scope[name] = Thunk(self._level, new)
        self._rebuild_functions()

    def _rebuild_functions(self) -> None:
        scope = {**self._environment, **self.bound}
        for binding in self._functions:
            name = binding.pattern.names[0]
            assert name is not None
            assert isinstance(binding.body, Function)
            # The closures share the scope that they are then added to: they can call each other.
            self.bound[name] = scope[name] = Thunk(self._level, Closure(binding.body, scope))
