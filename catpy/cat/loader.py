"""Finds model files, parses them, and puts includes and variants in their place."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from catpy.cat.dialect import Dialect
from catpy.cat.names import free_names, mentioned_names
from catpy.cat.parser import parse_expression, read
from catpy.cat.syntax import (
    Binding,
    Check,
    Choice,
    Expression,
    File,
    Forall,
    Header,
    IfStatement,
    Include,
    Let,
    MatchStatement,
    Name,
    Pattern,
    Procedure,
    Role,
    Statement,
)
from catpy.cat.variants import holds, variants_asked
from catpy.cat.walks import nodes
from catpy.errors import CatpyError, ModelError, UsageError, did_you_mean
from catpy.reading import read_source
from catpy.source import Source, Span

#: Files that every model of a dialect starts from.
_LIBRARIES = {Dialect.HERD: "stdlib.cat", Dialect.DAT3M: "dat3m.cat"}

#: Files that include others twice, and so on, would fill the memory.
_MOST_INCLUDES = 500


@dataclass(frozen=True)
class Model:
    """A model ready to run: its statements with every include in place, the library first.

    `library` is the number of statements that come from the library and bell files. What could not
    be read or found is left out and said in `problems`; `load` gives no such model.
    """

    name: str
    path: Path
    header: Header
    statements: tuple[Statement, ...]
    dialect: Dialect = Dialect.HERD
    library: int = 0
    warnings: tuple[CatpyError, ...] = ()
    problems: tuple[CatpyError, ...] = ()
    #: Names that statements which cannot be read would have bound, and all that they mention.
    broken: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    #: Names that are used where the variants of this call do not lead.
    elsewhere: frozenset[str] = frozenset()
    #: The same for models made of the same texts in the same order, wherever these lie.
    digest: str = ""

    @property
    def own(self) -> tuple[Statement, ...]:
        """The statements of the model and its includes."""
        return self.statements[self.library :]

    @cached_property
    def may_say_undefined(self) -> bool:
        """Whether it has an `undefined_unless`, and so calls some tests undefined."""
        checks = (node for node in nodes(self.statements) if isinstance(node, Check))
        return any(check.role is Role.UNDEFINED_UNLESS for check in checks)

    def holds(self, span: Span) -> bool:
        """Whether a place is in the model's own file."""
        return span.source.name == str(self.path)


@dataclass
class Library:
    """Where and how models are looked up: folders in order. Each file is parsed once.

    `variants` are the names for which `if "name"` holds; `bells` are files that are run before the
    model; `definitions` are `name=expression` texts that replace or precede the model's own. Of
    `other_variants` nobody is warned that the model does not ask for them.
    """

    folders: Sequence[Path]
    dialect: Dialect = Dialect.HERD
    variants: frozenset[str] = frozenset()
    bells: Sequence[str] = ()
    definitions: Sequence[str] = ()
    other_variants: frozenset[str] = frozenset()
    _parsed: dict[Path, File] = field(default_factory=dict)

    def load(self, name: str) -> Model:
        """The model of a path or of a name (`ptx`) in the folders.

        Raises UsageError where there is none; where files are wrong, the first of the mistakes.
        """
        model = self.examine(name)
        if model.problems:
            raise model.problems[0]
        return model

    def examine(self, name: str) -> Model:
        """Like `load`, but a model with mistakes is given with its `problems`.

        Raises UsageError where there is none, or where a file cannot be read at all ModelError.
        """
        path = self._find(name)
        if path is None:
            searched = ", ".join(str(folder) for folder in self.folders)
            hint = did_you_mean(name, self.names()) or f"looked in {searched}"
            raise UsageError(f"no model `{name}`", hint=hint)
        file = self._parse(path, self.dialect)
        loading = _Loading(self, file.dialect)
        library = [] if self._is_library(path) else loading.library()
        own = loading.opened(path, file, (path,))
        added, own = _define(self.definitions, own, file.dialect)
        loading.look_for_uses(added, own)
        loading.look_for_variants([*added, *own])
        statements = (*library, *added, *own)
        return Model(
            path.stem,
            path,
            file.header,
            statements,
            file.dialect,
            len(library) + len(added),
            tuple(loading.warnings),
            tuple(loading.problems),
            frozenset(loading.broken),
            frozenset(loading.mentioned),
            frozenset(loading.elsewhere),
            _digest([file.dialect.value, *loading.texts, *self.definitions]),
        )

    def _is_library(self, path: Path) -> bool:
        """Whether this is what models start from: then it does not start from itself."""
        libraries = filter(None, map(self._find, _LIBRARIES.values()))
        return path.resolve() in {library.resolve() for library in libraries}

    def names(self) -> list[str]:
        """The names of the models in the folders."""
        found = {path.stem for folder in self.folders for path in folder.glob("*.cat")}
        return sorted(found - {Path(name).stem for name in _LIBRARIES.values()})

    def _find(self, name: str, beside: Path | None = None) -> Path | None:
        folders = [*self.folders, beside] if beside else self.folders
        candidates = [Path(name)]
        for folder in folders:
            candidates += [folder / name, folder / f"{name}.cat", folder / "lib" / name]
        return next((path for path in candidates if os.path.isfile(path)), None)

    def _parse(self, path: Path, dialect: Dialect, span: Span | None = None) -> File:
        key = path.resolve()
        if key not in self._parsed:
            try:
                source = read_source(path, partial(ModelError, code="unreadable"))
            except OSError as problem:
                message = f"cannot read {path}: {problem.strerror}"
                raise ModelError(message, span, code="unreadable") from None
            self._parsed[key] = read(source, dialect)
        return self._parsed[key]


