"""Bad tests are refused where they are wrong, with a line and a caret."""

from __future__ import annotations

import pytest

from catpy.errors import TestError
from tests.litmus.helpers import NAME, columns, fails, parse

HEAD = "PTX t\n{ x=0; }\n"
CODE = " P0 | P1 ;\n nop | nop ;\n"


@pytest.mark.parametrize("text", ["▸", "▸ ", "▸\n\n", "▸ \t\n"])
def test_empty_file(text: str) -> None:
    fails(text, "this file is empty")


def test_file_of_comments_only() -> None:
    fails("▸// nothing here", "the architecture (`PTX`) and a name, found the end of the file")


def test_name_missing() -> None:
    fails("PTX▸", "the name of the test, found the end of the file")
    fails("PTX ▸{ x=0; }\n P0 ;\n nop ;\n", "the name of the test, found `{`")


def test_doc_before_the_first_line() -> None:
    fails(f'▸"doc"\n{HEAD}{CODE}', "the architecture (`PTX`) and a name")


@pytest.mark.parametrize("text", ["PTX ▸t", "PTX ▸t\n{ x=0; }\n", "PTX ▸t\n{ }\nexists (x=0)\n"])
def test_no_threads(text: str) -> None:
    fails(text, "this test has no threads")


# Comments and braces


@pytest.mark.parametrize("opening", ["/*", "(*", "(* (* *)", "/* (* *)"])
@pytest.mark.parametrize(
    "text",
    [
        "▸{} PTX t\n",
        "PTX t ▸{}\n{ x=0; }\n P0 ;\n nop ;\n",
        "PTX t\n{ x=0; ▸{} y=0; }\n P0 ;\n nop ;\n",
        "PTX t\n{ x=0; }\n P0 ;\n nop ▸{} ;\nexists (x=0)\n",
        "PTX t\n{ x=0; }\n P0 ;\n nop ;\nexists (x=0) ▸{}",
        'PTX t\n"(* quoted"\n{ x=0; } ▸{}\n P0 ;\n nop ;\n',
    ],
)
def test_unclosed_comment(opening: str, text: str) -> None:
    fails(text.replace("{}", opening), "this comment is not closed")


@pytest.mark.parametrize(
    "text",
    [
        "PTX t\n▸{ x=0;\n P0 ;\n nop ;\nexists (x=0)\n",
        "PTX t\n▸{ .u32 a[2] = { 1, 2 ;\n P0 ;\n nop ;\nexists (x=0)\n",
        "PTX t\n{ x=0; }\nP0 ▸{\n nop;\nexists (x=0)\n",
        "PTX t\n{ x=0; }\nP0 { nop; }\nP1 ▸{ nop;\n",
    ],
)
def test_unclosed_brace(text: str) -> None:
    fails(text, "this `{` is not closed")


@pytest.mark.parametrize(
    "text",
    [
        "PTX t\n{ x=0; } ▸}\n P0 ;\n nop ;\n",
        "PTX t\n▸}\n P0 ;\n nop ;\n",
        "PTX t\n{ x=0; }\nP0 { nop; }\n▸}\nexists (x=0)\n",
        "PTX t\n{ x=0; }\n P0 ;\n nop ;\nexists (x=0)\n▸}\n",
        "PTX t // {\n{ x=0; }\n▸}\n P0 ;\n nop ;\n",
    ],
)
def test_brace_that_closes_nothing(text: str) -> None:
    fails(text, "this `}` closes nothing")


def test_braces_in_a_quoted_text_do_not_count() -> None:
    fails('PTX t "}"\n{ x=0; }\nP0 { nop; } ▸}\n', "this `}` closes nothing")


def test_unclosed_quote() -> None:
    with pytest.raises(TestError) as caught:
        parse('PTX t\n"open\n{ }\n P0 ;\n nop ;\n')
    assert str(caught.value.span) == f"{NAME}:2:1"


# Columns


def test_too_many_columns() -> None:
    message = "this row has 3 columns, the first one has 2"
    fails(f"{HEAD} P0 | P1 ;\n ▸nop | nop | nop ;\n", message)


def test_too_few_columns() -> None:
    message = "this row has 1 column, the first one has 2"
    fails(f"{HEAD} P0 | P1 ;\n nop | nop ;\n ▸ret ;\nexists (x=0)\n", message)


