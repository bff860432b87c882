"""The memory of a test: what accesses reach, physical locations, initial values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catpy.arch.program import Cell, Extent, Part
from catpy.arch.ptx.arithmetic import Type
from catpy.arch.ptx.mbarrier import Mbarrier
from catpy.arch.ptx.shared import split_name
from catpy.arch.ptx.symbols import SymbolTable
from catpy.arch.ptx.variables import Layout, Segment, Variable, extent_of
from catpy.arch.terms import EXTRACT, Address, Value, apply, concat
from catpy.litmus.syntax import Location


@dataclass(frozen=True, slots=True)
class Reach:
    """What an access reaches: its locations, and all of its bytes."""

    segments: tuple[Segment, ...]
    #: The virtual name of each segment.
    addresses: tuple[str, ...]
    extent: Extent


class Memory:
    """The variables of a test with their initial values, divided as accesses divide them.

    `initial` are the values of elements by their physical locations, 0 where there is none; `taken`
    are the variables whose address is a value, by their names without units; `written` is all that
    is ever written, None where that is not known.
    """

    def __init__(
        self,
        symbols: SymbolTable,
        initial: Mapping[Location, Value],
        taken: frozenset[str],
        written: frozenset[Extent] | None = None,
    ) -> None:
        self.symbols = symbols
        self.layout = Layout()
        self._initial = initial
        self._taken = taken
        self._written = written

    def settled(self, written: Iterable[Extent]) -> Memory:
        """The same memory, not divided yet, where it is known what is ever written."""
        return Memory(self.symbols, self._initial, self._taken, frozenset(written))

    # What accesses reach

    def access(self, address: Address, size: int | None) -> Reach | str:
        """What an access of some bytes (None: an element) reaches, or why it makes no sense."""
        variable = self.symbols[address.name]
        if size is None:
            size = variable.size
            if address.offset % size or not 0 <= address.offset < variable.bytes:
                return f"this accesses {address}, which is no address of a location"
        start, stop = address.offset, address.offset + size
        if not 0 <= start < variable.bytes:
            return f"this accesses {address}, which is no address of a location"
        if stop > variable.bytes:
            return (
                f"this accesses {size} bytes at {address},"
                f" but `{variable.name}` has {variable.bytes}"
            )
        if start % size:
            return f"{address} is not aligned to the {size} bytes that this accesses"
        return self.reach(variable, start, stop)

    def reach(self, variable: Variable, start: int, stop: int) -> Reach:
        """The bytes from `start` to before `stop` of a variable."""
        home = self.symbols.physical(variable)
        self.layout.divide(home, start, stop)
        segments = tuple(self.layout.segments(home, start, stop))
        view = self.symbols.view(variable)
        addresses = tuple(view + s.name.removeprefix(home.name) for s in segments)
        return Reach(segments, addresses, Extent(home.name, view, start, stop))

    def extent(self, address: Address, size: int) -> Extent:
        """Some bytes at an address, which are named and not accessed."""
        variable = self.symbols[address.name]
        home, view = self.symbols.physical(variable).name, self.symbols.view(variable)
        return Extent(home, view, address.offset, address.offset + size)

    def addresses(self) -> Iterator[Address]:
        """Every address that a value can be: of variables whose address the test takes.

        (An address that is moved is still one of the same variable.)
        """
        for variable in self.symbols:
            if split_name(variable.name)[1] not in self._taken:
                continue
            for start in self.layout.starts(self.symbols.physical(variable)):
                yield Address(variable.name, start)

    # What it holds

    def locations(self) -> list[Location]:
        """The elements of all variables that have memory."""
        variables = [v for v in self.symbols if v.target is None]
        return [element for variable in variables for element in variable.elements()]

    def cells(self) -> list[Cell]:
        """The physical locations with their initial values."""
        return [
            self._cell(variable, segment)
            for variable in self.symbols
            if variable.target is None
            for segment in self.layout.segments(variable)
        ]

    def type_of(self, name: str, segment: Segment) -> Type | None:
        """The declared type of what a segment holds; None for a part of an element, too."""
        variable = self.symbols[name]
        return variable.type if segment.stop - segment.start == variable.size else None

    def known(self, name: str, segment: Segment) -> Value | None:
        """What every read of a segment returns; None where writes may change it."""
        if self._written is None or any(map(extent_of(segment, name).meets, self._written)):
            return None
        return self._initially(self.symbols[name], segment)

    def _initially(self, variable: Variable, segment: Segment) -> Value:
        initial = self._initial.get(variable.element_at(segment.start), 0)
        if segment.stop - segment.start < variable.size:
            shift = 8 * (segment.start % variable.size)
            initial = apply(EXTRACT, [initial, shift, segment.bits])
        return initial

    def _cell(self, variable: Variable, segment: Segment) -> Cell:
        initial = self._initially(variable, segment)
        sets = frozenset({"MBARRIER"} if isinstance(initial, Mbarrier) else ())
        return Cell(segment.name, initial, variable.bits, extent_of(segment, variable.name), sets)

    def parts(self, location: Location) -> list[Part]:
        """The locations that an element consists of, the lowest bits first."""
        variable = self.symbols[location.name]
        start = variable.offset_of(location)
        segments = self.layout.segments(variable, start, start + variable.size)
        return [Part(segment.name, segment.bits) for segment in segments]

    def joined(self, location: Location, values: Sequence[Value]) -> Value:
        """The value of an element from those of its parts."""
        variable = self.symbols[location.name]
        widths = [part.bits for part in self.parts(location)]
        whole = concat(list(zip(values, widths, strict=True)))
        return variable.wrap(whole)  # type: ignore[arg-type]  # of values, a value
