"""Elements of sets, `match` and `if`, tags, and classes of events."""

from __future__ import annotations

import pytest

from catpy.cat.values import EMPTY, Pair, Tag, Value, ValueSet, key
from catpy.relation import ExactEventSet, ExactRelation
from tests.cat.store_buffering import (
    ALGEBRA,
    ALL_EVENTS,
    IW,
    LOC,
    PO,
    RF_INIT,
    RF_OTHER,
    R,
    W,
    error,
    events,
    holds,
    interpreter,
    pairs,
    pointed_at,
    reads_from,
    runs,
    value,
)
from tests.relation.plain import closure, diagonal, inverse

#: An event of W, a pair of po, and functions that rebuild what they take apart.
ELEMENTS = """
let event S = match S with {} -> fail 0 || e ++ es -> e end
let pair r = match r with {} -> fail 0 || p ++ ps -> p end
let e = event W
let p = pair po
let rec copy S = match S with {} -> {} || e ++ es -> e ++ copy es end
let rec count S = match S with {} -> {} || e ++ es -> {count es} end
"""
X, Y = frozenset({0, 2, 5}), frozenset({1, 3, 4})
TAGS = "enum t = 'a || 'b || 'c\nenum u = || 'x || 'y\n"


def number_of(text: str, before: str = "") -> int:
    """How many elements a set of values has."""
    return len(runs(f"{before}\nwith one from {text}"))


# Events and pairs


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("copy W", "W"),
        ("copy (W \\ IW)", "W \\ IW"),
        ("copy po", "po"),
        ("copy loc", "loc"),
        ("{e} | W", "W"),
        ("e ++ (W \\ {e})", "W"),
        ("e ++ (e ++ {})", "{e}"),
        ("{e, e}", "{e}"),
        ("{p} | po", "po"),
        ("p ++ 0", "{p}"),
        ("p ++ {}", "{p}"),
        ("p ++ po", "po"),
        ("p ++ (po \\ {p})", "po"),
        ("let a, b = p in (a, b) ++ 0", "{p}"),
        ("let a, b = p in {a} * {b}", "{p}"),
        ("let a, b = p in {a}", "domain {p}"),
        ("let a, b = p in a * b", "{p}"),
        ("p ; id", "{p}"),
        ("id ; p", "{p}"),
        ("{p^-1}", "{p}^-1"),
        ("p^-1 ++ 0", "{p}^-1"),
        ("e * W", "{e} * W"),
        ("W * e", "W * {e}"),
        ("let f(x, y) = {x} * {y} in f p", "{p}"),
        ("[{e}]", "{e} * e"),
    ],
)
def test_elements_make_sets_and_relations(text: str, same: str) -> None:
    assert key(value(text, ELEMENTS)) == key(value(same, ELEMENTS))


def test_an_element_is_one_of_its_set() -> None:
    assert len(events("{e}", ELEMENTS)) == 1
    assert events("{e}", ELEMENTS) <= W
    assert len(pairs("{p}", ELEMENTS)) == 1
    assert pairs("{p}", ELEMENTS) <= PO
    assert isinstance(value("p", ELEMENTS), Pair)


@pytest.mark.parametrize(
    ("test", "expected"),
    [("empty e", False), ("empty p", False), ("irreflexive p", True), ("acyclic p", True)],
)
def test_elements_are_promoted_in_tests(test: str, expected: bool) -> None:
    assert holds(f"{ELEMENTS}{test}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "e | W",
        "W | e",
        "e & W",
        "W \\ e",
        "[e]",
        "p | po",
        "po & p",
        "po \\ p",
        "p ++ W",
        "e ++ po",
        "e ++ 0",
        "W ++ W",
        "po ++ po",
        "po ++ 0",
        "{e, p}",
        "{e, W}",
        "e ; po",
        "e+",
        "~e",
        "_ ++ W",
        "{e, _}",
    ],
)
def test_elements_are_no_sets(text: str) -> None:
    error(f"{ELEMENTS}let it = {text}\nlet use = it ++ {{}}\nwith x from use")


# Match on sets


@pytest.mark.parametrize("scrutinee", ["{}", "0", "W \\ W", "F", "po & rf", "{po} \\ {po}"])
def test_an_empty_set_takes_the_empty_clause(scrutinee: str) -> None:
    assert pairs(f"match {scrutinee} with {{}} -> po || x ++ xs -> rf end") == PO


