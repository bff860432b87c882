"""What the three clauses of 8.9.5 alone leave allowed (`--variant literal-8.9.5`)."""

from __future__ import annotations

import pytest

from catpy.cat.interpreter import Settings
from catpy.cat.loader import Library
from catpy.execution import run_test
from tests.support import MODELS, load_model, named_test

VARIANT = frozenset({"literal-8.9.5"})
LITERAL = Library([MODELS], variants=VARIANT).load("ptx")

#: Forbidden by what the pages of fences and copies say of proxies, and by that alone.
BY_PROXY_FENCES = [
    "Proxy-MP+writer",
    "Proxy-MP+copier",
    "Proxy-Async+reader",
    "Proxy-Store+fence.proxy.async",
    "Bulk-Load",
    "Bulk-Store",
    "Bulk-MP+wait-rel+acq",
    "Bulk-Reuse+wait.read",
    "Reduce-Own+wait",
    "Tensor-Load",
    "Tensor-Reuse+wait",
    "Tensor-Reuse+wait.read",
    "Tensor-MP+proxy.release-rel+acq-proxy.acquire",
    "Host-tensormap+stream-acquire",
    "Restrict-Proxy+release-rlx+rlx-acquire",
    "Restrict-Read+read-rlx+rlx-acquire",
]

#: Forbidden all the same: one proxy throughout, one thread block, aliases, the API.
BY_THE_THREE_CLAUSES = [
    "Mbarrier-MP",
    "CpAsync-MP+arrive.noinc",
    "StAsync-MP",
    "RedAsync-MP+release+acq",
    "Reduce-Atomic",
    "Bulk-CoWW+wait",
    "Proxy-Async+same-cta",
    "Proxy-Async+relay",
    "Proxy-Alias+fence.proxy.alias",
    "Proxy-Alias-MP+release-rlx+rlx-acquire",
    "Restrict-MP",
    "Host-bulk+stream",
    "Host-readonly+stream",
]


def literal_verdict(name: str) -> str:
    return run_test(named_test(name), LITERAL, settings=Settings(variants=VARIANT)).verdict.value


@pytest.mark.parametrize("name", BY_PROXY_FENCES)
def test_proxy_fences_order_nothing(name: str) -> None:
    assert run_test(named_test(name), load_model("ptx")).verdict.value == "Ok"
    assert literal_verdict(name) == "No"


@pytest.mark.parametrize("name", BY_THE_THREE_CLAUSES)
def test_the_three_clauses_are_left(name: str) -> None:
    assert literal_verdict(name) == "Ok"
