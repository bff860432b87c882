"""Conditions: reading, precedence, judging, writing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.litmus.condition import atoms, observables, predicate, show_condition
from catpy.litmus.syntax import (
    AddressOf,
    And,
    Atom,
    Comparand,
    Condition,
    Implies,
    Location,
    Not,
    Number,
    ObjectState,
    Or,
    Register,
    Truth,
    UnknownValue,
)
from catpy.source import Source
from tests.litmus.helpers import condition, fails

NOWHERE = Source("none", " ").span(0, 1)
X, Y, Z = Location("x"), Location("y"), Location("z")


def atom(left: Comparand, relation: str, right: Comparand | int) -> Atom:
    return Atom(left, relation, Number(right) if isinstance(right, int) else right, NOWHERE)


def equal(left: Comparand, right: Comparand | int = 1) -> Atom:
    return atom(left, "=", right)


# Atoms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x=1", equal(X)),
        ("x = 1", equal(X)),
        ("[x]=1", equal(X)),
        ("[ x ] = 1", equal(X)),
        ("1:r0=1", equal(Register(1, "r0"))),
        ("P1:r0=1", equal(Register(1, "r0"))),
        ("P1:%r0=1", equal(Register(1, "r0"))),
        ("12 : rd5 = 1", equal(Register(12, "rd5"))),
        ("a[1]=1", equal(Location("a", 1))),
        ("[a[1]]=1", equal(Location("a", 1))),
        ("a[0x2]=1", equal(Location("a", 2))),
        ("x=0x1f", equal(X, 31)),
        ("x=0XFF", equal(X, 255)),
        ("x=-1", equal(X, -1)),
        ("x=- 1", equal(X, -1)),
        ("x=-0x10", equal(X, -16)),
        ("x=18446744073709551615", equal(X, 2**64 - 1)),
        ("1:r0=y", equal(Register(1, "r0"), AddressOf(Y))),
        ("1:r0=&y", equal(Register(1, "r0"), AddressOf(Y))),
        ("1:r0=&a[1]", equal(Register(1, "r0"), AddressOf(Location("a", 1)))),
        ("1:r0=a[1]", equal(Register(1, "r0"), AddressOf(Location("a", 1)))),
        ("1:r0=[y]", equal(Register(1, "r0"), Y)),
        ("1:r0=[a[1]]", equal(Register(1, "r0"), Location("a", 1))),
        ("1:r0=0:r1", equal(Register(1, "r0"), Register(0, "r1"))),
        ("P1:r0=P0:%r1", equal(Register(1, "r0"), Register(0, "r1"))),
        ("x=?x", equal(X, UnknownValue("x"))),
        ("1:r0=?y", equal(Register(1, "r0"), UnknownValue("y"))),
        ("1=x", equal(Number(1), AddressOf(X))),
        ("-1=[x]", equal(Number(-1), X)),
        ("&x=1:r0", equal(AddressOf(X), Register(1, "r0"))),
        ("?x=[x]", equal(UnknownValue("x"), X)),
        ("[x]=mbarrier(1,2,1,-4)", equal(X, ObjectState("mbarrier", (1, 2, 1, -4)))),
        ("mbarrier(0)!=[x]", atom(ObjectState("mbarrier", (0,)), "!=", X)),
        ("notx=1", equal(Location("notx"))),
        ("true_=1", equal(Location("true_"))),
    ],
)
def test_atoms(text: str, expected: Atom) -> None:
    assert condition(text) == expected


def test_numbers_may_begin_with_a_zero() -> None:
    assert condition("x=007") == equal(X, 7)


def test_unknown_values_of_array_elements_have_a_name() -> None:
    assert condition("1:r0=?a[1]") == equal(Register(1, "r0"), UnknownValue("a[1]"))


@pytest.mark.parametrize(
    ("written", "relation"),
    [
        ("=", "="),
        ("==", "="),
        ("!=", "!="),
        ("<>", "!="),
        ("<", "<"),
        ("<=", "<="),
        (">", ">"),
        (">=", ">="),
    ],
)
@pytest.mark.parametrize("blank", ["", " "])
def test_operators(written: str, relation: str, blank: str) -> None:
    assert condition(f"x{blank}{written}{blank}2") == atom(X, relation, 2)
    assert condition(f"1:r0{blank}{written}{blank}-2") == atom(Register(1, "r0"), relation, -2)


def test_atoms_know_their_place() -> None:
    found = list(atoms(condition("x=1 /\\ not (1:r0=y)")))
    assert [atom.span.text for atom in found] == ["x=1", "1:r0=y"]
    assert [str(atom.span) for atom in found] == ["t.litmus:1:1", "t.litmus:1:13"]


# Connectives


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", Truth(True)),
        ("false", Truth(False)),
        ("(true)", Truth(True)),
        ("((x=1))", equal(X)),
        ("~x=1", Not(equal(X))),
        ("not x=1", Not(equal(X))),
        ("~(x=1)", Not(equal(X))),
        ("not (x=1)", Not(equal(X))),
        ("not(x=1)", Not(equal(X))),
        ("~~x=1", Not(Not(equal(X)))),
        ("not ~ not x=1", Not(Not(Not(equal(X))))),
        ("x=1 /\\ y=1", And((equal(X), equal(Y)))),
        ("x=1/\\y=1", And((equal(X), equal(Y)))),
        ("x=1 /\\ y=1 /\\ z=1", And((equal(X), equal(Y), equal(Z)))),
        ("x=1 \\/ y=1", Or((equal(X), equal(Y)))),
        ("x=1 \\/ y=1 \\/ z=1", Or((equal(X), equal(Y), equal(Z)))),
        ("x=1 => y=1", Implies(equal(X), equal(Y))),
        ("x=1=>y=1", Implies(equal(X), equal(Y))),
        ("(x=1 /\\ y=1) /\\ z=1", And((And((equal(X), equal(Y))), equal(Z)))),
    ],
)
def test_connectives(text: str, expected: Condition) -> None:
    assert condition(text) == expected


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("x=1 \\/ y=1 /\\ z=1", "x=1 \\/ (y=1 /\\ z=1)"),
        ("x=1 /\\ y=1 \\/ z=1", "(x=1 /\\ y=1) \\/ z=1"),
        ("~x=1 /\\ y=1", "(~x=1) /\\ y=1"),
        ("not x=1 \\/ y=1", "(not x=1) \\/ y=1"),
        ("~x=1 => y=1", "(~x=1) => y=1"),
        ("x=1 \\/ y=1 => z=1", "(x=1 \\/ y=1) => z=1"),
        ("x=1 => y=1 \\/ z=1", "x=1 => (y=1 \\/ z=1)"),
        ("x=1 => y=1 /\\ z=1", "x=1 => (y=1 /\\ z=1)"),
        ("x=1 => y=1 => z=1", "x=1 => (y=1 => z=1)"),
        ("~(x=1 => y=1) \\/ z=1", "(~(x=1 => y=1)) \\/ z=1"),
    ],
)
def test_precedence(text: str, grouped: str) -> None:
    assert condition(text) == condition(grouped)


def test_implication_in_parentheses_keeps_its_side() -> None:
    left = condition("(x=1 => y=1) => z=1")
    assert left == Implies(Implies(equal(X), equal(Y)), equal(Z))
    assert left != condition("x=1 => y=1 => z=1")


def test_deep_parentheses_are_read() -> None:
    assert condition("(" * 50 + "x=1" + ")" * 50) == equal(X)


# Looking at and judging


def test_observables_are_those_of_both_sides() -> None:
    found = [o for o, _ in observables(condition("1:r0=[x] /\\ not (a[1]>2 => 0:r1=&y)"))]
    assert found == [Register(1, "r0"), X, Location("a", 1), Register(0, "r1")]


def test_the_constants_of_a_condition_are_no_observables() -> None:
    assert list(observables(condition("true /\\ ?x=&y"))) == []


RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def judge(text: str, **values: int) -> bool:
    """Whether a condition holds where locations have these values."""

    def comparison(found: Atom) -> Callable[[Mapping[str, int]], bool]:
        assert isinstance(found.left, Location)
        assert isinstance(found.right, Number)
        compare, name, number = RELATIONS[found.operator], found.left.name, found.right.value
        return lambda state: compare(state[name], number)

    return predicate(condition(text), comparison)(values)


@pytest.mark.parametrize(
    ("connective", "table"),
    [
        ("/\\", [False, False, False, True]),
        ("\\/", [False, True, True, True]),
        ("=>", [True, True, False, True]),
    ],
)
def test_truth_tables(connective: str, table: list[bool]) -> None:
    values = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [judge(f"x=1 {connective} y=1", x=x, y=y) for x, y in values] == table


def test_negation_and_constants() -> None:
    assert judge("~ x=1", x=0)
    assert not judge("not (x=1)", x=1)
    assert judge("true")
    assert not judge("false")
    assert judge("false => x=1", x=0)


@pytest.mark.parametrize(
    ("text", "true_for"),
    [
        ("x=1", {1}),
        ("x!=1", {0, 2}),
        ("x<>1", {0, 2}),
        ("x<1", {0}),
        ("x<=1", {0, 1}),
        ("x>1", {2}),
        ("x>=1", {1, 2}),
    ],
)
def test_comparisons(text: str, true_for: set[int]) -> None:
    assert {x for x in range(3) if judge(text, x=x)} == true_for


# Writing


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x = 1", "[x]=1"),
        ("a[1]=-1", "[a[1]]=-1"),
        ("P1:%r0 == 0x10", "1:r0=16"),
        ("1:r0=[x]", "1:r0=[x]"),
        ("1:r0=&x", "1:r0=x"),
        ("1:r0=a[1]", "1:r0=a[1]"),
        ("1:r0=?x", "1:r0=?x"),
        ("1:r0=0:r1", "1:r0=0:r1"),
        ("x<>1", "not ([x]=1)"),
        ("~(x=1)", "not ([x]=1)"),
        ("x<=1", "[x]<=1"),
        ("true", "true"),
        ("x=1 /\\ (y=1 \\/ z=1)", "[x]=1 /\\ ([y]=1 \\/ [z]=1)"),
        ("(x=1 /\\ y=1) \\/ z=1", "[x]=1 /\\ [y]=1 \\/ [z]=1"),
        ("(x=1 => y=1) => z=1", "([x]=1 => [y]=1) => [z]=1"),
        ("not (x=1 /\\ y=1)", "not ([x]=1 /\\ [y]=1)"),
    ],
)
def test_conditions_are_written_as_herd_does(text: str, shown: str) -> None:
    assert show_condition(condition(text)) == shown


NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,3}", fullmatch=True).filter(
    lambda name: name not in ("not", "true", "false")
)
LOCATIONS = st.builds(Location, NAMES, st.none() | st.integers(0, 9))
TERMS: st.SearchStrategy[Comparand] = st.one_of(
    st.builds(Register, st.integers(0, 20), NAMES),
    LOCATIONS,
    st.builds(Number, st.integers(-(2**64), 2**64)),
    st.builds(AddressOf, LOCATIONS),
    st.builds(UnknownValue, NAMES),
    st.builds(ObjectState, NAMES, st.lists(st.integers(-9, 9), min_size=1).map(tuple)),
)
ATOMS: st.SearchStrategy[Condition] = st.builds(
    Atom, TERMS, st.sampled_from(list(RELATIONS)), TERMS, st.just(NOWHERE)
)


def compound(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, inner),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, inner, inner),
    )


CONDITIONS = st.recursive(ATOMS | st.builds(Truth, st.booleans()), compound, max_leaves=8)


def without_inequality(given_condition: Condition) -> Condition:
    """The condition with `not (a = b)` for `a != b`, which herd's form has no operator for."""
    match given_condition:
        case Atom(left, "!=", right, span):
            return Not(Atom(left, "=", right, span))
        case Not(operand):
            return Not(without_inequality(operand))
        case And(operands):
            return And(tuple(map(without_inequality, operands)))
        case Or(operands):
            return Or(tuple(map(without_inequality, operands)))
        case Implies(left, right):
            return Implies(without_inequality(left), without_inequality(right))
    return given_condition


@settings(deadline=None, max_examples=200)
@given(CONDITIONS)
def test_a_written_condition_reads_back_as_the_same(original: Condition) -> None:
    assert condition(show_condition(original)) == without_inequality(original)


@settings(deadline=None, max_examples=100)
@given(CONDITIONS)
def test_writing_is_stable(original: Condition) -> None:
    shown = show_condition(original)
    assert show_condition(condition(shown)) == shown


def test_the_unknown_value_of_an_element_reads_back() -> None:
    original = equal(Register(1, "r0"), UnknownValue("a[1]"))
    assert condition(show_condition(original)) == original


@pytest.mark.parametrize("sign", ["&&", "||"])
def test_signs_of_c_are_translated(sign: str) -> None:
    message = f"a condition has no `{sign}`: and is `/\\`, or is `\\/`, not is `~`"
    fails(f"PTX t\n{{ }}\n P0 ;\n nop ;\nexists (0:r0=1 ▸{sign} x=0)\n", message)
