"""From the text of a cell to an instruction: labels, guard, row, qualifiers, operands."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from catpy.arch.ptx.calls import call_instruction, check_on_host
from catpy.arch.ptx.instruction import (
    AddressOperand,
    Immediate,
    Instruction,
    Operand,
    Row,
    Vector,
    Word,
)
from catpy.arch.ptx.table import DIALECT_WORDS, NOT_MODELLED, build_table
from catpy.arch.ptx.words import CACHE_HINTS, SCOPE_TAGS, SEMANTICS, SPACES, TYPES, Mode
from catpy.errors import TestError, did_you_mean
from catpy.lexing import Lexer, Token, TokenStream
from catpy.litmus.host import VERBS
from catpy.source import Span


@functools.cache
def _lexer() -> Lexer:
    return Lexer(
        {
            "number": r"0[xX][0-9a-fA-F]+U?|[0-9]+U?(?![\w])",
            "word": r"[%$A-Za-z_.][\w$]*(?:(?:::|\.)[\w$]+)*",
            "symbol": r"[@!,+\-\[\]{}<>:()|]",
        },
        error=TestError,
    )


_table = functools.cache(build_table)


def decode(cell: Span, dialect: str, on_host: bool = False) -> Instruction:
    """The instruction of a cell. Raises TestError with the place of what PTX does not have.

    In a thread of the host it may be a call of the CUDA API.
    """
    tokens = TokenStream(_lexer().tokens(cell), TestError)
    labels = []
    while tokens.peek().kind == "word" and tokens.at(":", ahead=1):
        labels.append(tokens.next().text)
        tokens.next()
    if tokens.peek().kind == "end" or tokens.peek().text == ".reg":
        return Instruction(tuple(labels), None, None, Mode(frozenset()), None, {}, (), cell)
    guard = _guard(tokens)
    if on_host and tokens.peek().text in VERBS:
        return call_instruction(tuple(labels), guard, tokens.peek().span.to(cell), cell)
    opcode = tokens.expect_kind("word", "an instruction")
    row, words = _row(opcode)
    mode, scope, qualifiers = _qualifiers(row, words, opcode, dialect)
    operands = _operands(tokens)
    _check_operands(row, operands, opcode)
    if on_host:
        check_on_host(row, qualifiers, opcode.span)
    return Instruction(tuple(labels), guard, row, mode, scope, qualifiers, operands, cell)


def _guard(tokens: TokenStream) -> Word | None:
    if not tokens.accept("@"):
        return None
    negated = tokens.accept("!") is not None
    register = tokens.expect_kind("word", "a predicate register after `@`")
    return Word(register.text, negated, register.span)


# Opcode and qualifiers


def _row(opcode: Token) -> tuple[Row, list[Token]]:
    """The row of an opcode, and the qualifiers that are not part of its name."""
    first, *others = _parts(opcode)
    for name in _spellings(first.text, others):
        if name in NOT_MODELLED:
            message = f"`{name}` is not modelled: {NOT_MODELLED[name]}"
            raise TestError(message, opcode.span)
    rows = _table().get(first.text, [])
    for row in rows:
        verbs = row.opcode.split(".")[1:]
        if all(verb in [part.text for part in others] for verb in verbs):
            rest = list(others)
            for verb in verbs:
                rest.remove(next(part for part in rest if part.text == verb))
            if {part.text for part in rest} & _other_verbs(row, rows):
                raise _no_form(opcode, first, rows)
            return row, rest
    if rows:
        raise _no_form(opcode, first, rows)
    hint = _near_opcode(first.text)
    if first.text in VERBS:
        hint = "calls of the host stand in `host { … }` or in a thread like `P2@host`"
    raise TestError(f"unknown instruction `{first.text}`", first.span, hint)


def _other_verbs(row: Row, rows: Sequence[Row]) -> set[str]:
    """The words that only the names of other forms have: `barrier.sync` takes no `.cluster`."""
    own = {*row.opcode.split(".")}.union(
        *row.classes.values(), *(mode.words.union(mode.scopes) for mode in row.modes)
    )
    return {verb for other in rows for verb in other.opcode.split(".")} - own


def _no_form(opcode: Token, first: Token, rows: Sequence[Row]) -> TestError:
    forms = ", ".join(f"`{row.opcode}`" for row in rows)
    return TestError(f"`{opcode.text}` is no form of `{first.text}`: {forms}", opcode.span)


def _spellings(first: str, others: Sequence[Token]) -> list[str]:
    """The first word alone, and with each of the others."""
    return [first, *(f"{first}.{part.text}" for part in others)]


def _near_opcode(word: str) -> str | None:
    return did_you_mean(word, [*_table(), *NOT_MODELLED])


def _parts(opcode: Token) -> list[Token]:
    """The dotted parts of an opcode, each with its place."""
    parts, at = [], opcode.span.start
    for text in opcode.text.split("."):
        parts.append(Token("word", text, opcode.span.source.span(at, at + len(text))))
        at += len(text) + 1
    return parts


def _qualifiers(
    row: Row, words: Sequence[Token], opcode: Token, dialect: str
) -> tuple[Mode, str | None, dict[str, str]]:
    semantics: list[Token] = []
    scope: Token | None = None
    qualifiers: dict[str, str] = {}
    takes_scope = any(mode.scopes for mode in row.modes)
    for word in words:
        kind = next(
            (
                k
                for k, allowed in row.classes.items()
                if word.text in allowed and k not in qualifiers
            ),
            None,
        )
        if DIALECT_WORDS.get(word.text, dialect) != dialect:
            raise TestError(f"PTX has no `.{word.text}` here", word.span)
        if kind is not None:
            qualifiers[kind] = word.text
        elif word.text in SEMANTICS and any(mode.words for mode in row.modes):
            if any(other.text == word.text for other in semantics):
                raise TestError(f"`.{word.text}` is there twice", word.span)
            semantics.append(word)
        elif word.text in SCOPE_TAGS and takes_scope and scope is None:
            scope = word
        else:
            raise _refused(row, word)
    for kind in row.required:
        if kind not in qualifiers:
            choices = ", ".join(f".{name}" for name in row.classes[kind])
            raise TestError(f"`{opcode.text}` lacks its {kind}: {choices}", opcode.span)
    mode = _mode(row, semantics, opcode, dialect)
    return mode, _scope(mode, scope, opcode), qualifiers


def _refused(row: Row, word: Token) -> TestError:
    known = [*SEMANTICS, *SCOPE_TAGS, *SPACES, *TYPES, *CACHE_HINTS]
    for names in row.classes.values():
        known += names
    if word.text in known:
        return TestError(f"`{row.opcode}` does not take `.{word.text}` here", word.span)
    hint = did_you_mean(word.text, known)
    return TestError(f"unknown qualifier `.{word.text}` of `{row.opcode}`", word.span, hint)


def _mode(row: Row, semantics: list[Token], opcode: Token, dialect: str) -> Mode:
    words = frozenset(token.text for token in semantics)
    for mode in row.modes:
        if mode.words == words and mode.dialect in (None, dialect):
            return mode
    forms = sorted(
        "".join(f".{word}" for word in SEMANTICS[::-1] if word in mode.words)
        for mode in row.modes
        if mode.words and mode.dialect is None
    )
    written = "".join(f".{token.text}" for token in semantics) or "without semantics"
    span = semantics[0].span.to(semantics[-1].span) if semantics else opcode.span
    message = f"there is no `{row.opcode}{written}`"
    raise TestError(message, span, f"`{row.opcode}` takes {', '.join(forms) or 'none'}")


def _scope(mode: Mode, scope: Token | None, opcode: Token) -> str | None:
    if scope is None:
        if mode.fixed_scope:
            return SCOPE_TAGS[mode.fixed_scope]
        if mode.scopes and mode.default is None:
            choices = ", ".join(f".{name}" for name in mode.scopes)
            raise TestError(f"`{opcode.text}` lacks its scope: {choices}", opcode.span)
        return SCOPE_TAGS[mode.default] if mode.default else None
    if scope.text in mode.scopes:
        return SCOPE_TAGS[scope.text]
    if not mode.scopes:
        raise TestError(f"`{opcode.text}` takes no scope", scope.span)
    choices = ", ".join(f".{name}" for name in mode.scopes)
    message = f"`{opcode.text}` has no scope `.{scope.text}` here, only {choices}"
    raise TestError(message, scope.span)


# Operands


def _operands(tokens: TokenStream) -> tuple[Operand, ...]:
    operands: list[Operand] = []
    if tokens.peek().kind != "end":
        operands.append(_operand(tokens))
        while tokens.accept(","):
            operands.append(_operand(tokens))
    tokens.expect_end("`,` or the end of the instruction")
    return tuple(operands)


def _operand(tokens: TokenStream) -> Operand:
    token = tokens.peek()
    if tokens.at("{"):
        return _vector(tokens)
    if tokens.accept("["):
        base = tokens.expect_kind("word", "a location or register")
        operand = _address_of(tokens, base)
        coordinates = _vector(tokens).items if tokens.accept(",") else ()
        end = tokens.expect("]", "after the address")
        span = token.span.to(end.span)
        return replace(operand, bracketed=True, span=span, coordinates=coordinates)
    if token.kind == "word" and tokens.at("[", "+", ahead=1):
        return _address_of(tokens, tokens.next())
    return _scalar(tokens)


def _scalar(tokens: TokenStream) -> Word | Immediate:
    token = tokens.peek()
    if token.kind == "number" or tokens.at("-"):
        return Immediate(tokens.integer(), token.span)
    negated = tokens.accept("!") is not None
    word = tokens.expect_kind("word", "an operand")
    return Word(word.text, negated, token.span.to(word.span))


def _vector(tokens: TokenStream) -> Vector:
    """`{a, b}`."""
    start = tokens.expect("{", "before the elements of a vector")
    items = [_scalar(tokens)]
    while tokens.accept(","):
        items.append(_scalar(tokens))
    end = tokens.expect("}", "after the elements of a vector")
    return Vector(tuple(items), start.span.to(end.span))


def _address_of(tokens: TokenStream, base: Token) -> AddressOperand:
    """`base`, `base+4`, `base-4`, `base[1]`."""
    if tokens.accept("["):
        index = tokens.integer()
        end = tokens.expect("]", "after the index")
        return AddressOperand(base.text, 0, index, False, base.span.to(end.span))
    offset, span = 0, base.span
    if tokens.at("+", "-"):
        sign = -1 if tokens.next().text == "-" else 1
        span = span.to(tokens.peek().span)
        offset = sign * tokens.integer()
    return AddressOperand(base.text, offset, None, False, span)


def _check_operands(row: Row, operands: tuple[Operand, ...], opcode: Token) -> None:
    letters = next((shape for shape in row.operands if len(shape) == len(operands)), None)
    if letters is None:
        counts = sorted({len(shape) for shape in row.operands})
        wanted = " or ".join(map(str, counts))
        message = f"`{opcode.text}` takes {wanted} operands, found {len(operands)}"
        raise TestError(message, opcode.span)
    for letter, operand in zip(letters, operands, strict=True):
        _check_operand(letter, operand)


def _check_operand(letter: str, operand: Operand) -> None:
    """Raises TestError where an operand is not what its letter in a row asks for."""
    if isinstance(operand, Vector) and letter not in "DV":
        raise TestError("this is no place for a vector", operand.span)
    if letter == "D" and isinstance(operand, Vector):
        if not all(isinstance(item, Word) for item in operand.items):
            raise TestError("expected destination registers", operand.span)
    elif letter in "dD" and not isinstance(operand, Word):
        raise TestError("expected a destination register", operand.span)
    if letter == "l" and not isinstance(operand, Word):
        raise TestError("expected a label", operand.span)
    if letter in "at" and isinstance(operand, Immediate):
        raise TestError("expected an address like `[x]`", operand.span)
    if isinstance(operand, AddressOperand):
        if letter in "vV" and operand.bracketed:
            raise TestError("expected a value, found an address in brackets", operand.span)
        if letter != "t" and operand.coordinates:
            raise TestError("coordinates are for places in a tensor", operand.span)
