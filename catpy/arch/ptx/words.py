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

INTEGER_TYPES = tuple(f"{letter}{bits}" for letter in "bus" for bits in (8, 16, 32, 64))
#: With the types of floating-point numbers, which can be moved as the bits they are.
TYPES = (*INTEGER_TYPES, "f32", "f64")

CACHE_HINTS = ("ca", "cg", "cs", "lu", "cv", "wb", "wt")

#: Every set an event of this front end can be in, besides `IW`.
SET_NAMES = frozenset(
    """R W F BAR WEAK RLX ACQ REL ACQ_REL SC CTA CLUSTER GPU SYS GEN ASYNC TENSORMAP FABRIC READONLY
    TEX SUR CON ATOM RED VOLATILE MMIO PROXY_FENCE ALIAS GLOBAL SHARED CONST LOCAL BAR_SYNC
    BAR_ARRIVE BAR_RED CLUSTER_ARRIVE CLUSTER_WAIT""".split()  # noqa: SIM905  (a list of forty quoted names reads worse)
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

MEMBARS = (mode("", "SC", scopes=("cta", "gl", "sys")),)

CLUSTER_ARRIVES = (
    mode("", write="REL"),
    mode("release", write="REL"),
    mode("relaxed", write="RLX"),
)
CLUSTER_WAITS = (mode("", "ACQ"), mode("acquire", "ACQ"))

PLAIN = (mode(""),)