def test_the_caret_marks_the_whole_row() -> None:
    error = fails(f"{HEAD} P0 ;\n ▸nop | ret  ;\n", "this row has 2 columns, the first one has 1")
    assert error.render().split("\n")[2].strip() == "^" * len("nop | ret")


def test_semicolon_missing_behind_the_headers() -> None:
    message = "expected `,` or the end of the header, found `nop`"
    fails(f"{HEAD} P0 | P1\n ▸nop | nop ;\n", message, "a row of the columns ends in `;`")


def test_the_name_of_a_test_is_one_word() -> None:
    hint = "the name of a test has no blanks"
    fails("PTX a ▸name\n{ }\n P0 ;\n nop ;\n", "expected a thread like `P0`", hint)


@pytest.mark.parametrize("sign", ["#", "--"])
def test_comments_of_other_languages(sign: str) -> None:
    hint = "comments are `//`, `/* */` and `(* *)`"
    fails(f"{HEAD} P0 ;\n nop ; ▸{sign} nothing\n", "expected a row that ends in `;`", hint)


def test_a_level_without_its_number() -> None:
    fails(f"{HEAD} P0@cpu▸ ;\n nop ;\n", "expected the number of the cpu", "host are `P0@host`")


def test_semicolon_missing_behind_a_row() -> None:
    message = "this row has 3 columns, the first one has 2"
    hint = "a row of the columns ends in `;`"
    fails(f"{HEAD} P0 | P1 ;\n ▸nop | nop\n nop | nop ;\nexists (x=0)\n", message, hint)


@pytest.mark.parametrize("final", ["exists (x=0)\n", "~exists (x=0)\n", "locations [x;]\n", ""])
def test_semicolon_missing_behind_the_last_row(final: str) -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD} P0 | P1 ;\n nop | nop ;\n ret | ret\n{final}")
    error = caught.value
    assert "`;`" in error.message
    assert str(error.span).startswith(f"{NAME}:5:")


# Threads


def test_bad_thread_name() -> None:
    message = "expected a thread like `P0` or `P0@cta 0,gpu 0`"
    fails(f"{HEAD} ▸Q0 | P1 ;\n nop | nop ;\n", message)
    fails(f"{HEAD} P0 | ▸T1 ;\n nop | nop ;\n", message)
    fails(f"{HEAD} P0 | ▸P ;\n nop | nop ;\n", message)
    fails(f"{HEAD} P0 | ▸P1x ;\n nop | nop ;\n", message)
    fails(f"{HEAD} P0 | ▸7 ;\n nop | nop ;\n", message)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("P0@▸0", "expected a level like `cta`, found `0`"),
        ("P0@▸ ", "expected a level like `cta`"),
        ("P0@cta▸ ", "expected the number of the cta"),
        ("P0@cta ▸x", "expected the number of the cta, found `x`"),
        ("P0@cta 0,▸ ", "expected a level like `cta`"),
        ("P0@cta 0 ▸gpu 0", "expected `,` or the end of the header, found `gpu`"),
        ("P0@cta 0,gpu ▸-1", "expected the number of the gpu, found `-`"),
        ("P0 ▸cta 0", "expected `,` or the end of the header, found `cta`"),
        ("P0 ▸#", "unexpected character `#`"),
        ("P0@host,▸host", "a level is given twice"),
    ],
)
def test_bad_header_of_a_column(header: str, message: str) -> None:
    fails(f"{HEAD} {header} ;\n nop ;\n", message)


def test_bad_header_of_a_block() -> None:
    fails(f"{HEAD}P0@cta ▸x {{ nop; }}\n", "expected the number of the cta, found `x`")
    fails(f"{HEAD}P0@cta 0 ▸gpu 0 {{ nop; }}\n", "expected `,` or the end of the header")


def test_a_thread_twice() -> None:
    fails(f"{HEAD} P0 | ▸P0 ;\n nop | nop ;\n", "thread P0 is there twice")
    fails(f"{HEAD}P1 {{ nop; }}\n▸P1@cta 1 {{ nop; }}\n", "thread P1 is there twice")


