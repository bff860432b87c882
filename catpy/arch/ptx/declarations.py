"""What the initial section says of variables, and what makes no sense there."""

from __future__ import annotations

from catpy.arch.ptx.arithmetic import ADDRESS_BITS, parse_type
from catpy.arch.ptx.variables import Variable
from catpy.arch.ptx.words import PROXY_TAGS, SPACES, TYPES
from catpy.arch.terms import Address, Value
from catpy.errors import TestError, did_you_mean
from catpy.litmus.syntax import Alias, Declaration, Location, Term, UnknownValue
from catpy.source import Span

#: Words of declarations that say nothing the model needs.
_IDLE_WORDS = frozenset({"visible", "extern", "weak", "align", "volatile", "int"})

#: The state spaces of threads and of CTAs, by tag: other proxies than the async one stay outside.
_INSIDE = {"SHARED": "shared", "LOCAL": "local"}
_OUTSIDE = ("texture", "surface", "constant", "readonly")


def describe(variable: Variable, item: Declaration) -> None:
    """Takes down what the words of a declaration say. Raises TestError for odd ones."""
    _check_words(item)
    for word in item.words:
        if word in TYPES:
            variable.type = parse_type(word)
        elif word in SPACES:
            variable.space = SPACES[word]
        elif word in ("mbarrier", "tensormap"):
            variable.type = parse_type("b64")
            variable.mbarrier = word == "mbarrier"
            variable.tensormap = word == "tensormap"
        elif word not in _IDLE_WORDS:
            hint = did_you_mean(word, [*TYPES, *SPACES, "mbarrier", "tensormap"])
            raise TestError(f"`{word}` is no type or state space", item.span, hint)
    if variable.mbarrier and variable.space not in (None, "SHARED"):
        raise TestError("mbarriers are in shared memory", item.span)
    if variable.tensormap and variable.space in _INSIDE:
        raise TestError(f"tensormaps are not in {_INSIDE[variable.space]} memory", item.span)


def _check_words(item: Declaration) -> None:
    """Raises TestError where a declaration names more than one type or state space."""
    types = [word for word in item.words if word in (*TYPES, "mbarrier", "tensormap")]
    spaces = [word for word in item.words if word in SPACES]
    for what, words in (("types", types), ("state spaces", spaces)):
        if len(words) > 1:
            names = " and ".join(f".{word}" for word in words)
            raise TestError(f"`{item.name}` has two {what}, {names}", item.span)


def alias_of(item: Alias) -> Variable:
    """The variable of an alias. Raises TestError for a proxy that is not there."""
    proxy = item.proxy
    if proxy is not None and proxy not in PROXY_TAGS:
        hint = did_you_mean(proxy, PROXY_TAGS)
        raise TestError(f"there is no proxy `{proxy}`", item.span, hint)
    return Variable(item.name, target=item.target, proxy=proxy, span=item.span)


def check_proxy(alias: Variable) -> None:
    """Raises TestError for an alias by a proxy that does not come to where its target is."""
    if alias.proxy in _OUTSIDE and alias.space in _INSIDE:
        where = _INSIDE[alias.space]
        message = f"`{alias.target}` is in {where} memory, where the {alias.proxy} proxy is not"
        raise TestError(message, alias.span)


def check_fits(variable: Variable, value: Value, span: Span) -> None:
    """Raises TestError for an initial value that has more bits than an element."""
    bits = 8 * variable.size
    short = isinstance(value, Address) and bits < ADDRESS_BITS
    if short or (isinstance(value, int) and not -(1 << bits - 1) <= value < 1 << bits):
        message = f"{value} has more than the {bits} bits of `{variable.name}`"
        raise TestError(message, span, "a wider type can be declared, as `.global .u64 x`")


def check_unknown(value: Term, target: Location, span: Span) -> None:
    """Raises TestError where the unknown value of one location is given to another."""
    if isinstance(value, UnknownValue) and value.name != str(target):
        message = f"`{value}` is not the unknown value of `{target}`"
        raise TestError(message, span, "write `?`")
