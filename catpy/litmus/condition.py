"""Conditions on final states: reading them, judging a state by them, writing them as herd does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from catpy.errors import TestError
from catpy.lexing import TokenStream
from catpy.litmus.lexer import token_stream
from catpy.litmus.syntax import (
    AddressOf,
    And,
    Atom,
    Comparand,
    Condition,
    Implies,
    Location,
    Not,
    Number,
    ObjectState,
    Observable,
    Or,
    Register,
    Term,
    Truth,
    UnknownValue,
)
from catpy.source import Span

_RELATIONS = {"==": "=", "<>": "!="}
_State = TypeVar("_State")
_OPERATORS = ("=", "==", "!=", "<>", "<", "<=", ">", ">=")


def parse_condition(span: Span) -> Condition:
    """The condition a stretch of text holds. Raises TestError with the place of a mistake."""
    if sign := re.search(r"&&|\|\||->|(?<=\s)(?:and|or)(?=\s)", span.text):
        place = span.source.span(span.start + sign.start(), span.start + sign.end())
        signs = "and is `/\\`, or is `\\/`, not is `~`, if … then is `=>`"
        raise TestError(f"a condition has no `{sign.group()}`: {signs}", place)
    tokens = token_stream(span)
    condition = _implication(tokens)
    tokens.expect_end("`/\\`, `\\/` or the end of the condition")
    return condition


def _implication(tokens: TokenStream) -> Condition:
    left = _disjunction(tokens)
    if tokens.accept("=>"):
        return Implies(left, _implication(tokens))
    return left


def _disjunction(tokens: TokenStream) -> Condition:
    operands = [_conjunction(tokens)]
    while tokens.accept("\\/"):
        operands.append(_conjunction(tokens))
    return operands[0] if len(operands) == 1 else Or(tuple(operands))


def _conjunction(tokens: TokenStream) -> Condition:
    operands = [_negation(tokens)]
    while tokens.accept("/\\"):
        operands.append(_negation(tokens))
    return operands[0] if len(operands) == 1 else And(tuple(operands))


def _negation(tokens: TokenStream) -> Condition:
    if tokens.accept("~", "not"):
        return Not(_negation(tokens))
    if tokens.accept("("):
        inner = _implication(tokens)
        tokens.expect(")", "to close the parenthesis")
        return inner
    if token := tokens.accept("true", "false"):
        return Truth(token.text == "true")
    return _atom(tokens)


def _atom(tokens: TokenStream) -> Atom:
    start = tokens.peek().span
    left = _comparand(tokens, value=False)
    if not tokens.at(*_OPERATORS):
        raise tokens.unexpected("`=`, `!=`, `<`, `<=`, `>` or `>=`")
    operator = tokens.next().text
    right = _comparand(tokens, value=True)
    return Atom(left, _RELATIONS.get(operator, operator), right, tokens.since(start))


def _comparand(tokens: TokenStream, value: bool) -> Comparand:
    if tokens.peek().kind != "name" or not tokens.at("(", ahead=1):
        return parse_term(tokens, value)
    kind = tokens.next().text
    fields: list[int] = []
    while tokens.accept("," if fields else "("):
        fields.append(tokens.integer())
    tokens.expect(")", f"behind the state of the {kind}")
    return ObjectState(kind, tuple(fields))


def parse_term(tokens: TokenStream, value: bool) -> Term:
    """A register, location, number, address or unknown value.

    Where a `value` is wanted, a bare name is the address of a location, as in herd.
    """
    token = tokens.peek()
    if tokens.at("-") or (token.kind == "number" and not tokens.at(":", ahead=1)):
        return parse_number(tokens)
    if tokens.accept("?"):
        if tokens.peek().kind != "name":
            raise tokens.unexpected("a location after `?`")
        return UnknownValue(str(parse_location(tokens)))
    if tokens.accept("&"):
        return AddressOf(parse_location(tokens))
    if tokens.accept("["):
        location = parse_location(tokens)
        tokens.expect("]", "after the location")
        return location
    if tokens.at(":", ahead=1):
        return _register(tokens)
    location = parse_location(tokens)
    return AddressOf(location) if value else location


def parse_number(tokens: TokenStream) -> Number:
    """A number, perhaps negative."""
    return Number(tokens.integer())


def parse_observable(tokens: TokenStream) -> Observable:
    """A register `1:r0` or a location `x`, `[x]`, `a[1]`."""
    start = tokens.peek()
    term = parse_term(tokens, value=False)
    if isinstance(term, Register | Location):
        return term
    raise TestError("expected a register like `1:r0` or a location", start.span)


def _register(tokens: TokenStream) -> Register:
    token = tokens.next()
    digits = token.text.removeprefix("P")
    if not digits.isdigit():
        raise TestError(f"`{token.text}` is not a thread", token.span, "write `1:r0` or `P1:r0`")
    tokens.next()
    name = tokens.expect_kind("name", "a register").text
    return Register(int(digits), name.removeprefix("%"))


def parse_location(tokens: TokenStream) -> Location:
    """A location `x`, or an element `a[1]`."""
    name = tokens.expect_kind("name", "a register or location").text
    if not tokens.at("["):
        return Location(name)
    tokens.next()
    index = parse_number(tokens).value
    tokens.expect("]", "after the index")
    return Location(name, index)


# Judging


Predicate = Callable[[_State], bool]


def predicate(
    condition: Condition, comparison: Callable[[Atom], Predicate[_State]]
) -> Predicate[_State]:
    """A condition as a function on states, where `comparison` gives that of an atom."""
    match condition:
        case Atom():
            return comparison(condition)
        case Not(operand):
            denied = predicate(operand, comparison)
            return lambda state: not denied(state)
        case And(operands):
            every = [predicate(operand, comparison) for operand in operands]
            return lambda state: all(holds(state) for holds in every)
        case Or(operands):
            some = [predicate(operand, comparison) for operand in operands]
            return lambda state: any(holds(state) for holds in some)
        case Implies(left, right):
            premise, conclusion = predicate(left, comparison), predicate(right, comparison)
            return lambda state: not premise(state) or conclusion(state)
        case Truth(value):
            return lambda state: value


def atoms(condition: Condition) -> Iterator[Atom]:
    """The atoms of a condition, from left to right."""
    match condition:
        case Atom():
            yield condition
        case Not(operand):
            yield from atoms(operand)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from atoms(operand)
        case Implies(left, right):
            yield from atoms(left)
            yield from atoms(right)


def compared_with_numbers(condition: Condition) -> dict[Observable, set[int]]:
    """The registers and locations that a condition compares with numbers, and these."""
    found: dict[Observable, set[int]] = {}
    for atom in atoms(condition):
        for side, other in ((atom.left, atom.right), (atom.right, atom.left)):
            if isinstance(side, Register | Location) and isinstance(other, Number):
                found.setdefault(side, set()).add(other.value)
    return found


def observables(condition: Condition) -> Iterator[tuple[Observable, Span]]:
    """The registers and locations a condition looks at, with the atoms' places."""
    for atom in atoms(condition):
        for term in (atom.left, atom.right):
            if isinstance(term, Register | Location):
                yield term, atom.span


