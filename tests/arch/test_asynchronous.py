"""Asynchronous instructions: their events, what they follow, what observes their completion."""

from __future__ import annotations

import pytest

from catpy.arch import build_program
from catpy.arch.program import End, Options, Path
from catpy.arch.ptx.mbarrier import Mbarrier
from tests.arch.helpers import fails, pairs, path, paths, program, written
from tests.support import outcome_of, test_of

INIT = """.shared .u32 s[2] = {0, 0}; .global .u32 g[2] = {1, 2}; .shared .mbarrier m = 1;
    .global .u64 tm = &g;"""
BULK = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
OUT = "cp.async.bulk.global.shared::cta.bulk_group"


def locations(way: Path) -> list[str | None]:
    return [event.location for event in way.events]


def kinds(way: Path) -> list[str]:
    """The kind of each event, with `!` where it is in no program order."""
    names = ("R", "W", "F", "WAIT")
    return [
        next(name for name in names if name in event.sets) + ("!" if event.step is None else "")
        for event in way.events
    ]


# cp.async


def test_a_copy_is_a_read_and_a_write_of_each_element() -> None:
    way = path("st.u32 [g], 7; cp.async.ca.shared.global [s], [g], 8; ld.u32 r0, [g]", INIT)
    assert kinds(way) == ["W", "R!", "W!", "R!", "W!", "R"]
    assert [event.location for event in way.events[1:5]] == ["g[0]", "s[0]", "g[1]", "s[1]"]
    assert all({"GEN", "WEAK", "ASYNC_OP"} <= event.sets for event in way.events[1:5])
    assert pairs(way, "data") == {(1, 2), (3, 4)}
    assert pairs(way, "issued") == {(0, index) for index in (1, 2, 3, 4)}
    assert pairs(way, "completes") == set()


def test_what_is_not_read_is_filled_with_zeros() -> None:
    way = path("cp.async.ca.shared.global [s], [g], 8, 4", INIT)
    assert kinds(way) == ["R!", "W!", "W!"]
    assert written(way, 2) == 0


@pytest.mark.parametrize(
    ("code", "covered"),
    [
        ("{0}; {1}; cp.async.wait_all", {0, 1, 2, 3}),
        ("{0}; cp.async.commit_group; {1}; cp.async.wait_group 0", {0, 1}),
        ("{0}; cp.async.commit_group; {1}; cp.async.commit_group; cp.async.wait_group 1", {0, 1}),
        ("{0}; cp.async.commit_group; {1}; cp.async.commit_group; cp.async.wait_group 2", set()),
        ("{0}; {1}; cp.async.wait_group 0", set()),
        ("{0}; cp.async.commit_group; {1}; cp.async.wait_all", {0, 1, 2, 3}),
        ("{0}; cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1", {0, 1}),
    ],
)
def test_waits_cover_groups(code: str, covered: set[int]) -> None:
    first, second = (f"cp.async.ca.shared.global [s+{at}], [g+{at}], 4" for at in (0, 4))
    way = path(code.format(first, second), INIT)
    wait = len(way.events) - 1
    assert kinds(way)[wait] == "WAIT"
    assert pairs(way, "completes") == {(index, wait) for index in covered}


@pytest.mark.parametrize("copy", [f"{BULK} [s], [g], {{}}, [m]", f"{OUT} [g], [s], {{}}"])
def test_the_size_of_a_copy_can_be_in_a_register(copy: str) -> None:
    way, plain = path(f"mov.u32 r1, 8; {copy.format('r1')}", INIT), path(copy.format(8), INIT)
    assert (locations(way), kinds(way)) == (locations(plain), kinds(plain))
    assert len(locations(plain)) >= 4


def test_events_of_a_copy_depend_on_what_chose_its_size() -> None:
    code = "ld.u32 r1, [n]; cp.async.ca.shared.global [s], [g], 8, r1"  # nobody writes to `n`
    test = test_of(f"PTX t\n{{ {INIT} .global .u32 n = 4; }}\nP0 {{ {code}; }}\nforall (true)\n")
    (way,) = build_program(test, Options()).paths(0)
    assert kinds(way) == ["R", "R!", "W!", "W!"]
    assert pairs(way, "addr") == {(0, 1), (0, 2), (0, 3)}


