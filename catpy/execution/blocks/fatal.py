"""Which pairs a check would not survive: one backward pass over the nodes of a question."""

from __future__ import annotations

from collections.abc import Iterable

from catpy.relation import sliced
from catpy.relation.bounds import Bounds
from catpy.relation.graph import Formula, Node, Op
from catpy.relation.sliced import Rows


def fatal_pairs(
    demands: Iterable[Formula], bounds: Bounds, open_unknowns: int, size: int
) -> dict[int, Rows]:
    """For nodes that need an open unknown (by number): pairs that no allowed execution has there.

    Each is a pair that would make a demand fail at once, given what is certain by the lower bounds.
    The pass goes backwards through operations that are monotone; it knows nothing of what is behind
    a complement, a recursion, or the right side of a difference by something open.
    """
    return _Pass(bounds, open_unknowns, size).run(demands)


class _Pass:
    def __init__(self, bounds: Bounds, open_unknowns: int, size: int) -> None:
        self._bounds = bounds
        self._open = open_unknowns
        self._size = size
        self._found: dict[int, Rows] = {}

    def run(self, demands: Iterable[Formula]) -> dict[int, Rows]:
        nodes: dict[int, Node] = {}
        for demand in demands:
            if demand.node is not None and demand.node.needs & self._open:
                _collect(demand.node, self._open, nodes)
                self._add(demand.node, self._seed(demand.kind, demand.node))
        for number in sorted(nodes, reverse=True):
            if fatal := self._found.get(number):
                self._backwards(nodes[number], fatal)
        return self._found

    def _seed(self, kind: str, node: Node) -> Rows:
        if kind == "empty":
            return sliced.complement({}, self._size)
        if kind == "irreflexive":
            return sliced.reflexive({}, self._size)
        closed = sliced.closure(self._bounds.lower(node))
        return sliced.reflexive(sliced.inverse(closed), self._size)

    def _add(self, node: Node, fatal: Rows) -> None:
        if fatal and node.needs & self._open:
            self._found[node.number] = sliced.union(self._found.get(node.number, {}), fatal)

    def _backwards(self, node: Node, fatal: Rows) -> None:
        match node.op, node.arguments:
            case ((Op.UNION | Op.REFLEXIVE), arguments):
                for argument in arguments:
                    self._add(argument, fatal)
            case Op.INTERSECTION, (left, right):
                self._add(left, sliced.intersection(fatal, self._bounds.lower(right)))
                self._add(right, sliced.intersection(fatal, self._bounds.lower(left)))
            case Op.DIFFERENCE, (left, right):
                taken = self._bounds.upper(right)
                if taken is not None:
                    self._add(left, sliced.difference(fatal, taken))
            case Op.INVERSE, (argument,):
                self._add(argument, sliced.inverse(fatal))
            case Op.COMPOSE, (left, right):
                self._composed(left, right, fatal)
            case Op.CLOSURE, (argument,):
                self._closed(node, argument, fatal)

    def _composed(self, left: Node, right: Node, fatal: Rows) -> None:
        if left.needs & self._open:
            back = sliced.inverse(self._bounds.lower(right))
            self._add(left, sliced.compose(fatal, back))
        if right.needs & self._open:
            back = sliced.inverse(self._bounds.lower(left))
            self._add(right, sliced.compose(back, fatal))

    def _closed(self, node: Node, argument: Node, fatal: Rows) -> None:
        """A pair is fatal where it closes a path from the start to the end of a fatal one."""
        back = sliced.reflexive(sliced.inverse(self._bounds.lower(node)), self._size)
        self._add(argument, sliced.compose(back, sliced.compose(fatal, back)))


def _collect(node: Node, open_unknowns: int, nodes: dict[int, Node]) -> None:
    """All nodes below one that need an open unknown."""
    todo = [node]
    while todo:
        present = todo.pop()
        if present.number not in nodes and present.needs & open_unknowns:
            nodes[present.number] = present
            todo += present.arguments
