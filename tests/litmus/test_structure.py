"""The parts of a test file: name, doc, threads, locations, filter, quantifier."""

from __future__ import annotations

import pytest

from catpy.litmus.syntax import Atom, Condition, LitmusTest, Location, Number, Register, Truth
from tests.litmus.helpers import columns, condition, fails, parse

BLOCKS = """PTX handoff
{ .global .u32 data; .global .u32 full; }
P0@cta 0,gpu 0 {
  st.global.u32 [data], 42;
  fence.release.gpu;
  st.relaxed.gpu.global.u32 [full], 1;
}
P1@cta 1,gpu 0 {
  ld.acquire.gpu.global.u32 %r0, [full];
  ld.global.u32 %r1, [data];
}
exists (P1:r0=1 /\\ P1:r1=0)
"""

COLUMNS = """PTX handoff
{ .global .u32 data; .global .u32 full; }
 P0@cta 0,gpu 0                      | P1@cta 1,gpu 0                        ;
 st.global.u32 [data], 42            | ld.acquire.gpu.global.u32 %r0, [full] ;
 fence.release.gpu                   | ld.global.u32 %r1, [data]             ;
 st.relaxed.gpu.global.u32 [full], 1 |                                       ;
exists (P1:r0=1 /\\ P1:r1=0)
"""


def cells(test: LitmusTest) -> list[list[str]]:
    return [[cell.text for cell in thread.cells] for thread in test.threads]


def placements(header: str) -> tuple[tuple[str, int], ...]:
    return parse(f"PTX t\n{{ }}\n {header} ;\n nop ;\n").threads[0].placement


# Name and doc


def test_first_line_gives_architecture_and_name() -> None:
    test = parse("PTX MP+rel+acq\n{ }\n P0 ;\n nop ;\n")
    assert (test.arch, test.name) == ("PTX", "MP+rel+acq")


@pytest.mark.parametrize("name", ["2+2W", "SB+fence.sc.cta", "a_b-c", "Bar(1)", "3.LB", "x'"])
def test_names_may_hold_punctuation(name: str) -> None:
    assert parse(f"PTX {name}\n{{ }}\n P0 ;\n nop ;\n").name == name


def test_doc_is_the_quoted_text() -> None:
    assert parse('PTX t\n"Reads § 8.9"\n{ }\n P0 ;\n nop ;\n').doc == "Reads § 8.9"


def test_doc_is_empty_without_a_quoted_text() -> None:
    assert parse("PTX t\n{ }\n P0 ;\n nop ;\n").doc == ""


def test_doc_may_hold_what_looks_like_other_parts() -> None:
    doc = "{ } | ; exists (x=0) // no comment (* nor this /* or this"
    test = parse(f'PTX t\n"{doc}"\n{{ }}\n P0 ;\n nop ;\nforall (x=1)\n')
    assert test.doc == doc
    assert test.quantifier == "forall"


def test_several_docs_are_joined() -> None:
    assert parse('PTX t\n"one"\n"two"\n{ }\n P0 ;\n nop ;\n').doc == "one two"


def test_notes_of_herd_before_the_initial_section_are_skipped() -> None:
    test = parse('PTX t\n"doc"\nCycle=Rfe PodRR Fre PodWW\nCom=Rf Fr\n{ x=1; }\n P0 ;\n nop ;\n')
    assert test.doc == "doc"
    assert len(test.init) == 1
    assert cells(test) == [["nop"]]


def test_initial_section_may_be_left_out() -> None:
    test = parse("PTX t\n P0 ;\n nop ;\nexists (x=0)\n")
    assert test.init == ()
    assert cells(test) == [["nop"]]


def test_text_may_begin_with_blank_lines_and_end_without_a_newline() -> None:
    test = parse("\n\n  PTX t\n{ }\n P0 ;\n nop ;\nexists (x=0)")
    assert test.name == "t"
    assert test.condition == condition("x=0")


