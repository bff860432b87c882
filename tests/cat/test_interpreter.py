"""Checks, flags and skipping: what the statements of a model make of an execution."""

from __future__ import annotations

import pytest

from catpy.cat.interpreter import UNDEFINED, Interpreter
from catpy.errors import ModelError, TestError
from catpy.relation import ExactAlgebra, ExactRelation
from tests.cat.store_buffering import (
    ALGEBRA,
    PO,
    RF_INIT,
    RF_OTHER,
    Pair,
    chosen,
    error,
    flags,
    holds,
    interpreter,
    model_of,
    names,
    place,
    pointed_at,
    reads_from,
    runs,
)
from tests.relation.plain import closure

SC = """
with co from orientations((W * W) & loc, IW * W)
let fr = rf^-1 ; co
acyclic po | rf | co | fr as SC
"""
TSO = """
with co from orientations((W * W) & loc, IW * W)
let fr = rf^-1 ; co
acyclic (po & loc) | rf | co | fr as SC-per-Location
acyclic (po \\ (W * R)) | (rf & ext) | co | fr as TSO
"""
COHERENCE = frozenset({(0, 2), (1, 4)})


# Checks


@pytest.mark.parametrize(
    ("test", "kept"),
    [
        ("acyclic po", True),
        ("acyclic po | po^-1", False),
        ("~acyclic po", False),
        ("~acyclic po | po^-1", True),
        ("irreflexive po", True),
        ("irreflexive id & po?", False),
        ("~irreflexive id", True),
        ("empty po & rf", True),
        ("empty po", False),
        ("~empty po", True),
        ("empty W & R", True),
        ("empty W", False),
        ("acyclic po acyclic rf", True),
        ("acyclic po empty po acyclic rf", False),
    ],
)
def test_checks_keep_or_discard(test: str, kept: bool) -> None:
    assert holds(test) == kept
    assert holds(f"{test} as name") == kept


def test_an_empty_model_keeps_everything() -> None:
    (run,) = runs("")
    assert run.choices == ()
    assert run.flags == ()


def test_nothing_is_evaluated_once_an_execution_is_discarded() -> None:
    assert runs("empty po\nacyclic foo") == []


def test_a_model_run_in_an_empty_universe() -> None:
    algebra = ExactAlgebra(0)
    model = model_of("acyclic _ empty _ irreflexive id with r from linearisations(_, 0) acyclic r")
    found = list(Interpreter(model, algebra, {"id": algebra.identity}).run({}))
    assert len(found) == 1


def test_show_is_not_evaluated() -> None:
    assert holds("show foo\nshow foo, bar\nunshow foo\nshow foo | bar as x\nshow domain(W) as y")


def test_what_show_names_is_not_bound_by_it() -> None:
    assert pointed_at(error("show po as x\nempty x")) == "x"


# Flags


def test_a_flag_is_raised_where_its_test_is_true() -> None:
    assert flags("flag ~empty po as race") == ["race"]
    assert flags("flag empty po as race") == []
    assert flags("flag acyclic po as a flag ~acyclic po as b flag irreflexive po as c") == [
        "a",
        "c",
    ]


def test_a_flag_never_discards() -> None:
    assert holds("flag empty po as n\nflag ~empty po as m")


def test_a_flag_without_a_name_is_not_recorded() -> None:
    assert flags("flag ~empty po") == []


def test_undefined_unless() -> None:
    assert flags("undefined_unless empty po as q") == [UNDEFINED]
    assert flags("undefined_unless empty po") == [UNDEFINED]
    assert flags("undefined_unless ~empty po as q") == []
    assert flags("undefined_unless ~empty po & rf as q") == [UNDEFINED]
    assert UNDEFINED == "*undef*"


def test_a_check_after_a_flag_still_discards() -> None:
    assert runs("flag ~empty po as n\nempty po") == []


def test_flags_belong_to_the_choice_they_were_raised_in() -> None:
    found = runs("flag ~empty po as all\nwith r from {po, rf}\nflag empty r \\ po as is-po")
    assert sorted([name for name, _ in run.flags] for run in found) == [["all"], ["all", "is-po"]]


# Assertions


def test_an_assertion_that_holds_changes_nothing() -> None:
    assert holds("assert ~empty po as q\nassert acyclic po")


@pytest.mark.parametrize("test", ["empty po", "~empty po & rf", "acyclic id"])
def test_an_assertion_that_fails_is_an_error_of_the_test(test: str) -> None:
    with pytest.raises(TestError, match="`q`") as caught:
        runs(f"let x = po\nassert {test} as q")
    span = caught.value.span
    assert span is not None
    assert span.text == f"assert {test} as q"
    assert span.source.position(span.start) == (2, 1)


def test_an_assertion_without_a_name() -> None:
    with pytest.raises(TestError):
        runs("assert empty po")


def test_an_assertion_behind_a_failed_check_is_not_looked_at() -> None:
    assert runs("empty po\nassert empty po as q") == []


# Skipping


def test_a_skipped_check_is_passed() -> None:
    assert runs("empty po as q") == []
    assert len(runs("empty po as q", skip=["q"])) == 1
    assert len(runs("~acyclic po as q", skip=["q"])) == 1


def test_a_skipped_check_is_not_evaluated() -> None:
    assert len(runs("empty foo as q", skip=["q"])) == 1


