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
    "check No-Thin-Air: depends": "LB+deps+isa",
    "check No-Thin-Air: reduced; depends": "LB+bar.red.or",
    "depends: dependency": "LB+deps+isa",
    "depends: chosen; admits+": "LB+ctrl-bar.arrive",
    "depends: [API]; (api & (_ * (_ \\ API)))": "Host-LB+launch",
    "chosen: addr": "LB+bar.arrive+register",
    "chosen: ctrl": "LB+ctrl-bar.arrive",
    "admits: syncbar": "LB+ctrl-bar.arrive",
    "admits: phase": "Cluster-LB+ctrl",
    "admits: po": "LB+ctrl-bar.arrive",
    "admits: issued": "Bulk-LB+ctrl-bar.arrive",
    "syntactic: addr": "LB+addrs",
    "syntactic: data": "LB+deps+isa",
    "syntactic: ctrl": "LB+ctrls",
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
    "observation: observed": "MP+rel+acq",
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
    "releases: [fences]; (po & covered); [strong-write]": "MP+fence.release-rlx+acq",
    "covered: RESTRICTED * (M \\ SHARED)": "Restrict-MP+global-flag+release",
    "covered: (M \\ SHARED) * RESTRICTED": "Restrict-MP+global-flag+acquire",
    "acquires: [R & ACQ]": "MP+rel+acq",
    "acquires: [strong-read \\ RED]; (po & same-range); [R & ACQ]": "MP+rel+rlx-acq+other",
    "acquires: [strong-read \\ RED]; (po & covered); [fences]": "MP+rel+rlx-fence.acquire",
    "sync: pattern": "MP+rel+acq",
    "ordered: po": "MP+rel+acq",
    "ordered: synchronizes": "MP+rel+acq",
    "ordered: chain": "MP+rel+acq",
    "ordered: head": "MP+rel+acq",
    "ordered: IW * (_ \\ IW)": "MP+rel+acq",
    "preserving: va": "MP+rel+acq",
    "preserving: overlap & (order; [alias-fence]; order)": "CoWR+alias-fence",
    "preserving: ACQ": "Proxy-Alias-MP+rel+acq-acquire",
    "preserving: REL": "Proxy-Alias-MP+release-rel+acq",
    "preserved: between-aliases": "Proxy-Alias-MP+release-rlx+rlx-acquire",
    "after-reads: release-fence": "Restrict-Read+read-fence.release-rlx+acq-acquire",
    "after-reads: released": "Restrict-Read+read-rlx+rlx-acquire",
    "after-reads: acquire-fence": "Restrict-Read+read-rel+rlx-fence.acquire-acquire",
    "after-reads: acquired": "Restrict-Read+read-rlx+rlx-acquire",
    "after-reads: po": "Restrict-Read+own",
    "after-reads: step": "Restrict-Read+read-rlx+rlx-acquire",
    "between-proxies: va & (GEN * ASYNC) & (SHARED * SHARED) & after-reads": "Restrict-Read+own",
    "preserving: same & (GEN * GEN)": "MP+rel+acq",
    "preserving: overlap & (IW * M)": "MP+rel+acq",
    "preserved: preserving(base)": "MP+rel+acq",
    "co: [W]; (causality & overlap); [W]": "MP+rel+acq",
    "check SC-per-Location: po & va": "SCperLoc+ring4",
    "check SC-per-Location: rmw": "RedAsync-Atomic+st",
    "order-fence: ACQ_REL": "MP+fence.acq_rel-rlx+acq",
    "one-way-fence: ACQ": "Tensor-Own+release-acquire",
    "one-way-fence: REL": "Tensor-Own+release-acquire",
    "strong: one-way-fence": "Tensor-MP+proxy.release-rlx+rlx-proxy.acquire",
    "strong: MBAR_INIT_FENCE": "Mbarrier-Init+fence-rlx+acq",
    "same-proxy: ASYNC * ASYNC": "Bulk-CoWW+wait",
    "releases: [fences]; (issued & covered); [(strong-write & ASYNC_OP) \\ IMPLICIT]": "RedAsync-MP+fence.release-relaxed+acq",  # noqa: E501
    "completed: [WAIT]": "Bulk-MP+fence.release-relaxed+relaxed-wait-fence.acquire",
    "completed: [W & IMPLICIT]; observation; [R & MBARRIER]": "Bulk-MP+fence.release-relaxed+relaxed-fence.acquire",  # noqa: E501
    "acquires: [(strong-read & ASYNC_OP) \\ RED]; (completed & covered); [fences]": "Bulk-MP+fence.release-relaxed+relaxed-fence.acquire",  # noqa: E501
    "cluster-sync: [CLUSTER_ARRIVE & REL]; phase; [CLUSTER_WAIT]": "Cluster-MP+release+acquire",
    "cluster-sync: [fences & (CLUSTER | GPU | SYS)]; po; [CLUSTER_ARRIVE & RLX]; phase; [CLUSTER_WAIT]": "Cluster-MP+fence.acq_rel.cluster-relaxed",  # noqa: E501
    "cluster-sync: CLUSTER": "Cluster-MP+fence.acq_rel.cluster-relaxed",
    "cluster-sync: GPU": "Cluster-MP+fence.acq_rel.gpu-relaxed",
    "cluster-sync: SYS": "Cluster-MP+fence.acq_rel.sys-relaxed",
    "init-sync: [MBAR_INIT_FENCE]; po; [CLUSTER_ARRIVE & RLX]; phase; [CLUSTER_WAIT]": "Mbarrier-Init+fence-cluster.relaxed",  # noqa: E501
    "init-sync: ms & init-pattern": "Mbarrier-Init+fence-rlx+acq",
    "sync: issued; [(W & REL & ASYNC_OP) \\ IMPLICIT]; pattern": "StAsync-MP+release+acq",
    "sync: cluster-sync(releasing)": "Cluster-MP+release+acquire",
    "sync: api": "Host-MP+stream",
    "ordered: completes": "CpAsync-Own+wait_all",
    "ordered: init-sync; chain?": "Mbarrier-Init+fence-rlx+acq",
    "ordered: issued": "CpAsync-Prior",
    "ordered: head; issued": "CpAsync-MP+rel+acq",
    "one-way: releasing": "Tensor-ISA2+fence.release-rlx+rlx-fence.acquire-proxy.release",
    "one-way: released": "Tensor-MP+proxy.release-rlx+acq-proxy.acquire",
    "one-way: acquiring": "Tensor-ISA2+fence.release-rlx+rlx-fence.acquire-proxy.release",
    "one-way: acquired": "Tensor-MP+proxy.release-rel+rlx-proxy.acquire",
    "one-way: order; [released]; order; [acquired]; (order & place)": "Tensor-Own+release-acquire",
    "one-way: order?; api; order?; [acquired]; (order & place)": "Host-tensormap+stream-acquire",
    "beside: near; [fences]; order": "Proxy-MP+writer",
    "beside: order; [fences]; near": "Proxy-MP+copier",
    "fenced: ACQ": "Restrict-Proxy+rel+acq-acquire",
    "fenced: REL": "Restrict-Proxy+release-rel+acq",
    "fenced: place(order, fences \\ SHARED) & (elsewhere * elsewhere)": "Proxy-MP+writer.global",
    "fenced: place(order, fences \\ GLOBAL) & (SHARED * SHARED)": "Proxy-Store+fence.proxy.async.shared.cta",  # noqa: E501
    "across-proxies: ((GEN * ASYNC) | (ASYNC * GEN)) & fenced(beside, order)": "Proxy-MP+writer",
    "across-proxies: (ASYNC * ASYNC) & fenced(around, order)": "Proxy-Async+reader",
    "across-proxies: (TENSORMAP * M) & (completes; order)": "Tensor-Reuse+wait",
    "across-proxies: GEN * ASYNC": "Proxy-MP+writer",
    "across-proxies: ASYNC * GEN": "Bulk-Load",
    "preserving: same & same-proxy & scta": "Proxy-Async+relay",
    "preserving: same & across-proxies(order)": "Proxy-MP+writer",
    "preserving: overlap & (_ * (M \\ TENSORMAP)) & (order?; api; order?)": "Host-bulk+stream",
    "between-proxies: va & (GEN * TENSORMAP) & one-way(TENSORMAP, aimed, release-all, acquire-all)": "Tensor-Own+release-acquire",  # noqa: E501
    "between-proxies: va & (GEN * ASYNC) & (SHARED * SHARED) & one-way(ASYNC, _ * _, release-fence, acquire-fence)": "Restrict-Proxy+release-rel+acq-acquire",  # noqa: E501
    "preserved: preserving(base-shared) & (SHARED * SHARED)": "Restrict-MP",
    "preserved: between-proxies": "Tensor-Own+release-acquire",
    "atomic: ATOM": "Reduce-Atomic+atom",
    "atomic: RED": "Reduce-Atomic+atom",
    "mixed-atomic: va \\ same-proxy": "Reduce-Atomic+atom",
    "co-ms: ms & loc": "Atomicity+isa1",
    "co-ms: mixed-atomic & loc": "Reduce-Atomic+atom",
    "check Mixed-RMW": "Reduce-Atomic+atom",
    "check Mixed-RMW-order": "Reduce-Atomic+atom+st",
    "undefined_unless mixed-size-data-race": "Size-Race",
}

