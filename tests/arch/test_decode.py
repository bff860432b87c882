"""From the text of a cell to an instruction: every row of the table, qualifiers, operands."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.arch.ptx.decode import decode
from catpy.arch.ptx.instruction import (
    AddressOperand,
    Immediate,
    Instruction,
    Operand,
    Row,
    Word,
)
from catpy.arch.ptx.table import DIALECT_WORDS, build_table
from catpy.arch.ptx.words import VECTORS
from catpy.source import Source
from tests.arch.examples import EXAMPLES
from tests.litmus.helpers import NAME, fails

SPACES = ["global", "shared", "shared::cta", "shared::cluster", "const", "local", "param"]
TYPES = [f"{letter}{bits}" for letter in "bus" for bits in (8, 16, 32, 64)]
ROWS = [row for rows in build_table().values() for row in rows]


def decoded(text: str, dialect: str = "ptx") -> Instruction:
    text = text.rstrip(";")
    return decode(Source(NAME, text).span(0, len(text)), dialect)


def refused(text: str, message: str, hint: str = "", dialect: str = "ptx") -> None:
    fails(text, message, hint, lambda clean: decoded(clean, dialect))


def row_name(instruction: Instruction) -> str:
    assert instruction.row is not None
    return instruction.row.opcode


def meaning(instruction: Instruction) -> tuple[object, ...]:
    """What the qualifiers of an instruction mean."""
    return row_name(instruction), instruction.mode, instruction.scope, instruction.qualifiers


# Rows


def test_every_row_of_the_table_has_an_example() -> None:
    assert {row.opcode for row in ROWS} == set(EXAMPLES)


@pytest.mark.parametrize(
    ("opcode", "text"), [(opcode, text) for opcode, texts in EXAMPLES.items() for text in texts]
)
def test_examples_are_read_by_their_row(opcode: str, text: str) -> None:
    assert row_name(decoded(text)) == opcode


#: Some operand for each letter.
OPERANDS = {
    **dict.fromkeys("dD", "r0"),
    **dict.fromkeys("vVnpbrz", "1"),
    **dict.fromkeys("amt", "[x]"),
    "T": "[x, {0}]",
    "s": "_",
    "l": "L",
}


def fitting(row: Row, kind: str, value: str) -> dict[str, str]:
    """Words by class, with this one, that go together by the rules of a row."""
    for combination in product(*row.rules):
        allowed = {kind: [value]}
        for one in combination:
            for other, words in one.items():
                allowed[other] = [word for word in allowed.get(other, words) if word in words]
        if all(allowed.values()):
            chosen = {other: min(words, key=bool) for other, words in allowed.items()}
            return {other: row.classes[other][0] for other in row.required} | chosen
    raise AssertionError(f"{row.opcode} never takes .{value}")


def spelled(row: Row, kind: str, value: str) -> str:
    """A row's instruction with this qualifier, those that go with it, and operands."""
    chosen = fitting(row, kind, value)
    letters = chosen.pop("operands", row.operands[0])
    semantics = frozenset(filter(None, chosen.get("semantics", "").split(".")))
    modes = {mode.words: mode for mode in row.modes}
    mode = modes.get(semantics, row.modes[0])
    chosen["semantics"] = mode.spelling
    if mode.scopes and mode.default is None and not chosen.get("scope"):
        chosen["scope"] = mode.scopes[0]
    operands = dict(OPERANDS)
    if kind == "vector":
        chosen["type"] = "u32"
        items = ", ".join(f"r{at}" for at in range(VECTORS[value]))
        operands |= dict.fromkeys("DV", f"{{{items}}}")
    words = [row.opcode, *filter(None, chosen.values())]
    return ".".join(words) + " " + ", ".join(operands[letter] for letter in letters)


CLASSES = [
    (row, kind, value)
    for row in ROWS
    for kind, values in row.classes.items()
    for value in values
    # The second of two types or state spaces is no form alone.
    if kind not in ("from", "src", "dst", "coordinate")
]


