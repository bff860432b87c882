"""The iteration of `let rec`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from catpy.cat.syntax import Binding, Function
from catpy.cat.values import EMPTY, Closure, Environment, Level, Thunk
from catpy.errors import ModelError

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
        while not self.settled:
            self.advance()
        return self.bound

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
