"""The graph of what is asked of all candidates: nodes, unknowns, recursions, formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from catpy.relation.algebra import Undecided
from catpy.relation.exact import ExactAlgebra, ExactRelation


class Op(Enum):
    """What a node does with its arguments."""

    __hash__ = object.__hash__  # that of Enum hashes the name, time and again

    CONSTANT = "constant"
    UNKNOWN = "unknown"
    VARIABLE = "variable"  # what a recursion defines, inside it
    FIXPOINT = "fixpoint"  # one value of a recursion
    UNION = "|"
    INTERSECTION = "&"
    DIFFERENCE = "\\"
    COMPLEMENT = "~"
    COMPOSE = ";"
    INVERSE = "^-1"
    CLOSURE = "+"
    REFLEXIVE = "?"
    PRODUCT = "×"
    DOMAIN = "domain"
    RANGE = "range"


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """An operation on nodes. `needs` is the bit mask of the unknowns that it depends on.

    `variables` are the variables of recursions in it, by number; `bent_variables` those of them in
    which it is not monotone.
    """

    number: int
    op: Op
    arguments: tuple[Node, ...]
    needs: int
    variables: frozenset[int] = frozenset()
    bent_variables: frozenset[int] = frozenset()
    depth: int = 0  # how many operations lie below it, one on the other
    value: ExactRelation | None = None  # of a constant
    unknown: Unknown | None = None
    recursion: Recursion | None = None  # of a fixpoint or a variable
    index: int = 0  # which value of the recursion
    perhaps_blank: bool = False  # `{}` in some candidates
    perhaps_universal: bool = False  # `_` in some candidates


@dataclass(eq=False)
class Unknown:
    """A relation that differs from candidate to candidate: one of those that `domain` allows."""

    index: int
    domain: object
    node: Node = field(init=False)
    #: What else has to hold of it, in each candidate; and pairs that are known to be in it.
    condition: Formula = field(init=False)
    fixed: frozenset[tuple[int, int]] = frozenset()

    @property
    def bit(self) -> int:
        return 1 << self.index


@dataclass(eq=False)
class Recursion:
    """Values defined by each other; `bodies` are their right sides over `variables`."""

    variables: tuple[Node, ...]
    bodies: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Orders:
    """Domain of an unknown: the strict total orders on `events`."""

    events: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Orientations:
    """Domain of an unknown: acyclic, one direction of each pair (x < y)."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PartialOrders:
    """Domain of an unknown: the strict partial orders within pairs (x < y)."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A statement on candidates: a test of a node, or `and` or `not` of other statements.

    Tests are `empty`, `irreflexive`, `acyclic`; the constants are `TRUE` and `FALSE`.
    """

    kind: str
    node: Node | None = None
    parts: tuple[Formula, ...] = ()

    @property
    def needs(self) -> int:
        """The unknowns it depends on."""
        mask = self.node.needs if self.node else 0
        for part in self.parts:
            mask |= part.needs
        return mask

    def conjuncts(self) -> Iterator[Formula]:
        """What all has to hold for it to hold."""
        if self.kind == "and":
            for part in self.parts:
                yield from part.conjuncts()
        elif self is not TRUE:
            yield self


TRUE = Formula("true")
FALSE = Formula("false")


# Making it


