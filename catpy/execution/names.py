"""The names a model finds bound: what a skeleton and a candidate give, without a test."""

from __future__ import annotations

from catpy.arch import ARCHITECTURES, DEFAULT
from catpy.cat.check import Surroundings
from catpy.execution.skeleton import OWN_SETS, RELATIONS

#: What an execution reads off the model's end.
_OBSERVED = frozenset({"co"})


def surroundings(architecture: str = DEFAULT) -> Surroundings:
    """What models for tests of an architecture are run in."""
    words = ARCHITECTURES[architecture].vocabulary
    relations = RELATIONS | {"rf"} | words.relations
    return Surroundings(words.sets | OWN_SETS, relations, architecture, _OBSERVED)
