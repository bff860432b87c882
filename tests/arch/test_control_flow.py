"""Branches, guards, loops and their bound, returns, labels."""

from __future__ import annotations

import pytest

from catpy.arch.program import End, Path
from catpy.arch.terms import Address, Unknown
from catpy.errors import TestError
from tests.arch.helpers import (
    fails,
    is_taken,
    of_end,
    path,
    paths,
    program,
    register,
    taken,
    written,
)


def stored(way: Path) -> list[str | None]:
    """The locations a way writes to, in order."""
    return [event.location for event in way.events if event.is_write]


# Branches


@pytest.mark.parametrize("branch", ["bra L", "bra.uni L", "goto L"])
def test_a_branch_skips_what_it_jumps_over(branch: str) -> None:
    assert stored(path(f"{branch}; st [x], 1; L: st [y], 1")) == ["y"]


def test_labels_may_stand_behind_the_last_instruction() -> None:
    way = path("bra L; st [x], 1; L:")
    assert (way.end, way.events) == (End.DONE, ())


def test_several_labels_may_name_one_place() -> None:
    assert stored(path("bra L; st [x], 1; K: L: M: st [y], 1; bra N; N:")) == ["y"]


@pytest.mark.parametrize(
    ("name", "jumps"),
    [
        ("eq", {1}),
        ("ne", {0, 2}),
        ("lt", {0}),
        ("le", {0, 1}),
        ("gt", {2}),
        ("ge", {1, 2}),
    ],
)
def test_comparing_branches(name: str, jumps: set[int]) -> None:
    ways = paths(f"ld r0, [x]; b{name} r0, 1, L; st [y], 1; L:")
    assert len(ways) == 2
    assert {v for v in range(3) if not stored(taken(ways, {0: v}))} == jumps
    constants = f"mov r0, {{}}; b{name} r0, 1, L; st [y], 1; L:"
    assert {v for v in range(3) if not stored(path(constants.format(v)))} == jumps


def test_comparing_branches_take_numbers_and_addresses() -> None:
    ways = paths("ld r0, [p]; beq r0, x, L; st [y], 1; L:")
    assert stored(taken(ways, {0: Address("x")})) == []
    assert stored(taken(ways, {0: Address("y")})) == ["y"]
    assert stored(path("beq 1, 1, L; st [y], 1; L:")) == []


@pytest.mark.parametrize(("guard", "jumps"), [("@p0", {1, 2, -1}), ("@!p0", {0})])
def test_guarded_branches(guard: str, jumps: set[int]) -> None:
    ways = paths(f"ld p0, [x]; {guard} bra L; st [y], 1; L:")
    assert {v for v in (-1, 0, 1, 2) if not stored(taken(ways, {0: v}))} == jumps


def test_exactly_one_way_fits_every_combination_of_values() -> None:
    code = "ld r0, [x]; ld r1, [y]; beq r0, r1, L; blt r0, 2, M; L: st [z], 1; M:"
    ways = paths(code)
    for first in range(4):
        for second in range(4):
            assert sum(is_taken(way, {0: first, 1: second}) for way in ways) == 1


def test_a_way_notes_where_it_was_decided() -> None:
    for way in paths("ld r0, [x]; st [y], 1; beq r0, 0, L; L: st [z], 1"):
        (constraint,) = way.constraints
        assert constraint.position == 2
        assert constraint.span.text == "beq r0, 0, L"


def test_the_truths_of_the_two_ways_differ() -> None:
    ways = paths("ld r0, [x]; beq r0, 0, L; L:")
    assert {way.constraints[0].truth for way in ways} == {True, False}


def test_a_branch_that_is_known_forks_nothing() -> None:
    assert path("mov r0, 1; setp.eq p0, r0, 1; @p0 bra L; L:").constraints == ()


# Guards


def test_guarded_instructions_are_done_or_not() -> None:
    ways = paths("ld r0, [x]; setp.gt.s32 p0, r0, 3; @p0 st [y], 1; @!p0 st [z], 1")
    assert stored(taken(ways, {0: 4})) == ["y"]
    assert stored(taken(ways, {0: 3})) == ["z"]


def test_guards_may_be_written_with_a_percent_sign() -> None:
    ways = paths("ld %r0, [x]; setp.ne.u32 %p0, %r0, 0; @%p0 st [y], 1")
    assert stored(taken(ways, {0: 1})) == ["y"]


def test_a_guard_that_is_no_register_is_refused() -> None:
    with pytest.raises(TestError, match="done"):
        program("@done st [x], 1")


def test_an_uninitialised_predicate_is_false() -> None:
    assert stored(path("@%p3 st [x], 1; @!%p3 st [y], 1")) == ["y"]


# Loops

