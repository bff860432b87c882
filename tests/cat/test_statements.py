"""Statements and headers of the cat language, and the names that are free in expressions."""

from __future__ import annotations

import pytest

from catpy.cat.names import free_names
from catpy.cat.parser import parse
from catpy.cat.syntax import (
    Check,
    Choice,
    Header,
    Include,
    Let,
    Name,
    Role,
    Show,
)
from catpy.errors import ModelError
from catpy.source import Source
from tests.cat.notation import expression, show, show_pattern, statement, statements
from tests.cat.store_buffering import place


def let(text: str) -> Let:
    found = statement(text)
    assert isinstance(found, Let)
    return found


def check(text: str) -> Check:
    found = statement(text)
    assert isinstance(found, Check)
    return found


# Headers


@pytest.mark.parametrize(
    ("text", "names", "title"),
    [
        ("", (), None),
        ("SC", ("SC",), None),
        ('"A title"', (), "A title"),
        ("Foo Bar", ("Foo", "Bar"), None),
        ('PTX "PTX ISA"', ("PTX",), "PTX ISA"),
        ("catdep", (), None),
        ("AArch64 catdep", ("AArch64",), None),
        ('C "C++11" catdep', ("C",), "C++11"),
        ("(* a *) SC // b\n", ("SC",), None),
        ("some", ("some",), None),
    ],
)
def test_headers(text: str, names: tuple[str, ...], title: str | None) -> None:
    file = parse(Source("test.cat", text))
    assert file.header == Header(names, title, "catdep" in text)
    assert file.statements == ()
    more = parse(Source("test.cat", f"{text}\nlet x = 0"))
    assert more.header == file.header
    assert len(more.statements) == 1


@pytest.mark.parametrize(
    "marked",
    ['"a" ▸"b"', '"a" ▸b', 'a "b" ▸"c"', 'a b ▸"c"', "a b ▸c", "catdep ▸catdep", "catdep ▸a"],
)
def test_rejected_headers(marked: str) -> None:
    assert_rejected(marked)


def test_a_model_may_begin_with_a_choice() -> None:
    file = parse(Source("test.cat", "some x from s"))
    assert file.header == Header((), None)
    assert len(file.statements) == 1


# Definitions


@pytest.mark.parametrize(
    ("text", "pattern", "body"),
    [
        ("let x = a", "x", "a"),
        ("let x' = a", "x'", "a"),
        ("let (a,b) = e", "(a, b)", "e"),
        ("let a,b = e", "(a, b)", "e"),
        ("let (a) = e", "a", "e"),
        ("let () = e", "()", "e"),
        ("let _ = e", "_", "e"),
        ("let _,x = e", "(_, x)", "e"),
        ("let (_,_,x) = e", "(_, _, x)", "e"),
        ("let f () = e", "f", "fun () -> e"),
        ("let f _ = e", "f", "fun _ -> e"),
        ("let f x = x", "f", "fun x -> x"),
        ("let f(x) = x", "f", "fun x -> x"),
        ("let f(x,_,y) = x;y", "f", "fun (x, _, y) -> x;y"),
        ("let f = fun x -> x", "f", "fun x -> x"),
        ("let x = a, b", "x", "(a, b)"),
        ("let x = let y = a in y", "x", "let y = a in y"),
        ("let x = a in", "x", "a"),
        ("let some = a", "some", "a"),
        ("let domain = a", "domain", "a"),
    ],
)
def test_definitions(text: str, pattern: str, body: str) -> None:
    found = let(text)
    (binding,) = found.bindings
    assert not found.recursive
    assert found.when is None
    assert show_pattern(binding.pattern) == pattern
    assert show(binding.body) == body


def test_definitions_in_groups() -> None:
    found = let("let rec a = b | a and f(x) = a;x and c = f a")
    assert found.recursive
    assert [show_pattern(binding.pattern) for binding in found.bindings] == ["a", "f", "c"]
    assert [show(binding.body) for binding in found.bindings] == ["b|a", "fun x -> a;x", "f·a"]


def test_a_trailing_in_is_noise() -> None:
    first, second = statements("let x = a in\nlet y = b")
    assert isinstance(first, Let)
    assert isinstance(second, Let)
    assert show(first.bindings[0].body) == "a"


