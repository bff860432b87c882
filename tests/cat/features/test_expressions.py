"""Expression forms: application, `if`, `let … in`, `try`, `match`, `fun`, `begin … end`."""

from __future__ import annotations

import pytest

from tests.cat.features.running import ALL, NONE, counts, equal, place, problem


@pytest.mark.parametrize(
    ("expression", "same", "before"),
    [
        ("f po", "po ; po", "let f r = r ; r"),
        ("f(po, rf)", "po | rf", "let f(a, b) = a | b"),
        ("f po rf", "po | rf", "let f a = fun b -> a | b"),
        ("f(po)(rf)", "po | rf", "let f a = fun b -> a | b"),
        ("f [R]", "po ; [R]", "let f r = po ; r"),
        ("f {}", "po", "let f r = po | r"),
        ("f _", "po", "let f r = po & r"),
        ("f po+", "po", "let f r = r \\ (r ; r)"),
        ("apply (fun r -> r ; r)", "po ; po", "let apply f = f po"),
        ("apply (fun (a, b) -> a & b)", "po & loc", "let apply f = f(po, loc)"),
        ("let x = po in x ; x", "po ; po", ""),
        ("let x = po and y = rf in x | y", "po | rf", ""),
        ("po | (let y = rf in y)", "po | rf", ""),
        ("begin po | rf end & po", "po", ""),
        ("let rec x = (po \\ (po ; po)) | (x ; x) in x", "po", ""),
        ("let rec f S = match S with {} -> {} || e ++ es -> (f es) | {e} end in f M", "M", ""),
        ("try foo with po", "po", ""),
        ("try (po | W) with po", "po", ""),
        ("try (try foo with bar) with po", "po", ""),
        ("try 'a with po", "po", ""),
        ("try fail 0 with po", "po", ""),
        ("try X with emptyset", "{}", ""),
        ("try po with foo", "po", ""),
    ],
)
def test_forms(expression: str, same: str, before: str) -> None:
    assert equal(expression, same, before)


def test_an_error_of_a_binding_that_a_try_uses_is_caught() -> None:
    assert counts("let bad = foo | W\nempty try bad with 0") == ALL


def test_an_error_in_the_fallback_is_reported() -> None:
    assert place("empty try foo with bar") == (1, 20)


# if


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("po = po | po", True),
        ("po = rf", False),
        ("{} = 0", True),
        ("R | W = M", True),
        ("{po, rf} = {rf, po}", True),
        ("'a = 'a", True),
        ("'a = 'b", False),
        ("(po, W) = (po, W)", True),
        ("po ; po subset po", True),
        ("po subset po ; po", False),
        ("R subset M", True),
        ("{po} subset {rf, po}", True),
        ("{po, rf} subset {po}", False),
        ("{} subset po", True),
        ("'a in t", True),
        ("'c in {'a, 'b}", False),
        ("po in {rf, po}", True),
        ("(po & id) in {po}", False),
    ],
)
def test_comparisons(condition: str, holds: bool) -> None:
    enum = "enum t = 'a || 'b || 'c"
    assert counts(f"{enum}\nempty if {condition} then 0 else po") == (ALL if holds else NONE)


@pytest.mark.parametrize(
    ("of", "place", "holds"),
    [
        ("R", "M", True),
        ("R", "F", False),
        ("po & (W * R)", "po", True),
        ("po & (W * R)", "rf", False),
    ],
)
def test_an_event_or_a_pair_is_in(of: str, place: str, holds: bool) -> None:
    found = f"match {of} with {{}} -> po || e ++ es -> if e in {place} then 0 else po end"
    assert counts(f"empty {found}") == (ALL if holds else NONE)


