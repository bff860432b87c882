"""Finds model files, parses them, and puts includes in their place."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from catpy.cat.parser import parse
from catpy.cat.syntax import File, Header, Include, Statement
from catpy.errors import ModelError, UsageError, did_you_mean
from catpy.source import Source, Span


@dataclass(frozen=True)
class Model:
    """A model ready to run: its statements with every include in place, the library first."""

    name: str
    path: Path
    header: Header
    statements: tuple[Statement, ...]


class Library:
    """Where models are looked up: folders in order. Each file is parsed once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = list(folders)
        self._parsed: dict[Path, File] = {}

    def load(self, name: str) -> Model:
        """The model of a path or of a name (`ptx`) in the folders.

        Raises UsageError where there is none and ModelError where a file is wrong.
        """
        path = self._find(name)
        if path is None:
            searched = ", ".join(str(folder) for folder in self._folders)
            hint = did_you_mean(name, self.names()) or f"looked in {searched}"
            raise UsageError(f"no model `{name}`", hint=hint)
        file = self._parse(path)
        statements = self._library_statements()
        statements.extend(self._flatten(file, (path,)))
        return Model(path.stem, path, file.header, tuple(statements))

    def names(self) -> list[str]:
        """The names of the models in the folders."""
        found = {path.stem for folder in self._folders for path in folder.glob("*.cat")}
        return sorted(found - {"stdlib"})

    def _find(self, name: str, beside: Path | None = None) -> Path | None:
        folders = [*self._folders, beside] if beside else self._folders
        candidates = [Path(name)]
        for folder in folders:
            candidates += [folder / name, folder / f"{name}.cat"]
        return next((path for path in candidates if os.path.isfile(path)), None)

    def _library_statements(self) -> list[Statement]:
        """What every model starts from; a folder before the installed one can bring its own."""
        path = self._find("stdlib.cat")
        return [] if path is None else list(self._flatten(self._parse(path), (path,)))

    def _parse(self, path: Path, span: Span | None = None) -> File:
        key = path.resolve()
        if key not in self._parsed:
            try:
                text = path.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError as problem:
                message = f"{path} is not a UTF-8 text ({problem.reason})"
                raise ModelError(message, span) from None
            except OSError as problem:
                raise ModelError(f"cannot read {path}: {problem.strerror}", span) from None
            self._parsed[key] = parse(Source(str(path), text))
        return self._parsed[key]

    def _flatten(self, file: File, stack: tuple[Path, ...]) -> list[Statement]:
        statements: list[Statement] = []
        for statement in file.statements:
            if isinstance(statement, Include):
                statements.extend(self._included(statement, stack))
            else:
                statements.append(statement)
        return statements

    def _included(self, include: Include, stack: tuple[Path, ...]) -> list[Statement]:
        path = self._find(include.path, stack[-1].parent)
        if path is None:
            folders = dict.fromkeys([*self._folders, stack[-1].parent])
            searched = ", ".join(map(str, folders))
            message = f"cannot find the included file `{include.path}`"
            raise ModelError(message, include.span, f"looked in {searched}")
        if path.resolve() in {file.resolve() for file in stack}:
            chain = " → ".join(file.name for file in (*stack, path))
            raise ModelError(f"this include runs in a circle: {chain}", include.span)
        return self._flatten(self._parse(path, include.span), (*stack, path))
