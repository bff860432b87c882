"""Where the two readers of cat differ: herd, strict as its parser is, and Dat3M."""

from __future__ import annotations

import re
from enum import Enum

from catpy.source import Source


class Dialect(Enum):
    """How a file is read.

    In `dat3m`, comments do not nest and may be `/* */`, postfix operators and products bind tighter
    than `~` and mix freely, `^` may stand before any postfix, `r -1` is an inverse, names may begin
    with a digit, a dot or a dash, an unknown name is an event set by its tag, and an include that
    is not found is passed over.
    """

    HERD = "herd"
    DAT3M = "dat3m"


_HEADER = re.compile(r"(?:\(\*|//|#|/\*)\s*cat-dialect:\s*(\w+)")


def dialect_of(source: Source, default: Dialect) -> Dialect:
    """The dialect a comment `(* cat-dialect: dat3m *)` in a file's first lines asks for."""
    for line in source.text.splitlines()[:10]:
        found = _HEADER.search(line)
        if found and found[1] in (dialect.value for dialect in Dialect):
            return Dialect(found[1])
    return default