@dataclass
class _Loading:
    """One model in the making."""

    files: Library
    dialect: Dialect
    warnings: list[CatpyError] = field(default_factory=list)
    problems: list[CatpyError] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    mentioned: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    _includes: int = 0
    _opened: set[Path] = field(default_factory=set)

    def library(self) -> list[Statement]:
        """What every model starts from; a folder before the installed one can bring its own."""
        statements: list[Statement] = []
        path = self.files._find(_LIBRARIES[self.dialect])
        if path is not None:
            statements += self._file(path, (), None)
        for bell in self.files.bells:
            path = self.files._find(bell)
            if path is None:
                raise UsageError(f"there is no bell file {bell}")
            statements += self._file(path, (), None)
        return statements

    def _file(self, path: Path, stack: tuple[Path, ...], span: Span | None) -> list[Statement]:
        # A library is written in herd's dialect, whatever the model's.
        dialect = self.dialect if stack else Dialect.HERD
        try:
            file = self.files._parse(path, dialect, span)
        except ModelError as problem:
            self.problems.append(problem)
            return []
        return self.opened(path, file, (*stack, path))

    def opened(self, path: Path, file: File, stack: tuple[Path, ...]) -> list[Statement]:
        """The statements of a file; what is wrong with it is noted once."""
        self.texts.append(file.text)
        if path.resolve() not in self._opened:
            self._opened.add(path.resolve())
            self.problems += file.problems
            self.broken |= file.broken
            self.mentioned |= file.mentioned
            if self.files.variants:
                self.asked |= variants_asked(file.statements)
        return self.flatten(file.statements, stack)

    def look_for_uses(self, added: Sequence[Let], statements: Sequence[Statement]) -> None:
        """Warns of definitions of the call that nothing uses."""
        used = mentioned_names([*added, *statements]) | self.elsewhere
        for definition in added:
            (binding,) = definition.bindings
            (name,) = binding.pattern.names
            if name is not None and name not in used:
                hint = did_you_mean(name, used)
                message = f"nothing in the model uses the name `{name}` of -D"
                self.warnings.append(ModelError(message, binding.span, hint, "unused-definition"))

    def look_for_variants(self, statements: Sequence[Statement]) -> None:
        """Warns of variants that no condition asks for, in these statements or in any file."""
        if self.files.variants:
            self.asked |= variants_asked(statements)
        others = self.files.other_variants
        for name in sorted(self.files.variants - self.asked - others):
            hint = did_you_mean(name, self.asked | others)
            if not hint and self.asked:
                hint = f"it asks for {', '.join(sorted(self.asked))}"
            message = f"no condition of this model asks for the variant `{name}`"
            self.warnings.append(ModelError(message, None, hint, "unknown-variant"))

    def flatten(self, statements: Iterable[Statement], stack: tuple[Path, ...]) -> list[Statement]:
        """The statements with includes and the branches of variants in their place, inside too."""
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case Include():
                    result.extend(self._included(statement, stack))
                case IfStatement(condition, then, otherwise):
                    taken, other = then, otherwise
                    if not holds(condition, self.files.variants):
                        taken, other = other, taken
                    self.elsewhere |= mentioned_names(other)
                    result.extend(self.flatten(taken, stack))
                case Procedure(body=body) | Forall(body=body):
                    result.append(replace(statement, body=tuple(self.flatten(body, stack))))
                case Check(role=Role.FLAG, name=None):
                    message = "this flag has no name: nothing is recorded"
                    hint, code = "add `as NAME`", "unnamed-flag"
                    self.warnings.append(ModelError(message, statement.span, hint, code))
                    result.append(statement)
                case MatchStatement(arms=arms):
                    flat = tuple((tag, tuple(self.flatten(body, stack))) for tag, body in arms)
                    result.append(replace(statement, arms=flat))
                case _:
                    result.append(statement)
        return result

    def _included(self, include: Include, stack: tuple[Path, ...]) -> list[Statement]:
        path = self.files._find(include.path, stack[-1].parent)
        if path is None:
            folders = dict.fromkeys([*self.files.folders, stack[-1].parent])
            searched = ", ".join(map(str, folders))
            message = f"cannot find the included file `{include.path}`"
            hint = f"looked in {searched}"
            problem = ModelError(message, include.span, hint, "include-not-found")
            strict = self.dialect is Dialect.HERD
            (self.problems if strict else self.warnings).append(problem)
            return []
        if path.resolve() in {file.resolve() for file in stack}:
            chain = " → ".join(file.name for file in (*stack, path))
            message = f"this include runs in a circle: {chain}"
            self.problems.append(ModelError(message, include.span, code="include-circle"))
            return []
        self._includes += 1
        if self._includes > _MOST_INCLUDES:
            if self._includes == _MOST_INCLUDES + 1:
                message = f"this model includes files more than {_MOST_INCLUDES} times"
                self.problems.append(ModelError(message, include.span, code="includes"))
            return []
        return self._file(path, stack, include.span)


