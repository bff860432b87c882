"""`catpy model`, and what `catpy run` says of a model with mistakes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catpy.cli import main
from tests.support import ISA, MODELS

GOLDEN = Path(__file__).parent / "golden"
SMALL = str(ISA / "CoWW.litmus")

MISTAKES = """"Five mistakes"
let strong = R & RXL
let a = po | W
let f(x, y) = x; y
acyclic f(po, rf, po) as A
include "nope.cat"
acyclic a & strong | (let y = | z) as Q
let unused = po
empty rf \\ po
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATPY_PATH", "")
    return tmp_path


def without_root(text: str) -> str:
    return text.replace(str(MODELS), "models")


@pytest.mark.parametrize("name", ["ptx", "sc", "tso", "ptx-v6.0", "ptx-v7.5", "cos.cat"])
def test_report_of_an_installed_model(
    name: str,
    capsys: pytest.CaptureFixture[str],
    golden: Callable[[Path, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a relative path: the width of a column must not depend on where the files are."""
    monkeypatch.chdir(MODELS.parent)
    assert main(["model", "-I", MODELS.name, name]) == 0
    golden(GOLDEN / f"model-{name}.text", capsys.readouterr().out)


@pytest.mark.parametrize("form", ["text", "json"])
def test_report_of_mistakes(
    folder: Path,
    form: str,
    capsys: pytest.CaptureFixture[str],
    golden: Callable[[Path, str], None],
) -> None:
    (folder / "five.cat").write_text(MISTAKES)
    assert main(["model", "five.cat", "--format", form]) == 2
    golden(GOLDEN / f"mistakes.{form}", without_root(capsys.readouterr().out))


def test_planted_mistakes_in_a_copy(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five kinds, each on its line."""
    text = (MODELS / "ptx.cat").read_text(encoding="utf-8")
    plants = [
        ("let strong-read = R & (RLX | ACQ)", "let strong-read = R & (RXL | ACQ)"),
        ("let ms = (related & alike) \\ id", "let ms = (related & alike \\ id"),
        ("let co = (sca; (co-ms | ", "let co = (sca; (W | "),
        (
            "orientations([W]; ((ms & loc) | (mixed-atomic & loc)); [W], causality)",
            "orientations([W], loc, [W])",
        ),
        ("empty rmw & ((ms & fr); (ms & co)) as Atomicity", 'include "atomicity.cat"'),
    ]
    lines = []
    for before, after in plants:
        assert before in text
        text = text.replace(before, after)
    for number, line in enumerate(text.splitlines(), 1):
        lines += [number for _, after in plants if after in line]
    (folder / "copy.cat").write_text(text)
    assert main(["model", "copy.cat"]) == 2
    out = capsys.readouterr().out
    found = sorted({int(line) for line in re.findall(r"^copy.cat:(\d+):\d+: error", out, re.M)})
    # The parenthesis that is not closed is missed where the next statement begins.
    unclosed = lines[1]
    assert [line for line in lines if line != unclosed] == [x for x in found if x in lines]
    assert len(found) == 5


def test_run_reports_all_errors_once_and_no_warnings(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "five.cat").write_text(MISTAKES)
    assert main(["run", "-m", "five.cat", SMALL, str(ISA / "MP.litmus")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count(": error: ") == 5
    assert "warning" not in err


def test_run_swallows_what_the_evaluator_swallows(folder: Path) -> None:
    (folder / "try.cat").write_text("let x = try foo with 0\nlet y = bar\nempty x as A\n")
    assert main(["run", "-m", "try.cat", SMALL]) == 0


@pytest.mark.parametrize("part", [["--deps"], ["--deps", "dot"], ["--explain", "ms"]])
def test_json_is_the_whole_report(part: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "ptx", "--format", "json", *part]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "--format json" in err


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--deps"], "order: M addr api barorder completes data issued phase po syncbar\n"),
        (["--deps", "dot"], '[label="SC", shape=box];\n'),
        (["--explain", "fr"], "  let fr = rf^-1; co\n"),
        (["--explain", "fr"], "where with co from orientations(W * W & loc, IW * W)\n"),
    ],
)
def test_graphs_and_explanations(
    arguments: list[str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["model", "sc", *arguments]) == 0
    assert wanted in capsys.readouterr().out


def test_functions_are_applied_where_they_are_unfolded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.cat").write_text(
        "let f(x, y) = x; [y]\nlet g x = f(x | po, W)\nlet r = g rf\nempty r as A\n"
    )
    assert main(["model", "m.cat", "--explain-all", "r"]) == 0
    assert "      r = (rf | po); [W]\n" in capsys.readouterr().out
    assert main(["model", "m.cat", "--explain", "r"]) == 0
    assert "      r = f(rf | po, W)\n" in capsys.readouterr().out


def test_an_unknown_name_to_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "ptx", "--explain", "causalty"]) == 2
    assert "did you mean `causality`" in capsys.readouterr().err


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "ptx", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["diagnostics"] == []
    assert data["extensions"] == ["orientations", "some"]
    assert {"name": "fence_sc", "form": "some"}.items() <= data["choices"][0].items()


HUGE = {
    "parentheses": f"let x = {'(' * 3000}po{')' * 3000}\nacyclic x as A",
    "complements": f"acyclic {'~' * 3000}po as A",
    "differences": f"acyclic {'po & ' * 3000}po as A",
    "closures": f"acyclic po{'+ ' * 3000} as A",
    "doubling": "let f0 x = x\n"
    + "".join(f"let f{i} x = f{i - 1} (f{i - 1} (x; x))\n" for i in range(1, 40))
    + "acyclic f39 po as A",
    "endless": "let rec f x = f (fun y -> x)\nacyclic f po as A",
    "procedures": "procedure p() = " * 500 + "empty po" + " end" * 500,
}


@pytest.mark.parametrize("name", HUGE)
def test_deep_models(name: str, folder: Path) -> None:
    (folder / "deep.cat").write_text(HUGE[name])
    assert main(["model", "deep.cat"]) in (0, 2)
    assert main(["model", "deep.cat", "--deps"]) in (0, 2)


def test_includes_that_double(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(40):
        text = f'include "m{number + 1}.cat"\n' * 2
        (folder / f"m{number}.cat").write_text(text)
    (folder / "m40.cat").write_text("empty po as A\n")
    assert main(["model", "m0.cat"]) == 2
    assert "more than 500 times" in capsys.readouterr().out


def test_a_model_of_five_hundred_lines_takes_no_time(folder: Path) -> None:
    text = (MODELS / "ptx.cat").read_text(encoding="utf-8")
    (folder / "long.cat").write_text('include "cos.cat"\n' + text * 4)
    started = time.perf_counter()
    main(["model", "long.cat"])
    assert time.perf_counter() - started < 5  # 0.3 s on an idle machine


def edited(text: str, edits: list[tuple[str, int, int]]) -> str:
    """Random edits of characters and tokens: places are taken modulo the length."""
    for kind, place, other in edits:
        pieces = re.findall(r"[\w.'-]+|\s+|.", text) if kind.startswith("token") else list(text)
        if not pieces:
            return text
        at, to = place % len(pieces), other % len(pieces)
        match kind.removeprefix("token-"):
            case "delete":
                del pieces[at]
            case "double":
                pieces.insert(at, pieces[at])
            case "swap":
                pieces[at], pieces[to] = pieces[to], pieces[at]
            case "insert":
                pieces.insert(at, pieces[to])
        text = "".join(pieces)
    return text


KINDS = ["delete", "double", "swap", "insert"]
EDITS = st.lists(
    st.tuples(
        st.sampled_from([*KINDS, *(f"token-{kind}" for kind in KINDS)]),
        st.integers(0, 10**5),
        st.integers(0, 10**5),
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(sorted(MODELS.glob("**/*.cat"))), EDITS)
def test_edited_models_give_an_answer(
    folder: Path, path: Path, edits: list[tuple[str, int, int]]
) -> None:
    (folder / "edited.cat").write_text(edited(path.read_text(encoding="utf-8"), edits))
    started = time.perf_counter()
    assert main(["model", "edited.cat"]) in (0, 2)
    assert main(["run", "-m", "edited.cat", SMALL]) in (0, 1, 2)
    assert time.perf_counter() - started < 60