@pytest.mark.parametrize(
    ("row", "kind", "value"), CLASSES, ids=[f"{row.opcode}.{value}" for row, _, value in CLASSES]
)
def test_every_qualifier_of_every_class_is_read(row: Row, kind: str, value: str) -> None:
    instruction = decoded(spelled(row, kind, value), DIALECT_WORDS.get(value, "ptx"))
    assert instruction.row is not None
    assert instruction.row.opcode == row.opcode
    assert instruction.qualifiers[kind] == value


@pytest.mark.parametrize("space", SPACES)
def test_weak_loads_take_every_state_space(space: str) -> None:
    assert decoded(f"ld.{space} r0, [x]").qualifiers["space"] == space


@pytest.mark.parametrize("opcode", ["ld", "st"])
@pytest.mark.parametrize("kind", TYPES)
def test_loads_and_stores_take_every_integer_type(opcode: str, kind: str) -> None:
    operands = "r0, [x]" if opcode == "ld" else "[x], 1"
    assert decoded(f"{opcode}.{kind} {operands}").qualifiers["type"] == kind


def test_conversions_name_the_new_type_first() -> None:
    assert decoded("cvt.u64.s32 rd0, r0").qualifiers == {"type": "u64", "from": "s32"}


# Qualifiers


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("ld.relaxed.cta r0, [x]", "CTA"),
        ("ld.relaxed.cluster r0, [x]", "CLUSTER"),
        ("ld.relaxed.gpu r0, [x]", "GPU"),
        ("ld.relaxed.sys r0, [x]", "SYS"),
        ("membar.gl", "GPU"),
        ("ld.volatile r0, [x]", "SYS"),
        ("atom.add r0, [x], 1", "GPU"),
        ("ld r0, [x]", None),
        ("add r0, r1, 1", None),
    ],
)
def test_scopes(text: str, scope: str | None) -> None:
    assert decoded(text).scope == scope


@pytest.mark.parametrize(
    ("opcode", "qualifiers", "operands"),
    [
        ("ld", ["acquire", "gpu", "global", "u32"], "r0, [x]"),
        ("ld", ["mmio", "relaxed", "sys", "u32"], "r0, [x]"),
        ("st", ["release", "cta", "shared::cta", "b64"], "[x], 1"),
        ("red", ["release", "sys", "add", "s32"], "[x], 1"),
        ("fence", ["sc", "cluster"], ""),
        ("setp", ["ne", "u32"], "p0, r0, 1"),
        ("bar", ["cta", "sync"], "0"),
        ("barrier", ["cta", "red", "popc", "u32"], "r0, 0, p0"),
        ("mul", ["lo", "u32"], "r0, r1, 2"),
    ],
)
def test_qualifiers_come_in_any_order(opcode: str, qualifiers: list[str], operands: str) -> None:
    expected = meaning(decoded(f"{'.'.join([opcode, *qualifiers])} {operands}"))
    for order in permutations(qualifiers):
        assert meaning(decoded(f"{'.'.join([opcode, *order])} {operands}")) == expected


@settings(deadline=None, max_examples=40)
@given(st.permutations(["acq_rel", "cluster", "shared::cluster", "cas", "b64"]))
def test_qualifiers_of_atomics_come_in_any_order(order: list[str]) -> None:
    instruction = decoded(f"atom.{'.'.join(order)} r0, [x], 0, 1")
    assert instruction.mode.words == {"acq_rel"}
    assert instruction.scope == "CLUSTER"
    assert instruction.qualifiers == {"space": "shared::cluster", "operation": "cas", "type": "b64"}


# Operands


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("mov r0, r1", Word, "r1"),
        ("mov r0, %r1", Word, "%r1"),
        ("mov r0, x", Word, "x"),
        ("mov.pred r0, !p1", Word, "p1"),
    ],
)
def test_words(text: str, kind: type[Operand], name: str) -> None:
    operand = decoded(text).operands[1]
    assert isinstance(operand, Word)
    assert operand.name == name
    assert operand.negated is ("!" in text)


