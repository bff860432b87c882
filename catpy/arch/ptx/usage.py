"""What the code of a test says before it is executed.

Which names are registers, which are shared variables and of which CTAs, how wide variables without
a type are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from catpy.arch.ptx.instruction import (
    ADDRESSES,
    VALUES,
    AddressOperand,
    Instruction,
    Operand,
    Word,
    register_name,
)
from catpy.arch.ptx.placement import Place
from catpy.arch.ptx.shape import shape_of
from catpy.arch.ptx.shared import Instances, split_name
from catpy.arch.ptx.variables import OBJECT_SIZE, Width
from catpy.arch.ptx.words import SPACES
from catpy.errors import TestError
from catpy.litmus.syntax import (
    AddressOf,
    Alias,
    Declaration,
    Initial,
    InitItem,
    Register,
)
from catpy.source import Span

#: Names that look like registers are registers, unless the test declares a location of that name.
_REGISTER_NAME = re.compile(r"(?:r|rd|rs|p|f)\d+")
_SPECIAL = re.compile(
    r"%(?:n?tid|n?ctaid|laneid|n?warpid|n?smid|n?clusterid|cluster_\w+|is_explicit_cluster|gridid"
    r"|clock\w*|globaltimer\w*|lanemask_\w+|pm\d+\w*|envreg\d+|\w*smem\w*)\b"
)
_CHANGING = re.compile(r"%(?:clock\w*|globaltimer\w*|pm\d+\w*)\b")

Code = Mapping[int, Sequence[Instruction]]


class Usage:
    """The names in a test, by what they are used as."""

    def __init__(self, items: Sequence[InitItem], code: Code, places: Mapping[int, Place]) -> None:
        self._items = items
        self._code = code
        self._places = places
        #: The variables with a declaration or an initial value.
        self.declared = frozenset(
            item.target.name if isinstance(item, Initial) else item.name
            for item in items
            if not (isinstance(item, Initial) and isinstance(item.target, Register))
        )
        #: The registers of each thread: initialised, written, or named like one; without `%`.
        self.registers = {thread: self._registers_of(thread) for thread in code}

    def _registers_of(self, thread: int) -> frozenset[str]:
        names = {
            item.target.name
            for item in self._items
            if isinstance(item, Initial)
            and isinstance(item.target, Register)
            and item.target.thread == thread
        }
        given = frozenset(name for name in names if not _CHANGING.match(f"%{name}"))
        used = {register_name(word) for line in self._code[thread] for word in line.names()}
        for instruction in self._code[thread]:
            # Of `.reg .b32 %r<100>` those that occur, so that a condition on another is a mistake.
            named = {register_name(name) for name in instruction.declared}
            names |= (named & used) - self.declared
            for written in instruction.destinations():
                name = written.name
                if name in self.declared - names:
                    message = f"`{name}` is declared in memory: a register can be `%{name}`"
                    raise TestError(message, written.span)
                names.add(register_name(name))
            for word in instruction.names():
                if _SPECIAL.match(word) and register_name(word) not in given:
                    message = f"the special register `{word}` is not supported by this version"
                    hint = f"give it a value in the initial section: `P{thread}:{word} = 0`"
                    if _CHANGING.match(word):
                        hint = "it changes while the thread runs: write a value in its place"
                    raise TestError(message, instruction.span, hint)
                if word.startswith("%") or (
                    _REGISTER_NAME.fullmatch(word) and word not in self.declared
                ):
                    names.add(register_name(word))
        return frozenset(names - {"_"})

    def _accesses(self) -> Iterator[tuple[int, Instruction, str, int]]:
        """The names that address operands use, with the position of the operand."""
        for thread, code in self._code.items():
            for instruction in code:
                for at, (letter, operand) in enumerate(instruction.lettered()):
                    name = _base(operand)
                    if letter in ADDRESSES and name and name not in self.registers[thread]:
                        yield thread, instruction, name, at

    def instances(self) -> Instances:
        """The instances of shared variables: those that are declared so, or accessed as such."""
        shared = _shared_names(self._items)
        shared |= {
            split_name(name)[1]
            for _, instruction, name, at in self._accesses()
            if SPACES.get(_space(instruction, at)) == "SHARED"
        } - self._elsewhere()
        aliased = {i.name for i in self._items if isinstance(i, Alias) and i.target in shared}
        uses = [
            (name, self._places[thread])
            for thread, code in self._code.items()
            for instruction in code
            for name, _ in located_names(instruction, self.registers[thread])
        ]
        first = next(iter(self._places.values()), None)
        for item in self._items:
            name = item.target.name if isinstance(item, Initial) else ""
            if "." in name and first is not None:
                uses.append((name, first))
        return Instances(shared | aliased, self._places.values(), uses, self._goes_everywhere())

    def _elsewhere(self) -> set[str]:
        """The variables that are declared in other spaces than shared memory."""
        return {
            item.name
            for item in self._items
            if isinstance(item, Declaration)
            if any(SPACES.get(word, "SHARED") != "SHARED" for word in item.words)
        }

    def check_local(self) -> None:
        """Raises TestError where two threads use one local variable: each has its own (§8.3).

        A parameter that is written is local, too: those of kernels are only read.
        """
        local = self._in_space("local") | (self._in_space("param") & self._written())
        users: dict[str, int] = {}
        for thread, code in self._code.items():
            for instruction in code:
                for name, span in located_names(instruction, self.registers[thread]):
                    if name in local and users.setdefault(name, thread) != thread:
                        message = f"`{name}` is in local memory, of which each thread has its own"
                        raise TestError(message, span, "give each thread a variable of its own")

    def _in_space(self, word: str) -> set[str]:
        """The variables that are declared in a state space, or accessed as such."""
        declared = {
            item.name
            for item in self._items
            if isinstance(item, Declaration) and word in item.words
        }
        return declared | {
            name for _, instruction, name, at in self._accesses() if _space(instruction, at) == word
        }

    def _written(self) -> set[str]:
        """The variables whose names are written to."""
        return {
            name
            for _, instruction, name, _ in self._accesses()
            if instruction.row is not None and instruction.row.writes
        }

    def _goes_everywhere(self) -> bool:
        """Whether an instruction reaches the instances of CTAs that it does not name."""
        return any("r" in line.letters for code in self._code.values() for line in code)

    def widths(self) -> dict[str, Width]:
        """The widest access to each variable by its name."""
        found: dict[str, Width] = {}
        for _, instruction, name, at in self._accesses():
            base = split_name(name)[1]
            found[base] = _wider(found.get(base), _width(instruction, at))
        aliases = [item for item in self._items if isinstance(item, Alias)]
        for _ in aliases:  # what an alias is of may be an alias
            for alias in aliases:
                found[alias.target] = _wider(found.get(alias.target), found.get(alias.name))
        return {name: width for name, width in found.items() if width.whole}

    def taken(self) -> frozenset[str]:
        """The variables whose address is a value somewhere."""
        found = {name for item in self._items for name in _addresses(item)}
        for thread, code in self._code.items():
            for instruction in code:
                for letter, operand in instruction.lettered():
                    name = _base(operand)
                    if letter in VALUES and name and name not in self.registers[thread]:
                        found.add(name)
        return frozenset(split_name(name)[1] for name in found)


def _shared_names(items: Sequence[InitItem]) -> set[str]:
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


def located_names(
    instruction: Instruction, registers: frozenset[str]
) -> Iterator[tuple[str, Span]]:
    """The names of variables in an instruction."""
    for letter, operand in instruction.lettered():
        name = _base(operand)
        if name and letter in ADDRESSES + VALUES and register_name(name) not in registers:
            yield name, operand.span


def _addresses(item: InitItem) -> list[str]:
    """The variables whose address is an initial value."""
    values = item.values if isinstance(item, Declaration) else ()
    values = (item.value,) if isinstance(item, Initial) else values
    return [value.location.name for value in values if isinstance(value, AddressOf)]


def _base(operand: Operand) -> str | None:
    match operand:
        case Word(name) | AddressOperand(name):
            return name
    return None


def _space(instruction: Instruction, at: int) -> str:
    """The state space that an instruction says of its operand at a position."""
    letter = instruction.letters[at]
    if letter == "m":
        return "shared"
    if letter == "T":
        return ""  # a tensormap
    if instruction.word("dst"):
        return (instruction.word("dst"), instruction.word("src"))[at]
    return instruction.word("space")


def _width(instruction: Instruction, at: int) -> Width:
    """The bytes that an instruction accesses at an operand, 0 where it does not say."""
    if instruction.letters[at] in "mT":
        return Width(OBJECT_SIZE, OBJECT_SIZE)
    if instruction.word("dst"):  # a copy, which moves whole elements
        return Width(0, 0)
    shape = shape_of(instruction)
    return Width((shape.bits or 0) // 8, shape.size or 0)


def _wider(one: Width | None, other: Width | None) -> Width:
    """The larger widths of two."""
    widths = [width for width in (one, other) if width is not None]
    return Width(
        max((width.element for width in widths), default=0),
        max((width.whole for width in widths), default=0),
    )
