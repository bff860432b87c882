"""Puts the parts of a test file together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from catpy.errors import TestError
from catpy.lexing import TokenStream
from catpy.litmus.condition import parse_condition, parse_observable
from catpy.litmus.host import parse_host
from catpy.litmus.init import parse_init
from catpy.litmus.lexer import token_stream, without_comments
from catpy.litmus.structure import Outline, outline
from catpy.litmus.syntax import Condition, LitmusTest, Observable, Thread, Truth
from catpy.source import Source, Span


def parse_test(source: Source) -> LitmusTest:
    """The test a text holds. Raises TestError with the place of the first mistake."""
    if not source.text.strip():
        raise TestError("this file is empty", source.span(0, 1))
    try:
        return _parse(source)
    except RecursionError:
        raise TestError("this test is nested too deeply", source.span(0, 1)) from None


def _parse(source: Source) -> LitmusTest:
    parts = outline(without_comments(source))
    quantifier, condition = _final(parts)
    threads = _columns(parts.columns) if parts.columns else _blocks(parts.blocks)
    if not threads:
        raise TestError("this test has no threads", parts.name)
    _check_numbers(threads)
    host, graphs = parse_host(parts.host)
    return LitmusTest(
        name=parts.name.text,
        arch=parts.arch.text,
        arch_span=parts.arch,
        doc=parts.doc,
        source=source,
        init=parse_init(parts.init) if parts.init else (),
        threads=tuple(threads),
        locations=_locations(parts.locations) if parts.locations else (),
        filter=parse_condition(parts.filter) if parts.filter else None,
        quantifier=quantifier,
        condition=condition,
        has_condition=parts.condition is not None,
        host=host,
        graphs=graphs,
    )


def _final(parts: Outline) -> tuple[str, Condition]:
    if parts.quantifier is None or parts.condition is None:
        return "forall", Truth(True)
    quantifier = re.sub(r"(~|not)\s*exists", "~exists", parts.quantifier.text)
    return quantifier, parse_condition(parts.condition)


#: What is missed where two rows are read as one.
_ROW_ENDS = "a row of the columns ends in `;`"


def _columns(rows: list[list[Span]]) -> list[Thread]:
    headers, *body = rows
    for row in body:
        if len(row) != len(headers):
            word = "column" if len(row) == 1 else "columns"
            message = f"this row has {len(row)} {word}, the first one has {len(headers)}"
            whole = row[0].to(row[-1])
            raise TestError(message, whole, _ROW_ENDS if "\n" in whole.text else None)
    threads = []
    for column, header in enumerate(headers):
        cells = tuple(row[column] for row in body if row[column].text)
        threads.append(_thread(header, cells))
    return threads


def _blocks(blocks: list[tuple[Span, Span]]) -> list[Thread]:
    threads = []
    for header, body in blocks:
        found = list(_instructions(body))
        thread = _thread(header, tuple(cell for cell, _ in found))
        if any(scope for _, scope in found):
            thread = replace(thread, scopes=tuple(scope for _, scope in found))
        threads.append(thread)
    return threads


#: What stands between instructions, but for braces: directives of compilers say nothing here.
_BETWEEN = re.compile(r'(?:[\s;]|\.(?:loc|file)\b[^\n]*|\.pragma\s*"[^"]*"\s*;)*')
#: An instruction, in which braces are those of vectors; before a block, labels alone.
_INSTRUCTION = re.compile(r"[$A-Za-z_][\w$]*\s*:\s*(?=\{)|(?:[^;{}]|\{[^{}]*\})+")


def _instructions(body: Span) -> Iterator[tuple[Span, tuple[int, ...]]]:
    """The instruction texts of a block, given with its braces, each with the blocks it is in."""
    text, last = body.text, len(body.text) - 1
    scopes: list[int] = []
    opened, at = 0, 1
    while True:
        between = _BETWEEN.match(text, at, last)
        at = between.end() if between else at
        if at >= last:
            return
        if text[at] == "{":
            opened += 1
            scopes.append(opened)
            at += 1
        elif text[at] == "}":
            scopes.pop()
            at += 1
        else:
            found = _INSTRUCTION.match(text, at, last)
            assert found is not None
            start = body.start + at
            yield body.source.span(start, start + len(found.group().rstrip())), tuple(scopes)
            at = found.end()


def _thread(header: Span, cells: tuple[Span, ...]) -> Thread:
    """A thread of its header, `P0` or `P0@cta 0,gpu 0`."""
    tokens = token_stream(header, "header")
    name = tokens.peek()
    number = name.text.removeprefix("P")
    if name.kind != "name" or not number.isdigit():
        is_in_first_line = header.source.position(header.start)[0] == 1
        hint = "the name of a test has no blanks" if is_in_first_line else None
        raise TestError("expected a thread like `P0` or `P0@cta 0,gpu 0`", name.span, hint)
    tokens.next()
    thread = Thread(int(number), (), cells, header)
    if tokens.accept("@"):
        thread = _placed(thread, tokens)
    if tokens.peek().kind != "end":
        hint = _ROW_ENDS if "\n" in header.text else None
        raise tokens.unexpected("`,` or the end of the header", hint)
    return thread


def _placed(thread: Thread, tokens: TokenStream) -> Thread:
    """The thread with what stands behind the `@` of its header: levels with their units."""
    placement: list[tuple[str, int]] = []
    while True:
        level = tokens.expect_kind("name", "a level like `cta`")
        if level.text == "host":
            if thread.is_host:
                raise TestError("a level is given twice", level.span)
            thread = replace(thread, is_host=True)
        elif level.text == "kernel":
            if thread.kernel is not None:
                raise TestError("a thread is one of a single kernel", level.span)
            kernel = tokens.expect_kind("name", "the name of the kernel")
            thread = replace(thread, kernel=kernel.text)
        elif tokens.peek().kind != "number":
            hint = "as in `P0@cta 0,gpu 0`; threads of the host are `P0@host`"
            raise tokens.unexpected(f"the number of the {level.text}", hint)
        else:
            placement.append((level.text, tokens.integer()))
        if not tokens.accept(","):
            return replace(thread, placement=tuple(placement))


def _check_numbers(threads: list[Thread]) -> None:
    seen: set[int] = set()
    for thread in threads:
        if thread.number in seen:
            raise TestError(f"thread P{thread.number} is there twice", thread.span)
        seen.add(thread.number)


def _locations(span: Span) -> tuple[tuple[Observable, Span], ...]:
    tokens = token_stream(span)
    tokens.next()
    found = []
    while not tokens.at("]"):
        start = tokens.peek().span
        found.append((parse_observable(tokens), start))
        if not tokens.accept(";", ","):
            break
    tokens.expect("]", "after the locations")
    return tuple(found)
