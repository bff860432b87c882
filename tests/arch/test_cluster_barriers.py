"""The barrier of a cluster: events, phases, exits, threads that wait for ever, mistakes."""

from __future__ import annotations

import pytest

from catpy.arch.program import End, Join
from catpy.errors import TestError
from catpy.execution import run_test
from tests.arch.helpers import Where, fails, joins, path, paths, program, sets, syncbar, taken
from tests.support import load_model, named_test, outcome_of

#: Two CTAs of a cluster, and another cluster.
LEFT = "cta 0,cluster 0,gpu 0"
RIGHT = "cta 1,cluster 0,gpu 0"
ELSEWHERE = "cta 0,cluster 1,gpu 0"

ARRIVE = "barrier.cluster.arrive"
WAIT = "barrier.cluster.wait"
BOTH = f"{ARRIVE}; {WAIT}"


def only_join(*codes: str, places: tuple[str, ...] = (LEFT, RIGHT), unroll: int = 2) -> Join:
    (join,) = joins(program(*codes, places=places, unroll=unroll))
    return join


def phase(join: Join, *, own: bool = False) -> set[tuple[Where, Where]]:
    """The pairs of `phase`, between threads only unless it says so."""
    return {(x, y) for x, y in join.pairs["phase"] if own or x[0] != y[0]}


# Events


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (ARRIVE, "BAR CLUSTER_ARRIVE REL"),
        (f"{ARRIVE}.release", "BAR CLUSTER_ARRIVE REL"),
        (f"{ARRIVE}.relaxed", "BAR CLUSTER_ARRIVE RLX"),
        (f"{ARRIVE}.aligned", "BAR CLUSTER_ARRIVE REL"),
        (f"{ARRIVE}.relaxed.aligned", "BAR CLUSTER_ARRIVE RLX"),
        (f"{ARRIVE}.aligned.relaxed", "BAR CLUSTER_ARRIVE RLX"),
    ],
)
def test_the_event_of_an_arrive(code: str, names: str) -> None:
    assert sets(code) == [set(names.split())]


@pytest.mark.parametrize("suffix", ["", ".acquire", ".aligned", ".acquire.aligned"])
def test_the_event_of_a_wait(suffix: str) -> None:
    assert sets(f"{ARRIVE}; {WAIT}{suffix}")[1] == {"BAR", "CLUSTER_WAIT", "ACQ"}


def test_a_guard_decides_whether_a_thread_takes_part() -> None:
    code = f"ld r0, [x]; setp.eq p0, r0, 1; @p0 {ARRIVE}; @p0 {WAIT}"
    assert len(taken(paths(code), {0: 1}).events) == 3
    assert len(taken(paths(code), {0: 0}).events) == 1


# Who meets whom


def test_two_ctas_of_a_cluster_meet() -> None:
    join = only_join(f"st [x], 1; {BOTH}", f"{BOTH}; ld r0, [x]")
    assert phase(join) == {((0, 1), (1, 1)), ((1, 0), (0, 2))}
    assert (join.stuck, join.lengths) == (frozenset(), (3, 3))


def test_a_wait_is_in_the_phase_of_its_own_arrive() -> None:
    assert phase(only_join(BOTH, places=(LEFT,)), own=True) == {((0, 0), (0, 1))}


def test_arrivals_alone_are_not_waited_for() -> None:
    join = only_join(ARRIVE, ARRIVE)
    assert (phase(join), join.stuck, join.lengths) == (set(), frozenset(), (1, 1))


