"""Address, data and control dependencies through registers, predicates and branches."""

from __future__ import annotations

import pytest

from catpy.arch.program import Path
from tests.arch.helpers import pairs, path, paths, register, taken, written

LOADED = "ld r0, [x]; "
PREDICATE = LOADED + "setp.ne.u32 p0, r0, 0; "


def dependencies(way: Path) -> dict[str, set[tuple[int, int]]]:
    """The dependencies of a way, those there are none of left out."""
    return {name: found for name in ("addr", "data", "ctrl") if (found := pairs(way, name))}


# Data


def test_there_are_none_without_registers() -> None:
    assert dependencies(path("ld r0, [x]; st [y], 1; ld r1, [z]; fence.cta")) == {}


def test_a_stored_value_depends_on_its_load() -> None:
    assert dependencies(path("ld r0, [x]; st [y], r0")) == {"data": {(0, 1)}}


def test_a_stored_value_depends_on_all_its_loads() -> None:
    way = path("ld r0, [x]; ld r1, [y]; add r2, r0, r1; st [z], r2")
    assert dependencies(way) == {"data": {(0, 2), (1, 2)}}


def test_a_stored_value_does_not_depend_on_what_was_overwritten() -> None:
    assert dependencies(path("ld r0, [x]; mov r0, 1; st [y], r0")) == {}
    assert dependencies(path("ld r0, [x]; ld r0, [y]; st [z], r0")) == {"data": {(1, 2)}}


@pytest.mark.parametrize(
    "code",
    [
        "mov r1, r0",
        "add r1, r0, 1",
        "sub r1, r0, r0",
        "xor r1, r0, r0",
        "mul.lo r1, r0, 0",
        "and r1, r0, 0",
        "mad.lo r1, 0, 0, r0",
        "selp r1, r0, 1, 0",
        "selp r1, 1, r0, 1",
        "selp r1, 1, 1, r0",
        "setp.eq r1, r0, r0",
        "cvt.u64.u32 r1, r0",
        "not r1, r0",
        "neg r1, r0",
        "shl r1, 0, r0",
        "min r1, r0, 0",
        "cvta.to.global.u64 r1, r0",
    ],
)
def test_dependencies_are_syntactic(code: str) -> None:
    assert dependencies(path(f"ld r0, [x]; {code}; st [y], r1")) == {"data": {(0, 1)}}


def test_dependencies_go_through_several_registers() -> None:
    way = path("ld r0, [x]; mov r1, r0; add r2, r1, 1; mov r3, r2; st [y], r3")
    assert dependencies(way) == {"data": {(0, 1)}}


# Addresses


def test_an_address_depends_on_its_load() -> None:
    way = taken(paths("ld r0, [p]; st [r0], 1", init="y;"), {0: 0})
    assert way.fault
    for way in paths("ld r0, [p]; st [r0], 1", init="y;"):
        if not way.fault:
            assert dependencies(way) == {"addr": {(0, 1)}}


def test_a_known_address_in_a_register_is_no_dependency() -> None:
    assert dependencies(path("ld r0, [x]; mov r1, y; ld r2, [r1]")) == {}


def test_a_known_address_that_a_load_went_into_is_a_dependency() -> None:
    ways = paths("ld r0, [x]; mov r1, y; @r0 mov r1, z; ld r2, [r1]")
    assert dependencies(taken(ways, {0: 0})) == {"addr": {(0, 1)}}
    assert dependencies(taken(ways, {0: 1})) == {"addr": {(0, 1)}}


def test_both_events_of_an_atomic_depend_by_address() -> None:
    for way in paths("ld r0, [p]; atom.exch r1, [r0], 1"):
        if not way.fault:
            assert dependencies(way) == {"addr": {(0, 1), (0, 2)}}


def test_offsets_keep_the_dependency() -> None:
    for way in paths("ld r0, [p]; ld r1, [r0+4]", init="u32 a[2];"):
        if not way.fault:
            assert dependencies(way) == {"addr": {(0, 1)}}


