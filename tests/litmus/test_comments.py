"""Comments `//`, `/* */` and `(* *)`, wherever they stand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.litmus.digest import digest
from catpy.litmus.syntax import LitmusTest
from tests.litmus.helpers import parse

COLUMNS = """PTX t
"a doc // with /* what (* looks like comments"
{ x=0; .global .u32 a [ 2 ] = { 1 , 2 } ; y aliases x ; 0:r1 = a }
 P0 @ cta 0 , gpu 0 | P1 @ cta 1 , gpu 0 ;
 st.weak [x] , 1 | L0: ld.weak r0 , [x] ;
 fence.sc.gpu | beq r0 , 0 , L0 ;
locations [ x ; 1:r0 ; ]
filter ( x = 1 )
exists ( 1:r0 = 1 /\\ x = 0 \\/ not ( [ y ] = 3 ) )
"""

BLOCKS = """PTX t
"a doc // with /* what (* looks like comments"
{ x=0; }
P0 @ cta 0 , gpu 0 { st.weak [x] , 1 ; fence.sc.gpu ; }
P1 @ cta 1 , gpu 0 { L0: ld.weak r0 , [x] ; beq r0 , 0 , L0 ; }
exists ( 1:r0 = 1 => x = 0 )
"""

COMMENTS = {
    "line": ' // one | two ; { } exists (x=7) "\n',
    "c": ' /* one | two ; { } exists * / (x=7)\n ** // " */ ',
    "herd": ' (* one | two ; (* nested *) } exists (x=7)\n // " *) ',
}


def meaning(test: LitmusTest) -> tuple[object, ...]:
    """What a text says, without places."""
    return (
        test.name,
        test.arch,
        test.doc,
        [(type(item).__name__, re.sub(r"Span\([^)]*\)", "", repr(item))) for item in test.init],
        [
            (thread.number, thread.placement, [" ".join(c.text.split()) for c in thread.cells])
            for thread in test.threads
        ],
        [observable for observable, _ in test.locations],
        test.filter,
        test.quantifier,
        test.condition,
        digest(test),
    )


def gaps(text: str) -> list[int]:
    """Where a text has white space that is not in a quoted text."""
    quoted = [found.span() for found in re.finditer(r'"[^"]*"', text)]
    found = [match.start() for match in re.finditer(r"\s+", text)]
    return [at for at in found if not any(start < at < end for start, end in quoted)]


def with_comments(text: str, comment: str, places: list[int]) -> str:
    for at in sorted(places, reverse=True):
        text = text[:at] + comment + text[at:]
    return text


@pytest.mark.parametrize("text", [COLUMNS, BLOCKS], ids=["columns", "blocks"])
@pytest.mark.parametrize("comment", COMMENTS.values(), ids=COMMENTS)
def test_comments_in_every_gap_at_once_change_nothing(text: str, comment: str) -> None:
    commented = with_comments(text, comment, [0, *gaps(text)])
    assert meaning(parse(commented)) == meaning(parse(text))


@settings(deadline=None, max_examples=40)
@given(data=st.data(), comment=st.sampled_from(list(COMMENTS.values())))
def test_comments_in_some_gaps_change_nothing(data: st.DataObject, comment: str) -> None:
    text = data.draw(st.sampled_from([COLUMNS, BLOCKS]))
    places = data.draw(st.lists(st.sampled_from(gaps(text)), unique=True, max_size=4))
    assert meaning(parse(with_comments(text, comment, places))) == meaning(parse(text))


@pytest.mark.parametrize("comment", ["// end", "/* end */", "(* end *)", "/**/", "(**)", "/***/"])
def test_a_comment_may_end_the_file(comment: str) -> None:
    assert meaning(parse(COLUMNS + comment)) == meaning(parse(COLUMNS))


@pytest.mark.parametrize("comment", ["/* c */", "(* c *)", "/*/ c */", "(*) c *)"])
def test_comments_may_touch_their_neighbours(comment: str) -> None:
    text = "PTX t {x=0;} P0@cta 0 ; ld.weak r0,[x] ; exists (0:r0=1)"
    touching = re.sub(r"(?<=[,;=}])", comment, text)
    assert meaning(parse(touching))[:4] == meaning(parse(text))[:4]
    assert parse(touching).condition == parse(text).condition


def test_a_comment_separates_words() -> None:
    test = parse("PTX/* */t\n{ int(**)x=1; }\n P0@cta/**/0 ;\n ld/**/r0, [x] ;\n")
    assert test.name == "t"
    assert test.threads[0].placement == (("cta", 0),)


def test_herd_comments_nest_and_c_comments_do_not() -> None:
    text = "PTX t\n{ }\n P0 ;\n nop ;\nexists (x=0)\n"
    assert parse(text + "(* a (* b *) c *)").condition == parse(text).condition
    assert parse(text + "/* a /* b */").condition == parse(text).condition


def test_other_kinds_within_a_comment_mean_nothing() -> None:
    text = "PTX t\n{ }\n P0 ;\n nop ;\nexists (x=0)\n"
    for comment in ("/* (* */", "(* /* *)", "// (* /*", "/* // */", "(* // *)"):
        assert parse(text + comment).condition == parse(text).condition


def test_a_quote_in_a_comment_opens_no_text() -> None:
    text = 'PTX t // say "this\n{ x=0; } (* and " that *)\n P0 ;\n nop ; /* " */\nexists (x=0)\n'
    test = parse(text)
    assert test.doc == ""
    assert len(test.init) == 1
    assert test.has_condition


@pytest.mark.parametrize("doc", ["see https://a.b/c", "(* open", "/* open", "a *) b */ c"])
def test_quoted_texts_are_left_alone(doc: str) -> None:
    test = parse(f'PTX t\n"{doc}"\n{{ x=0; }}\n P0 ;\n nop ;\nexists (x=0)\n')
    assert test.doc == doc
    assert len(test.init) == 1


def test_a_line_comment_ends_with_its_line() -> None:
    test = parse("PTX t\n{ x=0; // y=0;\n z=0; }\n P0 ; // | P1\n nop ;\nexists (x=0)\n")
    assert len(test.init) == 2
    assert len(test.threads) == 1


def test_places_are_those_of_the_text_with_its_comments() -> None:
    test = parse("PTX t (* two\nlines *)\n{ }\n P0 ;\n /* c */ nop ;\n")
    assert str(test.threads[0].cells[0]) == "t.litmus:5:10"


def test_messages_quote_the_line_with_its_comments() -> None:
    span = parse("PTX t\n{ }\n P0 ;\n /* c */ nop ; // d\n").threads[0].cells[0]
    assert span.excerpt() == "   /* c */ nop ; // d\n           ^^^"
