"""What the checker says of small models: codes, severities and places."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.arch import build_program
from catpy.arch.program import Options
from catpy.cat.check import Checked, check
from catpy.cat.check.checker import BOUND_BY
from catpy.cat.dialect import Dialect
from catpy.cat.loader import Library
from catpy.execution import surroundings
from catpy.execution.candidates import skeletons
from catpy.litmus import parse_test
from catpy.source import Source
from tests.support import ISA, MODELS

Found = list[tuple[str, str, int, int]]

KINDS = "enum kinds = 's || 'r\n"


def checked(
    text: str, folder: Path, variants: tuple[str, ...] = (), dialect: Dialect = Dialect.HERD
) -> Checked:
    path = folder / "m.cat"
    path.write_text(text, encoding="utf-8")
    on = frozenset(variants)
    return check(Library([MODELS], dialect, on).examine(str(path)), surroundings(), on)


def found(text: str, folder: Path, variants: tuple[str, ...] = ()) -> Found:
    """(code, severity, line, column) of each diagnostic."""
    result: Found = []
    for item in checked(text, folder, variants).diagnostics:
        assert item.span is not None
        line, column = item.span.source.position(item.span.start)
        result.append((item.code, item.severity.value, line, column))
    return result


ERRORS = {
    "acyclic foo as A": ("unbound-name", 1, 9),
    "let x = foo\nacyclic x as A": ("unbound-name", 1, 9),
    "let f x = x | foo\nacyclic f po as A": ("unbound-name", 1, 15),
    "acyclic po | W as A": ("kind", 1, 14),
    "acyclic W as A": ("kind", 1, 9),
    "empty [po] as A": ("kind", 1, 8),
    "empty po; W as A": ("kind", 1, 11),
    "empty (po, rf) as A": ("kind", 1, 8),
    "with co from W\nacyclic co as A": ("kind", 1, 14),
    "let f x = x | W\nempty f po as A": ("kind", 1, 15),
    "let f(x, y) = x | y\nempty f(po, po, po) as A": ("arity", 2, 9),
    "let f(x, y) = x | y\nempty f po as A": ("arity", 2, 9),
    "with co from linearisations(W)\nempty co as A": ("arity", 1, 29),
    "empty po [W] as A": ("not-a-function", 1, 7),
    "let rec r = (r, r)\nempty r as A": ("recursion", 1, 9),
    "call po(rf)": ("kind", 1, 6),
    "empty domain 'x as A": ("undefined-tag", 1, 14),
    'include "nope.cat"': ("include-not-found", 1, 1),
    'include "m.cat"': ("include-not-found", 1, 1),
    "AArch64 title\nempty 0 as A": ("architecture", 1, 1),
    "let x = po |\nempty 0 as A": ("syntax", 2, 1),
    "procedure p(r) = empty r | foo end\ncall p(po)": ("unbound-name", 1, 28),
    # A function takes all its free names when it is made.
    'let f x = if "v" then foo else x\nacyclic f(po) as A': ("unbound-name", 1, 23),
    "let (a, b, c) = (po, rf)\nempty c as A": ("arity", 1, 18),
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text: str, tmp_path: Path) -> None:
    code, line, column = ERRORS[text]
    if text == 'include "m.cat"':
        code = "include-circle"
        text = f'include "{tmp_path / "m.cat"}"'
    errors = [item for item in found(text, tmp_path) if item[1] == "error"]
    assert (code, "error", line, column) in errors
    assert len({item[2] for item in errors}) == 1


WARNINGS = {
    "let x = foo\nempty po as A": {("unbound-name", 1, 9), ("unused", 1, 5)},
    "let f x = foo\nempty po as A": {("unbound-name", 1, 11), ("unused", 1, 5)},
    "procedure p() = empty foo end\nempty po as A": {("unbound-name", 1, 23), ("unused", 1, 11)},
    'let x = if "v" then foo else po\nempty x as A': {("unbound-name", 1, 21)},
    "empty 0; foo as A": {("unbound-name", 1, 10)},
    "let x = po | W\nempty po as A": {("kind", 1, 14), ("unused", 1, 5)},
    "empty po": {("unnamed-check", 1, 1)},
    # Components are taken one by one.
    "let (a, b, c) = (po, rf)\nempty a | b as A": {("arity", 1, 18), ("unused", 1, 12)},
    "let (a, b) = (po, rf, po)\nempty a | b as A": {("arity", 1, 15)},
    # What values may leave out.
    "empty (po & rf); foo as A": {("unbound-name", 1, 18)},
    "let b = if {} = emptyset then po else foo\nempty b as A": {("unbound-name", 1, 39)},
    "let a = match W with {} -> foo || e ++ es -> e * es end\nempty a as A": {
        ("unbound-name", 1, 28)
    },
    "let rec f x = if x subset po then x else foo\nempty f 0 as A": {("unbound-name", 1, 42)},
    f"{KINDS}let f (t, x) = match t with 's -> [x] || 'r -> x end\nacyclic f ('r, po) as A": {
        ("kind", 2, 36)
    },
    f"{KINDS}procedure p(t, x) = match t with 's -> empty [x] as A || 'r -> empty x as B end end\n"
    "call p('r, po)": {("kind", 2, 47)},
    "flag ~empty po": {("unnamed-flag", 1, 1)},
    "let po = po | rf\nempty po as A": {("shadowing", 1, 5)},
    "let x = po\nlet x = x | rf\nempty x as A": {("shadowing", 2, 5)},
    "let rec x = po \\ x\nempty x as A": {("not-monotone", 1, 18)},
    "let rec x = po & ~y and y = x\nempty x as A": {("not-monotone", 1, 19)},
}


@pytest.mark.parametrize("text", WARNINGS)
def test_warnings(text: str, tmp_path: Path) -> None:
    assert set(found(text, tmp_path)) == {(c, "warning", x, y) for c, x, y in WARNINGS[text]}


@pytest.mark.parametrize(
    "text",
    [
        "let x = try foo with po\nempty x as A",
        "let X = try X with emptyset\nempty X as A",
        "let y = try (W | po) with 0\nempty y as A",
        "let rec x = po | (x; x)\nempty x as A",
        "let rec x = po \\ (rf \\ x)\nempty x as A",
        "empty {} | W as A",
        "empty _ & po as A",
        "let f x = x\nempty f W as A\nempty f po as B",
        "empty (map (fun w -> w) {W}) & {} as A",
        'if "v" acyclic foo as B end\nempty po as A',
        "show foo\nempty po as A",
        'let x = po\nif "v" acyclic x as B end\nempty po as A',
        "enum t = 'a || 'b\nempty tag2events 'a as A",
        "let co = rf\nempty po as A",
        "PTX title\nempty po as A",
        "let rec q r = match r with {} -> {} || p ++ ps -> (p & (W*W)) | q ps end\nempty q po as A",
        "SC\nempty po as A",
    ],
)
def test_nothing_to_say(text: str, tmp_path: Path) -> None:
    assert found(text, tmp_path) == []


def test_variants_that_nothing_asks_for(tmp_path: Path) -> None:
    """Conditions of statements and of expressions count, in branches that are left out too."""
    text = (
        'if "v" if "w" include "cos.cat" end end\nlet x = if not "zz" then po else rf\nempty x as A'
    )
    assert checked(text, tmp_path, ("w", "zz")).diagnostics == ()
    (item,) = checked(text, tmp_path, ("zzz",)).diagnostics
    assert (item.code, item.severity.value) == ("unknown-variant", "warning")
    assert item.message == "no condition of this model asks for the variant `zzz`"
    assert item.hint == "did you mean `zz`?"


def test_the_branch_of_a_variant_counts_when_it_is_on(tmp_path: Path) -> None:
    text = 'let x = if "v" then foo else po\nempty x as A'
    assert found(text, tmp_path, ("v",)) == [("unbound-name", "error", 1, 21)]


def test_unknown_names_of_dat3m_are_warnings(tmp_path: Path) -> None:
    (item,) = checked("empty [ACQQ]; po as A", tmp_path, dialect=Dialect.DAT3M).diagnostics
    assert (item.code, item.severity.value) == ("unbound-name", "warning")
    assert item.hint is not None
    assert "`ACQ`" in item.hint


def test_a_name_that_is_defined_later(tmp_path: Path) -> None:
    (item,) = checked("empty x as A\nlet x = po\nempty x as B", tmp_path).diagnostics
    assert item.hint is not None
    assert "defined later" in item.hint


def test_a_name_that_means_itself(tmp_path: Path) -> None:
    (item,) = checked("let x = x; po\nempty x as A", tmp_path).diagnostics
    assert item.hint == "a definition sees itself only after `let rec`"


@pytest.mark.parametrize("name", sorted(BOUND_BY))
def test_names_that_other_files_bind(name: str, tmp_path: Path) -> None:
    """The hint names what binds the name, and it does."""
    model = f"empty {name} & {name} as A"
    (item,) = checked(model, tmp_path).errors
    assert item.hint == BOUND_BY[name]
    assert "--cat-dialect dat3m" in item.hint
    assert not checked(model, tmp_path, dialect=Dialect.DAT3M).diagnostics
    if "cos.cat" in item.hint:
        assert not checked(f'include "cos.cat"\n{model}', tmp_path).errors


def test_tuples_that_double(tmp_path: Path) -> None:
    """A tuple of 2 to the 60 parts is not told part by part."""
    chain = "\n".join(f"let a{n + 1} = double a{n}" for n in range(60))
    text = f"let double x = (x, x)\nlet a0 = po\n{chain}\nlet g x = po\nacyclic g a60 as A"
    assert found(text, tmp_path) == []


def test_all_syntax_errors_and_no_names_that_follow_from_them(tmp_path: Path) -> None:
    text = (
        "let x = po |\nlet y = x ]\nprocedure p() =\n  empty po @ rf as Q\n  empty rf as R\nend\n"
        "acyclic x | y as A\ncall p()\nempty foo as B\n(* open"
    )
    codes = [(code, line) for code, _, line, _ in found(text, tmp_path)]
    assert codes == [
        ("syntax", 2),
        ("syntax", 4),
        ("unbound-name", 9),
        ("syntax", 10),
    ] or codes == [
        ("syntax", 2),
        ("syntax", 2),
        ("syntax", 4),
        ("unbound-name", 9),
        ("syntax", 10),
    ]


@pytest.mark.parametrize("path", [*sorted(MODELS.glob("**/*.cat"))], ids=lambda path: path.stem)
def test_installed_models_are_clean(path: Path) -> None:
    model = Library([MODELS]).examine(str(path))
    assert check(model, surroundings()).diagnostics == ()


def test_names_are_those_that_candidates_bind() -> None:
    text = (ISA / "MP.litmus").read_text(encoding="utf-8")
    program = build_program(parse_test(Source("t", text)), Options())
    skeleton = next(skeletons(program))
    names = {**skeleton.names(), **skeleton.witnesses()[0]}
    told = surroundings()
    assert told.sets | told.relations == {n for n in names if ":" not in n} | {"rf"}


# herd's parser refuses these, each as the right side of a `let`,
REJECTED = """a*~b · ~a*b · ~a+ · ~a* · ~a? · a*b*c · a*b+ · a*b? · f a*b+ · ~f a+ · a^* · a^+ · a^?
 · a+(b) · (f a) b · {a} b · [a] b · a||b · a&&b · not a · a subset b · a -> b · a <- b · a @ b
 · !a · a -1 · 1 · _1 · __x · ''a · e->y · fun x-> y · "str" · a | let y = b in y · a | fun y -> y
 · {let x = b in x} · fun x y -> e · if (a=b) then c else d · if a=b && "v" then c else d
 · match t with {} -> a end · a; b;"""
# and these as statements.
REJECTED_STATEMENTS = """let x = a in b · let f x y = e · let f(x)(y) = e · let in = a · call f x
 · show a|b · show a&b as c, d · if "v" then acyclic x end · forall (x,y) in s do acyclic a end
 · with (x,y) from s · procedure p() = enum t = 'a end · include foo · "a" "b\""""


def vectors(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", " ").split(" · ")]


@pytest.mark.parametrize(
    "text",
    [*(f"let z = {e}" for e in vectors(REJECTED)), *vectors(REJECTED_STATEMENTS)],
)
def test_what_herd_refuses_has_a_place(text: str, tmp_path: Path) -> None:
    errors = [item for item in found(text, tmp_path) if item[0] == "syntax"]
    assert errors
    _, _, line, column = errors[0]
    assert line == 1
    assert 1 <= column <= len(text) + 1


def test_a_closure_before_a_complement(tmp_path: Path) -> None:
    errors = [item for item in found("let x = a*\n~empty y", tmp_path) if item[0] == "syntax"]
    assert errors == [("syntax", "error", 2, 1)]
