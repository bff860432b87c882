"""Small models run on a store-buffering test of PTX, which has four candidate executions.

Both threads write one location and read the other; `exists` asks for both reads to read 0, which
one of the four candidates does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from catpy.arch.program import Options
from catpy.cat.dialect import Dialect
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Library
from catpy.errors import CatpyError, ModelError
from catpy.execution import Outcome, run_test
from tests.support import MODELS, test_of

STORE_BUFFERING = r"""PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
 st.relaxed.gpu [x], 1  | st.relaxed.gpu [y], 1  ;
 fence.sc.gpu           | fence.acq_rel.sys      ;
 ld.weak r0, [y]        | ld.weak r1, [x]        ;
exists (0:r0=0 /\ 1:r1=0)
"""

ALL = (1, 3)
NONE = (0, 0)


def outcome(
    text: str,
    variants: Sequence[str] = (),
    settings: Settings | None = None,
    dialect: Dialect = Dialect.HERD,
    files: dict[str, str] | None = None,
    bells: Sequence[str] = (),
) -> Outcome:
    """What a model makes of the test; `files` are beside it, to be included or read as bells."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"model.cat": text, **(files or {})}.items():
            Path(folder, name).write_text(content, encoding="utf-8")
        names = frozenset(name.lower() for name in variants)
        library = Library([Path(folder), MODELS], dialect, names, bells)
        model = library.load(str(Path(folder, "model.cat")))
        settings = settings or Settings(variants=names)
        return run_test(test_of(STORE_BUFFERING), model, Options(), settings)


def counts(text: str, variants: Sequence[str] = ()) -> tuple[int, int]:
    """The numbers of executions with and without the state that the test asks for."""
    found = outcome(text, variants)
    return found.positive, found.negative


def equal(left: str, right: str, before: str = "") -> bool:
    """Whether two expressions have the same members in every candidate."""
    checks = f"empty ({left}) \\ ({right})\nempty ({right}) \\ ({left})"
    return counts(f"{before}\n{checks}") == ALL


def problem(text: str, kind: type[CatpyError] = ModelError) -> tuple[str, int, int]:
    """The message of what is wrong with a model, with its line and column."""
    with pytest.raises(kind) as caught:
        outcome(text)
    span = caught.value.span
    assert span is not None
    return (caught.value.message, *span.source.position(span.start))


def place(text: str) -> tuple[int, int]:
    """The line and column of what is wrong with a model."""
    _, line, column = problem(text)
    return line, column