def _digest(texts: Sequence[str]) -> str:
    whole = hashlib.sha256()
    for text in texts:
        whole.update(hashlib.sha256(text.encode(errors="backslashreplace")).digest())
    return whole.hexdigest()


def _define(
    definitions: Sequence[str], statements: list[Statement], dialect: Dialect
) -> tuple[list[Let], list[Statement]]:
    """Definitions of the call: those that come before the model, and the model with the others in.

    A name that the model binds at its outermost level (by `let`, `with` or `some`) is bound to the
    expression there instead; another one is defined before the model.
    """
    added: list[Let] = []
    for text in definitions:
        name, equals, body = text.partition("=")
        name = name.strip()
        source = Source(f"-D {name}", body)
        if not equals or not _is_name(name, dialect):
            raise UsageError(f"-D takes name=expression, not `{text}`")
        expression = parse_expression(source, dialect)
        replaced = [_redefined(statement, name, expression) for statement in statements]
        if replaced == statements:
            added.append(_let(name, expression))
        statements = replaced
    return added, statements


def _is_name(text: str, dialect: Dialect) -> bool:
    """Whether a text is a name that cat can bind."""
    try:
        found = parse_expression(Source("-D", text), dialect)
    except ModelError:
        return False
    return isinstance(found, Name) and found.name == text


def _let(name: str, expression: Expression) -> Let:
    binding = Binding(Pattern((name,), True), expression, free_names(expression), expression.span)
    return Let((binding,), False, None, expression.span)


def _redefined(statement: Statement, name: str, expression: Expression) -> Statement:
    match statement:
        case Choice(name=bound) if bound == name:
            return _let(name, expression)
        case Let(bindings):
            changed = tuple(
                replace(binding, body=expression, free=free_names(expression))
                if binding.pattern.names == (name,)
                else binding
                for binding in bindings
            )
            return replace(statement, bindings=changed)
    return statement
