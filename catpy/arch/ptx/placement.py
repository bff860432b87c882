"""Where threads sit (CTA, cluster, GPU, system), and the scope relations that follow (§8.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catpy.arch.program import Event
from catpy.errors import TestError, did_you_mean
from catpy.litmus.syntax import Thread

_LEVELS = ("cta", "cluster", "gpu")

#: Scope tags from the narrowest to the widest, with the relation "in the same unit".
SCOPES = {"CTA": "scta", "CLUSTER": "scluster", "GPU": "sgpu", "SYS": "ssys"}


@dataclass(frozen=True, slots=True)
class Place:
    """The units a thread is in, each a path from the outside in, so that numbers can be local.

    `units` are their names, from the outside in, none for a thread of the host; `rank` is the
    number of the CTA in its cluster.
    """

    cta: tuple[int, ...]
    cluster: tuple[int, ...]
    gpu: tuple[int, ...]
    units: tuple[str, ...]
    rank: int

    @property
    def is_host(self) -> bool:
        """Whether it is that of a thread of the host."""
        return not self.units

    def shares(self, other: Place, scope: str) -> bool:
        """Whether both are in one unit of the scope (a tag such as `CTA`)."""
        match scope:
            case "CTA":
                return self.cta == other.cta
            case "CLUSTER":
                return self.cluster == other.cluster
            case "GPU":
                return self.gpu == other.gpu
        return True


def places_of(threads: Sequence[Thread]) -> dict[int, Place]:
    """The place of each thread. Raises TestError at the header of one that makes no sense."""
    kernels = sorted({thread.kernel for thread in threads if thread.kernel is not None})
    numbers = {None: 0} | {name: number for number, name in enumerate(kernels, start=1)}
    places = {thread.number: place_of(thread, numbers[thread.kernel]) for thread in threads}
    devices: dict[str, Place] = {}
    for thread in threads:
        if thread.kernel is not None:
            place = places[thread.number]
            if not devices.setdefault(thread.kernel, place).shares(place, "GPU"):
                message = f"kernel `{thread.kernel}` runs on one GPU, and others of its threads"
                raise TestError(f"{message} are on another", thread.span)
    return places


def place_of(thread: Thread, kernel: int) -> Place:
    """The place a column's header gives. Numbers are local to the enclosing unit.

    A thread without a CTA is alone in its own; without a cluster, each CTA is its own cluster;
    without a GPU, it is GPU 0. Clusters and CTAs are those of a kernel, by its number; 0 is for the
    threads of none. A thread of the host shares a scope with others in the system only.
    """
    for level, _ in thread.placement:
        if level not in _LEVELS:
            hint = did_you_mean(level, [*_LEVELS, "kernel", "host"])
            hint = hint or "the levels are kernel, cta, cluster and gpu"
            raise TestError(f"a thread has no level `{level}`", thread.span, hint)
    units = dict(thread.placement)
    if len(units) != len(thread.placement):
        raise TestError("a level is given twice", thread.span)
    # Negative numbers are the units that nobody numbered, so that they meet no numbered one.
    unnumbered = -1 - thread.number
    if thread.is_host:
        if units or thread.kernel is not None:
            message = "a thread of the host is in no kernel, CTA, cluster or GPU"
            raise TestError(message, thread.span)
        return Place((unnumbered,), (unnumbered,), (unnumbered,), (), 0)
    gpu = (units.get("gpu", 0),)
    cta = units.get("cta", unnumbered)
    names = [f"gpu{gpu[0]}", *([thread.kernel] if thread.kernel is not None else [])]
    names += [f"{level}{units[level]}" for level in ("cluster", "cta") if level in units]
    path = (*names, *([] if "cta" in units else [f"P{thread.number}"]))
    if "cluster" in units:
        cluster = (*gpu, kernel, 1, units["cluster"])
        return Place((*cluster, cta), cluster, gpu, path, cta)
    own = (*gpu, kernel, 0, cta)
    return Place(own, own, gpu, path, 0)


def scope_relations(
    events: Sequence[Event], places: Mapping[int, Place]
) -> dict[str, list[tuple[int, int]]]:
    """`scta scluster sgpu ssys`, and `sr`: each event names a scope that includes the other.

    The same units are there under the names of the scopes (`cta`, …), and as `scope:cta` for the
    primitives of cat that go by tags.
    """
    relations: dict[str, list[tuple[int, int]]] = {name: [] for name in SCOPES.values()}
    relations["sr"] = []
    members: dict[int, list[int]] = {}
    for number, event in enumerate(events):
        if event.thread is not None:
            members.setdefault(event.thread, []).append(number)
    scopes = [scope_of(event) for event in events]
    for first, left in members.items():
        for second, right in members.items():
            shared = {s for s in SCOPES if places[first].shares(places[second], s)}
            pairs = [(x, y) for x in left for y in right]
            for scope in shared:
                relations[SCOPES[scope]] += pairs
            relations["sr"] += [(x, y) for x, y in pairs if {scopes[x], scopes[y]} <= shared]
    for scope, name in SCOPES.items():
        relations[scope.lower()] = relations[f"scope:{scope.lower()}"] = relations[name]
    return relations


def scope_of(event: Event) -> str | None:
    """The scope tag of an event, None where it names no scope."""
    return next((scope for scope in SCOPES if scope in event.sets), None)
