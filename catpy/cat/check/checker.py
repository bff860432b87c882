"""Everything that can be said of a model before it is run on a test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from catpy.cat.check.definitions import Definition, Definitions, definitions_of, is_attempt
from catpy.cat.check.diagnostics import Diagnostic, Severity, of_problem, warning
from catpy.cat.check.inference import Inference
from catpy.cat.check.monotone import not_monotone
from catpy.cat.check.statements import StatementWalk, all_tags
from catpy.cat.dialect import Dialect
from catpy.cat.kinds import (
    RELATION,
    SET,
    UNKNOWN,
    Findings,
    Kind,
    Primitive,
    Problem,
    Slot,
    reachable,
)
from catpy.cat.loader import Model
from catpy.cat.primitives import PRIMITIVES
from catpy.cat.syntax import Call, Check, Let, Role
from catpy.errors import ModelError, did_you_mean
from catpy.source import Span

#: Headers by which a model says that it is for one architecture, as herd knows them.
ARCHITECTURES = frozenset(
    {"AArch64", "ARM", "PPC", "X86", "X86_64", "RISCV", "RISC-V", "MIPS", "BPF"}
    | {"C", "CPP", "Java", "JAVA", "LISA", "ASL"}
)

#: Names that models of herd and of Dat3M use, with what binds them here.
_COHERENCE = 'include "cos.cat" binds it; in Dat3M\'s dialect it is bound (--cat-dialect dat3m)'
_DAT3M = "Dat3M binds this name: read the model in its dialect (--cat-dialect dat3m)"
BOUND_BY = dict.fromkeys(("co", "fr", "coi", "coe", "fri", "fre"), _COHERENCE) | dict.fromkeys(
    ("sync_fence", "casdep"), _DAT3M
)


@dataclass(frozen=True)
class Surroundings:
    """What a model is run in: names bound before it, and the architecture of the tests.

    `observed` are names that whoever runs the model looks up at its end.
    """

    sets: frozenset[str]
    relations: frozenset[str]
    architecture: str
    observed: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """All names that are bound before the model."""
        return self.sets | self.relations | PRIMITIVES.keys()

    def slots(self) -> dict[str, Slot]:
        """What those names are bound to."""
        slots = {name: Slot(Primitive(name)) for name in PRIMITIVES}
        slots |= {name: Slot(SET) for name in self.sets}
        return slots | {name: Slot(RELATION) for name in self.relations}


@dataclass(frozen=True)
class Checked:
    """A model with what was found: diagnostics in the order of the text, definitions, kinds."""

    model: Model
    diagnostics: tuple[Diagnostic, ...]
    definitions: Definitions
    kinds: Mapping[int, Kind] = field(repr=False)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What makes the model unfit to run."""
        return tuple(item for item in self.diagnostics if item.is_error)

    def kind_of(self, item: Definition) -> Kind:
        """The kind of a definition."""
        return self.kinds.get(id(item), UNKNOWN)


def check(
    model: Model, surroundings: Surroundings, variants: frozenset[str] = frozenset()
) -> Checked:
    """Checks a model that `Library.examine` gave; what is wrong with it is in what is returned.

    Raises ModelError where its definitions are nested beyond what can be followed.
    """
    try:
        return _check(model, surroundings, variants)
    except RecursionError:
        raise ModelError("the definitions of this model are nested too deeply") from None


def _check(model: Model, surroundings: Surroundings, variants: frozenset[str]) -> Checked:
    definitions = definitions_of(model, surroundings.names)
    inference = _inference(model, variants)
    walk = StatementWalk(inference)
    environment = surroundings.slots()
    walk.run(model.statements, environment)
    # What cannot be read would have needed what it mentions.
    for name in (surroundings.observed | model.mentioned) & environment.keys():
        inference.use(environment[name])
    walk.look_at_the_rest()
    kinds = {id(item): walk.made[(id(item.statement), item.name)].kind for item in definitions.all}
    found = [
        *_of_files(model),
        *_header(model, surroundings.architecture),
        *_found(inference, model, definitions, surroundings),
        *_of_statements(model),
        *_of_definitions(model, definitions, surroundings),
    ]
    found.sort(key=lambda item: _position(item, model))
    return Checked(model, tuple(dict.fromkeys(found)), definitions, kinds)


def _position(item: Diagnostic, model: Model) -> tuple[bool, str, int]:
    name, start = item.place
    return (name == str(model.path), name, start)


def _inference(model: Model, variants: frozenset[str]) -> Inference:
    by_name = model.dialect is Dialect.DAT3M
    return Inference(variants, model.broken, all_tags(model.statements), by_name)


# What the walk found

_POSSIBLE = "it depends on the values whether this is evaluated"
_UNUSED = "nothing evaluates this"


