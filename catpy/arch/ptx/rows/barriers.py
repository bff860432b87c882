"""Barriers of thread blocks (CTAs) and of clusters."""

from __future__ import annotations

from catpy.arch.ptx import barrier_semantics as barriers
from catpy.arch.ptx import words
from catpy.arch.ptx.arithmetic import REDUCTIONS
from catpy.arch.ptx.instruction import Effect, Execute, Row
from catpy.arch.ptx.rows.common import only
from catpy.arch.ptx.words import PLAIN

_ALIGNED = {"aligned": ("aligned",)}
#: A `bar` is aligned anyway.
_WORDS = {"bar": {"level": ("cta",)}, "barrier": {"level": ("cta",), **_ALIGNED}}
_REDUCED = (
    only(reduction="popc", type="- u32"),
    only(reduction="and or", type="- pred"),
)

_SYNC = "Arrives at barrier `a` and waits for `b` threads in all, or for those of the CTA."
_ARRIVE = "Arrives at barrier `a` and goes on; `b`, the number of threads, has to be there."
_INSTANCES = (
    " In the dialect `dat3m`, and only there, the instance of the barrier comes before `a`, and `b`"
    " may be left out."
)


def barrier_rows() -> list[Row]:
    """`bar`, `barrier` and `barrier.cluster`."""
    rows = []
    for opcode in ("bar", "barrier"):
        rows.append(_step_row(opcode, "sync", barriers.sync, _SYNC))
        rows.append(_step_row(opcode, "arrive", barriers.arrive, _ARRIVE))
        rows.append(
            Row(
                f"{opcode}.red",
                ("dbp", "dbvp"),
                barriers.reduce,
                PLAIN,
                {**_WORDS[opcode], "reduction": tuple(REDUCTIONS), "type": ("u32", "pred")},
                required=("reduction",),
                rules=(_REDUCED,),
                names=("d a p", "d a b p"),
                events=(Effect("BAR BAR_RED"),),
                about="Like `.sync`, and reduces the predicates `p` that come with it.",
            )
        )
    return [*rows, *_cluster_rows()]


def _step_row(opcode: str, verb: str, execute: Execute, about: str) -> Row:
    return Row(
        f"{opcode}.{verb}",
        ("b", "bv", "bvv"),
        execute,
        PLAIN,
        _WORDS[opcode],
        names=("a", "a b", "instance a b"),
        events=(Effect(f"BAR BAR_{verb.upper()}"),),
        about=about + _INSTANCES,
    )


def _cluster_rows() -> list[Row]:
    return [
        Row(
            "barrier.cluster.arrive",
            ("",),
            barriers.cluster_arrive,
            words.CLUSTER_ARRIVES,
            _ALIGNED,
            events=(Effect("BAR CLUSTER_ARRIVE semantics"),),
            about="Arrives at the barrier of the cluster, and goes on.",
        ),
        Row(
            "barrier.cluster.wait",
            ("",),
            barriers.cluster_wait,
            words.CLUSTER_WAITS,
            _ALIGNED,
            events=(Effect("BAR CLUSTER_WAIT semantics"),),
            about="Waits for all threads of the cluster, in the phase in which it arrived last.",
        ),
    ]
