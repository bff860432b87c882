"""Models with one clause left out: a check, or one operand of a union in a definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catpy.cat.loader import Model
from catpy.cat.names import free_names
from catpy.cat.syntax import (
    Apply,
    Binding,
    Check,
    Expression,
    Function,
    Let,
    Operation,
    Role,
    SetOf,
    Statement,
    TupleOf,
)
from catpy.source import Span


def without_one_clause(model: Model) -> Iterator[tuple[str, Model]]:
    """Every such model with the name of what it lacks, `check NAME` or `definition: operand`."""
    own = [i for i, s in enumerate(model.statements) if s.span.source.name == str(model.path)]
    for index in own:
        statement = model.statements[index]
        if isinstance(statement, Check) and statement.role is Role.CHECK:
            yield f"check {statement.name}", _with(model, index, None)
        elif isinstance(statement, Let):
            for name, mutant in _lets_without_operand(statement):
                yield name, _with(model, index, mutant)


def _with(model: Model, index: int, statement: Statement | None) -> Model:
    kept = [] if statement is None else [statement]
    statements = (*model.statements[:index], *kept, *model.statements[index + 1 :])
    return replace(model, statements=statements)


def _lets_without_operand(let: Let) -> Iterator[tuple[str, Let]]:
    for position, binding in enumerate(let.bindings):
        for span, body in _without_operand(binding.body):
            mutant = Binding(binding.pattern, body, free_names(body), binding.span)
            bindings = (*let.bindings[:position], mutant, *let.bindings[position + 1 :])
            yield f"{binding.pattern.names[0]}: {_words(span)}", replace(let, bindings=bindings)


def _words(span: Span) -> str:
    """The text of an operand on one line."""
    return " ".join(span.text.split())


def _without_operand(expression: Expression) -> Iterator[tuple[Span, Expression]]:
    """The expression with one operand of one of its unions left out, and that operand's place."""
    match expression:
        case Operation(operator, operands):
            if operator == "|":
                for i, operand in enumerate(operands):
                    rest = (*operands[:i], *operands[i + 1 :])
                    smaller = rest[0] if len(rest) == 1 else replace(expression, operands=rest)
                    yield operand.span, smaller
            for i, operand in enumerate(operands):
                for span, mutant in _without_operand(operand):
                    mutated = (*operands[:i], mutant, *operands[i + 1 :])
                    yield span, replace(expression, operands=mutated)
        case Apply(_, argument):
            for span, mutant in _without_operand(argument):
                yield span, replace(expression, argument=mutant)
        case TupleOf(items) | SetOf(items):
            for i, item in enumerate(items):
                for span, mutant in _without_operand(item):
                    yield span, replace(expression, items=(*items[:i], mutant, *items[i + 1 :]))
        case Function(_, body):
            for span, mutant in _without_operand(body):
                yield span, replace(expression, body=mutant)
