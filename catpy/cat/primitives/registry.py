"""The table of primitives, and the decorator that makes a function one."""

from __future__ import annotations

from collections.abc import Callable

from catpy.cat.kinds import Kind
from catpy.cat.operators import Operators
from catpy.cat.values import Primitive, Value
from catpy.source import Span

Body = Callable[[Operators, Value, Span], Value]

#: The kind of a result from that of the argument, which is known. Raises KindError for one that is
#: not taken.
Signature = Callable[[Kind, Span], Kind]

PRIMITIVES: dict[str, Primitive] = {}
#: Those that catpy adds to cat.
EXTENSIONS: list[str] = []


def primitive(
    name: str, kinds: Signature, *, extension: bool = False, of_candidates: bool = False
) -> Callable[[Body], Body]:
    """Registers a primitive under its cat name, with the kinds that it takes and gives.

    With `of_candidates` its result can differ between candidates though its argument does not.
    """

    def register(body: Body) -> Body:
        PRIMITIVES[name] = Primitive(name, body, kinds, of_candidates)
        if extension:
            EXTENSIONS.append(name)
        return body

    return register
