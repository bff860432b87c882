"""What operators apply to, by the shape of the tree, and what the grammar refuses."""

from __future__ import annotations

import pytest

from catpy.cat.dialect import Dialect
from catpy.cat.parser import parse, parse_expression
from catpy.cat.syntax import Apply, Constant, Expression, Name, Operation, SetOf, TagOf, TupleOf
from catpy.errors import ModelError
from catpy.source import Source


def shape(text: str, dialect: Dialect = Dialect.HERD) -> str:
    """An expression with parentheses around every operation; `×` product, `·` application."""
    return _show(parse_expression(Source("text", text), dialect))


def _show(expression: Expression) -> str:
    match expression:
        case Name(name):
            return name
        case Constant(symbol):
            return symbol
        case TagOf(name):
            return f"'{name}"
        case Operation("[]", (inner,)):
            return f"[{_show(inner)}]"
        case Operation("~", (inner,)):
            return f"(~{_show(inner)})"
        case Operation(operator, (inner,)):
            return f"({_show(inner)}{operator})"
        case Operation(operator, operands):
            return f"({operator.join(map(_show, operands))})"
        case Apply(function, argument):
            return f"({_show(function)}·{_show(argument)})"
        case TupleOf(items) | SetOf(items):
            return f"<{', '.join(map(_show, items))}>"
    raise AssertionError(expression)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b&c", "(a|(b&c))"),
        ("a&b|c", "((a&b)|c)"),
        ("a;b&c", "(a;(b&c))"),
        ("a&b;c", "((a&b);c)"),
        ("a;b|c;d", "((a;b)|(c;d))"),
        ("a\\b;c\\d", "((a\\b);(c\\d))"),
        ("a\\b\\c", "((a\\b)\\c)"),
        ("a\\b&c", "(a\\(b&c))"),
        ("a&b\\c", "((a&b)\\c)"),
        ("a;b\\c", "(a;(b\\c))"),
        ("a++b|c", "((a++b)|c)"),
        ("a++b;c", "(a++(b;c))"),
        ("a;b++c", "((a;b)++c)"),
        ("a++b++c", "(a++(b++c))"),
        ("a|b|c", "(a|b|c)"),
        ("a;b;c", "(a;b;c)"),
        ("a*b&c", "((a×b)&c)"),
        ("a&b*c", "(a&(b×c))"),
        ("a*b;c", "((a×b);c)"),
        ("a\\b*c", "(a\\(b×c))"),
        ("a|b;c&d\\e*f", "(a|(b;((c&d)\\(e×f))))"),
        ("a+*b", "((a+)×b)"),
        ("a* *b", "((a*)×b)"),
        ("a?*b", "((a?)×b)"),
        ("a*b^-1", "(a×(b^-1))"),
        ("a*(b)", "(a×b)"),
        ("a* [b]", "(a×[b])"),
        ("a*;[b]", "((a*);[b])"),
        ("a**", "((a*)*)"),
        ("a^-1*", "((a^-1)*)"),
        ("a*^-1", "((a*)^-1)"),
        ("~a&b", "((~a)&b)"),
        ("~a;b", "((~a);b)"),
        ("a\\~b", "(a\\(~b))"),
        ("~a^-1", "(~(a^-1))"),
        ("~~a", "(~(~a))"),
        ("~[a]", "(~[a])"),
        ("~f a", "(~(f·a))"),
        ("f a b", "((f·a)·b)"),
        ("f a+", "((f·a)+)"),
        ("f(a,b)+", "((f·<a, b>)+)"),
        ("f a^-1", "((f·a)^-1)"),
        ("f a*b", "((f·a)×b)"),
        ("f [a]", "(f·[a])"),
        ("f 0", "(f·0)"),
        ("f _", "(f·_)"),
        ("f {a}", "(f·<a>)"),
        ("f 'a", "(f·'a)"),
        ("f a,b", "<(f·a), b>"),
        ("a,b,c", "<a, b, c>"),
        ("()", "<>"),
        ("0+", "(0+)"),
        ("_*", "(_*)"),
        ("_*_", "(_×_)"),
        ("r^ -1", "(r^-1)"),
        ("begin a | b end ; c", "((a|b);c)"),
    ],
)
def test_what_operators_apply_to(text: str, shown: str) -> None:
    assert shape(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "a*~b",
        "~a*b",
        "~a+",
        "~a*",
        "~a?",
        "a*b*c",
        "a*b+",
        "a*b?",
        "f a*b+",
        "~f a+",
        "a^*",
        "a^+",
        "a^?",
        "a+(b)",
        "(f a) b",
        "{a} b",
        "[a] b",
        "a||b",
        "a&&b",
        "not a",
        "a subset b",
        "a -> b",
        "a <- b",
        "a @ b",
        "!a",
        "a -1",
        "1",
        "_1",
        "__x",
        "''a",
        "e->y",
        "fun x-> y",
        '"str"',
        "a | let y = b in y",
        "a | fun y -> y",
        "{let x = b in x}",
        "fun x y -> e",
    ],
)
def test_expressions_that_the_grammar_refuses(text: str) -> None:
    with pytest.raises(ModelError):
        shape(text)


