"""The memory of a test as a thread sees it from its place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catpy.arch.ptx.memory import Memory, Reach
from catpy.arch.ptx.placement import Place
from catpy.arch.ptx.shared import Instances
from catpy.arch.ptx.state import Access, Target
from catpy.arch.ptx.variables import Variable
from catpy.arch.ptx.words import SPACES
from catpy.arch.terms import Address
from catpy.source import Span


@dataclass(frozen=True, slots=True)
class View:
    """What names and addresses mean to a thread at a place, and what it can access by them."""

    memory: Memory
    place: Place

    @property
    def _instances(self) -> Instances:
        return self.memory.symbols.instances

    def resolve(self, name: str, span: Span) -> Address:
        """The address that a name in the code means."""
        return self._instances.resolve(name, self.place, span)

    def variable(self, address: Address) -> Variable:
        """The variable that an address is in."""
        return self.memory.symbols[address.name]

    def space_of(self, variable: Variable) -> str | None:
        """The tag of the state space that a variable is in, if the test says it."""
        return variable.space or ("SHARED" if self._instances.is_shared(variable.name) else None)

    def addresses(self) -> list[Address]:
        """Every address that a value can be; those of other CTAs' shared memory are there twice."""
        found = list(self.memory.addresses())
        remote = [address for address in found if self.is_remote(address.name)]
        return [*found, *(replace(address, mapped=True) for address in remote)]

    # Other CTAs

    def is_remote(self, name: str) -> bool:
        """Whether a variable is in the shared memory of another CTA."""
        return self._instances.is_remote(name, self.place)

    def ranks(self) -> list[int]:
        """The ranks of the CTAs in the cluster."""
        return self._instances.ranks(self.place)

    def mapped(self, address: Address, rank: int) -> Address | None:
        """The address of the same variable in the CTA of a rank; None where it has no instance."""
        return self._instances.mapped(address, rank, self.place)

    # Accesses

    def access(self, target: Target, size: int | None, space: str) -> Access | str:
        """The access to some bytes (None: an element), or why there is none.

        `space` is the state space that the instruction names, if it does.
        """
        address = target.address
        reach = self.obstacle(address, space) or self.memory.access(address, size)
        if not isinstance(reach, Reach):
            return reach
        tag = SPACES.get(space) or self.variable(address).space or ""
        return Access(address.name, reach, target.reads, tag)

    def obstacle(self, address: Address, space: str) -> str | None:
        """Why this thread cannot access an address in a state space; None if it can."""
        obstacle = self._instances.obstacle(address, self.place)
        if obstacle is None and space in ("shared", "shared::cta"):
            if self.is_remote(address.name):
                obstacle = (
                    f"`.{space}` is the shared memory of the thread's own CTA, and"
                    f" `{address.name}` belongs to another: write `.shared::cluster`"
                )
        return obstacle

    def part(self, access: Access, start: int, stop: int) -> Access:
        """The bytes from `start` to before `stop` of what an access covers."""
        first = access.reach.extent.start
        variable = self.memory.symbols[access.variable]
        reach = self.memory.reach(variable, first + start, first + stop)
        return replace(access, reach=reach)
