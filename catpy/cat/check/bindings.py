"""What names are bound to, and what patterns bind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from catpy.cat.check.notebook import Notebook
from catpy.cat.kinds import (
    EVENT,
    PAIR,
    SET,
    UNKNOWN,
    Environment,
    Kind,
    Slot,
    TupleOf,
    describe,
)
from catpy.cat.operator_kinds import KindError, wrong_arity
from catpy.cat.syntax import Pattern
from catpy.source import Span


class Binder(Notebook):
    """Names in `broken` are of unknown kind; `tags_by_name` is Dat3M's reading of unbound names."""

    def __init__(self, broken: Collection[str], tags_by_name: bool) -> None:
        super().__init__()
        self._broken = broken
        self._tags_by_name = tags_by_name

    def lookup(self, name: str, environment: Environment, span: Span) -> Kind:
        """The kind of what a name is bound to; that nothing binds it is noted."""
        slot = environment.get(name)
        if slot is not None:
            return self.use(slot)
        if name in self._broken:
            return UNKNOWN
        self.note("unbound-name", f"unbound name `{name}`", span, name=name)
        return SET if self._tags_by_name else UNKNOWN

    def bind(self, pattern: Pattern, slot: Slot, span: Span) -> dict[str, Slot]:
        """The bindings a pattern makes. Each component is taken on its first use, as when run."""
        if pattern.single:
            return {name: slot for name in pattern.names if name}
        fits = _fits(pattern, slot.kind)
        wanted = f"expected a tuple of {len(pattern.names)}, but this is {describe(slot.kind)}"
        mismatch = KindError(wanted, span)
        mismatch.code = "arity"
        bound: dict[str, Slot] = {}
        items = _items(slot.kind) or ()
        for index, name in enumerate(pattern.names):
            with self.piece() as findings:
                self.use(slot)
                if not fits and index >= len(items):
                    self.note_kind_error(mismatch)
            if name:
                bound[name] = Slot(items[index] if index < len(items) else UNKNOWN, findings)
        if not fits:
            with self.piece():  # nothing takes what is too much
                self.note_kind_error(mismatch)
        return bound

    def bind_argument(self, pattern: Pattern, kind: Kind, span: Span) -> dict[str, Slot]:
        """The bindings that a call makes: its argument has to fit the parameters."""
        if not _fits(pattern, kind):
            self.note_kind_error(wrong_arity(len(pattern.names), kind, span))
            kind = UNKNOWN
        return self.bind(pattern, Slot(kind), span)


def _items(kind: Kind) -> Sequence[Kind] | None:
    """What a tuple pattern takes apart."""
    if kind is PAIR:
        return EVENT, EVENT
    return kind.items if isinstance(kind, TupleOf) else None


def _fits(pattern: Pattern, kind: Kind) -> bool:
    items = _items(kind)
    if pattern.single or kind is UNKNOWN:
        return True
    return items is not None and len(items) == len(pattern.names)