@pytest.mark.parametrize(
    "text",
    [
        "let x = a in\nlet y = b",
        "let (a,b) = e",
        "let a,b = e",
        "let () = e",
        "let _,x = e",
        "let f () = e",
        "let f _ = e",
        "~acyclic x",
        "show a|b as c",
        "call p 'x as n",
        "call p()",
        "procedure p x = acyclic x end",
        "let rec r = a when acyclic r as n",
        "let x = match t with || _ -> e end",
        "let x = match t with e ++ es -> b || {} -> a end",
        'let x = if not "v" && "w" || "z" then a else b',
        'let x = if (("a")) then b else c',
        'if "a" if "b" acyclic x end else acyclic y end',
        "enum t = 'a",
        "instructions R[]",
        "acyclic a,b",
        "acyclic let x = a in x | b as foo",
    ],
)
def test_statements(text: str) -> None:
    parse(Source("text", f'"title"\n{text}'))


@pytest.mark.parametrize(
    "text",
    [
        "let x = a in b",
        "let f x y = e",
        "let f(x)(y) = e",
        "let in = a",
        "call f x",
        "show a|b",
        "show a&b as c, d",
        'if "v" then acyclic x end',
        "let x = if (a=b) then c else d",
        'let x = if a=b && "v" then c else d',
        "let x = match t with {} -> a end",
        "forall (x,y) in s do acyclic x end",
        "with (x,y) from s",
        "procedure p() = enum t = 'a end",
        "include foo",
        "let x = a*\n~empty y",
        "let x = a; b;",
        "let rec x = a when flag acyclic x",
    ],
)
def test_statements_that_the_grammar_refuses(text: str) -> None:
    with pytest.raises(ModelError):
        parse(Source("text", f'"title"\n{text}'))


def test_a_postfix_plus_may_stand_before_a_negated_check() -> None:
    parse(Source("text", '"title"\nlet x = a+\n~empty y'))


# Dat3M's dialect


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("~a*b", "(~(a×b))"),
        ("a * ~b", "(a×(~b))"),
        ("a*b*c", "((a×b)×c)"),
        ("~a+", "(~(a+))"),
        ("a*b+", "(a×(b+))"),
        ("r -1", "(r^-1)"),
        ("r^-1", "(r^-1)"),
        ("r^*", "(r*)"),
        ("r^+", "(r+)"),
        ("r^?", "(r?)"),
        ("a|b;c\\d&e", "(a|(b;(c\\(d&e))))"),
        ("f(a, b)", "(f·<a, b>)"),
    ],
)
def test_the_other_dialect_has_an_order_of_its_own(text: str, shown: str) -> None:
    assert shape(text, Dialect.DAT3M) == shown
