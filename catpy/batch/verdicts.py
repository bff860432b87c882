"""Files of expected verdicts: a header line, then a row per test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from catpy.arch.program import DIALECTS
from catpy.batch.collect import TestFile
from catpy.errors import UsageError, did_you_mean
from catpy.reading import read_source
from catpy.resources import locate
from catpy.source import Source, Span

_VERDICTS = ("Ok", "No", "Undefined", "-")


@dataclass(frozen=True)
class Expectation:
    """A row as far as one model is concerned. `verdict` is `-` where the file states none."""

    test: TestFile
    dialect: str | None
    verdict: str
    span: Span


@dataclass(frozen=True)
class Expectations:
    """The rows of a file, and the column that was taken."""

    path: Path
    column: str
    rows: tuple[Expectation, ...]


def read_expectations(path: Path, column: str) -> Expectations:
    """The expectations of one column. Raises UsageError for a file that is wrong."""
    path = locate(path)
    try:
        source = read_source(path, UsageError)
    except OSError as problem:
        raise UsageError(f"cannot read the verdicts {path}: {problem.strerror}") from None
    lines = _lines(source)
    if not lines:
        raise UsageError(f"{path} has no header line `file [dialect] MODEL …`")
    header, *rows = lines
    names = _cells(header)
    if names[0] != "file":
        raise UsageError("the header line begins with `file` and a tab", header)
    if column not in names[1:]:
        models = [name for name in names[1:] if name != "dialect"]
        hint = did_you_mean(column, models) or f"it has {', '.join(models)}; --column takes another"
        raise UsageError(f"{path} has no column `{column}`", header, hint)
    if len(set(names)) < len(names):
        raise UsageError("two columns have one name", header)
    expectations = tuple(_row(row, names, column, path) for row in rows)
    _check_doubles(expectations)
    return Expectations(path, column, expectations)


def _check_doubles(rows: tuple[Expectation, ...]) -> None:
    seen: set[Path | None] = set()
    for row in rows:
        if row.test.real_path in seen:
            raise UsageError("this test has a row already", row.span)
        seen.add(row.test.real_path)


def _lines(source: Source) -> list[Span]:
    """The lines that hold something, without comments."""
    spans, at = [], 0
    for line in source.text.splitlines(keepends=True):
        text = line.split("#")[0].rstrip()
        if text:
            spans.append(source.span(at, at + len(text)))
        at += len(line)
    return spans


def _cells(row: Span) -> list[str]:
    return [cell.strip() for cell in row.text.split("\t")]


def _row(row: Span, names: list[str], column: str, path: Path) -> Expectation:
    cells = _cells(row)
    if len(cells) != len(names):
        raise UsageError(f"this row has {len(cells)} cells, the header {len(names)}", row)
    values = dict(zip(names, cells, strict=True))
    if "\0" in row.text or not values["file"]:
        raise UsageError("this row names no file", row)
    verdict = values[column]
    if verdict not in _VERDICTS:
        raise UsageError(f"`{verdict}` is no verdict: {', '.join(_VERDICTS)}", row)
    dialect = values.get("dialect") or None
    if dialect not in (None, "-", *DIALECTS):
        raise UsageError(f"there is no dialect `{dialect}`: {', '.join(DIALECTS)}", row)
    test = TestFile(path.parent / values["file"])
    return Expectation(test, None if dialect == "-" else dialect, verdict, row)
