"""Executes one thread symbolically: every way through it, with the events of each.

A state is forked where the way depends on what a read returns: at branches, predicates and failing
compare-and-swaps, and where an address or a barrier number comes from a register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from catpy.arch.program import End, Path
from catpy.arch.ptx.context import Context, Thread
from catpy.arch.ptx.instruction import Instruction, register_name
from catpy.arch.ptx.loops import Loops
from catpy.arch.ptx.state import NO_READS, Reads, State, Tainted
from catpy.errors import TestError


class Machine:
    """The code of one thread, and how it is stepped through."""

    def __init__(self, thread: Thread, code: Sequence[Instruction], loops: Loops) -> None:
        self._thread = thread
        self._code = code
        self._loops = loops
        self._check_guards()

    def _check_guards(self) -> None:
        for instruction in self._code:
            guard = instruction.guard
            if guard is not None and not self._thread.is_register(guard.name):
                message = f"`{guard.name}` is no register of this thread"
                hint = f"nothing writes it: write `.reg .pred {guard.name};` if that is meant"
                raise TestError(message, guard.span, hint)

    def paths(self, initial: Mapping[str, Tainted], pulse: Callable[[], None]) -> list[Path]:
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
            thread=self._thread.number,
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
        """Executes the next instruction; the states that follow."""
        if self._thread.options.spin is not None:
            self._loops.enter(state)
        here, first = state.pc, len(state.events)
        instruction = self._code[here]
        state.pc += 1
        state.step += 1
        if instruction.row is None:
            return [state]
        outcomes: list[State] = []
        try:
            for done in self._executed(Context(self._thread, instruction, state, outcomes)):
                outcomes.append(done.state)
        except TestError as problem:
            span = problem.span or instruction.span
            raise TestError(problem.message, span, problem.hint) from None
        for after in outcomes:
            after.guard = NO_READS
            added = [e.index for e in after.events[first:] if e.extent is not None]
            after.relate("si", added, added)
        return [after for after in outcomes if self._goes_on(after, here)]

    def _executed(self, context: Context) -> Iterator[Context]:
        """Executes an instruction where its guard, if any, holds."""
        row, guard = context.instruction.row, context.instruction.guard
        assert row is not None
        if guard is None:
            yield from row.execute(context)
            return
        decided_by = context.value(guard)
        for fork, holds in context.decide(decided_by.value, guard.span):
            if row.control:
                fork.state.control |= decided_by.reads
            if holds:
                fork.state.guard = decided_by.reads
                yield from row.execute(fork)
            else:
                _keep_destinations(fork, decided_by.reads)
                yield fork

    def _goes_on(self, state: State, here: int) -> bool:
        """Whether there is anything behind what a thread did at a place in its code.

        A backward branch that was taken often enough cuts the execution. Idle rounds are counted by
        themselves where they are limited: what would be one more is assumed not to happen, since
        nothing comes of it that does not come without.
        """
        spin = self._thread.options.spin
        if state.end is not None or state.pc > here:
            return True
        if spin is not None:
            state.idle = self._loops.idle_rounds(state, state.pc)
            if state.idle:
                return state.idle <= spin
        state.taken[here] = state.taken.get(here, 0) + 1
        if state.taken[here] > self._thread.options.unroll:
            state.end = End.CUT
        return True


def _keep_destinations(context: Context, reads: Reads) -> None:
    """A skipped instruction leaves its destinations as they are, which the guard decided."""
    for word in context.instruction.destinations():
        if (name := register_name(word.name)) != "_":
            old = context.register(name)
            context.state.registers[name] = Tainted(old.value, old.reads | reads)
