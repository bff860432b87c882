"""Evaluates the nodes of a symbolic algebra on a block of candidates, from what is certain so far.

Some unknowns are settled in the block, others not yet. The *lower bound* of a node are the pairs
that it has however the rest turns out, the *upper bound* those that it may have. Where all that a
node needs is settled the two are one, its value. An upper bound can be unknown (None): any pair at
all. A test of a lower bound that fails, fails for good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from catpy.relation import sliced
from catpy.relation.graph import FALSE, TRUE, Formula, Node, Op, Recursion
from catpy.relation.sliced import Mask, Rows, both, without

#: Nodes are evaluated by recursion, so many levels at a time.
_DEEP = 100


class Bounds:
    """The bounds of nodes on one block.

    `lower` has what is certain of each unknown, by index; `upper` what is possible of those that
    are not settled, where that is known; `settled` is the mask of unknowns that are. `constants`
    remembers the rows of constants, for all blocks of a graph.
    """

    def __init__(
        self,
        size: int,
        lower: Sequence[Rows],
        settled: int,
        constants: dict[int, Rows],
        upper: Mapping[int, Rows] | None = None,
    ) -> None:
        self._size = size
        self._lower = lower
        self._upper = upper or {}
        self._settled = settled
        self._constants = constants
        self._lowest: dict[int, Rows] = {}
        self._highest: dict[int, Rows | None] = {}
        self._bound: dict[tuple[int, bool], Rows | None] = {}

    def is_settled(self, node: Node) -> bool:
        """Whether all that a node needs is settled, so that its bounds are its value."""
        return not node.needs & ~self._settled

    def lower(self, node: Node) -> Rows:
        """The pairs that a node has for certain."""
        if node.value is not None:
            return self._constant(node)
        if node.variables:
            return self._inside(node, False) or {}
        found = self._lowest.get(node.number)
        if found is None:
            if node.depth > _DEEP:
                self._go_down(node)
            found = self._lowest[node.number] = self._computed(node, False) or {}
        return found

    def _go_down(self, node: Node) -> None:
        """Evaluates milestones below a node, lowest first: recursion alone would go too deep."""
        milestones: dict[int, Node] = {}
        seen: set[int] = set()
        todo = list(node.arguments)
        while todo:
            below = todo.pop()
            known = below.number in self._lowest or below.number in seen
            if known or below.depth <= _DEEP or below.variables:
                continue
            seen.add(below.number)
            if below.depth % _DEEP == 0:
                milestones[below.number] = below
            todo += below.arguments
        for number in sorted(milestones):
            self.lower(milestones[number])

    def upper(self, node: Node) -> Rows | None:
        """The pairs that a node may have; None where that can be any."""
        if node.variables:
            return self._inside(node, True)
        if self.is_settled(node):
            return self.lower(node)
        if node.number not in self._highest:
            self._highest[node.number] = self._computed(node, True)
        return self._highest[node.number]

    def _constant(self, node: Node) -> Rows:
        found = self._constants.get(node.number)
        if found is None:
            assert node.value is not None
            found = self._constants[node.number] = sliced.rows_by_source(node.value.successors())
        return found

    def _inside(self, node: Node, up: bool) -> Rows | None:
        """A node inside a recursion: remembered for one round of it only."""
        key = node.number, up
        if key not in self._bound:
            self._bound[key] = self._computed(node, up)
        return self._bound[key]

    def _at(self, node: Node, up: bool) -> Rows | None:
        return self.upper(node) if up else self.lower(node)

    def _computed(self, node: Node, up: bool) -> Rows | None:
        if node.op is Op.UNKNOWN:
            assert node.unknown is not None
            if up and not self.is_settled(node):
                return self._upper.get(node.unknown.index)
            return self._lower[node.unknown.index]
        if node.op is Op.FIXPOINT:
            assert node.recursion is not None
            return self._fixpoint(node.recursion, node.index, up)
        if node.op is Op.DIFFERENCE:
            return self._difference(node, up)
        if node.op is Op.COMPLEMENT:
            opposite = self._at(node.arguments[0], not up)
            if opposite is None:
                return {}  # nothing is certain of what may leave out anything
            return sliced.complement(opposite, self._size)
        first = self._at(node.arguments[0], up)
        if node.op is Op.INTERSECTION:
            return self._intersection(node, first, up)
        if first is None:
            return None
        if len(node.arguments) == 1:
            return _unary(node.op, first, self._size)
        if node.op is Op.COMPOSE and not first:
            return {}
        second = self._at(node.arguments[1], up)
        return None if second is None else _BINARY[node.op](first, second)

    def _difference(self, node: Node, up: bool) -> Rows | None:
        left, right = node.arguments
        first = self._at(left, up)
        if not first:
            return first
        taken = self._at(right, not up)
        if taken is None:
            return {}
        return sliced.difference(first, taken)

    def _intersection(self, node: Node, first: Rows | None, up: bool) -> Rows | None:
        if first is not None and not first:
            return first
        second = self._at(node.arguments[1], up)
        if first is None or second is None:
            return second if first is None else first
        if len(second) < len(first):
            first, second = second, first
        return sliced.intersection(first, second)

    def _fixpoint(self, recursion: Recursion, index: int, up: bool) -> Rows | None:
        """Iterates from nothing; monotone, so that the bounds are those of the iteration."""
        values: list[Rows | None] = [{} for _ in recursion.bodies]
        outside = self._bound
        while True:
            self._bound = {
                **outside,
                **{(v.number, up): x for v, x in zip(recursion.variables, values, strict=True)},
            }
            found = [self._at(body, up) for body in recursion.bodies]
            if found == values:
                break
            values = found
        self._bound = outside
        return values[index]

    # Formulas

    def fails(self, formula: Formula) -> Mask | None:
        """The lanes in which a formula is false however the rest turns out."""
        _, possible = self.truth(formula)
        return without(True, possible)

    def truth(self, formula: Formula) -> tuple[Mask | None, Mask | None]:
        """The lanes in which a formula is certainly true, and those in which it may be."""
        if formula is TRUE:
            return True, True
        if formula is FALSE:
            return None, None
        if formula.kind == "not":
            certain, possible = self.truth(formula.parts[0])
            return without(True, possible), without(True, certain)
        if formula.kind == "and":
            certain, possible = True, True
            for part in formula.parts:
                sure, maybe = self.truth(part)
                certain, possible = both(certain, sure), both(possible, maybe)
            return certain, possible
        assert formula.node is not None
        test = TESTS[formula.kind]
        possible = without(True, test(self.lower(formula.node)))
        if self.is_settled(formula.node):
            return possible, possible
        most = self.upper(formula.node)
        return None if most is None else without(True, test(most)), possible


def _unary(op: Op, rows: Rows, size: int) -> Rows:
    match op:
        case Op.INVERSE:
            return sliced.inverse(rows)
        case Op.CLOSURE:
            return sliced.closure(rows)
        case Op.REFLEXIVE:
            return sliced.reflexive(rows, size)
        case Op.DOMAIN:
            return sliced.domain(rows)
        case Op.RANGE:
            return sliced.domain(sliced.inverse(rows))
    raise AssertionError(op)


_BINARY: Mapping[Op, Callable[[Rows, Rows], Rows]] = {
    Op.UNION: sliced.union,
    Op.COMPOSE: sliced.compose,
    Op.PRODUCT: sliced.product,
}

#: For each test the lanes in which a relation fails it.
TESTS: Mapping[str, Callable[[Rows], Mask | None]] = {
    "empty": sliced.somewhere,
    "irreflexive": sliced.reflexive_somewhere,
    "acyclic": sliced.cyclic,
}