class Graph:
    """Nodes in the making: equal ones are one (hash-consing), and what is known is folded.

    `exact` is the algebra of constants; `unknowns` are those made so far, by the index that is
    their bit in `Node.needs`.
    """

    def __init__(self, exact: ExactAlgebra) -> None:
        self.exact = exact
        self.unknowns: list[Unknown] = []
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._count = 0

    def node(self, op: Op, *arguments: Node) -> Node:
        """The node of an operation: folded where all is known, an existing one where there is."""
        key = (op, *(argument.number for argument in arguments))
        found = self._nodes.get(key)
        if found is None:
            values = [argument.value for argument in arguments if argument.value is not None]
            if len(values) == len(arguments):
                found = self.constant(_folded(op, values))
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
        blank, universal = _perhaps_plain(op, arguments)
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
            return self.constant(self.exact.empty_relation)
        return None

    def _next(self) -> int:
        self._count += 1
        return self._count

    def constant(self, value: ExactRelation) -> Node:
        """The node of a known relation, events × events."""
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

    def recursion(self, size: int) -> Recursion:
        """A recursion of so many values; its bodies are still to come."""
        made = Recursion(())
        made.variables = tuple(self._variable(made, index) for index in range(size))
        return made

    def _variable(self, recursion: Recursion, index: int) -> Node:
        number = self._next()
        return Node(
            number,
            Op.VARIABLE,
            (),
            0,
            frozenset({number}),
            recursion=recursion,
            index=index,
            perhaps_blank=True,  # it starts as `{}`
        )

    def fixpoints(self, recursion: Recursion) -> list[Node]:
        """The values of a recursion that has its bodies.

        Raises Undecided where it is not monotone.
        """
        own = frozenset(variable.number for variable in recursion.variables)
        needs, variables, bent = 0, frozenset[int](), frozenset[int]()
        for body in recursion.bodies:
            if body.bent_variables & own:
                raise Undecided  # not monotone: what comes out depends on the rounds
            if body.perhaps_universal:
                raise Undecided
            needs |= body.needs
            variables |= body.variables - own
            bent |= body.bent_variables - own
        if not needs and not variables:
            return list(map(self.constant, _exact_fixpoint(recursion, self.exact)))
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


# Constants


def _folded(op: Op, values: Sequence[ExactRelation]) -> ExactRelation:
    """What an operation makes of known relations; event sets are identities."""
    first, *others = values
    match op:
        case Op.UNION:
            return first | others[0]
        case Op.INTERSECTION:
            return first & others[0]
        case Op.DIFFERENCE:
            return first - others[0]
        case Op.COMPLEMENT:
            return first.complement()
        case Op.COMPOSE:
            return first.compose(others[0])
        case Op.INVERSE:
            return first.inverse()
        case Op.CLOSURE:
            return first.transitive_closure()
        case Op.REFLEXIVE:
            return first.reflexive_closure()
        case Op.PRODUCT:
            return first.domain().product(others[0].domain())
        case Op.DOMAIN:
            return first.domain().identity()
        case Op.RANGE:
            return first.range().identity()
    raise AssertionError(op)


def holds_exactly(kind: str, value: ExactRelation) -> bool:
    """Whether a test holds of a known relation."""
    if kind == "empty":
        return not value.any()
    return value.is_irreflexive() if kind == "irreflexive" else value.is_acyclic()


def _exact_fixpoint(recursion: Recursion, exact: ExactAlgebra) -> list[ExactRelation]:
    """The least solution of a recursion over constants."""
    values = [exact.empty_relation] * len(recursion.bodies)
    while True:
        bound = dict(zip((v.number for v in recursion.variables), values, strict=True))
        new = [_exactly(body, bound, exact) for body in recursion.bodies]
        if new == values:
            return values
        values = new


def _exactly(node: Node, bound: dict[int, ExactRelation], exact: ExactAlgebra) -> ExactRelation:
    """The value of a node over constants and bound variables."""
    if node.value is not None:
        return node.value
    if node.number in bound:
        return bound[node.number]
    if node.op is Op.FIXPOINT:
        raise Undecided  # a recursion inside a recursion, of constants: not worth the code
    bound[node.number] = _folded(
        node.op, [_exactly(argument, bound, exact) for argument in node.arguments]
    )
    return bound[node.number]


def _perhaps_plain(op: Op, arguments: tuple[Node, ...]) -> tuple[bool, bool]:
    """Whether cat has `{}` for the result of an operation in some candidates, and whether `_`."""
    blank = [argument.perhaps_blank for argument in arguments]
    universal = [argument.perhaps_universal for argument in arguments]
    match op:
        case Op.UNION:
            return all(blank), any(universal)
        case Op.INTERSECTION:
            return any(blank), all(universal)
        case Op.DIFFERENCE:
            return blank[0] or universal[1], universal[0]
        case Op.COMPLEMENT:
            return universal[0], blank[0] or universal[0]
        case Op.COMPOSE:
            # A first part that is known is not empty here: then there would be no composition.
            return any(blank) or arguments[0].value is None, any(universal)
        case Op.REFLEXIVE:
            return False, universal[0]
        case Op.PRODUCT:
            return False, False
        case Op.DOMAIN | Op.RANGE:
            return blank[0], False
    return blank[0], universal[0]
