"""Operations on mbarriers, objects in memory: they are reads and writes."""

from __future__ import annotations

from catpy.arch.ptx import mbarrier_semantics as mbarriers
from catpy.arch.ptx import words
from catpy.arch.ptx.instruction import Effect, Row
from catpy.arch.ptx.rows.common import BEHIND, OWN_SHARED, SHARED_SPACES, only
from catpy.arch.ptx.words import PLAIN

_TYPE = {"type": ("b64",)}
_OWN = {"space": OWN_SHARED, **_TYPE}
_ANY = {"space": SHARED_SPACES, **_TYPE}
_OBJECT = "scope proxy space MBARRIER"

_CHANGES = (Effect(f"R semantics {_OBJECT}"), Effect(f"W semantics {_OBJECT}", BEHIND))
_WAITS = (
    Effect(f"R semantics {_OBJECT}", "where it returns true"),
    Effect(f"R RLX {_OBJECT}", "where it does not"),
)


def mbarrier_rows() -> list[Row]:
    """All of `mbarrier`."""
    return [*_object_rows(), *_arrive_rows(), *_count_rows(), *_wait_rows()]


def _object_rows() -> list[Row]:
    """The operations on an object as a whole, or on a state that was read from it."""
    return [
        Row(
            "mbarrier.init",
            ("mv",),
            mbarriers.init,
            PLAIN,
            _OWN,
            names=("a count",),
            events=(Effect("W WEAK proxy space MBARRIER MBAR_INIT"),),
            about="Makes an object that expects `count` arrivals in each phase.",
        ),
        Row(
            "mbarrier.inval",
            ("m",),
            mbarriers.inval,
            PLAIN,
            _OWN,
            events=(Effect("W WEAK proxy space", "of an unknown value"),),
            about="What it leaves counts as an object that nobody has initialised.",
        ),
        Row(
            "mbarrier.pending_count",
            ("dv",),
            mbarriers.pending_count,
            PLAIN,
            _TYPE,
            names=("d state",),
            about="How many arrivals were pending in a state that an arrival returned.",
        ),
    ]


#: There is no state to be had of an object that may be another CTA's.
_ARRIVALS = (
    only(expect="-", noComplete="-", space="- shared shared::cta", operands="dm dmv"),
    only(expect="-", noComplete="-", space="shared::cluster", operands="sm smv"),
    only(expect="expect_tx", noComplete="-", space="- shared shared::cta", operands="dmv"),
    only(expect="expect_tx", noComplete="-", space="shared::cluster", operands="smv"),
    only(
        expect="-",
        noComplete="noComplete",
        space="- shared shared::cta",
        semantics="- release",
        scope="- cta",
        operands="dmv",
    ),
)


def _arrive_rows() -> list[Row]:
    once = "Arrives, `count` times or once, and returns the old state (or `_`, nothing)."
    drop = "The same, and phases from the next on expect so many arrivals less."
    return [
        Row(
            f"mbarrier.{verb}",
            ("dm", "sm", "dmv", "smv"),
            execute,
            words.MBARRIER_ARRIVES,
            {**_ANY, "expect": ("expect_tx",), "noComplete": ("noComplete",)},
            rules=(_ARRIVALS,),
            names=("d a", "_ a", "d a count", "_ a count"),
            events=_CHANGES,
            about=f"{about} With `.expect_tx` it arrives once, and `count` are the bytes that the"
            " phase expects from then on besides.",
        )
        for verb, execute, about in (
            ("arrive", mbarriers.arrive, once),
            ("arrive_drop", mbarriers.arrive_drop, drop),
        )
    ]


def _count_rows() -> list[Row]:
    return [
        Row(
            f"mbarrier.{verb}",
            ("mv",),
            execute,
            words.MBARRIER_COUNTS,
            _ANY,
            names=("a bytes",),
            events=_CHANGES,
            about=about,
        )
        for verb, execute, about in (
            ("expect_tx", mbarriers.expect_tx, "The phase expects so many bytes more."),
            (
                "complete_tx",
                mbarriers.complete_tx,
                "So many of the bytes that the phase expects have come.",
            ),
        )
    ]


def _wait_rows() -> list[Row]:
    return [
        Row(
            f"mbarrier.{verb}",
            lists,
            mbarriers.wait,
            words.MBARRIER_WAITS,
            {**_OWN, "parity": ("parity",)},
            names=("d a phase", "d a phase time")[: len(lists)],
            events=_WAITS,
            about="Whether a phase is over: the one of a state that an arrival returned, or with"
            " `.parity` the last one of that parity, 0 or 1. It does not wait for that: a test"
            f" repeats it.{timed}",
        )
        for verb, lists, timed in (
            ("test_wait", ("dmv",), ""),
            ("try_wait", ("dmv", "dmvv"), " The time has no effect."),
        )
    ]
