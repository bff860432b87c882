"""Mistakes in what a test says of kernels, graphs, streams, events and threads of the host."""

from __future__ import annotations

import pytest

from catpy.arch import build_program
from catpy.arch.program import Options
from catpy.errors import TestError
from catpy.execution import run_test
from catpy.execution.search import Effort
from tests.litmus import helpers
from tests.support import load_model, outcome_of

KERNELS = "P0@kernel K0,cta 0 { nop; }\nP1@kernel K1,cta 0 { nop; }\n"


def build(text: str) -> object:
    return build_program(helpers.parse(text), Options())


def run(text: str) -> object:
    return run_test(helpers.parse(text), load_model("ptx"))


def fails(text: str, message: str, hint: str = "") -> None:
    """Checks that these blocks and threads are refused at the mark, before they are run."""
    helpers.fails(f"PTX t\n{{ }}\n{text}\n", message, hint, build)


def fails_when_run(text: str, message: str) -> None:
    """Checks that these blocks and threads are refused at the mark, by no later than a run."""
    helpers.fails(f"PTX t\n{{ }}\n{text}\nexists (true)\n", message, "", run)


# The host block


@pytest.mark.parametrize(
    ("calls", "message", "hint"),
    [
        ("launch ▸K2", "there is no kernel or graph `K2`", "`P0@kernel K2,cta 0`"),
        ("launch ▸KO1", "there is no kernel or graph `KO1`", "did you mean"),
        ("launch K0; launch ▸K0", "`K0` is launched twice", "a kernel of its own"),
        ("launch K0 stream s; sync ▸t", "there is no stream or event `t`", "enqueues"),
        ("launch K0 stream abc; sync ▸abd", "there is no stream or event `abd`", "`abc`"),
        ("launch K0 stream s; wait s ▸e", "event `e` is never recorded", "`record e s`"),
        ("launch K0 stream s; wait s ▸e; sync e", "event `e` is never recorded", "`record e s`"),
        ("launch K0 stream s; record ▸s t", "`s` is a stream and an event", ""),
        ("record e s; wait ▸e e", "`e` is a stream and an event", "`wait s e` the stream"),
        ("launch K0 stream s; ▸query r0 s", "the `host` block has no registers", "`P2@host`"),
    ],
)
def test_the_host_block(calls: str, message: str, hint: str) -> None:
    fails(f"host {{ {calls}; }}\n{KERNELS}", message, hint)


def test_a_stream_belongs_to_one_gpu() -> None:
    kernels = "P0@kernel K0,gpu 0 { nop; }\nP1@kernel K1,gpu 1 { nop; }\n"
    message = "stream `s` belongs to another GPU than `K1`"
    hint = "streams of their own"
    fails(f"host {{ launch K0 stream s; launch K1 stream ▸s; }}\n{kernels}", message, hint)
    fails(f"host {{ launch K0; launch ▸K1; }}\n{kernels}", message.replace("`s`", "`0`"), hint)
    build(f"PTX t\nhost {{ launch K0 stream s; launch K1 stream t; }}\n{kernels}")


# Graphs


@pytest.mark.parametrize(
    ("graphs", "calls", "message", "hint"),
    [
        ("graph G { ▸K2; }", "launch G", "there is no kernel `K2`", "`P0@kernel K2,cta 0`"),
        ("graph G { K0 -> ▸K7; }", "launch G", "there is no kernel `K7`", ""),
        ("graph ▸G { K0; }", "sync", "graph `G` is never launched", "`launch G stream s`"),
        ("graph ▸G { K0; }", "launch K1", "graph `G` is never launched", ""),
        ("graph ▸K1 { K0; }", "launch K1", "there are two things called `K1`", ""),
        ("graph G { K0; } graph ▸G { K1; }", "launch G", "two things called `G`", ""),
        ("graph G { K0; } graph H { ▸K0; }", "launch G", "`K0` is in graph `G` already", ""),
        ("graph G { K0; }", "launch ▸K0", "`K0` is launched with its graph `G`", ""),
        ("graph G { K0; }", "launch G; launch ▸G", "`G` is launched twice", ""),
        ("graph G { K0 -> K1; K1 -> ▸K0; }", "launch G", "these edges run in a circle", ""),
        ("graph G { K0 -> ▸K0; }", "launch G", "these edges run in a circle: K0 -> K0", ""),
    ],
)
def test_graphs(graphs: str, calls: str, message: str, hint: str) -> None:
    fails(f"{graphs}\nhost {{ {calls}; }}\n{KERNELS}", message, hint)


