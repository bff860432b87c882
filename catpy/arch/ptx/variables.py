"""Variables, and how accesses divide their bytes into locations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from catpy.arch.program import Extent
from catpy.arch.ptx.arithmetic import Type
from catpy.arch.terms import Value
from catpy.litmus.syntax import Location
from catpy.source import Span

_DEFAULT_SIZE = 4


#: The bytes of an mbarrier, and here, where its fields are one value, of a tensormap.
OBJECT_SIZE = 8


@dataclass
class Variable:
    """A name with `count` elements (None: a scalar) of a type that may be unknown.

    `width` is the size of an element in bytes where the type is unknown but instructions say it.
    `target` is the variable whose memory it shares where it is an alias, `proxy` the one that the
    alias is accessed through. The values of an `mbarrier` are those objects.
    """

    name: str
    count: int | None = None
    type: Type | None = None
    space: str | None = None
    target: str | None = None
    proxy: str | None = None
    mbarrier: bool = False
    tensormap: bool = False
    width: int = _DEFAULT_SIZE
    span: Span | None = None

    @property
    def size(self) -> int:
        """The bytes of an element."""
        return self.type.bits // 8 if self.type else self.width

    @property
    def bytes(self) -> int:
        """The bytes of all elements."""
        return self.size * (self.count or 1)

    @property
    def bits(self) -> int | None:
        """The declared width of an element."""
        return self.type.bits if self.type else None

    def wrap(self, value: Value) -> Value:
        """What an element holds for a value: a number modulo the declared width."""
        return self.type.wrap(value) if self.type and isinstance(value, int) else value

    def element_at(self, offset: int) -> Location:
        """The element that the byte at an offset belongs to."""
        return Location(self.name, None if self.count is None else offset // self.size)

    def elements(self) -> list[Location]:
        """All elements; a scalar is its own."""
        if self.count is None:
            return [Location(self.name)]
        return [Location(self.name, index) for index in range(self.count)]

    def offset_of(self, element: Location) -> int:
        """The first byte of an element."""
        return self.size * (element.index or 0)


@dataclass(frozen=True, slots=True)
class Width:
    """The bytes by which instructions access a variable of unknown type.

    `element` are those of a scalar access, `whole` those of all elements of a vector or packed one.
    """

    element: int
    whole: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of bytes of a variable that no access divides: a location of its own."""

    name: str
    start: int
    stop: int

    @property
    def bits(self) -> int:
        return 8 * (self.stop - self.start)


class Layout:
    """How variables are divided: into their elements, and further where an access begins or ends.

    The divisions only become known while threads are executed. `grew` says that one was added, so
    that what was executed before has to be executed again.
    """

    def __init__(self) -> None:
        self._cuts: dict[str, set[int]] = {}
        self.grew = False

    def divide(self, variable: Variable, start: int, stop: int) -> None:
        """Takes note of an access to some bytes."""
        cuts = self._cuts.setdefault(variable.name, set())
        for at in (start, stop):
            if at % variable.size and at not in cuts:
                cuts.add(at)
                self.grew = True

    def segments(
        self, variable: Variable, start: int = 0, stop: int | None = None
    ) -> list[Segment]:
        """The segments of some bytes of a variable, which begin and end at divisions."""
        stop = variable.bytes if stop is None else stop
        inner = {at for at in self._cuts.get(variable.name, ()) if start < at < stop}
        elements = range(0, variable.bytes + 1, variable.size)
        inner |= {at for at in elements if start < at < stop}
        bounds = [start, *sorted(inner), stop]
        return [Segment(_name(variable, a, b), a, b) for a, b in pairwise(bounds)]

    def starts(self, variable: Variable) -> Iterator[int]:
        """The bytes at which segments begin."""
        for segment in self.segments(variable):
            yield segment.start


def _name(variable: Variable, start: int, stop: int) -> str:
    """The name of an element, or of a part of one with the bytes it begins behind."""
    element = str(variable.element_at(start))
    if stop - start == variable.size:
        return element
    return f"{element}+{start % variable.size}"


def extent_of(segment: Segment, variable: str, view: str | None = None) -> Extent:
    """The bytes of a segment, seen by the addresses of a variable (`view`, else its own)."""
    return Extent(variable, view or variable, segment.start, segment.stop)
