"""Bits between the rows never show, whatever the operations that went before."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from catpy.relation import ExactRelation
from tests.relation.plain import (
    Pairs,
    Universe,
    assert_events,
    assert_relation,
    closure,
    compose,
    diagonal,
    everything,
    inverse,
    is_acyclic,
    is_irreflexive,
    moderate,
    universes,
)


@dataclass(frozen=True)
class Term:
    """An operator over terms; `r`, `s`, `a` and `b` stand for those of a universe."""

    operator: str
    operands: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return f"{self.operator}({', '.join(map(str, self.operands))})"


def terms() -> st.SearchStrategy[Term]:
    leaves = st.sampled_from(["r", "s", "a×b", "[a]", "0", "id", "all"]).map(Term)

    def extend(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        unary = st.builds(
            lambda operator, x: Term(operator, (x,)),
            st.sampled_from(["~", "^-1", "+", "*", "?", "restrict", "domain×range"]),
            inner,
        )
        binary = st.builds(
            lambda operator, x, y: Term(operator, (x, y)),
            st.sampled_from(["|", "&", "\\", ";"]),
            inner,
            inner,
        )
        return unary | binary

    return st.recursive(leaves, extend, max_leaves=8)


def exact(term: Term, u: Universe) -> ExactRelation:
    algebra = u.algebra
    a, b = algebra.event_set(u.a), algebra.event_set(u.b)
    values = [exact(operand, u) for operand in term.operands]
    match term.operator, values:
        case "r", []:
            return algebra.relation(u.r)
        case "s", []:
            return algebra.relation(u.s)
        case "a×b", []:
            return a.product(b)
        case "[a]", []:
            return a.identity()
        case "0", []:
            return algebra.empty_relation
        case "id", []:
            return algebra.identity
        case "all", []:
            return algebra.all_pairs
        case "~", [x]:
            return x.complement()
        case "^-1", [x]:
            return x.inverse()
        case "+", [x]:
            return x.transitive_closure()
        case "*", [x]:
            return x.reflexive_transitive_closure()
        case "?", [x]:
            return x.reflexive_closure()
        case "restrict", [x]:
            return x & a.product(b.complement())
        case "domain×range", [x]:
            return x.domain().product(x.range())
        case "|", [x, y]:
            return x | y
        case "&", [x, y]:
            return x & y
        case "\\", [x, y]:
            return x - y
        case ";", [x, y]:
            return x.compose(y)
    raise AssertionError(term)


def plain(term: Term, u: Universe) -> Pairs:
    values = [plain(operand, u) for operand in term.operands]
    identity = diagonal(range(u.size))
    match term.operator, values:
        case "r", []:
            return u.r
        case "s", []:
            return u.s
        case "a×b", []:
            return frozenset((x, y) for x in u.a for y in u.b)
        case "[a]", []:
            return diagonal(u.a)
        case "0", []:
            return frozenset()
        case "id", []:
            return identity
        case "all", []:
            return everything(u.size)
        case "~", [v]:
            return everything(u.size) - v
        case "^-1", [v]:
            return inverse(v)
        case "+", [v]:
            return closure(v)
        case "*", [v]:
            return closure(v) | identity
        case "?", [v]:
            return v | identity
        case "restrict", [v]:
            return frozenset((x, y) for x, y in v if x in u.a and y not in u.b)
        case "domain×range", [v]:
            return frozenset((x, y) for x, _ in v for _, y in v)
        case "|", [v, w]:
            return v | w
        case "&", [v, w]:
            return v & w
        case "\\", [v, w]:
            return v - w
        case ";", [v, w]:
            return compose(v, w)
    raise AssertionError(term)


@given(universes(st.integers(0, 12) | st.sampled_from([15, 16, 17, 33])), terms())
@moderate
def test_terms_of_any_operations(u: Universe, term: Term) -> None:
    relation, pairs = exact(term, u), plain(term, u)
    assert_relation(u.algebra, relation, pairs)
    assert_events(u.algebra, relation.domain(), frozenset(x for x, _ in pairs))
    assert_events(u.algebra, relation.range(), frozenset(y for _, y in pairs))
    assert relation.is_irreflexive() == is_irreflexive(pairs)
    assert relation.is_acyclic() == is_acyclic(pairs)


@given(universes())
@moderate
def test_a_complement_goes_on_like_any_relation(u: Universe) -> None:
    algebra = u.algebra
    r, s = algebra.relation(u.r).complement(), algebra.relation(u.s)
    pairs = everything(u.size) - u.r
    assert_relation(algebra, r | s, pairs | u.s)
    assert_relation(algebra, s - r, u.s - pairs)
    assert_relation(algebra, r.inverse(), inverse(pairs))
    assert_relation(algebra, r.compose(s), compose(pairs, u.s))
    assert_relation(algebra, s.compose(r), compose(u.s, pairs))
    assert_relation(algebra, r.transitive_closure(), closure(pairs))
    assert_relation(algebra, r.reflexive_closure(), pairs | diagonal(range(u.size)))
    assert algebra.is_contained(r, algebra.all_pairs)
    assert algebra.is_empty(r) == (not pairs)


@given(universes())
@moderate
def test_a_complement_goes_on_like_any_set(u: Universe) -> None:
    algebra = u.algebra
    a, events = algebra.event_set(u.a).complement(), frozenset(range(u.size)) - u.a
    assert_relation(algebra, a.identity(), diagonal(events))
    assert_relation(algebra, a.product(a), frozenset((x, y) for x in events for y in events))
    assert_events(algebra, a | algebra.event_set(u.b), events | u.b)
    assert algebra.is_contained(a, algebra.all_events)
    assert algebra.is_empty(a) == (not events)
