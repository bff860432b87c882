"""The syntax tree of the cat language, one page. Every node knows its place in the text."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from catpy.cat.dialect import Dialect
from catpy.errors import ModelError
from catpy.source import Span

# Expressions


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Constant:
    """`0` (the empty relation), `_` (the universe) or `{}` (empty, of any kind)."""

    symbol: str
    span: Span


@dataclass(frozen=True, slots=True)
class TagOf:
    """A tag `'name`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator applied to its operands.

    `operator` is one of `| ; \\ & ++ × ~ + * ? ^-1 []`, where `×` is the binary `*` and `[]` the
    identity on a set. `|` and `;` have two operands or more.
    """

    operator: str
    operands: tuple[Expression, ...]
    span: Span

    @property
    def meets_product(self) -> bool:
        """Whether this is `r & (S*T)`: there, as in herd, a pair is taken for a relation."""
        if self.operator != "&":
            return False
        return any(isinstance(o, Operation) and o.operator == "×" for o in self.operands)


@dataclass(frozen=True, slots=True)
class Apply:
    """A function applied to one argument, which may be a tuple."""

    function: Expression
    argument: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class TupleOf:
    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{e1, …, en}` with at least one element."""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """`fun params -> body`; `free` are the names it takes from around it."""

    pattern: Pattern
    body: Expression
    free: frozenset[str]
    span: Span


@dataclass(frozen=True, slots=True)
class LetIn:
    bindings: tuple[Binding, ...]
    recursive: bool
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Try:
    body: Expression
    fallback: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """`if condition then … else …`."""

    condition: Condition
    then: Expression
    otherwise: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class MatchTag:
    """`match t with 'a -> e || … || _ -> d end`; the tag None is `_`."""

    scrutinee: Expression
    arms: tuple[tuple[str | None, Expression], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MatchSet:
    """`match S with {} -> e || x ++ xs -> f end`, or in three parts `s1 | x ++ s2`.

    `below` is the name of the elements before x, None where there are two parts only; the other
    names are None for `_`.
    """

    scrutinee: Expression
    empty: Expression
    below: str | None
    element: str | None
    rest: str | None
    three_parts: bool
    body: Expression
    span: Span


Expression = (
    Name
    | Constant
    | TagOf
    | Operation
    | Apply
    | TupleOf
    | SetOf
    | Function
    | LetIn
    | Try
    | If
    | MatchTag
    | MatchSet
)

# Conditions of `if`


@dataclass(frozen=True, slots=True)
class Variant:
    """`"name"`: whether the variant is on."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class NotCondition:
    operand: VariantCondition


@dataclass(frozen=True, slots=True)
class BothConditions:
    left: VariantCondition
    right: VariantCondition


@dataclass(frozen=True, slots=True)
class EitherCondition:
    left: VariantCondition
    right: VariantCondition


@dataclass(frozen=True, slots=True)
class Comparison:
    """`a = b`, `a subset b` or `a in b`."""

    operator: str
    left: Expression
    right: Expression
    span: Span


#: Variants and comparisons cannot be mixed in one condition.
VariantCondition = Variant | NotCondition | BothConditions | EitherCondition
Condition = VariantCondition | Comparison


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a binding binds: one name (`single`) or a tuple of names; None stands for `_`."""

    names: tuple[str | None, ...]
    single: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """`pattern = body`; a function definition has a `Function` for its body."""

    pattern: Pattern
    body: Expression
    free: frozenset[str]
    span: Span


# Statements


@dataclass(frozen=True, slots=True)
class Let:
    bindings: tuple[Binding, ...]
    recursive: bool
    when: Check | None
    span: Span


class Role(enum.Enum):
    """What a test does with an execution for which it is false (a check) or true (a flag)."""

    CHECK = "check"
    FLAG = "flag"
    UNDEFINED_UNLESS = "undefined_unless"
    ASSERT = "assert"


@dataclass(frozen=True, slots=True)
class Check:
    """`[role] [~] acyclic|irreflexive|empty expression [as name]`."""

    kind: str
    negated: bool
    expression: Expression
    name: str | None
    role: Role
    span: Span


@dataclass(frozen=True, slots=True)
class Include:
    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """`with name from expression`, or `some …`: one element suffices and counts once."""

    name: str
    expression: Expression
    some: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Show:
    """`show` and `unshow`: for drawings; nothing is evaluated."""

    names: tuple[str, ...]
    expression: Expression | None
    hide: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Procedure:
    """`procedure [rec] name(…) = … end`."""

    name: str
    pattern: Pattern
    body: tuple[Statement, ...]
    recursive: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`call procedure argument [as name]`."""

    procedure: Name
    argument: Expression
    name: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Forall:
    """`forall x in S do … end`."""

    name: str
    expression: Expression
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class IfStatement:
    """`if "variant" … else … end`."""

    condition: VariantCondition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MatchStatement:
    """`match t with 'a -> … || … end`; the tag None is `_`."""

    scrutinee: Expression
    arms: tuple[tuple[str | None, tuple[Statement, ...]], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Enum:
    """`enum name = 'a || 'b`: the tags, and the name bound to the set of them."""

    name: str
    tags: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Debug:
    """`debug e`: nothing is evaluated."""

    expression: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Annotations:
    """`instructions K[…]` and `default K[…]` of bell files: which annotations a kind may have."""

    keyword: str
    kind: str
    arguments: tuple[Expression, ...]
    span: Span


Statement = (
    Let
    | Check
    | Include
    | Choice
    | Show
    | Procedure
    | Call
    | Forall
    | IfStatement
    | MatchStatement
    | Enum
    | Debug
    | Annotations
)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself: names (an architecture, a title), a title in quotes, `catdep`."""

    names: tuple[str, ...]
    title: str | None
    catdep: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class File:
    """What a file holds. `problems` are its mistakes.

    `broken` are the names that statements which cannot be read would have bound, `mentioned` all
    the names in them.
    """

    header: Header
    statements: tuple[Statement, ...]
    dialect: Dialect
    problems: tuple[ModelError, ...] = ()
    broken: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    text: str = field(default="", compare=False, repr=False)
