"""Executes one thread symbolically: every way through it, with the events of each.

A state is forked where the way depends on what a read returns: at branches, predicates and failing
compare-and-swaps, and where an address or a barrier number comes from a register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from catpy.arch.program import End, Extent, Options, Path
from catpy.arch.ptx.arithmetic import ADD, NOT
from catpy.arch.ptx.events import Recorder
from catpy.arch.ptx.instruction import (
    AddressOperand,
    Immediate,
    Instruction,
    Operand,
    Vector,
    Word,
    out_of_range,
    register_name,
)
from catpy.arch.ptx.loops import Loops
from catpy.arch.ptx.memory import Memory, Reach
from catpy.arch.ptx.placement import Place
from catpy.arch.ptx.shared import Instances
from catpy.arch.ptx.spaces import objection
from catpy.arch.ptx.state import NO_READS, Access, Reads, State, Tainted, Target
from catpy.arch.ptx.variables import Variable
from catpy.arch.ptx.words import PROXY_TAGS, SPACES
from catpy.arch.terms import (
    Address,
    Computed,
    Expression,
    ReadValue,
    Slice,
    Unknown,
    compute,
    placed,
    unknown_branch,
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
        place: Place,
        instances: Instances,
        options: Options,
        observed: frozenset[str] | None = None,
    ) -> None:
        self.thread = thread
        self.options = options
        self.place = place
        self.instances = instances
        self.record = Recorder(thread, memory)
        self._code = code
        self._registers = registers
        self._memory = memory
        self._loops = Loops(code, observed)
        self._check_guards()

    def _check_guards(self) -> None:
        for instruction in self._code:
            guard = instruction.guard
            if guard is not None and not self.is_register(guard.name):
                message = f"`{guard.name}` is no register of this thread"
                hint = f"nothing writes it: write `.reg .pred {guard.name};` if that is meant"
                raise TestError(message, guard.span, hint)

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
            registers={name: held.value for name, held in state.registers.items()},
            end=end,
            fault=state.fault,
            fault_span=state.fault_span,
            notes=state.notes,
        )

    def _step(self, state: State) -> list[State]:
        if self.options.spin is not None:
            self._loops.enter(state)
        instruction = self._code[state.pc]
        state.pc += 1
        state.step += 1
        if instruction.row is None:
            return [state]
        if instruction.guard is None:
            return self._execute(state, instruction)
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
                after = self._execute(fork, instruction)
                for successor in after:
                    successor.guard = NO_READS
                results.extend(after)
            else:
                self._keep_destinations(fork, instruction, guard.reads)
                results.append(fork)
        return results

    def _execute(self, state: State, instruction: Instruction) -> list[State]:
        """Executes an instruction; the memory events that it adds are joined by `si`."""
        assert instruction.row is not None
        first = len(state.events)
        try:
            results = instruction.row.execute(self, state, instruction)
        except TestError as problem:
            raise TestError(
                problem.message, problem.span or instruction.span, problem.hint
            ) from None
        for after in results:
            added = [e.index for e in after.events[first:] if e.extent is not None]
            after.relate("si", added, added)
        return results

    def _keep_destinations(self, state: State, instruction: Instruction, reads: Reads) -> None:
        """A skipped instruction leaves its destinations as they are, which the guard decided."""
        for word in instruction.destinations():
            name = register_name(word.name)
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
            case Vector():
                raise AssertionError("what takes vectors takes them apart")
            case Immediate(value):
                return Tainted(value)
            case AddressOperand():
                return self._address(state, operand)
            case Word(name, negated):
                if not self.is_register(name):
                    return Tainted(self.instances.resolve(name, self.place, operand.span))
                register = state.registers.get(register_name(name), Tainted(0))
                if negated:
                    return Tainted(compute(NOT, register.value), register.reads)
                return register

    def _address(self, state: State, operand: Operand) -> Tainted:
        match operand:
            case AddressOperand(coordinates=(_, *_)):
                return self._in_texture(state, operand)
            case AddressOperand(base, offset, index):
                if not self.is_register(base):
                    address = self.instances.resolve(base, self.place, operand.span)
                    size = self.variable(address.name).size
                    return Tainted(address.moved(offset + size * (index or 0)))
                if index is not None:
                    message = "an index needs the name of an array: `[r1+4]` adds bytes"
                    raise TestError(message, operand.span)
                register = state.registers.get(register_name(base), Tainted(0))
                moved = compute(ADD, register.value, offset) if offset else register.value
                return Tainted(placed(moved, operand.span), register.reads)
            case _:
                return self.value(state, operand)

    def _in_texture(self, state: State, operand: AddressOperand) -> Tainted:
        """The address of an element by its coordinate, of which there is one."""
        if len(operand.coordinates) != 1:
            raise TestError("textures and surfaces have one dimension here", operand.span)
        base = self._address(state, replace(operand, coordinates=()))
        coordinate = self.value(state, operand.coordinates[0])
        if not isinstance(base.value, Address) or not isinstance(coordinate.value, int):
            raise TestError("a place in a texture or surface is written as numbers", operand.span)
        size = self.variable(base.value.name).size
        moved = compute(ADD, base.value, coordinate.value * size)
        return Tainted(moved, base.reads | coordinate.reads)

    def assign(self, state: State, operand: Operand, value: Tainted) -> None:
        """Writes a destination register; `_` takes the value and drops it."""
        assert isinstance(operand, Word)
        if operand.name != "_":
            name = register_name(operand.name)
            placed_value = placed(value.value, operand.span)
            state.registers[name] = Tainted(placed_value, value.reads | state.guard)

    def accesses(
        self, state: State, instruction: Instruction, operand: Operand, size: int | None
    ) -> list[tuple[State, Access | None]]:
        """The memory that an address operand can lead to, a state for each; None for a fault.

        The access is of `size` bytes, None for an element of the variable.
        """
        space = instruction.qualifiers.get("space", "")
        results: list[tuple[State, Access | None]] = []
        for fork, found in self.addresses(state, operand):
            reached = None
            if found is not None:
                variable = self.variable(found.address.name)
                _check_proxy(variable, instruction.proxy, operand.span)
                problem = objection(variable, self.space_of(variable), instruction)
                if problem is not None:
                    fork.fail(problem, operand.span)
                else:
                    reached = self.access(fork, found, size, space)
            results.append((fork, reached))
        return results

    def space_of(self, variable: Variable) -> str | None:
        """The tag of the state space that a variable is in, if the test says it."""
        return variable.space or ("SHARED" if self.instances.is_shared(variable.name) else None)

    def addresses(self, state: State, operand: Operand) -> list[tuple[State, Target | None]]:
        """The addresses that an operand can be, a state for each; None for a fault."""
        return self.addresses_of(state, self._address(state, operand), operand.span)

    def addresses_of(
        self, state: State, target: Tainted, span: Span
    ) -> list[tuple[State, Target | None]]:
        """The addresses that a value can be, a state for each; None for a fault."""
        if isinstance(target.value, Address):
            return [(state, Target(target.value, target.reads, span))]
        if not isinstance(target.value, ReadValue | Computed):
            message = f"this accesses {target.value}, which is no address of a location"
            if target.value == 0:
                message += ": the initial section can say what a pointer holds, `p = &x`"
            return [(state.fail(message, span), None)]
        places, nowhere = state.cases(target.value, self._all_addresses(), span)
        results: list[tuple[State, Target | None]] = [
            (fork, Target(address, target.reads, span)) for fork, address in places
        ]
        if nowhere is not None:
            nowhere.fail("this accesses what is no address of a location", span)
            results.append((nowhere, None))
        return results

    def _all_addresses(self) -> list[Address]:
        """Every address that a value can be; those of other CTAs' shared memory are there twice."""
        found = list(self._memory.addresses())
        remote = [a for a in found if self.instances.is_remote(a.name, self.place)]
        return [*found, *(replace(address, mapped=True) for address in remote)]

    def access(self, state: State, target: Target, size: int | None, space: str) -> Access | None:
        """The access to some bytes at an address; None where that is a fault.

        `space` is the state space that the instruction names, if it does.
        """
        address = target.address
        obstacle = self.obstacle(address, space)
        reach = obstacle or self._memory.access(address, size)
        if not isinstance(reach, Reach):
            state.fail(reach, target.span)
            return None
        tag = SPACES.get(space) or self.variable(address.name).space or ""
        return Access(address.name, reach, target.reads, tag)

    def obstacle(self, address: Address, space: str) -> str | None:
        """Why this thread cannot access an address in a state space; None if it can."""
        obstacle = self.instances.obstacle(address, self.place)
        if obstacle is None and space in ("shared", "shared::cta"):
            if self.instances.is_remote(address.name, self.place):
                obstacle = (
                    f"`.{space}` is the shared memory of the thread's own CTA, and"
                    f" `{address.name}` belongs to another: write `.shared::cluster`"
                )
        return obstacle

    def reach(self, variable: Variable, start: int, stop: int) -> Reach:
        """The bytes from `start` to before `stop` of a variable."""
        return self._memory.reach(variable, start, stop)

    def extent(self, address: Address, size: int) -> Extent:
        """Some bytes at an address, which are named and not accessed."""
        return self._memory.extent(address, size)

    def part(self, access: Access, start: int, stop: int) -> Access:
        """The bytes from `start` to before `stop` of what an access covers."""
        first = access.reach.extent.start
        reach = self.reach(self.variable(access.variable), first + start, first + stop)
        return replace(access, reach=reach)

    def variable(self, name: str) -> Variable:
        """The variable of a name."""
        return self._memory.symbols[name]

    def decide(self, state: State, value: Expression, span: Span) -> list[tuple[State, bool]]:
        """The state for each truth that a condition can have."""
        if isinstance(value, Unknown | Slice):
            return [(state.fail(unknown_branch(value, value), span), False)]
        if not isinstance(value, ReadValue | Computed):
            return [(state, value != 0)]
        if isinstance(value, Computed) and value.operator is NOT:
            (denied,) = value.operands
            return [(fork, not truth) for fork, truth in self.decide(state, denied, span)]
        known = state.truth_of(value)
        if known is not None:
            return [(state, known)]
        other = state.fork()
        other.constrain(value, False, span)
        if isinstance(value, Computed) and value.operator.never_true:
            return [(other, False)]
        state.constrain(value, True, span)
        return [(state, True), (other, False)]

    def decide_number(
        self, state: State, value: Expression, choices: Iterable[int], span: Span
    ) -> list[tuple[State, int]]:
        """The state for each number of `choices` that a value can be; a fault for any other."""
        allowed = list(choices)
        if not isinstance(value, ReadValue | Computed):
            if isinstance(value, int) and value in allowed:
                return [(state, value)]
            return [(state.fail(out_of_range(value, allowed[0], allowed[-1]), span), -1)]
        results, other = state.cases(value, allowed, span)
        if other is not None:
            other.fail(f"this is no number from {allowed[0]} to {allowed[-1]}", span)
            results.append((other, -1))
        return results

    def jump(self, state: State, target: Operand) -> list[State]:
        """Goes to a label; a backward branch that was taken often enough cuts the execution.

        Idle rounds are counted by themselves where they are limited: what would be one more is
        assumed not to happen, since nothing comes of it that does not come without.
        """
        assert isinstance(target, Word)
        here, there = state.pc - 1, self._loops.labels[target.name]
        state.pc = there
        if there > here:
            return [state]
        if self.options.spin is not None:
            state.idle = self._loops.idle_rounds(state, there)
            if state.idle:
                return [state] if state.idle <= self.options.spin else []
        state.taken[here] = state.taken.get(here, 0) + 1
        if state.taken[here] > self.options.unroll:
            state.end = End.CUT
        return [state]


def _check_proxy(variable: Variable, proxy: str, span: Span) -> None:
    """Raises TestError where an alias for another proxy is accessed."""
    own = variable.proxy
    if own is not None and PROXY_TAGS[own] != proxy:
        raise TestError(f"`{variable.name}` is an address of the {own} proxy", span)
