"""The events of instructions: kinds, semantics and scopes with their defaults, state spaces."""

from __future__ import annotations

import pytest

from tests.arch.helpers import path, program, sets

SCOPES = {"cta": "CTA", "cluster": "CLUSTER", "gpu": "GPU", "sys": "SYS"}


def expected(words: str) -> list[set[str]]:
    """Sets of events, written with ` / ` between them."""
    return [set(event.split()) for event in words.split(" / ")]


# Loads and stores


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("ld r0, [x]", "R WEAK GEN"),
        ("ld.u32 r0, [x]", "R WEAK GEN"),
        ("ld.weak r0, [x]", "R WEAK GEN"),
        ("ld.volatile r0, [x]", "R RLX SYS VOLATILE GEN"),
        ("ld.mmio.relaxed.sys r0, [x]", "R RLX SYS MMIO GEN"),
        ("ld.mmio.acquire.sys r0, [x]", "R ACQ SYS MMIO GEN"),
        ("st [x], 1", "W WEAK GEN"),
        ("st.u32 [x], 1", "W WEAK GEN"),
        ("st.weak [x], 1", "W WEAK GEN"),
        ("st.volatile [x], 1", "W RLX SYS VOLATILE GEN"),
        ("st.mmio.relaxed.sys [x], 1", "W RLX SYS MMIO GEN"),
    ],
)
def test_loads_and_stores(code: str, words: str) -> None:
    assert sets(code) == expected(words)


@pytest.mark.parametrize(("scope", "tag"), SCOPES.items())
def test_strong_loads_and_stores(scope: str, tag: str) -> None:
    assert sets(f"ld.relaxed.{scope} r0, [x]") == expected(f"R RLX {tag} GEN")
    assert sets(f"ld.acquire.{scope} r0, [x]") == expected(f"R ACQ {tag} GEN")
    assert sets(f"st.relaxed.{scope} [x], 1") == expected(f"W RLX {tag} GEN")
    assert sets(f"st.release.{scope} [x], 1") == expected(f"W REL {tag} GEN")


# Atomic operations


@pytest.mark.parametrize(
    ("written", "read", "write"),
    [
        ("", "RLX", "RLX"),
        (".relaxed", "RLX", "RLX"),
        (".acquire", "ACQ", "RLX"),
        (".release", "RLX", "REL"),
        (".acq_rel", "ACQ", "REL"),
    ],
)
@pytest.mark.parametrize(
    ("scope", "tag"), [("", "GPU"), *((f".{scope}", tag) for scope, tag in SCOPES.items())]
)
@pytest.mark.parametrize("operation", ["add", "exch"])
def test_atom(written: str, read: str, write: str, scope: str, tag: str, operation: str) -> None:
    code = f"atom{written}{scope}.{operation} r0, [x], 1"
    assert sets(code) == expected(f"R {read} {tag} GEN ATOM / W {write} {tag} GEN ATOM")


@pytest.mark.parametrize(
    ("written", "write"), [("", "RLX"), (".relaxed", "RLX"), (".release", "REL")]
)
@pytest.mark.parametrize(
    ("scope", "tag"), [("", "GPU"), *((f".{scope}", tag) for scope, tag in SCOPES.items())]
)
def test_red(written: str, write: str, scope: str, tag: str) -> None:
    code = f"red{written}{scope}.add [x], 1"
    assert sets(code) == expected(f"R RLX {tag} GEN RED / W {write} {tag} GEN RED")


def test_an_atom_whose_result_is_dropped_is_still_an_atom() -> None:
    assert sets("atom.add _, [x], 1") == sets("atom.add r0, [x], 1")


# Fences


@pytest.mark.parametrize(("scope", "tag"), SCOPES.items())
@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("", "ACQ_REL"),
        (".acq_rel", "ACQ_REL"),
        (".sc", "SC"),
        (".acquire", "ACQ"),
        (".release", "REL"),
    ],
)
def test_fence(written: str, order: str, scope: str, tag: str) -> None:
    assert sets(f"fence{written}.{scope}") == expected(f"F {order} {tag} GEN")


@pytest.mark.parametrize(("level", "scope"), [("cta", "cta"), ("gl", "gpu"), ("sys", "sys")])
def test_membar_is_a_fence_sc(level: str, scope: str) -> None:
    assert sets(f"membar.{level}") == sets(f"fence.sc.{scope}")


@pytest.mark.parametrize("code", ["fence.proxy.alias", "membar.proxy.alias"])
def test_alias_fence_has_no_semantics_and_no_scope(code: str) -> None:
    assert sets(code) == expected("F PROXY_FENCE ALIAS")