SPIN = "L: ld r0, [x]; beq r0, 0, L; st [y], 1"


@pytest.mark.parametrize("bound", [0, 1, 2, 5])
def test_a_spin_loop_is_left_after_each_round_or_cut(bound: int) -> None:
    ways = paths(SPIN, unroll=bound)
    done, cut = of_end(ways, End.DONE), of_end(ways, End.CUT)
    assert len(ways) == len(done) + len(cut)
    assert sorted(len(way.events) for way in done) == [n + 2 for n in range(bound + 1)]
    assert [len(way.events) for way in cut] == [bound + 1]


@pytest.mark.parametrize("bound", [0, 1, 2])
def test_every_round_of_a_spin_loop_reads_zero_but_the_last(bound: int) -> None:
    for way in of_end(paths(SPIN, unroll=bound), End.DONE):
        rounds = len(way.events) - 1
        assert is_taken(way, {**dict.fromkeys(range(rounds - 1), 0), rounds - 1: 1})
        assert not is_taken(way, dict.fromkeys(range(rounds), 0))


@pytest.mark.parametrize(("bound", "end"), [(0, End.CUT), (1, End.CUT), (2, End.DONE)])
def test_a_counted_loop_is_done_where_the_bound_allows_it(bound: int, end: End) -> None:
    way = path("mov r0, 0; L: add r0, r0, 1; st [x], r0; bne r0, 3, L", unroll=bound)
    assert way.end is end
    assert [written(way, at) for at in range(len(way.events))] == list(range(1, bound + 2))


def test_the_bound_is_two_by_default() -> None:
    assert len(of_end(paths(SPIN), End.DONE)) == 3


@pytest.mark.parametrize("code", ["L: bra L", "L: nop; goto L", "L: @!%p0 bra L"])
def test_an_endless_loop_is_cut(code: str) -> None:
    for bound in range(3):
        assert path(code, unroll=bound).end is End.CUT


def test_each_backward_branch_has_its_own_count() -> None:
    two_loops = "L: ld r0, [x]; beq r0, 0, L; M: ld r1, [y]; beq r1, 0, M"
    ways = paths(two_loops, unroll=1)
    assert len(of_end(ways, End.DONE)) == 2 * 2
    assert len(of_end(ways, End.CUT)) == 1 + 2


def test_two_branches_back_to_one_label_count_apart() -> None:
    ways = paths("L: ld r0, [x]; beq r0, 0, L; beq r0, 1, L", unroll=1)
    # Left at once, after one round of either kind, or after one of each in either order.
    assert len(of_end(ways, End.DONE)) == 1 + 2 + 2


@pytest.mark.parametrize(("bound", "end"), [(1, End.CUT), (2, End.DONE)])
def test_an_inner_loop_counts_over_all_rounds_of_the_outer(bound: int, end: End) -> None:
    code = "mov r0, 0; O: mov r1, 0; I: add r1, r1, 1; bne r1, 2, I; add r0, r0, 1; bne r0, 2, O"
    assert path(code, unroll=bound).end is end


def test_forward_branches_do_not_count() -> None:
    code = "mov r0, 0; L: bra M; st [x], 1; M: add r0, r0, 1; bne r0, 3, L"
    assert path(code, unroll=2).end is End.DONE
    assert path("bra A; A: bra B; B: bra C; C:", unroll=0).end is End.DONE


def test_a_branch_back_that_is_not_taken_does_not_count() -> None:
    assert path("L: nop; beq 0, 1, L; st [x], 1", unroll=0).end is End.DONE


def test_a_cut_way_keeps_what_it_did() -> None:
    (cut,) = of_end(paths(SPIN, unroll=1), End.CUT)
    assert [event.location for event in cut.events] == ["x", "x"]
    assert is_taken(cut, {0: 0, 1: 0})


def test_what_a_loop_reads_depends_on_the_rounds_before() -> None:
    way = max(of_end(paths(SPIN), End.DONE), key=lambda way: len(way.events))
    expected = {(read, later) for read in range(3) for later in range(read + 1, 4)}
    assert set(way.pairs["ctrl"]) == expected


# Returns


@pytest.mark.parametrize("leave", ["ret", "exit"])
def test_nothing_happens_behind_a_return(leave: str) -> None:
    way = path(f"st [x], 1; {leave}; st [y], 1")
    assert (way.end, stored(way)) == (End.DONE, ["x"])


@pytest.mark.parametrize("leave", ["ret", "exit"])
def test_a_guarded_return(leave: str) -> None:
    ways = paths(f"ld r0, [x]; @r0 {leave}; st [y], 1")
    assert stored(taken(ways, {0: 1})) == []
    assert stored(taken(ways, {0: 0})) == ["y"]
    assert {way.end for way in ways} == {End.DONE}


