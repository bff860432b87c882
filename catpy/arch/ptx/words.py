"""The qualifiers of PTX instructions by class, and the tags they put on events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SEMANTICS = ("weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "mmio")

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

CACHE_HINTS = ("ca", "cg", "cs", "lu", "cv", "wb", "wt")

#: Proxies as aliases in the initial section name them, and their tags.
PROXY_TAGS: Mapping[str, str] = {
    "generic": "GEN",
    "texture": "TEX",
    "surface": "SUR",
    "constant": "CON",
    "async": "ASYNC",
    "readonly": "READONLY",
}

#: Every set an event of this front end can be in, besides `IW`.
SET_NAMES = frozenset(
    """R W F BAR WEAK RLX ACQ REL ACQ_REL SC CTA CLUSTER GPU SYS GEN ASYNC TENSORMAP FABRIC READONLY
    TEX SUR CON ATOM RED VOLATILE MMIO PROXY_FENCE ALIAS GLOBAL SHARED CONST LOCAL BAR_SYNC
    BAR_ARRIVE BAR_RED ASYNC_OP IMPLICIT WAIT MBARRIER MBAR_INIT MBAR_INIT_FENCE MBAR_UNKNOWN
    RESTRICTED CLUSTER_ARRIVE CLUSTER_WAIT API""".split()  # noqa: SIM905  (a list of fifty quoted names reads worse)
)


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

FENCES = (
    mode("", "ACQ_REL", scopes=SCOPES),
    mode("acq_rel", "ACQ_REL", scopes=SCOPES),
    mode("sc", "SC", scopes=SCOPES),
    mode("acquire", "ACQ", scopes=SCOPES),
    mode("release", "REL", scopes=SCOPES),
)

PROXY_ACCESSES = (mode("", "WEAK", "WEAK"), mode("weak", "WEAK", "WEAK"))

#: Proxy fences that order accesses of one proxy after those of another, in one direction.
ONE_WAY_FENCES = (
    mode("acquire", "ACQ", scopes=SCOPES),
    mode("release", "REL", scopes=SCOPES),
)
ONE_WAY_CLUSTER_FENCES = (
    mode("acquire", "ACQ", scopes=("cluster",)),
    mode("release", "REL", scopes=("cluster",)),
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
    mode("relaxed", write="RLX", scopes=SCOPES),
    mode("release", write="REL", scopes=SCOPES),
)
ASYNC_REDUCTIONS = (
    mode("", "RLX", "RLX", scopes=SCOPES, default="cluster"),
    mode("relaxed", "RLX", "RLX", scopes=SCOPES, default="cluster"),
    mode("release", "RLX", "REL", scopes=SCOPES),
)

MEMBARS = (mode("", "SC", scopes=("cta", "gl", "sys")),)

CLUSTER_ARRIVES = (
    mode("", write="REL"),
    mode("release", write="REL"),
    mode("relaxed", write="RLX"),
)
CLUSTER_WAITS = (mode("", "ACQ"), mode("acquire", "ACQ"))

PLAIN = (mode(""),)