# Threads of the host


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        ("launch ▸K2", "there is no kernel or graph `K2`", "`P0@kernel K2,cta 0`"),
        ("launch K0; nop; launch ▸K0", "`K0` is launched twice", ""),
        ("▸lunch K0", "unknown instruction `lunch`", ""),
        ("launch K0 ▸s", "expected the end of the call, found `s`", ""),
        ("L: @!p0 launch ▸K2", "there is no kernel or graph `K2`", ""),
        ("@▸p9x launch K0", "`p9x` is no register of this thread", ""),
        ("▸bar.sync 0", "`bar.sync` makes no sense in a thread of the host", ""),
        ("▸barrier.sync 0", "`barrier.sync` makes no sense in a thread of the host", ""),
        ("▸fence.proxy.alias", "`fence.proxy.alias` makes no sense in a thread of the host", ""),
        ("▸cvta.global.u64 r0, r1", "`cvta` makes no sense in a thread of the host", ""),
        ("▸ld.shared.u32 r0, [x]", "a thread of the host has no `.shared` memory", ""),
        ("▸ld.const.u32 r0, [x]", "a thread of the host has no `.const` memory", ""),
    ],
)
def test_threads_of_the_host(code: str, message: str, hint: str) -> None:
    fails(f"{KERNELS}P2@host {{ {code}; }}", message, hint)


@pytest.mark.parametrize(
    "code",
    [
        "ld.acquire.sys.u32 r0, [x]; st.release.sys.u32 [x], 1; fence.sc.sys; membar.sys",
        "atom.acq_rel.sys.add.u32 r0, [x], 1; red.gpu.add.u32 [x], 1; fence.acq_rel.cta",
        "ld.global.u32 r0, [x]; setp.eq.u32 p0, r0, 0; @p0 bra L; add r0, r0, 1; L: ret",
        "L: ld r0, [x]; beq r0, 0, L; selp r1, 1, 2, r0; cvt.u32.u64 r1, r0; nop",
    ],
)
def test_what_threads_of_the_host_may_do(code: str) -> None:
    build(f"PTX t\nP0@host {{ {code}; }}\n")


def test_calls_in_other_threads() -> None:
    hint = "in a thread like `P2@host`"
    fails(f"{KERNELS}P2@cta 0 {{ ▸launch K0; }}", "unknown instruction `launch`", hint)


def test_shared_variables() -> None:
    text = "PTX t\n{ .shared .u32 s; }\nP0@host { ld r0, ▸[s]; }\nexists (true)\n"
    helpers.fails(text, "a thread of the host has no `s`: it is shared", "", run)


def test_the_answer_of_a_query_is_a_register() -> None:
    final = "exists (0:r5=0)"
    text = f"PTX t\nP0@host {{ launch K0; query %r5 0; }}\nP1@kernel K0 {{ nop; }}\n{final}\n"
    assert outcome_of(text).verdict.value == "Ok"


# What depends on how a test runs


def test_a_launch_in_a_loop() -> None:
    code = "L: launch ▸K0; ld r0, [x]; beq r0, 0, L"
    fails_when_run(f"{KERNELS}P2@host {{ {code}; }}", "`K0` is launched twice")


def test_a_graph_in_a_loop() -> None:
    code = "L: launch ▸G; ld r0, [x]; beq r0, 0, L"
    fails_when_run(f"graph G {{ K0; }}\n{KERNELS}P2@host {{ {code}; }}", "`G` is launched twice")


