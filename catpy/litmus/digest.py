"""A hash of what a test runs: two tests with the same one have the same executions."""

from __future__ import annotations

import hashlib
import re

from catpy.litmus.syntax import Alias, Declaration, Initial, InitItem, LitmusTest


def digest(test: LitmusTest) -> str:
    """The MD5 of initial section, placement and code, as hexadecimal digits.

    Unlike herd's it covers where threads are, so that tests with different verdicts differ. White
    space, comments and the condition do not count.
    """
    parts = [test.arch, *sorted(map(_item, test.init))]
    for thread in test.threads:
        places = ",".join(f"{level} {unit}" for level, unit in sorted(thread.placement))
        parts.append(f"P{thread.number}@{places}")
        parts += [_words(cell.text) for cell in thread.cells]
    return hashlib.md5("\n".join(parts).encode(), usedforsecurity=False).hexdigest()


def _words(code: str) -> str:
    """An instruction with one blank between words, and none around signs."""
    return re.sub(r"\s*([^\w\s.%$])\s*", r"\1", " ".join(code.split()))


def _item(item: InitItem) -> str:
    match item:
        case Initial(target, value):
            return f"{target}={value}"
        case Declaration(words, name, count, values):
            return f"{' '.join(words)} {name}[{count}]={','.join(map(str, values))}"
        case Alias(name, proxy, target):
            return f"{name}@{proxy or 'generic'} aliases {target}"
