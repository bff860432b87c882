"""A hash of what a test runs: two tests with the same one have the same executions."""

from __future__ import annotations

import hashlib
import re

from catpy.litmus.syntax import (
    Alias,
    Declaration,
    Graph,
    Initial,
    InitItem,
    LitmusTest,
    Thread,
)


def digest(test: LitmusTest) -> str:
    """The MD5 of initial section, calls of the host, placement and code, as hexadecimal digits.

    Unlike herd's it covers where threads are, so that tests with different verdicts differ. White
    space, comments and the condition do not count.
    """
    parts = [test.arch, *sorted(map(_item, test.init))]
    parts += map(str, test.host)
    parts += sorted(map(_graph, test.graphs))
    for thread in test.threads:
        parts.append(f"P{thread.number}@{_places(thread)}")
        parts += [_words(cell.text) for cell in thread.cells]
        parts += [f"{{{scope}}}" for scope in map(str, thread.scopes)]
    return hashlib.md5("\n".join(parts).encode(), usedforsecurity=False).hexdigest()


def _places(thread: Thread) -> str:
    places = [f"{level} {unit}" for level, unit in thread.placement]
    if thread.kernel is not None:
        places.append(f"kernel {thread.kernel}")
    return "host" if thread.is_host else ",".join(sorted(places))


def _graph(graph: Graph) -> str:
    edges = sorted(f"{first}->{second}" for first, second in graph.edges)
    return f"graph {graph.name}:{','.join(sorted(map(str, graph.nodes)))}:{','.join(edges)}"


def _words(code: str) -> str:
    """An instruction with one blank between words, and none around signs."""
    return re.sub(r"\s*([^\w\s.%$])\s*", r"\1", " ".join(code.split()))


def _item(item: InitItem) -> str:
    match item:
        case Initial(target, value):
            return f"{target}={value}"
        case Declaration(words, name, count, values):
            return f"{' '.join(words)} {name}[{count}]={','.join(map(str, values))}"
        case Alias(name, proxy, target):
            return f"{name}@{proxy or 'generic'} aliases {target}"
