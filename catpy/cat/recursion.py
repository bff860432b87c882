"""The iteration of `let rec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from catpy.cat.syntax import Binding, Function
from catpy.cat.values import EMPTY, Closure, Environment, Level, Thunk, Value
from catpy.errors import ModelError
from catpy.relation import Elements, EventSet, Relation, Undecided

if TYPE_CHECKING:
    from catpy.cat.evaluator import Evaluator


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
        self._names = [binding.pattern.names[0] or "_" for binding in self._values]
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

    def solved(self) -> dict[str, Thunk]:
        """The bindings once the group has settled. Raises ModelError where it does not."""
        if not self.settled and self._evaluator.operators.algebra.ties:
            self._tie()
        while not self.settled:
            self.advance()
        return self.bound

    def advance(self) -> None:
        """One round."""
        self._left -= 1
        if self._left < 0:
            message = "this recursion does not settle: it is not monotone"
            raise ModelError(message, self._values[0].span)
        old = [self._value(name) for name in self._names]
        self._round()
        operators = self._evaluator.operators
        settled = [
            operators.settled(self._value(name), before, binding.span)
            for name, before, binding in zip(self._names, old, self._values, strict=True)
        ]
        self.settled = all(settled)

    def _round(self) -> None:
        """Evaluates every value, each seeing those before it already renewed."""
        scope = {**self._environment, **self.bound}
        for name, binding in zip(self._names, self._values, strict=True):
            new = self._evaluator.evaluate(binding.body, scope)
            self.bound[name] = scope[name] = Thunk(self._level, new)
        self._rebuild_functions()

    def _value(self, name: str) -> Value:
        thunk = self.bound.get(name)
        return EMPTY if thunk is None or thunk.value is None else thunk.value

    def _tie(self) -> None:
        """Has the algebra find the values, once a round has shown of what kinds they are."""
        for _ in self._values:
            self._round()
        kinds = [self._value(name) for name in self._names]
        elements = [kind for kind in kinds if isinstance(kind, EventSet | Relation)]
        if all(kind is EMPTY for kind in kinds):
            self.settled = True
            return
        if len(elements) < len(kinds):
            raise Undecided  # `{}` or `_` among relations, or sets of values
        results = self._evaluator.operators.algebra.tie(elements, self._stepped)
        self._bind(results)
        self.settled = True

    def _stepped(self, values: Sequence[Elements]) -> Sequence[Elements]:
        """The values that a round makes of these, each seeing these alone."""
        self._bind(values)
        scope = {**self._environment, **self.bound}
        results = []
        for binding, kind in zip(self._values, values, strict=True):
            result = self._evaluator.evaluate(binding.body, scope)
            if not isinstance(result, EventSet | Relation) or type(result) is not type(kind):
                raise Undecided
            results.append(result)
        return results

    def _bind(self, values: Sequence[Elements]) -> None:
        for name, value in zip(self._names, values, strict=True):
            assert isinstance(value, EventSet | Relation)
            self.bound[name] = Thunk(self._level, value)
        self._rebuild_functions()

    def _rebuild_functions(self) -> None:
        scope = {**self._environment, **self.bound}
        for binding in self._functions:
            name = binding.pattern.names[0]
            assert name is not None
            assert isinstance(binding.body, Function)
            # The closures share the scope that they are then added to: they can call each other.
            self.bound[name] = scope[name] = Thunk(self._level, Closure(binding.body, scope))
