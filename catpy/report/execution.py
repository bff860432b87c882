"""One execution as text: its events by short names, and the values that cat expressions have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from catpy.arch.program import Event
from catpy.cat.syntax import Check, Role
from catpy.cat.values import (
    ClassRelation,
    Enumeration,
    Pair,
    Polymorphic,
    Tag,
    Tuple,
    Value,
    ValueSet,
    describe,
    kind,
)
from catpy.cat.values import Event as OneEvent
from catpy.execution.inspection import Execution
from catpy.relation import ExactEventSet, ExactRelation
from catpy.report.lines import columns

#: How many elements of a set that is walked through, never built, are shown.
_SHOWN = 20

_KINDS = {
    "events": "sets",
    "rel": "relations",
    "closure": "functions",
    "procedure": "procedures",
    "value": "other values",
    "wrong": "cannot be evaluated",
}


def event_names(execution: Execution) -> list[str]:
    """A short name for each event: `IWx` for initial writes, then a, b, … z, aa, ab, …"""
    names, letters = [], 0
    for event in execution.events:
        if event.thread is None:
            names.append(f"IW{event.location}")
        else:
            names.append(_letters(letters))
            letters += 1
    return names


def _letters(number: int) -> str:
    rest, last = divmod(number, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("a") + last)


class Shown:
    """How an execution is shown; `verbose` gives each event and pair a line with instructions."""

    def __init__(self, execution: Execution, verbose: bool = False) -> None:
        self._execution = execution
        self._names = event_names(execution)
        self._verbose = verbose

    def overview(self) -> str:
        """The events, what the registers end with, and the reads-from relation."""
        rows = [self._event_row(number) for number in range(len(self._names))]
        return columns(rows) + "".join(f"{line}\n" for line in [*self._registers(), self._rf()])

    def _event_row(self, number: int) -> list[str]:
        event = self._execution.events[number]
        thread = "" if event.thread is None else f"P{event.thread}"
        return [self._names[number], thread, self._action(number), _instruction(event)]

    def _action(self, number: int) -> str:
        """What an event does: `R x = 1`, or the kind of one that accesses nothing."""
        event = self._execution.events[number]
        kinds = ("R", "W", "F", "BAR", "WAIT", "API")
        kind = next((name for name in kinds if name in event.sets), "event")
        if event.location is None:
            return kind
        value = self._execution.event_value(number)
        return f"{kind} {event.location} = {'unknown' if value is None else value}"

    def _registers(self) -> Iterator[str]:
        for thread, registers in self._execution.registers().items():
            if registers:
                ends = ", ".join(f"{name} = {value}" for name, value in registers.items())
                yield f"P{thread} ends with {ends}"

    def _rf(self) -> str:
        pairs = sorted((write, read) for read, write in self._execution.sources.items())
        return f"rf: {self._in_line(map(self._arrow, pairs))}"

    # Values

    def value(self, value: Value) -> str:
        """A value in a line; the verbose form and sets of sets have a line for each element."""
        if self._verbose and isinstance(value, ExactEventSet | ExactRelation):
            return self._verbosely(value)
        if isinstance(value, ValueSet | Enumeration):
            return "{" + ",\n ".join(self._elements(value)) + "}"
        return self._short(value)

    def _verbosely(self, value: ExactEventSet | ExactRelation) -> str:
        if isinstance(value, ExactEventSet):
            rows = [self._event_row(number) for number in value]
        else:
            rows = [self._pair_row(*pair) for pair in value]
        return columns(rows).rstrip("\n") if rows else "{}"

    def _pair_row(self, source: int, target: int) -> list[str]:
        return [*self._described(source), "→", *self._described(target)]

    def _described(self, number: int) -> list[str]:
        instruction = _instruction(self._execution.events[number])
        return [self._names[number], instruction or self._action(number)]

    def _elements(self, value: ValueSet | Enumeration) -> Iterator[str]:
        if isinstance(value, ValueSet):
            items: list[Value] = list(value.items)
        else:
            items = list(islice(value.elements(), _SHOWN + 1))
        for item in items[:_SHOWN]:
            yield self._short(item)
        if len(items) > _SHOWN:
            yield "…"

    def _short(self, value: Value) -> str:
        match value:
            case ExactEventSet():
                return self._in_line(self._names[number] for number in value)
            case ExactRelation():
                return self._in_line(map(self._arrow, value))
            case OneEvent(number):
                return self._names[number]
            case Pair(source, target):
                return self._arrow((source, target))
            case Polymorphic():
                return value.value
            case Tag(name):
                return f"'{name}"
            case Tuple(items):
                return f"({', '.join(map(self._short, items))})"
            case ValueSet(items):
                return self._in_line(map(self._short, items))
            case ClassRelation(pairs):
                both = (f"{self._short(x)} → {self._short(y)}" for x, y in pairs)
                return self._in_line(sorted(both))
        return describe(value)

    def _arrow(self, pair: tuple[int, int]) -> str:
        return f"{self._names[pair[0]]} → {self._names[pair[1]]}"

    @staticmethod
    def _in_line(items: Iterable[str]) -> str:
        return "{" + ", ".join(items) + "}"

    # Tests

    def test(self, check: Check, value: Value, holds: bool) -> str:
        """`yes` or `no`, and what the test is about: a shortest cycle, loops, what is not empty."""
        answer = "yes" if holds else "no"
        witness = None
        if holds is check.negated:
            witness = self._witness(check.kind, value)
        return f"{answer}: {witness}" if witness else answer

    def _witness(self, kind: str, value: Value) -> str | None:
        if kind == "empty":
            return self._short(value)
        if not isinstance(value, ExactRelation):
            return None
        if kind == "irreflexive":
            return self._in_line(self._arrow(pair) for pair in value if pair[0] == pair[1])
        cycle = value.cycle() or []
        return " → ".join(self._names[number] for number in [*cycle, *cycle[:1]])

    def checks(self) -> str:
        """The model's checks, a line each: whether they hold here."""
        rows = [
            [_check_name(check), _judgement(check, holds)]
            for check, holds in self._execution.checks()
        ]
        return columns(rows) if rows else "no checks\n"


def names_by_kind(execution: Execution) -> str:
    """What is bound, a line for each kind."""
    kinds: dict[str, list[str]] = {title: [] for title in _KINDS.values()}
    for name, value in execution.names():
        kinds[_KINDS[_kind(value)]].append(name)
    lines = [f"{title}: {' '.join(sorted(names))}" for title, names in kinds.items() if names]
    return "\n".join(lines) + "\n"


def _kind(value: Value | None) -> str:
    if value is None:
        return "wrong"
    found = kind(value)
    return found if found in _KINDS else "value"


def _instruction(event: Event) -> str:
    return " ".join(event.span.text.split()) if event.span else ""


def _check_name(check: Check) -> str:
    return check.name or " ".join(check.span.text.split())


def _judgement(check: Check, holds: bool) -> str:
    match check.role:
        case Role.FLAG:
            return "flagged" if holds else "not flagged"
        case Role.UNDEFINED_UNLESS:
            return "holds" if holds else "undefined here"
    return "holds" if holds else "fails"
