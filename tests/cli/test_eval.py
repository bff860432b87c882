"""`catpy eval`: what it prints on single executions, one-shot and line by line."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catpy.cli import main
from tests.support import ISA

SB = str(ISA / "SB.litmus")
Ask = Callable[..., tuple[int, str, str]]

LOOP = """PTX loop { }
P0@cta 0,gpu 0 { st.relaxed.gpu [x], 1; }
P1@cta 1,gpu 0 { L: ld.relaxed.gpu r0, [x]; bne r0, 1, L; }
forall (1:r0=1)
"""


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs `catpy eval` with lines on standard input; gives its status, output and errors."""

    def run(*arguments: str, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        status = main(["eval", *arguments])
        return status, *capsys.readouterr()

    return run


def test_events_values_registers_and_rf_come_first(ask: Ask) -> None:
    status, out, err = ask(SB)
    assert (status, err) == (0, "")
    assert out == (
        "Execution 1\n"
        "IWx      W x = 0\n"
        "IWy      W y = 0\n"
        "a    P0  W x = 1  st.weak [x], 1\n"
        "b    P0  R y = 0  ld.weak r0, [y]\n"
        "c    P1  W y = 1  st.weak [y], 1\n"
        "d    P1  R x = 0  ld.weak r1, [x]\n"
        "P0 ends with r0 = 0\n"
        "P1 ends with r1 = 0\n"
        "rf: {IWx → d, IWy → b}\n"
    )


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("po", "{a → b, c → d}"),
        ("po^-1", "{b → a, d → c}"),
        ("W", "{IWx, IWy, a, c}"),
        ("0", "{}"),
        ("{}", "{}"),
        ("_", "_"),
        ("~(_ * _)", "{}"),
        ("(R, po)", "({b, d}, {a → b, c → d})"),
        ("classes-loc M", "{{IWx, a, d},\n {IWy, b, c}}"),
        ("linearisations(W \\ IW, 0)", "{{a → c},\n {c → a}}"),
        ("lift(classes-loc M, po)", "{{IWx, a, d} → {IWy, b, c}, {IWy, b, c} → {IWx, a, d}}"),
        ("match R with {} -> 0 || e ++ es -> e end", "b"),
        ("match po with {} -> 0 || p ++ ps -> p end", "a → b"),
        ("fun x -> x", "a function"),
        ("let r = po in r & (W * R)", "{a → b, c → d}"),
        ("acyclic po", "yes"),
        ("acyclic po | rf | fr", "no: a → b → c → d → a"),
        ("irreflexive po; po^-1", "no: {a → a, c → c}"),
        ("empty R", "no: {b, d}"),
        ("~empty fr", "yes: {b → c, d → a}"),
        ("~acyclic po", "no"),
        ("~po & (R * (W \\ IW)) & loc", "{b → c, d → a}"),
    ],
)
def test_one_shot_prints_the_value_alone(ask: Ask, expression: str, shown: str) -> None:
    assert ask("-m", "sc", "--all", SB, "-e", expression) == (0, f"{shown}\n", "")


def test_the_verbose_form_has_a_line_with_instructions(ask: Ask) -> None:
    status, out, _ = ask("-v", SB, "-e", "po & (_ * R)", "-e", "R")
    assert status == 0
    assert out == (
        "a  st.weak [x], 1  →  b  ld.weak r0, [y]\n"
        "c  st.weak [y], 1  →  d  ld.weak r1, [x]\n"
        "b  P0  R y = 0  ld.weak r0, [y]\n"
        "d  P1  R x = 0  ld.weak r1, [x]\n"
    )


def test_lines_can_switch_the_verbose_form(ask: Ask) -> None:
    _, out, _ = ask(SB, lines=":v\nR\n:v\nR\n")
    assert out.endswith(
        "b  P0  R y = 0  ld.weak r0, [y]\nd  P1  R x = 0  ld.weak r1, [x]\n{b, d}\n"
    )


def test_every_expression_is_tried_and_errors_have_their_place(ask: Ask) -> None:
    status, out, err = ask(SB, "-e", "po; W", "-e", "po")
    assert (status, out) == (2, "{a → b, c → d}\n")
    assert err.startswith(
        "-e:1:5: error: expected a relation, but this is an event set\n  po; W\n      ^\n"
    )


