"""What is odd in a test and no error: it is run all the same, with a warning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from catpy.arch.ptx.instruction import Immediate, Instruction
from catpy.arch.ptx.placement import Place
from catpy.arch.ptx.usage import Code, located_names
from catpy.errors import CatpyError
from catpy.source import Span

#: How near a name is to another that it may be meant for.
_NEAR = 0.75


def oddities(
    code: Code,
    registers: Mapping[int, frozenset[str]],
    places: Mapping[int, Place],
    declared: frozenset[str],
) -> list[CatpyError]:
    """What is odd in the code of some threads. `declared` are the variables with a declaration."""
    return [*_undeclared(code, registers, declared), *_large_counts(code, places)]


def _undeclared(
    code: Code, registers: Mapping[int, frozenset[str]], declared: frozenset[str]
) -> Iterator[CatpyError]:
    """Names that the initial section lacks: of parameters, and what is nearly the name of another.

    What several threads use is meant.
    """
    users: dict[str, set[int]] = {}
    first: dict[str, tuple[Instruction, Span]] = {}
    for thread, instructions in code.items():
        for instruction in instructions:
            for name, span in located_names(instruction, registers[thread]):
                if name not in declared and "." not in name:
                    users.setdefault(name, set()).add(thread)
                    first.setdefault(name, (instruction, span))
    for name, (instruction, span) in first.items():
        message = f"`{name}` has no initial value, and is 0"
        if instruction.word("space") == "param":
            hint = f"say what the kernel is called with in the initial section: `{name} = &x`"
            yield CatpyError(message, span, hint)
        elif len(users[name]) == 1 and (meant := _meant(name, declared)):
            yield CatpyError(message, span, f"did you mean `{meant}`?")


def _meant(name: str, declared: frozenset[str]) -> str | None:
    """The declared name that one may be meant for: not one that differs in a number only."""

    def letters(text: str) -> str:
        return re.sub(r"\d+", "#", text)

    others = sorted(other for other in declared if letters(other) != letters(name))
    return next(iter(get_close_matches(name, others, n=1, cutoff=_NEAR)), None)


def _large_counts(code: Code, places: Mapping[int, Place]) -> Iterator[CatpyError]:
    """Counts of CTA barriers that no phase reaches, each once."""
    said = set()
    for thread, instructions in code.items():
        threads = sum(place.cta == places[thread].cta for place in places.values())
        for instruction in instructions:
            count = _count(instruction)
            if count is None or count.value <= threads or count.value in said:
                continue
            said.add(count.value)
            has = "1 thread" if threads == 1 else f"{threads} threads"
            message = f"this barrier waits for {count.value} threads, and the CTA has {has} here"
            yield CatpyError(message, count.span, "the threads of the test are counted, no others")


def _count(instruction: Instruction) -> Immediate | None:
    """The number of threads that a barrier of a CTA waits for, where it is written.

    It is the value behind the barrier's number. (Two of them: the first number is an instance.)
    """
    number = instruction.letters.find("bv")
    if number < 0 or "bvv" in instruction.letters:
        return None
    count = instruction.operands[number + 1]
    return count if isinstance(count, Immediate) else None
