"""What barrier instructions do to a thread: one BAR event each, and a note of what it asks for.

The functions are like those of `semantics`; who meets whom is for `barriers` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from catpy.arch.ptx.arrivals import Arrival, ClusterStep
from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import plain
from catpy.arch.ptx.instruction import Immediate, Operand, check_written
from catpy.arch.ptx.state import NO_READS, Reads, Tainted
from catpy.arch.terms import Computed, Expression, ReadValue, concat
from catpy.errors import TestError
from catpy.source import Span

#: The sets of arrivals, by the verb of the instruction.
_SETS = {"sync": "BAR_SYNC", "arrive": "BAR_ARRIVE", "red": "BAR_RED"}


def sync(context: Context) -> Iterator[Context]:
    """`bar.sync a{, b}`: one BAR, an arrival that waits."""
    return _barrier(context, "sync", context.operands)


def arrive(context: Context) -> Iterator[Context]:
    """`bar.arrive a, b`: one BAR, an arrival that does not wait."""
    return _barrier(context, "arrive", context.operands)


def reduce(context: Context) -> Iterator[Context]:
    """`bar.red d, a{, b}, p`: one BAR, an arrival that waits and reads what the phase reduces."""
    destination, *operands, predicate = context.operands
    return _barrier(context, "red", operands, (destination, predicate))


def _barrier(
    context: Context,
    verb: str,
    operands: Sequence[Operand],
    reduced: tuple[Operand, Operand] | None = None,
) -> Iterator[Context]:
    """An arrival at a CTA barrier; `reduced` are the register and the predicate of a reduction."""
    predicate = context.value(reduced[1]) if reduced else None
    instance = None
    if context.thread.options.dialect == "dat3m":
        instance, operands = _instance(operands[0]), operands[1:]
    _check_count(context, verb, operands)
    chosen_by = NO_READS.union(*(context.value(operand).reads for operand in operands))
    for fork, chosen in _numbers(context, operands):
        arrival = Arrival(
            barrier=chosen[0] if chosen else None,
            count=chosen[1] if len(chosen) > 1 else None,
            instance=instance,
            verb=verb,
            reduction=fork.word("reduction") or None,
            predicate=predicate.value if predicate else None,
            span=fork.span,
        )
        index = _arrive(fork, arrival, predicate, chosen_by)
        if reduced is not None and predicate is not None:
            # The result depends on the event, as what a read returns does on that.
            result = ReadValue(fork.thread.number, index)
            fork.assign(reduced[0], Tainted(result, predicate.reads | chosen_by | {index}))
        yield fork


def _numbers(
    context: Context, operands: Sequence[Operand]
) -> Iterator[tuple[Context, tuple[int, ...]]]:
    """The barrier number and the count that the operands can be."""
    values = [context.value(operand).value for operand in operands]
    allowed = [
        _allowed(operand, value, *bounds)
        for operand, value, bounds in zip(operands, values, ((0, 15), (1, 1024)), strict=False)
    ]
    spans = [operand.span for operand in operands]
    return _decided(context, list(zip(values, allowed, spans, strict=True)))


def _decided(
    context: Context, choices: Sequence[tuple[Expression, range, Span]]
) -> Iterator[tuple[Context, tuple[int, ...]]]:
    """The numbers that some values can be together, each in its range."""
    if not choices:
        yield context, ()
        return
    first, *others = choices
    for fork, number in context.decide_number(*first):
        for after, numbers in _decided(fork, others):
            yield after, (number, *numbers)


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


def _check_count(context: Context, verb: str, numbers: Sequence[Operand]) -> None:
    if context.thread.options.dialect == "ptx" and verb == "arrive" and len(numbers) < 2:
        message = "`bar.arrive` names the barrier and the number of threads"
        raise TestError(message, context.span)
    if len(numbers) > 2:
        raise TestError("a barrier takes its number and a count at most", context.span)


def _arrive(context: Context, arrival: Arrival, predicate: Tainted | None, chosen_by: Reads) -> int:
    """The event of an arrival; these reads chose the barrier and the count.

    It brings the predicate, and what they chose, which tells whether that depends on them.
    """
    brought = predicate
    if chosen_by:
        chosen = (arrival.barrier or 0) << 16 | (arrival.count or 0)
        held = predicate or Tainted(0)
        brought = Tainted(concat([(held.value, 32), (chosen, 32)]), held.reads)
    index = plain(context, ["BAR", _SETS[arrival.verb]], brought, (None, chosen_by))
    context.state.notes[index] = arrival
    return index


def cluster_arrive(context: Context) -> Iterable[Context]:
    """`barrier.cluster.arrive`: one BAR, the arrival in the next phase of the thread.

    A fault where the thread has not waited since it arrived last: the ISA lets a thread arrive only
    once before the barrier completes.
    """
    last = _last_cluster_step(context)
    if last is not None and not last.waits:
        message = "this arrives at the barrier of the cluster again without a wait between"
        context.fail(message, context.span)
        return []
    step = ClusterStep(1 if last is None else last.phase + 1, waits=False)
    sets = ["BAR", "CLUSTER_ARRIVE", context.instruction.mode.write]
    context.state.notes[plain(context, sets)] = step
    return [context]


def cluster_wait(context: Context) -> Iterable[Context]:
    """`barrier.cluster.wait`: one BAR, which waits for the phase of the arrival before it.

    A fault where there is none, or where the thread waited for it before: whether the barrier was
    set up anew in between would be up to chance.
    """
    last = _last_cluster_step(context)
    if last is None or last.waits:
        message = "this waits at the barrier of the cluster without an arrive before it"
        context.fail(message, context.span)
        return []
    sets = ["BAR", "CLUSTER_WAIT", context.instruction.mode.read]
    context.state.notes[plain(context, sets)] = ClusterStep(last.phase, waits=True)
    return [context]


def _last_cluster_step(context: Context) -> ClusterStep | None:
    """What the thread did last at the barrier of its cluster."""
    if context.thread.options.dialect == "dat3m":
        raise TestError("the dat3m dialect has no cluster barriers", context.span)
    notes = reversed(context.state.notes.values())
    return next((note for note in notes if isinstance(note, ClusterStep)), None)
