"""Random expressions, written with as few parentheses as the levels ask for, are read back."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cat.notation import expression, show

#: How tightly what an operator makes holds together: the levels of the table.
UNION, ADD, SEQUENCE, DIFFERENCE, INTERSECTION, TIGHT, INVERSE, APPLICATION = range(1, 9)


@dataclass(frozen=True)
class Written:
    """An expression as text, and in the notation of the vectors."""

    text: str
    shown: str
    level: int
    #: At the tight level: whether a postfix operator, and not a product or a complement, made it.
    is_postfix: bool = False
    is_atom: bool = False

    def at(self, level: int) -> str:
        """The text where nothing looser than a level may stand."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def closed(self) -> str:
        return self.shown if self.is_atom else f"({self.shown})"

    @property
    def postfix_operand(self) -> str:
        return self.text if self.is_postfix else self.at(INVERSE)


def atom(text: str) -> Written:
    return Written(text, text, APPLICATION + 1, is_atom=True)


def flat(operator: str, level: int, operands: list[Written]) -> Written:
    text = f" {operator} ".join(operand.at(level + 1) for operand in operands)
    return Written(text, operator.join(operand.closed for operand in operands), level)


def binary(operator: str, x: Written, y: Written) -> Written:
    shown = f"{x.closed}{operator}{y.closed}"
    match operator:
        case "++":
            return Written(f"{x.at(ADD + 1)} ++ {y.at(ADD)}", shown, ADD)
        case "&":
            return Written(f"{x.at(INTERSECTION + 1)} & {y.at(INTERSECTION)}", shown, INTERSECTION)
        case "\\":
            return Written(f"{x.at(DIFFERENCE)} \\ {y.at(DIFFERENCE + 1)}", shown, DIFFERENCE)
        case _:
            return Written(f"{x.postfix_operand} * {y.at(INVERSE)}", shown, TIGHT)


def postfix(operator: str, x: Written) -> Written:
    text, shown = f"{x.postfix_operand} {operator}", f"{x.closed}{operator}"
    if operator == "^-1" and not x.is_postfix:
        return Written(text, shown, INVERSE)
    return Written(text, shown, TIGHT, is_postfix=True)


def complement(x: Written) -> Written:
    operand = x.text if x.text.startswith("~") and x.level == TIGHT else x.at(INVERSE)
    return Written(f"~{operand}", f"~{x.closed}", TIGHT)


def application(function: str, arguments: list[Written]) -> Written:
    text, shown = function, function
    for at, argument in enumerate(arguments):
        text += f" {argument.text}" if argument.is_atom else f" ({argument.text})"
        shown = f"({shown})·{argument.closed}" if at else f"{shown}·{argument.closed}"
    return Written(text, shown, APPLICATION)


def written() -> st.SearchStrategy[Written]:
    leaves = st.sampled_from(["a", "b-c", "x'", "_y", "0", "_", "{}"]).map(atom)

    def extend(inner: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
        several = st.lists(inner, min_size=2, max_size=4)
        return st.one_of(
            several.map(lambda operands: flat("|", UNION, operands)),
            several.map(lambda operands: flat(";", SEQUENCE, operands)),
            st.builds(binary, st.sampled_from(["++", "&", "\\", "×"]), inner, inner),
            st.builds(postfix, st.sampled_from(["+", "*", "?", "^-1"]), inner),
            inner.map(complement),
            inner.map(lambda x: Written(f"[{x.text}]", f"[{x.shown}]", 9, is_atom=True)),
            st.builds(
                application, st.sampled_from(["f", "g"]), st.lists(inner, min_size=1, max_size=2)
            ),
        )

    return st.recursive(leaves, extend, max_leaves=12)


@given(written())
@settings(deadline=None, max_examples=300)
def test_trees_with_few_parentheses_are_read_back(tree: Written) -> None:
    assert show(expression(tree.text)) == tree.shown


@given(written())
@settings(deadline=None, max_examples=100)
def test_blanks_and_comments_between_tokens_change_nothing(tree: Written) -> None:
    spaced = tree.text.replace(" ", " (* ~ *)\n")
    assert show(expression(spaced)) == tree.shown