@pytest.mark.parametrize(
    ("taken", "expected"),
    [(8, 0x0807060504030201), (7, 0x07060504030201), (4, 0x04030201), (2, 0x0201), (0, 0)],
)
def test_a_copy_writes_zeros_behind_the_bytes_that_it_takes(taken: int, expected: int) -> None:
    init = ".shared .u64 s = 7; .global .u32 g[2] = {0x04030201, 0x08070605};"
    code = f"cp.async.ca.shared.global [s], [g], 8, {taken}; cp.async.wait_all; ld.u64 r0, [s]"
    text = f"PTX t\n{{ {init} }}\nP0 {{ {code}; }}\nlocations [0:r0;]\nexists (true)\n"
    assert {state.values for state in outcome_of(text).states} == {(expected,)}


@pytest.mark.parametrize(("noinc", "raised"), [("", 2), (".noinc", 0)])
def test_an_arrival_follows_all_copies_before(noinc: str, raised: int) -> None:
    code = f"cp.async.ca.shared.global [s], [g], 4; cp.async.mbarrier.arrive{noinc}.shared.b64 [m]"
    way = path(code, INIT)
    assert kinds(way) == ["R!", "W!", *["R", "W"][:raised], "R!", "W!"]
    read, write = 2 + raised, 3 + raised
    assert pairs(way, "completes") == {(x, y) for x in (0, 1) for y in (read, write)}
    assert {"REL", "CTA", "IMPLICIT"} <= way.events[write].sets
    if raised:
        assert written(way, 3, {2: Mbarrier(0, 1, 1, 0)}) == Mbarrier(0, 1, 2, 0)
    assert written(way, write, {read: Mbarrier(0, 1, 2, 0)}) == Mbarrier(0, 1, 1, 0)


# Bulk copies


def test_a_bulk_copy_tells_an_mbarrier_behind_a_proxy_fence() -> None:
    way = path(f"st.u32 [g], 7; {BULK} [s], [g], 8, [m]", INIT)
    assert kinds(way) == ["W", "R!", "W!", "R!", "W!", "F!", "R!", "W!"]
    assert all("ASYNC" in event.sets for event in way.events[1:6])
    assert {"PROXY_FENCE", "IMPLICIT"} <= way.events[5].sets
    assert {"GEN", "REL", "CLUSTER", "IMPLICIT"} <= way.events[7].sets
    memory = {(index, 5) for index in (1, 2, 3, 4)}
    assert pairs(way, "completes") == memory | {(5, 6), (5, 7)}
    assert pairs(way, "issued") == {(0, index) for index in (1, 2, 3, 4, 6, 7)}
    assert written(way, 7, {6: Mbarrier(0, 1, 0, 8)}) == Mbarrier(1, 1, 1, 0)


def test_waits_for_bulk_groups() -> None:
    code = f"{OUT} [g], [s], 4; cp.async.bulk.commit_group; cp.async.bulk.wait_group"
    way = path(f"{code} 0", INIT)
    assert kinds(way) == ["R!", "W!", "F!", "WAIT"]
    assert pairs(way, "completes") == {(0, 2), (1, 2), (2, 3)}
    way = path(f"{code} 1", INIT)
    assert pairs(way, "completes") == {(0, 2), (1, 2)}
    way = path(f"{code}.read 0", INIT)
    assert kinds(way) == ["R!", "W!", "F!", "F!", "WAIT"]
    assert pairs(way, "completes") == {(0, 2), (1, 2), (0, 3), (3, 4)}


def test_groups_of_both_kinds_have_nothing_to_do_with_each_other() -> None:
    code = f"{OUT} [g], [s], 4; cp.async.bulk.commit_group; cp.async.wait_all"
    assert pairs(path(code, INIT), "completes") == {(0, 2), (1, 2)}


def test_a_multicast_goes_to_the_same_place_in_each_cta() -> None:
    places = ["cta 0,cluster 0", "cta 1,cluster 0"]
    code = f"{BULK}.multicast::cluster [s], [g], 4, [m], 3"
    (way,) = program(code, "ld.u32 r0, [s]", init=INIT, places=places).paths(0)
    found = [event.location for event in way.events if event.is_write]
    assert found == ["cta0.s[0]", "cta0.m", "cta1.s[0]", "cta1.m"]


