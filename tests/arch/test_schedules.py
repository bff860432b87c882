"""The relation `api` against schedules: x comes before y if y never starts before x has ended.

All schedules of small random hosts are walked through: the host makes its calls in order, streams
work off their tasks in order, and nothing else holds anything back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from tests.arch.test_host import ordered

KERNELS = 4
GRAPHS = {"G": [("K2", "K3")], "H": [("K2", "K3"), ("K2", "K1")], "I": []}

EVENTS = "efz"

#: What is waited for where an event has no record yet.
NOTHING = "nothing"

#: A task: what it does, and what that is about.
Task = tuple[str, str]


@dataclass(frozen=True)
class State:
    """Calls made, tasks in each stream (the first is at work), latest records, what is over."""

    made: int
    streams: tuple[tuple[str, tuple[Task, ...]], ...]
    records: tuple[tuple[str, str], ...] = ()
    started: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()

    def put(self, stream: str, task: Task) -> State:
        streams = {**dict(self.streams)}
        streams[stream] = (*streams[stream], task)
        return replace(self, streams=tuple(streams.items()))

    def pop(self, stream: str, over: str = "") -> State:
        streams = {name: tasks[name == stream :] for name, tasks in self.streams}
        return replace(self, streams=tuple(streams.items()), over=self.over | {over})


def calls_of(state: State, calls: list[str]) -> Iterator[State]:
    """The next call of the host, if it can be made and returned from."""
    if state.made == len(calls):
        return
    verb, *names = calls[state.made].split()
    after, here = replace(state, made=state.made + 1), str(state.made)
    records = dict(state.records)
    match verb, names:
        case "launch", [task, _, stream]:
            yield after.put(stream, ("graph" if task in GRAPHS else "kernel", task))
        case "record", [event, stream]:
            latest = {**records, event: here}
            yield replace(after, records=tuple(latest.items())).put(stream, ("record", here))
        case "wait", [stream, event]:
            yield after.put(stream, ("wait", records.get(event, NOTHING)))
        case "barrier", []:
            for stream, _ in state.streams:
                after = after.put(stream, ("record", f"{here} {stream}"))
            for stream, _ in state.streams:
                for other, _ in state.streams:
                    after = after.put(stream, ("wait", f"{here} {other}"))
            yield after
        case "sync", [handle] if handle in EVENTS:
            if records.get(handle, NOTHING) in {NOTHING, *state.over}:
                yield after
        case "sync", waited:
            if not any(tasks for stream, tasks in state.streams if stream in waited or not waited):
                yield after


def steps_of(state: State) -> Iterator[tuple[State, str]]:
    """What the streams can do next, with the kernel that starts by it if one does."""
    for stream, tasks in state.streams:
        if not tasks:
            continue
        match tasks[0]:
            case "record", name:
                yield state.pop(stream, name), ""
            case "wait", name:
                if name in {NOTHING, *state.over}:
                    yield state.pop(stream), ""
            case "kernel", name:
                if name in state.over:
                    yield state.pop(stream), ""
                else:
                    yield kernel_step(state, name)
            case _, graph:
                yield from graph_steps(state, stream, GRAPHS[graph])


def graph_steps(
    state: State, stream: str, edges: list[tuple[str, str]]
) -> Iterator[tuple[State, str]]:
    nodes = {node for edge in edges for node in edge} or {"K2", "K3"}
    if nodes <= state.over:
        yield state.pop(stream), ""
    for node in sorted(nodes - state.over):
        if all(first in state.over for first, second in edges if second == node):
            yield kernel_step(state, node)


def kernel_step(state: State, name: str) -> tuple[State, str]:
    if name in state.started:
        return replace(state, over=state.over | {name}), ""
    return replace(state, started=state.started | {name}), name


def never_overtaken(calls: list[str], streams: list[str], kernels: set[str]) -> set[str]:
    """The pairs of kernels where no schedule starts the second before it has ended the first."""
    start = State(0, tuple((stream, ()) for stream in streams))
    seen, pending = {start}, [start]
    pairs = {(x, y) for x in kernels for y in kernels if x != y}
    while pending:
        state = pending.pop()
        moves = [*((call, "") for call in calls_of(state, calls)), *steps_of(state)]
        for after, kernel in moves:
            pairs -= {(x, kernel) for x in kernels - state.over if kernel}
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return {f"{x[1:]}{y[1:]}" for x, y in pairs}


def random_host(random: Random) -> tuple[list[str], list[str], str, set[str]]:
    """The calls of a host, its streams, the text of its graph, the kernels that are launched."""
    streams = ["s", "t", "u"][: random.randint(2, 3)]
    graph = random.choice(["", *GRAPHS])
    inside = {node for edge in GRAPHS.get(graph, ()) for node in edge} or {"K2", "K3"}
    tasks = [f"K{n}" for n in range(KERNELS) if not graph or f"K{n}" not in inside]
    tasks += [graph] if graph else []
    random.shuffle(tasks)
    calls = [f"record z {stream}" for stream in streams]
    while tasks:
        stream, verb = random.choice(streams), random.choice("lllrrwwwwsb")
        if verb == "l":
            calls.append(f"launch {tasks.pop()} stream {stream}")
        elif verb == "r":
            calls.append(f"record {random.choice('ef')} {stream}")
        elif verb == "w":
            calls.append(f"wait {stream} {random.choice(EVENTS)}")
        elif verb == "b" and random.random() < 0.5:
            calls.append("barrier")
        elif verb == "s" and random.random() < 0.7:
            calls.append(random.choice([f"sync {stream}", f"sync {random.choice(EVENTS)}"]))
        elif verb == "s" and random.random() < 0.5:
            calls.append("sync")
    calls += [f"record {event} s" for event in EVENTS]  # one that is never recorded is a mistake
    text = "; ".join(f"{x} -> {y}" for x, y in GRAPHS.get(graph, ())) or "K2; K3"
    kernels = {f"K{n}" for n in range(KERNELS)}
    return calls, streams, f"graph {graph} {{ {text}; }}" if graph else "", kernels


@pytest.mark.parametrize("seed", range(150))
def test_schedules(seed: int) -> None:
    calls, streams, graph, kernels = random_host(Random(seed))
    wanted = never_overtaken(calls, streams, kernels)
    assert ordered(f"{graph} host {{ {'; '.join(calls)}; }}", KERNELS) == wanted, calls
