"""What the CUDA API orders (§8.9.4): the relation `api`, rule by rule, and what comes to run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from catpy.arch import build_program
from catpy.arch.program import End, Join, Options, Program
from catpy.execution import Outcome, run_test
from catpy.execution.search import Effort
from tests.arch.helpers import Where, joins
from tests.litmus import helpers
from tests.support import load_model


def text_of(host: str, *threads: str, final: str = "") -> str:
    """A test with these blocks of the host and threads `PLACE: code`, numbered from 0."""
    blocks = []
    for number, thread in enumerate(threads):
        place, _, code = thread.partition(":")
        blocks.append(f"P{number}@{place} {{ {code}; }}\n")
    return f"PTX t\n{{ }}\n{host}\n{''.join(blocks)}{final}\n"


def built(host: str, *threads: str, unroll: int = 2) -> Program:
    return build_program(helpers.parse(text_of(host, *threads)), Options(unroll))


def kernels(host: str, count: int = 2) -> Program:
    """A program of kernels K0, K1, …, each one thread with one event."""
    return built(host, *(f"kernel K{n},cta 0: fence.sc.sys" for n in range(count)))


def api(join: Join) -> set[tuple[Where, Where]]:
    return set(join.pairs["api"])


def only_join(program: Program, ends: Sequence[End] = ()) -> Join:
    (join,) = joins(program, ends)
    return join


def ordered(host: str, count: int = 2) -> set[str]:
    """Which kernels come before which, as `01` for K0 before K1."""
    return {f"{x}{y}" for (x, _), (y, _) in api(only_join(kernels(host, count)))}


# Without a host


def test_the_relation_is_empty_without_a_host() -> None:
    assert api(only_join(built("", "cta 0: fence.sc.sys", "cta 1: fence.sc.sys"))) == set()


def test_kernels_that_nothing_launches_are_not_ordered() -> None:
    assert ordered("") == set()
    assert ordered("host { launch K0; launch K1; }", 3) == {"01"}


# (1) Streams


@pytest.mark.parametrize(
    ("host", "pairs"),
    [
        ("host { launch K0 stream s; launch K1 stream s; }", {"01"}),
        ("host { launch K1 stream s; launch K0 stream s; }", {"10"}),
        ("host { launch K0 stream s; launch K1 stream t; }", set()),
        ("host { launch K0; launch K1; }", {"01"}),
        ("host { launch K0; launch K1 stream 0; }", {"01"}),
        ("host { launch K0; launch K1 stream s; }", set()),
        ("host { launch K0 stream 1; launch K1 stream 0x1; }", {"01"}),
    ],
)
def test_tasks_of_a_stream_run_one_after_the_other(host: str, pairs: set[str]) -> None:
    assert ordered(host) == pairs


def test_the_order_is_transitive() -> None:
    assert ordered("host { launch K0; launch K1; launch K2; }", 3) == {"01", "12", "02"}


# (2) Events, barriers


@pytest.mark.parametrize(
    ("calls", "pairs"),
    [
        ("launch K0 stream s; record e s; wait t e; launch K1 stream t", {"01"}),
        ("launch K0 stream s; record e s; launch K1 stream t; wait t e", set()),
        ("record e s; launch K0 stream s; wait t e; launch K1 stream t", set()),
        ("launch K0 stream s; record e s; wait u e; launch K1 stream t", set()),
        # The latest record counts, at the time of the wait.
        ("launch K0 stream s; record e s; record e u; wait t e; launch K1 stream t", set()),
        ("launch K0 stream s; record e s; wait t e; record e u; launch K1 stream t", {"01"}),
        ("record e s; launch K0 stream s; record e s; wait t e; launch K1 stream t", {"01"}),
        # A stream that waits for its own event waits for what it would have waited for.
        ("launch K0 stream s; record e s; wait s e; launch K1 stream s", {"01"}),
        # A barrier is one of all streams, also of those that are first used behind it.
        ("launch K0 stream s; barrier; launch K1 stream t", {"01"}),
        ("launch K0 stream s; launch K1 stream t; barrier", set()),
        ("barrier; launch K0 stream s; launch K1 stream t", set()),
        ("launch K1 stream t; barrier; launch K0 stream s", {"10"}),
    ],
)
def test_events_and_barriers(calls: str, pairs: set[str]) -> None:
    assert ordered(f"host {{ {calls}; }}") == pairs


def test_an_event_fans_out() -> None:
    calls = "launch K0 stream s; record e s; wait t e; wait u e; launch K1 stream t"
    assert ordered(f"host {{ {calls}; launch K2 stream u; }}", 3) == {"01", "02"}


# (3) All threads of a kernel


def test_all_events_of_all_threads_of_a_kernel() -> None:
    program = built(
        "host { launch K0; launch K1; }",
        "kernel K0,cta 0: fence.sc.sys; fence.sc.sys",
        "kernel K0,cta 1: fence.sc.sys",
        "kernel K1,cta 0: fence.sc.sys",
        "kernel K1,cta 0: st [x], 1; st [x], 2",
        "cta 0: fence.sc.sys",
    )
    first = [(0, 0), (0, 1), (1, 0)]
    second = [(2, 0), (3, 0), (3, 1)]
    assert api(only_join(program)) == {(x, y) for x in first for y in second}


def test_a_kernel_without_events_passes_on_what_came_before() -> None:
    program = built(
        "host { launch K0; launch K1; launch K2; }",
        "kernel K0: fence.sc.sys",
        "kernel K1: nop",
        "kernel K2: fence.sc.sys",
    )
    assert api(only_join(program)) == {((0, 0), (2, 0))}


# (4) Graphs


@pytest.mark.parametrize(
    ("graph", "pairs"),
    [
        ("K0; K1; K2", set()),
        ("K0 -> K1; K2", {"01"}),
        ("K0 -> K1 -> K2", {"01", "12", "02"}),
        ("K0 -> K1; K0 -> K2", {"01", "02"}),
        ("K0 -> K2; K1 -> K2", {"02", "12"}),
        ("K2 -> K1; K1 -> K0", {"21", "10", "20"}),
    ],
)
def test_edges_of_a_graph(graph: str, pairs: set[str]) -> None:
    assert ordered(f"graph G {{ {graph}; }} host {{ launch G; }}", 3) == pairs


def test_a_graph_is_a_task_of_its_stream() -> None:
    graph = "graph G { K1; K2; }"
    host = "host { launch K0 stream s; launch G stream s; launch K3 stream s; }"
    assert ordered(f"{graph} {host}", 4) == {"01", "02", "03", "13", "23"}


def test_two_graphs() -> None:
    text = "graph G { K0; K1; } graph H { K2; K3; } host { launch H; launch G; }"
    assert ordered(text, 4) == {"20", "21", "30", "31"}


# (5) Calls come before what they enqueue, and (6) synchronization returns after what it waits for


@pytest.mark.parametrize(
    ("calls", "pairs"),
    [
        ("launch K0 stream s; sync s; launch K1 stream t", {"01"}),
        ("launch K0 stream s; sync t; launch K1 stream t", set()),
        ("launch K0 stream s; sync; launch K1 stream t", {"01"}),
        ("launch K0 stream s; record e s; sync e; launch K1 stream t", {"01"}),
        ("record e s; launch K0 stream s; sync e; launch K1 stream t", set()),
        ("launch K0 stream s; record e s; record e t; sync e; launch K1 stream t", set()),
        ("launch K0 stream s; sync s; launch K1 stream t; launch K2 stream s", {"01", "02"}),
    ],
)
def test_synchronization_in_the_host_block(calls: str, pairs: set[str]) -> None:
    assert ordered(f"host {{ {calls}; }}", 3 if "K2" in calls else 2) == pairs


def test_calls_of_a_host_thread_are_events() -> None:
    program = built("", "host: st [x], 1; launch K; sync 0; ld r0, [x]", "kernel K: fence.sc.sys")
    (way,) = program.paths(0)
    assert [set(event.sets) & {"W", "API", "R"} for event in way.events] == [
        {"W"},
        {"API"},
        {"API"},
        {"R"},
    ]
    assert {event.location for event in way.events if "API" in event.sets} == {None}
    # The launch is before the kernel, which is before the synchronization; `po` is in the model.
    assert api(only_join(program)) == {((0, 1), (1, 0)), ((1, 0), (0, 2))}


def test_between_the_calls_of_one_thread_there_is_program_order_only() -> None:
    assert api(only_join(built("", "host: launch K; sync 0", "kernel K: nop"))) == set()


def test_host_threads_begin_behind_the_host_block() -> None:
    host = "host { launch K0 stream s; sync s; launch K1 stream s; }"
    fences = ["kernel K0: fence.sc.sys", "kernel K1: fence.sc.sys"]
    program = built(host, *fences, "host: ld r0, [x]; sync s; ld r0, [x]")
    kernel, both, thread = (0, 0), (1, 0), [(2, 0), (2, 1), (2, 2)]
    expected = {(kernel, both), *((kernel, event) for event in thread), (both, (2, 1))}
    assert api(only_join(program)) == expected


def test_host_threads_with_handles_of_their_own() -> None:
    program = built(
        "",
        "host: launch K0 stream s; sync s",
        "host: launch K1 stream t; sync t",
        "kernel K0: fence.sc.sys",
        "kernel K1: fence.sc.sys",
    )
    assert api(only_join(program)) == {
        ((0, 0), (2, 0)),
        ((2, 0), (0, 1)),
        ((1, 0), (3, 0)),
        ((3, 0), (1, 1)),
    }


def test_several_host_threads_may_wait_for_what_the_block_launched() -> None:
    program = built(
        "host { launch K stream s; }", "host: sync s", "host: sync s", "kernel K: fence.sc.sys"
    )
    assert api(only_join(program)) == {((2, 0), (0, 0)), ((2, 0), (1, 0))}


# (7) Queries


def answers(program: Program) -> dict[object, set[tuple[Where, Where]]]:
    """The relation by what the register r0 of P0 ends with, where that can be."""
    others = [program.paths(thread)[0] for thread in program.threads[1:]]
    found: dict[object, set[tuple[Where, Where]]] = {}
    for way in program.paths(0):
        for join in program.joins([way, *others]):
            assert way.registers["r0"] not in found
            found[way.registers["r0"]] = api(join)
    return found


def test_a_query_that_succeeds_is_like_a_synchronization() -> None:
    program = built("", "host: launch K; query r0 0", "kernel K: fence.sc.sys")
    launched = ((0, 0), (1, 0))
    assert answers(program) == {0: {launched, ((1, 0), (0, 1))}, 600: {launched}}


@pytest.mark.parametrize("handle", ["s", "e"])
def test_a_query_of_what_is_known_to_be_done_succeeds(handle: str) -> None:
    host = f"host: launch K stream s; record e s; sync s; query r0 {handle}"
    assert set(answers(built("", host, "kernel K: fence.sc.sys"))) == {0}


def test_a_query_of_an_idle_stream_succeeds() -> None:
    assert set(answers(built("", "host: query r0 s; launch K stream s", "kernel K: nop"))) == {0}


def test_a_host_that_polls() -> None:
    text = "host: launch K; L: query r0 0; bne r0, 0, L; ld r1, [x]"
    final = "exists (0:r1=0)"
    outcome = run("", text, "kernel K: st [x], 1", final=final)
    assert (outcome.verdict.value, outcome.cut > 0, outcome.stuck) == ("No", True, 0)


# What never comes to run

SPIN = "L: bra L"
DEADLOCK = "bar.sync 0, 64"


def run(host: str, *threads: str, final: str = "exists (true)") -> Outcome:
    """The outcome of a test under ptx, the same by both engines."""
    test, model = helpers.parse(text_of(host, *threads, final=final)), load_model("ptx")
    fast, naive = (run_test(test, model, effort=Effort(engine)) for engine in ("fast", "naive"))
    assert (fast.executions, fast.stuck, fast.cut) == (naive.executions, naive.stuck, naive.cut)
    return fast


def test_what_waits_for_a_stuck_kernel_never_starts() -> None:
    host = "host { launch K0; launch K1; launch K2 stream s; }"
    program = built(
        host,
        f"kernel K0,cta 0: fence.sc.sys; {DEADLOCK}; fence.sc.sys",
        "kernel K1,cta 0: fence.sc.sys; bar.sync 0",
        "kernel K1,cta 0: bar.sync 0",
        "kernel K2,cta 0: fence.sc.sys",
        "host: st [x], 1; sync 0; st [x], 2",
    )
    join = only_join(program)
    assert join.lengths == (2, 0, 0, 1, 2)
    assert join.stuck == {0, 1, 2, 4}
    assert join.pairs["syncbar"] == frozenset()
    assert all(not pairs for witness in join.witnesses for pairs in witness.values())
    # The synchronization is begun, and never returned from.
    assert api(join) == set()


def test_what_waits_for_a_kernel_that_is_cut_never_starts() -> None:
    program = built(
        "host { launch K0; launch K1; }",
        f"kernel K0: st [x], 1; {SPIN}",
        "kernel K1: st [x], 2",
        "host: sync 0; st [x], 3",
    )
    join = only_join(program)
    assert (join.lengths, set(join.stuck)) == ((1, 0, 1), {1, 2})


def test_the_host_stops_where_it_waits_for_ever() -> None:
    host = "host { launch K0 stream s; sync s; launch K1 stream t; }"
    program = built(host, f"kernel K0: {DEADLOCK}", "kernel K1: st [x], 2", "host: st [x], 3")
    join = only_join(program)
    assert (join.lengths, set(join.stuck)) == ((1, 0, 0), {0, 1, 2})


def test_a_kernel_whose_launch_is_not_reached_never_starts() -> None:
    text = "host: ld r0, [x]; setp.eq p0, r0, 0; @p0 launch K"
    program = built("", text, "kernel K: st [x], 1")
    (kernel,) = program.paths(1)
    found = {}
    for way in program.paths(0):
        (join,) = program.joins([way, kernel])
        found[len(way.events)] = (join.lengths, set(join.stuck), set(join.absent))
    assert found == {2: ((2, 1), set(), set()), 1: ((1, 0), set(), {1})}


def test_executions_that_get_stuck_are_counted_once() -> None:
    """Whatever the kernel that never starts would read, and however its barriers would meet."""
    stuck = run(
        "host { launch K0; launch K1; }",
        f"kernel K0,cta 0: {DEADLOCK}",
        "kernel K1,cta 0: ld r0, [x]; beq r0, 0, L; bar.sync 1; L: bar.sync 0",
        "kernel K1,cta 0: ld r0, [x]; beq r0, 0, L; bar.sync 1; L: bar.sync 0",
    )
    assert (stuck.stuck, stuck.cut, len(stuck.states)) == (1, 0, 0)


def test_executions_that_are_cut_are_counted_once() -> None:
    cut = run(
        "host { launch K0; launch K1; }",
        f"kernel K0,cta 0: {SPIN}",
        "kernel K1,cta 0: ld r0, [x]; beq r0, 0, L; st [y], 1; L: st [y], 2",
        "host: sync 0; ld r0, [y]",
    )
    assert (cut.stuck, cut.cut, len(cut.states)) == (0, 1, 0)


def test_a_kernel_may_wait_for_the_host() -> None:
    """A kernel that waits for what the host does behind its end waits in vain, and is cut."""
    kernel = "kernel K: L: ld.acquire.sys r0, [go]; beq r0, 0, L; st [y], 1"
    host = "host: launch K; st.release.sys [go], 1; sync 0; ld r1, [y]"
    good = run("", kernel, host, final="forall (1:r1=1)")
    assert (good.verdict.value, len(good.states), good.stuck) == ("Ok", 1, 0)
    bad = run("", kernel, "host: launch K; sync 0; st.release.sys [go], 1; ld r1, [y]")
    assert (len(bad.states), bad.stuck, bad.cut) == (0, 0, 1)