# Initial section


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("x=0 ▸y=0;", "expected `;` between the items of the initial section, found `y`"),
        ("x=▸;", "found `;`"),
        ("▸=1;", "found `=`"),
        ("▸x:=1;", "`x` is not a thread"),
        ("▸0:r0;", "register 0:r0 is named without a value"),
        ("▸5=1;", "expected a register like `1:r0` or a location"),
        ("▸Q0:r0=1;", "`Q0` is not a thread"),
        ("P0:▸=1;", "expected a register, found `=`"),
        ("y aliases▸;", "expected the location it is an alias of"),
        ("y @ ▸5 aliases x;", "expected a proxy after `@`, found `5`"),
        ("y @ generic ▸x;", "expected `aliases` after `y`, found `x`"),
        (".u32▸;", "expected the name of a variable"),
        (".u32 a[▸];", "expected a number"),
        (".u32 a[4▸;", "expected `]` after the number of elements"),
        (".u32 a[▸0];", "an array has at least one element"),
        (".u32 a[▸-1];", "an array has at least one element"),
        ("a[▸0];", "an array has at least one element"),
        (".u32 a[2] = {1 ▸2};", "expected `}` after the initial values, found `2`"),
        ("x=0; ▸#", "unexpected character `#`"),
        ("▸%r0=5;", "`%r0` is a register, and of no thread"),
        (".global .u32 ▸%r0;", "`%r0` is a register, and of no thread"),
        ("▸%r0[2];", "`%r0` is a register, and of no thread"),
        (".u32 a[3] = ▸1;", "expected the values of an array, like `{1, 2}`, found `1`"),
        (".global .align ▸3 .u32 a;", "an alignment is a power of two, not 3"),
        (".align ▸0 .u32 a;", "an alignment is a power of two, not 0"),
        (".align ▸-4 .u32 a;", "an alignment is a power of two, not -4"),
    ],
)
def test_bad_initial_section(init: str, message: str) -> None:
    fails(f"PTX t\n{{ {init} }}\n{CODE}", message)


@pytest.mark.parametrize("text", [columns("x=NUMBER;"), columns(final="exists (x=NUMBER)")])
def test_numbers_with_thousands_of_digits(text: str) -> None:
    with pytest.raises(TestError):
        parse(text.replace("NUMBER", "1" * 5_000))


@pytest.mark.parametrize("number", ["010", "08", "0010"])
@pytest.mark.parametrize(
    "text", [columns("x=NUMBER;"), columns("x=-NUMBER;"), columns(final="exists (x=NUMBER)")]
)
def test_numbers_that_are_others_in_ptx(text: str, number: str) -> None:
    text = text.replace("NUMBER", f"▸{number}")
    fails(text, f"`{number}` is octal in PTX, and decimal elsewhere", "without the 0")


# Condition


@pytest.mark.parametrize(
    ("final", "message"),
    [
        ("(x=▸)", "found `)`"),
        ("(x=0 ▸-> y=0)", "a condition has no `->`: and is `/\\`, or is `\\/`, not is `~`, if"),
        ("(x=0 ▸and y=0)", "a condition has no `and`: and is `/\\`, or is `\\/`"),
        ("(x=0▸", "expected `)` to close the parenthesis, found the end of the text"),
        ("(x=0 /\\▸)", "found `)`"),
        ("(x=0 /\\ ▸/\\ y=0)", "found `/\\`"),
        ("(x▸)", "expected `=`, `!=`, `<`, `<=`, `>` or `>=`, found `)`"),
        ("(x ▸0)", "expected `=`, `!=`, `<`, `<=`, `>` or `>=`, found `0`"),
        ("(▸Q1:r0=0)", "`Q1` is not a thread"),
        ("(▸0x1:r0=0)", "`0x1` is not a thread"),
        ("(1:▸=0)", "expected a register, found `=`"),
        ("(a[▸x]=0)", "expected a number, found `x`"),
        ("(a[1▸=0)", "expected `]` after the index, found `=`"),
        ("([x▸=0)", "expected `]` after the location, found `=`"),
        ("(x=0 ▸# 1)", "unexpected character `#`"),
        ("(x=0 ▸/ y=0)", "unexpected character `/`"),
        ("(x=0 ▸& y=0)", "expected `)` to close the parenthesis, found `&`"),
        ("(x=?▸1)", "expected a location after `?`, found `1`"),
        ("(x=&▸1)", "found `1`"),
        ("(x=-▸y)", "expected a number, found `y`"),
        ("▸)", "found `)`"),
        ("(not▸)", "found `)`"),
    ],
)
@pytest.mark.parametrize("quantifier", ["exists", "~exists", "forall"])
def test_bad_condition(quantifier: str, final: str, message: str) -> None:
    fails(f"{HEAD}{CODE}{quantifier} {final}", message)


