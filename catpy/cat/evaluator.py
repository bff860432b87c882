"""Evaluates cat expressions over an algebra. Bindings are call-by-need, arguments call-by-value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from catpy.cat.names import first_use
from catpy.cat.operations import OPERATIONS
from catpy.cat.operators import Operators
from catpy.cat.recursion import Rounds
from catpy.cat.syntax import (
    Apply,
    Binding,
    Comparison,
    Condition,
    Constant,
    Expression,
    Function,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    Operation,
    Pattern,
    SetOf,
    TagOf,
    Try,
    TupleOf,
)
from catpy.cat.values import (
    EMPTY,
    UNIVERSE,
    Closure,
    Environment,
    Event,
    Level,
    Pair,
    Primitive,
    Tag,
    Thunk,
    Tuple,
    Value,
    ValueSet,
    describe,
    token,
)
from catpy.cat.variants import holds
from catpy.errors import ModelError, UnboundNameError, did_you_mean
from catpy.relation import Algebra, EventSet, Relation, Undecided
from catpy.source import Span

_Arm = TypeVar("_Arm")

#: Is told of a union that was evaluated, the values of its operands, and its own.
Watch = Callable[[Operators, Operation, Sequence[Value], Value], None]


class Evaluator:
    """Gives expressions their values in an environment of suspended bindings.

    `variants` are the variants that are on, in lower case. With `tags_by_name`, as in Dat3M, an
    unbound name is the event set of that tag: empty, since every tag that events have is bound.
    `watch` is told of every union.
    """

    def __init__(
        self,
        algebra: Algebra,
        variants: frozenset[str] = frozenset(),
        tags_by_name: bool = False,
        watch: Watch | None = None,
    ) -> None:
        self.watch = watch
        self.operators = Operators(algebra)
        self._variants = variants
        self._tags_by_name = tags_by_name
        self._constants: Mapping[str, Value] = {
            "0": algebra.empty_relation,
            "_": UNIVERSE,
            "{}": EMPTY,
        }

    # Environments

    def force(self, thunk: Thunk) -> Value:
        """The value of a binding, evaluated on its first use."""
        if thunk.value is None:
            if thunk.compute is not None:
                thunk.value = thunk.compute()
                return thunk.value
            assert thunk.expression is not None
            assert thunk.environment is not None
            thunk.value = self.evaluate(thunk.expression, thunk.environment)
        return thunk.value

    def lookup(self, name: str, environment: Environment, span: Span) -> Value:
        """What a name is bound to. Raises ModelError where nothing binds it."""
        thunk = environment.get(name)
        if thunk is None:
            if self._tags_by_name:
                return self.operators.algebra.empty_set
            raise _unbound(name, environment, span)
        return self.force(thunk)

    def bind(self, pattern: Pattern, thunk: Thunk, span: Span) -> dict[str, Thunk]:
        """The bindings a pattern makes of what it is bound to, taken apart on their first use."""
        if pattern.single:
            return {name: thunk for name in pattern.names if name}

        def component(index: int) -> Thunk:
            return Thunk(thunk.level, compute=lambda: self._component(index, pattern, thunk, span))

        return {name: component(index) for index, name in enumerate(pattern.names) if name}

    def _component(self, index: int, pattern: Pattern, thunk: Thunk, span: Span) -> Value:
        """One component; how many others there are matters only where this one is missing."""
        items = _items(self.force(thunk))
        if items is None or index >= len(items):
            raise _mismatch(pattern, self.force(thunk), span)
        return items[index]

    def bind_argument(self, pattern: Pattern, value: Value, span: Span) -> dict[str, Thunk]:
        """The bindings that a call makes: its argument has to fit the parameters."""
        if not pattern.single:
            items = _items(value)
            if items is None or len(items) != len(pattern.names):
                raise _mismatch(pattern, value, span)
        return self.bind(pattern, Thunk(Level.CHOICE, value), span)

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
                return OPERATIONS[expression.operator](self, expression, environment)
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
            case SetOf(items, span):
                return self._set_of(items, environment, span)
            case TagOf(name, span):
                return self.tag(name, span)
            case If(condition, then, otherwise):
                taken = then if self.decide(condition, environment) else otherwise
                return self.evaluate(taken, environment)
            case MatchTag():
                tag = self.scrutinised_tag(expression.scrutinee, environment)
                arm = chosen_arm(tag, expression.arms, expression.scrutinee.span)
                return self.evaluate(arm, environment)
            case MatchSet():
                return self._match_set(expression, environment)
            case Try(body, fallback):
                return self._try(body, fallback, environment)

    def apply(self, callee: Value, argument: Value, argument_span: Span, span: Span) -> Value:
        """A function or primitive applied to its argument."""
        match callee:
            case Primitive():
                return callee.apply(self.operators, argument, argument_span)
            case Closure():
                return self._call(callee, argument, argument_span)
        hint = "an operator such as `;` may be missing here"
        raise ModelError(f"{describe(callee)} is applied like a function", span, hint)

    def _call(self, callee: Closure, argument: Value, span: Span) -> Value:
        known = token(argument)
        if known is not None and known in callee.last:
            return callee.last[known]
        bound = self.bind_argument(callee.function.pattern, argument, span)
        result = self.evaluate(callee.function.body, {**callee.environment, **bound})
        if known is not None:
            callee.last.clear()
            callee.last[known] = result
        return result

    def _try(self, body: Expression, fallback: Expression, environment: Environment) -> Value:
        try:
            return self.evaluate(body, environment)
        except UnboundNameError:
            return self.evaluate(fallback, environment)
        except ModelError:
            if self.operators.algebra.ties:
                raise Undecided from None  # `{}` in some candidates makes it right there
            return self.evaluate(fallback, environment)

    def _close(self, function: Function, environment: Environment) -> Closure:
        """Static scope: a function keeps the bindings its free names have now.

        It needs them all, as in herd, whether it will get to use them or not.
        """
        missing = min(function.free - environment.keys(), default=None)
        if missing and not self._tags_by_name:
            known = [*environment, *filter(None, function.pattern.names)]
            raise _unbound(missing, known, first_use(function.body, missing))
        kept = {name: environment[name] for name in function.free if name in environment}
        return Closure(function, kept)

    def _let_in(self, expression: LetIn, environment: Environment) -> Value:
        if expression.recursive:
            solved = self.recursive(expression.bindings, environment, Level.CHOICE).solved()
            return self.evaluate(expression.body, {**environment, **solved})
        bound: dict[str, Thunk] = {}
        for binding in expression.bindings:
            thunk = Thunk(Level.CHOICE, expression=binding.body, environment=environment)
            bound.update(self.bind(binding.pattern, thunk, binding.body.span))
        return self.evaluate(expression.body, {**environment, **bound})

    def _set_of(self, items: tuple[Expression, ...], environment: Environment, span: Span) -> Value:
        values = [self.evaluate(item, environment) for item in items]
        for item, value in zip(items, values, strict=True):
            self.operators.check_no_universe(value, item.span)
        return self.operators.explicit_set(values, span)

    # Tags, conditions, matches

    def tag(self, name: str, span: Span) -> Tag:
        """The tag of a name, of the last enumeration that declares it."""
        for enum, names in reversed(list(self.operators.enums.items())):
            if name in names:
                return Tag(name, enum)
        known = [tag for names in self.operators.enums.values() for tag in names]
        raise ModelError(f"the tag `'{name}` is undefined", span, did_you_mean(name, known))

    def decide(self, condition: Condition, environment: Environment) -> bool:
        """Whether the condition of an `if` holds."""
        if not isinstance(condition, Comparison):
            return holds(condition, self._variants)
        left = self.evaluate(condition.left, environment)
        right = self.evaluate(condition.right, environment)
        match condition.operator:
            case "=":
                return self.operators.equal(left, right, condition.span)
            case "subset":
                return self.operators.is_subset(left, right, condition.span)
            case _:
                return self.operators.is_element(left, right, condition.span)

    def scrutinised_tag(self, scrutinee: Expression, environment: Environment) -> str:
        """The name of the tag that a match is on."""
        value = self.evaluate(scrutinee, environment)
        if not isinstance(value, Tag):
            message = f"expected a tag to match on, but this is {describe(value)}"
            raise ModelError(message, scrutinee.span)
        return value.name

    def _match_set(self, expression: MatchSet, environment: Environment) -> Value:
        """The first element in the order of events decides; the result must not depend on it."""
        span = expression.scrutinee.span
        value = self.evaluate(expression.scrutinee, environment)
        items = self._parts(value, span)
        if not items:
            return self.evaluate(expression.empty, environment)
        middle = len(items) // 2 if expression.three_parts else 0
        parts = {
            expression.below: self._whole(items[:middle], value),
            expression.element: items[middle],
            expression.rest: self._whole(items[middle + 1 :], value),
        }
        bound = {name: Thunk(Level.CHOICE, part) for name, part in parts.items() if name}
        return self.evaluate(expression.body, {**environment, **bound})

    def _parts(self, value: Value, span: Span) -> list[Value]:
        algebra = self.operators.algebra
        match value:
            case EventSet():
                return [Event(number) for number in algebra.members(value)]
            case Relation():
                return [Pair(source, target) for source, target in algebra.pairs(value)]
        if value is UNIVERSE:
            raise ModelError("a match on the universe `_` has no elements to take", span)
        return list(self.operators.value_set(value, span).items)

    def _whole(self, items: list[Value], value: Value) -> Value:
        """Elements of a set as a set of the same kind."""
        algebra = self.operators.algebra
        match value:
            case EventSet():
                return algebra.event_set(i.number for i in items if isinstance(i, Event))
            case Relation():
                return algebra.relation((i.source, i.target) for i in items if isinstance(i, Pair))
        return ValueSet(tuple(items))


def _unbound(name: str, known: Iterable[str], span: Span) -> ModelError:
    return UnboundNameError(f"unbound name `{name}`", span, did_you_mean(name, known))


def _items(value: Value) -> tuple[Value, ...] | None:
    """What a tuple pattern takes apart: the items of a tuple, the two events of a pair."""
    if isinstance(value, Pair):
        return Event(value.source), Event(value.target)
    return value.items if isinstance(value, Tuple) else None


def _mismatch(pattern: Pattern, value: Value, span: Span) -> ModelError:
    message = f"expected a tuple of {len(pattern.names)}, but this is {describe(value)}"
    return ModelError(message, span)


def chosen_arm(tag: str, arms: tuple[tuple[str | None, _Arm], ...], span: Span) -> _Arm:
    """The arm of a tag, or the one of `_`; tags are compared by name alone."""
    for name, arm in arms:
        if name is None or name == tag:
            return arm
    raise ModelError(f"no clause matches the tag `'{tag}`", span)