def test_a_recursion_with_a_condition() -> None:
    found = let("let rec r = a | r;r when ~acyclic r as n")
    assert found.when is not None
    assert (found.when.kind, found.when.negated, found.when.name) == ("acyclic", True, "n")
    assert found.when.role is Role.CHECK
    assert len(statements("let rec r = r when empty r in\nlet y = b")) == 2


# Checks


@pytest.mark.parametrize("kind", ["acyclic", "irreflexive", "empty"])
@pytest.mark.parametrize("negation", ["", "~", "~ "])
@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("name", [None, "Causality", "SC-per.Location", "x'", "domain"])
def test_checks(kind: str, negation: str, role: Role, name: str | None) -> None:
    keyword = "" if role is Role.CHECK else role.value
    suffix = f" as {name}" if name else ""
    found = check(f"{keyword} {negation}{kind} a | b{suffix}")
    assert found.kind == kind
    assert found.negated == bool(negation)
    assert found.role is role
    assert found.name == name
    assert show(found.expression) == "a|b"


def test_checks_take_full_expressions() -> None:
    assert show(check("acyclic a,b").expression) == "(a, b)"
    found = check("acyclic let x = a in x | b as foo")
    assert show(found.expression) == "let x = a in x|b"
    assert found.name == "foo"


def test_checks_follow_each_other_without_separators() -> None:
    found = statements("acyclic a as x irreflexive b empty c\n~empty d flag empty e as y")
    assert [type(one) for one in found] == [Check] * 5


# Choices


@pytest.mark.parametrize(("keyword", "is_some"), [("with", False), ("some", True)])
def test_choices(keyword: str, is_some: bool) -> None:
    found = statement(f"{keyword} co from linearisations(W, r)")
    assert isinstance(found, Choice)
    assert (found.name, found.some) == ("co", is_some)
    assert show(found.expression) == "linearisations·(W, r)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("some", "some"),
        ("some | po", "some|po"),
        ("some some", "some·some"),
        ("f some", "f·some"),
        ("some x", "some·x"),
        ("some (x)", "some·x"),
        ("some*some", "some×some"),
        ("{some}", "{some}"),
        ("fun some -> some", "fun some -> some"),
    ],
)
def test_some_is_a_name_like_others(text: str, shown: str) -> None:
    assert show(expression(text)) == shown


@pytest.mark.parametrize("before", ["a", "f a", "a*", "a+", "f", "(a)", "some"])
def test_some_with_from_begins_a_statement(before: str) -> None:
    first, second = statements(f"let x = {before}\nsome y from s")
    assert isinstance(first, Let)
    assert show(first.bindings[0].body) == show(expression(before))
    assert isinstance(second, Choice)
    assert second.some
    assert second.name == "y"


@pytest.mark.parametrize(
    ("text", "name"), [("some some from s", "some"), ("with some from s", "some")]
)
def test_some_may_be_what_is_chosen(text: str, name: str) -> None:
    found = statement(text)
    assert isinstance(found, Choice)
    assert found.name == name


# Other statements


def test_include() -> None:
    found = statement('include "some folder/cos.cat"')
    assert isinstance(found, Include)
    assert found.path == "some folder/cos.cat"


@pytest.mark.parametrize(
    ("text", "names", "shown", "hide"),
    [
        ("show a", ("a",), None, False),
        ("show a,b-c,d", ("a", "b-c", "d"), None, False),
        ("unshow a", ("a",), None, True),
        ("unshow a,b", ("a", "b"), None, True),
        ("show a|b as c", ("c",), "a|b", False),
        ("show a as c", ("c",), "a", False),
        ("show f x as c", ("c",), "f·x", False),
    ],
)
def test_show(text: str, names: tuple[str, ...], shown: str | None, hide: bool) -> None:
    found = statement(text)
    assert isinstance(found, Show)
    assert (found.names, found.hide) == (names, hide)
    assert (None if found.expression is None else show(found.expression)) == shown


