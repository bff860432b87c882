"""mbarriers: the values of the objects, the events of operations on them, mistakes."""

from __future__ import annotations

import pytest

from catpy.arch.program import End
from catpy.arch.ptx.mbarrier import HAS_LEFT, HAS_PASSED, LARGEST, PENDING, Mbarrier, changed
from catpy.arch.ptx.mbarrier_semantics import Amounts
from catpy.arch.ptx.state import Tainted
from catpy.arch.terms import ReadValue, Unknown, Value, apply
from catpy.errors import TestError
from catpy.source import Source
from tests.arch.helpers import evaluate, path, paths, program, register, sets, taken, written
from tests.support import outcome_of

OBJECT = ".shared .mbarrier m = 2;"
SPAN = Source("t", "m").span(0, 1)


def after(old: Value, **numbers: int) -> Value:
    amounts = Amounts(**{name: Tainted(number) for name, number in numbers.items()})
    values = [number.value for number in amounts.numbers()]
    new = changed(ReadValue(0, 0), values, SPAN, arrives=amounts.arrive is not None)
    return evaluate(new, {0: old})


# Values


def test_a_phase_ends_when_nothing_is_pending_and_all_bytes_came() -> None:
    assert after(Mbarrier(0, 2, 2, 0), arrive=1) == Mbarrier(0, 2, 1, 0)
    assert after(Mbarrier(0, 2, 1, 0), arrive=1) == Mbarrier(1, 2, 2, 0)
    assert after(Mbarrier(0, 1, 1, 0), arrive=1, expect=8) == Mbarrier(0, 1, 0, 8)
    assert after(Mbarrier(0, 1, 0, 8), came=4) == Mbarrier(0, 1, 0, 4)
    assert after(Mbarrier(0, 1, 0, 4), came=4) == Mbarrier(1, 1, 1, 0)


def test_bytes_can_come_before_they_are_announced() -> None:
    early = after(Mbarrier(3, 1, 1, 0), came=16)
    assert early == Mbarrier(3, 1, 1, -16)
    assert after(early, arrive=1, expect=16) == Mbarrier(4, 1, 1, 0)


def test_who_drops_out_is_not_expected_again() -> None:
    assert after(Mbarrier(0, 2, 2, 0), arrive=1, drop=1) == Mbarrier(0, 1, 1, 0)
    assert after(Mbarrier(0, 1, 1, 0), arrive=1) == Mbarrier(1, 1, 1, 0)


@pytest.mark.parametrize(
    ("old", "numbers", "message"),
    [
        (Mbarrier(0, 2, 1, 0), {"arrive": 2}, "2 arrivals at an mbarrier with 1 pending"),
        (Mbarrier(0, 2, 1, 0), {"arrive": 0}, "the number of arrivals is 1 or more"),
        (Mbarrier(0, 1, 2, 0), {"arrive": 2, "drop": 2}, "arrivals that this mbarrier expects"),
        (Mbarrier(0, LARGEST, LARGEST, 0), {"more": 1}, "arrivals that this mbarrier expects"),
        (Mbarrier(0, 1, 1, LARGEST), {"expect": 1}, "the tx-count of this mbarrier overflows"),
        (Mbarrier(0, 1, 1, -LARGEST), {"came": 1}, "the tx-count of this mbarrier overflows"),
        (Mbarrier(0, 1, 1, 0), {"came": -1}, "less than none"),
    ],
)
def test_counts_that_overflow(old: Mbarrier, numbers: dict[str, int], message: str) -> None:
    with pytest.raises(TestError, match=message):
        after(old, **numbers)


def test_waits_look_at_the_phase() -> None:
    first, second = Mbarrier(0, 1, 1, 0), Mbarrier(1, 1, 1, 0)
    assert [apply(HAS_PASSED, [m, p]) for m in (first, second) for p in (0, 1)] == [0, 1, 1, 0]
    assert [apply(HAS_LEFT, [m, first]) for m in (first, second)] == [0, 1]
    assert apply(PENDING, [Mbarrier(0, 3, 2, 0)]) == 2


# Events