# Writing

_BINDING = {Implies: 0, Or: 1, And: 2, Not: 3, Atom: 4, Truth: 4}


def show_condition(condition: Condition) -> str:
    """The condition in herd's way: memory in brackets, `not` for what has no operator there."""
    match condition:
        case Atom(left, "!=", right):
            return f"not ({_show(left)}={_show_value(right)})"
        case Atom(left, operator, right):
            return f"{_show(left)}{operator}{_show_value(right)}"
        case Not(operand):
            return f"not ({show_condition(operand)})"
        case And(operands):
            return " /\\ ".join(_wrapped(operand, condition) for operand in operands)
        case Or(operands):
            return " \\/ ".join(_wrapped(operand, condition) for operand in operands)
        case Implies(left, right):
            return f"{_wrapped(left, condition)} => {_wrapped(right, condition)}"
        case Truth(value):
            return "true" if value else "false"


def _wrapped(operand: Condition, around: Condition) -> str:
    text = show_condition(operand)
    return f"({text})" if _BINDING[type(operand)] <= _BINDING[type(around)] else text


def _show(term: Comparand) -> str:
    return f"[{term}]" if isinstance(term, Location) else str(term)


def _show_value(term: Comparand) -> str:
    # herd writes the address of x as x.
    return str(term.location) if isinstance(term, AddressOf) else _show(term)
