"""Cat expressions from text, and written back with every pair of parentheses."""

from __future__ import annotations

from catpy.cat.parser import parse
from catpy.cat.syntax import (
    Apply,
    BothConditions,
    Comparison,
    Condition,
    Constant,
    EitherCondition,
    Expression,
    Function,
    If,
    Let,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    NotCondition,
    Operation,
    Pattern,
    SetOf,
    Statement,
    TagOf,
    Try,
    TupleOf,
    Variant,
)
from catpy.source import Source

#: What an expression is put behind to be a statement.
LEAD = "let it = "


def statements(text: str) -> tuple[Statement, ...]:
    """The statements of a model text."""
    return parse(Source("test.cat", text)).statements


def statement(text: str) -> Statement:
    """The one statement of a model text."""
    (only,) = statements(text)
    return only


def expression(text: str) -> Expression:
    """The tree of an expression."""
    let = statement(LEAD + text)
    assert isinstance(let, Let)
    (binding,) = let.bindings
    return binding.body


def show(tree: Expression) -> str:
    """An expression in the notation of the parsing vectors: `×` is a product, `·` an application.

    Whatever is made by an operator stands in parentheses, except outermost.
    """
    match tree:
        case Name(name):
            return name
        case Constant(symbol):
            return symbol
        case Operation("[]", (operand,)):
            return f"[{show(operand)}]"
        case Operation("~", (operand,)):
            return f"~{closed(operand)}"
        case Operation(operator, (operand,)):
            return f"{closed(operand)}{operator}"
        case Operation(operator, operands):
            return operator.join(map(closed, operands))
        case Apply(function, argument):
            return f"{closed(function)}·{closed(argument)}"
        case TupleOf(items):
            return f"({', '.join(map(show, items))})"
        case SetOf(items):
            return f"{{{', '.join(map(show, items))}}}"
        case Function(pattern, body):
            return f"fun {show_pattern(pattern)} -> {show(body)}"
        case LetIn(bindings, recursive, body):
            keyword = "let rec" if recursive else "let"
            shown = " and ".join(f"{show_pattern(b.pattern)} = {show(b.body)}" for b in bindings)
            return f"{keyword} {shown} in {show(body)}"
        case Try(body, fallback):
            return f"try {show(body)} with {show(fallback)}"
        case TagOf(name):
            return f"'{name}"
        case If(condition, then, otherwise):
            return f"if {show_condition(condition)} then {show(then)} else {show(otherwise)}"
        case MatchTag(scrutinee, arms):
            clauses = [f"{show_tag(tag)} -> {show(body)}" for tag, body in arms]
            return f"match {show(scrutinee)} with {' || '.join(clauses)} end"
        case MatchSet(scrutinee, empty, below, element, rest, three_parts, body):
            first = f"{below or '_'} | " if three_parts else ""
            taken = f"{first}{element or '_'} ++ {rest or '_'} -> {show(body)}"
            return f"match {show(scrutinee)} with {{}} -> {show(empty)} || {taken} end"


def closed(tree: Expression) -> str:
    """An expression as an operand: in parentheses unless they would add nothing."""
    text = show(tree)
    atomic = isinstance(tree, Name | Constant | TagOf | TupleOf | SetOf)
    bracketed = isinstance(tree, Operation) and tree.operator == "[]"
    return text if atomic or bracketed else f"({text})"


def show_pattern(pattern: Pattern) -> str:
    names = [name or "_" for name in pattern.names]
    return names[0] if pattern.single else f"({', '.join(names)})"


def show_tag(tag: str | None) -> str:
    return "_" if tag is None else f"'{tag}"


def show_condition(condition: Condition) -> str:
    """A condition with every pair of parentheses."""
    match condition:
        case Variant(name):
            return f'"{name}"'
        case NotCondition(operand):
            return f"not {closed_condition(operand)}"
        case BothConditions(left, right):
            return f"{closed_condition(left)} && {closed_condition(right)}"
        case EitherCondition(left, right):
            return f"{closed_condition(left)} || {closed_condition(right)}"
        case Comparison(operator, left, right):
            return f"{closed(left)} {operator} {closed(right)}"


def closed_condition(condition: Condition) -> str:
    text = show_condition(condition)
    return text if isinstance(condition, Variant) else f"({text})"
