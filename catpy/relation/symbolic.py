"""The algebra of all candidates at once, by formula: every operation makes a node of a graph.

A model run over this algebra once says what it asks of *any* candidate: the nodes of its checks,
over constants (known pairs) and unknowns (`rf`, what `with` and `some` choose). The graph
(`catpy.relation.graph`) is then evaluated on whole blocks of candidates (`catpy.relation.bounds`).

An event set is held as the identity on it, so that sets and relations share their operations.

What does not fit a graph raises Undecided: looking at the members of a set that depends on an
unknown, comparing such sets (`=`, `subset`, `in`, `match`, sets of them), recursion that is not
monotone, and choices among elements that depend on an unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from catpy.relation.algebra import Algebra, Elements, EventSet, Relation, Step, Undecided
from catpy.relation.exact import ExactAlgebra, ExactEventSet, ExactRelation
from catpy.relation.graph import (
    FALSE,
    TRUE,
    Formula,
    Graph,
    Node,
    Op,
    Orders,
    Orientations,
    PartialOrders,
    Unknown,
    holds_exactly,
)


class _Symbolic:
    """What event sets and relations share: a node, and the graph that makes more of it."""

    __slots__ = ("_graph", "node")

    def __init__(self, graph: Graph, node: Node) -> None:
        self._graph = graph
        self.node = node

    def _make(self, op: Op, *others: _Symbolic) -> Self:
        made = self._graph.node(op, self.node, *(other.node for other in others))
        return type(self)(self._graph, made)

    def __or__(self, other: Self) -> Self:
        return self._make(Op.UNION, other)

    def __and__(self, other: Self) -> Self:
        return self._make(Op.INTERSECTION, other)

    def __sub__(self, other: Self) -> Self:
        return self._make(Op.DIFFERENCE, other)

    @property
    def known(self) -> ExactRelation:
        """The value, where it is the same in all candidates."""
        if self.node.value is None:
            raise Undecided
        return self.node.value

    def key(self) -> bytes:
        return self.known.key()

    def token(self) -> int:
        return self.node.number

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.node is other.node or self.known == other.known)

    def __hash__(self) -> int:
        return hash(self.known)


class SymbolicSet(_Symbolic, EventSet):
    """An event set as a node: that of the identity on it."""

    __slots__ = ()

    def complement(self) -> Self:
        graph = self._graph
        everything = graph.constant(graph.exact.identity)
        return type(self)(graph, graph.node(Op.DIFFERENCE, everything, self.node))

    def product(self, other: Self) -> SymbolicRelation:
        return SymbolicRelation(self._graph, self._graph.node(Op.PRODUCT, self.node, other.node))

    def identity(self) -> SymbolicRelation:
        return SymbolicRelation(self._graph, self.node)


class SymbolicRelation(_Symbolic, Relation):
    """A relation as a node."""

    __slots__ = ()

    def complement(self) -> Self:
        return self._make(Op.COMPLEMENT)

    def compose(self, other: Self) -> Self:
        return self._make(Op.COMPOSE, other)

    def inverse(self) -> Self:
        return self._make(Op.INVERSE)

    def transitive_closure(self) -> Self:
        return self._make(Op.CLOSURE)

    def reflexive_closure(self) -> Self:
        return self._make(Op.REFLEXIVE)

    def domain(self) -> SymbolicSet:
        return SymbolicSet(self._graph, self._graph.node(Op.DOMAIN, self.node))

    def range(self) -> SymbolicSet:
        return SymbolicSet(self._graph, self._graph.node(Op.RANGE, self.node))


class SymbolicAlgebra(Algebra):
    """What a model asks of every candidate over the events of `exact`, as a `graph`."""

    def __init__(self, exact: ExactAlgebra) -> None:
        self.size = exact.size
        self.graph = Graph(exact)
        self._exact = exact

    def related(self, unknown: Unknown) -> SymbolicRelation:
        """An unknown as a relation."""
        return SymbolicRelation(self.graph, unknown.node)

    def lifted(self, value: EventSet | Relation) -> SymbolicSet | SymbolicRelation:
        """A value of the exact algebra as a constant."""
        if isinstance(value, ExactEventSet):
            return self._known_set(value)
        assert isinstance(value, ExactRelation)
        return self._known(value)

    # Constants

    def _known_set(self, value: ExactEventSet) -> SymbolicSet:
        return SymbolicSet(self.graph, self.graph.constant(value.identity()))

    def _known(self, value: ExactRelation) -> SymbolicRelation:
        return SymbolicRelation(self.graph, self.graph.constant(value))

    @property
    def empty_set(self) -> SymbolicSet:
        return self._known_set(self._exact.empty_set)

    @property
    def all_events(self) -> SymbolicSet:
        return self._known_set(self._exact.all_events)

    @property
    def empty_relation(self) -> SymbolicRelation:
        return self._known(self._exact.empty_relation)

    @property
    def identity(self) -> SymbolicRelation:
        return self._known(self._exact.identity)

    @property
    def all_pairs(self) -> SymbolicRelation:
        return self._known(self._exact.all_pairs)

    # Tests

    def _test(self, kind: str, node: Node) -> Formula:
        if node.value is None:
            return Formula(kind, node)
        return TRUE if holds_exactly(kind, node.value) else FALSE

    def is_empty(self, value: EventSet | Relation) -> Formula:
        return self._test("empty", _node(value))

    def is_irreflexive(self, relation: Relation) -> Formula:
        return self._test("irreflexive", _node(relation))

    def is_acyclic(self, relation: Relation) -> Formula:
        return self._test("acyclic", _node(relation))

    def is_contained(self, left: EventSet | Relation, right: EventSet | Relation) -> Formula:
        return self._test("empty", self.graph.node(Op.DIFFERENCE, _node(left), _node(right)))

    # Truths

    true = TRUE

    def both(self, left: Formula, right: Formula) -> Formula:
        if FALSE in (left, right):
            return FALSE
        if left is TRUE or right is TRUE:
            return right if left is TRUE else left
        return Formula("and", None, (left, right))

    def negate(self, truth: Formula) -> Formula:
        if truth.kind == "not":
            return truth.parts[0]
        if truth in (TRUE, FALSE):
            return FALSE if truth is TRUE else TRUE
        return Formula("not", None, (truth,))

    def always(self, truth: Formula) -> bool:
        if truth not in (TRUE, FALSE):
            raise Undecided
        return truth is TRUE

    def surely(self, truth: Formula) -> bool:
        return truth is TRUE

    def never(self, truth: Formula) -> bool:
        return truth is FALSE

    # Recursion

    ties = True

    def tie(self, kinds: Sequence[Elements], step: Step) -> Sequence[Elements]:
        recursion = self.graph.recursion(len(kinds))
        results = step(self._alike(kinds, recursion.variables))
        recursion.bodies = tuple(_node(result) for result in results)
        return self._alike(kinds, self.graph.fixpoints(recursion))

    def _alike(self, kinds: Sequence[Elements], nodes: Sequence[Node]) -> list[Elements]:
        """Nodes as values of the kinds of others."""
        return [_like(kind, self.graph, node) for kind, node in zip(kinds, nodes, strict=True)]

    # Enumerations

    def linearisations(self, events: EventSet, order: Relation) -> Iterator[SymbolicRelation]:
        members = self.members(events)
        inside = self.event_set(members).identity()
        unknown = self.graph.unknown(Orders(tuple(members)))
        closed = inside.compose(_relation(order).transitive_closure()).compose(inside)
        against = closed & self.related(unknown).inverse()
        unknown.condition = self.both(self.is_irreflexive(closed), self.is_empty(against))
        unknown.fixed = _known_pairs(closed)
        yield self.related(unknown)

    def orientations(self, relation: Relation, base: Relation) -> Iterator[SymbolicRelation]:
        return self._within(Orientations, relation, base)

    def partial_orders(self, relation: Relation, base: Relation) -> Iterator[SymbolicRelation]:
        return self._within(PartialOrders, relation, base)

    def _within(
        self,
        domain: type[Orientations] | type[PartialOrders],
        relation: Relation,
        base: Relation,
    ) -> Iterator[SymbolicRelation]:
        pairs = sorted({(min(p), max(p)) for p in self.pairs(relation) if p[0] != p[1]})
        unknown = self.graph.unknown(domain(tuple(pairs)))
        chosen = self.related(unknown)
        either_way = self.relation([*pairs, *((y, x) for x, y in pairs)])
        fixed = either_way & _relation(base)
        unknown.fixed = _known_pairs(fixed)
        # It holds what base says of its pairs: for an orientation, no pair the other way round.
        against = fixed & chosen.inverse() if domain is Orientations else fixed - chosen
        unknown.condition = self.both(self.is_empty(against), self.is_acyclic(chosen))
        if domain is PartialOrders:
            # The last one follows from the others; it fails earlier.
            for condition in (
                self.is_contained(chosen.compose(chosen), chosen),
                self.is_contained(chosen, either_way),
                self.is_empty(fixed & chosen.inverse()),
            ):
                unknown.condition = self.both(unknown.condition, condition)
        yield chosen

    # Looking inside, making values

    def members(self, events: EventSet) -> list[int]:
        assert isinstance(events, SymbolicSet)
        return list(events.known.domain())

    def pairs(self, relation: Relation) -> list[tuple[int, int]]:
        return list(_relation(relation).known)

    def event_set(self, events: Iterable[int]) -> SymbolicSet:
        return self._known_set(self._exact.event_set(events))

    def relation(self, pairs: Iterable[tuple[int, int]]) -> SymbolicRelation:
        return self._known(self._exact.relation(pairs))


def _known_pairs(relation: SymbolicRelation) -> frozenset[tuple[int, int]]:
    value = relation.node.value
    return frozenset(value) if value is not None else frozenset()


def _node(value: Elements) -> Node:
    assert isinstance(value, _Symbolic)
    return value.node


def _relation(value: Relation) -> SymbolicRelation:
    assert isinstance(value, SymbolicRelation)
    return value


def _like(kind: Elements, graph: Graph, node: Node) -> Elements:
    """A node as a value of the kind of another."""
    assert isinstance(kind, SymbolicSet | SymbolicRelation)
    return type(kind)(graph, node)
