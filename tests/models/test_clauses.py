"""Every clause of ptx.cat makes a difference to some test, or is known to follow from the rest."""

from __future__ import annotations

import pytest

from catpy.cat.mutation import without_one_clause
from catpy.execution import run_test
from tests.support import isa_test, load_model, named_test

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
    "strong: fence": "SB+fence.sc.sys",
    "related: [strong]; sr; [strong]": "MP+rel+acq",
    "alike: (M * M) & vloc": "MP+rel+acq",
    "alike: (_ * _) \\ (M * M)": "SB+fence.sc.sys",
    "release-fence: REL": "MP+fence.release-rlx+acq",
    "release-fence: ACQ_REL": "MP+fence.acq_rel-rlx+acq",
    "release-fence: SC": "MP+fence.sc-rlx+acq",
    "release: [W & REL]": "MP+rel+acq",
    "release: [W & REL]; po-loc; [strong-write]": "MP+rel-rlx+acq",
    "release: [release-fence]; po; [strong-write]": "MP+fence.release-rlx+acq",
    "acquire-fence: ACQ": "MP+rel+rlx-fence.acquire",
    "acquire-fence: ACQ_REL": "MP+rel+rlx-fence.acq_rel",
    "acquire-fence: SC": "MP+rel+rlx-fence.sc",
    "acquire: [R & ACQ]": "MP+rel+acq",
    "acquire: [strong-read \\ RED]; po-loc; [R & ACQ]": "MP+rel+rlx-acq+other",
    "acquire: [strong-read \\ RED]; po; [acquire-fence]": "MP+rel+rlx-fence.acquire",
    "observation: ms & rf": "MP+rel+acq",
    "observation: observation; rmw; observation": "MP3+rel+atom+acq",
    "sync: ms & (release; observation; acquire)": "MP+rel+acq",
    "sync: fence_sc": "MP+weak+fence.sc",
    "sync: syncbar": "MP+bar.sync",
    "sync: api": "Host-MP+stream",
    "base: (po | sync)+": "MP+rel+acq",
    "base: IW * (_ \\ IW)": "MP+rel+acq",
    "base: po": "MP+rel+acq",
    "base: sync": "MP+rel+acq",
    "preserved: vloc & (GEN * GEN)": "MP+rel+acq",
    "preserved: loc & (GEN * GEN) & (base; [F & ALIAS]; base)": "CoWR+alias-fence",
    "preserved: loc & (base?; api; base?)": "Host-alias+stream",
    "preserved: loc & (IW * M)": "MP+rel+acq",
    "causality: preserved": "MP+rel+acq",
    "causality: observation; preserved": "WRC+rlx+rlx-rel+acq",
    "co: co-ms": "Atomicity+isa1",
    "co: [W]; (causality & loc); [W]": "S+rel+acq",
    "communication: rf": "SCperLoc+ring4",
    "communication: co": "SCperLoc+ring5+co",
    "communication: fr": "SCperLoc+ring4",
    "check Atomicity": "Atomicity+isa1",
    "check SC-per-Location": "SCperLoc+ring4",
    "check SC-per-Location: po-loc": "SCperLoc+ring4",
    "check SC-per-Location: ms & communication": "SCperLoc+ring4",
    "check Causality": "MP+rel+acq",
    "check Causality: rf": "LB+acq+rel",
    "check Causality: fr": "MP+rel+acq",
}

#: Where flags are all that can change: a test whose flags do.
FLAGGED = {
    "flag data-race": "MP",
    "flag data-race: causality": "2+2W+rlx",
    "flag data-race: causality^-1": "2+2W+rlx",
    "flag data-race: ms": "2+2W+rlx",
}

#: Clauses that follow from the others; the head of ptx.cat says why.
IMPLIED = {
    "related: po",
    "related: po^-1",
    "check Coherence",
    "check Fence-SC",
    "check Single-Copy-Atomicity",
}

MUTANTS = {mutant.clause: mutant.model for mutant in without_one_clause(load_model("ptx"))}


def test_every_clause_is_accounted_for() -> None:
    assert set(MUTANTS) == WITNESSES.keys() | FLAGGED.keys() | IMPLIED


@pytest.mark.parametrize("clause", WITNESSES)
def test_leaving_out_a_clause_is_noticed(clause: str) -> None:
    test = named_test(WITNESSES[clause])
    whole = run_test(test, load_model("ptx"))
    assert run_test(test, MUTANTS[clause]).verdict != whole.verdict


@pytest.mark.parametrize("clause", FLAGGED)
def test_leaving_out_a_clause_is_flagged(clause: str) -> None:
    test = isa_test(FLAGGED[clause])
    whole = run_test(test, load_model("ptx"))
    found = run_test(test, MUTANTS[clause])
    assert found.flags != whole.flags
    assert found.states == whole.states


@pytest.mark.parametrize("clause", sorted(IMPLIED))
@pytest.mark.parametrize("name", ["SCperLoc+ring3", "IRIW+fence.sc+weak", "Atom+rlx", "CoRR+alias"])
def test_an_implied_clause_changes_nothing(clause: str, name: str) -> None:
    test = isa_test(name)
    assert run_test(test, MUTANTS[clause]).states == run_test(test, load_model("ptx")).states
