"""An instruction that is executed on a state of its thread, and what it may ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from catpy.arch.program import Options
from catpy.arch.ptx.arithmetic import ADD, NOT
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
from catpy.arch.ptx.state import State, Tainted, tainted
from catpy.arch.ptx.view import View
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


@dataclass(frozen=True, slots=True)
class Thread:
    """What is the same for all instructions of a thread.

    `registers` are the names of its registers, `labels` the positions of the instructions that have
    them.
    """

    number: int
    view: View
    registers: frozenset[str]
    labels: Mapping[str, int]
    options: Options

    def is_register(self, name: str) -> bool:
        """Whether a bare name is a register in this thread; else it is a location."""
        return name.startswith("%") or name in self.registers


@dataclass(slots=True)
class Context:
    """An instruction that is executed on a state, which it changes.

    Where more than one thing can happen, there is a context for each, with a state of its own.
    Those that can go on are what functions give to each other, and at last to the machine, which
    adds their states to `outcomes`. What ends in a fault is added there at once, and seen by nobody
    else; all contexts of an instruction have that list in common.
    """

    thread: Thread
    instruction: Instruction
    state: State
    outcomes: list[State]

    @property
    def view(self) -> View:
        return self.thread.view

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.instruction.operands

    @property
    def span(self) -> Span:
        return self.instruction.span

    def word(self, kind: str) -> str:
        """The qualifier of a class; empty where there is none."""
        return self.instruction.word(kind)

    def on(self, state: State) -> Context:
        """The same instruction on another state."""
        return Context(self.thread, self.instruction, state, self.outcomes)

    def fail(self, message: str, span: Span) -> None:
        """Ends in a fault, which is an error of the test if a model allows the execution."""
        self.outcomes.append(self.state.fail(message, span))

    # Registers

    def value(self, operand: Operand) -> Tainted:
        """The value of a source operand; the name of a location stands for its address."""
        match operand:
            case Immediate(value):
                return Tainted(value)
            case Word(name, negated):
                if not self.thread.is_register(name):
                    return Tainted(self.view.resolve(name, operand.span))
                held = self.register(name)
                return Tainted(compute(NOT, held.value), held.reads) if negated else held
            case AddressOperand():
                return self._address(operand)
            case Vector():
                raise AssertionError("what takes vectors takes them apart")

    def _address(self, operand: AddressOperand) -> Tainted:
        base, offset, index = operand.base, operand.offset, operand.index
        if operand.coordinates:
            return self._in_texture(operand)
        if not self.thread.is_register(base):
            address = self.view.resolve(base, operand.span)
            size = self.view.variable(address).size
            return Tainted(address.moved(offset + size * (index or 0)))
        if index is not None:
            message = "an index needs the name of an array: `[r1+4]` adds bytes"
            raise TestError(message, operand.span)
        held = self.register(base)
        moved = compute(ADD, held.value, offset) if offset else held.value
        return Tainted(placed(moved, operand.span), held.reads)

    def _in_texture(self, operand: AddressOperand) -> Tainted:
        """The address of an element by its coordinate, of which there is one."""
        if len(operand.coordinates) != 1:
            raise TestError("textures and surfaces have one dimension here", operand.span)
        base = self._address(replace(operand, coordinates=()))
        coordinate = self.value(operand.coordinates[0])
        if not isinstance(base.value, Address) or not isinstance(coordinate.value, int):
            raise TestError("a place in a texture or surface is written as numbers", operand.span)
        moved = base.value.moved(coordinate.value * self.view.variable(base.value).size)
        return tainted(moved, base, coordinate)

    def register(self, name: str) -> Tainted:
        """What a register holds."""
        return self.state.registers.get(register_name(name), Tainted(0))

    def assign(self, operand: Operand, value: Tainted) -> None:
        """Writes a destination register; `_` takes the value and drops it."""
        assert isinstance(operand, Word)
        if operand.name != "_":
            name = register_name(operand.name)
            placed_value = placed(value.value, operand.span)
            self.state.registers[name] = Tainted(placed_value, value.reads | self.state.guard)

    def jump(self, label: Operand) -> None:
        """Goes on at a label."""
        assert isinstance(label, Word)
        self.state.pc = self.thread.labels[label.name]

    # Decisions

    def decide(self, value: Expression, span: Span) -> Iterator[tuple[Context, bool]]:
        """A context for each truth that a condition can have."""
        if isinstance(value, Unknown | Slice):
            self.fail(unknown_branch(value, value), span)
        elif not isinstance(value, ReadValue | Computed):
            yield self, value != 0
        elif isinstance(value, Computed) and value.operator is NOT:
            (denied,) = value.operands
            for fork, truth in self.decide(denied, span):
                yield fork, not truth
        elif (known := self.state.truth_of(value)) is not None:
            yield self, known
        else:
            other = self.state.fork()
            other.constrain(value, False, span)
            if not (isinstance(value, Computed) and value.operator.never_true):
                self.state.constrain(value, True, span)
                yield self, True
            yield self.on(other), False

    def decide_number(
        self, value: Expression, choices: Iterable[int], span: Span
    ) -> Iterator[tuple[Context, int]]:
        """A context for each number of `choices` that a value can be; a fault for any other."""
        allowed = list(choices)
        if isinstance(value, ReadValue | Computed):
            results, other = self.state.cases(value, allowed, span)
            for state, choice in results:
                yield self.on(state), choice
            if other is not None:
                self.on(other).fail(f"this is no number from {allowed[0]} to {allowed[-1]}", span)
        elif isinstance(value, int) and value in allowed:
            yield self, value
        else:
            self.fail(out_of_range(value, allowed[0], allowed[-1]), span)
