"""Where threads sit (CTA, cluster, GPU, system), and the scope relations that follow (§8.5)."""

from __future__ import annotations

from collections.abc import Sequence
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

    `units` are their names, from the outside in; `rank` is the number of the CTA in its cluster.
    """

    cta: tuple[int, ...]
    cluster: tuple[int, ...]
    gpu: tuple[int, ...]
    units: tuple[str, ...]
    rank: int

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


def place_of(thread: Thread) -> Place:
    """The place a column's header gives. Numbers are local to the enclosing unit.

    A thread without a CTA is alone in its own; without a cluster, each CTA is its own cluster;
    without a GPU, it is GPU 0.
    """
    for level, _ in thread.placement:
        if level not in _LEVELS:
            hint = did_you_mean(level, _LEVELS) or "the levels are cta, cluster and gpu"
            raise TestError(f"a thread has no level `{level}`", thread.span, hint)
    units = dict(thread.placement)
    if len(units) != len(thread.placement):
        raise TestError("a level is given twice", thread.span)
    gpu = (units.get("gpu", 0),)
    # Negative numbers are the units that nobody numbered, so that they meet no numbered one.
    cta = units.get("cta", -1 - thread.number)
    names = [f"{level}{units[level]}" for level in ("cluster", "cta") if level in units]
    if "cta" not in units:
        names.append(f"P{thread.number}")
    path = (f"gpu{gpu[0]}", *names)
    if "cluster" in units:
        cluster = (*gpu, 1, units["cluster"])
        return Place((*cluster, cta), cluster, gpu, path, cta)
    own = (*gpu, 0, cta)
    return Place(own, own, gpu, path, 0)


def scope_relations(
    events: Sequence[Event], places: dict[int, Place]
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
