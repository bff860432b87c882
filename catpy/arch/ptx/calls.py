"""What threads of the host do: calls of the CUDA API, and the instructions that make sense there.

A call is an event of its thread, in the set `API`, with no memory; what it orders is told by
`catpy.arch.ptx.host`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from catpy.arch.ptx.context import Context
from catpy.arch.ptx.events import plain
from catpy.arch.ptx.instruction import Effect, Instruction, Row, Word
from catpy.arch.ptx.qualifiers import Qualified
from catpy.arch.ptx.state import Tainted
from catpy.arch.ptx.words import PLAIN
from catpy.errors import TestError
from catpy.lexing import Token
from catpy.litmus.host import FORMS, parse_call
from catpy.litmus.syntax import Call, Query
from catpy.source import Span

#: What a query returns: `cudaSuccess` and `cudaErrorNotReady`.
SUCCESS, NOT_READY = 0, 600


@dataclass(frozen=True)
class CallInstruction(Instruction):
    """A call of the API as an instruction of a thread of the host."""

    call: Call


@dataclass(frozen=True, slots=True)
class Made:
    """The note on the event of a call. A query found its stream or event `done`, or not."""

    call: Call
    done: bool = True


def call_instruction(
    labels: tuple[str, ...], guard: Word | None, text: Span, cell: Span
) -> CallInstruction:
    """The instruction of a cell whose text behind labels and guard is a call."""
    call = parse_call(text)
    row = CALLS[str(call).split()[0]]
    answer = call.register if isinstance(call, Query) else None
    letters = "d" if answer else ""
    operands = (Word(answer.text, False, answer.span),) if answer else ()
    return CallInstruction(labels, guard, row, PLAIN[0], None, {}, letters, operands, cell, call)


def make(context: Context) -> Iterable[Context]:
    """A call: one API. A query finds what it asks for done, or not: a context for each."""
    assert isinstance(context.instruction, CallInstruction)
    call = context.instruction.call
    if not isinstance(call, Query):
        context.state.notes[plain(context, ["API"])] = Made(call)
        return [context]
    other = context.on(context.state.fork())
    for fork, done in ((context, True), (other, False)):
        answer = Tainted(SUCCESS if done else NOT_READY)
        fork.state.notes[plain(fork, ["API"], answer)] = Made(call, done)
        fork.assign(fork.operands[0], answer)
    return [context, other]


#: The rows of calls. Their names are none that PTX has: its `barrier` is another one.
CALLS = {
    verb: Row(
        f"api.{verb}",
        ("d",) if verb == "query" else ("",),
        make,
        events=(Effect("API"),),
        about=form.about,
    )
    for verb, form in FORMS.items()
}


def check_on_host(found: Qualified, opcode: Token) -> None:
    """Raises TestError for an instruction that only a GPU has."""
    row, span = found.row, opcode.span
    own = "RESTRICTED" in found.mode.tags or found.word("nc") or found.word("readonly")
    if own or not row.is_on_host:
        name = opcode.text if own else row.opcode
        raise TestError(f"`{name}` makes no sense in a thread of the host", span)
    space = found.word("space")
    if space not in ("", "global"):
        raise TestError(f"a thread of the host has no `.{space}` memory", span)
