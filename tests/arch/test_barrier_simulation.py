"""Barriers against a simulation that tries every order of steps."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from catpy.arch.program import Join
from tests.arch.barrier_simulation import End, Simulation, Thread
from tests.arch.helpers import joins, program

CTA_STEPS = (
    "bar.sync 0",
    "bar.sync 1, 2",
    "bar.arrive 1, 2",
    "bar.sync 2, 3",
    "bar.arrive 2, 3",
    "st [x], 1",
)
#: An arrival and its wait, with anything between.
CLUSTER = "cluster"


@st.composite
def codes(draw: st.DrawFn) -> tuple[str, ...]:
    steps = draw(st.lists(st.sampled_from((*CTA_STEPS, CLUSTER, CLUSTER, CLUSTER)), max_size=5))
    code, arrived = [], False
    for step in steps:
        if step == CLUSTER:
            code.append("barrier.cluster.wait" if arrived else "barrier.cluster.arrive")
            arrived = not arrived
        else:
            code.append(step)
    return tuple(code)


PLACES = st.sampled_from([(0, 0), (0, 0), (0, 1), (1, 0)])
THREADS = st.lists(st.builds(Thread, PLACES, codes(), st.booleans()), min_size=1, max_size=4)


def joins_of(threads: list[Thread]) -> list[Join]:
    texts = []
    for number, thread in enumerate(threads):
        loop = [f"L{number}: bra L{number}"] if thread.loops else []
        texts.append("; ".join([*thread.code, *loop]))
    places = [f"cta {t.cta[1]},cluster {t.cta[0]},gpu 0" for t in threads]
    return joins(program(*texts, places=places, unroll=0))


def end_of(join: Join) -> End:
    return End(join.pairs["syncbar"], join.pairs["phase"], join.lengths, join.stuck)


@settings(max_examples=150, deadline=None)
@given(THREADS)
def test_the_same_ends(threads: list[Thread]) -> None:
    found = [end_of(join) for join in joins_of(threads)]
    assert set(found) == Simulation(threads).ends()
    assert len(found) == len(set(found))


@settings(max_examples=100, deadline=None)
@given(THREADS, st.integers(0, 1000))
def test_every_order_of_steps_has_a_witness(threads: list[Thread], seed: int) -> None:
    """What a join says comes first began before the other was passed."""
    trace = Simulation(threads).trace(random.Random(seed).choice)
    (join,) = [join for join in joins_of(threads) if end_of(join) == trace.end]
    assert any(
        all(
            trace.begun[x] < trace.passed[y]
            for pairs in (*join.pairs.values(), witness["barorder"])
            for x, y in pairs
            if x != y and y in trace.passed
        )
        for witness in join.witnesses
    )
