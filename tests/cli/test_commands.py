"""The command as a user calls it: what it prints where, and its exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from catpy.cli import main
from tests.cli.helpers import MP, weaker_model

# run


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ("run --modle sc mp.litmus", "`catpy run` does not take `--modle`", "`--model`"),
        ("run --tiemout=3 mp.litmus", "does not take `--tiemout=3`", "`--timeout`"),
        ("run -v mp.litmus", "`catpy run` does not take `-v`", "`catpy run --help`"),
        ("eval mp.litmus other.litmus", "does not take `other.litmus`", "`catpy eval --help`"),
    ],
)
def test_what_a_command_does_not_take(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: str, message: str, hint: str
) -> None:
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    first, second, *rest = err.split("\n")
    assert (out, rest) == ("", [""])
    assert message in first
    assert hint in second


def test_two_models_are_for_diff(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "-m", "ptx", "-m", "sc", "mp.litmus"])
    assert ended.value.code == 2
    assert "there is one already: `catpy diff" in capsys.readouterr().err


def test_run_prints_the_log_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "mp.litmus"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Test MP+small Forbidden\nStates 3\n")
    assert err == ""


def test_a_variant_of_the_instructions_is_no_unknown_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A compare-and-swap that fails and writes back races with the other write."""
    columns = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak [x], 1 | atom.cas.b32 r0, [x], 5, 6 ;"
    (folder / "cas.litmus").write_text(f"PTX CAS\n{{ x=0; }}\n{columns}\nexists (x=0)\n")
    assert main(["run", "--format", "table", "cas.litmus"]) == 0
    assert "CAS   No" in capsys.readouterr().out
    assert main(["run", "--format", "table", "--variant", "CAS-writes-back", "cas.litmus"]) == 0
    out, err = capsys.readouterr()
    assert ("CAS   Ok" in out, err) == (True, "")
    assert main(["run", "--variant", "cas-writes-bak", "cas.litmus"]) == 0
    assert "did you mean `cas-writes-back`?" in capsys.readouterr().err


def test_a_failing_condition_alone_is_no_failure(folder: Path) -> None:
    assert main(["run", "-m", weaker_model(folder), "mp.litmus"]) == 0


def test_what_is_odd_about_a_model_is_said_and_no_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "odd.cat").write_text("flag ~empty po\n")
    assert main(["run", "-m", "odd.cat", "mp.litmus", "mp.litmus"]) == 0
    warning = "odd.cat:1:1: warning: this flag has no name: nothing is recorded [unnamed-flag]\n"
    shown = "  flag ~empty po\n  ^^^^^^^^^^^^^^\n  hint: add `as NAME`\n"
    assert capsys.readouterr().err == warning + shown
    (folder / "odd.cat").write_text('PTX\ninclude "nowhere.cat"\n')
    assert main(["run", "--cat-dialect", "dat3m", "-m", "odd.cat", "mp.litmus"]) == 0
    assert "odd.cat:2:1: warning: cannot find the included file" in capsys.readouterr().err


def test_run_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(MP))
    assert main(["run", "-"]) == 0
    assert "Test MP+small Forbidden" in capsys.readouterr().out


