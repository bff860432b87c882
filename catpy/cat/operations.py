"""Evaluates what operators are applied to, and applies them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from catpy.cat.operators import Operators
from catpy.cat.syntax import Expression, Operation
from catpy.cat.values import EMPTY, UNIVERSE, Environment, Pair, Value
from catpy.errors import ModelError
from catpy.relation import EventSet, Relation
from catpy.source import Span

if TYPE_CHECKING:
    from catpy.cat.evaluator import Evaluator

_Evaluate = Callable[["Evaluator", Operation, Environment], Value]


def _union(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    first, *others = expression.operands
    result = evaluator.evaluate(first, environment)
    values = [result]
    for operand in others:
        values.append(evaluator.evaluate(operand, environment))
        result = evaluator.operators.union(result, values[-1], operand.span)
    if evaluator.watch is not None:
        evaluator.watch(evaluator.operators, expression, values, result)
    return result


def _sequence(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    operators = evaluator.operators
    first, *others = expression.operands
    result, span = evaluator.evaluate(first, environment), first.span
    for operand in others:
        # As in herd: once a prefix is empty, what follows is not even evaluated.
        if operators.is_surely_empty(result) and not isinstance(result, EventSet):
            return EMPTY
        value = _perhaps_unreached(evaluator, operand, environment, result)
        result = operators.sequence(result, value, span, operand.span)
        span = first.span.to(operand.span)
    return operators.algebra.all_pairs if result is UNIVERSE else result


def _perhaps_unreached(
    evaluator: Evaluator, operand: Expression, environment: Environment, prefix: Value
) -> Value:
    """An operand of a sequence.

    Where its prefix is empty in some candidates, a mistake in it is one in the others only, and
    which those are is not decided here.
    """
    try:
        return evaluator.evaluate(operand, environment)
    except ModelError:
        if isinstance(prefix, Relation):
            algebra = evaluator.operators.algebra
            algebra.always(algebra.is_empty(prefix))
        raise


def _two(
    evaluator: Evaluator, expression: Operation, environment: Environment
) -> tuple[Value, Value, Span, Span]:
    left, right = expression.operands
    values = evaluator.evaluate(left, environment), evaluator.evaluate(right, environment)
    return (*values, left.span, right.span)


def _intersection(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    left, right, left_span, right_span = _two(evaluator, expression, environment)
    if expression.meets_product:
        if isinstance(left, Pair):
            left = evaluator.operators.relation(left, left_span)
        if isinstance(right, Pair):
            right = evaluator.operators.relation(right, right_span)
    return evaluator.operators.intersection(left, right, expression.span)


def _difference(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    left, right, _, _ = _two(evaluator, expression, environment)
    return evaluator.operators.difference(left, right, expression.span)


def _insertion(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    left, right, _, right_span = _two(evaluator, expression, environment)
    return evaluator.operators.insertion(left, right, right_span)


def _product(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    return evaluator.operators.product(*_two(evaluator, expression, environment))


def _closure(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
    (operand,) = expression.operands
    value = evaluator.evaluate(operand, environment)
    return evaluator.operators.closure(expression.operator, value, operand.span)


def _unary(apply: Callable[[Operators, Value, Span], Value]) -> _Evaluate:
    """An operator that needs the value of its operand and no more."""

    def evaluate(evaluator: Evaluator, expression: Operation, environment: Environment) -> Value:
        (operand,) = expression.operands
        return apply(evaluator.operators, evaluator.evaluate(operand, environment), operand.span)

    return evaluate


#: The value of each operator on its operands. Raises ModelError with the place of a mistake.
OPERATIONS: Mapping[str, _Evaluate] = {
    "|": _union,
    ";": _sequence,
    "&": _intersection,
    "\\": _difference,
    "++": _insertion,
    "×": _product,
    "~": _unary(Operators.complement),
    "^-1": _unary(Operators.inverse),
    "[]": _unary(Operators.identity_on),
    "+": _closure,
    "*": _closure,
    "?": _closure,
}