def test_only_checks_of_that_name_are_skipped() -> None:
    text = "empty po as p\nempty po as q"
    assert runs(text, skip=["p"]) == []
    assert runs(text, skip=["q"]) == []
    assert len(runs(text, skip=["p", "q"])) == 1
    assert runs("empty po", skip=["po", "empty"]) == []


def test_checks_of_one_name_are_skipped_together() -> None:
    text = "empty po as q\nacyclic id as q"
    assert runs(text) == []
    assert len(runs(text, skip=["q"])) == 1


def test_names_of_checks_are_not_names_of_values() -> None:
    assert len(runs("acyclic po as po\nlet q = po\nempty q as q", skip=["q"])) == 1
    assert pointed_at(error("acyclic po as x\nempty x")) == "x"


def test_an_unknown_name_skips_nothing() -> None:
    assert runs("empty po as q", skip=["nowhere"]) == []


# Whole models


@pytest.mark.parametrize(
    ("model", "rf", "count"),
    [
        (SC, RF_INIT, 0),
        (SC, RF_OTHER, 1),
        (SC, frozenset({(4, 3), (0, 5)}), 1),
        (SC, frozenset({(1, 3), (2, 5)}), 1),
        (TSO, RF_INIT, 1),
        (TSO, RF_OTHER, 1),
    ],
)
def test_store_buffering(model: str, rf: frozenset[Pair], count: int) -> None:
    found = runs(model, rf)
    assert len(found) == count
    assert all(chosen(run) == COHERENCE for run in found)


def test_the_relation_a_run_bound() -> None:
    sc = interpreter(SC)
    (run,) = sc.run(reads_from(RF_OTHER))
    found = sc.relation(run, "co")
    assert isinstance(found, ExactRelation)
    assert frozenset(found) == COHERENCE
    assert sc.relation(run, "nowhere") is None
    assert sc.relation(run, "W") is None


def test_an_interpreter_runs_one_candidate_after_the_other() -> None:
    sc = interpreter(SC)
    for rf, count in [(RF_INIT, 0), (RF_OTHER, 1), (RF_INIT, 0), (RF_OTHER, 1)]:
        assert len(list(sc.run(reads_from(rf)))) == count


def test_what_depends_on_a_candidate_is_evaluated_for_each() -> None:
    text = (
        "let fixed = po | id\n"
        "let own = rf | fixed\n"
        "let f x = x | own\n"
        "let rec r = own | r;r\n"
        "with w from {po, rf}\n"
        "let all = f w | r | w\n"
        "with result from {all}"
    )
    program = interpreter(text)
    for rf in (RF_INIT, RF_OTHER, RF_INIT):
        found = list(program.run(reads_from(rf)))
        fresh = runs(text, rf)
        assert [chosen(run, 1) for run in found] == [chosen(run, 1) for run in fresh]
        assert all(chosen(run, 1) >= rf for run in found)


def test_recursion_is_computed_for_each_candidate() -> None:
    program = interpreter("let rec r = rf | po | r;r\nwith result from {r}")
    sources = [frozenset({(x, 3), (y, 5)}) for x in (1, 4) for y in (0, 2)]
    for rf in sources * 5:
        (run,) = program.run(reads_from(rf))
        assert chosen(run) == closure(rf | PO)


def test_recursion_is_computed_for_each_choice() -> None:
    text = "with o from linearisations(W, 0)\nlet rec r = o | po | r;r\nwith result from {r}"
    count = 0
    for run in interpreter(text).run(reads_from(RF_INIT)):  # one at a time, none kept
        assert chosen(run, 1) == closure(chosen(run) | PO)
        count += 1
    assert count == 24


def test_runs_may_be_taken_in_turns() -> None:
    program = interpreter("let own = rf | 0\nwith r from {own, own^-1, po}")
    first, second = program.run(reads_from(RF_INIT)), program.run(reads_from(RF_OTHER))
    found: tuple[set[frozenset[Pair]], set[frozenset[Pair]]] = (set(), set())
    for one, other in zip(first, second, strict=True):
        found[0].add(chosen(one))
        found[1].add(chosen(other))
    assert found[0] == {RF_INIT, frozenset((y, x) for x, y in RF_INIT), PO}
    assert found[1] == {RF_OTHER, frozenset((y, x) for x, y in RF_OTHER), PO}


def test_names_of_a_candidate_hide_those_of_the_program() -> None:
    program = Interpreter(model_of("empty po"), ALGEBRA, names())
    assert list(program.run({"rf": ALGEBRA.empty_relation})) == []
    assert len(list(program.run({"po": ALGEBRA.empty_relation}))) == 1


def test_names_may_hide_primitives() -> None:
    program = Interpreter(model_of("empty domain"), ALGEBRA, {"domain": ALGEBRA.empty_set})
    assert len(list(program.run({}))) == 1


def test_a_long_model_runs() -> None:
    steps = "\n".join(f"let x{n} = x{n - 1} | po" for n in range(1, 100))
    assert holds(f"let x0 = 0\n{steps}\nempty x99 \\ po")


def test_definitions_nested_too_deeply_are_an_error_of_the_model() -> None:
    steps = "let x = x | po\n" * 2000
    with pytest.raises(ModelError, match="nested too deeply"):
        runs(f"let x = po\n{steps}empty x & 0")


def test_a_check_knows_its_place() -> None:
    problem = error("let x = po\n  acyclic W as Name")
    assert place(problem) == (2, 11)
    assert problem.render().splitlines()[1:3] == ["    acyclic W as Name", "            ^"]