# Barriers


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("bar.sync 0", "BAR BAR_SYNC"),
        ("bar.cta.sync 0, 1", "BAR BAR_SYNC"),
        ("barrier.cta.sync.aligned 0", "BAR BAR_SYNC"),
        ("bar.arrive 0, 2", "BAR BAR_ARRIVE"),
        ("barrier.arrive 0, 2", "BAR BAR_ARRIVE"),
        ("bar.red.popc.u32 r0, 0, 1", "BAR BAR_RED"),
        ("barrier.cta.red.and.pred p0, 0, 1", "BAR BAR_RED"),
    ],
)
def test_barriers(code: str, words: str) -> None:
    assert sets(code) == expected(words)


# State spaces


@pytest.mark.parametrize(
    ("space", "tag"),
    [
        ("global", "GLOBAL"),
        ("shared", "SHARED"),
        ("shared::cta", "SHARED"),
        ("shared::cluster", "SHARED"),
        ("const", "CONST"),
        ("local", "LOCAL"),
        ("param", "LOCAL"),
    ],
)
def test_state_spaces(space: str, tag: str) -> None:
    assert sets(f"ld.{space} r0, [x]") == expected(f"R WEAK GEN {tag}")
    assert sets("ld r0, [x]", init=f".{space} .u32 x;") == expected(f"R WEAK GEN {tag}")


@pytest.mark.parametrize(("space", "tag"), [("global", "GLOBAL"), ("shared", "SHARED")])
def test_state_spaces_of_atomic_operations(space: str, tag: str) -> None:
    assert sets("atom.add r0, [x], 1", init=f".{space}.u32 x;") == expected(
        f"R RLX GPU GEN ATOM {tag} / W RLX GPU GEN ATOM {tag}"
    )


def test_elements_and_aliases_are_in_the_space_of_their_variable() -> None:
    init = ".shared .u32 a[2] = {0, 0}; b aliases a;"
    assert sets("ld.u32 r0, [a+4]; ld.u32 r1, [b]", init=init) == expected(
        "R WEAK GEN SHARED / R WEAK GEN SHARED"
    )


# No events


@pytest.mark.parametrize(
    "code", ["nop", "mov r0, 1", "add r0, r1, 1", "L: bra M; M:", "ret", "exit", ".reg .u32 %r1"]
)
def test_instructions_without_events(code: str) -> None:
    assert path(code).events == ()


def test_every_set_of_an_event_is_announced() -> None:
    code = "ld.volatile r0, [x]; st.mmio.relaxed.sys [x], 1; fence.proxy.alias; bar.sync 0"
    prog = program(code)
    (way,) = prog.paths(0)
    assert all(event.sets <= prog.set_names for event in way.events)


# What an event knows besides


def test_events_are_numbered_in_program_order() -> None:
    way = path("ld r0, [x]; fence.cta; atom.add r1, [y], 1; st [z], 1")
    assert [event.index for event in way.events] == [0, 1, 2, 3, 4]
    assert {event.thread for event in way.events} == {0}


def test_kinds_are_told_apart() -> None:
    way = path("ld r0, [x]; st [x], 1; fence.cta; bar.sync 0")
    assert [event.is_read for event in way.events] == [True, False, False, False]
    assert [event.is_write for event in way.events] == [False, True, False, False]


@pytest.mark.parametrize(
    ("kind", "bits"), [("u8", 8), ("b16", 16), ("s32", 32), ("u64", 64), ("f32", 32)]
)
def test_typed_accesses_have_a_width(kind: str, bits: int) -> None:
    way = path(f"ld.{kind} r0, [x]; st.{kind} [x], 1")
    assert [event.bits for event in way.events] == [bits] * 2


@pytest.mark.parametrize(("kind", "bits"), [("b32", 32), ("b64", 64)])
def test_typed_atomic_operations_have_a_width(kind: str, bits: int) -> None:
    way = path(f"atom.exch.{kind} r1, [x], 1")
    assert [event.bits for event in way.events] == [bits] * 2


def test_untyped_accesses_have_no_width() -> None:
    way = path("ld r0, [x]; st [x], 1; fence.cta")
    assert [event.bits for event in way.events] == [None, None, None]


def test_only_memory_events_have_a_location() -> None:
    way = path("ld r0, [x]; st [y], 1; fence.cta; bar.sync 0")
    assert [event.location for event in way.events] == ["x", "y", None, None]
    assert [event.address for event in way.events] == ["x", "y", None, None]


def test_events_know_their_instruction() -> None:
    way = path("ld r0, [x];\n  st [y], 1")
    assert [event.span and event.span.text for event in way.events] == ["ld r0, [x]", "st [y], 1"]
    assert [str(event.span) for event in way.events] == ["t.litmus:4:1", "t.litmus:5:3"]
