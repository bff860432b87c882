"""The loops in the code of a thread, and rounds of them that change nothing.

A round is *idle* where the thread reads, makes no events but reads and fences, and is back where it
began with everything that matters as it was: this is how threads wait. What it does after any
number of idle rounds it can do after none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from catpy.arch.program import Event
from catpy.arch.ptx.instruction import Flow, Instruction, Word, register_name
from catpy.arch.ptx.state import Head, State
from catpy.errors import TestError

#: What an event of an idle round can be, by its kind.
_HARMLESS = frozenset({"R", "F"})

Names = frozenset[str]


class Loops:
    """The loops of a code, by their heads: the instructions that a branch goes back to.

    `observed` are the registers that count when the thread is over, None for all. Raises TestError
    for a branch to a label that is not there, and for a label that is there twice.
    """

    def __init__(self, code: Sequence[Instruction], observed: Names | None) -> None:
        self._code = code
        self._observed = observed
        self.labels = _labels(code)
        self._targets = [self._target(instruction) for instruction in code]

    @cached_property
    def _matter(self) -> Mapping[int, Names]:
        """The heads, each with the registers that matter there."""
        targets = self._targets
        heads = {there for at, there in enumerate(targets) if there is not None and there <= at}
        live = _live_registers(self._code, targets, self._observed) if heads else {}
        return {head: live[head] for head in heads}

    def _target(self, instruction: Instruction) -> int | None:
        """Where an instruction branches to."""
        for letter, operand in instruction.lettered():
            if letter == "l" and isinstance(operand, Word):
                if operand.name not in self.labels:
                    message = f"there is no label `{operand.name}` in this thread"
                    raise TestError(message, operand.span)
                return self.labels[operand.name]
        return None

    def enter(self, state: State) -> None:
        """Remembers a thread that has come to the head of a loop."""
        if state.pc in self._matter:
            copies = (state.copies, state.bulk)
            head = Head(len(state.events), dict(state.registers), copies, state.idle)
            state.heads = {**state.heads, state.pc: head}
        state.idle = 0

    def idle_rounds(self, state: State, there: int) -> int:
        """How many idle rounds in a row a thread made that is back at a head; 0: the last was not.

        A round that reads nothing is none: nothing can ever end it. Nor is one that began behind
        the head, where the thread had jumped to.
        """
        head = state.heads.get(there)
        if head is None:
            return 0
        events = state.events[head.events :]
        is_idle = (
            any(event.is_read for event in events)
            and all(map(_is_harmless, events))
            and not any(event.index in state.notes for event in events)
            and (state.copies, state.bulk) == head.copies
            and all(
                state.registers.get(name) == head.registers.get(name)
                for name in self._matter[there]
            )
        )
        return head.idle + 1 if is_idle else 0


def _is_harmless(event: Event) -> bool:
    return not event.sets.isdisjoint(_HARMLESS) and "ASYNC_OP" not in event.sets


def _labels(code: Sequence[Instruction]) -> dict[str, int]:
    labels: dict[str, int] = {}
    for position, instruction in enumerate(code):
        for label in instruction.labels:
            if label in labels:
                hint = "labels in a block `{ … }` are its own"
                raise TestError(f"the label `{label}` is there twice", instruction.span, hint)
            labels[label] = position
    return labels


# Which registers matter


def _live_registers(
    code: Sequence[Instruction], targets: Sequence[int | None], observed: Names | None
) -> Mapping[int, Names]:
    """For each place in a code the registers whose values there can make a difference later.

    Names of locations may be among them.
    """
    used = [frozenset(map(register_name, line.names(besides="dDsl"))) for line in code]
    set_there = [_surely_set(instruction) for instruction in code]
    at_end = observed if observed is not None else Names().union(*used, *map(_set, code))
    live = [Names()] * len(code) + [at_end]
    while True:
        before = list(live)
        for at in reversed(range(len(code))):
            behind = Names().union(*(live[after] for after in _following(code, targets, at)))
            live[at] = used[at] | (behind - set_there[at])
        if live == before:
            return dict(enumerate(live))


def _following(
    code: Sequence[Instruction], targets: Sequence[int | None], at: int
) -> Iterator[int]:
    """The places that can be next; that behind the last instruction is the end."""
    instruction, target = code[at], targets[at]
    flow = instruction.row.flow if instruction.row is not None else Flow.ON
    if target is not None:
        yield target
    if flow is Flow.END:
        yield len(code)
    # A guard can keep a thread from leaving, or let it.
    if flow in (Flow.ON, Flow.BRANCH) or instruction.guard is not None:
        yield at + 1


def _surely_set(instruction: Instruction) -> Names:
    """The registers that hold something new behind an instruction, whatever they held."""
    return _set(instruction) if instruction.guard is None else Names()


def _set(instruction: Instruction) -> Names:
    """The registers that an instruction writes if it is executed."""
    if instruction.row is None:
        return Names()
    return frozenset(register_name(word.name) for word in instruction.destinations())
