"""The graph that a symbolic algebra makes: nodes, unknowns, recursions, formulas."""

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
    """A statement on candidates: a test (`empty`, `irreflexive`, `acyclic`) of a node, or made of

    others: `and`, `not`. The constants are `TRUE` and `FALSE`.
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


# Constants


def folded(op: Op, values: Sequence[ExactRelation]) -> ExactRelation:
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


def exact_fixpoint(recursion: Recursion, exact: ExactAlgebra) -> list[ExactRelation]:
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
    bound[node.number] = folded(
        node.op, [_exactly(argument, bound, exact) for argument in node.arguments]
    )
    return bound[node.number]


def perhaps_plain(op: Op, arguments: tuple[Node, ...]) -> tuple[bool, bool]:
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