def test_address_and_data_at_once() -> None:
    for way in paths("ld r0, [p]; ld r1, [x]; st [r0], r1"):
        if not way.fault:
            assert dependencies(way) == {"addr": {(0, 2)}, "data": {(1, 2)}}


# Atomic operations


@pytest.mark.parametrize(
    "operation", ["add", "and", "or", "xor", "min", "max", "inc", "dec", "add.u32"]
)
@pytest.mark.parametrize("code", ["atom.{} r0, [x], 1", "red.{} [x], 1"])
def test_the_write_depends_on_the_read(operation: str, code: str) -> None:
    assert dependencies(path(code.format(operation))) == {"data": {(0, 1)}}


@pytest.mark.parametrize("code", ["atom.inc r0, [x]", "atom.dec r0, [x]", "red.inc [x]"])
def test_the_write_depends_on_the_read_without_a_bound_too(code: str) -> None:
    assert dependencies(path(code)) == {"data": {(0, 1)}}


def test_the_write_of_exch_does_not_depend_on_its_read() -> None:
    assert dependencies(path("atom.exch r0, [x], 1")) == {}
    assert dependencies(path("ld r1, [y]; atom.exch r0, [x], r1")) == {"data": {(0, 2)}}


def test_the_write_depends_on_the_operand() -> None:
    way = path("ld r1, [y]; atom.add r0, [x], r1")
    assert dependencies(way) == {"data": {(0, 2), (1, 2)}}


def test_the_write_of_cas_depends_on_read_and_operands() -> None:
    ways = paths("ld r1, [y]; ld r2, [z]; atom.cas r0, [x], r1, r2")
    way = taken(ways, {0: 1, 1: 2, 2: 1})
    assert dependencies(way) == {"data": {(0, 3), (1, 3), (2, 3)}}


def test_what_an_atom_returned_is_depended_on() -> None:
    assert dependencies(path("atom.exch r0, [x], 1; st [y], r0")) == {"data": {(0, 2)}}


def test_a_red_returns_nothing_to_depend_on() -> None:
    assert dependencies(path("red.add [x], 1; st [y], 1")) == {"data": {(0, 1)}}


# Branches


@pytest.mark.parametrize(
    "branch",
    [
        "beq r0, 0, L; ",
        "bne 1, r0, L; ",
        "blt r0, r0, L; ",
        "setp.eq p0, r0, 0; @p0 bra L; ",
        "setp.eq p0, r0, 0; @!p0 bra L; ",
        "@r0 goto L; ",
    ],
)
def test_everything_behind_a_branch_depends_on_it(branch: str) -> None:
    for way in paths(LOADED + branch + "st [y], 1; L: st [z], 1; ld r1, [y]; fence.cta"):
        assert dependencies(way) == {"ctrl": {(0, at) for at in range(1, len(way.events))}}


def test_both_sides_of_a_comparison_count() -> None:
    for way in paths("ld r0, [x]; ld r1, [y]; beq r0, r1, L; L: st [z], 1"):
        assert dependencies(way) == {"ctrl": {(0, 2), (1, 2)}}


def test_branches_add_up() -> None:
    code = "ld r0, [x]; beq r0, 0, L; L: ld r1, [y]; beq r1, 0, M; M: st [z], 1"
    for way in paths(code):
        assert dependencies(way) == {"ctrl": {(0, 1), (0, 2), (1, 2)}}


def test_a_branch_on_constants_is_no_dependency() -> None:
    assert dependencies(path("mov r0, 1; beq r0, 0, L; st [y], 1; L: st [z], 1")) == {}


def test_a_branch_on_a_value_that_is_known_is_still_a_dependency() -> None:
    way = path("ld r0, [x]; setp.eq p0, 1, 1; selp r1, 1, 1, r0; st [y], 1")
    assert dependencies(way) == {}
    for way in paths("ld r0, [x]; xor r1, r0, r0; beq r1, 0, L; L: st [y], 1"):
        assert dependencies(way) == {"ctrl": {(0, 1)}}


