"""The qualifiers of PTX instructions, and the tags that they put on events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SEMANTICS = (
    *("sync_restrict::shared::cta", "sync_restrict::shared::cluster"),
    "sync_restrict::shared::cluster::read",
    *("weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "mmio"),
    "alias",
)

#: Scope qualifiers and their tags; `gl` is what `membar` calls the GPU scope.
SCOPE_TAGS: Mapping[str, str] = {
    "cta": "CTA",
    "cluster": "CLUSTER",
    "gpu": "GPU",
    "gl": "GPU",
    "sys": "SYS",
}
SCOPES = ("cta", "cluster", "gpu", "sys")

#: State spaces and their tags.
SPACES: Mapping[str, str] = {
    "global": "GLOBAL",
    "shared": "SHARED",
    "shared::cta": "SHARED",
    "shared::cluster": "SHARED",
    "const": "CONST",
    "local": "LOCAL",
    "param": "LOCAL",
}

#: How many elements a vector access has.
VECTORS: Mapping[str, int] = {"v2": 2, "v4": 4, "v8": 8}

#: Two values of one type side by side (§8.2.5), each accessed on its own.
PACKED_TYPES: Mapping[str, str] = {
    "b8x2": "b8", "u16x2": "u16", "s16x2": "s16", "b16x2": "b16", "f16x2": "b16", "bf16x2": "b16",
}  # fmt: skip

INTEGER_TYPES = tuple(f"{letter}{bits}" for letter in "bus" for bits in (8, 16, 32, 64))
#: With the types of floating-point numbers, which can be moved as the bits they are.
TYPES = (*INTEGER_TYPES, "f32", "f64")

#: Types that can only be moved, or not even that.
FLOATING_TYPES = ("f16", "bf16", "f32", "f64", "f16x2", "bf16x2")

#: Qualifiers of floating-point arithmetic.
ROUNDINGS = ("rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "ftz", "noftz")

#: Numbers as arithmetic has them, and bits of those widths.
UNSIGNED_TYPES = ("u16", "u32", "u64")
SIGNED_TYPES = ("s16", "s32", "s64")
BIT_TYPES = ("b16", "b32", "b64")

LOAD_HINTS = ("ca", "cg", "cs", "lu", "cv")
STORE_HINTS = ("wb", "cg", "cs", "wt")
CACHE_HINTS = tuple(dict.fromkeys(LOAD_HINTS + STORE_HINTS))
#: What else is said to the caches: how soon a line is dropped, what is fetched with it.
L1_EVICTIONS = tuple(
    f"L1::{word}"
    for word in ("evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate")
)
L2_EVICTIONS = ("L2::evict_normal", "L2::evict_first", "L2::evict_last")
PREFETCHES = ("L2::64B", "L2::128B", "L2::256B")
#: The word behind whose operands a cache policy stands.
POLICY = "L2::cache_hint"

#: Names for many words that often stand together, for readers.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "any type": TYPES,
    "any integer type": INTEGER_TYPES,
    "any state space": tuple(SPACES),
}

_NONE = "no effect"

#: What qualifiers say, by the classes that rows have, for readers.
CLASSES: Mapping[str, str] = {
    "space": "the state space; `.shared` and `.shared::cta` are the memory of the thread's own CTA",
    "type": "width and sign; without a type an access is of one element of its variable, and"
    " numbers have any size",
    "vector": "so many elements, each an event of its own; the operand is a vector like"
    " `{r0, r1}`, and there has to be a type",
    "operation": "what is made of the old value and the operand",
    "cache": _NONE,
    "L1": _NONE,
    "L2": _NONE,
    "prefetch": _NONE,
    "policy": f"{_NONE}: a cache policy may stand behind the other operands",
    "readonly": "by the proxy `READONLY`",
    "nc": "by the proxy `TEX`",
    "level": f"{_NONE}: without it, too, the barrier is one of the CTA",
    "aligned": _NONE,
    "reduction": "what is made of the predicates: how many hold, whether all do, whether any does",
    "expect": "the phase also expects bytes",
    "noComplete": _NONE,
    "parity": "the phase is given by its parity",
    "dst": "the state space of the destination",
    "src": "the state space of the source",
    "noinc": "the arrival is one that the phase expects already",
    "completion": "what is told of completion: an mbarrier, or a group of the thread",
    "multicast": "one copy for each CTA of the cluster whose bit in `mask` is 1, to the same place"
    " there, where the same mbarrier is told",
    "dimensions": "how many coordinates a place in the tensor has",
    "tile": _NONE,
    "group": _NONE,
    "read": "waits for what the copies read, not for what they write",
    "geometry": _NONE,
    "mode": _NONE,
    "coordinate": f"{_NONE}: the type of the coordinate",
    "clamp": _NONE,
    "comparison": "as in `beq`, `bne`, …; `.lo .ls .hi .hs` are `.lt .le .gt .ge` without a sign",
    "from": "the type that is converted",
    "half": "`.wide`: the product, and `c`, have twice the width; `.lo`: the width of the type, as"
    " without it",
    "direction": _NONE,
    "uni": _NONE,
    "into": _NONE,
    "mask": _NONE,
}

#: Proxies as aliases in the initial section name them, and their tags.
PROXY_TAGS: Mapping[str, str] = {
    "generic": "GEN",
    "texture": "TEX",
    "surface": "SUR",
    "constant": "CON",
    "async": "ASYNC",
    "readonly": "READONLY",
}

#: Qualifiers by which an instruction accesses memory through another proxy, and its tag.
PROXY_WORDS: Mapping[str, str] = {"proxy::readonly": "READONLY", "nc": "TEX"}


@dataclass(frozen=True)
class Mode:
    """A legal choice of an instruction's semantics (§8.4) and what it makes of its events.

    `words` are the qualifiers that name it; `scopes` the scopes it may have (none: it takes no
    scope qualifier), of which `default` is taken when none is written (None: one must be). `read`
    and `write` are the order tags of the read and of the write (fences have theirs in `read`).
    `dialect` is the dialect it is limited to.
    """

    words: frozenset[str]
    read: str = ""
    write: str = ""
    scopes: tuple[str, ...] = ()
    default: str | None = None
    fixed_scope: str | None = None
    tags: frozenset[str] = frozenset()
    dialect: str | None = None

    @property
    def spelling(self) -> str:
        """Its words as they are written, with dots between; empty where there are none."""
        return ".".join(word for word in reversed(SEMANTICS) if word in self.words)

    def order(self, kind: str) -> str:
        """The order tag of an event of this kind (`R`, `W`, `F`, …)."""
        if kind == "R":
            return self.read
        if kind == "W":
            return self.write
        return self.read or self.write


def mode(
    words: str,
    read: str = "",
    write: str = "",
    *,
    scopes: tuple[str, ...] = (),
    default: str | None = None,
    fixed_scope: str | None = None,
    tags: str = "",
    dialect: str | None = None,
) -> Mode:
    """A mode, its words and tags written with blanks between."""
    return Mode(
        frozenset(words.split()),
        read,
        write,
        scopes,
        default,
        fixed_scope,
        frozenset(tags.split()),
        dialect,
    )


_VOLATILE = mode("volatile", "RLX", "RLX", fixed_scope="sys", tags="VOLATILE")

LOADS = (
    mode("", "WEAK"),
    mode("weak", "WEAK"),
    mode("relaxed", "RLX", scopes=SCOPES),
    mode("acquire", "ACQ", scopes=SCOPES),
    _VOLATILE,
    mode("mmio relaxed", "RLX", scopes=("sys",), tags="MMIO"),
    mode("mmio acquire", "ACQ", scopes=("sys",), tags="MMIO"),
)

STORES = (
    mode("", write="WEAK"),
    mode("weak", write="WEAK"),
    mode("relaxed", write="RLX", scopes=SCOPES),
    mode("release", write="REL", scopes=SCOPES),
    _VOLATILE,
    mode("mmio relaxed", write="RLX", scopes=("sys",), tags="MMIO"),
)

ATOMS = (
    mode("", "RLX", "RLX", scopes=SCOPES, default="gpu"),
    mode("relaxed", "RLX", "RLX", scopes=SCOPES, default="gpu"),
    mode("acquire", "ACQ", "RLX", scopes=SCOPES, default="gpu"),
    mode("release", "RLX", "REL", scopes=SCOPES, default="gpu"),
    mode("acq_rel", "ACQ", "REL", scopes=SCOPES, default="gpu"),
)

REDUCTIONS = (
    mode("", "RLX", "RLX", scopes=SCOPES, default="gpu"),
    mode("relaxed", "RLX", "RLX", scopes=SCOPES, default="gpu"),
    mode("release", "RLX", "REL", scopes=SCOPES, default="gpu"),
    # Not PTX, but the public tests write it: their tool takes it for release.
    mode("acq_rel", "RLX", "REL", scopes=SCOPES, default="gpu", dialect="dat3m"),
)

#: Fences that order accesses of shared memory only, of which there are no others.
_RESTRICTED = (
    mode("acquire sync_restrict::shared::cluster", "ACQ", scopes=("cluster",), tags="RESTRICTED"),
    mode("release sync_restrict::shared::cta", "REL", scopes=("cluster",), tags="RESTRICTED"),
)

FENCES = (
    mode("", "ACQ_REL", scopes=SCOPES),
    mode("acq_rel", "ACQ_REL", scopes=SCOPES),
    mode("sc", "SC", scopes=SCOPES),
    mode("acquire", "ACQ", scopes=SCOPES),
    mode("release", "REL", scopes=SCOPES),
    *_RESTRICTED,
)

PROXY_ACCESSES = (mode("", "WEAK", "WEAK"), mode("weak", "WEAK", "WEAK"))

#: Proxy fences that order accesses of one proxy after those of another, in one direction.
ONE_WAY_FENCES = (
    mode("acquire", "ACQ", scopes=SCOPES),
    mode("release", "REL", scopes=SCOPES),
)
ONE_WAY_ASYNC_FENCES = (
    *_RESTRICTED,
    mode(
        "release sync_restrict::shared::cluster::read",
        "REL",
        scopes=("cluster",),
        tags="RESTRICTED READS",
    ),
)
ONE_WAY_ALIAS_FENCES = (
    mode("acquire", "ACQ", scopes=("sys",)),
    mode("release", "REL", scopes=("sys",)),
)
FABRIC_FENCES = (
    mode("alias acquire", "ACQ", scopes=("sys",)),
    mode("alias release", "REL", scopes=("sys",)),
)
MBARRIER_INIT_FENCES = (mode("release", scopes=("cluster",)),)

_MBARRIER_SCOPES = ("cta", "cluster")

MBARRIER_ARRIVES = (
    mode("", "RLX", "REL", scopes=_MBARRIER_SCOPES, default="cta"),
    mode("release", "RLX", "REL", scopes=_MBARRIER_SCOPES, default="cta"),
    mode("relaxed", "RLX", "RLX", scopes=_MBARRIER_SCOPES, default="cta"),
)
MBARRIER_WAITS = (
    mode("", "ACQ", scopes=_MBARRIER_SCOPES, default="cta"),
    mode("acquire", "ACQ", scopes=_MBARRIER_SCOPES, default="cta"),
    mode("relaxed", "RLX", scopes=_MBARRIER_SCOPES, default="cta"),
)
MBARRIER_COUNTS = (
    mode("", "RLX", "RLX", scopes=_MBARRIER_SCOPES, default="cta"),
    mode("relaxed", "RLX", "RLX", scopes=_MBARRIER_SCOPES, default="cta"),
)

#: Bulk copies are weak unless they say otherwise.
BULK_COPIES = (
    mode("", "WEAK", "WEAK"),
    mode("weak", "WEAK", "WEAK"),
    mode("relaxed", "RLX", "RLX", scopes=SCOPES),
)
#: What cp.reduce.async.bulk reads is weak, its reductions are relaxed at GPU scope.
BULK_REDUCTIONS = (
    mode("", "RLX", "RLX", scopes=SCOPES, default="gpu"),
    mode("relaxed", "RLX", "RLX", scopes=SCOPES, default="gpu"),
)
ASYNC_STORES = (
    mode("", write="WEAK"),
    mode("weak", write="WEAK"),
    mode("release", write="REL", scopes=("gpu", "sys")),
    mode("mmio release", write="REL", scopes=("sys",), tags="MMIO"),
)
ASYNC_REDUCTIONS = (
    mode("", "RLX", "RLX", scopes=("cluster",), default="cluster"),
    mode("relaxed", "RLX", "RLX", scopes=("cluster",), default="cluster"),
    mode("release", "RLX", "REL", scopes=("gpu", "sys")),
    mode("mmio release", "RLX", "REL", scopes=("sys",), tags="MMIO"),
)

MEMBARS = (mode("", "SC", scopes=("cta", "gl", "sys")),)

CLUSTER_ARRIVES = (
    mode("", write="REL"),
    mode("release", write="REL"),
    mode("relaxed", write="RLX"),
)
CLUSTER_WAITS = (mode("", "ACQ"), mode("acquire", "ACQ"))

PLAIN = (mode(""),)
