"""What is said of tests that are odd, and no error."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.arch.program import Options
from catpy.batch.collect import collect
from catpy.batch.runner import Job
from catpy.cli import main
from catpy.cli.advice import Patience
from tests.cli.helpers import MP


@pytest.fixture
def warned(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str, str, str], str]:
    """What is said of a test of one thread with an initial section, some code and a condition."""

    def said(init: str, code: str, condition: str) -> str:
        Path("w.litmus").write_text(f"PTX t\n{{ {init} }}\nP0@cta 0 {{ {code} }}\n{condition}\n")
        assert main(["run", "w.litmus"]) == 0
        return capsys.readouterr().err

    return said


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
