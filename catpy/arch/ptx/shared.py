"""Instances of `.shared` variables: one for each thread block (CTA) that uses the variable (§8.3).

A thread means its own CTA's instance by the bare name. `cta1.x`, in full `gpu0.cluster1.cta1.x`, is
that of another one, and `mapa` gives its address.
"""

from __future__ import annotations

from collections.abc import Iterable

from catpy.arch.ptx.placement import Place
from catpy.arch.terms import Address
from catpy.errors import TestError
from catpy.source import Span

Cta = tuple[object, ...]


def split_name(name: str) -> tuple[tuple[str, ...], str]:
    """The units that a name like `cluster0.cta1.x` begins with, and the rest."""
    *units, base = name.split(".")
    return tuple(units), base


class Instances:
    """The instances of shared variables of a test.

    `uses` are the names that threads use, with the place of the thread; `everywhere` says that
    there are instances in all CTAs of a cluster in which one uses a variable.
    """

    def __init__(
        self,
        shared: Iterable[str],
        places: Iterable[Place],
        uses: Iterable[tuple[str, Place]],
        everywhere: bool,
    ) -> None:
        self._places: dict[Cta, Place] = {p.cta: p for p in places if not p.is_host}
        self._names: dict[str, dict[Cta, str]] = {}
        holders: dict[str, set[Cta]] = {name: set() for name in shared}
        for name, place in uses:
            units, base = split_name(name)
            if base in holders:
                at = self._find(units) if units else place
                if at is not None and not at.is_host:
                    holders[base].add(at.cta)
        for base, ctas in holders.items():
            if everywhere:
                clusters = {self._places[cta].cluster for cta in ctas}
                ctas |= {p.cta for p in self._places.values() if p.cluster in clusters}
            ordered = [cta for cta in self._places if cta in ctas]
            alone = len(ordered) <= 1
            self._names[base] = {
                cta: base if alone else f"{self._unit(cta)}.{base}" for cta in ordered
            }
        self._owners = {
            name: (base, cta) for base, found in self._names.items() for cta, name in found.items()
        }

    def names(self, base: str) -> list[str]:
        """The names of the instances of a variable; its own name alone where it has no other."""
        return list(self._names.get(base, {}).values()) or [base]

    def all_names(self) -> list[str]:
        """The names of the instances of all shared variables that threads can reach."""
        return list(self._owners)

    def find(self, name: str, span: Span | None) -> str:
        """The instance that a name with units means, seen from no thread.

        Raises TestError where there is none, or more than one.
        """
        units, base = split_name(name)
        if base not in self._names:
            return name
        if not units:
            names = self.names(base)
            if len(names) > 1:
                hint = f"name one: {', '.join(f'`{found}`' for found in names)}"
                raise TestError(f"`{base}` has an instance in each CTA", span, hint)
            return names[0]
        place = self._find(units)
        instance = self._names[base].get(place.cta) if place else None
        if instance is None:
            raise TestError(f"`{name}` is the variable of no CTA, or of several", span)
        return instance

    def resolve(self, name: str, place: Place, span: Span) -> Address:
        """The address that a name in the code of a thread means."""
        units, base = split_name(name)
        if base not in self._names:
            if units:
                message = f"there is no `{name}`: `{base}` is not in the shared memory of a CTA"
                raise TestError(message, span)
            return Address(name)
        if not units:
            return Address(self._names[base].get(place.cta, base))
        instance = self.find(name, span)
        return Address(instance, mapped=self._owners[instance][1] != place.cta)

    def mapped(self, address: Address, rank: int, place: Place) -> Address | None:
        """The address of the instance in the CTA of a rank in the thread's cluster (`mapa`)."""
        if address.name not in self._owners:
            return None
        base, _ = self._owners[address.name]
        for cta, instance in self._names[base].items():
            other = self._places[cta]
            if other.cluster == place.cluster and other.rank == rank:
                return Address(instance, address.offset, mapped=cta != place.cta)
        return None

    def ranks(self, place: Place) -> list[int]:
        """The ranks of the CTAs in a thread's cluster."""
        return sorted({p.rank for p in self._places.values() if p.cluster == place.cluster})

    def is_shared(self, name: str) -> bool:
        """Whether a variable is in the shared memory of a CTA."""
        return name in self._owners

    def is_remote(self, name: str, place: Place) -> bool:
        """Whether a variable belongs to another CTA than the thread's."""
        return name in self._owners and self._owners[name][1] != place.cta

    def obstacle(self, address: Address, place: Place) -> str | None:
        """Why a thread cannot access a shared variable by this address; None if it can."""
        if place.is_host and (address.name in self._owners or address.name in self._names):
            return f"a thread of the host has no `{address.name}`: it is shared"
        if not self.is_remote(address.name, place):
            return None
        if self._places[self._owners[address.name][1]].cluster != place.cluster:
            return f"`{address.name}` is in the shared memory of another cluster"
        if not address.mapped:
            return (
                f"this accesses {address}, an address in the shared memory of another CTA,"
                " without `mapa`"
            )
        return None

    def _find(self, units: tuple[str, ...]) -> Place | None:
        found = [p for p in self._places.values() if set(units) <= set(p.units)]
        return found[0] if len(found) == 1 else None

    def _unit(self, cta: Cta) -> str:
        """The shortest name of a CTA that is not that of another one, too."""
        units = self._places[cta].units
        if sum(units[-1] == place.units[-1] for place in self._places.values()) == 1:
            return units[-1]
        return ".".join(units)