# The mark ▸ stands where the error points.
REJECTED = [
    "let x = a in ▸b",
    "let f x ▸y = e",
    "let f(x)▸(y) = e",
    "let ▸in = a",
    "let ▸empty = a",
    "let ▸0 = a",
    "let ▸'a = b",
    "let ▸[a] = b",
    "let f ▸0 = a",
    "let (a ▸b) = e",
    "let (a,b ▸= e",
    "let (a,▸(b,c)) = e",
    "let a,b▸",
    "let▸",
    "let x▸",
    "let x =▸",
    "let x = a ▸when acyclic x",
    "let x = a and▸",
    "let x = a; b;▸",
    "let x = a ▸catdep",
    "let rec▸",
    "let rec x = a when▸",
    "let rec x = a when ▸flag acyclic x as n",
    "let rec x = a when ▸assert acyclic x",
    "let rec x = a when ▸undefined_unless acyclic x",
    "show ▸a|b",
    "show ▸0",
    "show a,▸",
    "show a&b as c▸, d",
    "unshow ▸a|b",
    "unshow a ▸as b",
    "acyclic▸",
    "acyclic x as▸",
    "acyclic x as ▸0",
    "acyclic x as ▸in",
    "~▸x",
    "~▸~acyclic x",
    "flag ▸x",
    "flag ▸flag acyclic x",
    "include ▸foo",
    "include▸",
    "with ▸(x,y) from s",
    "with ▸_ from s",
    "with ▸from s",
    "with x▸",
    "with x from▸",
    "some x from▸",
    "empty 0\n▸po",
    "empty 0\n▸) rf",
    "call f ▸x",
    "call▸",
    "call ▸(p)()",
    "call p() as▸",
    "if ▸x acyclic x end",
    'if "v" acyclic x▸',
    'if "v" acyclic x else acyclic x ▸else acyclic x end',
    "match t with ▸acyclic x end",
    "match t with 'a -> acyclic x▸",
    "forall x ▸from s do end",
    "forall x in s ▸acyclic x end",
    "forall x in s do acyclic x▸",
    "procedure ▸() = end",
    "procedure p() ▸acyclic x end",
    "procedure p() = acyclic x▸",
    "procedure p x ▸y = end",
    "forall x in s do ▸enum t = 'a end",
    "enum ▸= 'a",
    "enum t = ▸a",
    "enum t = 'a ▸| 'b",
    "enum t =▸",
    "instructions ▸[]",
    "instructions R▸",
    "instructions R['a▸",
    "debug▸",
    'if "v" ▸then acyclic x end',
    "if (▸a=b) then acyclic x end",
    'if ▸a=b && "v" then acyclic x end',
    "match t with ▸{} -> a end",
    "forall ▸(x,y) in s do acyclic x end",
    "procedure p() = ▸enum t = 'a end",
    "let x = match t with {} -> a ▸end",
    "let x = if (a▸=b) then a else b",
    'let x = if a=b ▸&& "v" then a else b',
]


def assert_rejected(marked: str) -> None:
    before, after = marked.split("▸")
    with pytest.raises(ModelError) as caught:
        statements(before + after)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert place(caught.value) == (line, column)


@pytest.mark.parametrize("marked", REJECTED)
def test_rejected(marked: str) -> None:
    assert_rejected(marked)


ACCEPTED = [
    "call p()",
    "call p 'x as n",
    'if "a" acyclic x end',
    'if "a" if "b" acyclic x end else acyclic y end',
    "match t with || _ -> acyclic x end",
    "match t with 'a -> acyclic x || _ -> end",
    "forall x in s do acyclic x end",
    "procedure p x = acyclic x end",
    "procedure rec p(x, y) = call p (y, x) end",
    "enum t = 'a",
    "enum t = || 'a || 'b",
    "debug x",
    "instructions R[]",
    "default R['a, {'b, 'c}]",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    (only,) = statements(text)
    assert only.span.text == text


# Free names


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("a | b;a", {"a", "b"}),
        ("0 | _ | {}", set()),
        ("f (a, b)", {"f", "a", "b"}),
        ("{a, [b]}", {"a", "b"}),
        ("fun x -> x | a", {"a"}),
        ("fun (x, _) -> x;y", {"y"}),
        ("let x = a in x | b", {"a", "b"}),
        ("let x = x in x", {"x"}),
        ("let rec x = x | a in x", {"a"}),
        ("let (x, y) = a in x | y", {"a"}),
        ("let f x = x | y in f z", {"y", "z"}),
        ("let rec f x = g x and g x = f x in f a", {"a"}),
        ("try a with b", {"a", "b"}),
    ],
)
def test_free_names(text: str, free: set[str]) -> None:
    assert free_names(expression(text)) == free


def test_a_name_is_itself() -> None:
    tree = expression("po-loc")
    assert isinstance(tree, Name)
    assert tree.name == "po-loc"
