"""The initial section `{ … }` of a test."""

from __future__ import annotations

from catpy.errors import TestError
from catpy.lexing import Token, TokenStream
from catpy.litmus.condition import parse_location, parse_number, parse_observable, parse_term
from catpy.litmus.lexer import token_stream
from catpy.litmus.syntax import (
    Alias,
    Declaration,
    Initial,
    InitItem,
    Location,
    Observable,
    Register,
    Term,
    UnknownValue,
)
from catpy.source import Span

#: Every element is a location of its own; more would be no litmus test.
_ELEMENTS = 1024


def parse_init(span: Span) -> tuple[InitItem, ...]:
    """The items of an initial section, given with its braces. Raises TestError."""
    tokens = token_stream(span.source.span(span.start + 1, span.end - 1))
    items: list[InitItem] = []
    while tokens.peek().kind != "end":
        if tokens.accept(";"):
            continue
        items.append(_item(tokens))
        if tokens.peek().kind != "end":
            tokens.expect(";", "between the items of the initial section")
    return tuple(items)


def _item(tokens: TokenStream) -> InitItem:
    start = tokens.peek()
    if start.kind == "dotted" or (start.kind == "name" and tokens.peek(1).kind == "name"):
        if tokens.at("aliases", ahead=1):
            return _alias(tokens)
        return _declaration(tokens)
    if tokens.at("@", ahead=1):
        return _alias(tokens)
    if start.kind == "name" and tokens.at("[", ahead=1):
        return _array_or_element(tokens)
    target = parse_observable(tokens)
    if isinstance(target, Location):
        _check_name(start)
    value: Term | None = None
    if tokens.accept("="):
        value = _value(tokens, target)
    if value is None:
        if isinstance(target, Register):
            raise TestError(f"register {target} is named without a value", start.span)
        return Declaration((), str(target), None, (), start.span)
    return Initial(target, value, start.span)


def _value(tokens: TokenStream, target: Observable) -> Term:
    """A value behind `=`; a `?` alone is the unknown value of what it is given to."""
    if tokens.at("?") and tokens.peek(1).kind != "name":
        tokens.next()
        return UnknownValue(str(target))
    return parse_term(tokens, value=True)


def _check_name(token: Token) -> None:
    """Raises TestError for a variable that has the name of a register."""
    if token.text.startswith("%"):
        hint = f"write `0:{token.text}` for that of thread P0"
        raise TestError(f"`{token.text}` is a register, and of no thread", token.span, hint)


def _alias(tokens: TokenStream) -> Alias:
    start = tokens.expect_kind("name", "a location")
    _check_name(start)
    proxy = None
    if tokens.accept("@"):
        proxy = tokens.expect_kind("name", "a proxy after `@`").text
    tokens.expect("aliases", f"after `{start.text}`")
    target = tokens.expect_kind("name", "the location it is an alias of")
    return Alias(start.text, proxy, target.text, start.span.to(target.span))


def _array_or_element(tokens: TokenStream) -> InitItem:
    """`a[1] = 5` gives an element its value, `a[4]` alone declares an array."""
    start, bracket = tokens.peek(), tokens.peek(2)
    _check_name(start)
    location = parse_location(tokens)
    if tokens.at("=") and not tokens.at("{", ahead=1):
        tokens.next()
        return Initial(location, _value(tokens, location), start.span)
    _check_count(location.index, bracket)
    values = _values(tokens, location.name) if tokens.accept("=") else ()
    return Declaration((), location.name, location.index, values, start.span)


def _declaration(tokens: TokenStream) -> Declaration:
    start = tokens.peek()
    words = []
    while tokens.peek().kind == "dotted" or _is_word(tokens):
        word = tokens.next()
        words.append(word.text.removeprefix("."))
        if word.text == ".align":
            _check_alignment(tokens)
    name = tokens.expect_kind("name", "the name of a variable")
    _check_name(name)
    count = _count(tokens)
    values: tuple[Term, ...] = ()
    if tokens.accept("="):
        location = Location(name.text)
        if count is not None and not tokens.at("{"):
            raise tokens.unexpected("the values of an array, like `{1, 2}`")
        values = _values(tokens, name.text) if tokens.at("{") else (_value(tokens, location),)
    return Declaration(tuple(words), name.text, count, values, start.span.to(name.span))


def _check_alignment(tokens: TokenStream) -> None:
    """Reads the number behind `.align`; raises TestError where it is no power of two."""
    start = tokens.peek().span
    number = parse_number(tokens).value
    if number < 1 or number & (number - 1):
        raise TestError(f"an alignment is a power of two, not {number}", tokens.since(start))


def _is_word(tokens: TokenStream) -> bool:
    """A name before a name is a type or another word of the declaration."""
    following: Token = tokens.peek(1)
    return tokens.peek().kind == "name" and following.kind in ("name", "dotted")


def _count(tokens: TokenStream) -> int | None:
    if not tokens.accept("["):
        return None
    token = tokens.peek()
    count = parse_number(tokens).value
    tokens.expect("]", "after the number of elements")
    _check_count(count, token)
    return count


def _check_count(count: int | None, token: Token) -> None:
    if count is not None and count < 1:
        raise TestError("an array has at least one element", token.span)
    if count is not None and count > _ELEMENTS:
        raise TestError(f"an array has at most {_ELEMENTS} elements here", token.span)


def _values(tokens: TokenStream, name: str) -> tuple[Term, ...]:
    tokens.expect("{", "before the initial values")
    values: list[Term] = []
    while not tokens.at("}"):
        values.append(_value(tokens, Location(name, len(values))))
        if not tokens.accept(","):
            break
    tokens.expect("}", "after the initial values")
    return tuple(values)
