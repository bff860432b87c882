"""What changes between two tables: per test the states gained and lost, verdicts, flags, counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catpy.report.table import Record, StateRecord, Table, keyed


@dataclass(frozen=True)
class Change:
    """A test that differs. `before` or `after` is None where one table lacks it."""

    name: str
    before: Record | None
    after: Record | None

    @property
    def verdicts(self) -> tuple[str, str]:
        return _verdict(self.before), _verdict(self.after)

    def gained(self) -> list[StateRecord]:
        return _without(self.after, self.before)

    def lost(self) -> list[StateRecord]:
        return _without(self.before, self.after)

    def recounted(self) -> Iterator[tuple[StateRecord, int]]:
        """States of both with their new number of executions, where it differs."""
        if not _are_counted(self.before, self.after):
            return
        after = {s.key(): s.executions for s in self.after.states} if self.after else {}
        for state in self.before.states if self.before else ():
            new = after.get(state.key(), state.executions)
            if new != state.executions:
                yield state, new

    def flags(self) -> tuple[list[str], list[str]]:
        """Flags gained and lost."""
        before = set(self.before.flags if self.before else ())
        after = set(self.after.flags if self.after else ())
        return sorted(after - before), sorted(before - after)

    def bounds(self) -> Iterator[tuple[str, int, int]]:
        """Changed numbers of stuck and cut executions."""
        if self.before and self.after:
            for name in ("stuck", "cut"):
                old, new = getattr(self.before, name), getattr(self.after, name)
                if old != new:
                    yield name, old, new


@dataclass(frozen=True)
class Difference:
    """All changes from one table to another, and the number of tests without any.

    `failed` are the tests that could be run on neither side; those in `partial` were not searched
    to the end on one side or the other, so that a state that is missing there says nothing.
    """

    before: str
    after: str
    changes: tuple[Change, ...]
    same: int
    failed: int = 0
    partial: tuple[str, ...] = ()


def compare(before: Table, after: Table) -> Difference:
    """The difference of two tables; times and candidates do not count."""
    old, new = keyed(before.tests), keyed(after.tests)
    changes, partial, same, failed = [], [], 0, 0
    for name in dict.fromkeys([*old, *new]):
        left, right = old.get(name), new.get(name)
        if left is not None and right is not None and left.error and right.error:
            failed += 1
        elif _is_partial(left) or _is_partial(right):
            partial.append(name)
        elif left is not None and right is not None and _are_alike(left, right):
            same += 1
        else:
            changes.append(Change(name, left, right))
    return Difference(before.model, after.model, tuple(changes), same, failed, tuple(partial))


def _is_partial(test: Record | None) -> bool:
    return test is not None and bool(test.incomplete or test.decided)


def _are_alike(left: Record, right: Record) -> bool:
    counted = _are_counted(left, right)
    return _outcome(left, counted) == _outcome(right, counted)


def _are_counted(*tests: Record | None) -> bool:
    """Whether the numbers of executions of tests can be compared."""
    return all(test is None or test.counts == "executions" for test in tests)


def _outcome(test: Record, counted: bool) -> tuple[object, ...]:
    states = sorted(((s.key(), s.executions if counted else 1) for s in test.states), key=repr)
    return (test.verdict, states, test.flags, test.stuck, test.cut, test.condition)


def _without(table: Record | None, other: Record | None) -> list[StateRecord]:
    if table is None or other is None:
        return []
    known = {state.key() for state in other.states}
    return [state for state in table.states if state.key() not in known]


def _verdict(test: Record | None) -> str:
    return "missing" if test is None else test.verdict


def _text(difference: Difference) -> str:
    if not difference.changes:
        return _nothing(difference)
    lines = []
    for change in difference.changes:
        lines.append(f"{change.name}: {_arrow(*change.verdicts)}")
        lines += [f"  {sign} {text}" for sign, text in _details(change)]
    return "\n".join([*lines, _summary(difference), ""])


def _markdown(difference: Difference) -> str:
    if not difference.changes:
        return _nothing(difference)
    lines = [f"### {difference.before} → {difference.after}", "", _summary(difference), ""]
    lines += ["| test | verdict | changes |", "| --- | --- | --- |"]
    for change in difference.changes:
        details = "<br>".join(f"`{sign} {text}`" for sign, text in _details(change))
        lines.append(f"| {change.name} | {_arrow(*change.verdicts)} | {details} |")
    return "\n".join([*lines, ""])


def _nothing(difference: Difference) -> str:
    return f"no difference ({_tests(difference.same)}{_failed(difference)})\n"


def _details(change: Change) -> Iterator[tuple[str, str]]:
    for state in change.gained():
        yield "+", f"{_state(state)} ({_executions(state.executions)})"
    for state in change.lost():
        yield "-", f"{_state(state)} ({_executions(state.executions)})"
    for state, executions in change.recounted():
        yield "~", f"{_state(state)} ({state.executions} → {_executions(executions)})"
    gained, lost = change.flags()
    for flag in gained:
        yield "+", f"flag {flag}"
    for flag in lost:
        yield "-", f"flag {flag}"
    for name, old, new in change.bounds():
        yield "~", f"{name} {old} → {new}"
    for sign, test in (("-", change.before), ("+", change.after)):
        if test is not None and test.error:
            yield sign, test.error.splitlines()[0]


def _state(state: StateRecord) -> str:
    return " ".join(f"{name}={value};" for name, value in state.values.items())


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _executions(number: int) -> str:
    return f"{number} execution{'s' if number != 1 else ''}"


def _tests(number: int) -> str:
    return f"{number} test{'s' if number != 1 else ''}"


def _summary(difference: Difference) -> str:
    arrows = Counter(_arrow(*change.verdicts) for change in difference.changes)
    verdicts = ", ".join(f"{number} {arrow}" for arrow, number in sorted(arrows.items()))
    differ = _tests(len(difference.changes))
    verb = "differs" if len(difference.changes) == 1 else "differ"
    return f"{differ} {verb} ({verdicts}), {difference.same} the same{_failed(difference)}"


def _failed(difference: Difference) -> str:
    text = f", {difference.failed} could not be run" if difference.failed else ""
    if difference.partial:
        names = ", ".join(difference.partial)
        text += f", {len(difference.partial)} not searched to the end: {names}"
    return text


def _json(difference: Difference) -> str:
    data = {
        "schema": 1,
        "before": difference.before,
        "after": difference.after,
        "same": difference.same,
        "failed": difference.failed,
        "partial": list(difference.partial),
        "changes": [_change_json(change) for change in difference.changes],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _change_json(change: Change) -> dict[str, Any]:
    gained, lost = change.flags()
    return {
        "name": change.name,
        "verdict": list(change.verdicts),
        "gained": [dict(s.values) for s in change.gained()],
        "lost": [dict(s.values) for s in change.lost()],
        "executions": [
            {"values": dict(s.values), "before": s.executions, "after": new}
            for s, new in change.recounted()
        ],
        "flags_gained": gained,
        "flags_lost": lost,
        "bounds": {name: [old, new] for name, old, new in change.bounds()},
        "errors": [test.error if test else None for test in (change.before, change.after)],
    }


#: The forms of a difference (`catpy diff`).
FORMS: Mapping[str, Callable[[Difference], str]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
}
