"""Outcome tables: the JSON form of what a model makes of tests, schema 1.

    {"schema": 1, "model": "ptx", "tests": [
      {"name": "MP", "file": "litmus/isa/MP.litmus", "kind": "exists",
       "condition": "exists (1:r0=1 /\\\\ 1:r1=0)",
       "verdict": "Ok|No|Undefined|Incomplete|Error", "observation": "Never|Sometimes|Always",
       "states": [{"values": {"1:r0": 0, "x": 1}, "executions": 2, "satisfies": false}],
       "positive": 0, "negative": 3, "candidates": 12, "stuck": 0, "cut": 0, "bounded": false,
       "flags": ["data-race"], "hash": "…", "time": 0.004, "error": null, "counts": "executions",
       "decided": false, "incomplete": "", "key": "…"}]}

`positive` and `negative` count executions by the proposition, whatever the quantifier. Values are
integers; unknown values and addresses are strings (`"?x"`, `"&x"`). A test with an error has its
message and no states. Where executions were not counted, `counts` is `states`: each counts once. A
search that ended early has `decided` (the condition was) or says in `incomplete` why. The `key` is
the same for the same text under the same model with the same options; `--resume` goes by it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, overload

from catpy.batch.runner import Result
from catpy.execution import Outcome
from catpy.execution.outcome import State, Verdict

SCHEMA = 1

Values = Mapping[str, int | str]


@dataclass(frozen=True)
class StateRecord:
    values: Values
    executions: int
    satisfies: bool

    def key(self) -> tuple[tuple[str, int | str], ...]:
        """The same for states with the same values."""
        return tuple(sorted(self.values.items()))


@dataclass(frozen=True, kw_only=True)
class Record:
    """A test of a table; the fields are those of the JSON form, in their order."""

    name: str
    file: str
    kind: str = ""
    condition: str = ""
    verdict: str
    observation: str = ""
    states: Sequence[StateRecord] = ()
    positive: int = 0
    negative: int = 0
    candidates: int = 0
    stuck: int = 0
    cut: int = 0
    bounded: bool = False
    flags: tuple[str, ...] = ()
    hash: str = ""
    time: float = 0.0
    error: str | None = None
    counts: str = "executions"
    decided: bool = False
    incomplete: str = ""
    key: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the search came to its end."""
        return not self.error and not self.incomplete


@dataclass(frozen=True)
class Table:
    model: str
    tests: tuple[Record, ...] = ()