def test_lines_may_end_as_on_windows() -> None:
    test = parse(COLUMNS.replace("\n", "\r\n"))
    assert cells(test) == cells(parse(COLUMNS))
    assert test.condition == parse(COLUMNS).condition


# Columns and blocks


def test_columns_hold_the_instructions_of_their_thread() -> None:
    assert cells(parse(COLUMNS)) == [
        ["st.global.u32 [data], 42", "fence.release.gpu", "st.relaxed.gpu.global.u32 [full], 1"],
        ["ld.acquire.gpu.global.u32 %r0, [full]", "ld.global.u32 %r1, [data]"],
    ]


def test_blocks_say_the_same_as_columns() -> None:
    blocks, rows = parse(BLOCKS), parse(COLUMNS)
    assert cells(blocks) == cells(rows)
    assert [t.placement for t in blocks.threads] == [t.placement for t in rows.threads]
    assert blocks.condition == rows.condition
    assert (blocks.name, blocks.quantifier) == (rows.name, rows.quantifier)


def test_empty_cells_are_left_out() -> None:
    test = parse("PTX t\n{ }\n P0 | P1 ;\n | ld r0, [x] ;\n st [x], 1 | ;\n | ;\nexists (x=0)\n")
    assert cells(test) == [["st [x], 1"], ["ld r0, [x]"]]


def test_a_thread_may_be_empty() -> None:
    assert cells(parse("PTX t\n{ }\n P0 | P1 ;\n nop | ;\n")) == [["nop"], []]
    assert cells(parse("PTX t\n{ }\nP0 { }\nP1 { nop; }\n")) == [[], ["nop"]]


def test_a_single_column_needs_no_bar() -> None:
    assert cells(parse("PTX t\n{ }\n P0 ;\n nop ;\n ret ;\n")) == [["nop", "ret"]]


def test_rows_may_share_a_line() -> None:
    assert cells(parse("PTX t {} P0 | P1 ; nop | ret ; exit | nop ; exists (x=0)")) == [
        ["nop", "exit"],
        ["ret", "nop"],
    ]


def test_the_last_instruction_of_a_block_needs_no_semicolon() -> None:
    assert cells(parse("PTX t\n{ }\nP0 { nop; ret }\n")) == [["nop", "ret"]]


def test_a_block_may_hold_braces() -> None:
    test = parse("PTX t\n{ }\nP0 { ld.v2.u32 {%r0, %r1}, [x]; nop; }\n")
    assert cells(test) == [["ld.v2.u32 {%r0, %r1}, [x]", "nop"]]


def test_labels_stay_with_their_cell() -> None:
    test = parse("PTX t\n{ }\n P0 ;\n L0: ;\n L1: beq r0, 0, L0 ;\n")
    assert cells(test) == [["L0:", "L1: beq r0, 0, L0"]]


def test_labels_may_be_named_like_parts_of_a_test() -> None:
    test = parse("PTX t\n{ }\n P0 ;\n exists_1: ;\n locations0: nop ;\nexists (x=0)\n")
    assert cells(test) == [["exists_1:", "locations0: nop"]]


def test_cells_know_their_place() -> None:
    test = parse(BLOCKS)
    assert str(test.threads[0].cells[0]) == "t.litmus:4:3"
    assert str(test.threads[1].cells[1]) == "t.litmus:10:3"
    assert str(parse(COLUMNS).threads[1].cells[1]) == "t.litmus:5:40"


def test_threads_keep_their_numbers() -> None:
    test = parse("PTX t\n{ }\n P3 | P0 | P10 ;\n nop | nop | nop ;\n")
    assert [thread.number for thread in test.threads] == [3, 0, 10]


# Placement


@pytest.mark.parametrize(
    ("header", "placement"),
    [
        ("P0", ()),
        ("P0@cta 0,gpu 0", (("cta", 0), ("gpu", 0))),
        ("P0@cta 1, gpu 2", (("cta", 1), ("gpu", 2))),
        ("P0 @ cta 3 , cluster 2 , gpu 1", (("cta", 3), ("cluster", 2), ("gpu", 1))),
        ("P0@gpu 1,cta 0", (("gpu", 1), ("cta", 0))),
        ("P0@cta 12", (("cta", 12),)),
        ("P0@cta\t0,gpu\t1", (("cta", 0), ("gpu", 1))),
    ],
)
def test_placement_is_kept_as_written(header: str, placement: tuple[tuple[str, int], ...]) -> None:
    assert placements(header) == placement