def _found(
    inference: Inference, model: Model, definitions: Definitions, surroundings: Surroundings
) -> Iterator[Diagnostic]:
    """Mistakes that something surely needs are errors, the others warnings."""
    needed = reachable(inference.findings)
    possible = reachable(inference.findings, possibly=True)
    names = surroundings.names | {item.name for item in definitions.all}
    said: set[tuple[str, str, object]] = set()
    for pieces, why in ((needed, None), (possible, _POSSIBLE), (inference.pieces, _UNUSED)):
        for problem in _once(pieces, said):
            yield _diagnostic(problem, why, model, definitions, names)


def _once(pieces: Iterable[Findings], said: set[tuple[str, str, object]]) -> Iterator[Problem]:
    """Each mistake once; an unbound name once, where it comes first."""
    problems = [problem for piece in pieces for problem in piece.problems]
    problems.sort(key=lambda problem: (problem.span.source.name, problem.span.start))
    for problem in problems:
        key = (problem.code, problem.message, None if problem.name else problem.span)
        if key not in said:
            said.add(key)
            yield problem


def _diagnostic(
    problem: Problem,
    why_not: str | None,
    model: Model,
    definitions: Definitions,
    names: Iterable[str],
) -> Diagnostic:
    """A mistake; `why_not` says why it may do no harm."""
    hint = problem.hint
    if problem.name:
        hint = _hint_for(problem.name, problem.span, definitions, names)
        if model.dialect is Dialect.DAT3M:
            message = f"`{problem.name}` is bound nowhere: it is the empty event set of that tag"
            return warning(problem.code, message, problem.span, hint)
    if why_not is None:
        return Diagnostic(problem.code, Severity.ERROR, problem.message, problem.span, hint)
    hint = f"{hint}; {why_not}" if hint else why_not
    return warning(problem.code, problem.message, problem.span, hint)


def _hint_for(name: str, span: Span, definitions: Definitions, names: Iterable[str]) -> str | None:
    if name in BOUND_BY:
        return BOUND_BY[name]
    later = definitions.last(name)
    if later is None:
        return did_you_mean(name, names)
    if later.statement.span.holds(span):
        return "a definition sees itself only after `let rec`"
    return f"it is defined later, at {later.span}"


# What files, headers and statements say


def _of_files(model: Model) -> Iterator[Diagnostic]:
    for problem in model.problems:
        yield of_problem(problem, Severity.ERROR)
    for problem in model.warnings:
        yield of_problem(problem, Severity.WARNING)


def _header(model: Model, architecture: str) -> Iterator[Diagnostic]:
    """A model that names another architecture; Dat3M takes such names for titles."""
    foreign = ARCHITECTURES - {architecture}
    if model.dialect is Dialect.DAT3M or not foreign & set(model.header.names[:1]):
        return
    message = f"this model is for {model.header.names[0]}, the tests are for {architecture}"
    hint = "the first word of a model names its architecture; leave it out, or quote it as a title"
    yield Diagnostic("architecture", Severity.ERROR, message, model.header.span, hint)


def _of_statements(model: Model) -> Iterator[Diagnostic]:
    for statement in filter(lambda item: model.holds(item.span), model.own):
        match statement:
            case Check(name=None, role=Role.CHECK):
                message = "this check has no name: it cannot be skipped or told apart"
                yield warning("unnamed-check", message, statement.span, "add `as NAME`")
            case Let():
                yield from not_monotone(statement)


# Definitions


def _of_definitions(
    model: Model, definitions: Definitions, surroundings: Surroundings
) -> Iterator[Diagnostic]:
    unused = _unused(model, definitions, surroundings)
    for item in definitions.own:
        if id(item) in unused:
            hint = "no check, flag, `with` or call needs it"
            yield warning("unused", f"`{item.name}` is not used", item.span, hint)
        if item.earlier and not is_attempt(item):
            yield _shadowing(item)


def _shadowing(item: Definition) -> Diagnostic:
    """Legal, but seldom meant: what stood before keeps the earlier meaning."""
    if isinstance(item.earlier, Definition):
        hint = f"what stands before this keeps the definition at {item.earlier.span}"
        message = f"`{item.name}` is defined again"
    else:
        message = f"`{item.name}` hides the name that is bound before the model"
        hint = "what stands before this keeps the earlier meaning"
    return warning("shadowing", message, item.span, hint)


def _unused(model: Model, definitions: Definitions, surroundings: Surroundings) -> set[int]:
    """The own definitions that nothing needs; in a file without checks they are for others."""
    if not _has_checks(model):
        return set()
    used = definitions.needed(surroundings.observed | model.mentioned)
    return {
        id(item)
        for item in definitions.own
        if id(item) not in used and item.name not in model.elsewhere and item.form != "enum"
    }


def _has_checks(model: Model) -> bool:
    return any(isinstance(item, Check | Call) and model.holds(item.span) for item in model.own)
