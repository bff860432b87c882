"""The page of all instruction forms, `README.md` beside this module, made from the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from catpy.arch.ptx.calls import CALLS, is_on_host
from catpy.arch.ptx.instruction import Effect, Row
from catpy.arch.ptx.table import DIALECT_WORDS, LIMITS, NOT_MODELLED, Family, all_rows, families
from catpy.arch.ptx.tags import TAGS
from catpy.arch.ptx.words import CLASSES, GROUPS, PLAIN, PROXY_WORDS, SEMANTICS, Mode
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
events into. A scope has to be written unless one is the default.

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
    return "\n".join(f"* {name}: {_code(_dotted(words))}" for name, words in GROUPS.items())


def _code(words: Iterable[str]) -> str:
    """Words as code, with blanks between."""
    return " ".join(f"`{word}`" for word in words)


def _dotted(words: Iterable[str]) -> list[str]:
    return [f".{word}" for word in words]


# Entries

#: The heading of an entry, how it is written, and its row.
Entry = tuple[str, Sequence[str], Row]


def _family(family: Family) -> str:
    entries = [
        (
            _code_list(row.opcode for row in rows),
            [line for row in rows for line in _forms(row)],
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
    parts = [about, _events(rows[0]) if common else ""]
    for heading, forms, row in entries:
        parts += [f"### {heading}", "\n".join(["```", *forms, "```"]), row.about]
        parts += [_modes(row), _classes(row), "" if common else _events(row)]
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
    return tuple(value for name, value in held.items() if name not in ("opcode", "execute"))


# Forms


def _forms(row: Row) -> list[str]:
    """How an instruction is written: a line, or one for each list of operands."""
    opcode = f"{row.opcode}{_semantics(row.modes)}"
    for kind, words in row.classes.items():
        word = _placeholder(kind, words)
        opcode += f".{word}" if kind in row.required else f"{{.{word}}}"
    lists = [_operands(row, at) for at in range(len(row.operands))]
    return [f"{opcode} {operands}".rstrip() for operands in _joined(lists)]


def _semantics(modes: Sequence[Mode]) -> str:
    """The places of the semantics and the scope, in braces where they may be left out."""
    text = ""
    if any(mode.words for mode in modes):
        text += "{.SEMANTICS}" if any(not mode.words for mode in modes) else ".SEMANTICS"
    if any(mode.scopes for mode in modes):
        needed = all(mode.scopes and mode.default is None for mode in modes)
        text += ".SCOPE" if needed else "{.SCOPE}"
    return text


def _placeholder(kind: str, words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else kind.upper()


#: How operands are shown, by their letters in a row.
_SHOWN = {"a": "[{}]", "t": "[{}, {{c}}]"}


def _operands(row: Row, at: int) -> list[str]:
    """The operands of one of a row's lists, by their names or as PTX calls them."""
    letters = row.operands[at]
    names = row.names[at].split() if row.names else _usual_names(letters)
    return [
        _SHOWN.get(letter, "{}").format(name) for letter, name in zip(letters, names, strict=True)
    ]


def _usual_names(letters: str) -> list[str]:
    """`d`, `L`, and `a`, `b`, `c` for what is read or addressed."""
    others = iter("abc")
    fixed = {"d": "d", "D": "d", "l": "L"}
    return [fixed.get(letter) or next(others) for letter in letters]


def _joined(lists: list[list[str]]) -> list[str]:
    """Lists of operands as one, `a{, b{, c}}`, where each goes on with a shorter one."""
    first, *others = sorted(lists, key=len)
    text, last = ", ".join(first), first
    for longer in others:
        if longer[: len(last)] != last:
            return [", ".join(operands) for operands in lists]
        more = ", ".join(longer[len(last) :])
        text += f"{{, {more}" if last else f"{{{more}"
        last = longer
    return [text + "}" * len(others)]


# Semantics, qualifiers, events


def _modes(row: Row) -> str:
    """The table of an entry's semantics and scopes."""
    if row.modes == PLAIN:
        return ""
    kinds = [kind for kind, *words in map(_split, row.events) if "semantics" in words]
    kinds = list(dict.fromkeys(kinds))
    scoped = any(mode.scopes or mode.fixed_scope for mode in row.modes)
    header = ["semantics", *(["scope"] if scoped else []), *(f"`{kind}` is in" for kind in kinds)]
    cells = [header, ["---"] * len(header)]
    for modes in _alike(row.modes):
        sets = [_code([modes[0].order(kind), *sorted(modes[0].tags)]) for kind in kinds]
        cells.append([_spelled(modes), *([_scopes(modes[0])] if scoped else []), *sets])
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def _split(effect: Effect) -> list[str]:
    return effect.sets.split()


