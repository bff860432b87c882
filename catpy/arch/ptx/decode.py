"""From the text of a cell to an instruction: labels, guard, opcode, operands."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace

from catpy.arch.ptx.calls import call_instruction, check_on_host
from catpy.arch.ptx.instruction import (
    ADDRESSES,
    VALUES,
    AddressOperand,
    Immediate,
    Instruction,
    Operand,
    Vector,
    Word,
    words_of,
)
from catpy.arch.ptx.page_rows import operand_lists
from catpy.arch.ptx.qualifiers import PTX_ALONE, Qualified, qualified
from catpy.arch.ptx.shape import items_of, shape_of
from catpy.arch.ptx.words import FLOATING_TYPES, TYPES, Mode
from catpy.errors import TestError, did_you_mean
from catpy.lexing import Lexer, Token, TokenStream
from catpy.litmus.host import VERBS
from catpy.source import Span

#: More registers than any thread has.
_MOST_REGISTERS = 1 << 16


@functools.cache
def _lexer() -> Lexer:
    return Lexer(
        {
            "number": r"0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}"
            r"|[0-9]+U?(?![\w])",
            "word": r"(?a:(?:%|\.)?[$A-Za-z_][\w$]*(?:(?:::|\.)[\w$]+)*)",
            "symbol": r"[@!,+\-\[\]{}<>:()|]",
        },
        error=TestError,
    )


def decode(cell: Span, dialect: str, on_host: bool = False) -> Instruction:
    """The instruction of a cell. Raises TestError with the place of what PTX does not have.

    In a thread of the host it may be a call of the CUDA API.
    """
    tokens = _tokens(cell)
    labels = []
    while tokens.peek().kind == "word" and tokens.at(":", ahead=1):
        labels.append(tokens.next().text)
        tokens.next()
    if tokens.peek().kind == "end" or tokens.peek().text == ".reg":
        named, plain, declared = tuple(labels), Mode(frozenset()), tuple(_declared(tokens))
        return Instruction(named, None, None, plain, None, {}, "", (), cell, declared=declared)
    guard = _guard(tokens)
    if on_host and tokens.peek().text in VERBS:
        return call_instruction(tuple(labels), guard, tokens.peek().span.to(cell), cell)
    opcode = tokens.expect_kind("word", "an instruction")
    found = qualified(opcode, dialect)
    operands = _without_policy(found, _operands(tokens))
    letters = _letters(found, operands, opcode)
    if on_host:
        check_on_host(found, opcode)
    instruction = Instruction(
        tuple(labels),
        guard,
        found.row,
        found.mode,
        found.scope,
        found.qualifiers,
        letters,
        operands,
        cell,
    )
    _check_vectors(instruction)
    return instruction


#: What is in C++ or in inline assembly and in no instruction, with what to do about it.
_FOREIGN = (
    (r"[^\x00-\x7f]", "names and signs of PTX are ASCII"),
    (r"%\d", "`%0` is an operand of inline assembly: write what it stands for"),
    (r"[=*&/^]", PTX_ALONE),
    (r'"', "inline assembly stands here without `asm` and quotes"),
    (r"\.\d", "a floating-point number is written as its bits, `0f3F800000` for 1.0"),
)
_NO_DIRECTIVES = "write the instructions of the kernel alone, without directives"


def _tokens(cell: Span) -> TokenStream:
    """The tokens of a cell. Raises TestError at a character that no instruction has."""
    try:
        return TokenStream(_lexer().tokens(cell, "instruction"), TestError)
    except TestError as problem:
        if problem.span is not None:
            rest = cell.text[problem.span.start - cell.start :]
            hints = (hint for pattern, hint in _FOREIGN if re.match(pattern, rest))
            is_directive = cell.text.startswith(".")
            problem.hint = _NO_DIRECTIVES if is_directive else next(hints, None)
        raise


#: What registers are declared as.
_REGISTER_TYPES = frozenset({*TYPES, *FLOATING_TYPES, "pred", "b128"})


def _declared(tokens: TokenStream) -> Iterator[str]:
    """The registers of `.reg .pred p, q` and `.reg .b32 %r<3>`, which has 3 of them.

    Registers have no types here: that is read, and nothing kept of it.
    """
    if not tokens.accept(".reg"):
        return
    kind = tokens.expect_kind("word", "the type of the registers, like `.u32`")
    if kind.text.removeprefix(".") not in _REGISTER_TYPES or not kind.text.startswith("."):
        hint = did_you_mean(kind.text, [f".{word}" for word in _REGISTER_TYPES])
        raise TestError(f"`{kind.text}` is no type of registers", kind.span, hint)
    while True:
        name = tokens.expect_kind("word", "the name of a register")
        if "." in name.text:
            raise TestError(f"`{name.text}` is no name of a register", name.span)
        if tokens.accept("<"):
            if tokens.peek().kind != "number":
                raise tokens.unexpected("how many registers there are")
            count = min(tokens.integer(), _MOST_REGISTERS)
            tokens.expect(">", "behind the number of registers")
            yield from (f"{name.text}{number}" for number in range(count))
        else:
            yield name.text
        if not tokens.accept(","):
            break
    tokens.expect_end("`,` or the end of the declaration")


def _guard(tokens: TokenStream) -> Word | None:
    if not tokens.accept("@"):
        return None
    negated = tokens.accept("!") is not None
    register = tokens.expect_kind("word", "a predicate register after `@`")
    return Word(register.text, negated, register.span)


# Operands


def _operands(tokens: TokenStream) -> tuple[Operand, ...]:
    operands: list[Operand] = []
    if tokens.peek().kind != "end":
        operands.append(_operand(tokens))
        while tokens.accept(","):
            operands.append(_operand(tokens))
    if tokens.peek().kind != "end":
        hint = "an instruction ends in `;`" if tokens.is_behind_a_line_end() else None
        raise tokens.unexpected("`,` or the end of the instruction", hint)
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
        base = tokens.next()
        if tokens.at("[") and tokens.peek(1).kind == "word":
            tokens.next()
            raise tokens.unexpected("a number as index, or a `,` before an address")
        return _address_of(tokens, base)
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


def _without_policy(found: Qualified, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """The operands without the cache policy, which `.L2::cache_hint` puts behind them."""
    if not found.word("policy") or len(operands) - 1 not in map(len, found.lists):
        return operands
    *others, policy = operands
    _check_operand("v", policy)
    return tuple(others)


def _letters(found: Qualified, operands: tuple[Operand, ...], opcode: Token) -> str:
    """The list of operands that fits; raises TestError where none does."""
    fitting = [letters for letters in found.lists if len(letters) == len(operands)]
    if not fitting:
        counts = sorted({len(letters) for letters in found.lists})
        wanted = "1 operand" if counts == [1] else f"{' or '.join(map(str, counts))} operands"
        message = f"`{opcode.text}` takes {wanted}, found {len(operands)}"
        forms = operand_lists(found.row, found.lists)
        # The other dialect names the instance of a barrier.
        forms = [form for form in forms if form and "instance" not in form]
        hint = " or ".join(f"`{opcode.text} {form}`" for form in forms)
        raise TestError(message, opcode.span, f"write {hint}" if hint else None)
    (letters, *_) = fitting
    of_predicates = found.word("type") == "pred"
    for letter, operand in zip(letters, operands, strict=True):
        if of_predicates and letter in "vV" and not isinstance(operand, Vector):
            letter = "p"
        try:
            _check_operand(letter, operand)
        except TestError as problem:
            (form, *_) = operand_lists(found.row, [letters])
            problem.hint = problem.hint or f"write `{opcode.text} {form}`"
            raise
    return letters


def _check_operand(letter: str, operand: Operand) -> None:
    """Raises TestError where an operand is not what its letter in a row asks for."""
    if isinstance(operand, Vector):
        _check_vector(letter, operand)
        return
    if letter not in "dDs" and (_is_sink(operand) or any(map(_is_sink, words_of(operand)))):
        raise TestError("`_` is a destination only", operand.span)
    if letter not in "dDlp" and _is_negated(operand):
        raise TestError("only a predicate can have a `!`", operand.span)
    if letter in "dD" and not _is_register(operand):
        raise TestError("expected a destination register", operand.span)
    if letter == "s" and not (isinstance(operand, Word) and operand.name == "_"):
        raise TestError("this gives no state: write `_` in its place", operand.span)
    if letter == "l" and not _is_name(operand):
        raise TestError("expected a label", operand.span)
    if letter == "n" and not (isinstance(operand, Immediate) and operand.value >= 0):
        hint = "write it as a number: registers are not looked into here"
        raise TestError("expected a number, 0 or more", operand.span, hint)
    if letter == "z" and isinstance(operand, Immediate) and operand.value < 0:
        raise TestError("expected a number of bytes, 0 or more", operand.span)
    _check_place(letter, operand)


def _check_place(letter: str, operand: Word | Immediate | AddressOperand) -> None:
    """Raises TestError where brackets or coordinates are there and should not, or are not."""
    if letter in ADDRESSES and isinstance(operand, Immediate):
        raise TestError("expected an address like `[x]`", operand.span)
    coordinates = isinstance(operand, AddressOperand) and operand.coordinates
    if letter == "T" and not coordinates:
        raise TestError("expected a place in a tensor, like `[map, {0}]`", operand.span)
    if isinstance(operand, AddressOperand):
        if letter in VALUES and operand.bracketed:
            raise TestError("expected a value, found an address in brackets", operand.span)
        if letter not in "tT" and coordinates:
            raise TestError("coordinates are for places in a tensor", operand.span)


def _check_vectors(instruction: Instruction) -> None:
    """Raises TestError for vectors that have not the elements that the qualifiers say."""
    for letter, operand in instruction.lettered():
        if letter in "DV" and instruction.row and "vector" in instruction.row.classes:
            items_of(operand, shape_of(instruction))


def _check_vector(letter: str, vector: Vector) -> None:
    if letter not in "DV":
        raise TestError("this is no place for a vector", vector.span)
    if letter == "D" and not all(map(_is_register, vector.items)):
        raise TestError("expected destination registers", vector.span)
    if letter == "V":
        for item in vector.items:
            _check_operand("v", item)
    names = [word.name for word in words_of(vector) if word.name != "_"]
    if letter == "D" and len(set(names)) < len(names):
        raise TestError("a register is there twice", vector.span)


def _is_sink(operand: Operand) -> bool:
    match operand:
        case Word(name) | AddressOperand(name):
            return name == "_"
    return False


def _is_name(operand: Operand) -> bool:
    return isinstance(operand, Word) and not operand.negated


def _is_register(operand: Operand) -> bool:
    return isinstance(operand, Word) and _is_name(operand) and "." not in operand.name.lstrip("%")


def _is_negated(operand: Operand) -> bool:
    return isinstance(operand, Word) and operand.negated
