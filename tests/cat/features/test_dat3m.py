"""Dat3M's dialect: what its models find and how they are read, on real executions."""

from __future__ import annotations

import pytest

from catpy.cat.dialect import Dialect
from catpy.cat.loader import Library
from catpy.errors import ModelError
from tests.cat.features.running import ALL, NONE, outcome
from tests.support import MODELS, model_of


def counts(text: str) -> tuple[int, int]:
    """The executions with and without the state asked for."""
    found = outcome(f"PTX\n{text}", dialect=Dialect.DAT3M)
    return found.positive, found.negative


def equal(left: str, right: str) -> bool:
    return counts(f"empty ({left}) \\ ({right})\nempty ({right}) \\ ({left})") == ALL


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("~W*R", "~(W * R)"),
        ("R * ~M", "R * F"),
        ("po -1", "po^-1"),
        ("po^*", "po*"),
        ("po^+", "po+"),
        ("po^?", "po?"),
        ("~po+", "~(po+)"),
        ("unheard-of", "emptyset"),
        ("W & NoSuchTag", "emptyset"),
        ("[UnknownTag]; po", "0"),
        ("fr", "rf^-1; co"),
        ("po-loc", "po & loc"),
        ("rfe | rfi", "rf"),
        ("coe | coi", "co"),
        ("fre | fri", "fr"),
        ("fencerel(F)", "po & (W * R)"),
        ("amo", "rmw"),
        ("lxsx | casdep", "0"),
        ("toid(R)", "[R]"),
        ("range(rf)", "R"),
    ],
)
def test_expressions(left: str, right: str) -> None:
    assert equal(left, right)


@pytest.mark.parametrize(
    "comment", ["/* (* one */", "(* (* flat *)", "// to the end /*", "/* over\nlines */"]
)
def test_comments_do_not_nest(comment: str) -> None:
    assert counts(f"{comment}\nempty 0 {comment}\nempty emptyset") == ALL


def test_coherence_is_a_choice_that_counts_once() -> None:
    assert counts("") == ALL
    assert counts("empty co & (IW * IW)\nempty ((IW * (W \\ IW)) & loc) \\ co") == ALL
    assert counts("empty co; co\nempty co \\ loc") == ALL


def test_the_order_of_fences_is_a_choice_among_fences_whose_scopes_match() -> None:
    assert counts("empty sync_fence") == ALL  # one of the two is no fence.sc
    assert counts("~empty sync_fence") == NONE


def test_a_file_that_is_not_there_is_passed_over_with_a_warning() -> None:
    assert counts('include "nowhere.cat"\nempty 0') == ALL


def test_the_warning_says_where(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("dat3m")
    (folder / "m.cat").write_text('PTX\nlet x = po\ninclude "nowhere.cat"\n')
    model = Library([MODELS], Dialect.DAT3M).load(str(folder / "m.cat"))
    (warning,) = model.warnings
    assert "cannot find the included file `nowhere.cat`" in warning.message
    assert warning.span is not None
    assert warning.span.source.position(warning.span.start) == (3, 1)


def test_a_comment_asks_for_the_dialect(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("dialect")
    text = "(* cat-dialect: dat3m *)\nPTX\nempty unheard-of\nempty ~W*R & W*R\n"
    assert model_of(text, folder).dialect is Dialect.DAT3M
    with pytest.raises(ModelError):
        model_of(text.replace("dat3m", "herd"), folder)


@pytest.mark.parametrize("word", ["from", "with", "in", "default", "not", "match", "instructions"])
def test_words_of_the_other_reader_are_names(word: str) -> None:
    assert counts(f"let {word} = po\nempty {word} \\ po") == ALL


def test_names_begin_with_what_they_like() -> None:
    assert counts("let 1st = po\nlet -x.y = 1st\nempty -x.y \\ po") == ALL
