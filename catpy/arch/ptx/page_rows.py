"""How the page of instructions shows a row: its spellings, semantics, qualifiers and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from catpy.arch.ptx.instruction import Combination, Effect, Row, kinds_of
from catpy.arch.ptx.table import DIALECT_WORDS
from catpy.arch.ptx.words import GROUPS, PLAIN, PROXY_WORDS, Mode


def code(words: Iterable[str]) -> str:
    """Words as code, with blanks between."""
    return " ".join(f"`{word}`" for word in words)


def dotted(words: Iterable[str]) -> list[str]:
    return [f".{word}" for word in words]


def grid(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


# Forms


def forms_of(row: Row) -> list[str]:
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
_SHOWN = {"a": "[{}]", "m": "[{}]", "t": "[{}, {{c}}]", "T": "[{}, {{c}}]"}


def _operands(row: Row, at: int) -> list[str]:
    """The operands of one of a row's lists, by their names or as PTX calls them."""
    letters = row.operands[at]
    names = row.names[at].split() if row.names else _usual_names(letters)
    return [
        _SHOWN.get(letter, "{}").format(name) for letter, name in zip(letters, names, strict=True)
    ]


def _usual_names(letters: str) -> list[str]:
    """`d`, `L`, and `a`, `b`, … for what is read or addressed."""
    others = iter("abcd")
    fixed = {"d": "d", "D": "d", "l": "L"}
    return [fixed.get(letter) or next(others) for letter in letters]


def operand_lists(row: Row, lists: Iterable[str]) -> list[str]:
    """How some of a row's lists of operands are written."""
    return _joined([_operands(row, row.operands.index(letters)) for letters in lists])


def _joined(lists: list[list[str]]) -> list[str]:
    """Lists of operands, those as one, `a{, b{, c}}`, that go on with a shorter one."""
    chains: list[list[list[str]]] = []
    for operands in sorted(lists, key=len):
        begun = [chain for chain in chains if operands[: len(chain[-1])] == chain[-1]]
        if begun:
            begun[0].append(operands)
        else:
            chains.append([operands])
    return [_braced(chain) for chain in chains]


def _braced(chain: Sequence[list[str]]) -> str:
    """Lists of operands, each longer than the one before, as one."""
    text = ", ".join(chain[0])
    for shorter, longer in pairwise(chain):
        more = ", ".join(longer[len(shorter) :])
        text += f"{{, {more}" if shorter else f"{{{more}"
    return text + "}" * (len(chain) - 1)


# Semantics, qualifiers, events


def modes_of(row: Row) -> str:
    """The table of an entry's semantics and scopes."""
    if row.modes == PLAIN:
        return ""
    kinds = [kind for kind, *words in map(_split, row.events) if "semantics" in words]
    kinds = list(dict.fromkeys(kinds))
    scoped = any(mode.scopes or mode.fixed_scope for mode in row.modes)
    header = ["semantics", *(["scope"] if scoped else []), *(f"`{kind}` is in" for kind in kinds)]
    cells = []
    for modes in _alike(row.modes):
        tags = sorted(modes[0].tags)
        sets = [code(filter(None, [modes[0].order(kind), *tags])) or "none" for kind in kinds]
        cells.append([_spelled(modes), *([_scopes(modes[0])] if scoped else []), *sets])
    return grid(header, cells)


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
    words = [f".{mode.spelling}" for mode in modes if mode.words]
    text = code(words) or "none"
    if words and len(words) < len(modes):
        text += " (default)"
    dialect = modes[0].dialect
    return f"{text} in the dialect `{dialect}`" if dialect else text


def _scopes(mode: Mode) -> str:
    if mode.fixed_scope:
        return f"`.{mode.fixed_scope}`, not written"
    words = [f"`.{word}`{' (default)' if word == mode.default else ''}" for word in mode.scopes]
    return " ".join(words) or "none"


def classes_of(row: Row) -> str:
    """The qualifiers that stand for a word in capitals."""
    listed = [
        f"* `{kind.upper()}`: {_words(words)}"
        for kind, words in row.classes.items()
        if len(words) > 1
    ]
    return "\n".join(listed)


def rules_of(row: Row) -> str:
    """A table for each rule: what goes together, a line for each combination."""
    tables = [_rule(row, rule) for rule in row.rules]
    return "\n\n".join(["These go together:", *tables]) if tables else ""


def _rule(row: Row, rule: Sequence[Combination]) -> str:
    kinds = sorted(kinds_of(rule), key=lambda kind: kind == "operands")
    lines = [[_cell(row, kind, one.get(kind)) for kind in kinds] for one in rule]
    return grid([_column(kind, row) for kind in kinds], lines)


def _column(kind: str, row: Row) -> str:
    if kind in ("semantics", "scope", "operands"):
        return kind
    word = _placeholder(kind, row.classes[kind])
    return f"`{word}`" if word.isupper() else f"`.{word}`"


def _cell(row: Row, kind: str, words: Sequence[str] | None) -> str:
    """What the words of a class may be in a combination."""
    if kind == "operands":
        lists = operand_lists(row, words or row.operands)
        return code(lists) if any(lists) else "none"
    if words is None:
        return "any" if len(row.classes.get(kind, "")) != 1 else "there or not"
    shown = _words([word for word in words if word])
    if not shown:
        return "none"
    return f"{shown} or none" if "" in words else shown


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
            shown.append(code(dotted(own)) + (f" (dialect `{dialect}`)" if dialect else ""))
    return ", ".join(shown)


def events_of(row: Row) -> str:
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
