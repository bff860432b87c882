"""The row that an opcode belongs to, and what its qualifiers say.

Raises TestError with the place of qualifiers that do not exist, or do not go together.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from catpy.arch.ptx.instruction import Combination, Row, kinds_of
from catpy.arch.ptx.rows.copies import ELEMENT_TYPE
from catpy.arch.ptx.table import (
    CUDA_CALLS,
    CUDA_WORDS,
    DIALECT_WORDS,
    FLOATING,
    NOT_MODELLED,
    build_table,
)
from catpy.arch.ptx.words import (
    CACHE_HINTS,
    FLOATING_TYPES,
    ROUNDINGS,
    SCOPE_TAGS,
    SEMANTICS,
    SPACES,
    TYPES,
    Mode,
)
from catpy.errors import TestError, did_you_mean
from catpy.lexing import Token
from catpy.litmus.host import VERBS
from catpy.source import Span

_table = functools.cache(build_table)

#: What is said of what is no instruction, and like none.
PTX_ALONE = "instructions are those of PTX, as `mov.u32 r0, 1` and `st.u32 [x], 1`"


@dataclass(frozen=True)
class Qualified:
    """An opcode with its qualifiers, and the lists of operands that go with them."""

    row: Row
    mode: Mode
    scope: str | None
    qualifiers: dict[str, str]
    lists: Sequence[str]

    def word(self, kind: str) -> str:
        """The qualifier of a class; empty where there is none."""
        return self.qualifiers.get(kind, "")


@dataclass
class _Written:
    """The qualifiers of an opcode as they are written."""

    opcode: Token
    semantics: list[Token]
    scope: Token | None
    classes: dict[str, Token]

    def word(self, kind: str, mode: Mode) -> str:
        """What is written of a class, of the semantics or the scope; empty for nothing."""
        if kind == "semantics":
            return mode.spelling
        token = self.scope if kind == "scope" else self.classes.get(kind)
        return token.text if token else ""

    def span(self, kind: str) -> Span:
        """Where that stands; the whole opcode where nothing does."""
        if kind == "semantics" and self.semantics:
            return self.semantics[0].span.to(self.semantics[-1].span)
        token = self.scope if kind == "scope" else self.classes.get(kind)
        return (token or self.opcode).span


def qualified(opcode: Token, dialect: str) -> Qualified:
    """What an opcode says. In the dialect `dat3m` it may have qualifiers that PTX has not."""
    row, words = _row(opcode)
    written = _sorted(row, words, opcode, dialect)
    for kind in row.required:
        if kind not in written.classes:
            # Tensors have their type in the tensormap, of which there is none here.
            hint = ELEMENT_TYPE if kind == "type" and ELEMENT_TYPE in row.about else None
            raise _lacking(kind, row.classes[kind], opcode, hint)
    mode = _mode(row, written, dialect)
    if written.scope is not None:
        _check_scope(row, mode, written.scope, opcode)
    lists = _lists(row, written, mode)
    scope = _scope(mode, written.scope, opcode)
    qualifiers = {kind: token.text for kind, token in written.classes.items()}
    return Qualified(row, mode, scope, qualifiers, lists)


# The row


def _row(opcode: Token) -> tuple[Row, list[Token]]:
    """The row of an opcode, and the qualifiers that are not part of its name."""
    first, *others = _parts(opcode)
    _check_modelled(first, others)
    rows = _table().get(first.text, [])
    for row, verbs, foreign in _forms(first.text):
        if all(verb in [part.text for part in others] for verb in verbs):
            rest = list(others)
            for verb in verbs:
                rest.remove(next(part for part in rest if part.text == verb))
            if not foreign.isdisjoint(part.text for part in rest):
                raise _no_form(opcode, first, rows)
            return row, rest
    if rows:
        raise _no_form(opcode, first, rows)
    if not first.text:
        if opcode.text.removeprefix(".") in SPACES:
            message = "variables are declared in the initial section, not among instructions"
            where = "write `{ .shared .u32 s; }` behind the name of the test"
            raise TestError(message, opcode.span, where)
        raise TestError(f"unknown instruction `{opcode.text}`", opcode.span)
    hint = did_you_mean(first.text.lower(), [*_table(), *NOT_MODELLED]) or PTX_ALONE
    if first.text in CUDA_CALLS:
        hint = f"in PTX this is {CUDA_CALLS[first.text]}"
    if first.text in VERBS:
        hint = "calls of the host stand in `host { … }` or in a thread like `P2@host`"
    raise TestError(f"unknown instruction `{first.text}`", first.span, hint)


def _parts(opcode: Token) -> list[Token]:
    """The dotted parts of an opcode, each with its place."""
    parts, at = [], opcode.span.start
    for text in opcode.text.split("."):
        parts.append(Token("word", text, opcode.span.source.span(at, at + len(text))))
        at += len(text) + 1
    return parts


def _check_modelled(first: Token, others: Sequence[Token]) -> None:
    """Raises TestError for what PTX has and this front end has not."""
    written = {part.text for part in others}
    for name in _not_modelled().get(first.text, []):
        if written.issuperset(name.split(".")[1:]):
            span = first.span.to(others[-1].span) if others else first.span
            raise TestError(f"`{name}` is not modelled: {NOT_MODELLED[name]}", span)


@functools.cache
def _not_modelled() -> dict[str, list[str]]:
    """The names of what is not modelled, by their first word."""
    names: dict[str, list[str]] = {}
    for name in NOT_MODELLED:
        names.setdefault(name.split(".")[0], []).append(name)
    return names


@functools.cache
def _forms(word: str) -> list[tuple[Row, list[str], set[str]]]:
    """The rows of names that begin with a word, the rest of each name, and `_other_verbs`."""
    rows = _table().get(word, [])
    return [(row, row.opcode.split(".")[1:], _other_verbs(row, rows)) for row in rows]


def _other_verbs(row: Row, rows: Sequence[Row]) -> set[str]:
    """The words that only the names of other forms have: `barrier.sync` takes no `.cluster`."""
    own = {*row.opcode.split(".")}.union(
        *row.classes.values(), *(mode.words.union(mode.scopes) for mode in row.modes)
    )
    return {verb for other in rows for verb in other.opcode.split(".")} - own


def _no_form(opcode: Token, first: Token, rows: Sequence[Row]) -> TestError:
    forms = ", ".join(f"`{row.opcode}`" for row in rows)
    return TestError(f"`{opcode.text}` is no form of `{first.text}`: {forms}", opcode.span)


# Qualifiers, each for itself


def _sorted(row: Row, words: Sequence[Token], opcode: Token, dialect: str) -> _Written:
    """The qualifiers by what they are."""
    written = _Written(opcode, [], None, {})
    takes_scope = any(mode.scopes for mode in row.modes)
    for word in words:
        if DIALECT_WORDS.get(word.text, dialect) != dialect:
            hint = "write `.add` of the negative number" if word.text == "sub" else None
            raise TestError(f"PTX has no `.{word.text}` here", word.span, hint)
        kind = _class_of(row, word, written.classes)
        if kind is not None:
            written.classes[kind] = word
        elif word.text in SEMANTICS and any(mode.words for mode in row.modes):
            if any(other.text == word.text for other in written.semantics):
                raise TestError(f"`.{word.text}` is there twice", word.span)
            written.semantics.append(word)
        elif word.text in SCOPE_TAGS and takes_scope and written.scope is None:
            written.scope = word
        else:
            raise _refused(row, word, written.classes)
    _check_direction(row, written)
    return written


def _check_direction(row: Row, written: _Written) -> None:
    """Raises TestError where the source of a copy is named before its destination."""
    target, source = (written.classes.get(kind) for kind in ("dst", "src"))
    if target and source and source.span.start < target.span.start:
        message = f"`{row.opcode}` does not copy from `.{target.text}` to `.{source.text}`"
        hint = f"the destination comes first: .{target.text}.{source.text}"
        raise TestError(message, source.span.to(target.span), hint)


def _class_of(row: Row, word: Token, taken: Mapping[str, Token]) -> str | None:
    """The class of the row that a word is of, and that no other word before it took."""
    classes = (kind for kind, words in row.classes.items() if word.text in words)
    return next((kind for kind in classes if kind not in taken), None)


def _refused(row: Row, word: Token, taken: Mapping[str, Token]) -> TestError:
    if word.text in ROUNDINGS:
        return TestError(f"`{row.opcode}.{word.text}` is not modelled: {FLOATING}", word.span)
    if word.text in FLOATING_TYPES and word.text not in row.classes.get("type", FLOATING_TYPES):
        name = f"{row.opcode}.{word.text}"
        return TestError(f"`{name}` is not modelled: {FLOATING}", word.span)
    if word.text in _known_words():
        message = f"`{row.opcode}` does not take `.{word.text}` here"
        return TestError(message, word.span, _instead(row, word, taken))
    if word.text in CUDA_WORDS:
        message = f"unknown qualifier `.{word.text}` of `{row.opcode}`"
        return TestError(message, word.span, f"in PTX this is {CUDA_WORDS[word.text]}")
    near = [*SEMANTICS, *SCOPE_TAGS, *SPACES, *TYPES, *CACHE_HINTS]
    for names in row.classes.values():
        near += names
    hint = did_you_mean(word.text, near)
    return TestError(f"unknown qualifier `.{word.text}` of `{row.opcode}`", word.span, hint)


def _instead(row: Row, word: Token, taken: Mapping[str, Token]) -> str | None:
    """What an instruction takes in the place of a word that others have."""
    kinds = {
        kind
        for rows in _table().values()
        for other in rows
        for kind, words in other.classes.items()
        if word.text in words
    }
    found = [words for kind, words in row.classes.items() if kind in kinds and kind not in taken]
    if not found and word.text in SCOPE_TAGS and not any(mode.scopes for mode in row.modes):
        return f"`{row.opcode}` takes no scope"
    return f"`{row.opcode}` takes {_dotted(found[0])}" if found else None


@functools.cache
def _known_words() -> frozenset[str]:
    """Every qualifier of any instruction."""
    rows = [row for rows in _table().values() for row in rows]
    words = [words for row in rows for words in row.classes.values()]
    return frozenset(SEMANTICS).union(SCOPE_TAGS, *words)


def _lacking(kind: str, words: Iterable[str], opcode: Token, hint: str | None = None) -> TestError:
    own = [word for word in words if word not in DIALECT_WORDS]
    return TestError(f"`{opcode.text}` lacks its {kind}: {_dotted(own)}", opcode.span, hint)


def _dotted(words: Iterable[str]) -> str:
    return ", ".join(f".{word}" for word in words if word)


def _mode(row: Row, written: _Written, dialect: str) -> Mode:
    words = frozenset(token.text for token in written.semantics)
    for mode in row.modes:
        if mode.words == words and mode.dialect in (None, dialect):
            return mode
    forms = sorted(mode.spelling for mode in row.modes if mode.words and mode.dialect is None)
    if not words:
        raise _lacking("semantics", forms, written.opcode)
    text = "".join(f".{token.text}" for token in written.semantics)
    message = f"there is no `{row.opcode}{text}`"
    hint = f"`{row.opcode}` takes {_dotted(forms) or 'none'}"
    raise TestError(message, written.span("semantics"), hint)


def _check_scope(row: Row, mode: Mode, scope: Token, opcode: Token) -> None:
    if scope.text in mode.scopes:
        return
    if not mode.scopes:
        scoped = [other.spelling for other in row.modes if scope.text in other.scopes]
        hint = f"a scope goes with {_dotted(scoped)}" if scoped else None
        raise TestError(f"`{opcode.text}` takes no scope", scope.span, hint)
    message = f"`{opcode.text}` has no scope `.{scope.text}` here, only {_dotted(mode.scopes)}"
    raise TestError(message, scope.span)


def _scope(mode: Mode, scope: Token | None, opcode: Token) -> str | None:
    if scope is not None:
        return SCOPE_TAGS[scope.text]
    if mode.fixed_scope:
        return SCOPE_TAGS[mode.fixed_scope]
    if mode.scopes and mode.default is None:
        raise _lacking("scope", mode.scopes, opcode)
    return SCOPE_TAGS[mode.default] if mode.default else None


# Qualifiers that go together


def _lists(row: Row, written: _Written, mode: Mode) -> list[str]:
    """The lists of operands that go with the qualifiers. Raises TestError where these do not fit.

    Class by class, those combinations of a rule are kept that have what is written there.
    """
    lists = list(row.operands)
    for rule in row.rules:
        left = list(rule)
        for kind in kinds_of(rule):
            if kind == "operands":
                continue
            word = written.word(kind, mode)
            fitting = [one for one in left if word in one.get(kind, (word,))]
            if not fitting:
                raise _misfit(kind, word, left, written)
            left = fitting
        allowed = {letters for one in left for letters in one.get("operands", row.operands)}
        lists = [letters for letters in lists if letters in allowed]
    return lists


def _misfit(kind: str, word: str, left: Sequence[Combination], written: _Written) -> TestError:
    """The error for a word of a class, or for none, that goes with nothing else that is written."""
    choices = list(dict.fromkeys(choice for one in left for choice in one[kind]))
    if not word:
        return _lacking(kind, choices, written.opcode)
    message = f"`{written.opcode.text}` does not take `.{word}`"
    message += f", only {_dotted(choices)}" if any(choices) else " here"
    return TestError(message, written.span(kind))
