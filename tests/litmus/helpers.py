"""Texts of small tests, and errors checked against a mark in the text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from catpy.errors import TestError
from catpy.litmus import LitmusTest, parse_test
from catpy.litmus.condition import parse_condition
from catpy.litmus.syntax import Condition, InitItem
from catpy.source import Source

#: Where an error is expected, in texts of bad tests.
MARK = "▸"
NAME = "t.litmus"


def parse(text: str) -> LitmusTest:
    """The test of a text."""
    return parse_test(Source(NAME, text))


def columns(init: str = "", final: str = "exists (x=0)") -> str:
    """A test of two columns with this initial section and this end."""
    return f"PTX t\n{{ {init} }}\n P0 | P1 ;\n st.weak [x], 1 | ld.weak r0, [x] ;\n{final}\n"


def condition(text: str) -> Condition:
    """The condition of a text."""
    source = Source(NAME, text)
    return parse_condition(source.span(0, len(text)))


def items(init: str) -> tuple[InitItem, ...]:
    """The items of an initial section."""
    return parse(columns(init)).init


def marked(text: str) -> tuple[str, int, int]:
    """A text without its mark, and the line and column (from 1) where the mark was."""
    assert text.count(MARK) == 1, "the text has one mark"
    before, after = text.split(MARK)
    line = before.count("\n") + 1
    return before + after, line, len(before) - (before.rfind("\n") + 1) + 1


def fails(
    text: str, message: str, hint: str = "", act: Callable[[str], object] = parse
) -> TestError:
    """Checks that a text is refused at its mark, with a message and a hint that hold these words.

    What is printed has to show the line of the mark with a caret under the marked character.
    """
    clean, line, column = marked(text)
    with pytest.raises(TestError) as caught:
        act(clean)
    error = caught.value
    assert message in error.message
    assert str(error.span) == f"{NAME}:{line}:{column}"
    if hint:
        assert error.hint is not None
        assert hint in error.hint
    check_rendering(error, clean, line, column)
    return error


def check_rendering(error: TestError, text: str, line: int, column: int) -> None:
    """Checks the place, the quoted line and the caret of a printed error."""
    head, quoted, carets, *rest = error.render().split("\n")
    written = text.split("\n")[line - 1].rstrip("\r")
    assert head == f"{NAME}:{line}:{column}: error: {error.message}"
    assert quoted == f"  {written}"
    assert set(carets) <= {" ", "\t", "^"}
    assert carets.index("^") == 2 + column - 1
    assert rest == ([f"  hint: {error.hint}"] if error.hint else [])
