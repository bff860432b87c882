"""What the names mean that a model finds bound, and the constants `{}`, `0` and `_`."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, NONE, counts, place


@pytest.mark.parametrize(
    "text",
    [
        "empty [IW] & int",
        "empty (IW*IW) & ext",
        "empty (IW*(M\\IW)) \\ ext",
        "empty [M\\IW] \\ int",
        "empty [M] \\ loc",
        "empty (_;_) \\ (_*_)",
        "empty (_*_) \\ (_;_)",
        "empty {}* \\ id",
        "~empty {}?",
        "empty {}*W",
        "empty [{}]",
        "empty ~_",
        "empty 0 ; foo",
        "empty (po & rf) ; foo",
        "empty po & rf",
        "empty {}+",
        "empty domain {}",
        "empty po & (IW * _)",
        "empty rf \\ loc",
        "empty rf \\ (W * R)",
        "empty R \\ range rf",
        "empty (rf ; rf^-1) \\ id",
        "empty M & F",
        "empty W & R",
        "empty IW \\ W",
    ],
)
def test_what_holds(text: str) -> None:
    assert counts(text) == ALL


@pytest.mark.parametrize(
    "text", ["empty [M] \\ int", "empty (_*_) \\ (int|ext)", "empty {} | W", "empty W"]
)
def test_what_does_not_hold(text: str) -> None:
    assert counts(text) == NONE


@pytest.mark.parametrize(
    ("text", "line_and_column"),
    [
        ("empty foo ; 0", (1, 7)),
        ("empty 0 & W", (1, 7)),
        ("empty po & W", (1, 7)),
        ("empty co", (1, 7)),
        ("empty fr", (1, 7)),
    ],
)
def test_what_is_wrong(text: str, line_and_column: tuple[int, int]) -> None:
    assert place(text) == line_and_column


def test_names_may_be_bound_anew() -> None:
    assert counts("let W = W \\ IW\nempty W & IW") == ALL
    assert counts("let rf = po\nempty rf \\ po") == ALL
    # The primitives go on with what was there before.
    assert counts("let po = 0\n~empty fromto F") == ALL