def test_sets_and_relations_are_not_compared() -> None:
    message, line, column = problem("empty if po = W then 0 else po")
    assert message == "cannot compare a relation and an event set"
    assert (line, column) == (1, 10)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ('"on"', True),
        ('"ON"', True),
        ('variant "on"', True),
        ('"off"', False),
        ('not "off"', True),
        ('not not "on"', True),
        ('"on" && "off"', False),
        ('"off" || "on"', True),
        ('"on" || "off" && "off"', True),
        ('("on" || "off") && "off"', False),
        ('not "on" || "on"', True),
        ('not ("on" || "off")', False),
        ('(("on"))', True),
    ],
)
def test_variants(condition: str, holds: bool) -> None:
    assert counts(f"empty if {condition} then 0 else po", ["on"]) == (ALL if holds else NONE)
    assert counts(f"if {condition} empty po end", ["on"]) == (NONE if holds else ALL)
    assert counts(f"if {condition} else empty po end", ["on"]) == (ALL if holds else NONE)


# match


@pytest.mark.parametrize(("tag", "same"), [("'a", "po"), ("'b", "rf"), ("'c", "loc")])
def test_a_match_on_tags(tag: str, same: str) -> None:
    before = "enum t = 'a || 'b || 'c\nlet f x = match x with 'a -> po || 'b -> rf || _ -> loc end"
    assert equal(f"f {tag}", same, before)


def test_tags_are_compared_by_name_alone() -> None:
    two = "enum t = 'a || 'b\nenum u = 'a || 'c\n"
    assert counts(two + "empty match 'a with || 'a -> 0 || _ -> po end") == ALL


def test_no_clause_for_a_tag() -> None:
    message, line, column = problem("enum t = 'a || 'b\nempty match 'b with 'a -> 0 end")
    assert "'b" in message
    assert (line, column) == (2, 13)


@pytest.mark.parametrize("scrutinee", ["{}", "_", "po", "R"])
def test_a_match_on_what_is_no_tag(scrutinee: str) -> None:
    assert place(f"empty match {scrutinee} with 'a -> 0 || _ -> 0 end") == (1, 13)


def test_a_match_on_sets_of_every_kind() -> None:
    walk = "let rec f S = match S with {} -> 0 || e ++ es -> g e | f es end"
    assert equal("f R", "R * R", "let g e = e * R\n" + walk)
    assert equal("f po", "po^-1", "let g p = p^-1 ++ 0\n" + walk)
    assert equal("f {po, rf}", "po | rf", "let g r = r\n" + walk)


def test_the_clauses_come_in_either_order() -> None:
    assert equal("match {} with e ++ es -> po || {} -> rf end", "rf")
    assert equal("match {} with || {} -> rf || e ++ es -> po end", "rf")
    assert equal("match R with _ ++ _ -> po || {} -> rf end", "po")


def test_three_parts_are_below_the_element_and_above() -> None:
    split = "let f S = match S with {} -> {} || s1 | x ++ s2 -> "
    assert equal("f M", "M", split + "s1 | (x ++ s2) end")
    assert equal("f M", "{}", split + "s1 & s2 end")
    # Whatever the element, it is in neither part.
    assert counts(split + "s1 | s2 end\n~empty M \\ (f M)") == ALL
    assert equal("f po", "po", split + "s1 | (x ++ s2) end")
    assert equal("f {}", "{}", split + "W end")


def test_the_universe_has_no_elements_to_take() -> None:
    assert place("empty match _ with {} -> 0 || e ++ es -> 0 end") == (1, 13)


# Application


@pytest.mark.parametrize(
    ("text", "line_and_column"),
    [
        ("empty po W", (1, 7)),
        ("let f(a, b) = a\nempty f po", (2, 9)),
        ("let f(a, b) = a\nempty f(po, po, po)", (2, 9)),
        ("let f() = po\nempty f po", (2, 9)),
        ("empty domain R", (1, 14)),
    ],
)
def test_wrong_applications(text: str, line_and_column: tuple[int, int]) -> None:
    assert place(text) == line_and_column


def test_a_pair_is_a_tuple_of_two() -> None:
    taken = "let f(a, b) = a * b\nlet g r = match r with {} -> 0 || p ++ ps -> f p end"
    assert counts(f"{taken}\nempty (g po) \\ po\n~empty g po") == ALL
