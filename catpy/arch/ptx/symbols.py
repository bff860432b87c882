"""The symbol table of a test: its variables by name, and what names and addresses mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catpy.arch.ptx.mbarrier import FIELDS
from catpy.arch.ptx.shared import Instances
from catpy.arch.ptx.variables import Variable
from catpy.arch.terms import Address, Unknown, Value
from catpy.errors import TestError, did_you_mean
from catpy.litmus.syntax import AddressOf, Location, Number, Term, UnknownValue
from catpy.source import Span


class SymbolTable:
    """The variables of a test; those of shared memory once for each of their instances."""

    def __init__(self, variables: Mapping[str, Variable], instances: Instances) -> None:
        self._variables = variables
        self.instances = instances

    def __getitem__(self, name: str) -> Variable:
        return self._variables[name]

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._variables.values())

    def names(self) -> list[str]:
        return list(self._variables)

    def physical(self, variable: Variable) -> Variable:
        """The variable that has the memory of another one."""
        while variable.target is not None:
            variable = self[variable.target]
        return variable

    def view(self, variable: Variable) -> str:
        """The variable whose virtual addresses are accessed: another proxy's name has none."""
        while variable.proxy not in (None, "generic") and variable.target is not None:
            variable = self[variable.target]
        return variable.name

    def value(self, term: Term, span: Span) -> Value:
        """A written value; raises TestError for what is no value.

        A name that is nowhere else is that of a scalar.
        """
        match term:
            case Number(value):
                return value
            case UnknownValue(name):
                return Unknown(name)
            case AddressOf(Location(name, index)):
                instance = self.instances.find(name, span)
                variable = self._variables.get(instance) or Variable(instance)
                if index is not None and not 0 <= index < (variable.count or 0):
                    raise TestError(f"`{name}` has no element {index}", span)
                return Address(instance, variable.size * (index or 0))
        raise TestError(
            f"`{term}` is no value", span, "write a number, `?` or the name of a location"
        )

    def locate(self, location: Location, span: Span | None) -> Location:
        """The physical location of a name (with an index); raises TestError where there is none."""
        name = self.instances.find(location.name, span)
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
        variable = self[self.locate(location, span).name]
        if variable.mbarrier:
            hint = f"it is one like `mbarrier(0,2,1,0)`: {FIELDS}"
            raise TestError(f"`{location}` is an mbarrier, whose value is no number", span, hint)
        held = variable.wrap(value)
        if held != value:
            message = f"{value} is no value of `{location}`, by its type"
            raise TestError(message, span, f"cut to the bits of that it is {held}")
