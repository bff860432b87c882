"""Where threads sit, and the scope relations that follow."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from catpy.arch import build_program
from catpy.arch.program import Event, Options
from tests.arch.helpers import program
from tests.litmus import helpers
from tests.support import outcome_of

RELATIONS = {"scta", "scluster", "sgpu", "ssys", "sr"}


def related(
    places: tuple[str, ...], codes: tuple[str, ...] | None = None
) -> Mapping[str, set[tuple[int, int]]]:
    """The scope relations between the events of threads at these places, one event each."""
    codes = codes or tuple("fence.sc.sys" for _ in places)
    prog = program(*codes, places=places)
    events: list[Event] = []
    for thread in prog.threads:
        (way,) = prog.paths(thread)
        events += way.events
    relations = prog.relations(events)
    # The units are there under the names of the scopes, too.
    for scope in ("cta", "cluster", "gpu", "sys"):
        assert relations[scope] == relations[f"scope:{scope}"] == relations[f"s{scope}"]
    return {name: set(found) for name, found in relations.items() if name in RELATIONS}


def shared(left: str, right: str) -> set[str]:
    """The scopes that two places have in common."""
    found = related((left, right))
    names = {name for name in RELATIONS - {"sr"} if (0, 1) in found[name]}
    assert names == {name for name in RELATIONS - {"sr"} if (1, 0) in found[name]}
    return names


def test_the_relations_there_are() -> None:
    assert set(related(("cta 0",))) == RELATIONS


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        # The same CTA, however much of it is written.
        ("cta 0,gpu 0", "cta 0,gpu 0", "scta scluster sgpu ssys"),
        ("cta 0", "cta 0,gpu 0", "scta scluster sgpu ssys"),
        ("gpu 0,cta 0", "cta 0,gpu 0", "scta scluster sgpu ssys"),
        ("cta 1,cluster 0,gpu 0", "cta 1,cluster 0", "scta scluster sgpu ssys"),
        # One cluster.
        ("cta 0,cluster 0,gpu 0", "cta 1,cluster 0,gpu 0", "scluster sgpu ssys"),
        ("cta 0,cluster 3,gpu 1", "cta 1,cluster 3,gpu 1", "scluster sgpu ssys"),
        # One GPU.
        ("cta 0,cluster 0,gpu 0", "cta 1,cluster 1,gpu 0", "sgpu ssys"),
        ("cta 0,gpu 0", "cta 1,gpu 0", "sgpu ssys"),
        ("cta 0", "cta 1", "sgpu ssys"),
        # Numbers are local to the enclosing unit.
        ("cta 0,gpu 0", "cta 0,gpu 1", "ssys"),
        ("cta 0,cluster 0,gpu 0", "cta 0,cluster 1,gpu 0", "sgpu ssys"),
        ("cta 0,cluster 0,gpu 0", "cta 0,cluster 0,gpu 1", "ssys"),
        # A CTA without a cluster is its own, and in nobody else's.
        ("cta 0,gpu 0", "cta 1,cluster 0,gpu 0", "sgpu ssys"),
        ("cta 0,gpu 0", "cta 0,cluster 0,gpu 0", "sgpu ssys"),
        # A thread without a CTA is alone in it.
        ("gpu 0", "gpu 0", "sgpu ssys"),
        ("gpu 0", "cta 0,gpu 0", "sgpu ssys"),
        ("gpu 1", "cta 0", "ssys"),
        ("cluster 0", "cluster 0", "scluster sgpu ssys"),
        # Numbers are local to the kernel, but for those of GPUs.
        ("kernel A,cta 0", "cta 0,gpu 0,kernel A", "scta scluster sgpu ssys"),
        ("kernel A,cta 0", "kernel B,cta 0", "sgpu ssys"),
        ("kernel A,cta 0", "cta 0", "sgpu ssys"),
        ("kernel A,cta 0", "kernel B,cta 0,gpu 1", "ssys"),
        ("kernel A,cta 0,cluster 0", "kernel A,cta 1,cluster 0", "scluster sgpu ssys"),
        ("kernel A,cta 0,cluster 0", "kernel B,cta 0,cluster 0", "sgpu ssys"),
        ("kernel A", "kernel A", "sgpu ssys"),
        # A thread of the host is alone in the system.
        ("host", "cta 0,gpu 0", "ssys"),
        ("host", "host", "ssys"),
    ],
)
def test_units_in_common(left: str, right: str, names: str) -> None:
    assert shared(left, right) == set(names.split())


def test_threads_without_a_place_are_in_different_ctas_of_one_gpu() -> None:
    found = related(("", ""))
    assert (0, 1) not in found["scta"]
    assert (0, 1) not in found["scluster"]
    assert (0, 1) in found["sgpu"]


def test_relations_are_reflexive_and_hold_between_all_events_of_threads() -> None:
    found = related(("cta 0", "cta 0"), ("ld r0, [x]; bar.sync 0; st [x], 1", "nop; fence.cta"))
    everything = {(x, y) for x in range(4) for y in range(4)}
    for name in ("scta", "scluster", "sgpu", "ssys"):
        assert found[name] == everything


def test_initial_writes_are_in_no_scope_relation() -> None:
    prog = program("st.relaxed.sys [x], 1", places=("cta 0",))
    initial = Event(None, 0, frozenset({"IW", "W"}), "x")
    found = prog.relations([initial, *prog.paths(0)[0].events])
    assert all(set(found[name]) == {(1, 1)} for name in RELATIONS)


# Scopes that include each other


@pytest.mark.parametrize(
    ("places", "scope", "other", "included"),
    [
        (("cta 0", "cta 0"), "cta", "cta", True),
        (("cta 0", "cta 0"), "cta", "sys", True),
        (("cta 0", "cta 1"), "cta", "cta", False),
        (("cta 0", "cta 1"), "gpu", "cta", False),
        (("cta 0", "cta 1"), "cta", "gpu", False),
        (("cta 0", "cta 1"), "gpu", "gpu", True),
        (("cta 0", "cta 1"), "gpu", "sys", True),
        (("cta 0", "cta 1"), "cluster", "gpu", False),
        (("cta 0,cluster 0", "cta 1,cluster 0"), "cluster", "gpu", True),
        (("cta 0,cluster 0", "cta 1,cluster 0"), "cluster", "cta", False),
        (("cta 0,cluster 0", "cta 1,cluster 1"), "cluster", "cluster", False),
        (("cta 0", "cta 0,gpu 1"), "gpu", "sys", False),
        (("cta 0", "cta 0,gpu 1"), "sys", "gpu", False),
        (("cta 0", "cta 0,gpu 1"), "sys", "sys", True),
        (("kernel A,cta 0", "kernel B,cta 0"), "cta", "cta", False),
        (("kernel A,cta 0", "kernel B,cta 0"), "gpu", "gpu", True),
        (("host", "cta 0"), "sys", "sys", True),
        (("host", "cta 0"), "sys", "gpu", False),
        (("host", "cta 0"), "gpu", "sys", False),
        (("host", "host"), "gpu", "gpu", False),
    ],
)
def test_both_scopes_have_to_include_the_other_thread(
    places: tuple[str, str], scope: str, other: str, included: bool
) -> None:
    codes = (f"st.relaxed.{scope} [x], 1", f"ld.relaxed.{other} r0, [x]")
    found = related(places, codes)["sr"]
    assert ((0, 1) in found) is ((1, 0) in found) is included


def test_events_without_a_scope_are_in_no_pair() -> None:
    code = "ld.weak r0, [x]; bar.sync 0; fence.proxy.alias; fence.sc.cta"
    assert related(("cta 0", "cta 0"), (code, "nop"))["sr"] == {(3, 3)}


def test_default_scopes_count() -> None:
    codes = ("red.add [x], 1", "ld.volatile r0, [x]")
    everything = {(x, y) for x in range(3) for y in range(3)}
    assert related(("cta 0", "cta 1"), codes)["sr"] == everything
    assert (0, 2) not in related(("cta 0", "cta 0,gpu 1"), codes)["sr"]


# Bad places


@pytest.mark.parametrize(
    ("place", "message", "hint"),
    [
        ("clutser 0", "a thread has no level `clutser`", "`cluster`"),
        ("sys 0", "a thread has no level `sys`", "kernel, cta, cluster and gpu"),
        ("cta 0,cta 1", "a level is given twice", ""),
        ("gpu 0,cta 0,gpu 0", "a level is given twice", ""),
        ("host,cta 0", "a thread of the host is in no kernel, CTA, cluster or GPU", ""),
        ("gpu 0,host", "a thread of the host is in no kernel", ""),
        ("kernel A,host", "a thread of the host is in no kernel", ""),
        ("krenel 0", "a thread has no level `krenel`", "`kernel`"),
    ],
)
def test_bad_places(place: str, message: str, hint: str) -> None:
    text = f"PTX t\n{{ }}\nP0 {{ nop; }}\n▸P1@{place} {{ nop; }}\n"
    helpers.fails(text, message, hint, lambda t: build_program(helpers.parse(t), Options()))


def test_a_kernel_is_on_one_gpu() -> None:
    text = "PTX t\nP0@kernel A,gpu 1 { nop; }\n▸P1@kernel A { nop; }\n"
    message = "kernel `A` runs on one GPU"
    helpers.fails(text, message, "", lambda t: build_program(helpers.parse(t), Options()))


def test_two_kernels_have_no_shared_memory_in_common() -> None:
    writer, reader = "P0@kernel {},cta 0 {{ st [s], 1; }}", "P1@kernel {},cta 0 {{ ld r0, [s]; }}"
    text = f"PTX t\n{{{{ .shared .u32 s = 0; }}}}\n{writer}\n{reader}\nexists (1:r0=1)\n"
    assert outcome_of(text.format("A", "A")).verdict.value == "Ok"
    assert outcome_of(text.format("A", "B")).verdict.value == "No"
