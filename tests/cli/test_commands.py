"""The command as a user calls it: what it prints where, and its exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.arch.program import Options
from catpy.batch.collect import collect
from catpy.batch.runner import Job
from catpy.cli import main
from catpy.cli.advice import Patience
from tests.support import ISA, MODELS, ROOT

MP = """PTX MP+small
{ x=0; f=0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
 st.weak [x], 1         | ld.acquire.gpu r0, [f] ;
 st.release.gpu [f], 1  | ld.weak r1, [x]        ;
~exists (1:r0=1 /\\ 1:r1=0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a test in it."""
    (tmp_path / "mp.litmus").write_text(MP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def warned(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str, str, str], str]:
    """What is said of a test of one thread with an initial section, some code and a condition."""

    def said(init: str, code: str, condition: str) -> str:
        Path("w.litmus").write_text(f"PTX t\n{{ {init} }}\nP0@cta 0 {{ {code} }}\n{condition}\n")
        assert main(["run", "w.litmus"]) == 0
        return capsys.readouterr().err

    return said


def weaker_model(
    folder: Path, check: str = "irreflexive (rf | fr); causality as Causality\n"
) -> str:
    text = (MODELS / "ptx.cat").read_text(encoding="utf-8")
    assert check in text
    (folder / "copy").mkdir(exist_ok=True)
    path = folder / "copy" / "ptx.cat"
    path.write_text(text.replace(check, ""), encoding="utf-8")
    return str(path)


# run


def test_an_unknown_value_that_is_compared_with_a_number_is_a_warning(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "PTX t\n{ .shared .u32 s[2]; }\n P0@cta 0 ;\n ld.u32 r0, [s+4] ;\n~exists (0:r0=0)\n"
    Path("s.litmus").write_text(text)
    assert main(["run", "s.litmus"]) == 0
    out, err = capsys.readouterr()
    assert "0:r0=unknown:s[1];" in out
    assert err.startswith("warning: t: `0:r0` can be ?s[1], which equals no number\n  hint: ")
    for condition in ("0:r0=?s[1]", "0:r0=0:r0", "true"):
        Path("s.litmus").write_text(text.replace("0:r0=0)", f"{condition})"))
        main(["run", "s.litmus"])
        assert capsys.readouterr().err == ""


def test_an_unknown_value_that_no_memory_holds_is_not_said_to_be_there(
    warned: Callable[[str, str, str], str],
) -> None:
    err = warned("", "div.u32 r0, 1, 0;", "~exists (0:r0=0)")
    assert err == "warning: t: `0:r0` can be ?div(1,0), which equals no number\n"


@pytest.mark.parametrize(
    ("load", "asked", "found"), [("u32", -1, 2**32 - 1), ("s32", 2**32 - 1, -1), ("u8", -1, 255)]
)
def test_a_number_that_only_another_sign_has_is_a_warning(
    warned: Callable[[str, str, str], str], load: str, asked: int, found: int
) -> None:
    code = f"st.{load} [x], -1; ld.{load} r0, [x];"
    err = warned("", code, f"~exists (0:r0={asked})")
    assert err.startswith(f"warning: t: `0:r0` can be {found}, which is not {asked}\n  hint: ")
    assert warned("", code, f"exists (0:r0={found})") == ""
    assert warned("", code, "~exists (0:r0=-2)") == ""


def test_names_of_variables_that_are_misspelt_are_a_warning(
    warned: Callable[[str, str, str], str],
) -> None:
    assert warned("flag=0;", "ld.u32 r0, [flga];", "~exists (0:r0=1)").split("\n") == [
        "w.litmus:3:23: warning: `flga` has no initial value, and is 0",
        "  P0@cta 0 { ld.u32 r0, [flga]; }",
        "                        ^^^^^^",
        "  hint: did you mean `flag`?",
        "",
    ]
    for init, name in (("data0=0;", "data1"), ("", "flga"), ("flag=0; flga=0;", "flga")):
        assert warned(init, f"ld.u32 r0, [{name}];", "~exists (0:r0=1)") == ""


def test_parameters_without_a_value_are_a_warning(warned: Callable[[str, str, str], str]) -> None:
    code = "ld.param.u64 %rd1, [k_param_0];"
    assert "the initial section: `k_param_0 = &x`" in warned("", code, "~exists (0:rd1=1)")
    assert warned("x=0; k_param_0=&x;", code, "exists (0:rd1=x)") == ""


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


def test_a_condition_that_no_final_state_is_held_against_is_a_warning(
    warned: Callable[[str, str, str], str],
) -> None:
    head = "warning: t: there is no final state, so its condition says nothing\n  hint: "
    loop = "mov.u32 r0, 0; L: add.u32 r0, r0, 1; setp.ne.u32 p0, r0, 5; @p0 bra L;"
    cut = "each loop went round 2 times at most: it waits for what never comes, or `--unroll N` "
    assert warned("", loop, "forall (0:r0=0)").startswith(f"{head}{cut}")
    assert warned("", "barrier.sync 0; bar.arrive 1, 1;", "forall (true)") == ""
    stuck = warned("", "bar.sync 0, 2;", "forall (true)")
    assert f"{head}threads wait for ever: `catpy eval TEST` shows how\n" in stuck


def test_a_test_that_takes_long_and_waits_is_told_of_spin(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("loop.litmus").write_text(MP.replace("st.weak [x], 1 ", "L: bra L"))
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for name, options, count in (
        ("loop.litmus", Options(), 1),
        ("loop.litmus", Options(spin=0), 0),
        ("mp.litmus", Options(), 0),
    ):
        (file,), _ = collect([name])
        said: list[str] = []
        patience = Patience(options, said.append)
        patience.start(Job(file))
        patience.tick()
        assert said == []
        now += 11
        patience.tick()
        patience.tick()
        assert len(said) == count


@pytest.mark.parametrize("barrier", ["bar.sync 1, ▸64", "barrier.red.popc.u32 r0, 1, ▸64, p0"])
def test_a_barrier_for_more_threads_than_there_are_is_a_warning(
    warned: Callable[[str, str, str], str], barrier: str
) -> None:
    err = warned("", barrier.replace("▸", "") + ";", "forall (true)")
    column = len("P0@cta 0 { ") + barrier.index("▸") + 1
    message = "this barrier waits for 64 threads, and the CTA has 1 thread here"
    assert err.startswith(f"w.litmus:3:{column}: warning: {message}\n")
    assert warned("", barrier.replace("▸64", "1") + ";", "forall (true)") == ""


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


# --check


def expectations(folder: Path, verdict: str) -> Path:
    path = folder / "v.tsv"
    path.write_text(f"# comment\nfile\tdialect\tptx\tsc\nmp.litmus\tptx\t{verdict}\t-\n")
    return path


def test_check_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expectations(folder, "Ok")
    assert main(["run", "--check", "v.tsv"]) == 0
    out, err = capsys.readouterr()
    assert out == "v.tsv, column ptx: 1 checked, 1 hold, 0 do not, 0 without a verdict\n"
    assert err == ""


def test_check_names_the_row_that_does_not_hold(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expectations(folder, "No")
    assert main(["run", "--check", "v.tsv", "mp.litmus"]) == 1
    assert "v.tsv:3:1: mp: expected No, found Ok" in capsys.readouterr().out


def test_check_takes_another_column_and_runs_no_row_without_a_verdict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expectations(folder, "Ok")
    assert main(["run", "--check", "v.tsv", "--column", "sc"]) == 2
    assert "0 checked" in (out := capsys.readouterr().out)
    assert "nothing was checked" in out
    assert main(["run", "--check", "v.tsv", "-m", "tso"]) == 2
    assert "no column `tso`" in capsys.readouterr().err


def test_check_speaks_beside_a_format_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expectations(folder, "No")
    assert main(["run", "--format", "json", "--check", "v.tsv"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["tests"][0]["verdict"] == "Ok"
    assert "expected No, found Ok" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no header line"),
        ("test\tptx\n", "begins with `file`"),
        ("file\tptx\nmp.litmus\n", "v.tsv:2:1: error: this row has 1 cells"),
        ("file\tptx\nmp.litmus\tYes\n", "v.tsv:2:1: error: `Yes` is no verdict"),
        ("file\tdialect\tptx\nmp.litmus\tcuda\tOk\n", "there is no dialect `cuda`"),
    ],
)
def test_a_wrong_verdict_file_is_one_message(
    text: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "v.tsv").write_text(text)
    assert main(["run", "--check", "v.tsv"]) == 2
    assert message in capsys.readouterr().err


CHECKS = [
    line
    for line in (MODELS / "ptx.cat").read_text(encoding="utf-8").splitlines(keepends=True)
    if line.startswith(("acyclic", "irreflexive", "empty"))
    and not line.endswith(("as Coherence\n", "as Fence-SC\n", "as Single-Copy-Atomicity\n"))
    and "mixed-atomic" not in line
]


@pytest.mark.parametrize("check", CHECKS)
def test_a_copy_of_the_model_without_a_check_fails_some_row(
    check: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = [str(ISA / f"{n}.litmus") for n in ("LB+deps+isa", "Atomicity+isa1", "SCperLoc+ring3")]
    tests.append(str(ISA / "MP+rel+acq.litmus"))
    model = weaker_model(folder, check)
    assert main(["run", "-m", model, "--check", str(ISA / "verdicts.tsv"), *tests]) == 1
    assert "expected Ok, found No" in capsys.readouterr().out


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


# Streams and signals


def catpy(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "catpy", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_a_closed_pipe_ends_quietly() -> None:
    with subprocess.Popen(
        catpy("run", str(ISA)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("Test ")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_an_interrupt_ends_quietly_and_keeps_the_table(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    with subprocess.Popen(
        catpy("run", str(ISA), "-o", str(table)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Test ")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    assert json.loads(table.read_text())["tests"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_message(folder: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = subprocess.run(
            catpy("run", "mp.litmus"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
            check=False,
        )
    assert process.returncode == 2
    assert process.stderr == "error: cannot write the output: No space left on device\n"