def test_an_arrival_is_a_read_modify_write() -> None:
    way = path("mbarrier.arrive.shared.b64 r0, [m]", OBJECT)
    read, write = way.events
    assert read.sets == {"R", "GEN", "SHARED", "MBARRIER", "RLX", "CTA"}
    assert write.sets == {"W", "GEN", "SHARED", "MBARRIER", "REL", "CTA"}
    assert way.pairs["rmw"] == {(0, 1)}
    assert read.location == write.location == "m"
    assert register(way, "r0", {0: Mbarrier(0, 2, 1, 0)}) == Mbarrier(0, 2, 1, 0)


@pytest.mark.parametrize(
    ("code", "orders"),
    [
        ("mbarrier.init.shared.b64 [m], 1", [{"WEAK"}]),
        ("mbarrier.inval.shared.b64 [m]", [{"WEAK"}]),
        ("mbarrier.arrive.relaxed.cluster.shared.b64 _, [m]", [{"RLX", "CLUSTER"}] * 2),
        ("mbarrier.arrive_drop.shared.b64 _, [m]", [{"RLX", "CTA"}, {"REL", "CTA"}]),
        ("mbarrier.expect_tx.relaxed.cta.shared.b64 [m], 8", [{"RLX", "CTA"}] * 2),
        ("mbarrier.complete_tx.relaxed.cluster.shared.b64 [m], 8", [{"RLX", "CLUSTER"}] * 2),
    ],
)
def test_orders_and_scopes(code: str, orders: list[set[str]]) -> None:
    names = {"WEAK", "RLX", "ACQ", "REL", "CTA", "CLUSTER", "GPU", "SYS"}
    assert [found & names for found in sets(code, OBJECT)] == orders


def test_a_wait_acquires_where_it_returns_true() -> None:
    ways = paths("mbarrier.try_wait.parity.shared.b64 p0, [m], 0", OBJECT)
    assert [way.events[0].sets & {"RLX", "ACQ"} for way in ways] == [{"ACQ"}, {"RLX"}]
    open_phase, next_phase = Mbarrier(0, 2, 2, 0), Mbarrier(1, 2, 2, 0)
    assert register(taken(ways, {0: next_phase}), "p0", {0: next_phase}) == 1
    assert register(taken(ways, {0: open_phase}), "p0", {0: open_phase}) == 0


def test_what_is_no_object_has_an_unknown_state() -> None:
    code = "mbarrier.arrive.shared.b64 r0, [m]"
    way = path(code, ".shared .u64 m;")
    for found in (0, Unknown("x")):
        assert register(way, "r0", {0: found}) == Unknown("m")
        assert written(way, 1, {0: found}) == Unknown("m")
    assert register(way, "r0", {0: Mbarrier(0, 1, 1, 0)}) == Mbarrier(0, 1, 1, 0)


def test_a_wait_for_what_is_no_object_gives_an_unknown_value() -> None:
    wait = "mbarrier.try_wait.parity.shared.b64 p0, [m], 0"
    for branch in ("@p0 bra L", "@!p0 bra L"):
        assert len(paths(f"{wait}; {branch}; nop; L: nop", OBJECT)) == 2
    ways = paths(wait, OBJECT)
    (failing,) = (way for way in ways if way.events[0].sets & {"RLX"})
    assert register(failing, "p0", {0: Mbarrier(0, 1, 1, 0)}) == 0
    assert register(failing, "p0", {0: Unknown("m")}) == Unknown("m")


def test_initial_writes_are_of_objects_or_not() -> None:
    cells = program("nop", init=".shared .mbarrier m[2] = {1, ?}; .shared .mbarrier n;").memory
    assert [cell.location for cell in cells if "MBARRIER" in cell.sets] == ["m[0]"]


def test_use_before_init_is_flagged_and_gives_an_unknown_value() -> None:
    text = "PTX t\n{ .shared .u64 m; }\nP0@cta 0 { mbarrier.arrive.shared.b64 r0, [m]; }\n"
    outcome = outcome_of(text + "exists (0:r0 = ?m)\n")
    assert (outcome.flags, outcome.verdict.value) == (("mbarrier-uninitialised",), "Ok")
    text = text.replace("{ mbarrier", "{ mbarrier.init.shared.b64 [m], 1; mbarrier")
    assert outcome_of(text + "exists (0:r0 = ?m)\n").flags == ()