@pytest.mark.parametrize(
    "final",
    [
        "exists (x=0) ▸foo",
        "exists (x=0) ▸)",
        "exists (x=0)\n▸exists (y=0)",
        "exists (x=0)\n▸locations [x;]",
        "exists x=0 ▸;",
        "exists (x=0) ▸(y=0)",
        "forall true ▸true",
    ],
)
def test_garbage_behind_the_condition(final: str) -> None:
    fails(f"{HEAD}{CODE}{final}\n", "expected `/\\`, `\\/` or the end of the condition")


@pytest.mark.parametrize("quantifier", ["exists", "~exists", "forall"])
def test_quantifier_without_a_condition(quantifier: str) -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD}{CODE}{quantifier}\n")
    error = caught.value
    assert "a condition" in error.message
    assert str(error.span).startswith(f"{NAME}:5:")


@pytest.mark.parametrize("blank", ["\u00a0", "\x1c", "\u2028"])
def test_blanks_that_are_none(blank: str) -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD}{CODE}~exists {blank}(x=0)\n")
    head, quoted, carets = caught.value.render().split("\n")
    assert head.startswith(f"{NAME}:5:9: error: ")
    assert head.endswith(f"found `<U+{ord(blank):04X}>`")
    assert (quoted, carets) == ("  ~exists \N{REPLACEMENT CHARACTER}(x=0)", "          ^")


def test_misspelt_quantifier() -> None:
    fails(f"{HEAD}{CODE}▸exits (x=0)\n", "`exists`, `~exists` or `forall`, found `exits`")


@pytest.mark.parametrize(
    ("final", "message"),
    [
        ("locations [x; ▸5;]", "expected a register like `1:r0` or a location"),
        ("locations [x ▸y]", "expected `]` after the locations, found `y`"),
        ("locations [▸Q0:r0]", "`Q0` is not a thread"),
        ("filter (x=▸)\nexists (x=0)", "found `)`"),
        ("filter (x=0) ▸y\nexists (x=0)", "expected `/\\`, `\\/` or the end of the condition"),
    ],
)
def test_bad_locations_and_filter(final: str, message: str) -> None:
    fails(f"{HEAD}{CODE}{final}\n", message)


def test_locations_without_their_end() -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD}{CODE}locations [x;\nexists (x=0)\n")
    error = caught.value
    assert "]" in error.message
    assert str(error.span).startswith(f"{NAME}:5:")


def test_filter_without_a_condition() -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD}{CODE}filter\nexists (x=0)\n")
    error = caught.value
    assert "a condition" in error.message
    assert str(error.span)[len(NAME) :].startswith((":5:", ":6:"))


def test_hint_for_what_is_no_thread() -> None:
    fails(f"{HEAD}{CODE}exists (▸Q1:r0=0)", "`Q1` is not a thread", "write `1:r0` or `P1:r0`")


def test_much_too_deep_nesting_is_an_error_of_the_test() -> None:
    with pytest.raises(TestError, match="nested too deeply"):
        parse(columns(final="exists " + "(" * 20_000 + "x=0" + ")" * 20_000))


# Rendering


def test_tabs_stay_tabs_so_that_the_caret_is_in_place() -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD}\tP0\t|\tQ1\t;\n nop | nop ;\n")
    _, quoted, carets = caught.value.render().split("\n")
    assert quoted == "  \tP0\t|\tQ1\t;"
    assert carets == "  \t  \t \t^^"


def test_lines_that_end_as_on_windows_are_quoted_without_their_end() -> None:
    with pytest.raises(TestError) as caught:
        parse(f"{HEAD} Q0 ;\n nop ;\n".replace("\n", "\r\n"))
    assert caught.value.render().split("\n")[1:] == ["   Q0 ;", "   ^^"]


def test_messages_quote_the_line_as_it_was_written() -> None:
    error = fails(
        f"{HEAD} P0 (* the first *) | ▸Q1 // bad\n ;\n nop | nop ;\n", "expected a thread"
    )
    assert "   P0 (* the first *) | Q1 // bad" in error.render()