def test_a_mistake_in_an_execution_that_no_model_allows() -> None:
    code = "ld r0, [x]; bne r0, 0, L; record e s; L: wait t e"
    outcome_of(f"PTX t\n{{ x=0; }}\n{KERNELS}P2@host {{ {code}; }}\nexists (true)\n")


def test_a_mistake_that_is_never_come_to() -> None:
    kernel = "P0@kernel K0,cta 0 { st [x], 1; bar.sync 0, 64; }\n"
    host = "P1@host { ld r0, [x]; beq r0, 5, L; launch K0; sync 0; wait t e; L: record e s; }"
    assert outcome_of(f"PTX t\n{{ x=0; }}\n{kernel}{host}\nexists (true)\n").stuck == 1


@pytest.mark.parametrize("engine", ["fast", "naive"])
def test_a_kernel_that_is_not_launched_on_the_way(engine: str) -> None:
    """That counts once, whatever its threads could have done, and leaves their registers alone."""
    code = "ld r0, [x]; beq r0, 1, L; bar.sync 1, 2; mov r1, 6; exit; L: st [y], 1; mov r1, 7;"
    kernel = "".join(f"P{thread}@kernel K0,cta 0 {{ {code} }}\n" for thread in (1, 2, 3))
    other = "P4@kernel K1 { st [x], 1; }\n"
    host = "P0@host { ld r0, [x]; beq r0, 0, E; launch K0; E: }\n"
    final = "locations [1:r1; 2:r1; y;]\nfilter (0:r0=0)\nforall (0:r0=0)"
    text = f"PTX t\n{{ x=0; y=0; 1:r1=4; }}\n{host}{kernel}{other}{final}\n"
    outcome = run_test(helpers.parse(text), load_model("ptx"), effort=Effort(engine))
    assert outcome.positive == 1
    assert [tuple(map(str, values)) for values in outcome.executions] == [("0", "4", "0", "0")]


# The order of calls of several threads

ORDER = "nothing says which call comes first"


@pytest.mark.parametrize(
    ("block", "first", "second"),
    [
        ("", "launch K0 stream s", "▸launch K1 stream s"),
        ("", "launch K0", "▸launch K1"),
        ("", "launch K0 stream s", "▸sync s"),
        ("", "▸sync s", "launch K0 stream s"),
        ("", "launch K0 stream s", "▸query r0 s"),
        ("", "record e s", "▸wait t e"),
        ("", "record e s", "▸sync e"),
        ("", "record e s", "▸record e t"),
        ("", "launch K0 stream s", "▸sync"),
        ("", "launch K0 stream s", "▸barrier"),
        ("launch K0 stream s", "▸sync s", "launch K1 stream s"),
        ("record e s", "▸wait t e", "record e u"),
    ],
)
def test_calls_that_nothing_orders(block: str, first: str, second: str) -> None:
    text = f"host {{ {block}; }}\n{KERNELS}P2@host {{ {first}; }}\nP3@host {{ {second}; }}"
    fails(text, ORDER, "the calls of the `host` block come before all threads")


@pytest.mark.parametrize(
    ("block", "first", "second"),
    [
        ("", "launch K0 stream s; sync s", "launch K1 stream t; sync t"),
        ("record e s", "wait t e; sync t", "wait u e; sync u"),
        ("launch K0 stream s", "sync s; sync", "query r0 s; sync 0; sync"),
        ("launch K0 stream s", "launch K1 stream s; barrier; sync", "nop"),
    ],
)
def test_calls_that_may_be_made_in_any_order(block: str, first: str, second: str) -> None:
    host = f"host {{ {block}; record x 0; }}"
    build(f"PTX t\n{host}\n{KERNELS}P2@host {{ {first}; }}\nP3@host {{ {second}; }}\n")


def test_both_threads_are_named() -> None:
    with pytest.raises(TestError, match="P2 and P3 use `s`"):
        build("PTX t\nP3@host { record e s; }\nP2@host { record f s; }\n")
