"""The host in a test file: blocks, graphs, threads of kernels and of the host, mistakes."""

from __future__ import annotations

import pytest

from catpy.litmus.host import VERBS, parse_call
from catpy.litmus.syntax import Barrier, Launch, Query, Record, Sync, Wait
from catpy.source import Source
from tests.litmus.helpers import fails, parse

COLUMNS = " P0@kernel K0,cta 1,gpu 0 | P1@host ;\n nop | launch K0 ;\n"
BLOCKS = "P0@kernel K0,cta 1,gpu 0 { nop; }\nP1@host { launch K0; }\n"


def call(text: str) -> object:
    return parse_call(Source("t", text).span(0, len(text)))


@pytest.mark.parametrize("threads", [COLUMNS, BLOCKS])
def test_blocks_stand_before_the_threads(threads: str) -> None:
    test = parse(f"PTX t\n{{ x=0; }}\ngraph G {{ A -> B; }}\nhost {{ launch G; sync; }}\n{threads}")
    assert list(map(str, test.host)) == ["launch G stream 0", "sync"]
    assert [str(graph.name) for graph in test.graphs] == ["G"]
    assert [(t.kernel, t.is_host, t.placement) for t in test.threads] == [
        ("K0", False, (("cta", 1), ("gpu", 0))),
        (None, True, ()),
    ]
    assert [cell.text for cell in test.threads[1].cells] == ["launch K0"]


def test_blocks_need_no_initial_section() -> None:
    test = parse(f"PTX t\nhost {{\n  launch K0 stream s\n}}\n{COLUMNS}")
    assert (test.init, len(test.host)) == ((), 1)


def test_there_need_be_no_host() -> None:
    test = parse("PTX t\n{ }\n P0 ;\n nop ;\n")
    assert (test.host, test.graphs) == ((), ())
    assert (test.threads[0].kernel, test.threads[0].is_host) == (None, False)


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("launch K stream s", Launch, "launch K stream s"),
        ("launch K", Launch, "launch K stream 0"),
        ("launch K stream 2", Launch, "launch K stream 2"),
        ("record e s", Record, "record e s"),
        ("wait s e", Wait, "wait s e"),
        ("barrier", Barrier, "barrier"),
        ("sync s", Sync, "sync s"),
        ("sync 0", Sync, "sync 0"),
        ("sync", Sync, "sync"),
        ("query r0 s", Query, "query r0 s"),
        ("query %r0, s", Query, "query %r0 s"),
    ],
)
def test_calls(text: str, kind: type, shown: str) -> None:
    found = call(text)
    assert isinstance(found, kind)
    assert str(found) == shown
    assert call(shown) == found


def test_there_is_no_other_call() -> None:
    assert sorted(VERBS) == ["barrier", "launch", "query", "record", "sync", "wait"]


def test_graphs() -> None:
    text = "graph G { A -> B -> C; A->D; E; ; }\ngraph H { F }\n"
    first, second = parse(f"PTX t\n{{ }}\n{text}{COLUMNS}").graphs
    assert list(map(str, first.nodes)) == ["A", "B", "C", "D", "E"]
    assert [(str(x), str(y)) for x, y in first.edges] == [("A", "B"), ("B", "C"), ("A", "D")]
    assert (list(map(str, second.nodes)), second.edges) == (["F"], ())


@pytest.mark.parametrize(
    ("block", "message", "hint"),
    [
        ("host { ▸lunch K0; }", "the host has no call `lunch`", "`launch`"),
        ("host { ▸frobnicate K0; }", "the host has no call `frobnicate`", "barrier, launch"),
        ("host { launch▸; }", "a kernel or graph to launch, found `;`", ""),
        ("host { launch K0 ▸s; }", "`;` between the calls of the host, found `s`", ""),
        ("host { launch K0 stream▸; }", "expected a stream, found `;`", ""),
        ("host { record e▸ }", "expected the stream to record it in", ""),
        ("host { wait s▸ }", "expected the event that it waits for", ""),
        ("host { wait s ▸0; }", "expected the event that it waits for, found `0`", ""),
        ("host { launch K0 stream s ▸launch K1; }", "`;` between the calls of the host", ""),
        ("host { } ▸host { }", "there is a `host` block already", "`P2@host`"),
        ("host ▸x { }", "expected `{`, found `x`", ""),
        ("graph▸ { K0; }", "expected the name of the graph", ""),
        ("graph G ▸x { K0; }", "expected `{`, found `x`", ""),
        ("graph ▸G { }", "graph `G` has no kernels", ""),
        ("graph G { K0 ▸K1; }", "`;` between the parts of a graph, found `K1`", ""),
        ("graph G { K0 -> ▸; }", "expected a kernel after `->`, found `;`", ""),
        ("graph G { ▸0; }", "expected a kernel, found `0`", ""),
    ],
)
def test_bad_blocks(block: str, message: str, hint: str) -> None:
    fails(f"PTX t\n{{ }}\n{block}\n{COLUMNS}", message, hint)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("P0@kernel ▸0", "expected the name of the kernel, found `0`"),
        ("P0@kernel▸", "expected the name of the kernel, found"),
        ("P0@kernel A,▸kernel B", "a thread is one of a single kernel"),
        ("P0@host ▸0", "`,` or the end of the header, found `0`"),
    ],
)
def test_bad_headers(header: str, message: str) -> None:
    fails(f"PTX t\n{{ }}\n{header} {{ nop; }}\n", message)


@pytest.mark.parametrize("threads", [COLUMNS, BLOCKS])
@pytest.mark.parametrize("block", ["host { launch K0; }", "graph G { K0; }"])
@pytest.mark.parametrize("tail", ["", "exists (x=0)\n"])
def test_blocks_behind_the_threads(threads: str, block: str, tail: str) -> None:
    message = "`host` and `graph` blocks stand between the initial section and the threads"
    fails(f"PTX t\n{{ }}\n{threads}▸{block}\n{tail}", message)


def test_a_block_that_is_not_closed() -> None:
    fails(f"PTX t\n{{ }}\nhost ▸{{ launch K0;\n{COLUMNS}", "this `{` is not closed")


def test_the_initial_section_stands_first() -> None:
    fails(f"PTX t\nhost {{ launch K0; }}\n▸{{ x=0; }}\n{COLUMNS}", "found `{`")
