"""A test whose text is understood: instructions, places, registers, instances; nothing is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from catpy.arch.program import Options
from catpy.arch.ptx.calls import CallInstruction
from catpy.arch.ptx.decode import decode
from catpy.arch.ptx.initial_memory import initial_memory
from catpy.arch.ptx.instruction import Flow, Instruction
from catpy.arch.ptx.kernels import HostSide, host_side
from catpy.arch.ptx.memory import Memory
from catpy.arch.ptx.oddities import oddities
from catpy.arch.ptx.placement import Place, places_of
from catpy.arch.ptx.scopes import resolved
from catpy.arch.ptx.usage import Code, Usage, located_names
from catpy.arch.terms import Value
from catpy.errors import CatpyError, TestError
from catpy.litmus import LitmusTest
from catpy.litmus.syntax import Call, Initial, Register, Thread


@dataclass(frozen=True)
class DecodedTest:
    """A test with the code and the place of each thread, by their numbers, and what names mean.

    `registers` are the names of each thread's registers, `initial` what those hold that are given a
    value, `memory` is not divided by accesses yet.
    """

    test: LitmusTest
    options: Options
    code: Code
    places: Mapping[int, Place]
    host: HostSide
    registers: Mapping[int, frozenset[str]]
    memory: Memory
    initial: Mapping[int, Mapping[str, Value]]
    warnings: Sequence[CatpyError]


def decode_test(test: LitmusTest, options: Options) -> DecodedTest:
    """Decodes a test. Raises TestError with the place of what PTX does not have."""
    places = places_of(test.threads)
    code = {thread.number: _decode_thread(thread, options.dialect) for thread in test.threads}
    usage = Usage(test.init, code, places)
    usage.check_local()
    host = host_side(test, _calls(test, code), places)
    memory = _memory(test, code, places, usage)
    is_ptx = options.dialect == "ptx"
    return DecodedTest(
        test=test,
        options=options,
        code=code,
        places=places,
        host=host,
        registers=usage.registers,
        memory=memory,
        initial=_initial_registers(test, memory),
        warnings=oddities(code, usage.registers, places, usage.declared) if is_ptx else [],
    )


def has_branches(test: LitmusTest, options: Options) -> bool:
    """Whether an instruction of a test can lead to a label. Raises TestError as `decode_test`."""
    code = [i for thread in test.threads for i in _decode_thread(thread, options.dialect)]
    return any(i.row is not None and i.row.flow in (Flow.JUMP, Flow.BRANCH) for i in code)


def _decode_thread(thread: Thread, dialect: str) -> list[Instruction]:
    code = [decode(cell, dialect, thread.is_host) for cell in thread.cells]
    return resolved(code, thread.scopes)


def _calls(test: LitmusTest, code: Code) -> dict[int, Sequence[Call]]:
    """The calls in the text of each thread of the host."""
    return {
        thread.number: [
            instruction.call
            for instruction in code[thread.number]
            if isinstance(instruction, CallInstruction)
        ]
        for thread in test.threads
        if thread.is_host
    }


def _memory(test: LitmusTest, code: Code, places: Mapping[int, Place], usage: Usage) -> Memory:
    """The memory, with every variable that the initial section or the code names."""
    instances = usage.instances()

    def named() -> Iterator[str]:
        for thread, instructions in code.items():
            for instruction in instructions:
                for name, span in located_names(instruction, usage.registers[thread]):
                    yield instances.resolve(name, places[thread], span).name
        yield from instances.all_names()

    return initial_memory(test.init, named(), usage.widths(), instances, usage.taken())


def _initial_registers(test: LitmusTest, memory: Memory) -> dict[int, dict[str, Value]]:
    """The values that the initial section gives registers, by thread."""
    initial: dict[int, dict[str, Value]] = {thread.number: {} for thread in test.threads}
    for item in test.init:
        match item:
            case Initial(Register() as register, term, span):
                if register.thread not in initial:
                    raise TestError(f"the test has no thread P{register.thread}", span)
                if register.name in initial[register.thread]:
                    raise TestError(f"register {register} is given two initial values", span)
                initial[register.thread][register.name] = memory.symbols.value(term, span)
    return initial