@pytest.mark.parametrize("scrutinee", ["W", "po", "{po}", "{W, R}", "{{}}", "{0}"])
def test_a_set_with_elements_takes_the_other(scrutinee: str) -> None:
    assert pairs(f"match {scrutinee} with {{}} -> po || x ++ xs -> rf end") == RF_INIT
    assert pairs(f"match {scrutinee} with x ++ xs -> rf || {{}} -> po end") == RF_INIT


def test_the_rest_lacks_the_element() -> None:
    text = "match {} with {{}} -> 0 || x ++ xs -> (x ++ xs) end"
    assert events(text.format("W")) == W
    assert pairs(text.format("po")) == PO
    assert events("match W with {} -> W || x ++ xs -> xs & {x} end") == frozenset()
    assert len(events("match W with {} -> W || _ ++ xs -> xs end")) == len(W) - 1
    assert len(pairs("match loc with {} -> 0 || _ ++ xs -> xs end")) == len(LOC) - 1
    assert number_of("match {po, rf, id} with {} -> {} || x ++ xs -> xs end") == 2
    assert number_of("match {po, rf, id} with {} -> {} || x ++ xs -> x ++ xs end") == 3


def test_the_three_parts_of_a_set() -> None:
    text = "match W with {} -> W || below | x ++ above -> below | {x} | above end"
    assert events(text) == W
    assert events(text.replace("below | {x} | above end", "below & above end")) == frozenset()
    assert (
        events(text.replace("below | {x} | above end", "(below | above) & {x} end")) == frozenset()
    )
    assert pairs("match po with {} -> 0 || a | p ++ b -> p ++ (a | b) end") == PO
    assert number_of("match {po, rf, id} with {} -> {} || a | x ++ b -> x ++ (a | b) end") == 3


def test_the_clause_that_is_not_taken_is_not_evaluated() -> None:
    assert pairs("match 0 with {} -> po || x ++ xs -> foo end") == PO
    assert pairs("match po with {} -> foo || x ++ xs -> rf end") == RF_INIT


@pytest.mark.parametrize(
    "scrutinee", ["_", "(po, rf)", "domain", "()", "fun x -> x", "foo", "e", "p"]
)
def test_what_has_no_elements(scrutinee: str) -> None:
    error(
        f"{ELEMENTS}{TAGS}let it = match {scrutinee} with {{}} -> 0 || x ++ xs -> 0 end\nempty it"
    )


def test_a_function_over_all_elements() -> None:
    before = (
        "let map f = let rec go S = match S with {} -> {} || x ++ xs -> f x ++ go xs end in go\n"
        "let rec union SS = match SS with {} -> {} || S ++ SS -> S | union SS end\n"
    )
    assert pairs("union (map (fun r -> r^-1) {po, rf})", before) == inverse(PO | RF_INIT)
    assert pairs("union (map (fun e -> {e} * e) W)", before) == diagonal(W)
    assert value("union {}", before) is EMPTY


def test_counting() -> None:
    # Three times a set in a set around `{}`.
    counted = value("count {po, rf, id}", ELEMENTS)
    for _ in range(3):
        assert isinstance(counted, ValueSet)
        (counted,) = counted.items
    assert counted is EMPTY


# Conditions


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("po = po", True),
        ("po = rf", False),
        ("po = po^-1^-1", True),
        ("W | R = M", True),
        ("W = R", False),
        ("{} = 0", True),
        ("0 = {}", True),
        ("{} = F", True),
        ("{} = W", False),
        ("{} = {}", True),
        ("{po, rf} = {rf, po}", True),
        ("{po, rf} = {rf}", False),
        ("{po} \\ {po} = {}", True),
        ("{{}} = {0}", True),
        ("(po, rf) = (po, rf)", True),
        ("(po, rf) = (rf, po)", False),
        ("'a = 'a", True),
        ("'a = 'b", False),
        ("{'a, 'b} = {'b, 'a}", True),
        ("e = e", True),
        ("p = p", True),
        ("domain = domain", True),
        ("domain = range", False),
        ("po subset po", True),
        ("po subset po | rf", True),
        ("po | rf subset po", False),
        ("IW subset W", True),
        ("W subset IW", False),
        ("{} subset W", True),
        ("0 subset po", True),
        ("{po} subset {rf, po}", True),
        ("{po, id} subset {rf, po}", False),
        ("{} subset {po}", True),
        ("e in W", True),
        ("e in R", False),
        ("p in po", True),
        ("p in rf", False),
        ("let a, b = p in (a, b) in po", True),
        ("(let a, b = p in (a, b)) in po", True),
        ("(let a, b = p in (b, a)) in po", False),
        ("p^-1 in po", False),
        ("po in {rf, po}", True),
        ("id in {rf, po}", False),
        ("W in {W}", True),
        ("'a in t", True),
        ("'a in {'b, 'c}", False),
        ("0 in {{}}", True),
        ("(po, rf) in {(po, rf)}", True),
    ],
)
def test_conditions(condition: str, expected: bool) -> None:
    text = f"if {condition} then po else rf"
    assert pairs(text, TAGS + ELEMENTS) == (PO if expected else RF_INIT)


