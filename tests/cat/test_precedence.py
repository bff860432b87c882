"""How operators bind: the vectors that herd's parser accepts and rejects."""

from __future__ import annotations

import pytest

from catpy.cat.syntax import Let, Operation
from catpy.errors import ModelError
from tests.cat.notation import LEAD, expression, show, statements
from tests.cat.store_buffering import place

ACCEPTED = [
    ("a|b&c", "a|(b&c)"),
    ("a&b|c", "(a&b)|c"),
    ("a;b&c", "a;(b&c)"),
    ("a&b;c", "(a&b);c"),
    ("a;b|c;d", "(a;b)|(c;d)"),
    ("a\\b;c\\d", "(a\\b);(c\\d)"),
    ("a\\b\\c", "(a\\b)\\c"),
    ("a\\b&c", "a\\(b&c)"),
    ("a&b\\c", "(a&b)\\c"),
    ("a;b\\c", "a;(b\\c)"),
    ("a++b|c", "(a++b)|c"),
    ("a|b++c", "a|(b++c)"),
    ("a++b;c", "a++(b;c)"),
    ("a;b++c", "(a;b)++c"),
    ("a++b++c", "a++(b++c)"),
    ("a&b&c", "a&(b&c)"),
    ("a|b|c", "a|b|c"),
    ("a;b;c;d", "a;b;c;d"),
    ("a;(b;c)", "a;(b;c)"),
    ("(a|b)|c", "(a|b)|c"),
    # Products
    ("a*b&c", "(a×b)&c"),
    ("a&b*c", "a&(b×c)"),
    ("a*b;c", "(a×b);c"),
    ("a;b*c", "a;(b×c)"),
    ("a\\b*c", "a\\(b×c)"),
    ("a|b;c&d\\e*f", "a|(b;((c&d)\\(e×f)))"),
    ("loc & (W\\FW)*FW", "loc&((W\\FW)×FW)"),
    ("a+*b", "(a+)×b"),
    ("a* *b", "(a*)×b"),
    ("a?*b", "(a?)×b"),
    ("a*b^-1", "a×(b^-1)"),
    ("a*(b)", "a×b"),
    ("a* [b]", "a×[b]"),
    ("a*\n[b]", "a×[b]"),
    ("a*(* *)b", "a×b"),
    ("a*{b}", "a×{b}"),
    ("a*0", "a×0"),
    ("a*begin b end", "a×b"),
    ("a*(~b)", "a×(~b)"),
    ("(a*b)*c", "(a×b)×c"),
    # Postfix operators
    ("a*;[b]", "(a*);[b]"),
    ("a*|b", "(a*)|b"),
    ("a*\\b", "(a*)\\b"),
    ("a* ++b", "(a*)++b"),
    ("a**", "(a*)*"),
    ("a+*", "(a+)*"),
    ("a?+", "(a?)+"),
    ("a^-1*", "(a^-1)*"),
    ("a*^-1", "(a*)^-1"),
    ("a^-1^-1", "(a^-1)^-1"),
    ("r^ -1", "r^-1"),
    ("(a*b)+", "(a×b)+"),
    ("0+", "0+"),
    ("_*", "_*"),
    ("_*_", "_×_"),
    ("_* *_", "(_*)×_"),
    # Complement
    ("~a&b", "(~a)&b"),
    ("~a;b", "(~a);b"),
    ("~a|b", "(~a)|b"),
    ("a\\~b", "a\\(~b)"),
    ("a&~b", "a&(~b)"),
    ("a;~b", "a;(~b)"),
    ("a|~b", "a|(~b)"),
    ("~a^-1", "~(a^-1)"),
    ("~~a", "~(~a)"),
    ("~[a]", "~[a]"),
    ("~f a", "~(f·a)"),
    ("(~a)+", "(~a)+"),
    ("~(a+)", "~(a+)"),
    ("(~a)*b", "(~a)×b"),
    # Application
    ("f a b", "(f·a)·b"),
    ("f(a)(b)", "(f·a)·b"),
    ("f a+", "(f·a)+"),
    ("f(a,b)+", "(f·(a, b))+"),
    ("f a^-1", "(f·a)^-1"),
    ("f a*b", "(f·a)×b"),
    ("a*f b", "a×(f·b)"),
    ("f [a]", "f·[a]"),
    ("f 0", "f·0"),
    ("f _", "f·_"),
    ("f {a}", "f·{a}"),
    ("f ()", "f·()"),
    ("f begin a end", "f·a"),
    ("f a;g b", "(f·a);(g·b)"),
    ("po [W]", "po·[W]"),
    ("f 'a", "f·'a"),
    ("f 'a 'b", "(f·'a)·'b"),
    ("a*'b", "a×'b"),
    ("'a|'b|c", "'a|'b|c"),
    ("{'a,'b'}", "{'a, 'b'}"),
    # Tuples, sets, brackets
    ("f a,b", "(f·a, b)"),
    ("a,b,c", "(a, b, c)"),
    ("a|b,c;d", "(a|b, c;d)"),
    ("()", "()"),
    ("(a)", "a"),
    ("((a|b))", "a|b"),
    ("begin a|b end;c", "(a|b);c"),
    ("{}", "{}"),
    ("{ }", "{}"),
    ("{a|b,c}", "{a|b, c}"),
    ("{{a},{}}", "{{a}, {}}"),
    ("[a|b]", "[a|b]"),
    ("[let x = a in x]", "[let x = a in x]"),
    ("0|_", "0|_"),
    # Names
    ("x'", "x'"),
    ("_x", "_x"),
    ("x..", "x.."),
    ("a--b", "a--b"),
    ("a-", "a-"),
    ("a-1", "a-1"),
    ("a-1^-1", "a-1^-1"),
    # What may not be an operand
    ("a | (let y = b in y)", "a|(let y = b in y)"),
    ("a | begin fun y -> y end", "a|(fun y -> y)"),
    ("let x = a in x | b", "let x = a in x|b"),
    ("let x = a in let y = b in x, y", "let x = a in let y = b in (x, y)"),
    ("let rec f x = g x and g x = f x in f a", None),
    ("let rec r = a | r;r in r", "let rec r = a|(r;r) in r"),
    ("let a = b and c = d in a", "let a = b and c = d in a"),
    ("fun x -> x | a", "fun x -> x|a"),
    ("fun (x,y) -> x;y", "fun (x, y) -> x;y"),
    ("fun () -> a", "fun () -> a"),
    ("fun _ -> a", "fun _ -> a"),
    ("fun x -> fun y -> x", "fun x -> fun y -> x"),
    ("try a | b with 0", "try a|b with 0"),
    ("try a with try b with c", "try a with try b with c"),
    ("try a, b with c, d", "try (a, b) with (c, d)"),
    # Conditions
    ('if "v" then a | b else c | d', 'if "v" then a|b else c|d'),
    ('if variant "v" then a else b', 'if "v" then a else b'),
    ('if (("v")) then a else b', 'if "v" then a else b'),
    ('if not "v" then a else b', 'if not "v" then a else b'),
    (
        'if not "v" && "w" || "z" then a else b',
        'if ((not "v") && "w") || "z" then a else b',
    ),
    ('if "v" || "w" && "z" then a else b', 'if "v" || ("w" && "z") then a else b'),
    ('if "v" && "w" && "z" then a else b', 'if ("v" && "w") && "z" then a else b'),
    ('if "v" || "w" || "z" then a else b', 'if ("v" || "w") || "z" then a else b'),
    ('if "v" && ("w" || "z") then a else b', 'if "v" && ("w" || "z") then a else b'),
    ('if not ("v" || "w") then a else b', 'if not ("v" || "w") then a else b'),
    ('if not not "v" then a else b', 'if not (not "v") then a else b'),
    ("if a = b|c then a else b", "if a = (b|c) then a else b"),
    ("if a;b subset c then a else b", "if (a;b) subset c then a else b"),
    ("if a in b then a else b", "if a in b then a else b"),
    ("if (a) = b then a else b", "if a = b then a else b"),
    ("if ((a, b)) in c then a else b", "if (a, b) in c then a else b"),
    ('if "v" then if "w" then a else b else c', 'if "v" then if "w" then a else b else c'),
    ('if "v" then a, b else c, d', 'if "v" then (a, b) else (c, d)'),
    # Matches
    ("match t with || _ -> e end", "match t with _ -> e end"),
    ("match t with _ -> e end", "match t with _ -> e end"),
    ("match t with 'a -> b || 'c -> d end", "match t with 'a -> b || 'c -> d end"),
    ("match t with || 'a -> b,c || _ -> d end", "match t with 'a -> (b, c) || _ -> d end"),
    ("match s|t with {} -> a || x ++ y -> b end", "match s|t with {} -> a || x ++ y -> b end"),
    ("match t with e ++ es -> b || {} -> a end", "match t with {} -> a || e ++ es -> b end"),
    ("match t with || {} -> a || _ ++ es -> b end", "match t with {} -> a || _ ++ es -> b end"),
    (
        "match t with {} -> a || x | e ++ y -> b end",
        "match t with {} -> a || x | e ++ y -> b end",
    ),
    (
        "match t with {} -> match s with _ -> a end || x ++ _ -> let y = x in y end",
        "match t with {} -> match s with _ -> a end || x ++ _ -> let y = x in y end",
    ),
]


