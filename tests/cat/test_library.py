"""Models from files: lookup in folders, includes, the standard library."""

from __future__ import annotations

from pathlib import Path

import pytest

from catpy.cat.interpreter import Interpreter, Run
from catpy.cat.loader import Library, Model
from catpy.cat.syntax import Choice, Header, Let, Statement
from catpy.errors import ModelError, UsageError
from catpy.relation import EventSet, ExactAlgebra, ExactRelation, Relation
from catpy.resources import installed
from tests.cat.store_buffering import RF_INIT, Pair, place, pointed_at, runs

Folder = Path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An empty working folder with two others, `first` and `second`, in it."""
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def library(here: Folder) -> Library:
    return Library([here / "first", here / "second"])


def bound(statements: tuple[Statement, ...]) -> list[str | None]:
    """The names that the definitions among some statements bind."""
    lets = [statement for statement in statements if isinstance(statement, Let)]
    return [binding.pattern.names[0] for let in lets for binding in let.bindings]


def model_error(models: Library, name: str) -> ModelError:
    with pytest.raises(ModelError) as caught:
        models.load(name)
    return caught.value


# Lookup


@pytest.mark.parametrize("name", ["mine", "mine.cat", "second/mine.cat"])
def test_a_model_is_found_by_name_and_by_path(here: Folder, name: str) -> None:
    path = write(here / "second" / "mine.cat", 'PTX "My model"\nlet x = 0')
    model = library(here).load(name)
    assert model.name == "mine"
    assert model.path.resolve() == path
    assert model.header == Header(("PTX",), "My model")
    assert bound(model.statements) == ["x"]


def test_an_absolute_path(here: Folder) -> None:
    path = write(here / "elsewhere" / "mine.txt", "let x = 0")
    assert library(here).load(str(path)).name == "mine"


def test_earlier_folders_come_first(here: Folder) -> None:
    write(here / "first" / "mine.cat", "let one = 0")
    write(here / "second" / "mine.cat", "let two = 0")
    assert bound(library(here).load("mine").statements) == ["one"]


def test_a_file_of_the_working_folder_comes_before_all_folders(here: Folder) -> None:
    write(here / "first" / "mine.cat", "let one = 0")
    write(here / "mine.cat", "let here = 0")
    assert bound(library(here).load("mine.cat").statements) == ["here"]


def test_the_names_of_models(here: Folder) -> None:
    for path in ("first/b.cat", "first/a.cat", "second/a.cat", "second/stdlib.cat", "second/c.txt"):
        write(here / path, "")
    assert library(here).names() == ["a", "b"]


def test_a_missing_model_names_near_ones(here: Folder) -> None:
    write(here / "first" / "causal.cat", "")
    with pytest.raises(UsageError, match="no model `casual`") as caught:
        library(here).load("casual")
    assert caught.value.hint == "did you mean `causal`?"


def test_a_missing_model_tells_where_it_was_looked_for(here: Folder) -> None:
    with pytest.raises(UsageError) as caught:
        library(here).load("mine")
    assert caught.value.hint is not None
    assert str(here / "first") in caught.value.hint
    assert str(here / "second") in caught.value.hint


def test_a_folder_is_no_model(here: Folder) -> None:
    with pytest.raises(UsageError):
        library(here).load("first")


def test_a_file_that_is_no_text(here: Folder) -> None:
    (here / "first" / "bad.cat").write_bytes(b"let x = \xff\xfe")
    assert "UTF-8" in model_error(library(here), "bad").message


def test_an_error_names_the_file_as_it_was_found(here: Folder) -> None:
    path = write(here / "first" / "bad.cat", "let x = 0\nlet y = ;")
    problem = model_error(library(here), "bad")
    assert place(problem) == (2, 9)
    assert problem.render().startswith(f"{path}:2:9: error: ")


# Includes


def test_an_include_stands_for_its_statements(here: Folder) -> None:
    write(here / "first" / "part.cat", '"Part"\nlet b = a\nlet c = b')
    write(here / "first" / "mine.cat", 'let a = 0\ninclude "part.cat"\nlet d = c')
    model = library(here).load("mine")
    assert bound(model.statements) == ["a", "b", "c", "d"]
    assert model.header == Header((), None)


def test_an_include_is_looked_up_in_the_folders(here: Folder) -> None:
    write(here / "second" / "part.cat", "let b = 0")
    write(here / "first" / "mine.cat", 'include "part.cat"')
    assert bound(library(here).load("mine").statements) == ["b"]


def test_an_include_is_looked_up_beside_the_file_that_includes_it(here: Folder) -> None:
    write(here / "deep" / "part.cat", 'include "more.cat"\nlet b = 0')
    write(here / "deep" / "more.cat", "let a = 0")
    path = write(here / "deep" / "mine.cat", 'include "part.cat"')
    assert bound(library(here).load(str(path)).statements) == ["a", "b"]


def test_beside_is_beside_the_file_that_holds_the_include(here: Folder) -> None:
    write(here / "deep" / "sub" / "more.cat", "let right = 0")
    write(here / "deep" / "more.cat", "let wrong = 0")
    write(here / "deep" / "sub" / "part.cat", 'include "more.cat"')
    path = write(here / "deep" / "mine.cat", 'include "sub/part.cat"')
    assert bound(library(here).load(str(path)).statements) == ["right"]


def test_the_folders_come_before_the_place_beside(here: Folder) -> None:
    write(here / "first" / "part.cat", "let from-folder = 0")
    write(here / "deep" / "part.cat", "let from-beside = 0")
    path = write(here / "deep" / "mine.cat", 'include "part.cat"')
    assert bound(library(here).load(str(path)).statements) == ["from-folder"]


def test_an_include_may_name_a_folder_in_a_folder(here: Folder) -> None:
    write(here / "first" / "parts" / "part.cat", "let b = 0")
    write(here / "second" / "mine.cat", 'include "parts/part.cat"')
    assert bound(library(here).load("mine").statements) == ["b"]


def test_a_missing_include_tells_where_it_was_looked_for(here: Folder) -> None:
    path = write(here / "deep" / "mine.cat", 'let x = 0\n  include "part.cat"')
    problem = model_error(library(here), str(path))
    assert problem.message == "cannot find the included file `part.cat`"
    assert place(problem) == (2, 3)
    assert pointed_at(problem) == 'include "part.cat"'
    assert problem.hint is not None
    for folder in ("first", "second", "deep"):
        assert str(here / folder) in problem.hint


def test_an_empty_include(here: Folder) -> None:
    write(here / "first" / "mine.cat", 'include ""')
    assert place(model_error(library(here), "mine")) == (1, 1)


def test_an_error_in_an_included_file_points_into_it(here: Folder) -> None:
    part = write(here / "first" / "part.cat", "let a = 0\n\nlet b = a |")
    write(here / "first" / "mine.cat", 'include "part.cat"')
    problem = model_error(library(here), "mine")
    assert place(problem)[0] == 3
    assert problem.span is not None
    assert problem.span.source.name == str(part)


def test_an_included_file_that_is_no_text_points_at_its_byte(here: Folder) -> None:
    (here / "first" / "part.cat").write_bytes(b"\xff")
    write(here / "first" / "mine.cat", 'let x = 0\ninclude "part.cat"')
    problem = model_error(library(here), "mine")
    assert problem.span is not None
    assert problem.span.source.name.endswith("part.cat")
    assert place(problem) == (1, 1)


def test_a_file_may_not_include_itself(here: Folder) -> None:
    write(here / "first" / "mine.cat", 'let x = 0\ninclude "mine.cat"')
    problem = model_error(library(here), "mine")
    assert "circle" in problem.message
    assert "mine.cat → mine.cat" in problem.message
    assert place(problem) == (2, 1)


def test_includes_may_not_run_in_a_circle(here: Folder) -> None:
    write(here / "first" / "a.cat", 'include "b.cat"')
    write(here / "first" / "b.cat", 'let x = 0\ninclude "c.cat"')
    write(here / "first" / "c.cat", '  include "a.cat"')
    problem = model_error(library(here), "a")
    assert "a.cat → b.cat → c.cat → a.cat" in problem.message
    assert place(problem) == (1, 3)
    assert problem.span is not None
    assert problem.span.source.name.endswith("c.cat")


def test_a_file_is_included_every_time(here: Folder) -> None:
    write(here / "first" / "part.cat", "let x = x | y")
    write(here / "first" / "a.cat", 'include "part.cat"')
    write(here / "first" / "mine.cat", 'include "part.cat"\ninclude "a.cat"\ninclude "part.cat"')
    assert bound(library(here).load("mine").statements) == ["x", "x", "x"]


def test_an_include_is_run_in_the_scope_where_it_stands(here: Folder) -> None:
    write(here / "first" / "part.cat", "let x = x | y")
    text = (
        "let x = po\nlet y = 0\n"
        'include "part.cat"\nlet first = x\n'
        'let y = id\ninclude "part.cat"\nlet second = x\n'
        'let y = rf\ninclude "part.cat"\nlet third = x\n'
        "empty (first \\ po) | (po \\ first)\n"
        "empty (second \\ (po | id)) | ((po | id) \\ second)\n"
        "empty (third \\ (po | id | rf)) | ((po | id | rf) \\ third)"
    )
    write(here / "first" / "mine.cat", text)
    assert len(runs(library(here).load("mine"))) == 1


def test_choices_of_a_file_that_is_included_twice_are_made_twice(here: Folder) -> None:
    write(here / "first" / "cos.cat", "with co from {po, rf}")
    write(here / "first" / "mine.cat", 'include "cos.cat"\ninclude "cos.cat"\nempty co \\ po')
    model = library(here).load("mine")
    assert sum(isinstance(statement, Choice) for statement in model.statements) == 2
    assert len(runs(model)) == 2


# The standard library


def test_the_library_comes_first(here: Folder) -> None:
    write(here / "second" / "stdlib.cat", '"Library"\nlet lib = 0')
    write(here / "first" / "mine.cat", "let x = lib")
    assert bound(library(here).load("mine").statements) == ["lib", "x"]


def test_a_folder_may_bring_its_own_library(here: Folder) -> None:
    write(here / "first" / "stdlib.cat", "let own = 0")
    write(here / "first" / "mine.cat", "empty own")
    models = Library([here / "first", installed("models")])
    assert bound(models.load("mine").statements) == ["own"]


def test_without_a_library_there_is_none(here: Folder) -> None:
    write(here / "first" / "mine.cat", "")
    assert library(here).load("mine").statements == ()


@pytest.mark.parametrize("name", Library([installed("models")]).names())
def test_installed_models_load(name: str) -> None:
    model = Library([installed("models")]).load(name)
    assert model.name == name
    assert model.statements


# 0: W x (initial). One thread: 1: W x. The other: 2: F, 3: R y, 4: F, 5: W x, 6: R x. That both
# writes are read by 6 is of no matter here: one of them is internal, the other external.

ALGEBRA = ExactAlgebra(7)
ORDER = (2, 3, 4, 5, 6)
LINE_PO = frozenset((x, y) for at, x in enumerate(ORDER) for y in ORDER[at + 1 :])
X = frozenset({0, 1, 5, 6})
LINE_LOC = frozenset((x, y) for x in X for y in X) | {(3, 3)}
LINE_RF = frozenset({(5, 6), (1, 6)})
LINE_CTRL = frozenset({(3, 4), (3, 5), (3, 6)})
RELATIONS: dict[str, frozenset[Pair]] = {
    "po": LINE_PO,
    "loc": LINE_LOC,
    "rf": LINE_RF,
    "ctrl": LINE_CTRL,
    "rmw": frozenset({(3, 5)}),
    "id": frozenset((x, x) for x in range(7)),
    "int": frozenset((x, y) for x in ORDER for y in ORDER) | {(1, 1)},
    "ext": frozenset(
        (x, y) for x in range(7) for y in range(7) if x != y and not (x in ORDER and y in ORDER)
    ),
}
SETS: dict[str, set[int]] = {
    "M": {0, 1, 3, 5, 6},
    "W": {0, 1, 5},
    "R": {3, 6},
    "IW": {0},
    "F": {2, 4},
}
EVERYTHING = frozenset((x, y) for x in range(7) for y in range(7))


def line_names() -> dict[str, EventSet | Relation]:
    return {
        **{name: ALGEBRA.relation(pairs) for name, pairs in RELATIONS.items()},
        **{name: ALGEBRA.event_set(events) for name, events in SETS.items()},
    }


def run_with_library(here: Folder, text: str) -> tuple[Interpreter, Run]:
    write(here / "mine.cat", text)
    model: Model = Library([installed("models")]).load("mine.cat")
    interpreter = Interpreter(model, ALGEBRA, line_names())
    (run,) = interpreter.run({})
    return interpreter, run


def library_pairs(here: Folder, text: str) -> frozenset[Pair]:
    interpreter, run = run_with_library(here, f"let it = {text}")
    relation = interpreter.relation(run, "it")
    assert isinstance(relation, ExactRelation)
    return frozenset(relation)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("po-loc", {(5, 6)}),
        ("rfi", {(5, 6)}),
        ("rfe", {(1, 6)}),
        ("co0", {(0, 1), (0, 5)}),
        ("amo", {(3, 5)}),
        ("lxsx", set()),
        ("toid(W)", {(0, 0), (1, 1), (5, 5)}),
        ("toid emptyset | 0", set()),
        # Around the fences 2 and 4, neither of them included where nothing is before it.
        ("fencerel(F)", {(2, 5), (2, 6), (3, 5), (3, 6)}),
        ("fencerel(F & domain(rf)) | 0", set()),
        ("ctrlcfence(ctrl, F)", {(3, 5), (3, 6)}),
        ("ctrlcfence(ctrl, W)", {(3, 6)}),
        ("imply(po, po-loc)", EVERYTHING - LINE_PO | {(5, 6)}),
        ("nodetour(po, po, po)", {(2, 3), (3, 4), (4, 5), (5, 6)}),
        ("nodetour(po, rf, rf)", LINE_PO),
        ("singlestep(po)", {(2, 3), (3, 4), (4, 5), (5, 6)}),
        ("[udr(rf)]", {(1, 1), (5, 5), (6, 6)}),
        ("[udr po-loc | emptyset]", {(5, 5), (6, 6)}),
    ],
)
def test_the_functions_of_the_library(here: Folder, text: str, expected: set[Pair]) -> None:
    assert library_pairs(here, text) == expected


def test_the_empty_set_of_the_library(here: Folder) -> None:
    run_with_library(here, "empty emptyset\nempty [emptyset]\nempty emptyset | (W \\ W)")


def test_a_model_may_define_the_names_of_the_library_anew(here: Folder) -> None:
    assert library_pairs(here, "fencerel(F)\nlet fencerel B = po") == library_pairs(
        here, "fencerel(F)"
    )
    interpreter, run = run_with_library(here, "let po-loc = rf\nlet it = po-loc")
    relation = interpreter.relation(run, "it")
    assert isinstance(relation, ExactRelation)
    assert frozenset(relation) == LINE_RF


def test_names_of_the_library_are_suggested(here: Folder) -> None:
    with pytest.raises(ModelError) as caught:
        run_with_library(here, "empty fencrel(F)")
    assert caught.value.hint == "did you mean `fencerel`?"


def test_the_library_needs_only_the_names_that_are_used(here: Folder) -> None:
    write(here / "mine.cat", "acyclic po")
    model = Library([installed("models")]).load("mine.cat")
    interpreter = Interpreter(model, ALGEBRA, {"po": ALGEBRA.relation(LINE_PO)})
    assert len(list(interpreter.run({}))) == 1


def test_store_buffering_has_the_names_of_the_library(here: Folder) -> None:
    write(here / "mine.cat", "empty (rfe \\ rf) | (rf \\ rfe)\nempty rfi\nempty po-loc")
    assert len(runs(Library([installed("models")]).load("mine.cat"), RF_INIT)) == 1
