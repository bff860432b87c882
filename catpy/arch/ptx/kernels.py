"""Kernels, graphs and the calls of the host that launch them, checked against each other.

Whatever is a mistake however the test runs is found here. What depends on how it runs (an event
that is recorded too late, a launch in a loop) is found by `catpy.arch.ptx.host`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from catpy.arch.ptx.placement import Place
from catpy.errors import TestError, did_you_mean
from catpy.litmus import LitmusTest
from catpy.litmus.syntax import Barrier, Call, Graph, Launch, Name, Query, Record, Sync, Wait


@dataclass(frozen=True)
class HostSide:
    """What a test declares of its host.

    `kernels` gives the threads of each kernel, `launched` those that some call launches: the others
    run whenever they like. `streams` are all that are used, `threads` those of the host.
    """

    kernels: Mapping[str, frozenset[int]]
    graphs: Mapping[str, Graph]
    launched: frozenset[str]
    streams: tuple[str, ...]
    block: tuple[Call, ...]
    threads: tuple[int, ...]


def host_side(
    test: LitmusTest, calls: dict[int, Sequence[Call]], places: Mapping[int, Place]
) -> HostSide:
    """The host of a test, given the calls in the text of its host threads.

    Raises TestError with the place of the first mistake.
    """
    kernels: dict[str, set[int]] = {}
    for thread in test.threads:
        if thread.kernel is not None:
            kernels.setdefault(thread.kernel, set()).add(thread.number)
    everything = [*test.host, *(call for thread in calls.values() for call in thread)]
    nodes = _check_graphs(test.graphs, kernels)
    launches = _check_launches(everything, test.graphs, kernels, nodes)
    kinds = _check_handles(everything)
    for graph in test.graphs:
        if graph.name.text not in launches:
            hint = f"`launch {graph.name} stream s` launches it"
            raise TestError(f"graph `{graph.name}` is never launched", graph.name.span, hint)
    devices = {name: places[min(threads)].gpu for name, threads in kernels.items()}
    _check_devices(everything, devices)
    _check_block(test.host)
    streams = tuple(handle for handle, kind in kinds.items() if kind == "stream")
    _check_order(calls, streams)
    return HostSide(
        {name: frozenset(threads) for name, threads in kernels.items()},
        {graph.name.text: graph for graph in test.graphs},
        frozenset(nodes) | (launches & kernels.keys()),
        streams,
        test.host,
        tuple(thread.number for thread in test.threads if thread.is_host),
    )


# Kernels and graphs


def _check_graphs(graphs: Sequence[Graph], kernels: Iterable[str]) -> dict[str, Name]:
    """The graph of each kernel that is in one."""
    owners: dict[str, Name] = {}
    seen: set[str] = set()
    for graph in graphs:
        if graph.name.text in seen or graph.name.text in kernels:
            raise TestError(f"there are two things called `{graph.name}`", graph.name.span)
        seen.add(graph.name.text)
        for node in graph.nodes:
            if node.text not in kernels:
                raise _no_task("kernel", node, kernels)
            if owners.setdefault(node.text, graph.name) != graph.name:
                message = f"kernel `{node}` is in graph `{owners[node.text]}` already"
                raise TestError(message, node.span)
        node_order(graph)
    return owners


def node_order(graph: Graph) -> list[str]:
    """The kernels of a graph, each after those it depends on. Raises TestError at a cycle."""
    sorter: TopologicalSorter[str] = TopologicalSorter({node.text: () for node in graph.nodes})
    for first, second in graph.edges:
        sorter.add(second.text, first.text)
    try:
        return list(sorter.static_order())
    except CycleError as problem:
        cycle: list[str] = problem.args[1]
        steps = set(pairwise(cycle))
        spans = [y.span for x, y in graph.edges if (x.text, y.text) in steps]
        message = f"these edges run in a circle: {' -> '.join(cycle)}"
        raise TestError(message, max(spans, key=lambda span: span.start)) from None


def _check_launches(
    calls: Sequence[Call],
    graphs: Sequence[Graph],
    kernels: Iterable[str],
    nodes: Mapping[str, Name],
) -> frozenset[str]:
    """The kernels and graphs that are launched by their own name."""
    launched: set[str] = set()
    tasks = {*kernels, *(graph.name.text for graph in graphs)}
    for call in calls:
        if not isinstance(call, Launch):
            continue
        name = call.task.text
        if name not in tasks:
            raise _no_task("kernel or graph", call.task, tasks)
        if name in nodes:
            message = f"kernel `{name}` is launched with its graph `{nodes[name]}`"
            raise TestError(message, call.task.span)
        if name in launched:
            hint = "its threads run once: give a second launch a kernel of its own"
            raise TestError(f"`{name}` is launched twice", call.task.span, hint)
        launched.add(name)
    return frozenset(launched)


def _no_task(what: str, name: Name, known: Iterable[str]) -> TestError:
    hint = did_you_mean(name.text, known) or f"`P0@kernel {name},cta 0` is a thread of it"
    return TestError(f"there is no {what} `{name}`", name.span, hint)


def _check_devices(calls: Sequence[Call], devices: Mapping[str, tuple[int, ...]]) -> None:
    streams: dict[str, tuple[int, ...]] = {}
    for call in calls:
        if isinstance(call, Launch) and call.task.text in devices:
            device = devices[call.task.text]
            if streams.setdefault(call.stream.text, device) != device:
                message = f"stream `{call.stream}` belongs to another GPU than `{call.task}`"
                hint = "kernels on several GPUs are launched in streams of their own"
                raise TestError(message, call.stream.span, hint)


# Streams and events


def _handles(call: Call) -> Iterator[tuple[Name, str]]:
    """The streams and events whose kind a call settles."""
    match call:
        case Launch(_, stream):
            yield stream, "stream"
        case Record(event, stream) | Wait(stream, event):
            yield stream, "stream"
            yield event, "event"


def _check_handles(calls: Sequence[Call]) -> dict[str, str]:
    """The kind of every stream and event: `stream` or `event`."""
    kinds: dict[str, str] = {}
    for call in calls:
        for name, kind in _handles(call):
            if kinds.setdefault(name.text, kind) != kind:
                hint = "`record e s` names the event first, `wait s e` the stream"
                raise TestError(f"`{name}` is a stream and an event", name.span, hint)
    recorded = {call.event.text for call in calls if isinstance(call, Record)}
    for call in calls:
        handle = _asked(call)
        if handle is not None and handle.text not in kinds:
            hint = did_you_mean(handle.text, kinds) or "a call that enqueues in a stream makes it"
            raise TestError(f"there is no stream or event `{handle}`", handle.span, hint)
        event = call.event if isinstance(call, Wait) else handle
        if event is not None and kinds[event.text] == "event" and event.text not in recorded:
            hint = f"`record {event} s` records it in stream s"
            raise TestError(f"event `{event}` is never recorded", event.span, hint)
    return kinds


def _asked(call: Call) -> Name | None:
    """The stream or event that a call asks for, where it may be either."""
    return call.handle if isinstance(call, Sync | Query) else None


# The order of calls


def _check_block(calls: Iterable[Call]) -> None:
    for call in calls:
        if isinstance(call, Query):
            hint = "`query` belongs to a thread like `P2@host`, which can look at the answer"
            raise TestError("the `host` block has no registers", call.span, hint)


def _check_order(calls: dict[int, Sequence[Call]], streams: Sequence[str]) -> None:
    """Refuses what depends on which of two host threads makes its call first.

    Nothing in the test says that, and what the calls mean depends on it: which task is the next in
    a stream, which is the last, which record is the latest.
    """
    changing: dict[str, set[int]] = {}
    for thread, made in calls.items():
        for call in made:
            for handle in _changed(call, streams):
                changing.setdefault(handle, set()).add(thread)
    for thread, made in reversed(calls.items()):
        for call in made:
            for handle in _used(call, streams):
                if others := changing.get(handle, set()) - {thread}:
                    raise _open_order(handle, min(others), thread, call)


def _open_order(handle: str, first: int, second: int, call: Call) -> TestError:
    both = f"P{min(first, second)} and P{max(first, second)}"
    message = f"{both} use `{handle}`, and nothing says which call comes first"
    hint = "give each host thread its own; the calls of the `host` block come before all threads"
    return TestError(message, call.span, hint)


def _changed(call: Call, streams: Sequence[str]) -> Iterable[str]:
    """The streams that a call enqueues in, and the event it records."""
    match call:
        case Barrier():
            return streams
        case Record(event, stream):
            return event.text, stream.text
        case Launch(_, stream) | Wait(stream):
            return (stream.text,)
    return ()


def _used(call: Call, streams: Sequence[str]) -> Iterable[str]:
    """The streams and events on whose tasks it depends what a call means."""
    match call:
        case Sync(None):
            return streams
        case Sync(Name(handle)) | Query(_, Name(handle)):
            return (handle,)
        case Wait(stream, event):
            return stream.text, event.text
    return _changed(call, streams)
