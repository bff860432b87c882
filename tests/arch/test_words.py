"""Words that stand in the code as strings are words that there are: a misspelt one is no silent no.

Classes of qualifiers are asked for by `word("…")`, sets of events are written in capitals.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from catpy.arch import ptx
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.table import all_rows
from catpy.arch.ptx.tags import SET_NAMES
from catpy.arch.ptx.words import CLASSES, SCOPE_TAGS

MODULES = sorted(Path(ptx.__file__).parent.rglob("*.py"))
#: What is in capitals and no set: a name that the package exports, and the operands of `mov`.
OTHERS = {"VOCABULARY", "DV"}


def nodes(module: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(module.read_text()))


def test_qualifiers_are_asked_for_by_classes_that_there_are() -> None:
    asked = {
        node.args[0].value
        for module in MODULES
        for node in nodes(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "word"
        and isinstance(node.args[0], ast.Constant)
    }
    assert "operation" in asked
    assert asked <= CLASSES.keys()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_words_in_capitals_are_sets_of_events(module: Path) -> None:
    found = {
        node.value
        for node in nodes(module)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch("[A-Z][A-Z_]+", node.value)
    }
    assert found <= SET_NAMES | OTHERS


@pytest.mark.parametrize("row", all_rows(), ids=lambda row: row.opcode)
def test_what_rows_name_is_there(row: Row) -> None:
    words = {word for effect in row.events for word in effect.sets.split() if word.isupper()}
    for mode in row.modes:
        words |= {mode.read, mode.write, *mode.tags} - {""}
        assert {*mode.scopes, mode.default, mode.fixed_scope} - {None} <= SCOPE_TAGS.keys()
    assert words | {row.proxy} <= SET_NAMES
    for combination in (one for rule in row.rules for one in rule):
        for kind in combination.keys() - {"semantics", "scope", "operands"}:
            assert {*combination[kind]} - {""} <= {*row.classes[kind]}
