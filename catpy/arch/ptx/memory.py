"""The variables of a test: virtual addresses, physical locations, initial values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catpy.arch.program import Cell
from catpy.arch.ptx.arithmetic import Type, parse_type
from catpy.arch.ptx.words import SPACES, TYPES
from catpy.arch.terms import Address, Unknown, Value
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

#: Words of declarations that say nothing the model needs.
_IDLE_WORDS = frozenset({"visible", "extern", "weak", "align", "volatile", "int"})
_DEFAULT_SIZE = 4


@dataclass
class Variable:
    """A name with `count` elements (None: a scalar) of a type that may be unknown yet.

    `target` is the variable whose memory it shares where it is an alias.
    """

    name: str
    count: int | None = None
    type: Type | None = None
    space: str | None = None
    target: str | None = None
    span: Span | None = None

    @property
    def size(self) -> int:
        return self.type.bits // 8 if self.type else _DEFAULT_SIZE

    @property
    def bits(self) -> int | None:
        """The declared width of an element."""
        return self.type.bits if self.type else None

    def element(self, offset: int) -> Location | None:
        """The element at a byte offset, None where none begins there."""
        if self.count is None:
            return Location(self.name) if offset == 0 else None
        index, rest = divmod(offset, self.size)
        if rest or not 0 <= index < self.count:
            return None
        return Location(self.name, index)

    def elements(self) -> list[Location]:
        if self.count is None:
            return [Location(self.name)]
        return [Location(self.name, index) for index in range(self.count)]


class Memory:
    """All variables of a test. A name that is used without a declaration is a scalar of value 0."""

    def __init__(self, items: tuple[InitItem, ...]) -> None:
        self._variables: dict[str, Variable] = {}
        self._initial: dict[Location, Value] = {}
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
        for item in items:
            if isinstance(item, Initial) and isinstance(item.target, Location):
                self._set_initial(item.target, item.value, item.span)
            elif isinstance(item, Declaration):
                self._set_declared(item)
        self._leave_unknown()

    # Declarations

    def _declare(self, item: Declaration) -> None:
        variable = Variable(item.name, item.count, span=item.span)
        for word in item.words:
            if word in TYPES:
                variable.type = parse_type(word)
            elif word in SPACES:
                variable.space = SPACES[word]
            elif word not in _IDLE_WORDS:
                hint = did_you_mean(word, [*TYPES, *SPACES])
                raise TestError(f"`{word}` is no type or state space", item.span, hint)
        self._add(variable, item.span)

    def _add(self, variable: Variable, span: Span) -> None:
        if variable.name in self._variables:
            raise TestError(f"`{variable.name}` is declared twice", span)
        self._variables[variable.name] = variable

    def _alias(self, item: Alias) -> None:
        if item.proxy not in (None, "generic"):
            message = f"aliases through the {item.proxy} proxy are not supported by this version"
            raise TestError(message, item.span)
        self._add(Variable(item.name, target=item.target, span=item.span), item.span)

    def _declare_element(self, target: Location, item: Initial) -> None:
        if target.name not in self._variables:
            count = None if target.index is None else target.index + 1
            self._variables[target.name] = Variable(target.name, count, span=item.span)
        elif target.index is not None:
            variable = self._variables[target.name]
            if variable.count is not None and not variable.type:
                variable.count = max(variable.count, target.index + 1)

    def _check_alias(self, variable: Variable) -> None:
        """Gives an alias the shape of its target, through aliases of aliases."""
        seen = [variable.name]
        while variable.target is not None and self.declare(variable.target).target is not None:
            target = self._variables[variable.target].target
            if target in seen or target is None:
                raise TestError("these aliases run in a circle", variable.span)
            seen.append(target)
            variable.target = target
        if variable.target is not None:
            target_variable = self.declare(variable.target)
            variable.count = target_variable.count
            variable.type = variable.type or target_variable.type

    def _set_declared(self, item: Declaration) -> None:
        elements = self._variables[item.name].elements()
        if len(item.values) > len(elements):
            raise TestError(f"`{item.name}` has {len(elements)} elements only", item.span)
        for element, value in zip(elements, item.values, strict=False):
            self._set_initial(element, value, item.span)

    def _leave_unknown(self) -> None:
        """§8.2.6: a shared variable that is given no value holds an unknown one."""
        for variable in self._variables.values():
            if variable.space == "SHARED" and variable.target is None:
                for element in variable.elements():
                    self._initial.setdefault(element, Unknown(str(element)))

    def _set_initial(self, target: Location, term: Term, span: Span) -> None:
        location = self.locate(target, span)
        if location in self._initial:
            raise TestError(f"`{location}` is given two initial values", span)
        value, kind = self.value(term, span), self.declare(location.name).type
        self._initial[location] = kind.wrap(value) if kind and isinstance(value, int) else value

    # Looking up

    def declare(self, name: str) -> Variable:
        """The variable of a name; a new scalar where the test did not declare it."""
        return self._variables.setdefault(name, Variable(name))

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
                variable = self.declare(name)
                return Address(name, variable.size * (index or 0))
        raise TestError(
            f"`{term}` is no value", span, "write a number, `?` or the name of a location"
        )

    def locate(self, location: Location, span: Span) -> Location:
        """The physical location of a name (with an index); raises TestError where there is none."""
        variable = self._variables.get(location.name)
        if variable is None:
            hint = did_you_mean(location.name, self.names())
            raise TestError(f"the test has no location `{location.name}`", span, hint)
        physical = Location(variable.target or variable.name, location.index)
        if location.index is None and variable.count is not None:
            message = f"`{location.name}` is an array: name an element, as `{location.name}[0]`"
            raise TestError(message, span)
        if location.index is not None and not 0 <= location.index < (variable.count or 0):
            raise TestError(f"`{location.name}` has no element {location.index}", span)
        return physical

    def access(self, address: Address) -> tuple[str, str] | None:
        """The physical location and the virtual name of an address; None where it is no element."""
        variable = self.declare(address.name)
        element = variable.element(address.offset)
        if element is None:
            return None
        physical = Location(variable.target or variable.name, element.index)
        return str(physical), str(element)

    def addresses(self) -> Iterator[Address]:
        """The address of every element, aliases included."""
        for variable in self._variables.values():
            for element in variable.elements():
                yield Address(variable.name, variable.size * (element.index or 0))

    def locations(self) -> list[Location]:
        """The physical locations."""
        variables = [v for v in self._variables.values() if v.target is None]
        return [element for variable in variables for element in variable.elements()]

    def space(self, name: str) -> str | None:
        """The tag of the state space a variable was declared in."""
        variable = self.declare(name)
        return self.declare(variable.target or name).space

    def cells(self) -> list[Cell]:
        """The physical locations with their initial values."""
        return [
            Cell(str(element), self._initial.get(element, 0), variable.bits)
            for variable in self._variables.values()
            if variable.target is None
            for element in variable.elements()
        ]


def initial_registers(items: tuple[InitItem, ...]) -> list[tuple[Register, Term, Span]]:
    """The registers an initial section sets."""
    return [
        (item.target, item.value, item.span)
        for item in items
        if isinstance(item, Initial) and isinstance(item.target, Register)
    ]
