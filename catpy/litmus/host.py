"""What a test says of the host: the calls of its `host` block, its graphs, a call in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from catpy.errors import TestError, did_you_mean
from catpy.lexing import Token, TokenStream
from catpy.litmus.lexer import token_stream
from catpy.litmus.syntax import (
    Barrier,
    Call,
    Graph,
    Launch,
    Name,
    Query,
    Record,
    Sync,
    Wait,
)
from catpy.source import Span

#: The stream of a launch that names none.
DEFAULT_STREAM = "0"


def parse_host(
    blocks: Iterable[tuple[Span, Span]],
) -> tuple[tuple[Call, ...], tuple[Graph, ...]]:
    """The calls and the graphs of `host {…}` and `graph G {…}`, given as headers with a body.

    Raises TestError with the place of a mistake.
    """
    calls: tuple[Call, ...] | None = None
    graphs: list[Graph] = []
    for header, body in blocks:
        tokens = token_stream(header, "header")
        if tokens.next().text == "graph":
            name = _name(tokens, "the name of the graph")
            graphs.append(_graph(name, _inside(body)))
        elif calls is not None:
            hint = "calls that may be made at the same time belong to threads like `P2@host`"
            raise TestError("there is a `host` block already", header, hint)
        else:
            calls = _calls(_inside(body))
        tokens.expect_end("`{`")
    return calls or (), tuple(graphs)


def _inside(body: Span) -> TokenStream:
    """The tokens between the braces."""
    return token_stream(body.source.span(body.start + 1, body.end - 1))


def _name(tokens: TokenStream, what: str) -> Name:
    token = tokens.expect_kind("name", what)
    return Name(token.text, token.span)


# Graphs


def _graph(name: Name, tokens: TokenStream) -> Graph:
    """The graph of `K0 -> K1 -> K2; K3; …`."""
    nodes: dict[str, Name] = {}
    edges: list[tuple[Name, Name]] = []
    while tokens.peek().kind != "end":
        if tokens.accept(";"):
            continue
        node = _name(tokens, "a kernel")
        nodes.setdefault(node.text, node)
        while tokens.accept("->"):
            following = _name(tokens, "a kernel after `->`")
            nodes.setdefault(following.text, following)
            edges.append((node, following))
            node = following
        if tokens.peek().kind != "end":
            tokens.expect(";", "between the parts of a graph")
    if not nodes:
        raise TestError(f"graph `{name}` has no kernels", name.span)
    return Graph(name, tuple(nodes.values()), tuple(edges))


# Calls


def _calls(tokens: TokenStream) -> tuple[Call, ...]:
    calls: list[Call] = []
    while tokens.peek().kind != "end":
        if tokens.accept(";"):
            continue
        calls.append(_call(tokens))
        if tokens.peek().kind != "end":
            tokens.expect(";", "between the calls of the host")
    return tuple(calls)


def parse_call(span: Span) -> Call:
    """The call that a stretch of text holds. Raises TestError with the place of a mistake."""
    tokens = token_stream(span)
    call = _call(tokens)
    tokens.expect_end("the end of the call")
    return call


def _call(tokens: TokenStream) -> Call:
    verb = tokens.expect_kind("name", "a call like `launch K stream s`")
    if verb.text not in FORMS:
        hint = did_you_mean(verb.text, FORMS) or f"the calls are {', '.join(sorted(FORMS))}"
        raise TestError(f"the host has no call `{verb.text}`", verb.span, hint)
    return FORMS[verb.text].parse(tokens, verb)


def _launch(tokens: TokenStream, verb: Token) -> Launch:
    task = _name(tokens, "a kernel or graph to launch")
    stream = Name(DEFAULT_STREAM, task.span)
    if tokens.accept("stream"):
        stream = _handle(tokens, "a stream")
    return Launch(task, stream, tokens.since(verb.span))


def _record(tokens: TokenStream, verb: Token) -> Record:
    event = _name(tokens, "the event to record")
    stream = _handle(tokens, "the stream to record it in")
    return Record(event, stream, tokens.since(verb.span))


def _wait(tokens: TokenStream, verb: Token) -> Wait:
    stream = _handle(tokens, "the stream that waits")
    event = _name(tokens, "the event that it waits for")
    return Wait(stream, event, tokens.since(verb.span))


def _barrier(_tokens: TokenStream, verb: Token) -> Barrier:
    return Barrier(verb.span)


def _sync(tokens: TokenStream, verb: Token) -> Sync:
    handle = None
    if tokens.peek().kind != "end" and not tokens.at(";"):
        handle = _handle(tokens, "a stream or event")
    return Sync(handle, tokens.since(verb.span))


def _query(tokens: TokenStream, verb: Token) -> Query:
    register = _name(tokens, "a register for the answer")
    tokens.accept(",")
    handle = _handle(tokens, "a stream or event")
    return Query(register, handle, tokens.since(verb.span))


def _handle(tokens: TokenStream, what: str) -> Name:
    """A stream or event; streams may be numbers."""
    token = tokens.peek()
    if token.kind == "number":
        return Name(str(tokens.integer()), token.span)
    return _name(tokens, what)


@dataclass(frozen=True)
class Form:
    """A call of the host: what parses it; for readers its spellings, and what it does."""

    parse: Callable[[TokenStream, Token], Call]
    spellings: tuple[str, ...]
    about: str


#: The calls by their first words.
FORMS: Mapping[str, Form] = {
    "launch": Form(
        _launch,
        ("launch K", "launch K stream s"),
        "Puts a kernel or a graph into a stream, once each; without a stream, into stream `0`.",
    ),
    "record": Form(_record, ("record e s",), "Records the event `e` in a stream."),
    "wait": Form(
        _wait,
        ("wait s e",),
        "What comes later in the stream waits for the latest record of `e` made so far.",
    ),
    "barrier": Form(_barrier, ("barrier",), "A barrier across all streams."),
    "sync": Form(
        _sync,
        ("sync", "sync s", "sync e"),
        "The thread waits for all streams, for one, or for the latest record of an event.",
    ),
    "query": Form(
        _query,
        ("query d s", "query d e"),
        "In threads only: `d` is 0 where a `sync` would not wait, else 600 (`cudaErrorNotReady`).",
    ),
}

#: The first words of calls.
VERBS = frozenset(FORMS)
