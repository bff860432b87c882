"""The algebra of one candidate execution, on `bitarray`.

A relation over n events is one little-endian bitarray of n rows; row x holds the successors of x,
and rows are `stride` bits apart, a power of two that is at least n and 8. Boolean operations are
one call each. What needs shifts (composition, closure) goes through one Python integer and back; an
inverse is a strided slice; acyclicity peels sinks off the rows and closes nothing. Padding bits are
always 0. All of that is known in this module only.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Self

from bitarray import bitarray
from bitarray.util import subset, zeros

from catpy.relation import orders
from catpy.relation.algebra import Algebra, EventSet, Relation

_ROW_FORMATS = {8: "B", 16: "H", 32: "I", 64: "Q"}


class _Shape:
    """The layout and the constant bit patterns of relations over n events."""

    __slots__ = ("column", "diagonal", "full", "padding", "row_format", "size", "stride", "width")

    def __init__(self, size: int) -> None:
        self.size = size
        self.stride = max(8, 1 << max(0, size - 1).bit_length())
        self.width = self.stride // 8
        letter = _ROW_FORMATS.get(self.stride)
        self.row_format = f"<{size}{letter}" if letter else None
        self.padding = zeros(self.stride - size, "little")
        #: The first bit of every row, as an integer: a column, once shifted.
        self.column = sum(1 << row * self.stride for row in range(size))
        self.diagonal = zeros(size * self.stride, "little")
        self.diagonal[:: self.stride + 1] = True
        self.full = self.from_rows([(1 << size) - 1] * size)

    def rows(self, bits: bitarray) -> list[int]:
        """The rows as bit masks."""
        data = bits.tobytes()
        if self.row_format:
            return list(struct.unpack(self.row_format, data))
        width = self.width
        return [int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width)]

    def from_rows(self, rows: Iterable[int]) -> bitarray:
        bits = bitarray(endian="little")
        if self.row_format:
            bits.frombytes(struct.pack(self.row_format, *rows))
        else:
            bits.frombytes(b"".join(row.to_bytes(self.width, "little") for row in rows))
        return bits

    def from_int(self, value: int) -> bitarray:
        bits = bitarray(endian="little")
        bits.frombytes(value.to_bytes(self.size * self.width, "little"))
        return bits


class _Bits:
    """What event sets and relations share: one bitarray, and the shape that says what a bit is."""

    __slots__ = ("_bits", "_shape")

    def __init__(self, shape: _Shape, bits: bitarray) -> None:
        self._shape = shape
        self._bits = bits

    def __or__(self, other: Self) -> Self:
        return type(self)(self._shape, self._bits | other._bits)

    def __and__(self, other: Self) -> Self:
        return type(self)(self._shape, self._bits & other._bits)

    def __sub__(self, other: Self) -> Self:
        return type(self)(self._shape, self._bits & ~other._bits)

    def key(self) -> bytes:
        return self._bits.tobytes()

    def any(self) -> bool:
        return self._bits.any()

    def __len__(self) -> int:
        return self._bits.count()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._bits == other._bits

    def __hash__(self) -> int:
        return hash(self.key())


class ExactEventSet(_Bits, EventSet):
    """An event set of one candidate: one bit for each event."""

    __slots__ = ()

    def complement(self) -> Self:
        return type(self)(self._shape, ~self._bits)

    def product(self, other: Self) -> ExactRelation:
        shape = self._shape
        row = other.mask()
        bits = shape.from_rows([row if member else 0 for member in self._bits])
        return ExactRelation(shape, bits)

    def identity(self) -> ExactRelation:
        bits = zeros(len(self._shape.diagonal), "little")
        bits[:: self._shape.stride + 1] = self._bits
        return ExactRelation(self._shape, bits)

    def mask(self) -> int:
        """The set as a bit mask."""
        return int.from_bytes(self._bits.tobytes(), "little")

    def __iter__(self) -> Iterator[int]:
        """The events, ascending."""
        return iter(self._bits.search(1))

    def __contains__(self, event: int) -> bool:
        return bool(self._bits[event])

    def __repr__(self) -> str:
        return f"ExactEventSet({set(self)})"


class ExactRelation(_Bits, Relation):
    """A relation of one candidate, events × events."""

    __slots__ = ()

    def complement(self) -> Self:
        return type(self)(self._shape, self._shape.full & ~self._bits)

    def compose(self, other: Self) -> Self:
        shape = self._shape
        if not (self._bits.any() and other._bits.any()):
            return type(self)(shape, zeros(len(self._bits), "little"))
        left = int.from_bytes(self._bits.tobytes(), "little")
        column, result = shape.column, 0
        for middle, row in enumerate(shape.rows(other._bits)):
            if row:
                # Every row of the left side that has `middle` gains the row of `middle`: its column
                # bits, one in each row, times a row that fits between them.
                result |= (left >> middle & column) * row
        return type(self)(shape, shape.from_int(result))

    def inverse(self) -> Self:
        shape, bits = self._shape, bitarray(endian="little")
        for column in range(shape.size):
            bits += self._bits[column :: shape.stride]
            bits += shape.padding
        return type(self)(shape, bits)

    def transitive_closure(self) -> Self:
        shape = self._shape
        value, column = int.from_bytes(self._bits.tobytes(), "little"), shape.column
        row_mask = (1 << shape.stride) - 1
        for middle in range(shape.size):
            row = value >> middle * shape.stride & row_mask
            if row:
                value |= (value >> middle & column) * row
        return type(self)(shape, shape.from_int(value))

    def reflexive_closure(self) -> Self:
        return type(self)(self._shape, self._bits | self._shape.diagonal)

    def domain(self) -> ExactEventSet:
        rows = self._shape.rows(self._bits)
        return ExactEventSet(self._shape, bitarray([row != 0 for row in rows], "little"))

    def range(self) -> ExactEventSet:
        mask = 0
        for row in self._shape.rows(self._bits):
            mask |= row
        return ExactEventSet(self._shape, self._event_bits(mask))

    def _event_bits(self, mask: int) -> bitarray:
        bits = bitarray(endian="little")
        bits.frombytes(mask.to_bytes(self._shape.width, "little"))
        return bits[: self._shape.size]

    def is_irreflexive(self) -> bool:
        return not self._bits[:: self._shape.stride + 1].any()

    def is_acyclic(self) -> bool:
        """Peels off events without a successor among the rest until none are left, or none peel."""
        rows = self._shape.rows(self._bits)
        rest = [(1 << event, row) for event, row in enumerate(rows) if row]
        while rest:
            left = 0
            for bit, _ in rest:
                left |= bit
            kept = [(bit, row) for bit, row in rest if row & left]
            if len(kept) == len(rest):
                return False
            rest = kept
        return True

    def cycle(self) -> list[int] | None:
        """The events of a shortest cycle, in order, or None; a self loop gives one event."""
        successors = dict(self.successors())
        shortest: list[int] | None = None
        for start in range(self._shape.size):
            found = _shortest_path_back(successors, start)
            if found and (shortest is None or len(found) < len(shortest)):
                shortest = found
        return shortest

    def rows(self) -> list[int]:
        """For each event the bit mask of its successors."""
        return self._shape.rows(self._bits)

    def successors(self) -> Iterator[tuple[int, list[int]]]:
        """The events that have successors, each with these, ascending."""
        size, stride = self._shape.size, self._shape.stride
        for event in range(size):
            found = list(self._bits.search(1, event * stride, event * stride + size))
            if found:
                yield event, [place - event * stride for place in found]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The pairs, ascending."""
        stride = self._shape.stride
        for index in self._bits.search(1):
            yield divmod(index, stride)

    def __contains__(self, pair: tuple[int, int]) -> bool:
        return bool(self._bits[pair[0] * self._shape.stride + pair[1]])

    def __repr__(self) -> str:
        return f"ExactRelation({set(self)})"