@pytest.mark.parametrize("leave", ["ret", "exit"])
def test_a_guarded_return_controls_what_follows(leave: str) -> None:
    way = taken(paths(PREDICATE + f"@p0 {leave}; st [y], 1"), {0: 0})
    assert dependencies(way) == {"ctrl": {(0, 1)}}


# Guards


def test_a_guard_controls_the_guarded_instruction_only() -> None:
    ways = paths(PREDICATE + "@p0 st [y], 1; st [z], 1")
    assert dependencies(taken(ways, {0: 1})) == {"ctrl": {(0, 1)}}
    assert len(taken(ways, {0: 1}).events) == 3
    assert dependencies(taken(ways, {0: 0})) == {}
    assert len(taken(ways, {0: 0}).events) == 2


def test_a_negated_guard_controls_as_well() -> None:
    ways = paths(PREDICATE + "@!p0 st [y], 1; st [z], 1")
    assert dependencies(taken(ways, {0: 0})) == {"ctrl": {(0, 1)}}
    assert len(taken(ways, {0: 1}).events) == 2


@pytest.mark.parametrize(
    ("code", "controlled"),
    [
        ("@p0 ld r1, [y]", {(0, 1)}),
        ("@p0 fence.sc.gpu", {(0, 1)}),
        ("@p0 atom.exch r1, [y], 1", {(0, 1), (0, 2)}),
        ("@p0 bar.sync 0", {(0, 1)}),
    ],
)
def test_guards_control_events_of_every_kind(code: str, controlled: set[tuple[int, int]]) -> None:
    way = taken(paths(f"{PREDICATE}{code}; st [z], 1"), {0: 1})
    assert dependencies(way) == {"ctrl": controlled}


def test_a_guard_that_is_known_is_no_dependency() -> None:
    assert dependencies(path("mov r0, 1; @r0 st [y], 1; @!r0 st [z], 1")) == {}


@pytest.mark.parametrize("code", ["mov r1, 6", "add r1, r1, 1", "ld r1, [y]"])
@pytest.mark.parametrize("value", [0, 1])
def test_the_destination_of_a_guarded_instruction_depends_on_its_guard(
    code: str, value: int
) -> None:
    ways = paths(PREDICATE + f"mov r1, 5; @p0 {code}; st [z], r1")
    way = taken(ways, {0: value, 1: 7})
    last = len(way.events) - 1
    assert (0, last) in pairs(way, "data")
    assert (0, last) not in pairs(way, "ctrl")


def test_a_skipped_instruction_leaves_its_destination_as_it_was() -> None:
    ways = paths(PREDICATE + "mov r1, 5; @p0 mov r1, 6; st [z], r1")
    assert register(taken(ways, {0: 0}), "r1") == 5
    assert register(taken(ways, {0: 1}), "r1") == 6
    assert written(taken(ways, {0: 0}), 1) == 5


def test_a_skipped_predicate_depends_on_its_guard() -> None:
    ways = paths(PREDICATE + "setp.eq p1, 1, 1; @p0 setp.eq p1, 1, 2; @p1 st [z], 1")
    assert dependencies(taken(ways, {0: 0})) == {"ctrl": {(0, 1)}}


def test_other_registers_do_not_depend_on_a_guard() -> None:
    ways = paths(PREDICATE + "mov r2, 5; @p0 mov r1, 6; st [z], r2")
    assert dependencies(taken(ways, {0: 0})) == {}
    assert dependencies(taken(ways, {0: 1})) == {}


# Barriers


def test_a_barrier_depends_on_the_predicate_it_reduces() -> None:
    way = path("ld r0, [x]; bar.red.popc.u32 r1, 0, r0; st [y], r1")
    assert (0, 1) in pairs(way, "data")
    assert (0, 2) in pairs(way, "data")