@pytest.mark.parametrize(
    "condition",
    ["W = po", "po = 'a", "(po, rf) = po", "W subset po", "(po, rf) subset (po, rf)", "po in W"],
)
def test_conditions_between_different_kinds(condition: str) -> None:
    error(f"{TAGS}let it = if {condition} then po else rf\nempty it")


def test_the_branch_that_is_not_taken_is_not_evaluated() -> None:
    assert pairs("if po = po then rf else foo") == RF_INIT
    assert pairs("if po = rf then foo else rf") == RF_INIT


@pytest.mark.parametrize(
    ("condition", "variants", "expected"),
    [
        ('"T01"', [], False),
        ('"T01"', ["t01"], True),
        ('variant "t01"', ["t01"], True),
        ('not "v"', [], True),
        ('not "v" && "w" || "z"', ["w"], True),
        ('not "v" && "w" || "z"', ["v", "w"], False),
        ('not "v" && "w" || "z"', ["v", "w", "z"], True),
        ('not ("v" || "w")', ["w"], False),
        ('"v" && ("w" || "z")', ["v", "z"], True),
        ('"v" || "w" && "z"', ["v"], True),
    ],
)
def test_conditions_on_variants(condition: str, variants: list[str], expected: bool) -> None:
    text = f"with r from {{(if {condition} then po else rf)}}"
    program = interpreter(text, variants=variants)
    (run,) = program.run(reads_from(RF_INIT))
    (chosen,) = run.choices
    assert isinstance(chosen, ExactRelation)
    assert frozenset(chosen) == (PO if expected else RF_INIT)


def test_a_branch_for_a_variant_that_is_off_still_captures_its_names() -> None:
    problem = error('let f x = if "T01" then foo else x\nacyclic f(po)')
    assert problem.message == "unbound name `foo`"
    assert holds('let rec f x = if "T01" then foo else x\nacyclic f(po)')


# Tags


def test_an_enumeration_binds_its_tags_and_its_name() -> None:
    assert value("'b", TAGS) == Tag("b", "t")
    assert number_of("t", TAGS) == 3
    assert number_of("u", TAGS) == 2


@pytest.mark.parametrize("text", ["empty 'd", "let x = 'd\nempty x", "with x from 'd ++ {}"])
def test_a_tag_that_is_not_declared(text: str) -> None:
    assert pointed_at(error(TAGS + text)) == "'d"


def test_a_tag_is_declared_before_it_is_evaluated() -> None:
    assert pointed_at(error("with x from {'a}\nenum t = 'a")) == "'a"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("'a | 'b", 2),
        ("'a | 'a", 1),
        ("'a | {'b, 'c}", 3),
        ("t \\ 'a", 2),
        ("t & 'a", 1),
        ("'a & 'b", 0),
        ("~'a", 2),
        ("~{'a, 'b}", 1),
        ("~t", 0),
        ("_ \\ 'a", 2),
        ("_ & 'a", 1),
        ("t \\ _", 0),
        ("'a ++ {}", 1),
        ("'a ++ 'b ++ {'c}", 3),
        ("{'a, 'a, 'b}", 2),
        ("{} | 'a", 1),
        ("{t, u}", None),
        ("{'a} | {'x}", None),
        ("'a | 'x", None),
        ("{'a, 'x}", None),
        ("'a | W", None),
        ("t & po", None),
        ("'a ++ W", None),
    ],
)
def test_sets_of_tags(text: str, count: int | None) -> None:
    if count is None:
        error(f"{TAGS}with one from {text}")
    else:
        assert number_of(text, TAGS) == count


