"""Writes syntax trees as cat text, with no more parentheses than herd's grammar asks for.

Reading the text again gives the same tree.
"""

from __future__ import annotations

from collections.abc import Iterable

from catpy.cat.precedence import LEVELS
from catpy.cat.syntax import (
    Apply,
    Binding,
    BothConditions,
    Check,
    Choice,
    Comparison,
    Condition,
    Constant,
    EitherCondition,
    Expression,
    Function,
    If,
    LetIn,
    MatchSet,
    MatchTag,
    Name,
    NotCondition,
    Operation,
    Pattern,
    Role,
    SetOf,
    TagOf,
    Try,
    TupleOf,
    Variant,
)

_POSTFIX = frozenset({"+", "*", "?"})
#: Levels of what is no infix operator; what reaches as far as it can is of level 0.
_TIGHT, _APPLIED, _CLOSED = 6, 8, 9


def show(expression: Expression) -> str:
    """The text of an expression."""
    match expression:
        case Name(name):
            return name
        case Constant(symbol):
            return symbol
        case TagOf(name):
            return f"'{name}"
        case Operation(operator, operands):
            return _operation(operator, operands)
        case Apply(function, argument):
            return _apply(function, argument)
        case TupleOf(items):
            return ", ".join(_base(item) for item in items) if items else "()"
        case SetOf(items):
            return f"{{{', '.join(_base(item) for item in items)}}}"
        case _:
            return _far_reaching(expression)


def _far_reaching(expression: Expression) -> str:
    """The forms that end where what is around them does."""
    match expression:
        case Function(pattern, body):
            return f"fun {show_pattern(pattern)} -> {show(body)}"
        case LetIn(bindings, recursive, body):
            return f"{show_bindings(bindings, recursive)} in {show(body)}"
        case Try(body, fallback):
            return f"try {show(body)} with {show(fallback)}"
        case If(condition, then, otherwise):
            holds = show_condition(condition)
            return f"if {holds} then {show(then)} else {show(otherwise)}"
        case MatchTag(scrutinee, arms):
            clauses = " || ".join(f"{_tag(tag)} -> {show(arm)}" for tag, arm in arms)
            return f"match {show(scrutinee)} with {clauses} end"
        case MatchSet(scrutinee, empty, below, element, rest, three, body):
            names = [name or "_" for name in (element, rest)]
            parts = " ++ ".join(names)
            if three:
                parts = f"{below or '_'} | {parts}"
            clauses = f"{{}} -> {show(empty)} || {parts} -> {show(body)}"
            return f"match {show(scrutinee)} with {clauses} end"
    raise AssertionError("every other form has its text above")


def _tag(tag: str | None) -> str:
    return f"'{tag}" if tag else "_"


def _level(expression: Expression) -> int:
    match expression:
        case Operation("[]") | Name() | Constant() | TagOf() | SetOf() | TupleOf(()):
            return _CLOSED
        case Operation(operator):
            return LEVELS.get(operator, _TIGHT)
        case Apply():
            return _APPLIED
    return 0


def _enclosed(expression: Expression, bare: bool) -> str:
    return show(expression) if bare else f"({show(expression)})"


def _base(expression: Expression) -> str:
    """As an element or an operand: what reaches far is enclosed."""
    return _enclosed(expression, _level(expression) >= 1)


def _operation(operator: str, operands: tuple[Expression, ...]) -> str:
    if operator == "[]":
        return f"[{show(operands[0])}]"
    if operator == "~":
        return f"~{_enclosed(operands[0], _follows_complement(operands[0]))}"
    if operator == "×":
        left, right = operands
        before = _enclosed(left, _is_chain(left))
        return f"{before} * {_enclosed(right, _is_inverted(right))}"
    if operator in LEVELS:
        return _infix(operator, operands)
    operand = _enclosed(operands[0], _is_chain(operands[0]))
    # `++` would be read as the operator that adds an element.
    blank = " " if operator == "+" and operand.endswith("+") else ""
    return f"{operand}{blank}{operator}"


