"""Every clause of ptx.cat makes a difference to some test, or is known to follow from the rest."""

from __future__ import annotations

import pytest

from catpy.cat.mutation import without_one_clause
from catpy.execution import run_test
from tests.support import load_model, named_test

#: A test whose verdict changes when the clause is left out.
WITNESSES = {
    "check No-Thin-Air": "LB+deps+isa",
    "check No-Thin-Air: rf": "LB+deps+isa",
    "check No-Thin-Air: addr": "LB+addrs",
    "check No-Thin-Air: data": "LB+deps+isa",
    "check No-Thin-Air: ctrl": "LB+ctrls",
    "strong-read: RLX": "CoRR+rlx",
    "strong-read: ACQ": "MP+rel+acq",
    "strong-write: RLX": "CoRR+rlx",
    "strong-write: REL": "MP+rel+acq",
    "strong: strong-read": "MP+rel+acq",
    "strong: strong-write": "MP+rel+acq",
    "related: [strong]; sr; [strong]": "MP+rel+acq",
    "alike: (_ * _) \\ (M * M)": "SB+fence.sc.sys",
    "release-fence: REL": "MP+fence.release-rlx+acq",
    "release-fence: ACQ_REL": "MP+fence.acq_rel-rlx+acq",
    "release-fence: SC": "MP+fence.sc-rlx+acq",
    "acquire-fence: ACQ": "MP+rel+rlx-fence.acquire",
    "acquire-fence: ACQ_REL": "MP+rel+rlx-fence.acq_rel",
    "acquire-fence: SC": "MP+rel+rlx-fence.sc",
    "observation: ms & rf": "MP+rel+acq",
    "observation: observation; rmw; observation": "MP3+rel+atom+acq",
    "sync: fence_sc": "MP+weak+fence.sc",
    "sync: syncbar": "MP+bar.sync",
    "causality: preserved": "MP+rel+acq",
    "causality: observation; preserved": "WRC+rlx+rlx-rel+acq",
    "co: co-ms": "Atomicity+isa1",
    "communication: rf": "SCperLoc+ring4",
    "communication: co": "SCperLoc+ring5+co",
    "communication: fr": "SCperLoc+ring4",
    "check Atomicity": "Atomicity+isa1",
    "check SC-per-Location": "SCperLoc+ring4",
    "check SC-per-Location: ms & communication": "SCperLoc+ring4",
    "check Causality": "MP+rel+acq",
    "check Causality: rf": "LB+acq+rel",
    "check Causality: fr": "MP+rel+acq",
    "order-fence: ACQ": "MP+rel+rlx-fence.acquire",
    "order-fence: REL": "MP+fence.release-rlx+acq",
    "order-fence: SC": "MP+weak+fence.sc",
    "strong: order-fence": "MP+fence.release-rlx+acq",
    "same-proxy: GEN * GEN": "MP+rel+acq",
    "alike: (M * M) & vloc & same-proxy": "MP+rel+acq",
    "releases: [W & REL]": "MP+rel+acq",
    "releases: [W & REL]; (po & same-range); [strong-write]": "MP+rel-rlx+acq",
    "releases: [fences]; po; [strong-write]": "MP+fence.release-rlx+acq",
    "acquires: [R & ACQ]": "MP+rel+acq",
    "acquires: [strong-read \\ RED]; (po & same-range); [R & ACQ]": "MP+rel+rlx-acq+other",
    "acquires: [strong-read \\ RED]; po; [fences]": "MP+rel+rlx-fence.acquire",
    "sync: pattern": "MP+rel+acq",
    "ordered: po": "MP+rel+acq",
    "ordered: synchronizes": "MP+rel+acq",
    "ordered: chain": "MP+rel+acq",
    "ordered: head": "MP+rel+acq",
    "ordered: IW * (_ \\ IW)": "MP+rel+acq",
    "preserving: va & (GEN * GEN)": "MP+rel+acq",
    "preserving: overlap & (GEN * GEN) & (order; [F & ALIAS]; order)": "CoWR+alias-fence",
    "preserving: loc & (IW * M)": "MP+rel+acq",
    "preserved: preserving(base)": "MP+rel+acq",
    "co: [W]; (causality & overlap); [W]": "MP+rel+acq",
    "check SC-per-Location: po & overlap": "SCperLoc+ring4",
}

#: Where flags are all that can change: a test whose flags do.
FLAGGED = {
    "flag data-race": "MP",
    "race: causality": "MP+bar.sync",
    "race: causality^-1": "MP+bar.sync",
    "race: ms": "2+2W+rlx",
}

#: Clauses that follow from the others; the head of ptx.cat says why.
IMPLIED = {
    "check Coherence",
    "check Fence-SC",
    "check Single-Copy-Atomicity",
    "related: po",
    "related: po^-1",
}

