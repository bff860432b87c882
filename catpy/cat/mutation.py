"""Models with one clause left out: a good set of tests notices each of them.

A clause is a check, a flag or a call; an operand of a union, in whatever statement; an arm of a
`let rec … and …`, or its `when`. Assertions are none: they are about tests, not about executions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from catpy.cat.loader import Model
from catpy.cat.names import free_names
from catpy.cat.printer import show_pattern
from catpy.cat.syntax import (
    Binding,
    Call,
    Check,
    Choice,
    Constant,
    Forall,
    Function,
    Let,
    MatchStatement,
    Operation,
    Procedure,
    Role,
    Statement,
)
from catpy.source import Span


@dataclass(frozen=True)
class Mutant:
    """A model that lacks one clause of the original, with the clause's name and place.

    The name is `check NAME`, `flag NAME`, `undefined_unless NAME` or `call NAME`; for an operand
    `definition: operand`, or the name of the check and the operand; `arm NAME` for a recursive
    definition of several, which then is empty; `definition: when …` for what ends a recursion.
    """

    clause: str
    span: Span
    model: Model

    @property
    def place(self) -> str:
        """The file's name and the line, as `ptx.cat:84`."""
        line, _ = self.span.source.position(self.span.start)
        return f"{Path(self.span.source.name).name}:{line}"


#: A clause's name and place, and what its node is without it.
_Without = tuple[str, Span, Any]


def without_one_clause(model: Model) -> Iterator[Mutant]:
    """The mutants of a model, for each clause in its own file, in the order of the text.

    A mutant can be wrong where the original is not, or be refused on a test: without the check that
    makes `co` acyclic there may be no last write, say. Whoever runs it finds that out.
    """
    for name, span, statements in _blocks_without(model.statements, model):
        yield Mutant(name, span, replace(model, statements=statements))


def _blocks_without(statements: tuple[Statement, ...], model: Model) -> Iterator[_Without]:
    for index, statement in enumerate(statements):
        if not model.holds(statement.span):
            continue
        for name, span, rest in _statements_without(statement, model):
            kept = () if rest is None else (rest,)
            yield name, span, (*statements[:index], *kept, *statements[index + 1 :])


def _statements_without(statement: Statement, model: Model) -> Iterator[_Without]:
    """The statement without a clause, None where it is the clause."""
    match statement:
        case Check():
            yield from _check_without(statement)
        case Call(procedure, argument, name):
            yield f"call {name or procedure.name}", statement.span, None
            yield from _operands(f"call {name or procedure.name}", statement, "argument", argument)
        case Let():
            yield from _let_without(statement)
        case Choice(name, expression):
            yield from _operands(name, statement, "expression", expression)
        case Procedure(body=body) | Forall(body=body):
            for clause, span, rest in _blocks_without(body, model):
                yield clause, span, replace(statement, body=rest)
        case MatchStatement(_, arms):
            for index, (tag, body) in enumerate(arms):
                for clause, span, rest in _blocks_without(body, model):
                    smaller = (*arms[:index], (tag, rest), *arms[index + 1 :])
                    yield clause, span, replace(statement, arms=smaller)


def _check_without(check: Check) -> Iterator[_Without]:
    if check.role is Role.ASSERT:
        return
    name = f"{check.role.value} {check.name or _test(check)}"
    yield name, check.span, None
    yield from _operands(name, check, "expression", check.expression)


def _test(check: Check) -> str:
    """What a check asks, which stands for its name where it has none."""
    return f"{'~' if check.negated else ''}{check.kind} {_words(check.expression.span)}"


def _let_without(let: Let) -> Iterator[_Without]:
    for index, binding in enumerate(let.bindings):
        name = binding.pattern.names[0] or show_pattern(binding.pattern)
        for clause, span, body in [*_arms(let, binding), *_operands(name, None, "", binding.body)]:
            smaller = _put(binding, "body", body)
            bindings = (*let.bindings[:index], smaller, *let.bindings[index + 1 :])
            yield clause, span, replace(let, bindings=bindings)
    if let.when is not None:
        name = f"{let.bindings[0].pattern.names[0]}: when {_test(let.when)}"
        yield name, let.when.span, replace(let, when=None)
        for clause, span, when in _operands(name, let.when, "expression", let.when.expression):
            yield clause, span, replace(let, when=when)


def _arms(let: Let, binding: Binding) -> Iterator[_Without]:
    """What is left of a recursive definition among others where it has nothing to say."""
    is_arm = let.recursive and len(let.bindings) > 1 and binding.pattern.single
    if is_arm and not isinstance(binding.body, Function):
        yield f"arm {binding.pattern.names[0]}", binding.span, Constant("{}", binding.body.span)


def _operands(name: str, holder: Any, field: str, expression: object) -> Iterator[_Without]:
    """The holder of an expression (None: the expression itself) without an operand of a union."""
    for span, smaller in _without_operand(expression):
        rest = smaller if holder is None else _put(holder, field, smaller)
        yield f"{name}: {_words(span)}", span, rest


def _words(span: Span) -> str:
    """The text of a stretch on one line."""
    return " ".join(span.text.split())


def _without_operand(node: object) -> Iterator[tuple[Span, Any]]:
    """A node with one operand of one of its unions left out, and that operand's place."""
    if isinstance(node, tuple):
        for index, item in enumerate(node):
            for span, smaller in _without_operand(item):
                yield span, (*node[:index], smaller, *node[index + 1 :])
    elif is_dataclass(node) and not isinstance(node, Span):
        if isinstance(node, Operation) and node.operator == "|":
            for index, operand in enumerate(node.operands):
                rest = (*node.operands[:index], *node.operands[index + 1 :])
                yield operand.span, rest[0] if len(rest) == 1 else replace(node, operands=rest)
        for part in fields(node):
            for span, smaller in _without_operand(getattr(node, part.name)):
                yield span, _put(node, part.name, smaller)


def _put(node: Any, field: str, value: Any) -> Any:
    """The node with another value of a field; what a body takes from around it is told anew."""
    match node:
        case Binding():
            return replace(node, body=value, free=free_names(value))
        case Function(pattern):
            free = free_names(value) - frozenset(filter(None, pattern.names))
            return replace(node, body=value, free=free)
    return replace(node, **{field: value})
