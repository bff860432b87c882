"""Files of outcome tables: written as a whole or not at all, and read."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from catpy.errors import UsageError
from catpy.reading import read_source
from catpy.report.table import SCHEMA, Table, table_from_json, to_json


def write_table(table: Table, path: Path) -> None:
    """Writes a table; an old one is replaced as a whole or, on an error, left as it was."""
    if is_device(path):
        _write_into(table, path)
        return
    path = Path(os.path.realpath(path))
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(to_json(table))
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException as problem:
        Path(name).unlink(missing_ok=True)
        if isinstance(problem, OSError):
            raise UsageError(f"cannot write {path}: {problem.strerror}") from None
        raise


def _write_into(table: Table, path: Path) -> None:
    try:
        path.write_text(to_json(table), encoding="utf-8", errors="backslashreplace")
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None


def is_device(path: Path) -> bool:
    """Whether a path is no file that can be replaced: a device or a pipe stays what it is."""
    return path.is_relative_to("/dev") or (path.exists() and not path.is_file())


def check_writable(path: Path) -> None:
    """Raises UsageError where a table could not be written, before anything is computed for it.

    A file that is there already has to look like a table: another one is not overwritten.
    """
    if path.is_dir():
        raise UsageError(f"cannot write {path}: it is a folder")
    if is_device(path):
        return
    _check_replaceable(path)
    try:
        if not path.exists() or path.is_file():
            tempfile.TemporaryFile(dir=Path(os.path.realpath(path)).parent).close()
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None


def _check_replaceable(path: Path) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(64).lstrip()
    except FileNotFoundError:
        return
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None
    if start and not start.startswith(b'{"schema"'):
        raise UsageError(f"{path} is no outcome table: it is not overwritten")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_table(path: Path) -> Table:
    """A table from a file. Raises UsageError where it is none."""
    try:
        source = read_source(path, UsageError)
        data = json.loads(source.text)
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    except json.JSONDecodeError as problem:
        place = source.span(problem.pos, problem.pos + 1)
        raise UsageError(f"{path} is no outcome table: {problem.msg}", place) from None
    except (ValueError, RecursionError) as problem:
        what = (
            "nested too deeply" if isinstance(problem, RecursionError) else "a number is too long"
        )
        raise UsageError(f"{path} is no outcome table: {what}") from None
    if not isinstance(data, dict) or data.get("schema") is True or data.get("schema") != SCHEMA:
        raise UsageError(f"{path} is no outcome table of schema {SCHEMA}")
    try:
        return table_from_json(data)
    except ValueError as problem:
        raise UsageError(f"{path} is no outcome table: {problem}") from None
