"""The page of all instruction forms, `README.md` beside this module, made from the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from catpy.arch.ptx.calls import CALLS
from catpy.arch.ptx.instruction import Row
from catpy.arch.ptx.page_rows import (
    classes_of,
    code,
    dotted,
    events_of,
    forms_of,
    grid,
    modes_of,
    rules_of,
)
from catpy.arch.ptx.table import LIMITS, NOT_MODELLED, Family, all_rows, families
from catpy.arch.ptx.tags import TAGS
from catpy.arch.ptx.words import CLASSES, GROUPS
from catpy.litmus.host import FORMS

_HEAD = """\
# PTX instructions

Every instruction form that catpy reads, the events it makes, and what is left out. This page is
made from the instruction table (`table.py` and `rows` beside it), by which catpy reads
instructions. After a change there, `tools/test --promote tests/arch/test_page.py` writes it anew.
The tests check that it is current, and that the events are those it says."""

_READING = """\
## How to read it

An entry begins with how the instruction is written. What is in braces may be left out. A word in
capitals is one of the qualifiers that are listed for it below, and [what they say](#qualifiers)
stands at the end. Qualifiers may come in any order.

| operand | what it is |
| --- | --- |
| `d` | a register that is written; `_` for none |
| `[a]` | an address: `[x]`, `[x+4]`, `[x[1]]`, `[r1]`, `[r1+4]`, also without the brackets |
| `[a, {c}]` | element `c` of a texture, surface or tensor, or else an address as above |
| `L` | a label |
| others | a register, a number, or the name of a variable, which stands for its address |

A table has the semantics and scopes that an instruction takes, and what sets the semantics put its
events into. A scope has to be written unless one is the default. Where not all qualifiers go
together, another has a line for each combination that there is, with the operands it takes.

Then come the events, in order, each with [the sets](#sets-of-events) it is in. Words in italics
stand for sets: *semantics* for those of the table; *scope* for that of the scope, if there is one;
*space* for that of the state space which the instruction or the declaration of the variable names,
if one does. Where other accesses divide the bytes of one, it is an event for each part.

Three lists have names:

{groups}"""


def page() -> str:
    """The text of the page."""
    sections = [_family(family) for family in families()]
    titles = [*(family.title for family in families()), *_LAST]
    reading = _READING.replace("{groups}", _groups())
    last = [f"## {title}\n\n{make()}" for title, make in _LAST.items()]
    return "\n\n".join([_HEAD, _contents(titles), reading, *sections, *last]) + "\n"


def _contents(titles: Iterable[str]) -> str:
    return " ·\n".join(f"[{title}](#{_anchor(title)})" for title in titles)


def _anchor(title: str) -> str:
    """The name that GitHub gives the place of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _groups() -> str:
    return "\n".join(f"* {name}: {code(dotted(words))}" for name, words in GROUPS.items())


# Entries

#: The heading of an entry, how it is written, and its row.
Entry = tuple[str, Sequence[str], Row]


def _family(family: Family) -> str:
    entries = [
        (
            _code_list(row.opcode for row in rows),
            [line for row in rows for line in forms_of(row)],
            rows[0],
        )
        for rows in _merged(family.rows)
    ]
    return f"## {family.title}\n\n{_section(family.about, entries)}"


def _code_list(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _section(about: str, entries: Sequence[Entry]) -> str:
    """Entries, with their events before them where those are the same in all."""
    rows = [row for _, _, row in entries]
    common = len(rows) > 1 and len({row.events for row in rows}) == 1
    parts = [about, events_of(rows[0]) if common else ""]
    for heading, forms, row in entries:
        parts += [f"### {heading}", "\n".join(["```", *forms, "```"]), row.about]
        parts += [modes_of(row), classes_of(row), rules_of(row), "" if common else events_of(row)]
    return "\n\n".join(filter(None, parts))


def _merged(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows, those together that differ in their opcodes only."""
    found: dict[object, list[Row]] = {}
    for row in rows:
        found.setdefault(_content(row), []).append(row)
    return list(found.values())


def _content(row: Row) -> object:
    """All that is to be said of a row besides its opcode."""
    held = {field.name: getattr(row, field.name) for field in fields(row)}
    held["classes"] = tuple(row.classes.items())
    held["rules"] = tuple(tuple(tuple(one.items()) for one in rule) for rule in row.rules)
    return tuple(value for name, value in held.items() if name not in ("opcode", "execute"))


# What comes behind the families


def _host_calls() -> str:
    """The section of calls of the host."""
    known = code(row.opcode for row in all_rows() if row.is_on_host)
    about = (
        "In threads of the host, like `P2@host`. In a `host { … }` block they make no events. What"
        " they order is in the relation `api`.\n\n"
        f"Of the instructions above, such a thread has, on generic and global memory: {known}."
    )
    entries = [(f"`{verb}`", FORMS[verb].spellings, row) for verb, row in CALLS.items()]
    return _section(about, entries)


def _qualifiers() -> str:
    """The section of what qualifiers say, class by class."""
    words: dict[str, set[str]] = {kind: set() for kind in CLASSES}
    several = set()
    for row in all_rows():
        for kind, values in row.classes.items():
            words[kind].update(values)
            several |= {kind} if len(values) > 1 else set()
    names = {
        kind: f"`{kind.upper()}`" if kind in several else code(dotted(sorted(words[kind])))
        for kind in CLASSES
    }
    lines = {names[kind]: text for kind, text in CLASSES.items()}
    return _table(("qualifier", "what it says"), lines)


def _tags() -> str:
    """The section of the sets of events."""
    parts = ["Besides these there are `IW`, the initial writes, and `M`, which is `R | W`."]
    for title, tags in TAGS.items():
        lines = {f"`{name}`": text for name, text in tags.items()}
        parts.append(f"### {title}\n\n{_table(('set', 'what is in it'), lines)}")
    return "\n\n".join(parts)


def _left_out() -> str:
    """The section of what is not modelled, and of other limits."""
    reasons: dict[str, list[str]] = {}
    for name, reason in NOT_MODELLED.items():
        reasons.setdefault(reason, []).append(name)
    lines = {code(names): reason for reason, names in reasons.items()}
    table = _table(("instruction", "why"), lines)
    limits = "\n".join(f"* {limit}" for limit in LIMITS)
    return (
        f"An error names these, with the reason:\n\n{table}\n\nLimits of what is there:\n\n{limits}"
    )


def _table(header: tuple[str, str], lines: Mapping[str, str]) -> str:
    return grid(header, lines.items())


_LAST = {
    "Calls of the host": _host_calls,
    "Qualifiers": _qualifiers,
    "Sets of events": _tags,
    "What is left out": _left_out,
}
