"""Values and expressions: computing at once, later, and on what is no integer."""

from __future__ import annotations

import pytest

from catpy.arch.ptx.arithmetic import ADD, COPY, NOT, SUB
from catpy.arch.terms import (
    EQUAL,
    SELECT,
    Address,
    Computed,
    Operator,
    ReadValue,
    Unknown,
    Value,
    apply,
    compute,
)

DIVIDE = Operator("div", lambda left, right: left // right)
READ = ReadValue(0, 0)


def test_known_operands_are_computed_at_once() -> None:
    assert compute(ADD, 2, 3) == 5


def test_an_operator_waits_for_reads() -> None:
    expression = compute(ADD, READ, 3)
    assert expression == Computed(ADD, (READ, 3))
    assert compute(ADD, expression, 1) == Computed(ADD, (expression, 1))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Address("x"), "&x"),
        (Address("x", 4), "&x+4"),
        (Unknown("x"), "?x"),
        (Unknown("a[1]"), "?a[1]"),
    ],
)
def test_how_values_print(value: Value, shown: str) -> None:
    assert str(value) == shown


@pytest.mark.parametrize(
    ("operator", "operands", "expected"),
    [
        (ADD, (Address("x"), 4), Address("x", 4)),
        (ADD, (4, Address("x", 4)), Address("x", 8)),
        (SUB, (Address("x", 8), 4), Address("x", 4)),
        (ADD, (Unknown("x"), 0), Unknown("x")),
        (COPY, (Address("x"),), Address("x")),
        (COPY, (Unknown("x"),), Unknown("x")),
        (NOT, (Address("x"),), 0),
        (SELECT, (Address("x"), 2, 1), Address("x")),
        (SELECT, (1, Unknown("x"), 0), Unknown("x")),
    ],
)
def test_addresses_and_unknown_values_in_operators(
    operator: Operator, operands: tuple[Value, ...], expected: Value
) -> None:
    assert apply(operator, list(operands)) == expected


@pytest.mark.parametrize(
    ("operator", "operands"),
    [
        (ADD, (Unknown("x"), 1)),
        (Operator("add", lambda left, right: left + right), (Address("x"), 1)),
        (NOT, (Unknown("x"),)),
        (ADD, (Address("x"), Address("y"))),
        (SUB, (1, Address("x"))),
        (DIVIDE, (Unknown("x"), 1)),
        (DIVIDE, (1, 0)),
        (SELECT, (1, 2, Unknown("x"))),
    ],
)
def test_everything_else_is_unknown_but_constant(
    operator: Operator, operands: tuple[Value, ...]
) -> None:
    value = apply(operator, list(operands))
    assert isinstance(value, Unknown)
    assert value == apply(operator, list(operands))
    assert value not in operands


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1, 1),
        (1, 2, 0),
        (Unknown("x"), Unknown("x"), 1),
        (Unknown("x"), Unknown("y"), 0),
        (Unknown("x"), 0, 0),
        (Address("x"), Address("x"), 1),
        (Address("x"), Address("x", 4), 0),
        (Address("x"), Address("y"), 0),
        (Address("x"), 0, 0),
        (Address("x"), Unknown("x"), 0),
    ],
)
def test_equality(left: Value, right: Value, same: int) -> None:
    assert apply(EQUAL, [left, right]) == same
    assert apply(EQUAL, [right, left]) == same
