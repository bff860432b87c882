"""One witness for each lane: edges that the checks force, then any order that fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from catpy.execution.blocks.block import AlternativeStep, Block
from catpy.execution.blocks.explore import Judge
from catpy.execution.blocks.fatal import fatal_pairs
from catpy.execution.blocks.plan import Plan
from catpy.execution.blocks.question import Alternatives
from catpy.relation import sliced
from catpy.relation.bounds import Bounds
from catpy.relation.graph import Formula, Node, Orders, Orientations, PartialOrders, Unknown
from catpy.relation.sliced import Mask, Rows, add_pair, both, either, without


def forced_edges(unknown: Unknown, fatal: Rows) -> Rows:
    """The pairs that an order has to hold since the other direction would fail a check."""
    rows: Rows = sliced.rows_of(unknown.fixed)
    if isinstance(unknown.domain, Orders | Orientations):
        for x, y in pairs_of(unknown):
            for source, target in ((x, y), (y, x)):
                add_pair(rows, source, target, fatal.get(target, {}).get(source))
    return rows


def pairs_of(unknown: Unknown) -> list[tuple[int, int]]:
    """The unordered pairs that an unknown order relates or may relate."""
    match unknown.domain:
        case Orders(events):
            return [(x, y) for at, x in enumerate(events) for y in events[at + 1 :]]
        case Orientations(pairs) | PartialOrders(pairs):
            return list(pairs)
    return []


def possible(unknown: Unknown, fatal: Rows, alternatives: Sequence[dict[int, Rows]]) -> Rows:
    """The pairs that an unknown may hold in an allowed execution."""
    if isinstance(unknown.domain, Alternatives):
        rows: Rows = {}
        for alternative in alternatives:
            rows = sliced.union(rows, alternative[unknown.index])
        return rows
    both_ways = [p for x, y in pairs_of(unknown) for p in ((x, y), (y, x))]
    return sliced.difference(sliced.rows_of(both_ways), fatal)


def greedy_order(unknown: Unknown, forced: Rows) -> tuple[Rows, Mask | None]:
    """An order that holds the forced edges, and the lanes in which those are a cycle.

    Every two events that are not ordered yet are put in the order of their numbers, and the order
    is closed again. A partial order is just what is forced, closed.
    """
    reach = sliced.closure(forced)
    cyclic = sliced.reflexive_somewhere(reach)
    pairs = pairs_of(unknown)
    if isinstance(unknown.domain, PartialOrders):
        return reach, cyclic
    events = sorted({event for pair in pairs for event in pair})
    rows = {source: dict(row) for source, row in reach.items()}
    for at, x in enumerate(events):
        for y in events[at + 1 :]:
            _order(rows, events, x, y)
    wanted = sliced.rows_of(p for x, y in pairs for p in ((x, y), (y, x)))
    return sliced.intersection(wanted, rows), cyclic


def _order(rows: Rows, events: Sequence[int], x: int, y: int) -> None:
    """Puts x before y where neither precedes the other, with all that comes before and behind."""
    related = either(rows.get(x, {}).get(y), rows.get(y, {}).get(x))
    free = without(True, related)
    if free is None:
        return
    before = [(x, free)]
    for event in events:
        lanes = both(rows.get(event, {}).get(x), free)
        if event != x and lanes is not None:
            before.append((event, lanes))
    behind: list[tuple[int, Mask]] = [(y, True)]
    behind += [(event, mask) for event, mask in rows.get(y, {}).items() if event != y]
    for source, lanes in before:
        for target, mask in behind:
            add_pair(rows, source, target, both(lanes, mask))


class Guess:
    """A witness for each lane of a block, and what can be said of the other witnesses."""

    def __init__(self, judge: Judge, plan: Plan, open_unknowns: int, block: Block) -> None:
        question = self._question = judge.question
        self._judge = judge
        everything = (1 << len(question.unknowns)) - 1
        self._settled = everything & ~open_unknowns
        self._open = [u for u in question.witnesses if u.bit & open_unknowns]
        size = len(question.skeleton.events)
        known = judge.bounds(block, self._settled)
        self._fatal = fatal_pairs(question.demands, known, open_unknowns, size)
        self._alternatives = next(
            (step.alternatives for step in plan.steps if isinstance(step, AlternativeStep)), ()
        )
        #: Lanes for which there is no witness.
        self.impossible: Mask | None = None
        self._forced = list(block.rows)
        #: The rows of all unknowns, with the witness among them.
        self.rows = list(block.rows)
        self._choose()

    def _choose(self) -> None:
        for unknown in self._open:
            if isinstance(unknown.domain, Alternatives):
                self.rows[unknown.index] = self._alternatives[0][unknown.index]
                continue
            forced = forced_edges(unknown, self._fatal_to(unknown.node))
            order, cyclic = greedy_order(unknown, forced)
            self._forced[unknown.index] = forced
            self.rows[unknown.index] = order
            self.impossible = either(self.impossible, cyclic)

    def _fatal_to(self, node: Node) -> Rows:
        return self._fatal.get(node.number, {})

    @cached_property
    def _bounds(self) -> Bounds:
        """What holds for every witness that the checks may accept."""
        upper = {
            unknown.index: possible(unknown, self._fatal_to(unknown.node), self._alternatives)
            for unknown in self._open
        }
        size = len(self._question.skeleton.events)
        return Bounds(size, self._forced, self._settled, self._judge.constants, upper)

    def may_hold(self, formula: Formula) -> Mask | None:
        """The lanes in which a formula may be true under some witness."""
        return self._bounds.truth(formula)[1]

    def open_finals(self, places: list[list[int]]) -> Mask | None:
        """The lanes in which it depends on the witness which writes of a place can be the last."""
        node = self._question.coherence
        if node is None or not node.needs & ~self._settled:
            return None
        bounds = self._bounds
        certain, upper = bounds.lower(node), bounds.upper(node)
        if upper is None:
            return True
        upper = sliced.difference(upper, self._fatal_to(node))
        lanes: Mask | None = None
        for writes in places:
            for write in writes:
                surely = maybe = None
                for other in writes:
                    surely = either(surely, certain.get(write, {}).get(other))
                    maybe = either(maybe, upper.get(write, {}).get(other))
                lanes = either(lanes, without(maybe, surely))
        return lanes