@pytest.mark.parametrize(("text", "shown"), ACCEPTED)
def test_accepted(text: str, shown: str | None) -> None:
    tree = expression(text)
    if shown is not None:
        assert show(tree) == shown


@pytest.mark.parametrize("operator", ["|", ";"])
def test_union_and_sequence_are_one_node(operator: str) -> None:
    tree = expression(operator.join("abcd"))
    assert isinstance(tree, Operation)
    assert len(tree.operands) == 4


# The mark ▸ stands where the error points.
REJECTED = [
    "a*▸~b",
    "~a▸*b",
    "~a▸+",
    "~a▸*",
    "~a▸?",
    "a*b▸*c",
    "a*b▸+",
    "a*b▸?",
    "f a*b▸+",
    "~f a▸+",
    "a*b^-1▸+",
    "~a^-1▸*",
    "~~a▸+",
    "a*b▸*[c]",
    "a^▸*",
    "a^▸+",
    "a^▸?",
    "a+▸(b)",
    "a? ▸b",
    "a^-1 ▸b",
    "(f a) ▸b",
    "{a} ▸b",
    "[a] ▸b",
    "0 ▸b",
    "(fun x -> x) ▸a",
    "a▸||b",
    "a▸&&b",
    "▸not a",
    "a ▸subset b",
    "a ▸= b",
    "a ▸-> b",
    "a ▸<- b",
    "a ▸@ b",
    "▸!a",
    "a ▸-1",
    "▸1",
    "▸_1",
    "▸__x",
    "▸''a",
    "e-▸>y",
    "fun x-▸> y",
    '▸"str"',
    "a | ▸let y = b in y",
    "a | ▸fun y -> y",
    "a | ▸try a with b",
    "{▸let x = b in x}",
    "{a, ▸fun x -> x}",
    "a, ▸let y = b in y",
    "fun x ▸y -> e",
    "let ▸in = a in b",
    "let x = a▸",
    "let rec x = a ▸when acyclic x in x",
    "try a▸",
    "a;▸;b",
    "a|▸",
    "▸|a",
    "▸,a",
    "(a,▸)",
    "[▸]",
    "(▸",
    "(a ▸]",
    "[a▸",
    "{a▸",
    "{a,▸}",
    "begin a▸",
    "begin a ▸)",
    "a ▸end",
    "(a▸",
    "a▸)",
    'a | ▸if "v" then a else b',
    "a | ▸match t with _ -> e end",
    "if a ▸then b else c",
    'if "v" then a▸',
    'if "v" && ▸a = b then c else d',
    "if a = b ▸|| c = d then a else b",
    "match t with▸",
    "match t with ▸end",
    "match t with 'a -> b▸",
    "match t with 'a -> b || ▸{} -> c end",
    "match t with 'a ▸b end",
    "match t with 'a -> b 'c ▸-> d end",
    "match t with {} -> a || ▸{} -> b end",
    "match t with {} -> a || x ▸-> b end",
    "match t with {} -> a || x ++ ▸{} -> b end",
    "match t with x ++ y -> a ▸end",
    "match t with {} -> a || x ++ y -> b ▸|| _ -> c end",
    "~▸",
    "a^▸",
]


