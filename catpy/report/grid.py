"""Tables side by side: tests × models, and the short table of one run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from catpy.report.lines import columns, markdown
from catpy.report.table import Record, Table, keyed


def _cells(tables: Sequence[Table]) -> list[list[str]]:
    """The verdicts of tests (rows) under models (columns), below a header."""
    tests = [keyed(table.tests) for table in tables]
    cells = [["test", *(table.model for table in tables)]]
    for name in _names(tests):
        cells.append([name, *(_cell(table.get(name)) for table in tests)])
    return cells


def _names(tests: Sequence[Mapping[str, Record]]) -> list[str]:
    return list(dict.fromkeys(name for table in tests for name in table))


def _cell(test: Record | None) -> str:
    if test is None:
        return "-"
    return f"{test.verdict} {test.observation}".strip()


def _json(tables: Sequence[Table]) -> str:
    tests = [keyed(table.tests) for table in tables]
    rows = [
        {"name": name, "verdicts": [t[name].verdict if name in t else None for t in tests]}
        for name in _names(tests)
    ]
    models = [table.model for table in tables]
    return json.dumps({"schema": 1, "models": models, "tests": rows}, indent=1) + "\n"


#: The forms of tables side by side (`catpy table`).
FORMS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    "text": lambda tables: columns(_cells(tables)),
    "markdown": lambda tables: markdown(_cells(tables)),
    "json": _json,
}


def summary(table: Table) -> str:
    """A line per test: verdict, observation, states, executions, what else there is to know."""
    rows = [["test", "verdict", "observation", "states", "positive", "negative", "notes"]]
    for test in table.tests:
        notes = [*test.flags]
        notes += [f"stuck {test.stuck}"] if test.stuck else []
        notes += [f"cut {test.cut}"] if test.cut else []
        notes += ["states only"] if test.counts == "states" else []
        notes += ["first only"] if test.decided else []
        notes += [f"incomplete {test.incomplete}"] if test.incomplete else []
        counts = [str(len(test.states)), str(test.positive), str(test.negative)]
        rows.append([test.name, test.verdict, test.observation, *counts, ", ".join(notes)])
    return columns(rows)
