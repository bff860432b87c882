"""What an engine says of a test, to be compared with what another one says; how large a test is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import factorial, prod

import pytest

from catpy.arch import build_program
from catpy.arch.program import Options
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.errors import CatpyError
from catpy.execution import Outcome, run_test
from catpy.execution.blocks import explore, flow
from catpy.execution.candidates import skeletons
from catpy.execution.search import Effort
from catpy.execution.skeleton import Skeleton
from catpy.litmus import LitmusTest
from tests.support import load_model

INSTALLED = ["ptx", "ptx-v7.5", "ptx-v6.0", "sc", "tso"]


@dataclass(frozen=True)
class Setting:
    """An installed model, and the variants that are on."""

    name: str
    variants: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return "+".join([self.name, *sorted(self.variants)])

    @property
    def model(self) -> Model:
        return load_model(self.name)

    @property
    def settings(self) -> Settings:
        return Settings(variants=self.variants)


SETTINGS = [
    *(Setting(name) for name in INSTALLED),
    Setting("ptx", frozenset({"literal-8.9.5"})),
]


def result(
    test: LitmusTest, model: Model, engine: str = "fast", settings: Settings | None = None
) -> object:
    """All that an engine says of a test but times and candidates."""
    try:
        return seen(run_test(test, model, settings=settings, effort=Effort(engine)))
    except CatpyError as problem:
        return type(problem)


def seen(found: Outcome) -> object:
    """What outcomes are compared by."""
    return dict(found.executions), found.satisfying, found.flags, found.stuck, found.cut


def is_part(found: Outcome, whole: Outcome) -> bool:
    """Whether a search that was ended early found nothing that the whole one did not find."""
    return (
        all(whole.executions.get(state, 0) >= n for state, n in found.executions.items())
        and set(found.flags) <= set(whole.flags)
        and (found.stuck <= whole.stuck and found.cut <= whole.cut)
    )


def agree(test: LitmusTest, model: Model, settings: Settings | None = None) -> None:
    """Checks that both engines say the same."""
    fast, naive = (result(test, model, engine, settings) for engine in ("fast", "naive"))
    assert fast == naive, test.source.text


def candidates(test: LitmusTest) -> int:
    """A bound of the number of candidates that the reference engine looks at.

    Those are the choices of `rf` and of a total order of the writes of each location, for each
    control flow; what the values of reads rule out is among them.
    """
    return sum(map(_candidates, skeletons(build_program(test, Options()))))


def _candidates(skeleton: Skeleton) -> int:
    threads = [event for event in skeleton.events if event.thread is not None]
    writes = [event.location for event in threads if event.is_write]
    orders = prod(factorial(writes.count(location)) for location in set(writes))
    return orders * prod(map(len, skeleton.sources().values()))


@contextmanager
def small_blocks() -> Iterator[None]:
    """Blocks of a few lanes, so that they are split and compressed all the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explore, "TARGET", 3)
        patch.setattr(explore, "LARGEST", 9)
        patch.setattr(flow, "FEW", 0)
        yield