class _States(Sequence[StateRecord]):
    """The states of an outcome as records, made where they are asked for: they can be many."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._names = [str(observable) for observable in outcome.observables]

    def __len__(self) -> int:
        return len(self._outcome.executions)

    @overload
    def __getitem__(self, index: int) -> StateRecord: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[StateRecord]: ...
    def __getitem__(self, index: int | slice) -> StateRecord | Sequence[StateRecord]:
        if isinstance(index, slice):
            return tuple(map(self._record, self._outcome.states[index]))
        return self._record(self._outcome.states[index])

    def _record(self, state: State) -> StateRecord:
        named = zip(self._names, state.values, strict=True)
        values = {name: v if isinstance(v, int) else str(v) for name, v in named}
        return StateRecord(values, state.executions, state.satisfies)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def record(result: Result, key: str = "") -> Record:
    """The record of a result."""
    if result.outcome is None:
        assert result.error is not None
        file = result.job.file
        error = result.error.render()
        return Record(name=result.name, file=file.name, verdict="Error", error=error)
    return _outcome_record(result.outcome, key)


def _outcome_record(outcome: Outcome, key: str) -> Record:
    return Record(
        name=outcome.name,
        file=outcome.file,
        verdict=outcome.verdict.value,
        kind=outcome.quantifier,
        condition=f"{outcome.quantifier} ({outcome.condition})",
        observation=outcome.observation,
        states=_States(outcome),
        positive=outcome.positive,
        negative=outcome.negative,
        candidates=outcome.candidates,
        stuck=outcome.stuck,
        cut=outcome.cut,
        bounded=outcome.bounded,
        flags=outcome.flags,
        hash=outcome.digest,
        time=round(outcome.time, 6),
        counts="states" if outcome.states_only else "executions",
        decided=outcome.decided,
        incomplete=outcome.incomplete,
        key=key,
    )


# JSON


def to_json(table: Table) -> str:
    """The table as JSON text, a test a line."""
    lines = map(to_line, table.tests)
    head = f'{{"schema": {SCHEMA}, "model": {json.dumps(table.model)}, "tests": ['
    return head + ",".join(f"\n{line}" for line in lines) + "\n]}\n"


def to_line(test: Record) -> str:
    """A test as a line of JSON."""
    return json.dumps(_jsonable(test), ensure_ascii=False)


def _jsonable(test: Record) -> dict[str, Any]:
    states = [
        {"values": dict(s.values), "executions": s.executions, "satisfies": s.satisfies}
        for s in test.states
    ]
    return {field.name: getattr(test, field.name) for field in fields(test)} | {"states": states}


def table_from_json(data: dict[str, Any]) -> Table:
    """The table of a JSON object of this schema. Raises ValueError where it is none."""
    return Table(_typed(data, "model", str), tuple(_records(_typed(data, "tests", list))))


def _records(tests: Sequence[object]) -> Iterator[Record]:
    for number, test in enumerate(tests, start=1):
        try:
            yield from_json(test)
        except ValueError as problem:
            raise ValueError(f"test {number}: {problem}") from None


_VERDICTS = [verdict.value for verdict in Verdict]

_FIELDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("name", "file", "verdict", "kind", "condition", "observation", "hash"), str),
    **dict.fromkeys(("positive", "negative", "candidates", "stuck", "cut"), int),
    **dict.fromkeys(("states", "flags"), list),
    "bounded": bool,
    "time": (int, float),
    "error": (str, type(None)),
}


#: Fields that a table of an earlier version may lack.
_LATER_FIELDS: dict[str, type] = {"counts": str, "decided": bool, "incomplete": str, "key": str}


def from_json(test: object) -> Record:
    """The record of a JSON object. Raises ValueError where it is none."""
    known = {name: _typed(test, name, kind) for name, kind in _FIELDS.items()}
    for name, kind in _LATER_FIELDS.items():
        if isinstance(test, dict) and name in test:
            known[name] = _typed(test, name, kind)
    if known["verdict"] not in _VERDICTS:
        raise ValueError(f"`{known['verdict']}` is no verdict: {', '.join(_VERDICTS)}")
    known["states"] = tuple(map(_state_from_json, known["states"]))
    if not all(isinstance(flag, str) for flag in known["flags"]):
        raise ValueError("a flag is no text")
    known["flags"] = tuple(known["flags"])
    return Record(**known)


def _state_from_json(state: object) -> StateRecord:
    values = _typed(state, "values", dict)
    if not all(isinstance(value, int | str) for value in values.values()):
        raise ValueError("a value is neither a number nor a text")
    return StateRecord(values, _typed(state, "executions", int), _typed(state, "satisfies", bool))


def _typed(data: object, name: str, kind: type | tuple[type, ...]) -> Any:
    """A field of a JSON object; raises ValueError where it is missing or of another type."""
    if not isinstance(data, dict) or name not in data:
        raise ValueError(f"`{name}` is missing")
    value = data[name]
    # In Python a truth is a number.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"`{name}` is of a wrong type")
    if isinstance(value, int | float) and not 0 <= value < math.inf:
        raise ValueError(f"`{name}` is not a number from 0 on")
    return value


def keyed(tests: Sequence[Record]) -> dict[str, Record]:
    """The tests by name; where a table has a name twice, by name and file."""
    names = [test.name for test in tests]
    return {
        test.name if names.count(test.name) == 1 else f"{test.name} ({test.file})": test
        for test in tests
    }
