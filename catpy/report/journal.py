"""What is finished of a table in the making, a test a line, beside the file of the table.

A run that ends in any way leaves either its table or its journal; the next one finds there what it
need not do again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from catpy import __version__
from catpy.arch.program import Options
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.errors import UsageError
from catpy.execution.search import Effort
from catpy.report.table import Record, from_json, to_line
from catpy.report.table_file import is_device, read_table


def journal_path(table: Path) -> Path:
    """Where the journal of a table is."""
    return table.with_name(f"{table.name}.journal")


def key_of(
    text: str, options: Options, models: Sequence[Model], settings: Settings, effort: Effort
) -> str:
    """The same for all that gives the same record, but for its times.

    `models` are those that the test may be run on: the one that was asked for, or the defaults.
    """
    parts = [
        __version__,
        text,
        repr(options),
        *(model.digest for model in models),
        repr((sorted(settings.skip), settings.strict_skip, sorted(settings.variants))),
        repr((effort.states_only, effort.first)),
    ]
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part.encode(errors="backslashreplace")).digest())
    return whole.hexdigest()


def finished(table: Path) -> dict[str, Record]:
    """The tests that a table and its journal have, by key, as far as they came to their end.

    Raises UsageError where the table is none.
    """
    records: list[Record] = []
    if table.is_file():
        records += read_table(table).tests
    records += _journalled(journal_path(table))
    return {record.key: record for record in records if record.key and record.is_whole}


def _journalled(path: Path) -> Iterator[Record]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    for line in lines:
        # A line may be cut short: the one that was being written when the run was killed.
        with suppress(ValueError, RecursionError):
            yield from_json(json.loads(line))


@dataclass
class Journal:
    """The journal of a table: a line for each test, written at once."""

    path: Path
    _file: TextIO | None = None
    #: Whether something could not be written: then a table is not to be trusted to the disk either.
    is_broken: bool = False

    @staticmethod
    def of(table: Path, keep: bool) -> Journal:
        """A new one, or with `keep` the one that is there. A table that is a device has none."""
        if is_device(table):
            return Journal(table)
        path = journal_path(table)
        try:
            if not keep and path.is_file():
                path.write_bytes(b"")
            return Journal(path, path.open("a", encoding="utf-8", errors="backslashreplace"))
        except OSError as problem:
            raise UsageError(f"cannot write {path}: {problem.strerror}") from None

    def add(self, record: Record) -> None:
        """Writes a test down. Raises UsageError where it cannot."""
        if self._file is None:
            return
        try:
            # A line that a killed run left unfinished must not swallow this one.
            self._file.write(f"\n{to_line(record)}")
            self._file.flush()
        except OSError as problem:
            self._file = None
            self.is_broken = True
            raise UsageError(f"cannot write {self.path}: {problem.strerror}") from None

    def discard(self) -> None:
        """Removes it: the table has been written."""
        if self._file is not None:
            self._file.close()
            self.path.unlink(missing_ok=True)
