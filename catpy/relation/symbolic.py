"""The algebra of all candidates at once, by formula: every operation makes a node of a graph.

A model run over this algebra once says what it asks of *any* candidate: the nodes of its checks,
over constants (known pairs) and unknowns (`rf`, what `with` and `some` choose). Equal nodes are one
(hash-consing), and what depends on no unknown is folded to a constant by the exact algebra. The
graph is then evaluated on whole blocks of candidates (`catpy.relation.bounds`).

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
    Node,
    Op,
    Orders,
    Orientations,
    PartialOrders,
    Recursion,
    Unknown,
    exact_fixpoint,
    folded,
    holds_exactly,
    perhaps_plain,
)


class _Symbolic:
    """What event sets and relations share: a node, and the algebra that makes more of it."""

    __slots__ = ("_algebra", "node")

    def __init__(self, algebra: SymbolicAlgebra, node: Node) -> None:
        self._algebra = algebra
        self.node = node

    def _make(self, op: Op, *others: _Symbolic) -> Self:
        made = self._algebra.node(op, self.node, *(other.node for other in others))
        return type(self)(self._algebra, made)

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
        algebra = self._algebra
        return type(self)(algebra, algebra.node(Op.DIFFERENCE, algebra.identity.node, self.node))

    def product(self, other: Self) -> SymbolicRelation:
        return SymbolicRelation(
            self._algebra, self._algebra.node(Op.PRODUCT, self.node, other.node)
        )

    def identity(self) -> SymbolicRelation:
        return SymbolicRelation(self._algebra, self.node)


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
        return SymbolicSet(self._algebra, self._algebra.node(Op.DOMAIN, self.node))

    def range(self) -> SymbolicSet:
        return SymbolicSet(self._algebra, self._algebra.node(Op.RANGE, self.node))


class SymbolicAlgebra(Algebra):
    """The graph of what a model asks of every candidate over the events of `exact`.

    `unknowns` are those made so far, by the index that is their bit in `Node.needs`.
    """

    def __init__(self, exact: ExactAlgebra) -> None:
        self.size = exact.size
        self._exact = exact
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._count = 0
        self.unknowns: list[Unknown] = []

    # Nodes

    def node(self, op: Op, *arguments: Node) -> Node:
        """The node of an operation: folded where all is known, an existing one where there is."""
        key = (op, *(argument.number for argument in arguments))
        found = self._nodes.get(key)
        if found is None:
            values = [argument.value for argument in arguments if argument.value is not None]
            if len(values) == len(arguments):
                found = self._constant(folded(op, values))
            else:
                found = self._operation(op, arguments)
            self._nodes[key] = found
        return found

    def _operation(self, op: Op, arguments: tuple[Node, ...]) -> Node:
        needs, variables, bent = 0, frozenset[int](), frozenset[int]()
        for argument in arguments:
            needs |= argument.needs
            variables |= argument.variables
            bent |= argument.bent_variables
        if op in (Op.DIFFERENCE, Op.COMPLEMENT):
            bent |= arguments[-1].variables
        blank, universal = perhaps_plain(op, arguments)
        if universal and op is Op.COMPOSE:
            raise Undecided
        simpler = None if blank or universal else self._simpler(op, arguments)
        return simpler or Node(
            self._next(),
            op,
            arguments,
            needs,
            variables,
            bent,
            1 + max(argument.depth for argument in arguments),
            perhaps_blank=blank,
            perhaps_universal=universal,
        )

    def _simpler(self, op: Op, arguments: tuple[Node, ...]) -> Node | None:
        """A node that is there already and means the same, where an argument is empty or double."""
        empty = [argument.value is not None and not argument.value.any() for argument in arguments]
        if op is Op.UNION:
            if empty[0] or arguments[0] is arguments[1]:
                return arguments[1]
            return arguments[0] if empty[1] else None
        if op is Op.INTERSECTION and arguments[0] is arguments[1]:
            return arguments[0]
        if op is Op.DIFFERENCE and empty[1]:
            return arguments[0]
        if op in (Op.INTERSECTION, Op.COMPOSE, Op.PRODUCT, Op.DIFFERENCE) and any(empty):
            return self._constant(self._exact.empty_relation)
        return None

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _constant(self, value: ExactRelation) -> Node:
        key = (Op.CONSTANT, value.key())
        if key not in self._nodes:
            self._nodes[key] = Node(self._next(), Op.CONSTANT, (), 0, value=value)
        return self._nodes[key]

    def unknown(self, domain: object) -> Unknown:
        """A new unknown relation."""
        made = Unknown(len(self.unknowns), domain)
        made.node = Node(self._next(), Op.UNKNOWN, (), made.bit, unknown=made)
        made.condition = TRUE
        self.unknowns.append(made)
        return made

    def related(self, unknown: Unknown) -> SymbolicRelation:
        """An unknown as a relation."""
        return SymbolicRelation(self, unknown.node)

    def lifted(self, value: EventSet | Relation) -> SymbolicSet | SymbolicRelation:
        """A value of the exact algebra as a constant."""
        if isinstance(value, ExactEventSet):
            return self._known_set(value)
        assert isinstance(value, ExactRelation)
        return self._known(value)

    # Constants

    def _known_set(self, value: ExactEventSet) -> SymbolicSet:
        return SymbolicSet(self, self._constant(value.identity()))

    def _known(self, value: ExactRelation) -> SymbolicRelation:
        return SymbolicRelation(self, self._constant(value))

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
        return self._test("empty", self.node(Op.DIFFERENCE, _node(left), _node(right)))

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
        recursion = Recursion(())
        variables = []
        for index, _ in enumerate(kinds):
            number = self._next()
            owned = frozenset({number})
            variables.append(
                Node(
                    number,
                    Op.VARIABLE,
                    (),
                    0,
                    owned,
                    recursion=recursion,
                    index=index,
                    perhaps_blank=True,  # it starts as `{}`
                )
            )
        recursion.variables = tuple(variables)
        results = step([_like(kind, self, v) for kind, v in zip(kinds, variables, strict=True)])
        recursion.bodies = tuple(_node(result) for result in results)
        own = frozenset(variable.number for variable in variables)
        if any(body.bent_variables & own for body in recursion.bodies):
            raise Undecided  # not monotone: what comes out depends on the rounds
        if any(body.perhaps_universal for body in recursion.bodies):
            raise Undecided
        values = self._fixpoints(recursion, own)
        return [_like(kind, self, value) for kind, value in zip(kinds, values, strict=True)]

    def _fixpoints(self, recursion: Recursion, own: frozenset[int]) -> list[Node]:
        needs, variables, bent = 0, frozenset[int](), frozenset[int]()
        for body in recursion.bodies:
            needs |= body.needs
            variables |= body.variables - own
            bent |= body.bent_variables - own
        if not needs and not variables:
            return list(map(self._constant, exact_fixpoint(recursion, self._exact)))
        return [
            Node(
                self._next(),
                Op.FIXPOINT,
                (),
                needs,
                variables,
                bent,
                recursion=recursion,
                index=index,
                perhaps_blank=body.perhaps_blank,
            )
            for index, body in enumerate(recursion.bodies)
        ]

    # Enumerations

    def linearisations(self, events: EventSet, order: Relation) -> Iterator[SymbolicRelation]:
        members = self.members(events)
        inside = self.event_set(members).identity()
        unknown = self.unknown(Orders(tuple(members)))
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
        unknown = self.unknown(domain(tuple(pairs)))
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


def _like(kind: Elements, algebra: SymbolicAlgebra, node: Node) -> Elements:
    """A node as a value of the kind of another."""
    assert isinstance(kind, SymbolicSet | SymbolicRelation)
    return type(kind)(algebra, node)