def test_a_tag_that_is_declared_later_is_not_there_in_any_branch() -> None:
    text = "with r from {po, rf}\nwith x from try 'a ++ {} with {id}\nenum t = 'a"
    found = runs(text)
    assert len(found) == 2
    for run in found:
        assert key(run.choices[1]) == key(ALGEBRA.identity)


@pytest.mark.parametrize("test", ["empty 'a", "empty t", "acyclic t", "irreflexive 'a"])
def test_tags_are_not_tested(test: str) -> None:
    error(TAGS + test)


@pytest.mark.parametrize(
    ("arms", "tag", "expected"),
    [
        ("'a -> po || 'b -> rf", "'a", PO),
        ("'a -> po || 'b -> rf", "'b", RF_INIT),
        ("|| 'a -> po || _ -> rf", "'c", RF_INIT),
        ("'a -> po || _ -> rf", "'a", PO),
        ("_ -> rf", "'a", RF_INIT),
        ("'a -> po || 'a -> rf", "'a", PO),
        # The clause that is not taken is not evaluated.
        ("'a -> foo || _ -> rf", "'b", RF_INIT),
    ],
)
def test_match_on_a_tag(arms: str, tag: str, expected: frozenset[tuple[int, int]]) -> None:
    assert pairs(f"match {tag} with {arms} end", TAGS) == expected


def test_tags_are_matched_by_name_alone() -> None:
    before = (
        "enum t = 'a || 'b\nlet f x = match x with 'a -> po || _ -> rf end\nenum u = 'a || 'z\n"
    )
    assert pairs("f 'a", before) == PO
    assert pairs("f 'z", before) == RF_INIT
    assert pairs("f 'b", before) == RF_INIT


def test_a_tag_declared_again_changes_its_enumeration() -> None:
    before = "enum t = 'a || 'b\nenum u = 'a || 'c\n"
    assert value("'a", before) == Tag("a", "u")
    assert number_of("{'a, 'c}", before) == 2
    error(f"{before}with x from {{'a, 'b}}")


@pytest.mark.parametrize("scrutinee", ["W", "po", "{}", "_", "{'a}", "t", "(po, rf)", "foo", "'c"])
def test_what_a_match_on_tags_refuses(scrutinee: str) -> None:
    error(f"{TAGS}let it = match {scrutinee} with 'a -> 0 || 'b -> 0 end\nempty it")


def test_a_set_of_tags_is_walked_through_by_match() -> None:
    before = TAGS + (
        "let pick x = match x with 'a -> po || 'b -> rf || _ -> id end\n"
        "let rec all S = match S with {} -> 0 || x ++ xs -> pick x | all xs end\n"
    )
    assert pairs("all {'a, 'b}", before) == PO | RF_INIT
    assert pairs("all t", before) == PO | RF_INIT | diagonal(ALL_EVENTS)


# Sets of values and their types


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("{(po, {}), (po, rf)}", 2),
        ("{({}, po), (po, {})}", 2),
        ("{({}, po), (0, po)}", 1),
        ("{{}, {{}}}", 2),
        ("{{{}}, {{po}}}", 2),
        ("{domain, fun-of-x}", 2),
        ("{({}, domain)} | {(po, range)}", 2),
    ],
)
def test_types_are_compatible_up_to_the_empty_value(text: str, count: int) -> None:
    assert number_of(text, "let fun-of-x = fun x -> x") == count


@pytest.mark.parametrize(
    "text", ["{{}, domain}", "{{}, (po, rf)}", "{{}, 'a}", "{(po, rf), (po, W)}", "{(po, rf), ()}"]
)
def test_types_that_are_not_compatible(text: str) -> None:
    error(f"{TAGS}with one from {text}")


# Classes


def test_events_by_location() -> None:
    assert number_of("classes-loc W") == 2
    assert number_of("classes-loc {}") == 0
    assert number_of("classes-loc (W & R)") == 0
    found = runs("with c from classes-loc M")
    assert {events_of(run.choices[0]) for run in found} == {X, Y}


def events_of(found: Value) -> frozenset[int]:
    assert isinstance(found, ExactEventSet)
    return frozenset(found)


def test_classes_of_a_relation() -> None:
    found = {events_of(run.choices[0]) for run in runs("with c from classes po")}
    assert found == {frozenset({2, 3}), frozenset({4, 5})}
    found = {events_of(run.choices[0]) for run in runs("with c from classes (po | rf)")}
    assert found == {frozenset({1, 2, 3}), frozenset({0, 4, 5})}
    assert number_of("classes 0") == 0