@pytest.mark.parametrize("size", [2, 3, 6, 12])
def test_every_wait_comes_after_every_arrive(size: int) -> None:
    join = only_join(*[BOTH] * size, places=(LEFT, RIGHT) * (size // 2) + (LEFT,))
    everybody = range(size)
    assert phase(join, own=True) == {((t, 0), (u, 1)) for t in everybody for u in everybody}


def test_a_relaxed_arrive_meets_like_any_other() -> None:
    join = only_join(f"{ARRIVE}.relaxed; {WAIT}", BOTH)
    assert phase(join) == {((0, 0), (1, 1)), ((1, 0), (0, 1))}


@pytest.mark.parametrize(
    "places",
    [
        (LEFT, ELSEWHERE),
        ("cta 0,gpu 0", "cta 1,gpu 0"),
        ("cta 0,gpu 0", "cta 0,gpu 1"),
        (LEFT, "cta 0,cluster 0,gpu 1"),
        (LEFT, "cta 0,gpu 0"),
        ("", ""),
    ],
)
def test_clusters_do_not_meet(places: tuple[str, ...]) -> None:
    join = only_join(BOTH, BOTH, places=places)
    assert (phase(join), join.stuck) == (set(), frozenset())


@pytest.mark.parametrize("place", [LEFT, "cta 0,gpu 0", "cta 0"])
def test_threads_of_a_cta_meet(place: str) -> None:
    join = only_join(BOTH, BOTH, places=(place, place))
    assert phase(join) == {((0, 0), (1, 1)), ((1, 0), (0, 1))}


def test_another_cluster_is_not_waited_for() -> None:
    join = only_join(BOTH, BOTH, "bar.sync 0, 2", places=(LEFT, RIGHT, ELSEWHERE))
    assert (join.stuck, join.lengths) == (frozenset({2}), (2, 2, 1))


# Phases


def test_two_phases() -> None:
    join = only_join(f"{BOTH}; {BOTH}", f"{BOTH}; {BOTH}")
    assert phase(join) == {
        ((0, 0), (1, 1)),
        ((1, 0), (0, 1)),
        ((0, 2), (1, 3)),
        ((1, 2), (0, 3)),
    }


def test_a_thread_may_stop_short_of_the_wait() -> None:
    join = only_join(f"{BOTH}; {ARRIVE}", f"{BOTH}; {BOTH}")
    assert phase(join) == {((0, 0), (1, 1)), ((1, 0), (0, 1)), ((0, 2), (1, 3))}


def test_phases_in_a_loop() -> None:
    loop = f"mov r0, 0; L: {BOTH}; add r0, r0, 1; setp.lt p0, r0, 3; @p0 bra L"
    join = only_join(loop, f"{BOTH}; {BOTH}; {BOTH}")
    assert join.lengths == (6, 6)
    assert {(x, y) for x, y in phase(join) if x[0] == 0} == {
        ((0, index), (1, index + 1)) for index in (0, 2, 4)
    }


# Exits


@pytest.mark.parametrize("code", ["", "nop", "exit", "ret", f"exit; {BOTH}", "st [x], 1; exit"])
def test_a_thread_that_has_exited_is_not_waited_for(code: str) -> None:
    join = only_join(BOTH, code)
    assert (phase(join), join.stuck) == (set(), frozenset())


def test_what_an_exited_thread_did_comes_before_who_waited_for_its_exit() -> None:
    join = only_join(f"{BOTH}; ld r0, [x]", "st [x], 1; st [y], 1")
    assert join.witnesses == ({"barorder": frozenset({((1, 0), (0, 1)), ((1, 1), (0, 1))})},)


def test_a_thread_is_waited_for_in_the_phases_before_its_exit() -> None:
    join = only_join(f"{BOTH}; {BOTH}", f"{BOTH}; st [x], 1")
    assert phase(join) == {((0, 0), (1, 1)), ((1, 0), (0, 1))}
    assert join.witnesses[0]["barorder"] == {((1, index), (0, 3)) for index in range(3)}


def test_a_thread_of_another_cluster_has_no_part_in_the_order() -> None:
    join = only_join(BOTH, "st [x], 1", places=(LEFT, ELSEWHERE))
    assert join.witnesses == ({"barorder": frozenset()},)


def test_what_is_read_decides_who_is_waited_for() -> None:
    prog = program(f"ld r0, [x]; @r0 exit; {BOTH}", BOTH, places=(LEFT, RIGHT))
    (other,) = prog.paths(1)
    ways = prog.paths(0)
    (left,) = prog.joins([taken(ways, {0: 1}), other])
    (stayed,) = prog.joins([taken(ways, {0: 0}), other])
    assert (phase(left), left.stuck) == (set(), frozenset())
    assert phase(stayed) == {((0, 1), (1, 1)), ((1, 0), (0, 2))}


# For ever


@pytest.mark.parametrize("place", [LEFT, RIGHT])
def test_a_thread_that_was_cut_never_exits(place: str) -> None:
    join = only_join(f"{BOTH}; st [x], 1", "L: bra L", places=(LEFT, place), unroll=0)
    assert (phase(join, own=True), join.stuck) == (set(), frozenset({0}))
    assert join.lengths == (2, 0)


def test_a_thread_cut_behind_its_arrive_has_arrived() -> None:
    join = only_join(f"{BOTH}; {BOTH}", f"{ARRIVE}; L: bra L", unroll=0)
    assert phase(join) == {((1, 0), (0, 1))}
    assert (join.stuck, join.lengths) == (frozenset({0}), (4, 1))


def test_a_thread_stuck_at_a_cta_barrier_never_arrives() -> None:
    join = only_join(f"bar.sync 0, 2; {BOTH}", f"{BOTH}; st [x], 1")
    assert (phase(join, own=True), join.stuck) == (set(), frozenset({0, 1}))
    assert join.lengths == (1, 2)


def test_a_thread_stuck_in_the_cluster_never_comes_to_a_cta_barrier() -> None:
    codes = (f"{BOTH}; bar.sync 0; st [x], 1", "bar.sync 0; st [y], 1", "bar.sync 1, 2")
    join = only_join(*codes, places=(LEFT, LEFT, RIGHT))
    assert (syncbar(join), join.stuck) == (set(), frozenset({0, 1, 2}))
    assert join.lengths == (2, 1, 1)


def test_a_cta_barrier_and_the_cluster_in_opposite_order() -> None:
    join = only_join(f"bar.sync 0; {BOTH}", f"{BOTH}; bar.sync 0", places=(LEFT, LEFT))
    assert (join.stuck, join.lengths) == (frozenset({0, 1}), (1, 2))


def test_a_cta_barrier_between_arrive_and_wait() -> None:
    code = f"{ARRIVE}; bar.sync 0; {WAIT}"
    join = only_join(code, code, BOTH, places=(LEFT, LEFT, RIGHT))
    assert syncbar(join) == {((0, 1), (1, 1)), ((1, 1), (0, 1))}
    assert (join.stuck, join.lengths) == (frozenset(), (3, 3, 2))


def test_the_cluster_decides_who_can_meet_at_a_count() -> None:
    """The third thread comes to the barrier only when the first two have left it."""
    early, late = f"bar.sync 0, 2; {BOTH}", f"{BOTH}; bar.sync 0, 2"
    (join,) = joins(program(early, early, late, f"{BOTH}; bar.sync 0, 2", places=(LEFT,) * 4))
    assert syncbar(join) == {((0, 0), (1, 0)), ((1, 0), (0, 0)), ((2, 2), (3, 2)), ((3, 2), (2, 2))}


def test_ctas_with_the_same_barrier_numbers_stay_apart() -> None:
    code = f"bar.sync 0; {BOTH}; bar.sync 0, 1"
    join = only_join(code, code)
    assert (syncbar(join), join.stuck) == (set(), frozenset())


def test_groupings_are_those_of_all_ctas_together() -> None:
    code = f"bar.sync 0, 2; {BOTH}"
    found = joins(program(*[code] * 8, places=(LEFT,) * 4 + (RIGHT,) * 4))
    assert len(found) == 3 * 3
    assert not any(join.stuck for join in found)


# Mistakes in what a thread does


@pytest.mark.parametrize(
    ("code", "message", "length"),
    [
        (f"st [x], 1; {WAIT}; st [x], 2", "waits at the barrier of the cluster without", 1),
        (f"{BOTH}; {WAIT}", "waits at the barrier of the cluster without", 2),
        (f"{ARRIVE}; {ARRIVE}", "arrives at the barrier of the cluster again without", 1),
        (f"{BOTH}; {ARRIVE}; st [x], 1; {ARRIVE}", "arrives at the barrier of the cluster", 4),
    ],
)
def test_a_step_out_of_turn_is_a_fault(code: str, message: str, length: int) -> None:
    way = path(code)
    assert (way.end, len(way.events)) == (End.FAULT, length)
    assert message in way.fault
    assert way.fault_span is not None
    assert way.fault_span.text in (ARRIVE, WAIT)


def text(*codes: str, final: str) -> str:
    """A test of threads in two CTAs of a cluster."""
    blocks = [
        f"P{number}@{place} {{\n{code};\n}}\n"
        for number, (place, code) in enumerate(zip((LEFT, RIGHT), codes, strict=True))
    ]
    return f"PTX t\n{{ }}\n{''.join(blocks)}{final}\n"


def test_a_step_out_of_turn_is_an_error_where_it_is_executed() -> None:
    code = f"ld.relaxed.cluster r0, [x]; @r0 {WAIT}"
    with pytest.raises(TestError, match="without an arrive before it") as caught:
        outcome_of(text(code, "st.relaxed.cluster [x], 1", final="exists (x=1)"))
    assert caught.value.span is not None
    assert caught.value.span.text == f"@r0 {WAIT}"
    assert outcome_of(text(code, "st.relaxed.cluster [x], 0", final="exists (x=0)")).positive == 2


def test_a_step_out_of_turn_behind_a_barrier_that_is_never_passed() -> None:
    code = f"bar.sync 0, 2; {WAIT}"
    assert outcome_of(text(code, "st [x], 1", final="~exists (x=1)")).stuck == 1


# Mistakes in the text


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("▸barrier.cluster.sync", "`barrier.cluster.sync` is no form of `barrier`"),
        ("▸barrier.cluster.sync 0", "`barrier.cluster.sync` is no form of `barrier`"),
        ("▸barrier.cluster.red.popc.u32 r0, 0, 1", "is no form of `barrier`"),
        ("▸barrier.cluster", "`barrier.cluster` is no form of `barrier`"),
        ("▸barrier.cluster.arrive.wait", "is no form of `barrier`"),
        ("▸barrier.wait", "`barrier.wait` is no form of `barrier`"),
        ("bar.▸cluster.arrive", "`bar.arrive` does not take `.cluster` here"),
        ("▸barrier.cluster.arrive 0", "`barrier.cluster.arrive` takes 0 operands, found 1"),
        ("▸barrier.cluster.arrive 0, 2", "takes 0 operands, found 2"),
        ("▸barrier.cluster.wait r0", "`barrier.cluster.wait` takes 0 operands, found 1"),
        ("barrier.cluster.arrive.▸acquire", "there is no `barrier.cluster.arrive.acquire`"),
        ("barrier.cluster.arrive.▸acq_rel", "there is no `barrier.cluster.arrive.acq_rel`"),
        ("barrier.cluster.arrive.▸sc", "there is no `barrier.cluster.arrive.sc`"),
        ("barrier.cluster.arrive.▸release.relaxed", "there is no"),
        ("barrier.cluster.wait.▸release", "there is no `barrier.cluster.wait.release`"),
        ("barrier.cluster.wait.▸relaxed", "there is no `barrier.cluster.wait.relaxed`"),
        ("barrier.cluster.arrive.release.▸cluster", "does not take `.cluster` here"),
        ("barrier.cluster.arrive.release.▸gpu", "does not take `.gpu` here"),
        ("barrier.▸cta.cluster.arrive", "does not take `.cta` here"),
        ("barrier.cluster.arrive.aligned.▸aligned", "does not take `.aligned` here"),
        ("barrier.cluster.arrive.▸u32", "does not take `.u32` here"),
        ("barrier.cluster.wait.▸acquired", "unknown qualifier `.acquired`"),
    ],
)
def test_what_ptx_does_not_have(code: str, message: str) -> None:
    fails(code, message=message)


@pytest.mark.parametrize("code", [ARRIVE, WAIT])
def test_the_other_dialect_has_no_cluster_barriers(code: str) -> None:
    fails(f"▸{code}", message="the dat3m dialect has no cluster barriers", dialect="dat3m")


# Models that know time only


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Cluster-MP", "Ok"),
        ("Cluster-SB", "Ok"),
        ("Cluster-LB", "Ok"),
        ("Cluster-MP+twice", "Ok"),
        ("Cluster-MP+wait-bar.sync", "Ok"),
        # Nobody passes the wait before the exit.
        ("Cluster-Exited", "No"),
        # Without a barrier between, and in an earlier phase.
        ("Cluster-MP+own-clusters", "Ok"),
        ("Cluster-MP+arrive-write", "Ok"),
        ("Cluster-MP+later-phase", "Ok"),
        # Qualifiers are ignored.
        ("Cluster-MP+relaxed", "No"),
        ("Cluster-LB+between", "No"),
    ],
)
def test_nobody_goes_on_before_all_have_arrived(model: str, name: str, verdict: str) -> None:
    assert run_test(named_test(name), load_model(model)).verdict.value == verdict
