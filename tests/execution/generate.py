"""Random litmus tests and random models, each from a random number generator.

Tests are made from nothing, or are those of litmus/isa with other qualifiers. Models are made of
what makes engines differ: difference, complement, recursion, choices by `with` and `some` that
depend on each other, flags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from tests.support import ISA

LOCATIONS = ("x", "y")
#: The lengths of the threads of a test: many threads or long ones, but not both.
SHAPES = ((3, 3), (2, 3), (2, 2), (2, 2, 2), (1, 2, 2), (1, 1, 2), (1, 1, 1, 2), (1, 2, 1, 1))


# Tests


def litmus_test(random: Random, shapes: Sequence[Sequence[int]] = SHAPES) -> str:
    """The text of a litmus test."""
    flavour = random.choice(["plain", "plain", "fences", "fences", "atomics", "barriers"])
    lengths = random.choice(shapes)
    threads = [_Thread(random, number, flavour) for number, _ in enumerate(lengths)]
    for thread, length in zip(threads, lengths, strict=True):
        for _ in range(length):
            thread.add_instruction()
    registers = [name for thread in threads for name in thread.read]
    atoms = [f"{name}={random.randint(0, 2)}" for name in (*registers, *LOCATIONS)]
    shown = random.sample(atoms, random.randint(1, min(5, len(atoms))))
    quantifier = random.choice(["exists", "~exists", "forall"])
    alias = random.choice(["", "", "z @ generic aliases x;"])
    body = "\n".join(thread.text(random.randint(0, 1)) for thread in threads)
    condition = " /\\ ".join(shown)
    return f"PTX random\n{{ x=0; y=0; {alias} }}\n{body}\n{quantifier} ({condition})\n"


def ring(random: Random) -> str:
    """The text of a test of two writers and two readers of one place, with scopes of all kinds."""
    scopes = ("relaxed.cta", "relaxed.gpu")

    def writer(first: int) -> str:
        stores = [f"st.{random.choice(('weak', *scopes))}.u32 [x]" for _ in range(2)]
        return f"{stores[0]}, {first}; {stores[1]}, {first + 1};"

    def reader() -> str:
        return " ".join(f"ld.{random.choice(scopes)}.u32 r{number}, [x];" for number in range(2))

    codes = [writer(1), reader(), writer(3), reader()]
    body = "\n".join(
        f"P{number}@cta {random.randint(0, 1)},gpu 0 {{ {code} }}"
        for number, code in enumerate(codes)
    )
    return f"PTX random\n{{ x=0; }}\n{body}\nexists (true)\n"


#: Waits for a place to have a value, as code spells them.
_WAITS = (
    "L{n}: {load} r7, [{place}]; setp.ne.u32 p7, r7, {value}; @p7 bra L{n};",
    "L{n}: {load} r7, [{place}]; bne r7, {value}, L{n};",
    "L{n}: {load} r7, [{place}]; fence.acq_rel.gpu; setp.eq.u32 p7, r7, {value}; @!p7 bra L{n};",
    "L{n}: atom.acquire.gpu.cas.b32 r7, [{place}], {value}, 2; bne r7, {value}, L{n};",
)


def waiting_test(random: Random) -> str:
    """The text of a test in which one or two threads begin with waits."""
    text = litmus_test(random, ((2, 1), (2, 2), (1, 2), (1, 1, 1)))
    for number in random.sample((0, 1), random.randint(1, 2)):
        wait = random.choice(_WAITS).format(
            n=number,
            load=random.choice(["ld.acquire.gpu.u32", "ld.relaxed.gpu.u32", "ld.weak.u32"]),
            place=random.choice(LOCATIONS),
            value=random.randint(0, 2),
        )
        text = re.sub(rf"(P{number}@[^{{]*\{{)", rf"\g<1> {wait}", text)
    return text


def variation(random: Random) -> str:
    """The text of a test of litmus/isa, with some of its qualifiers replaced by others."""
    text = random.choice(_originals())
    share = random.choice([0.0, 0.0, 0.1, 0.3])

    def other(match: re.Match[str]) -> str:
        word = match[0]
        alike = next(group for group in _ALIKE if word in group)
        return random.choice(alike) if random.random() < share else word

    return re.sub("|".join(re.escape(w) for group in _ALIKE for w in group), other, text)


@cache
def _originals() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(ISA.glob("*.litmus"))]


#: Words of which one can stand for another.
_ALIKE = (
    (".relaxed", ".release", ".acquire"),
    ("fence.sc", "fence.acq_rel"),
    (".gpu", ".cta", ".sys"),
    ("atom.add.u32", "atom.exch.b32"),
)

_KINDS = {
    "plain": ["st", "st", "ld", "ld", "guarded", "computed", "atom"],
    "fences": ["st", "ld", "fence", "fence"],
    "atomics": ["st", "ld", "atom", "atom", "red", "computed"],
    "barriers": ["st", "ld", "bar", "fence", "guarded bar"],
}


class _Thread:
    def __init__(self, random: Random, number: int, flavour: str) -> None:
        self._random = random
        self._number = number
        self._kinds = _KINDS[flavour]
        self._code: list[str] = []
        self._last: str | None = None
        #: The registers that are read into, as conditions name them.
        self.read: list[str] = []

    def text(self, cta: int) -> str:
        return f"P{self._number}@cta {cta},gpu 0 {{ {' '.join(self._code)} }}"

    def add_instruction(self) -> None:
        random = self._random
        place, value = random.choice(LOCATIONS), random.randint(1, 2)
        scope = random.choice(["gpu", "gpu", "cta"])
        store = f"st.{random.choice(['weak', f'relaxed.{scope}', f'release.{scope}'])} [{place}], "
        load = f"ld.{random.choice(['weak', f'relaxed.{scope}', f'acquire.{scope}'])}"
        order = random.choice(["relaxed", "acquire", "release", "acq_rel"])
        match random.choice(self._kinds):
            case "ld":
                self._read_into(f"{load} {{r}}, [{place}];")
            case "atom":
                operation = random.choice(["add.u32", "exch.b32"])
                self._read_into(f"atom.{order}.{scope}.{operation} {{r}}, [{place}], {value};")
            case "red":
                self._code.append(f"red.add.relaxed.{scope}.u32 [{place}], {value};")
            case "fence":
                self._code.append(f"fence.{random.choice(['sc', 'sc', 'acq_rel'])}.{scope};")
            case "bar":
                self._code.append("bar.sync 0;")
            case "guarded bar" if self._last:
                self._code.append(self._guarded("bar.sync 0;"))
            case "guarded" if self._last:
                self._code.append(self._guarded(f"{store}{value};"))
            case "computed" if self._last:
                self._code.append(f"add.u32 r9, {self._last}, {value}; {store}r9;")
            case _:
                self._code.append(f"{store}{value};")

    def _guarded(self, instruction: str) -> str:
        number = self._random.randint(0, 1)
        return f"setp.eq.u32 p0, {self._last}, {number}; @p0 {instruction}"

    def _read_into(self, text: str) -> None:
        self._last = f"r{len(self._code)}"
        self._code.append(text.format(r=self._last))
        self.read.append(f"{self._number}:{self._last}")


# Models

_SETS = ("R", "W", "M", "F", "IW", "SC", "ACQ", "REL", "_")
_CONSTANTS = ("po", "loc", "po-loc", "ext", "int", "rmw", "sr", "id", "data", "ctrl", "(IW * M)")
#: What there is where a test has more than plain accesses of one size in one thread block each.
_WIDE_SETS = ("GEN", "ASYNC", "ASYNC_OP", "IMPLICIT", "MBARRIER", "WAIT", "SHARED", "PROXY_FENCE")
_WIDE_CONSTANTS = (
    *("issued", "completes", "syncbar", "phase", "barorder", "api", "sca", "si"),
    *("overlap", "same-range", "va", "vloc", "scta", "scluster"),
)
_COHERENCE = (
    "with co from orientations((W * W) & loc, IW * W)",
    "with co from orientations((W * W) & loc & sr, IW * W)",
    "with co from orientations((W * W) & loc, (IW * W) | ({}))",
    "with co from linearisations(W & REL, po | ({}))",
    "with co from generate_cos(co0)",
    "with co from generate_cos(co0 | (({}) & loc))",
    "some co from orientations((W * W) & loc, IW * W)",
    "some co from partial-orders((W * W) & loc, IW * W)",
    "with co from partial-orders((W * W) & loc, {})",
)
_WITNESSES = (
    "some s from orientations(ext & ((F & SC) * (F & SC)))",
    "some s from orientations((F * F) & sr, po)",
    "some s from linearisations(F & SC, po)",
    "some s from linearisations(F, {})",
)
_RECURSIONS = (
    "let rec {n} = ({b}) | ({n}; {n})",
    "let rec {n} = ({b}) | (({n} & {o}); {n})",
    "let rec {n} = ({b}) | (({o}) ; {n})",
    "let rec {n} = ({b}) | {m} and {m} = ({o}) | ({n}; {m})",
)
_FORMS = (
    *("({l} | {r})",) * 3,
    *("({l} & {r})", "({l} \\ {r})", "({l} \\ {r})", "({l}; {r})", "({l}; {r})", "({l}; {r})"),
    *("(({l})^-1)", "(({l})+)", "(({l})?)", "(({l})*)", "(~({l}))"),
    *("([{s}]; {l})", "({l}; [{s}])", "({l} & ({s} * {t}))", "({l} & loc)", "({l} & ext)"),
    *("[domain ({l})]", "([range ({l})]; {r})", "(domain ({l}) * {s})", "different-values ({l})"),
)


def model(random: Random, wide: bool = False) -> str:
    """The text of a model: a coherence choice, perhaps a witness, definitions, checks, flags.

    A `wide` one knows barriers, sizes, proxies and asynchronous operations, too.
    """
    return _Model(random, wide).text()


class _Model:
    def __init__(self, random: Random, wide: bool) -> None:
        self._random = random
        self._sets: Sequence[str] = (*_SETS, *_WIDE_SETS) if wide else _SETS
        self._constants: Sequence[str] = (*_CONSTANTS, *_WIDE_CONSTANTS) if wide else _CONSTANTS
        self._names = ["rf"]
        self._lines = ['"random"']

    def text(self) -> str:
        random = self._random
        choices = [random.choice(_COHERENCE)]
        if random.random() < 0.6:
            choices.insert(random.randint(0, 1), random.choice(_WITNESSES))
        if any("generate_cos" in choice for choice in choices):
            self._lines.append('include "cross.cat"')
        for choice in choices:
            if random.random() < 0.5:
                self._define()
            self._lines.append(choice.format(self._relation(1)))
            self._names.append(choice.split()[1])
        self._lines.append("let fr = (rf^-1; co) \\ id")
        self._names.append("fr")
        for _ in range(random.randint(0, 3)):
            self._define()
        for number in range(random.randint(1, 4)):
            self._lines.append(self._check(number))
        return "\n".join(self._lines) + "\n"

    def _define(self) -> None:
        random = self._random
        name = f"d{len(self._names)}"
        if random.random() < 0.35:
            form = random.choice(_RECURSIONS)
            base, other = self._relation(1), self._relation(1)
            self._lines.append(form.format(n=name, m=f"{name}b", b=base, o=other))
        else:
            self._lines.append(f"let {name} = {self._relation(2)}")
        self._names.append(name)

    def _check(self, number: int) -> str:
        random = self._random
        if random.random() < 0.4:
            # What most models ask in some form, so that not everything goes through.
            familiar = ("acyclic po-loc | rf | co | fr", "empty rmw & (fr; co)", "acyclic po | rf")
            return f"{random.choice(familiar)} as c{number}"
        role = random.choice(["", "", "", "", "flag ", "flag ", "undefined_unless "])
        negated = "~" if random.random() < (0.3 if role else 0.1) else ""
        test = random.choice(["acyclic", "irreflexive", "irreflexive", "empty"])
        body = self._relation(2)
        if test == "empty" and not role:
            body = f"({body}) & {random.choice(['rmw', 'po-loc', 'id', 'data'])}"
        return f"{role}{negated}{test} {body} as c{number}"

    def _relation(self, depth: int) -> str:
        random = self._random
        if depth == 0 or random.random() < 0.2:
            return random.choice([*self._names, *self._names, *self._names[-2:], *self._constants])
        left, right = self._relation(depth - 1), self._relation(depth - 1)
        sets = random.choices(self._sets, k=2)
        return random.choice(_FORMS).format(l=left, r=right, s=sets[0], t=sets[1])