def test_a_tensor_is_read_behind_its_tensormap() -> None:
    code = "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
    (way,) = (
        way
        for way in paths(f"{code} [s+4], [tm, {{1}}], [m]", INIT)
        if way.end is End.DONE and any(event.location == "g[1]" for event in way.events)
    )
    assert way.events[0].location == "tm"
    assert {"R", "TENSORMAP", "ASYNC_OP"} <= way.events[0].sets
    copied = [event.location for event in way.events if "ASYNC" in event.sets and event.location]
    assert copied == ["g[1]", "s[1]"]
    assert (0, 1) in pairs(way, "addr")
    assert {(x, 3) for x in (0, 1, 2)} <= pairs(way, "completes")


@pytest.mark.parametrize("read", ["", ".read"])
def test_waits_cover_the_read_of_a_tensormap(read: str) -> None:
    code = "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [tm, {0}], [s]"
    wait = f"cp.async.bulk.commit_group; cp.async.bulk.wait_group{read} 0"
    (way,) = (way for way in paths(f"{code}; {wait}", INIT) if "g[0]" in locations(way))
    assert locations(way)[0] == "tm"
    fence = len(way.events) - 2
    assert {(0, fence), (fence, fence + 1)} <= pairs(way, "completes")


def test_a_tensor_of_more_dimensions_has_one_row() -> None:
    code = "cp.async.bulk.tensor.{}d.global.shared::cta.bulk_group [tm, {{{}}}], [s+4]"
    one = paths(code.format(1, "1"), INIT)
    assert [sets_of(way) for way in paths(code.format(3, "1, r0, 0"), INIT)] == [
        sets_of(way) for way in one
    ]
    fails(
        code.format(2, "0, ▸1"),
        message="tensors have one row here: coordinates behind the first are 0",
        init=INIT,
    )


@pytest.mark.parametrize(("dimensions", "place"), [(1, "{0, 0}"), (2, "{0}"), (5, "{0, 0, 0, 0}")])
def test_a_place_in_a_tensor_has_all_its_coordinates(dimensions: int, place: str) -> None:
    code = f"cp.async.bulk.tensor.{dimensions}d.global.shared::cta.bulk_group ▸[tm, {place}], [s]"
    fails(code, message=f"a place in a tensor of `.{dimensions}d` has not", init=INIT)


def test_a_prefetch_of_a_tensor_does_nothing() -> None:
    assert not path("cp.async.bulk.prefetch.tensor.2d.L2.global [tm, {0, 0}]", INIT).events


def sets_of(way: Path) -> list[frozenset[str]]:
    return [frozenset(event.sets) for event in way.events]


def test_a_reduction_is_relaxed_at_gpu_scope() -> None:
    code = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [s], 4"
    way = path(code, INIT)
    assert kinds(way) == ["R!", "R!", "W!", "F!"]
    assert all({"RED", "RLX", "GPU", "ASYNC"} <= event.sets for event in way.events[1:3])
    assert pairs(way, "rmw") == {(1, 2)}
    assert written(way, 2, {0: 5, 1: 7}) == 12


# Asynchronous stores and reductions


def test_asynchronous_stores_are_generic() -> None:
    code = "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [s], {5, 6}, [m]"
    way = path(f"st.u32 [g], 1; {code}", INIT)
    assert kinds(way) == ["W", "W!", "W!", "R!", "W!"]
    assert all({"GEN", "WEAK", "ASYNC_OP"} <= event.sets for event in way.events[1:3])
    assert pairs(way, "issued") == {(0, index) for index in (1, 2, 3, 4)}
    assert pairs(way, "completes") == {(x, y) for x in (1, 2) for y in (3, 4)}
    assert written(way, 4, {3: Mbarrier(0, 1, 0, 8)}) == Mbarrier(1, 1, 1, 0)


def test_asynchronous_reductions() -> None:
    code = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32"
    way = path(f"{code} [s], 3, [m]", INIT)
    assert kinds(way) == ["R!", "W!", "R!", "W!"]
    assert all({"RED", "RLX", "CLUSTER"} <= event.sets for event in way.events[:2])
    assert written(way, 1, {0: 4}) == 7


def test_an_asynchronous_store_without_an_mbarrier_can_release() -> None:
    way = path("st.async.release.gpu.global.u32 [g], 3", INIT)
    assert kinds(way) == ["W!"]
    assert {"REL", "GPU", "GLOBAL", "ASYNC_OP"} <= way.events[0].sets
