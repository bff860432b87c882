"""What a model defines, chooses and checks, and what is wrong with it: text, JSON, graphs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catpy.cat.check import Checked, Definition, Diagnostic, short
from catpy.cat.names import mentioned_names
from catpy.cat.primitives import EXTENSIONS
from catpy.cat.printer import show, show_check, show_choice
from catpy.cat.syntax import Call, Check, Choice, Role, Statement
from catpy.report.lines import columns
from catpy.source import Span

_FLAGS = (Role.FLAG, Role.UNDEFINED_UNLESS)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model does, without what every model starts from."""

    checked: Checked
    definitions: tuple[Definition, ...]
    choices: tuple[Choice, ...]
    checks: tuple[Check | Call, ...]
    flags: tuple[Check, ...]
    extensions: tuple[str, ...]


def summarise(checked: Checked) -> Summary:
    """What a checked model defines, chooses, checks and flags."""
    statements = checked.model.own
    tests = [item for item in statements if isinstance(item, Check | Call)]
    flags = [item for item in tests if isinstance(item, Check) and item.role in _FLAGS]
    return Summary(
        checked,
        checked.definitions.shown,
        tuple(item for item in statements if isinstance(item, Choice)),
        tuple(item for item in tests if item not in flags),
        tuple(flags),
        tuple(_extensions(checked, statements)),
    )


#: Library files that herd has in a form of its own: what ours use is no concern of a model's.
_LIBRARY_FILES = {"stdlib.cat", "cross.cat", "cos.cat"}


def _extensions(checked: Checked, statements: Sequence[Statement]) -> Iterator[str]:
    own = [item for item in statements if Path(item.span.source.name).name not in _LIBRARY_FILES]
    names = mentioned_names(own)
    for name in EXTENSIONS:
        if name in names and checked.definitions.last(name) is None:
            yield name
    if any(isinstance(item, Choice) and item.some for item in own):
        yield "some"


# Text


def model_text(checked: Checked) -> str:
    """Diagnostics, then what the model is made of."""
    summary = summarise(checked)
    parts = [*(f"{item.render()}\n" for item in checked.diagnostics), _headline(checked)]
    parts += _section("defines", _definition_rows(summary))
    parts += _section("chooses", [_choice_row(item, checked) for item in summary.choices])
    parts += _section("checks", [_check_row(item, checked) for item in summary.checks])
    parts += _section("flags", [_check_row(item, checked) for item in summary.flags])
    used = ", ".join(f"`{name}`" for name in summary.extensions) or "none"
    parts.append(f"\nextensions of cat: {used}\n")
    return "".join(parts)


def _headline(checked: Checked) -> str:
    errors = len(checked.errors)
    warnings = len(checked.diagnostics) - errors
    found = [_number(errors, "error"), _number(warnings, "warning")]
    counted = ", ".join(filter(None, found)) or "no errors, no warnings"
    title = checked.model.header.title
    named = f' "{title}"' if title else ""
    return f"{checked.model.path}{named}: {counted}\n"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}" if count else ""


def _section(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    lines = columns(rows).splitlines()
    return [f"\n{title}\n", *(f"  {line}\n" for line in lines)]


def _definition_rows(summary: Summary) -> list[list[str]]:
    checked = summary.checked
    if not summary.definitions:
        return []
    rows = [["name", "form", "kind", "line", "needs"]]
    for item in summary.definitions:
        kind = short(checked.kind_of(item))
        needs = " ".join(item.names_needed)
        rows.append([item.name, item.form, kind, _line(item.span, checked), needs])
    return rows


def _line(span: Span, checked: Checked) -> str:
    """The line, with the file where that is not the model's own."""
    line, _ = span.source.position(span.start)
    return str(line) if checked.model.holds(span) else f"{span.source.name}:{line}"


def _choice_row(choice: Choice, checked: Checked) -> list[str]:
    return [_line(choice.span, checked), show_choice(choice)]


def _check_row(check: Check | Call, checked: Checked) -> list[str]:
    return [_line(check.span, checked), check_name(check) or "-", check_text(check)]


def check_name(check: Check | Call) -> str | None:
    """The name a check is skipped by; a call has that of its procedure."""
    return check.name or (check.procedure.name if isinstance(check, Call) else None)


def check_text(check: Check | Call) -> str:
    """A check or a call as it is written, without its name."""
    if isinstance(check, Check):
        return show_check(check)
    return f"call {check.procedure.name}({show(check.argument)})"


# JSON


def model_json(checked: Checked) -> str:
    """The same as data: `schema` is counted up when a field changes its meaning."""
    summary = summarise(checked)
    data = {
        "schema": 1,
        "model": checked.model.name,
        "file": str(checked.model.path),
        "title": checked.model.header.title,
        "diagnostics": [_diagnostic_data(item) for item in checked.diagnostics],
        "definitions": [_definition_data(item, checked) for item in summary.definitions],
        "choices": [_choice_data(item) for item in summary.choices],
        "checks": [_check_data(item) for item in summary.checks],
        "flags": [_check_data(item) for item in summary.flags],
        "extensions": list(summary.extensions),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _place(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"file": None, "line": None, "column": None}
    line, column = span.source.position(span.start)
    return {"file": span.source.name, "line": line, "column": column}


def _diagnostic_data(item: Diagnostic) -> dict[str, Any]:
    data = {"code": item.code, "severity": item.severity.value, "message": item.message}
    return {**data, "hint": item.hint, **_place(item.span)}


def _definition_data(item: Definition, checked: Checked) -> dict[str, Any]:
    kind = short(checked.kind_of(item))
    data = {"name": item.name, "form": item.form, "kind": kind, "needs": item.names_needed}
    return {**data, **_place(item.span)}


def _choice_data(choice: Choice) -> dict[str, Any]:
    form = "some" if choice.some else "with"
    data = {"name": choice.name, "form": form, "from": show(choice.expression)}
    return {**data, **_place(choice.span)}


def _check_data(check: Check | Call) -> dict[str, Any]:
    return {"name": check_name(check), "text": check_text(check), **_place(check.span)}


#: The forms of what is said of a model (`catpy model`).
FORMS: Mapping[str, Callable[[Checked], str]] = {"text": model_text, "json": model_json}