#: Where flags are all that can change: a test whose flags do.
FLAGGED = {
    "flag data-race": "MP",
    "race: causality": "MP+bar.sync",
    "race: causality^-1": "MP+bar.sync",
    "race: ms": "2+2W+rlx",
    "flag outside-the-model": "CoWR+ld.nc",
    "flag outside-the-model: TEX": "CoWR+ld.nc",
    "flag outside-the-model: SUR": "CoWR+suld",
    "flag outside-the-model: CON": "CoWR+cold",
    "flag mbarrier-uninitialised": "Mbarrier-Init+none",
}

#: Where the race of a test makes it undefined: one whose final states change.
STATES = {"mixed-atomic: va \\ same-range": "Size-Rmw+atom+atom"}

#: Clauses that follow from the others; the head of ptx.cat says why.
IMPLIED = {
    "check Coherence",
    "check Fence-SC",
    "check Single-Copy-Atomicity",
    "related: po",
    "related: po^-1",
    "same-proxy: TENSORMAP * TENSORMAP",
    "same-proxy: READONLY * READONLY",
}

#: Tests in which those clauses have something to say.
IMPLIED_ON = [
    "SCperLoc+ring3",
    "IRIW+fence.sc+weak",
    "Atom+rlx",
    "CoRR+alias",
    "Size-Tear+rlx",
    "Size-Rmw+atom+atom+ld",
    "Tensor-Own+release-acquire",
    "Readonly-MP+rel+acq",
]

MUTANTS = {mutant.clause: mutant.model for mutant in without_one_clause(load_model("ptx"))}


def test_every_clause_is_accounted_for() -> None:
    assert set(MUTANTS) == WITNESSES.keys() | FLAGGED.keys() | STATES.keys() | IMPLIED


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


@pytest.mark.parametrize("clause", STATES)
def test_leaving_out_a_clause_allows_more(clause: str) -> None:
    test = named_test(STATES[clause])
    whole = run_test(test, load_model("ptx"))
    assert set(run_test(test, MUTANTS[clause]).states) > set(whole.states)


@pytest.mark.parametrize("clause", sorted(IMPLIED))
@pytest.mark.parametrize("name", IMPLIED_ON)
def test_an_implied_clause_changes_nothing(clause: str, name: str) -> None:
    test = named_test(name)
    assert run_test(test, MUTANTS[clause]).states == run_test(test, load_model("ptx")).states
