"""What a model defines, and which definition each name means where it is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from catpy.cat.check.statements import names_bound
from catpy.cat.loader import Model
from catpy.cat.names import free_names, own_names
from catpy.cat.syntax import (
    Binding,
    Choice,
    Enum,
    Forall,
    Function,
    Let,
    MatchStatement,
    Procedure,
    Statement,
    Try,
)
from catpy.cat.walks import blocks
from catpy.source import Span


@dataclass(slots=True, eq=False)
class Definition:
    """A name that a statement binds at the outermost level.

    `needs` are the definitions its names mean, in the order of names, and `given` the names it uses
    that were bound before the model. `earlier` is what the name meant before: a definition, or
    True for a name bound before the model. `is_own` says that it stands in the model's own file,
    `is_library` that it is in what every model starts from.
    """

    name: str
    form: str
    statement: Statement
    binding: Binding | None
    span: Span
    is_own: bool
    is_library: bool = False
    needs: list[Definition] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    earlier: Definition | bool = False

    @property
    def names_needed(self) -> list[str]:
        """The names of all that it uses, in order."""
        return sorted({*self.given, *(needed.name for needed in self.needs)})


_Scope = Mapping[str, "Definition | None"]


@dataclass(slots=True)
class Use:
    """Something that is not a definition and uses names: a check, a flag, a call, a drawing."""

    statement: Statement
    needs: list[Definition]


@dataclass(frozen=True, slots=True)
class Definitions:
    """All definitions of a model in order, and the other statements that use them."""

    all: tuple[Definition, ...]
    uses: tuple[Use, ...]

    @property
    def own(self) -> tuple[Definition, ...]:
        """Those that stand in the model's own file."""
        return tuple(item for item in self.all if item.is_own)

    def last(self, name: str) -> Definition | None:
        """What a name means at the end of the model."""
        return next((item for item in reversed(self.all) if item.name == name), None)

    @property
    def shown(self) -> tuple[Definition, ...]:
        """Those that are not in what every model starts from."""
        return tuple(item for item in self.all if not item.is_library)

    def needed(self, names: Iterable[str]) -> set[int]:
        """The identities of the definitions that uses and these names need, directly or not."""
        waiting = [item for use in self.uses for item in use.needs]
        waiting += filter(None, map(self.last, names))
        seen: set[int] = set()
        while waiting:
            item = waiting.pop()
            if id(item) not in seen:
                seen.add(id(item))
                waiting += item.needs
        return seen


def definitions_of(model: Model, given: Iterable[str]) -> Definitions:
    """The definitions of a model over names that are bound before it."""
    found: list[Definition] = []
    uses: list[Use] = []
    scope: dict[str, Definition | None] = dict.fromkeys(given)
    for index, statement in enumerate(model.statements):
        own = index >= model.library and model.holds(statement.span)
        made = list(_made(statement, own))
        for item in made:
            item.is_library = index < model.library
            item.earlier = scope.get(item.name) or item.name in scope
        recursive = isinstance(statement, Let | Procedure) and statement.recursive
        inner = {**scope, **{item.name: item for item in made}} if recursive else scope
        for item in made:
            _resolve(_names_of(item), inner, item.needs, item.given)
        if not made or isinstance(statement, Choice | Let):
            needs: list[Definition] = []
            _resolve(_names_used(statement), inner, needs, [])
            uses.append(Use(statement, needs))
        scope |= {item.name: item for item in made}
        found += made
    return Definitions(tuple(found), tuple(uses))


def _made(statement: Statement, own: bool) -> Iterator[Definition]:
    match statement:
        case Let(bindings, recursive):
            for binding in bindings:
                form = "function" if isinstance(binding.body, Function) else "let"
                if recursive:
                    form = f"recursive {form}" if form == "function" else "let rec"
                for name in filter(None, binding.pattern.names):
                    place = place_of(name, binding.span)
                    yield Definition(name, form, statement, binding, place, own)
        case Choice(some=some):
            place = place_of(statement.name, statement.span)
            yield Definition(
                statement.name, "some" if some else "with", statement, None, place, own
            )
        case Procedure() | Enum():
            form = "procedure" if isinstance(statement, Procedure) else "enum"
            place = place_of(statement.name, statement.span)
            yield Definition(statement.name, form, statement, None, place, own)


def place_of(name: str, span: Span) -> Span:
    """Where a name stands first in a stretch of text; the stretch where it does not."""
    found = re.search(rf"(?<![\w.'-]){re.escape(name)}(?![\w.'-])", span.text)
    if not found:
        return span
    return span.source.span(span.start + found.start(), span.start + found.end())


def _resolve(
    names: Iterable[str], scope: _Scope, needs: list[Definition], given: list[str]
) -> None:
    for name in sorted(names):
        meant = scope.get(name)
        if meant is not None:
            needs.append(meant)
        elif name in scope:
            given.append(name)


def _names_of(item: Definition) -> frozenset[str]:
    match item.statement:
        case Let():
            assert item.binding is not None
            return item.binding.free
        case Choice(expression=expression):
            return free_names(expression)
        case Procedure(pattern=pattern, body=body):
            return _block_names(body) - {name for name in pattern.names if name}
    return frozenset()


def _names_used(statement: Statement) -> frozenset[str]:
    """The names that a statement needs whatever becomes of what it defines."""
    names = own_names(statement)
    match statement:
        case Forall(name, _, body):
            return names | (_block_names(body) - {name})
        case MatchStatement():
            return names.union(*map(_block_names, blocks(statement)))
    return names


def _block_names(statements: Sequence[Statement]) -> frozenset[str]:
    """The names that a block takes from around it."""
    names: set[str] = set()
    bound: set[str] = set()
    for statement in statements:
        inside = _names_used(statement)
        match statement:
            case Let(bindings):
                inside = inside.union(*(binding.free for binding in bindings))
            case Procedure(pattern=pattern, body=body):
                inside = _block_names(body) - {name for name in pattern.names if name}
        recursive = isinstance(statement, Let | Procedure) and statement.recursive
        own = set(names_bound(statement)) if recursive else set[str]()
        names |= inside - bound - own
        bound |= set(names_bound(statement))
    return frozenset(names)


def is_attempt(item: Definition) -> bool:
    """Whether a definition tries its own name: `let X = try X with …` gives X where it is not."""
    body = item.binding.body if item.binding else None
    return isinstance(body, Try) and item.name in free_names(body.body)
