"""Random hosts: kernels for the threads of a test, and the calls that launch and await them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_STREAMS = ("s", "t")
_ACCESSES = (
    "st.weak.u32 [x], 5",
    "st.weak.u32 [y], 5",
    "ld.weak.u32 r8, [x]",
    "ld.weak.u32 r9, [y]",
)


@dataclass(frozen=True)
class Host:
    """The kernel of each device thread, what stands before the threads, code of a host thread.

    Without that code there is no thread of the host.
    """

    kernels: tuple[str, ...]
    head: str
    code: tuple[str, ...]


def host(random: Random, threads: int) -> Host:
    """A host for some device threads."""
    count = random.randint(1, min(3, threads))
    names = [f"K{n}" for n in range(count)]
    kernels = [*names, *random.choices(names, k=threads - count)]
    graph, tasks = "", names
    if count > 1 and random.random() < 0.3:
        edge = random.choice(["K0 -> K1;", "K1 -> K0;", "K0; K1;"])
        graph, tasks = f"graph G {{ {edge} }}", ["G", *names[2:]]
    calls = _launches(random, tasks)
    in_block = random.choice([0, len(calls), len(calls), random.randint(0, len(calls))])
    block, code = calls[:in_block], calls[in_block:]
    if code or random.random() < 0.5:
        code += _awaits(random, calls)
    lines = [graph, f"host {{ {' '.join(f'{call};' for call in block)} }}" if block else ""]
    return Host(tuple(kernels), "\n".join(filter(None, lines)), tuple(code))


def _launches(random: Random, tasks: list[str]) -> list[str]:
    """Calls that launch most of some kernels and graphs, in streams that wait for each other."""
    calls: list[str] = []
    for task in tasks:
        stream = random.choice(_STREAMS)
        if any("record" in call for call in calls) and random.random() < 0.6:
            calls.append(f"wait {stream} e")
        if task == "G" or random.random() < 0.9:
            calls.append(f"launch {task} stream {stream}")
        if random.random() < 0.4:
            calls.append(f"record e {stream}")
        if random.random() < 0.1:
            calls.append("barrier")
    return calls


def _awaits(random: Random, calls: list[str]) -> list[str]:
    """What a thread of the host does at its end: accesses, and waiting for the device or not."""
    handles = [h for h in (*_STREAMS, "e") if any(h in call.split() for call in calls)]
    waits = ["sync", *(f"sync {handle}" for handle in handles)]
    waits += [f"query r7 {handle}" for handle in handles]
    between = [random.choice(waits)] if random.random() < 0.8 else []
    return [random.choice(_ACCESSES), *between, random.choice(_ACCESSES)]
