"""Architectures: each turns a litmus test into a program that gives its events.

`terms` and `program` are what an architecture and the execution engines share. A new architecture
is one package here and one line in the table below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from catpy.arch import ptx
from catpy.arch.program import Options, Program, Vocabulary
from catpy.errors import TestError
from catpy.litmus import LitmusTest

#: Makes the program of a test; calls its last argument now and then, which may end it by raising.
Build = Callable[[LitmusTest, Options, Callable[[], None]], Program]


@dataclass(frozen=True, slots=True)
class Architecture:
    """What makes the programs of tests, the names these bind for models, and a model of its own.

    `has_branches` says whether threads of a test can go another way than from line to line.
    """

    build: Build
    has_branches: Callable[[LitmusTest, Options], bool]
    vocabulary: Vocabulary
    model: str


#: The architectures by their name on the first line of a test.
ARCHITECTURES: Mapping[str, Architecture] = {
    "PTX": Architecture(ptx.build, ptx.has_branches, ptx.VOCABULARY, "ptx"),
}

#: The one that is meant where there is no test to say it.
DEFAULT = "PTX"


def build_program(
    test: LitmusTest, options: Options, pulse: Callable[[], None] = lambda: None
) -> Program:
    """The program of a test. Raises TestError where an instruction or a declaration is wrong.

    `pulse` is called now and then, and may end it by raising.
    """
    return _architecture(test).build(test, options, pulse)


def has_branches(test: LitmusTest, options: Options) -> bool:
    """Whether a test has branches. Raises TestError where an instruction is wrong."""
    return _architecture(test).has_branches(test, options)


def default_model(test: LitmusTest) -> str:
    """The name of the model a test is run on when none is asked for."""
    return _architecture(test).model


def _architecture(test: LitmusTest) -> Architecture:
    if test.arch not in ARCHITECTURES:
        known = ", ".join(f"`{name}`" for name in ARCHITECTURES)
        raise TestError(f"no architecture `{test.arch}`: there is {known}", test.arch_span)
    return ARCHITECTURES[test.arch]
