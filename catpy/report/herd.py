"""herd's log, so exactly that herd's own log tools read it.

Some lines are ours, of a form those tools pass over: `Stuck NAME n` and `Cut NAME n`, the numbers
of consistent executions that came to no final state; `Vacuous NAME …` where there is no state;
`Counts NAME …` where executions were not counted, `First NAME …` where the search ended with the
state that decides the condition, and `Incomplete NAME …` where it ended at a limit.
"""

from __future__ import annotations

from catpy.arch.terms import Address, Unknown, Value
from catpy.execution import Outcome, Verdict
from catpy.litmus.syntax import Location, Observable

_KINDS = {"exists": "Allowed", "~exists": "Forbidden", "forall": "Required"}
_VERDICTS = {
    Verdict.OK: "Ok",
    Verdict.NO: "No",
    Verdict.UNDEFINED: "Undef",
    Verdict.INCOMPLETE: "Incomplete",
}


def herd_log(outcome: Outcome) -> str:
    """The log of a test, with the blank line after it."""
    name = outcome.name
    lines = [f"Test {name} {_KINDS[outcome.quantifier]}", f"States {len(outcome.executions)}"]
    lines += [_state(outcome.observables, state.values) for state in outcome.states]
    positive, negative = outcome.positive, outcome.negative
    # herd's witnesses are those of the condition, its observation is of the proposition.
    witnesses = (negative, positive) if outcome.quantifier == "~exists" else (positive, negative)
    lines += [
        ("Loop " if outcome.cut else "") + _VERDICTS[outcome.verdict],
        "Witnesses",
        f"Positive: {witnesses[0]} Negative: {witnesses[1]}",
    ]
    lines += [f"Flag {flag}" for flag in outcome.flags]
    lines += [
        f"Condition {outcome.quantifier} ({outcome.condition.replace('?', 'unknown:')})",
        f"Observation {name} {outcome.observation} {positive} {negative}",
    ]
    lines += bounds(outcome)
    lines += [f"Time {name} {outcome.time:.2f}", f"Hash={outcome.digest}", "", ""]
    return "\n".join(lines)


def bounds(outcome: Outcome) -> list[str]:
    """What leaves a verdict open, a line each."""
    lines = []
    if outcome.stuck:
        lines.append(f"Stuck {outcome.name} {outcome.stuck}")
    if outcome.cut:
        lines.append(f"Cut {outcome.name} {outcome.cut}")
    if outcome.states_only:
        lines.append(f"Counts {outcome.name} are numbers of states")
    if outcome.decided:
        lines.append(f"First {outcome.name} the condition is decided, there may be more states")
    if outcome.incomplete:
        lines.append(f"Incomplete {outcome.name} {outcome.incomplete}")
    if not outcome.executions and not outcome.incomplete:
        lines.append(f"Vacuous {outcome.name} there is no final state")
    return lines


def _state(observables: tuple[Observable, ...], values: tuple[Value, ...]) -> str:
    pairs = zip(observables, values, strict=True)
    return " ".join(f"{_shown(observable)}={_value(value)};" for observable, value in pairs)


def _shown(observable: Observable) -> str:
    return f"[{observable}]" if isinstance(observable, Location) else str(observable)


def _value(value: Value) -> str:
    """A value as herd's tools can read it: an address is its name, an unknown `unknown:x`."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Address):
        return str(value).removeprefix("&")
    if isinstance(value, Unknown):
        return f"unknown:{value.name}"
    return str(value)