def test_run_takes_folders_and_lists(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "other.litmus").write_text(MP.replace("MP+small", "other"))
    (folder / "deep" / "list").write_text("# a comment\n../mp.litmus\nother.litmus # the same\n")
    assert main(["run", "--format", "json", "."]) == 0
    everything = json.loads(capsys.readouterr().out)
    assert [test["name"] for test in everything["tests"]] == ["other", "MP+small"]
    assert main(["run", "--format", "json", "@deep/list"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [test["name"] for test in listed["tests"]] == ["MP+small", "other"]


def test_one_bad_test_is_reported_and_the_others_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.litmus").write_text(MP.replace("st.release", "st.acquire"))
    assert main(["run", "nosuch.litmus", "bad.litmus", "mp.litmus"]) == 2
    out, err = capsys.readouterr()
    assert "Test MP+small Forbidden" in out
    assert "error: there is no file nosuch.litmus" in err
    assert "bad.litmus:5:5: error: there is no `st.acquire`" in err
    assert "catpy: 2 of 3 could not be run" in err


def test_a_mistake_in_a_model_is_said_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.litmus").write_text(MP)
    (folder / "odd.cat").write_text("acyclic poo as sc\n")
    assert main(["run", "-m", "odd.cat", "."]) == 2
    err = capsys.readouterr().err
    assert err.count("unbound name `poo`") == 1
    assert "did you mean `po`" in err


BAD_MODELS = {
    "let x = po |\nacyclic x": "odd.cat:2:1: error: expected an expression, found `acyclic`",
    "acyclic W": "odd.cat:1:9: error: expected a relation, but this is an event set",
    'include "odd.cat"': "odd.cat:1:1: error: this include runs in a circle",
    'include "missing.cat"': "odd.cat:1:1: error: cannot find the included file `missing.cat`",
    "(* open": "odd.cat:1:1: error: this comment is not closed",
    "let x = $": "odd.cat:1:9: error: unexpected character `$`",
    "empty po & W": "odd.cat:1:7: error: cannot intersect a relation and an event set",
}


@pytest.mark.parametrize("text", BAD_MODELS)
def test_a_wrong_model_is_one_message_with_its_place(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "odd.cat").write_text(text)
    assert main(["run", "-m", "odd.cat", "mp.litmus"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(BAD_MODELS[text])
    assert "^" in err
    assert "Traceback" not in err


BAD_CALLS = {
    ("run", "-m", "ptxx", "mp.litmus"): "no model `ptxx`",
    ("run",): "no tests",
    ("run", "empty"): "there are no tests (*.litmus) in empty",
    ("run", "@nolist"): "cannot read the list nolist",
    ("run", "--skip", "Causalty", "mp.litmus"): "no check `Causalty` to skip",
    ("run", "--check", "none.tsv"): "cannot read the verdicts none.tsv",
    ("run", "--column", "ptx", "mp.litmus"): "--column goes with --check",
    ("run", "-I", "nowhere", "mp.litmus"): "-I: there is no folder nowhere",
    ("run", "-o", "no/where.json", "mp.litmus"): "cannot write no/where.json",
    ("diff", "-m", "ptx", "mp.litmus"): "diff takes two models",
    ("diff", "one.json"): "diff takes two tables",
    ("diff", "one.json", "two.json"): "cannot read one.json",
    ("table", "one.json"): "cannot read one.json",
}


@pytest.mark.parametrize("call", BAD_CALLS)
def test_a_wrong_call_is_one_message(
    call: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty").mkdir()
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert BAD_CALLS[call] in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "call", [["run", "--unroll", "-1", "x"], ["run", "--unroll", "x", "x"], []]
)
def test_a_wrong_option_is_a_usage_error(call: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(call)
    assert caught.value.code == 2


def test_skip_leaves_a_check_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--skip", "Causality", "mp.litmus"]) == 0
    assert "\nNo\n" in capsys.readouterr().out


def test_a_model_is_found_in_the_folders_of_i_and_of_the_environment(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    weaker_model(folder)
    assert main(["run", "-I", "copy", "-m", "ptx", "mp.litmus"]) == 0
    assert "\nNo\n" in capsys.readouterr().out
    monkeypatch.setenv("CATPY_PATH", str(folder / "copy"))
    assert main(["run", "-m", "ptx", "mp.litmus"]) == 0
    assert "\nNo\n" in capsys.readouterr().out


def test_installed_tests_are_found_from_any_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "litmus/isa/SB.litmus"]) == 0
    assert "Test SB Allowed" in capsys.readouterr().out


# diff and table


def test_diff_of_two_models_and_of_their_tables(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weaker = weaker_model(folder)
    assert main(["diff", "-m", "ptx", "-m", weaker, "mp.litmus"]) == 1
    models = capsys.readouterr().out
    assert "MP+small: Ok → No" in models
    assert "  + 1:r0=1; 1:r1=0; (1 execution)" in models
    assert main(["run", "-m", "ptx", "-o", "a.json", "mp.litmus"]) == 0
    assert main(["run", "-m", weaker, "-o", "b.json", "mp.litmus"]) == 0
    capsys.readouterr()
    assert main(["diff", "a.json", "b.json"]) == 1
    assert capsys.readouterr().out == models


def test_diff_of_a_model_with_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "-m", "ptx", "-m", "ptx", "mp.litmus"]) == 0
    assert capsys.readouterr().out == "no difference (1 test)\n"


def test_table_of_two_models(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model in ("ptx", "sc"):
        assert main(["run", "-m", model, "-o", f"{model}.json", "mp.litmus"]) == 0
    capsys.readouterr()
    assert main(["table", "ptx.json", "sc.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        ["test", "ptx", "sc"],
        ["MP+small", "Ok", "Never", "Ok", "Never"],
    ]


def test_list_names_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert "  ptx-v6.0\n" in out
    assert "  litmus/isa (" in out