def test_an_empty_thread_is_done() -> None:
    way = path("")
    assert (way.end, way.events, dict(way.registers)) == (End.DONE, (), {})


# Labels


def test_a_label_twice() -> None:
    fails("L: nop; ▸L: nop", message="the label `L` is there twice")
    fails("L: nop; bra L; ▸L:", message="the label `L` is there twice")


def test_a_label_is_of_its_thread() -> None:
    fails("L: nop", "nop;\nbra ▸L", message="there is no label `L` in this thread")


@pytest.mark.parametrize(
    "code", ["bra ▸M", "goto ▸M", "beq 0, 0, ▸M", "L: nop; ld r0, [x]; @r0 bra ▸M"]
)
def test_a_missing_label(code: str) -> None:
    fails(code, message="there is no label `M` in this thread")


def test_a_missing_label_is_an_error_even_where_nothing_jumps_to_it() -> None:
    fails("bra L; bra ▸M; L:", message="there is no label `M` in this thread")


# Values that are not known


def test_a_branch_on_an_unknown_value_is_a_fault() -> None:
    way = path("mov r0, 1; div.u32 r1, r0, 0; setp.lt p0, r1, 5; @p0 bra L; L: st [x], 1")
    assert way.end is End.FAULT
    assert "this branches on" in way.fault
    assert way.fault_span is not None
    assert way.fault_span.text == "p0"
    assert way.events == ()


def test_an_unknown_value_equals_itself_alone() -> None:
    init = "0:r0=?x; 0:r1=?x; 0:r2=?y;"
    way = path("setp.eq p0, r0, r1; setp.eq p1, r0, r2; setp.eq p2, r0, 0", init=init)
    assert [register(way, f"p{n}") for n in range(3)] == [1, 0, 0]
    way = path("setp.ne p0, r0, r1; setp.ne p1, r0, r2; setp.ne p2, r0, 0", init=init)
    assert [register(way, f"p{n}") for n in range(3)] == [0, 1, 1]


def test_arithmetic_on_an_unknown_value_stays_unknown() -> None:
    way = path("add.u32 r1, r0, 1; mul.lo.u32 r2, r0, 0; not.b32 r3, r0", init="0:r0=?x;")
    for name in ("r1", "r2", "r3"):
        assert isinstance(register(way, name), Unknown)
    assert register(way, "r0") == Unknown("x")
    assert register(way, "r1") != Unknown("x")


def test_an_unknown_value_moves_and_is_selected_unchanged() -> None:
    way = path("mov.u32 r1, r0; selp.b32 r2, r0, 1, 1; cvt.u64.u32 r3, r0", init="0:r0=?x;")
    assert {register(way, name) for name in ("r1", "r2", "r3")} == {Unknown("x")}


# What is known on a way


@pytest.mark.parametrize(
    "code",
    [
        "ld r0, [x]; setp.eq.u32 p0, r0, 1; @p0 st [y], 1; @p0 st [z], 1; @!p0 st [y], 2",
        "ld r0, [x]; setp.eq.u32 p0, r0, 1; setp.ne.u32 p1, r0, 1; @p0 st [y], 1; @p1 st [z], 1",
        "ld r0, [x]; setp.lt.u32 p0, r0, 1; @p0 st [y], 1; setp.lt.u32 p1, r0, 1; @p1 st [z], 1",
        "atom.cas.b32 r0, [x], 0, 1; bne r0, 0, L; st [y], 1; L: st [z], 1",
    ],
)
def test_what_was_decided_stays_decided(code: str) -> None:
    first, second = paths(code)
    assert is_taken(first, {0: 1}) or is_taken(second, {0: 1})
    assert is_taken(first, {0: 0}) or is_taken(second, {0: 0})


def test_a_value_that_is_known_decides_what_is_computed_from_it() -> None:
    ways = paths("ld r0, [x]; bne r0, 3, L; add r1, r0, 4; beq r1, 7, L; st [y], 1; L: st [z], 1")
    assert [len(way.events) for way in ways] == [2, 2]


def test_a_value_that_is_not_a_number_leaves_the_others_open() -> None:
    ways = paths("ld r0, [x]; beq r0, 1, L; beq r0, 2, L; st [y], 1; L: st [z], 1")
    assert [len(way.events) for way in ways] == [2, 2, 3]


def test_an_address_is_chosen_once() -> None:
    init = "p=&x; q=&y;"
    once = [way for way in paths("ld r0, [p]; st [r0], 1", init) if way.end is End.DONE]
    twice = [
        way for way in paths("ld r0, [p]; st [r0], 1; st [r0], 2", init) if way.end is End.DONE
    ]
    assert len(once) == len(twice) > 1
    assert all(way.events[1].location == way.events[2].location for way in twice)