#: Clauses that no test is stated for here yet; `tools/clauses` looks for some.
OPEN = {
    "order-fence: ACQ_REL",
    "one-way-fence: ACQ",
    "one-way-fence: REL",
    "strong: one-way-fence",
    "strong: MBAR_INIT_FENCE",
    "same-proxy: ASYNC * ASYNC",
    "same-proxy: TENSORMAP * TENSORMAP",
    "same-proxy: READONLY * READONLY",
    "releases: [fences]; issued; [(strong-write & ASYNC_OP) \\ IMPLICIT]",
    "completed: [WAIT]",
    "completed: [W & IMPLICIT]; observation; [R & MBARRIER]",
    "acquires: [(strong-read & ASYNC_OP) \\ (RED | IMPLICIT)]; completed; [fences]",
    "acquires: RED",
    "acquires: IMPLICIT",
    "cluster-sync: [CLUSTER_ARRIVE & REL]; phase; [CLUSTER_WAIT]",
    "cluster-sync: [release-fence & (CLUSTER | GPU | SYS)]; po; [CLUSTER_ARRIVE & RLX]; phase; [CLUSTER_WAIT]",  # noqa: E501
    "cluster-sync: CLUSTER",
    "cluster-sync: GPU",
    "cluster-sync: SYS",
    "init-sync: [MBAR_INIT_FENCE]; po; [CLUSTER_ARRIVE & RLX]; phase; [CLUSTER_WAIT]",
    "init-sync: ms & init-pattern",
    "sync: issued; [(W & REL & ASYNC_OP) \\ IMPLICIT]; pattern",
    "sync: cluster-sync",
    "sync: api",
    "ordered: completes",
    "ordered: init-sync",
    "ordered: init-sync; chain",
    "ordered: issued",
    "ordered: head; issued",
    "one-way: release-fence",
    "one-way: released",
    "one-way: acquire-fence",
    "one-way: acquired",
    "one-way: order; [released]; order; [acquired]; order",
    "one-way: order?; api; order?; [acquired]; order",
    "beside: near; [fences]; order",
    "beside: order; [fences]; near",
    "fenced: ACQ",
    "fenced: REL",
    "fenced: place(order, fences \\ (GLOBAL | SHARED))",
    "fenced: place(order, fences \\ SHARED) & (elsewhere * elsewhere)",
    "fenced: place(order, fences \\ GLOBAL) & (SHARED * SHARED)",
    "fenced: GLOBAL",
    "fenced: SHARED",
    "across-proxies: ((GEN * ASYNC) | (ASYNC * GEN)) & fenced(beside, order)",
    "across-proxies: (ASYNC * ASYNC) & fenced(around, order)",
    "across-proxies: (_ * (M \\ TENSORMAP)) & (order?; api; order?)",
    "across-proxies: GEN * ASYNC",
    "across-proxies: ASYNC * GEN",
    "preserving: va & same-proxy & scta",
    "preserving: va & across-proxies(order)",
    "between-proxies: va & (GEN * TENSORMAP) & one-way(TENSORMAP)",
    "between-proxies: va & (GEN * ASYNC) & (SHARED * SHARED) & one-way(ASYNC)",
    "preserved: preserving(base-shared) & (SHARED * SHARED)",
    "preserved: between-proxies",
    "atomic: ATOM",
    "atomic: RED",
    "co-ms: ms & loc",
    "co-ms: mixed-atomic & loc",
    "check Mixed-Size-RMW",
    "check Mixed-Size-RMW-order",
    "conflict: W * M",
    "conflict: M * W",
    "undefined_unless mixed-size-data-race",
    "flag outside-the-model",
    "flag outside-the-model: TEX",
    "flag outside-the-model: SUR",
    "flag outside-the-model: CON",
    "flag mbarrier-uninitialised",
}

MUTANTS = {mutant.clause: mutant.model for mutant in without_one_clause(load_model("ptx"))}


def test_every_clause_is_accounted_for() -> None:
    assert set(MUTANTS) == WITNESSES.keys() | FLAGGED.keys() | IMPLIED | OPEN


@pytest.mark.parametrize("clause", WITNESSES)
def test_leaving_out_a_clause_is_noticed(clause: str) -> None:
    test = named_test(WITNESSES[clause])
    whole = run_test(test, load_model("ptx"))
    assert run_test(test, MUTANTS[clause]).verdict != whole.verdict


@pytest.mark.parametrize("clause", FLAGGED)
def test_leaving_out_a_clause_is_flagged(clause: str) -> None:
    test = named_test(FLAGGED[clause])
    whole = run_test(test, load_model("ptx"))
    found = run_test(test, MUTANTS[clause])
    assert found.flags != whole.flags
    assert found.states == whole.states


@pytest.mark.parametrize("clause", sorted(IMPLIED))
@pytest.mark.parametrize("name", ["SCperLoc+ring3", "IRIW+fence.sc+weak", "Atom+rlx", "CoRR+alias"])
def test_an_implied_clause_changes_nothing(clause: str, name: str) -> None:
    test = named_test(name)
    assert run_test(test, MUTANTS[clause]).states == run_test(test, load_model("ptx")).states