@pytest.mark.parametrize(
    ("written", "value"),
    [("0", 0), ("42", 42), ("-1", -1), ("0x1F", 31), ("-0x10", -16), ("7U", 7), ("0xFFU", 255)],
)
def test_immediates(written: str, value: int) -> None:
    operand = decoded(f"mov.u32 r0, {written}").operands[1]
    assert isinstance(operand, Immediate)
    assert operand.value == value


def test_immediates_may_begin_with_a_zero() -> None:
    operand = decoded("mov.u32 r0, 007").operands[1]
    assert isinstance(operand, Immediate)
    assert operand.value == 7


@pytest.mark.parametrize(
    ("written", "base", "offset", "index"),
    [
        ("[x]", "x", 0, None),
        ("[ x ]", "x", 0, None),
        ("[%rd1]", "%rd1", 0, None),
        ("[x+4]", "x", 4, None),
        ("[x + 4]", "x", 4, None),
        ("[x-4]", "x", -4, None),
        ("[x+-4]", "x", -4, None),
        ("[x+0x10]", "x", 16, None),
        ("[%rd1+8]", "%rd1", 8, None),
        ("[a[1]]", "a", 0, 1),
    ],
)
def test_addresses(written: str, base: str, offset: int, index: int | None) -> None:
    operand = decoded(f"ld r0, {written}").operands[1]
    assert isinstance(operand, AddressOperand)
    assert (operand.base, operand.offset, operand.index) == (base, offset, index)
    assert operand.bracketed


def test_operands_know_their_place() -> None:
    operands = decoded("atom.cas r0, [x+4], 10, r2").operands
    assert [operand.span.text for operand in operands] == ["r0", "[x+4]", "10", "r2"]


@pytest.mark.parametrize(
    ("text", "labels"),
    [("L0: nop", ("L0",)), ("L0: L1: nop", ("L0", "L1")), ("$L__BB0_1: nop", ("$L__BB0_1",))],
)
def test_labels_before_an_instruction(text: str, labels: tuple[str, ...]) -> None:
    instruction = decoded(text)
    assert instruction.labels == labels
    assert row_name(instruction) == "nop"


@pytest.mark.parametrize(("text", "labels"), [("L0:", ("L0",)), ("L0: L1:", ("L0", "L1"))])
def test_labels_may_stand_alone(text: str, labels: tuple[str, ...]) -> None:
    instruction = decoded(text)
    assert instruction.labels == labels
    assert instruction.row is None


@pytest.mark.parametrize(
    "text", [".reg .u32 %r1", ".reg .b32 %r<5>", ".reg .pred %p<2>", ".reg .u64 a, b"]
)
def test_register_declarations_do_nothing(text: str) -> None:
    assert decoded(text).row is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".reg▸", "expected the type of the registers"),
        (".reg ▸.u33 %r1", "`.u33` is no type of registers"),
        (".reg ▸u32 %r1", "`u32` is no type of registers"),
        (".reg .u32▸", "expected the name of a register"),
        (".reg .u32 ▸5", "expected the name of a register, found `5`"),
        (".reg .u32 ▸.u64 a", "`.u64` is no name of a register"),
        (".reg .u32 %r<▸x>", "expected how many registers there are, found `x`"),
        (".reg .u32 %r<5▸", "expected `>` behind the number of registers"),
        (".reg .u32 a ▸b", "expected `,` or the end of the declaration, found `b`"),
        (".reg .u32 a,▸", "expected the name of a register"),
    ],
)
def test_register_declarations_that_are_wrong(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    ("text", "name", "negated"),
    [
        ("@p0 nop", "p0", False),
        ("@!p0 nop", "p0", True),
        ("@%p1 nop", "%p1", False),
        ("@!%p1 nop", "%p1", True),
        ("L: @p0 bra L", "p0", False),
    ],
)
def test_guards(text: str, name: str, negated: bool) -> None:
    guard = decoded(text).guard
    assert guard is not None
    assert (guard.name, guard.negated) == (name, negated)


def test_there_is_no_guard_by_default() -> None:
    assert decoded("nop").guard is None


# Refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("▸ld r0", "`ld` takes 2 operands, found 1"),
        ("▸ld.weak", "`ld.weak` takes 2 operands, found 0"),
        ("▸st [x], 1, 2", "`st` takes 2 operands, found 3"),
        ("▸atom.add r0", "`atom.add` takes 3 operands, found 1"),
        ("▸fence.sc.gpu [x]", "`fence.sc.gpu` takes 0 operands, found 1"),
        ("▸bar.sync 0, 1, 2, 3", "takes 1 or 2 or 3 operands, found 4"),
        ("ld ▸5, [x]", "expected a destination register"),
        ("ld ▸[x], r0", "expected a destination register"),
        ("st ▸1, 1", "expected an address like `[x]`"),
        ("st [x], ▸[y]", "expected a value, found an address in brackets"),
        ("bra ▸5", "expected a label"),
        ("beq r0, 0, ▸1", "expected a label"),
        ("ld r0, [x▸", "expected `]` after the address, found the end of the instruction"),
        ("ld r0, [▸5]", "expected a location or register, found `5`"),
        ("ld r0, [x+▸y]", "expected a number, found `y`"),
        ("ld r0, [a[▸x]]", "expected a number, found `x`"),
        ("ld r0,▸", "expected an operand, found the end of the instruction"),
        ("ld r0, [x] ▸y", "expected `,` or the end of the instruction, found `y`"),
        ("add r0, ▸{r0, r1}, 1", "this is no place for a vector"),
        ("add r0, r1, ▸#", "unexpected character `#`"),
        ("▸[x]", "expected an instruction, found `[`"),
        ("▸1", "expected an instruction, found `1`"),
        ("@▸1 nop", "expected a predicate register after `@`, found `1`"),
        ("@p0▸", "expected an instruction, found the end of the instruction"),
    ],
)
def test_bad_operands(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("x ▸= 1", "unexpected character `=`", "instructions are those of PTX, as `mov.u32"),
        ("▸*x = 1", "unexpected character `*`", "instructions are those of PTX"),
        ("▸x.store(1)", "unknown instruction `x`", "instructions are those of PTX"),
        ('asm volatile(▸"fence.sc.gpu;")', 'unexpected character `"`', "without `asm` and quotes"),
        ("st [gr▸ö], 1", "unexpected character `ö`", "names and signs of PTX are ASCII"),
        ("st [x], ▸“1”", "unexpected character `“`", "names and signs of PTX are ASCII"),
        ("mov.u32 r0, ▸%1", "unexpected character `%`", "an operand of inline assembly"),
        ("st.f32 [x], 1▸.5", "unexpected character `.`", "as its bits, `0f3F800000`"),
        (".version 8▸.0", "unexpected character `.`", "without directives"),
        ("st [x], 1\n▸ld r0, [x]", "or the end of the instruction, found `ld`", "ends in `;`"),
        ("ld.u32 ▸[x], r0", "expected a destination register", "write `ld.u32 d, [a]`"),
        ("st.u32 r0, ▸[x]", "found an address in brackets", "write `st.u32 [a], b`"),
        ("atom.▸sub.u32 r0, [x], 1", "PTX has no `.sub`", "`.add` of the negative number"),
        ("fence.proxy.async.▸cta", "does not take `.cta`", "takes no scope"),
    ],
)
def test_what_is_no_ptx_is_told_what_to_write(text: str, message: str, hint: str) -> None:
    refused(text, message, hint)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("▸atom.add r0, [x]", "`atom.add` takes 3 operands, found 2"),
        ("▸atom.add r0, [x], 1, 2", "`atom.add` takes 3 operands, found 4"),
        ("▸atom.exch r0, [x], 1, 2", "`atom.exch` takes 3 operands, found 4"),
        ("▸atom.cas r0, [x], 1", "`atom.cas` takes 4 operands, found 3"),
        ("▸atom.inc r0, [x], 1, 2", "`atom.inc` takes 2 or 3 operands, found 4"),
        ("▸red.add [x]", "`red.add` takes 2 operands, found 1"),
    ],
)
def test_numbers_of_operands_of_an_atomic_operation(text: str, message: str) -> None:
    refused(text, message)
