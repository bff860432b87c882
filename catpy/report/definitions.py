"""Which definition of a model needs which, and definitions with others in their place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from textwrap import fill

from catpy.cat.check import Checked, Definition
from catpy.cat.names import free_names
from catpy.cat.printer import show, show_binding, show_choice
from catpy.cat.syntax import Call, Check, Choice, Expression, Let
from catpy.cat.unfold import substitute
from catpy.errors import UsageError, did_you_mean
from catpy.report.model import check_name, check_text

#: A definition that unfolds to more names and operators than this stays folded.
_LARGEST = 3_000


# The graph


def _text(checked: Checked) -> str:
    lines = [_text_line(item.name, item.names_needed) for item in checked.definitions.shown]
    for name, needs in _checks(checked):
        lines.append(_text_line(name, sorted({item.name for item in needs})))
    return "".join(lines)


def _text_line(name: str, needs: list[str]) -> str:
    return f"{name}: {' '.join(needs)}".rstrip() + "\n"


def _checks(checked: Checked) -> Iterator[tuple[str, list[Definition]]]:
    """The checks, flags and calls of the model, each with the definitions it needs."""
    own = {id(item) for item in checked.model.own}
    for use in checked.definitions.uses:
        statement = use.statement
        if isinstance(statement, Check | Call) and id(statement) in own:
            yield check_name(statement) or check_text(statement), use.needs


def _dot(checked: Checked) -> str:
    """Arrows from what is needed to what needs it; checks are boxes, choices are dashed."""
    number = {id(item): f"d{index}" for index, item in enumerate(checked.definitions.all)}
    lines = [f"digraph {json.dumps(checked.model.name)} {{", "  node [shape=ellipse];"]
    drawn: dict[str, None] = {}
    for item in checked.definitions.shown:
        style = ", style=dashed" if isinstance(item.statement, Choice) else ""
        lines.append(f"  {number[id(item)]} [label={json.dumps(item.name)}{style}];")
        for needed in item.needs:
            drawn[f"  {number[id(needed)]} -> {number[id(item)]};"] = None
            if needed.is_library:
                drawn[f"  {number[id(needed)]} [label={json.dumps(needed.name)}];"] = None
    for index, (name, needs) in enumerate(_checks(checked)):
        lines.append(f"  c{index} [label={json.dumps(name)}, shape=box];")
        drawn |= dict.fromkeys(f"  {number[id(item)]} -> c{index};" for item in needs)
    return "\n".join([*lines, *drawn, "}"]) + "\n"


#: The forms of what needs what (`catpy model --deps`): definitions and checks with what they need.
DEPENDENCIES: Mapping[str, Callable[[Checked], str]] = {"text": _text, "dot": _dot}


# Definitions unfolded


def explain(checked: Checked, name: str, deep: bool) -> str:
    """A definition as it is written, and with what it needs in its place: one level, or all.

    Names that stay are said below: what is chosen, and what is recursive. Raises UsageError for a
    name that the model does not define.
    """
    item = _find(checked, name)
    try:
        text, left = _Unfolding(deep).explain(item)
    except RecursionError:
        raise UsageError(f"`{name}` is nested too deeply to be unfolded") from None
    where = "".join(_wrapped(f"where {_written(part)}") for part in left)
    return f"{item.span}:\n{text}{where}"


def _find(checked: Checked, name: str) -> Definition:
    item = checked.definitions.last(name)
    if item is None:
        names = {found.name for found in checked.definitions.all}
        given = {known for found in checked.definitions.all for known in found.given}
        hint = did_you_mean(name, names)
        if name in given:
            hint = "it is bound before the model"
        raise UsageError(f"the model {checked.model.name} does not define `{name}`", hint=hint)
    return item


class _Unfolding:
    """Unfolds definitions one level, or all levels (`deep`); each is unfolded once."""

    def __init__(self, deep: bool) -> None:
        self._deep = deep
        self._unfolded: dict[int, Expression | None] = {}
        self._left: dict[int, Definition] = {}

    def explain(self, item: Definition) -> tuple[str, list[Definition]]:
        """The text of a definition, and the definitions whose names stay in it."""
        body = _body(item)
        if body is None or item.binding is None:
            return f"  {_written(item)}\n", []
        lines = [_written(item)]
        unfolded = self._replaced(item, body)
        text = show_binding(item.binding, unfolded)
        if text != show_binding(item.binding):
            lines.append(f"{' ' * lines[0].index(item.name)}{text}")
        names = free_names(unfolded)
        left = [part for part in self._left.values() if part.name in names and part is not item]
        return "".join(map(_wrapped, lines)), left

    def _replaced(self, item: Definition, body: Expression) -> Expression:
        meant = {needed.name: needed for needed in item.needs}

        def meaning(name: str) -> Expression | None:
            return self._meaning(meant[name]) if name in meant else None

        return substitute(body, meaning)

    def _meaning(self, item: Definition) -> Expression | None:
        """What a name is replaced by; None where it stays."""
        if id(item) not in self._unfolded:
            self._unfolded[id(item)] = None  # what recursion finds
            self._unfolded[id(item)] = self._unfold(item)
        found = self._unfolded[id(item)]
        if found is None:
            self._left[id(item)] = item
        return found

    def _unfold(self, item: Definition) -> Expression | None:
        body = _body(item)
        if body is None or (isinstance(item.statement, Let) and item.statement.recursive):
            return None
        if not self._deep:
            return body
        unfolded = self._replaced(item, body)
        return unfolded if _size(unfolded) <= _LARGEST else None


def _body(item: Definition) -> Expression | None:
    """What a name stands for, where one binding says it whole."""
    return item.binding.body if item.binding and item.binding.pattern.single else None


def _wrapped(line: str) -> str:
    """A line of a definition, indented; its continuations stand further in."""
    deeper = " " * (len(line) - len(line.lstrip()) + 6)
    return (
        fill(
            line,
            width=110,
            initial_indent="  ",
            subsequent_indent=deeper,
            break_long_words=False,
            break_on_hyphens=False,
        )
        + "\n"
    )


def _size(expression: Expression) -> int:
    return len(show(expression)) // 3


def _written(item: Definition) -> str:
    statement = item.statement
    match statement:
        case Let(recursive=recursive):
            assert item.binding is not None
            return f"let {'rec ' if recursive else ''}{show_binding(item.binding)}"
        case Choice():
            return show_choice(statement)
    return statement.span.text