@pytest.mark.parametrize("marked", REJECTED)
def test_rejected(marked: str) -> None:
    before, after = marked.split("▸")
    with pytest.raises(ModelError) as caught:
        statements(LEAD + before + after)
    assert place(caught.value) == (1, len(LEAD + before) + 1)


@pytest.mark.parametrize("marked", ["a*▸~b", "~a▸+", "a*b▸*c", "a*b▸?"])
def test_what_does_not_mix_says_what_to_write(marked: str) -> None:
    with pytest.raises(ModelError) as caught:
        expression(marked.replace("▸", ""))
    assert "parentheses" in caught.value.message
    assert caught.value.hint is not None


@pytest.mark.parametrize("postfix", ["+", "?", "^-1", ""])
def test_a_negated_check_may_follow_other_operators_than_the_star(postfix: str) -> None:
    assert len(statements(f"let x = a{postfix}\n~empty y")) == 2


def test_a_negated_check_may_not_follow_a_star() -> None:
    with pytest.raises(ModelError) as caught:
        statements("let x = a*\n~empty y")
    assert place(caught.value) == (2, 1)


@pytest.mark.parametrize(
    "following",
    ["acyclic y", "empty y", "let y = 0", 'include "f"', "with y from s", "some y from s"],
)
def test_a_star_before_a_statement_is_a_closure(following: str) -> None:
    first, _ = statements(f"let x = a*\n{following}")
    assert isinstance(first, Let)
    assert show(first.bindings[0].body) == "a*"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000 + "a" + ")" * 3000,
        "[" * 3000 + "a" + "]" * 3000,
        "~" * 3000 + "a",
        "(" * 3000,
        "{" * 3000,
        "fun x -> " * 3000 + "a",
    ],
    ids=["parentheses", "brackets", "complements", "open", "braces", "functions"],
)
def test_deep_nesting_is_an_error_of_the_model(text: str) -> None:
    with pytest.raises(ModelError):
        expression(text)


@pytest.mark.parametrize("operator", ["|", ";", "\\"])
def test_long_chains_are_read(operator: str) -> None:
    assert isinstance(expression(operator.join(["a"] * 300)), Operation)
