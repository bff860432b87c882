"""Executes one thread symbolically: every way through it, with the events of each.

A state is forked where the way depends on what a read returns: at branches, predicates and failing
compare-and-swaps, and where an address or a barrier number comes from a register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from catpy.arch.program import End, Event, Options, Path
from catpy.arch.ptx.arithmetic import ADD, NOT, Type
from catpy.arch.ptx.instruction import AddressOperand, Immediate, Instruction, Operand, Word
from catpy.arch.ptx.memory import Memory
from catpy.arch.ptx.state import NO_READS, Access, Reads, State, Tainted
from catpy.arch.terms import (
    EQUAL,
    Address,
    Computed,
    Expression,
    ReadValue,
    Unknown,
    compute,
)
from catpy.errors import TestError
from catpy.source import Span


class Machine:
    """The code of one thread and what its instructions need to run."""

    def __init__(
        self,
        thread: int,
        code: Sequence[Instruction],
        registers: frozenset[str],
        memory: Memory,
        options: Options,
    ) -> None:
        self.thread = thread
        self.options = options
        self._code = code
        self._registers = registers
        self._memory = memory
        self._labels = _labels(code)
        self._check_targets()

    def _check_targets(self) -> None:
        """Raises TestError for a branch to a label that is not there, and for an odd guard."""
        for instruction in self._code:
            for letter, operand in instruction.lettered():
                if letter == "l" and isinstance(operand, Word) and operand.name not in self._labels:
                    message = f"there is no label `{operand.name}` in this thread"
                    raise TestError(message, operand.span)
            guard = instruction.guard
            if guard is not None and not self.is_register(guard.name):
                message = f"`{guard.name}` is no register of this thread"
                raise TestError(message, guard.span)

    def paths(self, initial: dict[str, Tainted], pulse: Callable[[], None]) -> list[Path]:
        """Every way through the thread, from these register values."""
        found, pending = [], [State(registers=dict(initial))]
        while pending:
            pulse()
            state = pending.pop()
            if state.end is None and state.pc >= len(self._code):
                state.end = End.DONE
            if state.end is not None:
                found.append(self._path(state, state.end))
            else:
                pending.extend(reversed(self._step(state)))
        return found

    def _path(self, state: State, end: End) -> Path:
        return Path(
            thread=self.thread,
            events=tuple(state.events),
            pairs={name: frozenset(pairs) for name, pairs in state.pairs.items()},
            constraints=tuple(state.constraints),
            registers={name: tainted.value for name, tainted in state.registers.items()},
            end=end,
            fault=state.fault,
            fault_span=state.fault_span,
            notes=state.notes,
        )

    def _step(self, state: State) -> list[State]:
        instruction = self._code[state.pc]
        state.pc += 1
        if instruction.row is None:
            return [state]
        if instruction.guard is None:
            return instruction.row.execute(self, state, instruction)
        guard = self.value(state, instruction.guard)
        results: list[State] = []
        for fork, holds in self.decide(state, guard.value, instruction.guard.span):
            if fork.end is not None:
                results.append(fork)
                continue
            if instruction.row.control:
                fork.control |= guard.reads
            if holds:
                fork.guard = guard.reads
                after = instruction.row.execute(self, fork, instruction)
                for successor in after:
                    successor.guard = NO_READS
                results.extend(after)
            else:
                self._keep_destinations(fork, instruction, guard.reads)
                results.append(fork)
        return results

    def _keep_destinations(self, state: State, instruction: Instruction, reads: Reads) -> None:
        """A skipped instruction leaves its destinations as they are, which the guard decided."""
        for name in map(register_name, instruction.destinations()):
            if name == "_":
                continue
            old = state.registers.get(name, Tainted(0))
            state.registers[name] = Tainted(old.value, old.reads | reads)

    # What instructions do

    def is_register(self, name: str) -> bool:
        """Whether a bare name is a register in this thread; else it is a location."""
        return name.startswith("%") or name in self._registers

    def value(self, state: State, operand: Operand) -> Tainted:
        """The value of a source operand; the name of a location stands for its address."""
        match operand:
            case Immediate(value):
                return Tainted(value)
            case AddressOperand():
                return self._address(state, operand)
            case Word("_"):
                raise TestError("`_` is a destination only", operand.span)
            case Word(name, negated):
                if not self.is_register(name):
                    return Tainted(Address(name))
                register = state.registers.get(register_name(name), Tainted(0))
                if negated:
                    return Tainted(compute(NOT, register.value), register.reads)
                return register

    def _address(self, state: State, operand: Operand) -> Tainted:
        match operand:
            case AddressOperand(base, offset, index):
                if not self.is_register(base):
                    size = self._memory.declare(base).size
                    return Tainted(Address(base, offset + size * (index or 0)))
                if index is not None:
                    message = "an index needs the name of an array: `[r1+4]` adds bytes"
                    raise TestError(message, operand.span)
                register = state.registers.get(register_name(base), Tainted(0))
                moved = compute(ADD, register.value, offset) if offset else register.value
                return Tainted(moved, register.reads)
            case _:
                return self.value(state, operand)

    def assign(self, state: State, operand: Operand, value: Tainted) -> None:
        """Writes a destination register; `_` takes the value and drops it."""
        assert isinstance(operand, Word)
        if operand.name != "_":
            name = register_name(operand.name)
            state.registers[name] = Tainted(value.value, value.reads | state.guard)

    def accesses(self, state: State, operand: Operand) -> list[tuple[State, Access | None]]:
        """The memory an address operand can lead to, a state for each; None for a fault."""
        target = self._address(state, operand)
        if not isinstance(target.value, ReadValue | Computed):
            return [(state, self._access(state, target.value, target.reads, operand.span))]
        results: list[tuple[State, Access | None]] = []
        nowhere = state.fork()
        for address in list(self._memory.addresses()):
            here = compute(EQUAL, target.value, address)
            fork = state.fork()
            fork.constrain(here, True, operand.span)
            nowhere.constrain(here, False, operand.span)
            access = self._access(fork, address, target.reads, operand.span)
            results.append((fork, access))
        nowhere.fail("this accesses what is no address of a location", operand.span)
        results.append((nowhere, None))
        return results

    def _access(self, state: State, value: Expression, reads: Reads, span: Span) -> Access | None:
        found = None
        if isinstance(value, Address):
            found = self._memory.access(value)
        if found is None:
            state.fail(f"this accesses {value}, which is no address of a location", span)
            return None
        return Access(*found, reads)

    def decide(self, state: State, value: Expression, span: Span) -> list[tuple[State, bool]]:
        """The state for each truth that a condition can have."""
        if isinstance(value, Unknown):
            return [(state.fail(f"this branches on {value}, which is not known", span), False)]
        if not isinstance(value, ReadValue | Computed):
            return [(state, value != 0)]
        other = state.fork()
        state.constrain(value, True, span)
        other.constrain(value, False, span)
        return [(state, True), (other, False)]

    def decide_number(
        self, state: State, value: Expression, choices: Iterable[int], span: Span
    ) -> list[tuple[State, int]]:
        """The state for each number of `choices` that a value can be; a fault for any other."""
        allowed = list(choices)
        if not isinstance(value, ReadValue | Computed):
            if isinstance(value, int) and value in allowed:
                return [(state, value)]
            message = f"{value} is none of {allowed[0]} to {allowed[-1]}"
            return [(state.fail(message, span), -1)]
        results: list[tuple[State, int]] = []
        other = state.fork()
        for number in allowed:
            fork = state.fork()
            here = compute(EQUAL, value, number)
            fork.constrain(here, True, span)
            other.constrain(here, False, span)
            results.append((fork, number))
        other.fail(f"this is none of {allowed[0]} to {allowed[-1]}", span)
        results.append((other, -1))
        return results

    def emit(
        self,
        state: State,
        instruction: Instruction,
        sets: Iterable[str],
        access: Access | None = None,
        value: Tainted | None = None,
        kind: Type | None = None,
    ) -> int:
        """Adds an event and its dependencies (`addr`, `data`, `ctrl`); returns its index."""
        index = len(state.events)
        state.events.append(
            Event(
                self.thread,
                index,
                frozenset(name for name in sets if name),
                access.location if access else None,
                access.address if access else None,
                value.value if value else None,
                kind.bits if kind else None,
                instruction.span,
            )
        )
        dependencies = {
            "addr": access.reads if access else NO_READS,
            "data": value.reads if value else NO_READS,
            "ctrl": state.control | state.guard,
        }
        for name, reads in dependencies.items():
            state.relate(name, [(read, index) for read in reads])
        return index

    def space(self, access: Access) -> str | None:
        """The tag of the state space the accessed variable was declared in."""
        return self._memory.space(access.address.split("[")[0])

    def jump(self, state: State, instruction: Instruction, target: Operand) -> State:
        """Goes to a label; a backward branch that was taken often enough cuts the execution."""
        assert isinstance(target, Word)
        here, there = state.pc - 1, self._labels[target.name]
        state.pc = there
        if there <= here:
            state.taken[here] = state.taken.get(here, 0) + 1
            if state.taken[here] > self.options.unroll:
                state.end = End.CUT
        return state


def register_name(name: str) -> str:
    """The name of a register without its `%`."""
    return name.removeprefix("%")


def _labels(code: Sequence[Instruction]) -> dict[str, int]:
    labels: dict[str, int] = {}
    for position, instruction in enumerate(code):
        for label in instruction.labels:
            if label in labels:
                raise TestError(f"the label `{label}` is there twice", instruction.span)
            labels[label] = position
    return labels
