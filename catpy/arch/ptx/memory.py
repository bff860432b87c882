"""The memory of a test: variables, virtual addresses, physical locations, initial values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from catpy.arch.program import Cell, Extent, Part
from catpy.arch.ptx.arithmetic import Type
from catpy.arch.ptx.declarations import (
    alias_of,
    check_fits,
    check_proxy,
    check_unknown,
    describe,
)
from catpy.arch.ptx.mbarrier import FIELDS, Mbarrier, fresh
from catpy.arch.ptx.shared import Instances, split_name
from catpy.arch.ptx.variables import Layout, Segment, Variable, extent_of
from catpy.arch.ptx.words import SPACES
from catpy.arch.terms import EXTRACT, Address, Unknown, Value, apply, concat
from catpy.errors import TestError, did_you_mean
from catpy.litmus.syntax import (
    AddressOf,
    Alias,
    Declaration,
    Initial,
    InitItem,
    Location,
    Number,
    Register,
    Term,
    UnknownValue,
)
from catpy.source import Span


@dataclass(frozen=True, slots=True)
class Reach:
    """What an access reaches: its locations, and all of its bytes."""

    segments: tuple[Segment, ...]
    #: The virtual name of each segment.
    addresses: tuple[str, ...]
    extent: Extent


@dataclass(frozen=True, slots=True)
class Width:
    """The bytes by which instructions access a variable of unknown type.

    `element` are those of a scalar access, `whole` those of all elements of a vector or packed one.
    """

    element: int
    whole: int


class Memory:
    """All variables of a test. A name that is used without a declaration is a scalar of value 0.

    `widths` are the sizes by which instructions access variables of unknown type, `instances` those
    of shared variables, `taken` the variables whose address is a value.
    """

    def __init__(
        self,
        items: Sequence[InitItem],
        widths: Mapping[str, Width],
        instances: Instances,
        taken: frozenset[str],
    ) -> None:
        self._taken = taken
        self._variables: dict[str, Variable] = {}
        self._initial: dict[Location, Value] = {}
        self._widths = widths
        self._instances = instances
        self.layout = Layout()
        #: All that is ever written, once that is known.
        self._written: frozenset[Extent] | None = None
        for item in items:
            match item:
                case Declaration():
                    self._declare(item)
                case Alias():
                    self._alias(item)
                case Initial(Location() as target):
                    self._declare_element(target, item)
        for variable in list(self._variables.values()):
            self._check_alias(variable)
        self._instantiate()
        for item in items:
            if isinstance(item, Initial) and isinstance(item.target, Location):
                self._set_initial(item.target, item.value, item.span)
            elif isinstance(item, Declaration):
                self._set_declared(item)
        self._leave_unknown()

    # Declarations

    def _declare(self, item: Declaration) -> None:
        variable = self._new(item.name, item.count, item.span)
        describe(variable, item)
        self._add(variable, item.span)

    def _new(self, name: str, count: int | None = None, span: Span | None = None) -> Variable:
        variable = Variable(name, count, span=span)
        if name in self._widths:
            width = self._widths[name]
            variable.width = (width.whole if count is None else width.element) or variable.width
        return variable

    def _add(self, variable: Variable, span: Span) -> None:
        if variable.name in self._variables:
            raise TestError(f"`{variable.name}` is declared twice", span)
        self._variables[variable.name] = variable

    def _alias(self, item: Alias) -> None:
        self._add(alias_of(item), item.span)

    def _declare_element(self, target: Location, item: Initial) -> None:
        units, name = split_name(target.name)
        if units:
            return  # an instance of a variable
        if name not in self._variables:
            count = None if target.index is None else target.index + 1
            self._variables[name] = self._new(name, count, item.span)
        elif target.index is not None:
            variable = self._variables[name]
            if variable.count is not None and not variable.type:
                variable.count = max(variable.count, target.index + 1)

    def _check_alias(self, variable: Variable) -> None:
        """Gives an alias the shape of its target."""
        seen, name = [variable.name], variable.target
        while name is not None:
            if name in seen:
                raise TestError("these aliases run in a circle", variable.span)
            seen.append(name)
            name = self.declare(name).target
        if variable.target is not None:
            target = self._variables[seen[-1]]
            variable.count, variable.space = target.count, target.space
            variable.type, variable.width = target.type, target.width
            variable.mbarrier = target.mbarrier
            check_proxy(variable)

    def _instantiate(self) -> None:
        """Puts the instances of shared variables in the place of the variables."""
        for variable in list(self._variables.values()):
            names = self._instances.names(variable.name)
            if names == [variable.name]:
                continue
            del self._variables[variable.name]
            for name in names:
                unit = name.removesuffix(variable.name)
                target = variable.target and unit + variable.target
                self._variables[name] = replace(variable, name=name, target=target)

    def _set_declared(self, item: Declaration) -> None:
        for name in self._instances.names(item.name):
            variable = self._variables[name]
            elements = variable.elements()
            if len(item.values) > len(elements):
                raise TestError(f"`{item.name}` has {len(elements)} elements only", item.span)
            for element, value in zip(elements, item.values, strict=False):
                check_unknown(value, Location(item.name, element.index), item.span)
                self._set_element(element, value, item.span)

    def _leave_unknown(self) -> None:
        """§8.2.6: a shared variable that is given no value holds an unknown one."""
        for variable in self._variables.values():
            if variable.space == "SHARED" and variable.target is None:
                for element in variable.elements():
                    self._initial.setdefault(element, Unknown(str(element)))

    def _set_initial(self, target: Location, term: Term, span: Span) -> None:
        check_unknown(term, target, span)
        units, base = split_name(target.name)
        names = [self._instances.find(target.name, span)] if units else self._instances.names(base)
        for name in names:
            self._set_element(Location(name, target.index), term, span)

    def _set_element(self, target: Location, term: Term, span: Span) -> None:
        location = self.locate(target, span)
        if location in self._initial:
            raise TestError(f"`{location}` is given two initial values", span)
        variable = self._variables[location.name]
        if isinstance(term, UnknownValue):
            term = UnknownValue(str(target))
        value = self.value(term, span)
        if variable.mbarrier:
            self._initial[location] = fresh(value, span)
        else:
            if variable.type or location.name in self._widths:
                check_fits(variable, value, span)
            self._initial[location] = _wrapped(variable.type, value)

    # Looking up

    def declare(self, name: str) -> Variable:
        """The variable of a name; a new scalar where the test did not declare it."""
        if name not in self._variables:
            self._variables[name] = self._new(name)
        return self._variables[name]

    def __contains__(self, name: str) -> bool:
        return name in self._variables

    def names(self) -> list[str]:
        return list(self._variables)

    def value(self, term: Term, span: Span) -> Value:
        """A written value; raises TestError for what is no value."""
        match term:
            case Number(value):
                return value
            case UnknownValue(name):
                return Unknown(name)
            case AddressOf(Location(name, index)):
                variable = self.declare(self._instances.find(name, span))
                if index is not None and not 0 <= index < (variable.count or 0):
                    raise TestError(f"`{name}` has no element {index}", span)
                return Address(variable.name, variable.size * (index or 0))
        raise TestError(
            f"`{term}` is no value", span, "write a number, `?` or the name of a location"
        )

    def locate(self, location: Location, span: Span | None) -> Location:
        """The physical location of a name (with an index); raises TestError where there is none."""
        name = self._instances.find(location.name, span)
        variable = self._variables.get(name)
        if variable is None:
            hint = did_you_mean(location.name, self.names())
            raise TestError(f"the test has no location `{location.name}`", span, hint)
        if location.index is None and variable.count is not None:
            message = f"`{location.name}` is an array: name an element, as `{location.name}[0]`"
            raise TestError(message, span)
        if location.index is not None and not 0 <= location.index < (variable.count or 0):
            raise TestError(f"`{location.name}` has no element {location.index}", span)
        return Location(self.physical(variable).name, location.index)

    def check_value(self, location: Location, value: int, span: Span) -> None:
        """Raises TestError for a number that a location never holds by its type."""
        variable = self._variables[self.locate(location, span).name]
        if variable.mbarrier:
            hint = f"it is one like `mbarrier(0,2,1,0)`: {FIELDS}"
            raise TestError(f"`{location}` is an mbarrier, whose value is no number", span, hint)
        held = _wrapped(variable.type, value)
        if held != value:
            message = f"{value} is no value of `{location}`, by its type"
            raise TestError(message, span, f"cut to the bits of that it is {held}")

    def physical(self, variable: Variable) -> Variable:
        """The variable that has the memory of another one."""
        while variable.target is not None:
            variable = self.declare(variable.target)
        return variable

    def view(self, variable: Variable) -> str:
        """The variable whose virtual addresses are accessed: another proxy's name has none."""
        while variable.proxy not in (None, "generic") and variable.target is not None:
            variable = self.declare(variable.target)
        return variable.name

    def access(self, address: Address, size: int | None) -> Reach | str:
        """What an access of some bytes (None: an element) reaches, or why it makes no sense."""
        variable = self.declare(address.name)
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
        home = self.physical(variable)
        self.layout.divide(home, start, stop)
        segments = tuple(self.layout.segments(home, start, stop))
        view = self.view(variable)
        addresses = tuple(view + s.name.removeprefix(home.name) for s in segments)
        return Reach(segments, addresses, Extent(home.name, view, start, stop))

    def extent(self, address: Address, size: int) -> Extent:
        """Some bytes at an address, which are named and not accessed."""
        variable = self.declare(address.name)
        home, view = self.physical(variable).name, self.view(variable)
        return Extent(home, view, address.offset, address.offset + size)

    def addresses(self) -> Iterator[Address]:
        """Every address that a value can be: of variables whose address the test takes.

        (An address that is moved is still one of the same variable.)
        """
        for variable in self._variables.values():
            if split_name(variable.name)[1] not in self._taken:
                continue
            for start in self.layout.starts(self.physical(variable)):
                yield Address(variable.name, start)

    def locations(self) -> list[Location]:
        """The elements of all variables that have memory."""
        variables = [v for v in self._variables.values() if v.target is None]
        return [element for variable in variables for element in variable.elements()]

    def space(self, name: str) -> str | None:
        """The tag of the state space a variable was declared in."""
        return self.declare(name).space

    def cells(self) -> list[Cell]:
        """The physical locations with their initial values."""
        return [
            self._cell(variable, segment)
            for variable in self._variables.values()
            if variable.target is None
            for segment in self.layout.segments(variable)
        ]

    def settle(self, written: Iterable[Extent]) -> None:
        """Takes note of all bytes that are ever written, and forgets how they were divided."""
        self._written = frozenset(written)
        self.layout = Layout()

    def type_of(self, name: str, segment: Segment) -> Type | None:
        """The declared type of what a segment holds; None for a part of an element, too."""
        variable = self._variables[name]
        return variable.type if segment.stop - segment.start == variable.size else None

    def known(self, name: str, segment: Segment) -> Value | None:
        """What every read of a segment returns; None where writes may change it."""
        if self._written is None or any(map(extent_of(segment, name).meets, self._written)):
            return None
        return self._initially(self._variables[name], segment)

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
        variable = self._variables[location.name]
        start = variable.offset_of(location)
        segments = self.layout.segments(variable, start, start + variable.size)
        return [Part(segment.name, segment.bits) for segment in segments]

    def joined(self, location: Location, values: Sequence[Value]) -> Value:
        """The value of an element from those of its parts."""
        variable = self._variables[location.name]
        widths = [part.bits for part in self.parts(location)]
        whole = concat(list(zip(values, widths, strict=True)))
        return _wrapped(variable.type, whole)  # type: ignore[arg-type]  # of values, a value


def _wrapped(kind: Type | None, value: Value) -> Value:
    return kind.wrap(value) if kind and isinstance(value, int) else value


def initial_registers(items: Sequence[InitItem]) -> list[tuple[Register, Term, Span]]:
    """The registers an initial section sets."""
    return [
        (item.target, item.value, item.span)
        for item in items
        if isinstance(item, Initial) and isinstance(item.target, Register)
    ]


def shared_names(items: Sequence[InitItem]) -> set[str]:
    """The variables that an initial section declares in shared memory, and their aliases."""
    found = {
        item.name
        for item in items
        if isinstance(item, Declaration) and any(SPACES.get(w) == "SHARED" for w in item.words)
    }
    aliases = [item for item in items if isinstance(item, Alias)]
    for _ in aliases:  # what an alias is of may be an alias
        found |= {alias.name for alias in aliases if alias.target in found}
    return found
