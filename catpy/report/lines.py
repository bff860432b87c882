"""Text in columns, as plain text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells, aligned; the first row may be a header."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) if rows else 0)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a Markdown table; the first row is the header."""
    header, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [header, ["---"] * len(header), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
