"""Files that are no text, or not the text they should be: where they are wrong is said."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from catpy.cli import main

MODEL = "let a = po\nempty a as x\n"
TEST = "PTX t\n{ x=0; }\nP0 { ld r0, [x]; }\n"


def errors(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of standard error of a call that has to fail."""
    assert main(arguments) == 2
    return capsys.readouterr().err.splitlines()


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_test_that_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_bytes(b"\xef\xbb\xbfPTX t\r\n{ \xc3\xa9\xff }\r\n")
    first, line, caret = errors(capsys, "run", "t.litmus")
    assert first.startswith("t.litmus:2:4: error: t.litmus is not a UTF-8 text (")
    assert (line, caret) == ("  { é� }", "     ^")


def test_standard_input_that_is_no_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PTX t\n\xff")))
    assert errors(capsys, "run", "-")[0].startswith("<stdin>:2:1: error: <stdin> is not a UTF-8")


def test_standard_input_with_a_byte_order_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + TEST.encode())))
    assert main(["run", "-"]) == 0


def test_a_model_that_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_text(TEST)
    Path("m.cat").write_bytes(MODEL.encode() + b"\xfe")
    found = errors(capsys, "run", "-m", "m.cat", "t.litmus")
    assert found[0].startswith("m.cat:3:1: error: m.cat is not a UTF-8 text (")


def test_verdicts_that_are_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("v.tsv").write_bytes(b"file\tptx\nt\xff.litmus\tOk\n")
    assert errors(capsys, "run", "--check", "v.tsv")[0].startswith("v.tsv:2:2: error: v.tsv is not")


@pytest.mark.parametrize("text", ["{", '{"schema": 1,\n "tests": [}]', ""])
def test_a_table_that_is_none(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.json").write_text(text)
    first, line, caret = errors(capsys, "table", "t.json")
    number = 2 if "\n" in text else 1
    assert first.startswith(f"t.json:{number}:")
    assert "t.json is no outcome table: " in first
    assert line.strip() == text.rsplit("\n", maxsplit=1)[-1].strip()
    assert set(caret.strip()) == {"^"}


def test_a_line_of_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    Path("first.litmus").write_text(TEST)
    Path("last.litmus").write_text(TEST)
    Path("all").write_bytes(b"first.litmus # the first\r\n\r\n  frist.litmus\r\nlast.litmus\r\n")
    assert main(["run", "--format", "table", "@all"]) == 2
    out, err = capsys.readouterr()
    first, line, caret, hint, *_ = err.splitlines()
    assert first == "all:3:3: error: there is no file frist.litmus"
    assert (line, caret) == ("    frist.litmus", "    ^^^^^^^^^^^^")
    assert hint == "  hint: did you mean `first.litmus`?"
    # The other tests of the list are run.
    assert len(out.splitlines()) == 3


def test_a_list_with_a_byte_order_mark(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_text(TEST)
    Path("all").write_bytes(b"\xef\xbb\xbft.litmus\n")
    assert main(["run", "@all"]) == 0


def test_characters_that_cannot_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_text(TEST.replace("ld r0", "\x1b[2Jld r0"))
    first, line, caret = errors(capsys, "run", "t.litmus")
    assert first == "t.litmus:3:6: error: unexpected character `<U+001B>`"
    assert (line, caret) == ("  P0 { �[2Jld r0, [x]; }", "       ^")


def test_characters_that_take_two_columns(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_text('PTX t\n"读 e\u0301"\n{ (* 读写 *) x=0; #读 }\nP0 { nop; }\n')
    _, line, caret = errors(capsys, "run", "t.litmus")
    assert line == "  { (* 读写 *) x=0; #读 }"
    assert caret == "  " + " " * len("{ (* 1234 *) x=0; ") + "^"


RECORD = """{"name": "t", "file": "t.litmus", "verdict": "Ok", "kind": "forall", "condition": "",
  "observation": "Never", "hash": "", "positive": 0, "negative": 0, "candidates": 0, "stuck": 0,
  "cut": 0, "states": [], "flags": [], "bounded": false, "time": 0.1, "error": null}"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Ok"', '"ok"', "test 2: `ok` is no verdict: Ok, No, Undefined, Incomplete, Error"),
        ('"stuck": 0', '"stuck": -1', "test 2: `stuck` is not a number from 0 on"),
        ('"cut": 0', '"cut": true', "test 2: `cut` is of a wrong type"),
        ("0.1", "NaN", "test 2: `time` is not a number from 0 on"),
        ('"time": 0.1, ', "", "test 2: `time` is missing"),
        ("[]", f"[{'[' * 100_000}", "nested too deeply"),
        ("0.1", "1" * 5000, "a number is too long"),
    ],
)
def test_a_test_of_a_table_that_is_none(
    old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = RECORD.replace(old, new, 1)
    Path("t.json").write_text(f'{{"schema": 1, "model": "m", "tests": [{RECORD}, {wrong}]}}')
    assert errors(capsys, "table", "t.json") == [f"error: t.json is no outcome table: {message}"]


@pytest.mark.parametrize("name", ["a b", "let", "1", "é", "(po)", "po|rf", ""])
def test_definitions_of_what_is_no_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_text(TEST)
    found = errors(capsys, "run", "-D", f"{name}=po", "t.litmus")
    assert found == [f"error: -D takes name=expression, not `{name}=po`"]


def test_a_definition_that_nothing_uses(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.litmus").write_text(TEST)
    assert main(["run", "-D", "causalty=0", "t.litmus"]) == 0
    first, *_, hint = capsys.readouterr().err.splitlines()
    assert first.startswith("-D causalty:1:1: warning: nothing in the model uses the name `causal")
    assert "`causality`" in hint
    assert main(["run", "-D", "mine=0", "-D", "causality=mine", "t.litmus"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("address", ["tcp://", "tcp://host", "there://host:1", "host:1"])
def test_addresses_of_no_cluster(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    Path("t.litmus").write_text(TEST)
    first, hint = errors(capsys, "run", "--cluster", address, "t.litmus")
    assert first == f"error: `{address}` is no address of a cluster"
    assert "tcp://127.0.0.1:8786" in hint
