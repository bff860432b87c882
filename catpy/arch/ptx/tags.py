"""The sets that events of this front end can be in."""

from __future__ import annotations

from collections.abc import Mapping

#: What each set says of an event, by what it speaks of. `IW`, the set of initial writes, and `M`,
#: which is `R | W`, are the engine's.
TAGS: Mapping[str, Mapping[str, str]] = {
    "Kinds": {
        "R": "reads of memory",
        "W": "writes of memory",
        "F": "fences, proxy fences included",
        "BAR": "arrivals at barriers of CTAs and clusters, waits there, and what does both",
        "WAIT": "waits of a thread for its asynchronous copies",
        "API": "calls of the host",
    },
    "Semantics": {
        "WEAK": "weak reads and writes",
        "RLX": "relaxed ones, and relaxed arrivals",
        "ACQ": "acquiring reads, fences and waits",
        "REL": "releasing writes, fences and arrivals",
        "ACQ_REL": "fences that acquire and release",
        "SC": "fences with `.sc`; that they acquire and release as well is for models to say",
        "VOLATILE": "accesses with `.volatile`",
        "MMIO": "accesses with `.mmio`",
    },
    "Scopes": {
        "CTA": "events whose scope is their CTA",
        "CLUSTER": "events whose scope is their cluster",
        "GPU": "events whose scope is their GPU",
        "SYS": "events whose scope is the whole system",
    },
    "Proxies": {
        "GEN": "accesses by the generic proxy, and fences that are no proxy fences",
        "ASYNC": "accesses by the async proxy, and proxy fences for it",
        "TENSORMAP": "reads of tensormaps by their proxy, and proxy fences for it",
        "FABRIC": "proxy fences for the fabric proxy, by which nothing is accessed here",
        "READONLY": "accesses with `.proxy::readonly`",
        "TEX": "accesses by the texture proxy, and proxy fences for it",
        "SUR": "accesses by the surface proxy, and proxy fences for it",
        "CON": "accesses by the constant proxy, and proxy fences for it",
        "ALIAS": "proxy fences between aliases of a location",
    },
    "State spaces": {
        "GLOBAL": "accesses of global memory, and proxy fences for that alone",
        "SHARED": "accesses of the shared memory of a CTA, and proxy fences for that alone",
        "CONST": "accesses of constant memory",
        "LOCAL": "accesses of local memory and of parameters",
    },
    "Atomic operations and fences": {
        "ATOM": "reads and writes of `atom`",
        "RED": "reads and writes of reductions: `red`, `red.async`, `cp.reduce.async.bulk`",
        "PROXY_FENCE": "proxy fences",
        "RESTRICTED": "fences with `.sync_restrict`, which order accesses of shared memory only",
        "READS": "fences that release what their own thread has read, and nothing else",
        "MBAR_INIT_FENCE": "fences that order what is in `MBAR_INIT`, and nothing else",
    },
    "Barriers": {
        "BAR_SYNC": "steps of `bar.sync`, which arrives and waits",
        "BAR_ARRIVE": "steps of `bar.arrive`, which arrives and goes on",
        "BAR_RED": "steps of `bar.red`, which arrives, waits, and returns the reduction",
        "CLUSTER_ARRIVE": "arrivals at the barrier of a cluster",
        "CLUSTER_WAIT": "waits at the barrier of a cluster",
        "MBARRIER": "operations on mbarriers, and the initial writes that make one",
        "MBAR_INIT": "writes that initialise an mbarrier",
    },
    "Asynchronous operations": {
        "ASYNC_OP": "what is in no program order; `issued` and `completes` order it",
        "IMPLICIT": "proxy fences and signals that come with asynchronous operations",
    },
}

#: Every set an event of this front end can be in, besides `IW`.
SET_NAMES = frozenset(name for group in TAGS.values() for name in group)

#: The sets of which an event is in one at most: how it orders others.
ORDERS = frozenset(TAGS["Semantics"]) - {"VOLATILE", "MMIO"}
