"""Elements and tags for tests of what is made of them, and how many a set has."""

from __future__ import annotations

from tests.cat.store_buffering import runs

#: An event of W, a pair of po, and functions that rebuild what they take apart.
ELEMENTS = """
let event S = match S with {} -> fail 0 || e ++ es -> e end
let pair r = match r with {} -> fail 0 || p ++ ps -> p end
let e = event W
let p = pair po
let rec copy S = match S with {} -> {} || e ++ es -> e ++ copy es end
let rec count S = match S with {} -> {} || e ++ es -> {count es} end
"""
TAGS = "enum t = 'a || 'b || 'c\nenum u = || 'x || 'y\n"


def number_of(text: str, before: str = "") -> int:
    """How many elements a set of values has."""
    return len(runs(f"{before}\nwith one from {text}"))