def test_definitions_hold_for_later_expressions_and_executions(ask: Ask) -> None:
    status, out, err = ask(SB, lines="let x = rf & loc\nx\n\n:next\nx\n:prev\nx\n")
    assert (status, err) == (0, "")
    assert [line for line in out.splitlines() if line.startswith("{")] == [
        "{IWx → d, IWy → b}",
        "{IWy → b, a → d}",
        "{IWx → d, IWy → b}",
    ]


def test_a_wrong_line_is_said_with_its_place_and_the_next_is_read(ask: Ask) -> None:
    status, out, err = ask(SB, lines="po\nlet x = foo\nx\n:bla\n:go x\n:go 99\nR\n")
    assert status == 2
    assert out.endswith("rf: {IWx → d, IWy → b}\n{a → b, c → d}\n{b, d}\n")
    assert "<stdin>:2:9: error: unbound name `foo`\n  let x = foo\n          ^^^\n" in err
    assert "<stdin>:3:1: error: unbound name `x`" in err
    assert "there is no command `:bla`" in err
    assert "there is no execution 99: there are 4 allowed executions" in err


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("po po2 )", "1:8", "expected an operator or the end of the line, found `)`"),
        ("acyclic po as x as y", "1:17", "expected an operator or the end of the line"),
        ('include "x"', "1:1", "expected an expression, found `include`"),
        ("(* open", "1:1", "this comment is not closed"),
    ],
)
def test_what_is_no_line_of_the_prompt(ask: Ask, line: str, place: str, message: str) -> None:
    status, _, err = ask(SB, "-e", line)
    assert status == 2
    assert err.startswith(f"-e:{place}: error: {message}")


def test_candidates_that_the_model_rejects_are_reached_by_all(ask: Ask) -> None:
    test = str(ISA / "MP+rel+acq.litmus")
    status, out, _ = ask("--all", "-n", "3", test, lines="fr\n:check\n")
    assert status == 0
    assert out.startswith("Candidate 3 (fails: Causality)\n")
    assert "{d → a}\n" in out
    assert re.search(r"Causality +fails\n", out)
    assert re.search(r"SC-per-Location +holds\n", out)
    assert re.search(r"data-race +not flagged\n", out)


def test_the_numbers_are_those_of_allowed_executions_or_of_candidates(ask: Ask) -> None:
    status, _, err = ask("-m", "sc", "-n", "4", SB)
    assert (status, err) == (
        2,
        "error: there is no execution 4: there are 3 allowed executions\n",
    )
    assert ask("-m", "sc", "--all", "-n", "4", SB, "-e", "0")[0] == 0
    _, _, err = ask("-m", "sc", "--all", "-n", "5", SB)
    assert err == "error: there is no execution 5: there are 4 candidate executions\n"


def test_show_numbers_those_that_satisfy_the_proposition_or_do_not(ask: Ask) -> None:
    found = {}
    for show in ("prop", "neg"):
        found[show] = [
            ask("-m", "sc", "--show", show, "-n", number, SB, "-e", ":events") for number in "1234"
        ]
    bad = (
        "error: there is no execution 1: there are 0 allowed executions in which the proposition is"
    )
    assert found["prop"][0] == (2, "", f"{bad} true\n")
    assert [status for status, _, _ in found["neg"]] == [0, 0, 0, 2]
    assert all("r1 = 1" in out or "r0 = 1" in out for _, out, _ in found["neg"][:3])
    # Those that the model forbids are among the candidates.
    status, out, _ = ask("-m", "sc", "--all", "--show", "prop", SB, "-e", ":events")
    assert (status, out.splitlines()[0]) == (0, "Candidate 1 (fails: SC)")
    _, _, err = ask("-m", "sc", "--all", "--show", "prop", "-n", "2", SB)
    assert "there is 1 candidate execution in which the proposition is true" in err


def test_show_takes_executions_that_come_to_their_end(ask: Ask, tmp_path: Path) -> None:
    test = tmp_path / "loop.litmus"
    test.write_text(LOOP.replace("r0=1)", "r0=1 /\\ [x]=1)"))
    for show, executions in (("prop", 3), ("neg", 0)):
        _, _, err = ask("--show", show, "-n", "99", str(test))
        assert f"there are {executions} allowed executions" in err