# Mistakes


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("mbarrier.init.shared.b64 [m], 0", "the count of an mbarrier is from 1"),
        ("mov.u32 r1, 2; mbarrier.try_wait.parity.shared.b64 p0, [m], r1", "from 0 to 1, not 2"),
        ("mbarrier.arrive.shared.b64 _, [m], 3", "3 arrivals at an mbarrier with 2 pending"),
        ("mov.u32 r1, 0; mbarrier.arrive.shared.b64 _, [m], r1", "1 or more, not 0"),
    ],
)
def test_mistakes(code: str, message: str) -> None:
    text = f"PTX t\n{{ {OBJECT} }}\nP0@cta 0 {{ {code}; }}\nexists (true)\n"
    with pytest.raises(TestError, match=message):
        outcome_of(text)


def test_of_another_ctas_object_nothing_is_told() -> None:
    places = ["cta 0,cluster 0", "cta 1,cluster 0"]
    code = "mbarrier.arrive.shared::cluster.b64 {}, [cta1.m]"
    owner = "mbarrier.arrive.shared.b64 _, [m]"
    remote = program(code.format("_"), owner, init=OBJECT, places=places)
    assert [event.location for event in remote.paths(0)[0].events] == ["m", "m"]
    with pytest.raises(TestError, match="gives no state"):
        program(code.format("r0"), owner, init=OBJECT, places=places)
    wait = "mbarrier.try_wait.parity.shared.b64 p0, [cta1.m], 0"
    ways = program(wait, owner, init=OBJECT, places=places).paths(0)
    assert [way.end for way in ways] == [End.FAULT]


def test_a_wait_that_can_come_too_early_says_so() -> None:
    wait = "mbarrier.try_wait.parity.shared.b64 p0, [m], 0; @p0 bra L; L:"
    threads = f"P0@cta 0 {{ mbarrier.init.shared.b64 [m], 1; }}\nP1@cta 0 {{ {wait} }}\n"
    text = f"PTX t\n{{ .shared .u64 m; }}\n{threads}exists (true)\n"
    with pytest.raises(TestError, match="an arrival at `m`, can come before what initialises it"):
        outcome_of(text)


def test_a_loop_of_waits_for_what_nobody_initialises_says_so() -> None:
    loop = "L: mbarrier.try_wait.parity.shared.b64 p0, [m], 0; @!p0 bra L;"
    text = f"PTX t\n{{ .shared .u64 m; }}\nP0@cta 0 {{ {loop} }}\nexists (true)\n"
    with pytest.raises(TestError, match="which is not known: nothing initialises `m`; `mbarrier"):
        outcome_of(text)


@pytest.mark.parametrize("fence", ["fence.proxy.async.shared::cta;", ""])
def test_a_wait_that_leaves_in_vain_and_is_filtered_out_loses_no_state(fence: str) -> None:
    """One wait that has to succeed stands for a loop of them."""
    copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    expect = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 4;"
    wait = "mbarrier.try_wait.parity.shared.b64 p, [{}], 0;"
    outcomes = {}
    for name, again, final in (
        ("loop", "@!p bra {};", ""),
        ("once", "@!p exit;", "filter (0:p=1 /\\ 1:p=1)\n"),
    ):
        waits = [f"L{at}: {wait.format(at)} {again.format(f'L{at}')}" for at in ("full", "empty")]
        text = (
            "PTX t\n{ .shared .u32 s = 0; .global .u32 A[2] = {1, 2};"
            " .shared .mbarrier full = 1; .shared .mbarrier empty = 1; }\n"
            f"P0@cta 0 {{ {expect} {copy} [s], [A], 4, [full]; {waits[1]}"
            f" {expect} {copy} [s], [A+4], 4, [full]; }}\n"
            f"P1@cta 0 {{ {waits[0]} ld.shared.u32 r1, [s]; {fence}"
            f" mbarrier.arrive.shared.b64 _, [empty]; }}\n{final}exists (1:r1=2)\n"
        )
        outcomes[name] = outcome_of(text)
    loop, once = outcomes["loop"], outcomes["once"]
    assert loop.cut > 0
    assert (once.cut, set(once.executions)) == (0, set(loop.executions))
    assert once.verdict == loop.verdict
