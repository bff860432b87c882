"""From the bytes of a file to a text. What is no text is an error with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from catpy.errors import CatpyError
from catpy.source import Source, Span

#: A byte order mark is no part of the text.
_MARK = b"\xef\xbb\xbf"


def read_source(path: Path, error: Callable[[str, Span], CatpyError]) -> Source:
    """The text of a file. Raises OSError, and `error` where the file is no text."""
    return decoded(path.read_bytes(), str(path), error)


def decoded(data: bytes, name: str, error: Callable[[str, Span], CatpyError]) -> Source:
    """The text that bytes stand for, under the name it is shown by. Raises `error`."""
    data = data.removeprefix(_MARK)
    try:
        return Source(name, _lines(data.decode()))
    except UnicodeDecodeError as problem:
        source = Source(name, _lines(data.decode(errors="replace")))
        start = len(_lines(data[: problem.start].decode()))
        message = f"{name} is not a UTF-8 text ({problem.reason})"
        raise error(message, source.span(start, start + 1)) from None


def _lines(text: str) -> str:
    """The text with its lines ended as Python ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