def _alike(modes: Iterable[Mode]) -> list[list[Mode]]:
    """The modes, those together that mean the same."""
    found: dict[object, list[Mode]] = {}
    for mode in modes:
        meaning = (mode.read, mode.write, mode.scopes, mode.default, mode.fixed_scope, mode.dialect)
        found.setdefault((*meaning, mode.tags), []).append(mode)
    return list(found.values())


def _spelled(modes: Sequence[Mode]) -> str:
    """How modes that mean the same are written."""
    words = [
        "".join(f".{word}" for word in reversed(SEMANTICS) if word in mode.words)
        for mode in modes
        if mode.words
    ]
    text = _code(words) or "none"
    if words and len(words) < len(modes):
        text += " (default)"
    dialect = modes[0].dialect
    return f"{text} in the dialect `{dialect}`" if dialect else text


def _scopes(mode: Mode) -> str:
    if mode.fixed_scope:
        return f"`.{mode.fixed_scope}`, not written"
    words = [f"`.{word}`{' (default)' if word == mode.default else ''}" for word in mode.scopes]
    return " ".join(words) or "none"


def _classes(row: Row) -> str:
    """The qualifiers that stand for a word in capitals."""
    listed = [
        f"* `{kind.upper()}`: {_words(words)}"
        for kind, words in row.classes.items()
        if len(words) > 1
    ]
    return "\n".join(listed)


def _words(words: Sequence[str]) -> str:
    """Qualifiers, by the names of groups that they have all words of."""
    shown, rest = [], list(words)
    for name, group in GROUPS.items():
        if set(group) <= set(rest):
            shown.append(name)
            rest = [word for word in rest if word not in group]
    for dialect in (None, *dict.fromkeys(DIALECT_WORDS.values())):
        own = [word for word in rest if DIALECT_WORDS.get(word) == dialect]
        if own:
            shown.append(_code(_dotted(own)) + (f" (dialect `{dialect}`)" if dialect else ""))
    return ", ".join(shown)


def _events(row: Row) -> str:
    if not row.events:
        return "No events."
    listed = [
        f"* {_sets(row, effect)}{': ' if effect.note else ''}{effect.note}" for effect in row.events
    ]
    return "\n".join(["Events:", "", *listed])


def _sets(row: Row, effect: Effect) -> str:
    """The sets of an event; in italics what depends on qualifiers."""
    shown = []
    scoped = any(mode.scopes or mode.fixed_scope for mode in row.modes)
    for word in _split(effect):
        if word == "proxy":
            shown.append(_proxy(row))
        elif word == "restrict":
            shown.append("`RESTRICTED`" if word in row.required else "(`RESTRICTED` by `RESTRICT`)")
        elif word.islower():
            shown += [f"*{word}*"] if word != "scope" or scoped else []
        else:
            shown.append(f"`{word}`")
    return " ".join(shown)


def _proxy(row: Row) -> str:
    """The tag of an entry's proxy, and those that qualifiers put in its place."""
    words = [word for words in row.classes.values() for word in words if word in PROXY_WORDS]
    others = ", ".join(f"`{PROXY_WORDS[word]}` by `.{word}`" for word in words)
    return f"`{row.proxy}`" + (f" ({others})" if others else "")


# What comes behind the families


def _host_calls() -> str:
    """The section of calls of the host."""
    known = _code(row.opcode for row in all_rows() if is_on_host(row))
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
        kind: f"`{kind.upper()}`" if kind in several else _code(_dotted(sorted(words[kind])))
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
    lines = {_code(names): reason for reason, names in reasons.items()}
    table = _table(("instruction", "why"), lines)
    limits = "\n".join(f"* {limit}" for limit in LIMITS)
    return (
        f"An error names these, with the reason:\n\n{table}\n\nLimits of what is there:\n\n{limits}"
    )


def _table(header: tuple[str, str], lines: Mapping[str, str]) -> str:
    rows = [header, ("---", "---"), *lines.items()]
    return "\n".join(f"| {left} | {right} |" for left, right in rows)


_LAST = {
    "Calls of the host": _host_calls,
    "Qualifiers": _qualifiers,
    "Sets of events": _tags,
    "What is left out": _left_out,
}