def _infix(operator: str, operands: tuple[Expression, ...]) -> str:
    level = LEVELS[operator]
    last = len(operands) - 1
    texts = []
    for index, operand in enumerate(operands):
        groups_left = operator == "\\" and index == 0
        groups_right = operator in ("++", "&") and index == last
        least = level if groups_left or groups_right else level + 1
        texts.append(_enclosed(operand, _level(operand) >= least))
    return "; ".join(texts) if operator == ";" else f" {operator} ".join(texts)


def _is_chain(expression: Expression) -> bool:
    """Whether a postfix operator may follow: other postfix operators do not mind."""
    postfix = isinstance(expression, Operation) and expression.operator in (*_POSTFIX, "^-1")
    return postfix or _level(expression) >= _APPLIED


def _is_inverted(expression: Expression) -> bool:
    """An application, or inverses of one: what may stand right of `*`."""
    while isinstance(expression, Operation) and expression.operator == "^-1":
        expression = expression.operands[0]
    return _level(expression) >= _APPLIED


def _follows_complement(expression: Expression) -> bool:
    again = isinstance(expression, Operation) and expression.operator == "~"
    return again or _is_inverted(expression)


def _apply(function: Expression, argument: Expression) -> str:
    if _level(argument) >= _CLOSED:
        return f"{show(function)} {show(argument)}"
    return f"{show(function)}({show(argument)})"


# Patterns, bindings, conditions


def show_pattern(pattern: Pattern) -> str:
    """One name, or names in parentheses."""
    names = ", ".join(name or "_" for name in pattern.names)
    return names if pattern.single else f"({names})"


def show_bindings(bindings: Iterable[Binding], recursive: bool) -> str:
    """`let … and …`."""
    shown = " and ".join(show_binding(binding) for binding in bindings)
    return f"let rec {shown}" if recursive else f"let {shown}"


def show_binding(binding: Binding, body: Expression | None = None) -> str:
    """`pattern = body`, or `name parameters = body`; another body may be given."""
    body = binding.body if body is None else body
    names = binding.pattern.names
    if isinstance(body, Function) and binding.pattern.single and names[0]:
        parameters = show_pattern(body.pattern)
        gap = " " if body.pattern.single else ""
        return f"{names[0]}{gap}{parameters} = {show(body.body)}"
    return f"{show_pattern(binding.pattern)} = {show(body)}"


_ATOMS = (Variant, NotCondition)
_CONJUNCTIONS = (*_ATOMS, BothConditions)


def show_condition(condition: Condition) -> str:
    """The condition of an `if`."""
    match condition:
        case Variant(name):
            return f'"{name}"'
        case NotCondition(operand):
            return f"not {_enclosed_condition(operand, _ATOMS)}"
        case BothConditions(left, right):
            before = _enclosed_condition(left, _CONJUNCTIONS)
            return f"{before} && {_enclosed_condition(right, _ATOMS)}"
        case EitherCondition(left, right):
            return f"{show_condition(left)} || {_enclosed_condition(right, _CONJUNCTIONS)}"
        case Comparison(operator, first, second):
            return f"{show(first)} {operator} {show(second)}"


def _enclosed_condition(condition: Condition, bare: tuple[type, ...]) -> str:
    text = show_condition(condition)
    return text if isinstance(condition, bare) else f"({text})"


def show_check(check: Check) -> str:
    """A check, flag or assertion as it is written, without its name."""
    role = "" if check.role is Role.CHECK else f"{check.role.value} "
    return f"{role}{'~' if check.negated else ''}{check.kind} {show(check.expression)}"


def show_choice(choice: Choice) -> str:
    """`with name from …` or `some name from …`."""
    return f"{'some' if choice.some else 'with'} {choice.name} from {show(choice.expression)}"