def test_unit_numbers_may_begin_with_a_zero() -> None:
    assert placements("P0@cta 01,gpu 00") == (("cta", 1), ("gpu", 0))


# Locations, filter, condition


@pytest.mark.parametrize(
    "text",
    [
        "locations [x; 1:r0; a[1];]",
        "locations [x; 1:r0; a[1]]",
        "locations [[x], P1:r0, a[1]]",
        "locations\n[ x ;1:%r0;\n a[1] ; ]",
    ],
)
def test_locations_are_registers_and_locations(text: str) -> None:
    test = parse(columns(final=f"{text}\nexists (x=0)"))
    assert [observable for observable, _ in test.locations] == [
        Location("x"),
        Register(1, "r0"),
        Location("a", 1),
    ]


def test_locations_know_their_place() -> None:
    test = parse(columns(final="locations [x; 1:r0;]"))
    assert [str(span) for _, span in test.locations] == ["t.litmus:5:12", "t.litmus:5:15"]


def test_locations_may_be_empty_or_left_out() -> None:
    assert parse(columns(final="locations []\nexists (x=0)")).locations == ()
    assert parse(columns()).locations == ()


@pytest.mark.parametrize("quantifier", ["exists", "~exists", "not exists", "forall"])
def test_filter_ends_where_the_quantifier_begins(quantifier: str) -> None:
    test = parse(columns(final=f"filter (1:r0=1 \\/ not (x=2))\n{quantifier} (x=0)"))
    assert test.filter == condition("1:r0=1 \\/ not (x=2)")
    assert test.condition == condition("x=0")


def test_filter_needs_no_condition_behind_it() -> None:
    test = parse(columns(final="filter (x=1)"))
    assert test.filter == condition("x=1")
    assert not test.has_condition


def test_there_is_no_filter_by_default() -> None:
    assert parse(columns()).filter is None


def test_locations_come_before_the_filter() -> None:
    test = parse(columns(final="locations [x;] filter x=1 forall true"))
    assert (len(test.locations), test.filter) == (1, condition("x=1"))
    assert test.condition == Truth(True)


@pytest.mark.parametrize(
    ("written", "quantifier"),
    [
        ("exists", "exists"),
        ("~exists", "~exists"),
        ("~ exists", "~exists"),
        ("not exists", "~exists"),
        ("not\n exists", "~exists"),
        ("forall", "forall"),
    ],
)
def test_quantifiers(written: str, quantifier: str) -> None:
    test = parse(columns(final=f"{written} (x=0)"))
    assert test.quantifier == quantifier
    assert test.has_condition
    assert test.condition == condition("x=0")


@pytest.mark.parametrize("final", ["exists x=1", "exists(x=1)", "exists\n\n(\nx\n=\n1\n)\n\n"])
def test_a_condition_may_be_spread_over_lines(final: str) -> None:
    expected: Condition = Atom(Location("x"), "=", Number(1), parse(columns()).source.span(0, 1))
    assert parse(columns(final=final)).condition == expected


def test_a_test_without_a_condition_holds_for_all_states() -> None:
    test = parse(columns(final=""))
    assert (test.quantifier, test.condition) == ("forall", Truth(True))
    assert not test.has_condition


@pytest.mark.parametrize("directive", [".version 8.3", ".visible .entry f()", ".func f()"])
def test_a_module_of_ptx_is_no_test(directive: str) -> None:
    message = "a test has no modules and entries, but threads"
    fails(
        f"PTX t\n{{ }}\n▸{directive}\n{{\n ret;\n}}\nexists (true)\n", message, "`P0@cta 0 { … }`"
    )
