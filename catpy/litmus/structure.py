"""The outer structure of a test file, by pyparsing: which stretch of text is which part."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Any

import pyparsing as pp

from catpy.errors import TestError
from catpy.source import Source, Span


@dataclass(frozen=True)
class Outline:
    """The stretches of a test file.

    `columns` are rows of cells, `blocks` headers with a body, `host` those of `host` and `graph G`.
    """

    arch: Span
    name: Span
    doc: str
    init: Span | None
    host: list[tuple[Span, Span]] = field(default_factory=list)
    columns: list[list[Span]] = field(default_factory=list)
    blocks: list[tuple[Span, Span]] = field(default_factory=list)
    locations: Span | None = None
    filter: Span | None = None
    quantifier: Span | None = None
    condition: Span | None = None


_TAIL = r"locations\b|filter\b|exists\b|(?:~|not)\s*exists\b|forall\b"
_HOST = r"(?:host|graph)\b[^{}|;]*(?=\{)"


#: What a file of PTX has around the instructions of a kernel.
_MODULE = re.compile(r"^\s*(\.(?:version|target|address_size|visible|entry|func)\b)", re.MULTILINE)


def _braced(depth: int) -> str:
    """Braces with as many levels of others in them."""
    inner = rf"|{_braced(depth - 1)}" if depth else ""
    return rf"\{{(?:[^{{}}]{inner})*\}}"


#: Blocks in blocks, and vectors in those.
_BRACED = _braced(6)


def _piece(pattern: str, what: str) -> pp.ParserElement:
    """A regular expression that gives its place and its text."""

    def place(_text: str, loc: int, tokens: pp.ParseResults) -> list[tuple[int, str]]:
        return [(loc, tokens[0])]

    return pp.Regex(pattern).set_parse_action(place).set_name(what)


@functools.cache
def _grammar() -> pp.ParserElement:
    quantifier = _piece(
        r"exists\b|(?:~|not)\s*exists\b|forall\b", "`exists`, `~exists` or `forall`"
    )
    # herd's files may carry lines `Key=value` before the initial section.
    note = pp.Regex(r"[A-Za-z]\w*\s*=[^\n{]*\n").suppress()
    # A cell does not run on into what follows the threads, where the `;` of its row is missing.
    cell = _piece(rf"(?:[^|;\n]|\n(?!\s*(?:{_TAIL})))*", "an instruction")
    cells = pp.Group(cell + pp.ZeroOrMore(pp.Suppress("|") + cell))
    row = ~pp.Regex(rf"{_TAIL}|{_HOST}|\{{") + cells + pp.Suppress(";")
    host = pp.Group(_piece(_HOST, "`host` or `graph G`") + _piece(_BRACED, "`{ … }`"))
    block = pp.Group(_piece(r"P\d+[^{}|;]*(?=\{)", "a thread") + _piece(_BRACED, "`{ … }`"))
    locations = pp.Regex(r"locations\b").suppress() - _piece(
        r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]", "`[ … ]` after `locations`"
    )
    filtered = pp.Regex(r"filter\b").suppress() - _piece(
        r"(?:(?!exists\b|~\s*exists\b|not\s+exists\b|forall\b)[\s\S])+", "a condition"
    )
    body = pp.OneOrMore(block)("blocks") | pp.ZeroOrMore(row)("columns")
    return (
        _piece(r"[A-Za-z]\w*", "the architecture (`PTX`) and a name")("arch")
        + _piece(r"[^\s{}\"|;]+", "the name of the test")("name")
        + pp.ZeroOrMore(pp.Regex(r'"[^"]*"') | note)("doc")
        + pp.Optional(_piece(_BRACED, "`{ … }`")("init"))
        + pp.ZeroOrMore(host)("host")
        + body
        + pp.Optional(locations("locations"))
        + pp.Optional(filtered("filter"))
        + pp.Optional(quantifier("quantifier") - _piece(r"\S[\s\S]*", "a condition")("condition"))
        + pp.StringEnd().set_name("a row that ends in `;`, `exists`, `~exists` or `forall`")
    ).parse_with_tabs()


def outline(source: Source) -> Outline:
    """The parts of a test file whose comments are blanked. Raises TestError with the place."""
    _check_braces(source)
    try:
        found = _grammar().parse_string(source.text)
    except pp.ParseBaseException as problem:
        raise _syntax_error(source, problem) from None

    def span(piece: tuple[int, str]) -> Span:
        start, text = piece
        start += len(text) - len(text.lstrip())
        return source.span(start, start + len(text.strip()))

    def part(name: str) -> Any:
        return found.get(name, [])  # type: ignore[no-untyped-call]

    def optional(name: str) -> Span | None:
        piece = part(name)
        if not piece:
            return None
        return span(piece if isinstance(piece, tuple) else piece[0])

    return Outline(
        arch=span(found.arch),
        name=span(found.name),
        doc=" ".join(text.strip('"').strip() for text in part("doc")),
        init=optional("init"),
        host=[(span(header), span(text)) for header, text in part("host")],
        columns=[[span(cell) for cell in row] for row in part("columns")],
        blocks=[(span(header), span(text)) for header, text in part("blocks")],
        locations=optional("locations"),
        filter=optional("filter"),
        quantifier=optional("quantifier"),
        condition=optional("condition"),
    )


def _syntax_error(source: Source, problem: pp.ParseBaseException) -> TestError:
    start, expected = problem.loc, problem.msg[:1].lower() + problem.msg[1:]
    # Other characters that look like blanks are what is wrong.
    while start < len(source.text) and source.text[start] in " \t\r\n":
        start += 1
    if start >= len(source.text):
        start = len(source.text.rstrip())
        return TestError(f"{expected}, found the end of the file", source.span(start, start + 1))
    if late := re.compile(_HOST).match(source.text, start):
        message = "`host` and `graph` blocks stand between the initial section and the threads"
        return TestError(message, source.span(start, late.end()))
    if module := _MODULE.search(source.text):
        message = "a test has no modules and entries, but threads with the instructions of a kernel"
        hint = "write `P0@cta 0 { … }` around those"
        raise TestError(message, source.span(*module.span(1)), hint)
    word = re.compile(r"\w{1,60}|.").match(source.text, start)
    end = word.end() if word else start + 1
    is_comment = source.text.startswith(("#", "--"), start)
    comments = "comments are `//`, `/* */` and `(* *)`" if is_comment else None
    message = f"{expected}, found `{source.text[start:end]}`"
    return TestError(message, source.span(start, end), comments)


def _check_braces(source: Source) -> None:
    """Raises TestError at a brace without its partner (quoted texts aside)."""
    opened: list[int] = []
    for found in re.finditer(r'"[^"]*"|[{}]', source.text):
        if found.group() == "{":
            opened.append(found.start())
        elif found.group() == "}":
            if not opened:
                raise TestError("this `}` closes nothing", source.span(*found.span()))
            opened.pop()
    if opened:
        raise TestError("this `{` is not closed", source.span(opened[0], opened[0] + 1))