def _shortest_path_back(successors: Mapping[int, list[int]], start: int) -> list[int] | None:
    """The events of a shortest cycle through `start`, beginning there (breadth first)."""
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        event = queue.popleft()
        for following in successors.get(event, ()):
            if following == start:
                path = [event]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if following not in before:
                before[following] = event
                queue.append(following)
    return None


class ExactAlgebra(Algebra):
    """The algebra of one candidate with `size` events; its truths are booleans."""

    true = True

    def __init__(self, size: int) -> None:
        self.size = size
        self._shape = _Shape(size)
        self._empty_set = ExactEventSet(self._shape, zeros(size, "little"))
        self._empty_relation = ExactRelation(
            self._shape, zeros(size * self._shape.stride, "little")
        )

    @property
    def empty_set(self) -> ExactEventSet:
        return self._empty_set

    @property
    def all_events(self) -> ExactEventSet:
        return self._empty_set.complement()

    @property
    def empty_relation(self) -> ExactRelation:
        return self._empty_relation

    @property
    def identity(self) -> ExactRelation:
        return ExactRelation(self._shape, self._shape.diagonal)

    @property
    def all_pairs(self) -> ExactRelation:
        return ExactRelation(self._shape, self._shape.full)

    def is_empty(self, value: EventSet | Relation) -> bool:
        return not self._own(value).any()

    def is_irreflexive(self, relation: Relation) -> bool:
        return self._own_relation(relation).is_irreflexive()

    def is_acyclic(self, relation: Relation) -> bool:
        return self._own_relation(relation).is_acyclic()

    def is_contained(self, left: EventSet | Relation, right: EventSet | Relation) -> bool:
        return subset(self._own(left)._bits, self._own(right)._bits)

    def both(self, left: bool, right: bool) -> bool:
        return left and right

    def negate(self, truth: bool) -> bool:
        return not truth

    def always(self, truth: bool) -> bool:
        return truth

    def never(self, truth: bool) -> bool:
        return not truth

    def linearisations(self, events: EventSet, order: Relation) -> Iterator[ExactRelation]:
        assert isinstance(events, ExactEventSet)
        rows = self._own_relation(order).rows()
        for result in orders.linearisations(events.mask(), rows):
            yield self.from_rows(result)

    def orientations(self, relation: Relation, base: Relation) -> Iterator[ExactRelation]:
        pairs = sorted({(min(p), max(p)) for p in self._own_relation(relation) if p[0] != p[1]})
        for result in orders.orientations(pairs, self._own_relation(base).rows()):
            yield self.from_rows(result)

    def partial_orders(self, relation: Relation, base: Relation) -> Iterator[ExactRelation]:
        pairs = sorted({(min(p), max(p)) for p in self._own_relation(relation) if p[0] != p[1]})
        for result in orders.partial_orders(pairs, self._own_relation(base).rows()):
            yield self.from_rows(result)

    def members(self, events: EventSet) -> list[int]:
        assert isinstance(events, ExactEventSet)
        return list(events)

    def pairs(self, relation: Relation) -> list[tuple[int, int]]:
        return list(self._own_relation(relation))

    def event_set(self, events: Iterable[int]) -> ExactEventSet:
        bits = zeros(self.size, "little")
        for event in events:
            bits[event] = True
        return ExactEventSet(self._shape, bits)

    def relation(self, pairs: Iterable[tuple[int, int]]) -> ExactRelation:
        bits, stride = zeros(self.size * self._shape.stride, "little"), self._shape.stride
        for source, target in pairs:
            bits[source * stride + target] = True
        return ExactRelation(self._shape, bits)

    def from_rows(self, rows: Iterable[int]) -> ExactRelation:
        """The relation whose row for each event is the bit mask of its successors."""
        return ExactRelation(self._shape, self._shape.from_rows(rows))

    @staticmethod
    def _own(value: EventSet | Relation) -> ExactEventSet | ExactRelation:
        assert isinstance(value, ExactEventSet | ExactRelation)
        return value

    @staticmethod
    def _own_relation(value: Relation) -> ExactRelation:
        assert isinstance(value, ExactRelation)
        return value
