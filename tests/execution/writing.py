"""Writes the code of random threads from templates.

In a template `{a|b}` is one of some texts, which may be empty, and `{word}` what a word stands for
(`Thread.words`). What is there twice is the same each time. Instructions are parted by `; `.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

_PLACE = re.compile(r"\{([^{}]*\|[^{}]*|[a-z]+)\}")

#: Words that stand for one of some texts.
_ALTERNATIVES = {
    "scope": ("gpu", "gpu", "cluster", "cta"),
    "releasing": ("release", "acq_rel", "sc"),
    "acquiring": ("acquire", "acq_rel", "sc"),
    "waiting": ("mbarrier.test_wait", "mbarrier.try_wait"),
    "remote": ("shared::cluster",),
    "told": ("mbarrier::complete_tx::bytes",),
    # Places of some bytes, of which others are parts.
    "octet": ("w", "w", "a"),
    "quartet": ("w", "w", "w+4", "a", "a+4", "h"),
    "pair": ("w", "w+2", "w+4", "a+2", "h", "h+2"),
    "byte": ("w", "w+1", "a+5", "h+3"),
}
#: Words for the semantics of an access, with a scope where it has one.
_SEMANTICS = {
    "load": ("weak", "relaxed", "acquire"),
    "store": ("weak", "relaxed", "release"),
    "update": ("relaxed", "acquire", "release", "acq_rel"),
}


@dataclass
class Thread:
    """A thread in the making: its code, and how many registers and labels it has so far."""

    random: Random
    #: The ranks of the CTAs in its cluster.
    ranks: Sequence[int]
    code: list[str] = field(default_factory=list)
    _made: int = 0
    #: The register that was read into last.
    _last: str | None = None

    @property
    def text(self) -> str:
        return " ".join(f"{instruction};" for instruction in self.code)

    def write(self, template: str) -> None:
        """Adds the instructions of a template."""
        chosen: dict[str, str] = {}

        def text(match: re.Match[str]) -> str:
            word = match[1]
            if word not in chosen:
                chosen[word] = self._text(word)
            return chosen[word]

        self.code += _PLACE.sub(text, template).split("; ")

    def _text(self, word: str) -> str:
        """What is written for a word, or for alternatives.

        `r`, `rd`, `p` and `l` are new registers and a new label, `v` is a value, `unit` begins the
        name of a shared variable in some CTA of the cluster, `own` in that of the thread more
        often, `rank` is the number of a CTA of the cluster, `all` the mask of all of them.
        """
        random = self.random
        if "|" in word:
            return random.choice(word.split("|"))
        if word in _ALTERNATIVES:
            return random.choice(_ALTERNATIVES[word])
        match word:
            case "r" | "rd" | "p" | "l":
                return self._new(word)
            case "v":
                return self._value()
            case "rank":
                return str(random.choice(self.ranks))
            case "unit":
                return self._unit()
            case "own":
                return self._unit() if random.random() < 0.4 else ""
            case "all":
                return str(sum(1 << rank for rank in set(self.ranks)))
        order = random.choice(_SEMANTICS[word])
        return order if order == "weak" else f"{order}.{self._text('scope')}"

    def _new(self, letter: str) -> str:
        self._made += 1
        made = f"{letter}{self._made}"
        if letter == "r":
            self._last = made
        return made

    def _value(self) -> str:
        if self._last and self.random.random() < 0.3:
            return self._last
        return self.random.choice(["1", "2", "3"])

    def _unit(self) -> str:
        alone = len(set(self.ranks)) == 1
        return "" if alone else f"cta{self.random.choice(self.ranks)}."