def test_a_failed_check_does_not_stop_the_bindings_behind_it(ask: Ask, tmp_path: Path) -> None:
    model = tmp_path / "strict.cat"
    model.write_text("empty W as Never\nlet behind = po\n")
    assert ask("-m", str(model), SB)[0] == 2
    status, out, _ = ask("-m", str(model), "--all", SB, "-e", "behind", "-e", ":check")
    assert (status, out) == (0, "{a → b, c → d}\nNever  fails\n")


def test_what_comes_behind_a_choice_without_elements_is_not_bound(ask: Ask, tmp_path: Path) -> None:
    model = tmp_path / "none.cat"
    model.write_text("let before = po\nwith o from {}\nlet behind = po\n")
    status, out, err = ask("-m", str(model), "--all", SB, "-e", "before", "-e", "behind")
    assert (status, out) == (2, "{a → b, c → d}\n")
    assert "unbound name `behind`" in err


def test_each_way_of_with_is_an_execution_and_some_is_a_witness(ask: Ask, tmp_path: Path) -> None:
    model = tmp_path / "ways.cat"
    for keyword, executions in (("with", 8), ("some", 4)):
        model.write_text(f"{keyword} o from linearisations(W \\ IW, 0)\n")
        status, _, err = ask("-m", str(model), "-n", "99", SB)
        assert status == 2
        assert f"there are {executions} allowed executions" in err
    model.write_text("with o from linearisations(W \\ IW, 0)\n")
    orders = [ask("-m", str(model), "-n", number, SB, "-e", "o")[1] for number in "12"]
    assert sorted(orders) == ["{a → c}\n", "{c → a}\n"]


def test_checks_that_are_skipped_reject_nothing(ask: Ask) -> None:
    test = str(ISA / "MP+rel+acq.litmus")
    assert ask("-n", "4", test)[0] == 2
    assert ask("-n", "4", "--skip", "Causality", test, "-e", "0")[0] == 0


def test_names_are_listed_by_kind(ask: Ask, tmp_path: Path) -> None:
    model = tmp_path / "names.cat"
    model.write_text("enum t = 'a\nlet s = R\nlet r = po\nlet bad = foo\nlet f x = x\n")
    _, out, _ = ask("-m", str(model), SB, "-e", ":names")
    kinds = dict(line.split(": ", 1) for line in out.splitlines())
    assert {name for name in ("s", "r", "f", "bad", "t") if name in kinds["sets"].split()} == {"s"}
    assert "r" in kinds["relations"].split()
    assert "f" in kinds["functions"].split()
    assert "total" in kinds["procedures"].split()
    assert kinds["other values"].split() == ["t"]
    assert kinds["cannot be evaluated"].split() == ["bad"]
    assert ":" not in "".join(kinds.values())


def test_executions_without_an_end_say_so(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "loop.litmus"
    path.write_text(LOOP)
    _, out, _ = ask("--unroll", "0", "-n", "1", str(path), lines=":next\n")
    assert sum("cut by the unroll bound" in line for line in out.splitlines()) == 1


def test_quit_ends_and_help_helps(ask: Ask) -> None:
    status, out, _ = ask(SB, lines=":help\n:quit\nfoo\n")
    assert status == 0
    assert ":go K" in out


def test_a_test_from_standard_input_goes_with_expressions(ask: Ask) -> None:
    status, _, err = ask("-", lines=LOOP)
    assert (status, err) == (2, "error: a test from standard input goes with -e EXPR\n")
    assert ask("-", "-e", "R & IW", lines=LOOP) == (0, "{}\n", "")


def test_eval_takes_one_test(ask: Ask) -> None:
    status, _, err = ask(str(ISA))
    assert status == 2
    assert "eval takes one test" in err


def test_what_is_odd_about_a_test_is_said_first(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "odd.litmus"
    path.write_text("PTX odd { }\nP0@cta 0 { bar.sync 0, 2; }\nforall (true)\n")
    status, out, err = ask(str(path), "-e", "R")
    assert (status, out) == (0, "{}\n")
    assert "warning: this barrier waits for 2 threads, and the CTA has 1 thread here" in err
