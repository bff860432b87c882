"""What barrier instructions do to a thread: one BAR event each, and a note of what it asks for.

The functions are like those of `semantics`; who meets whom is for `barriers` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from catpy.arch.ptx.arrivals import Arrival, ClusterStep
from catpy.arch.ptx.instruction import Immediate, Instruction, Operand, check_written
from catpy.arch.ptx.state import NO_READS, Reads, State, Tainted
from catpy.arch.terms import Computed, Expression, ReadValue, concat
from catpy.errors import TestError

if TYPE_CHECKING:
    from catpy.arch.ptx.machine import Machine


def sync(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`bar.sync a{, b}`: one BAR, an arrival that waits."""
    return _barrier(machine, state, instruction, "sync", instruction.operands)


def arrive(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`bar.arrive a, b`: one BAR, an arrival that does not wait."""
    return _barrier(machine, state, instruction, "arrive", instruction.operands)


def reduce(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`bar.red d, a{, b}, p`: one BAR, an arrival that waits and reads what the phase reduces."""
    destination, *operands, predicate = instruction.operands
    return _barrier(machine, state, instruction, "red", operands, (destination, predicate))


def _barrier(
    machine: Machine,
    state: State,
    instruction: Instruction,
    verb: str,
    operands: Sequence[Operand],
    reduced: tuple[Operand, Operand] | None = None,
) -> list[State]:
    """An arrival at a CTA barrier; `reduced` are the register and the predicate of a reduction."""
    destination = reduced[0] if reduced else None
    predicate = machine.value(state, reduced[1]) if reduced else None
    instance = None
    if machine.options.dialect == "dat3m":
        instance, operands = _instance(operands[0]), operands[1:]
    _check_count(machine, verb, operands, instruction)
    results = []
    for fork, chosen in _numbers(machine, state, operands):
        if fork.end is None:
            arrival = Arrival(
                barrier=chosen[0] if chosen else None,
                count=chosen[1] if len(chosen) > 1 else None,
                instance=instance,
                verb=verb,
                reduction=instruction.qualifiers.get("reduction"),
                predicate=predicate.value if predicate else None,
                span=instruction.span,
            )
            read = [machine.value(fork, operand).reads for operand in operands]
            chosen_by = NO_READS.union(*read)
            _arrive(machine, fork, instruction, arrival, destination, predicate, chosen_by)
        results.append(fork)
    return results


def _numbers(
    machine: Machine, state: State, operands: Sequence[Operand]
) -> list[tuple[State, tuple[int, ...]]]:
    """The barrier number and the count that the operands can be, with a state for each."""
    choices: list[tuple[State, tuple[int, ...]]] = [(state, ())]
    for operand, bounds in zip(operands, ((0, 15), (1, 1024)), strict=False):
        value = machine.value(state, operand).value
        allowed = _allowed(operand, value, *bounds)
        extended = []
        for before, chosen in choices:
            if before.end is not None:
                extended.append((before, chosen))
                continue
            for fork, number in machine.decide_number(before, value, allowed, operand.span):
                extended.append((fork, (*chosen, number)))
        choices = extended
    return choices


def _allowed(operand: Operand, value: Expression, smallest: int, largest: int) -> range:
    """What a number may be. Raises TestError for one that stands there and may not."""
    check_written(operand, smallest, largest)
    if isinstance(value, ReadValue | Computed):
        largest = min(largest, 32)  # a way for each, where a read decides
    return range(smallest, largest + 1)


def _instance(operand: Operand) -> int:
    if not isinstance(operand, Immediate):
        raise TestError("the instance of a barrier is a number", operand.span)
    return operand.value


def _check_count(
    machine: Machine, verb: str, numbers: Sequence[Operand], instruction: Instruction
) -> None:
    if machine.options.dialect == "ptx" and verb == "arrive" and len(numbers) < 2:
        message = "`bar.arrive` names the barrier and the number of threads"
        raise TestError(message, instruction.span)
    if len(numbers) > 2:
        raise TestError("a barrier takes its number and a count at most", instruction.span)


def _arrive(
    machine: Machine,
    state: State,
    instruction: Instruction,
    arrival: Arrival,
    destination: Operand | None,
    predicate: Tainted | None,
    chosen_by: Reads,
) -> None:
    """The event of an arrival; these reads chose the barrier and the count.

    It brings the predicate, and what they chose, which tells whether that depends on them. The
    result of a reduction depends on the event, as what a read returns does on that.
    """
    brought = predicate
    if chosen_by:
        chosen = (arrival.barrier or 0) << 16 | (arrival.count or 0)
        held = predicate or Tainted(0)
        brought = Tainted(concat([(held.value, 32), (chosen, 32)]), held.reads)
    sets = ["BAR", f"BAR_{arrival.verb.upper()}"]
    index = machine.record.plain(state, instruction, sets, brought, (None, chosen_by))
    state.notes[index] = arrival
    if destination is not None and predicate is not None:
        result = ReadValue(machine.thread, index)
        reads = predicate.reads | chosen_by | {index}
        machine.assign(state, destination, Tainted(result, reads))


def cluster_arrive(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`barrier.cluster.arrive`: one BAR, the arrival in the next phase of the thread.

    A fault where the thread has not waited since it arrived last: the ISA lets a thread arrive only
    once before the barrier completes.
    """
    last = _last_cluster_step(machine, state, instruction)
    if last is not None and not last.waits:
        message = "this arrives at the barrier of the cluster again without a wait between"
        return [state.fail(message, instruction.span)]
    step = ClusterStep(1 if last is None else last.phase + 1, waits=False)
    sets = ["BAR", "CLUSTER_ARRIVE", instruction.mode.write]
    state.notes[machine.record.plain(state, instruction, sets)] = step
    return [state]


def cluster_wait(machine: Machine, state: State, instruction: Instruction) -> list[State]:
    """`barrier.cluster.wait`: one BAR, which waits for the phase of the arrival before it.

    A fault where there is none, or where the thread waited for it before: whether the barrier was
    set up anew in between would be up to chance.
    """
    last = _last_cluster_step(machine, state, instruction)
    if last is None or last.waits:
        message = "this waits at the barrier of the cluster without an arrive before it"
        return [state.fail(message, instruction.span)]
    sets = ["BAR", "CLUSTER_WAIT", instruction.mode.read]
    state.notes[machine.record.plain(state, instruction, sets)] = ClusterStep(
        last.phase, waits=True
    )
    return [state]


def _last_cluster_step(
    machine: Machine, state: State, instruction: Instruction
) -> ClusterStep | None:
    """What the thread did last at the barrier of its cluster."""
    if machine.options.dialect == "dat3m":
        raise TestError("the dat3m dialect has no cluster barriers", instruction.span)
    notes = reversed(state.notes.values())
    return next((note for note in notes if isinstance(note, ClusterStep)), None)