def test_lift_and_delift() -> None:
    before = "let cs = classes int\n"
    # Reads-from leads from initial writes, in no class; ext relates the two threads.
    assert holds(f"{before}empty lift(cs, rf)")
    assert pairs("delift(lift(cs, po))", before) == frozenset(
        (x, y) for x, y in pairs("int") if x not in IW and y not in IW
    )
    assert pairs("deliftinter(ext, lift(cs, ext))", before) == pairs("ext & ((M\\IW) * (M\\IW))")
    assert runs(f"{before}irreflexive lift(cs, po)") == []
    assert runs(f"{before}acyclic lift(cs, ext)") == []
    assert holds(f"{before}irreflexive lift(cs, ext)")


def test_linearisations_of_classes() -> None:
    before = "let cs = classes int\n"
    assert number_of("linearisations(cs, lift(cs, 0))", before) == 2
    assert number_of("linearisations(cs, lift(cs, ext))", before) == 0
    assert number_of("linearisations(cs, lift(cs, po))", before) == 0
    text = f"{before}with o from linearisations(cs, lift(cs, rf))\nempty o \\ lift(cs, rf)"
    assert len(runs(text, frozenset({(2, 5), (1, 3)}))) == 1
    assert runs(text, RF_OTHER) == []


def test_class_relations_do_not_mix_with_relations() -> None:
    for text in (
        "lift(cs, po) | po",
        "lift(cs, po) & po",
        "po \\ lift(cs, po)",
        "lift(cs, po) ; po",
    ):
        error(f"let cs = classes int\nlet it = {text}\nempty it")


def test_fromto() -> None:
    assert pairs("fromto R") == pairs("fromto {}") == frozenset()
    # In a longer program order, fences are what is in between.
    text = "with r from {fromto(F)}"
    more: dict[str, Value] = {
        "po": ALGEBRA.relation((x, y) for x in range(6) for y in range(x + 1, 6)),
        "F": ALGEBRA.event_set([1, 4]),
    }
    (run,) = interpreter(text, more=more).run({})
    expected = {(0, y) for y in range(2, 6)} | {(x, 5) for x in range(4)}
    assert key(run.choices[0]) == key(ALGEBRA.relation(expected))


def test_as_transitive() -> None:
    assert pairs("as_transitive(po | rf)") == closure(PO | RF_INIT)


def test_bisimulation() -> None:
    # Two events of a location are alike if both or none of them have a step in program order.
    alike = {(x, y) for x, y in LOC if (x in {2, 4}) == (y in {2, 4})}
    assert pairs("bisimulation(po, loc)") == alike
    assert pairs("bisimulation(0, loc)") == LOC


def test_fail_fails() -> None:
    error("let x = fail po\nempty x")
    assert holds("let x = fail po")
    assert pairs("try fail po with rf") == RF_INIT


@pytest.mark.parametrize(
    "call",
    [
        "domain 'a",
        "classes-loc po",
        "classes W",
        "lift(po, po)",
        "lift(classes po, W)",
        "delift(po)",
        "fromto(po)",
        "linearisations(classes po, po)",
        "bisimulation(W, po)",
        "bisimulation(po)",
        "tag2events(W)",
        "tag2scope(po)",
        "tag2scope('a)",
        "tag2events('nowhere)",
    ],
)
def test_primitives_refuse_other_arguments(call: str) -> None:
    error(f"{TAGS}enum v = 'nowhere\nlet x = {call}\nlet use = x ++ {{}}\nwith y from use")


def test_tags_name_sets_and_scopes_of_the_engine() -> None:
    text = (
        "enum tags = 'rcu-lock || 'cta || 'W\nlet W = R\n"
        "with s from {tag2events('rcu-lock), tag2events('W)}\nwith r from {tag2scope('cta)}"
    )
    more: dict[str, Value] = {
        "Rcu-lock": ALGEBRA.event_set(R),
        "scope:cta": ALGEBRA.relation(LOC),
    }
    found = list(interpreter(text, more=more).run(reads_from(RF_INIT)))
    # Names the model binds are not consulted.
    assert {tuple(events_of(run.choices[0])) for run in found} == {
        tuple(sorted(R)),
        tuple(sorted(W)),
    }
    assert all(key(run.choices[1]) == key(ALGEBRA.relation(LOC)) for run in found)
