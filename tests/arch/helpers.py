"""Programs of short codes, one thread's ways, values where reads are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catpy.arch import build_program
from catpy.arch.program import End, Join, Options, Path, Program
from catpy.arch.ptx.decoded import decode_test
from catpy.arch.ptx.exploration import explore
from catpy.arch.ptx.program import PtxProgram
from catpy.arch.terms import Computed, Expression, ReadValue, Value, apply
from catpy.errors import TestError
from tests.litmus import helpers

#: What a read or a reduction of a thread is taken to return, by the index of its event.
Returns = Mapping[int, Value]
Where = tuple[int, int]
#: The place of every thread that is given none, so that they are in one CTA.
ONE_CTA = "cta 0,gpu 0"


def text_of(
    codes: Sequence[str], init: str = "", places: Sequence[str] = (), final: str = ""
) -> str:
    """A test of one block for each code; the first begins on line 4."""
    blocks = []
    for number, code in enumerate(codes):
        place = places[number] if number < len(places) else ONE_CTA
        at = f"@{place}" if place else ""
        blocks.append(f"P{number}{at} {{\n{code};\n}}\n")
    return f"PTX t\n{{ {init} }}\n{''.join(blocks)}{final}\n"


def program(
    *codes: str,
    init: str = "",
    places: Sequence[str] = (),
    final: str = "",
    unroll: int = 2,
    dialect: str = "ptx",
    variants: tuple[str, ...] = (),
) -> Program:
    """The program of threads with these codes (instructions with `;` between)."""
    test = helpers.parse(text_of(codes, init, places, final))
    # What a read returns is left open here, also where nobody ever writes.
    return PtxProgram(explore(decode_test(test, Options(unroll, dialect, variants))))


def paths(code: str, init: str = "", unroll: int = 2, dialect: str = "ptx") -> list[Path]:
    """The ways through a thread alone."""
    return list(program(code, init=init, unroll=unroll, dialect=dialect).paths(0))


def path(code: str, init: str = "", unroll: int = 2, dialect: str = "ptx") -> Path:
    """The one way through a thread alone."""
    (only,) = paths(code, init, unroll, dialect)
    return only


def sets(code: str, init: str = "", dialect: str = "ptx") -> list[set[str]]:
    """The sets of each event of a code that has one way."""
    return [set(event.sets) for event in path(code, init, dialect=dialect).events]


def evaluate(expression: Expression, returns: Returns) -> Value:
    """The value of an expression where reads return what is given."""
    match expression:
        case ReadValue(_, index):
            return returns[index]
        case Computed(operator, operands):
            return apply(operator, [evaluate(operand, returns) for operand in operands])
    return expression


def register(way: Path, name: str, returns: Returns | None = None) -> Value:
    """The final value of a register."""
    return evaluate(way.registers[name], returns or {})


def written(way: Path, index: int, returns: Returns | None = None) -> Value:
    """What an event of a thread writes."""
    value = way.events[index].value
    assert value is not None
    return evaluate(value, returns or {})


def is_taken(way: Path, returns: Returns) -> bool:
    """Whether a way is the one taken where reads return what is given."""
    return all(
        (evaluate(constraint.expression, returns) != 0) is constraint.truth
        for constraint in way.constraints
    )


def taken(ways: Sequence[Path], returns: Returns) -> Path:
    """The one way that is taken where reads return what is given."""
    (only,) = [way for way in ways if is_taken(way, returns)]
    return only


def pairs(way: Path, name: str) -> set[tuple[int, int]]:
    """A relation between the events of a thread."""
    return set(way.pairs.get(name, frozenset()))


def of_end(ways: Sequence[Path], end: End) -> list[Path]:
    return [way for way in ways if way.end is end]


def joins(prog: Program, ends: Sequence[End] = ()) -> list[Join]:
    """The joint choices of a program whose threads have one way each (with these ends)."""
    chosen = []
    for position, thread in enumerate(prog.threads):
        ways = list(prog.paths(thread))
        if ends:
            ways = of_end(ways, ends[position])
        (only,) = ways
        chosen.append(only)
    return list(prog.joins(chosen))


def syncbar(join: Join) -> set[tuple[Where, Where]]:
    return set(join.pairs["syncbar"])


def phases(join: Join) -> set[frozenset[Where]]:
    """The phases with more than one arrival, where every arrival of a phase waits."""
    found: dict[Where, set[Where]] = {}
    for left, right in syncbar(join):
        found.setdefault(left, {left}).add(right)
    return {frozenset(phase) for phase in found.values()}


def fails(
    *codes: str,
    message: str,
    hint: str = "",
    init: str = "",
    places: Sequence[str] = (),
    final: str = "",
    dialect: str = "ptx",
    unroll: int = 2,
) -> TestError:
    """Checks that a program is refused at the mark `▸` in its text, with these words."""

    def act(text: str) -> object:
        return build_program(helpers.parse(text), Options(unroll, dialect))

    return helpers.fails(text_of(codes, init, places, final), message, hint, act)


def cells(init: str, code: str = "nop") -> dict[str, Value]:
    """The initial values of memory."""
    return {cell.location: cell.initial for cell in program(code, init=init).memory}


def located(code: str, init: str = "") -> list[tuple[str | None, str | None]]:
    """Location and address of each event of a code that has one way."""
    return [(event.location, event.address) for event in path(code, init).events]


def only_join(*codes: str, places: tuple[str, ...] = ()) -> Join:
    """The one joint choice of threads with one way each."""
    (join,) = joins(program(*codes, places=places))
    return join
