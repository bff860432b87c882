"""Makes the memory of a test: declares its variables, instantiates and initialises them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from catpy.arch.ptx.declarations import (
    alias_of,
    check_fits,
    check_proxy,
    check_unknown,
    describe,
)
from catpy.arch.ptx.mbarrier import fresh
from catpy.arch.ptx.memory import Memory
from catpy.arch.ptx.shared import Instances, split_name
from catpy.arch.ptx.symbols import SymbolTable
from catpy.arch.ptx.variables import Variable, Width
from catpy.arch.terms import Unknown, Value
from catpy.errors import TestError
from catpy.litmus.syntax import (
    AddressOf,
    Alias,
    Declaration,
    Initial,
    InitItem,
    Location,
    Term,
    UnknownValue,
)
from catpy.source import Span

#: The widths of variables of unknown type, by their names without the unit of an instance.
Widths = Mapping[str, Width]


def initial_memory(
    items: Sequence[InitItem],
    named: Iterable[str],
    widths: Widths,
    instances: Instances,
    taken: frozenset[str],
) -> Memory:
    """The memory that an initial section describes.

    A name that is used without a declaration is a scalar of value 0: `named` are those in the code,
    by their instances. `widths` are the sizes by which instructions access variables of unknown
    type, `instances` those of shared variables, `taken` the variables whose address is a value.
    Raises TestError for what makes no sense.
    """
    declared = _instantiated(_declared(items, widths), instances)
    initial = _initial_values(items, SymbolTable(declared, instances), widths)
    variables = dict(declared)
    for name in (*_addressed(items, instances), *named):
        if name not in variables:
            variables[name] = _variable(name, widths)
    return Memory(SymbolTable(variables, instances), initial, taken)


def _addressed(items: Sequence[InitItem], instances: Instances) -> Iterator[str]:
    """The variables whose address is an initial value."""
    for item in items:
        values = item.values if isinstance(item, Declaration) else ()
        for value in (item.value,) if isinstance(item, Initial) else values:
            if isinstance(value, AddressOf):
                yield instances.find(value.location.name, item.span)


# Declarations


def _variable(
    name: str, widths: Widths, count: int | None = None, span: Span | None = None
) -> Variable:
    """A variable of unknown type."""
    variable = Variable(name, count, span=span)
    if name in widths:
        width = widths[name]
        variable.width = (width.whole if count is None else width.element) or variable.width
    return variable


def _declared(items: Sequence[InitItem], widths: Widths) -> dict[str, Variable]:
    """The variables that an initial section declares, or gives a value, by name."""
    variables: dict[str, Variable] = {}
    for item in items:
        match item:
            case Declaration():
                variable = _variable(item.name, widths, item.count, item.span)
                describe(variable, item)
                _add(variables, variable)
            case Alias():
                _add(variables, alias_of(item))
            case Initial(Location() as target) if not split_name(target.name)[0]:
                _declare_element(variables, target, widths, item.span)
    for variable in list(variables.values()):
        if variable.target is not None:
            _shape_alias(variables, variable, widths)
    return variables


def _add(variables: dict[str, Variable], variable: Variable) -> None:
    if variable.name in variables:
        raise TestError(f"`{variable.name}` is declared twice", variable.span)
    variables[variable.name] = variable


def _declare_element(
    variables: dict[str, Variable], target: Location, widths: Widths, span: Span
) -> None:
    """Makes an undeclared variable as long as the elements need that are given values."""
    variable = variables.get(target.name)
    if variable is None:
        count = None if target.index is None else target.index + 1
        variables[target.name] = _variable(target.name, widths, count, span)
    elif target.index is not None and variable.count is not None and not variable.type:
        variable.count = max(variable.count, target.index + 1)


def _shape_alias(variables: dict[str, Variable], alias: Variable, widths: Widths) -> None:
    """Gives an alias the shape of its target."""
    seen, target = [alias.name], alias
    while (name := target.target) is not None:
        if name in seen:
            raise TestError("these aliases run in a circle", alias.span)
        seen.append(name)
        target = variables.setdefault(name, _variable(name, widths))
    alias.count, alias.space = target.count, target.space
    alias.type, alias.width = target.type, target.width
    alias.mbarrier = target.mbarrier
    check_proxy(alias)


def _instantiated(variables: Mapping[str, Variable], instances: Instances) -> dict[str, Variable]:
    """The variables with instances of shared ones in their place, which come last."""
    alone = {name: v for name, v in variables.items() if instances.names(name) == [name]}
    found = dict(alone)
    for variable in variables.values():
        if variable.name in alone:
            continue
        for name in instances.names(variable.name):
            unit = name.removesuffix(variable.name)
            target = variable.target and unit + variable.target
            found[name] = replace(variable, name=name, target=target)
    return found


# Initial values


def _initial_values(
    items: Sequence[InitItem], symbols: SymbolTable, widths: Widths
) -> dict[Location, Value]:
    """The values that elements are given, by their physical locations."""
    initial: dict[Location, Value] = {}
    for target, term, span in _given(items, symbols):
        location = symbols.locate(target, span)
        if location in initial:
            raise TestError(f"`{location}` is given two initial values", span)
        if isinstance(term, UnknownValue):
            term = UnknownValue(str(target))
        variable, value = symbols[location.name], symbols.value(term, span)
        if variable.mbarrier:
            initial[location] = fresh(value, span)
        else:
            if variable.type or location.name in widths:
                check_fits(variable, value, span)
            initial[location] = variable.wrap(value)
    # §8.2.6: a shared variable that is given no value holds an unknown one.
    for variable in symbols:
        if variable.space == "SHARED" and variable.target is None:
            for element in variable.elements():
                initial.setdefault(element, Unknown(str(element)))
    return initial


def _given(
    items: Sequence[InitItem], symbols: SymbolTable
) -> Iterator[tuple[Location, Term, Span]]:
    """What elements are given; each instance of a variable that is meant without its unit."""
    instances = symbols.instances
    for item in items:
        match item:
            case Initial(Location(name, index) as target, term, span):
                check_unknown(term, target, span)
                has_unit = bool(split_name(name)[0])
                for found in [instances.find(name, span)] if has_unit else instances.names(name):
                    yield Location(found, index), term, span
            case Declaration():
                for found in instances.names(item.name):
                    yield from _given_by(item, symbols[found])


def _given_by(item: Declaration, variable: Variable) -> Iterator[tuple[Location, Term, Span]]:
    """What a declaration gives the elements of its variable, or of an instance of that."""
    elements = variable.elements()
    if len(item.values) > len(elements):
        raise TestError(f"`{item.name}` has {len(elements)} elements only", item.span)
    for element, value in zip(elements, item.values, strict=False):
        check_unknown(value, Location(item.name, element.index), item.span)
        yield element, value, item.span
