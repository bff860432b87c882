"""Operands that make no sense: each ends in one error, with its place."""

from __future__ import annotations

import pytest

from catpy.arch import build_program
from catpy.arch.program import Options
from catpy.arch.ptx.instruction import Immediate
from catpy.execution import run_test
from tests.arch.helpers import program, text_of
from tests.arch.test_decode import decoded, refused
from tests.litmus import helpers
from tests.support import load_model

INIT = """.shared .u32 s[4]; .global .u32 g[4]; .global .u64 map = &g; .shared .mbarrier m = 1;
    .const .u32 c = 3; .local .u32 l; .global .u64 p = &c"""
TWO = ("cta 0,cluster 0,gpu 0", "cta 1,cluster 0,gpu 0")
BYTES = "mbarrier::complete_tx::bytes"


def run_fails(code: str, message: str, places: tuple[str, ...] = ()) -> None:
    """Checks that a run is refused at the mark `▸`; with two places, a thread is in the second."""
    codes = [code, "ld.u32 r9, [s]"] if places else [code]

    def act(text: str) -> object:
        return run_test(helpers.parse(text), load_model("sc"))

    helpers.fails(text_of(codes, INIT, places, "forall true"), message, act=act)


# What is written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ld▸..u32 r0, [x]", "unexpected character `.`"),
        ("▸.ld r0, [x]", "unknown instruction `.ld`"),
        ("mov r0, ▸%", "unexpected character `%`"),
        ("mov r0, ▸010", "`010` is octal in PTX, and decimal elsewhere"),
        ("ld r0, [x+▸08]", "`08` is octal in PTX"),
        ("ld.v2.u32 ▸{r0, r0}, [x]", "a register is there twice"),
        ("ld.v2.u32 {▸}, [x]", "expected an operand"),
        ("ld.v2.u32 ▸{r0}, [x]", "this access takes {…} of 2 operands"),
        ("ld.u32 ▸{r0, r1}, [x]", "this access takes one operand"),
        ("▸ld.v2 {r0, r1}, [x]", "a vector access has a type"),
        ("st.v2.u32 [x], {1, ▸_}", "`_` is a destination only"),
        ("st.u32 [x], ▸_", "`_` is a destination only"),
        ("ld.u32 r0, ▸[_]", "`_` is a destination only"),
        ("st.u32 ▸_, 1", "`_` is a destination only"),
        ("add r0, ▸_, 1", "`_` is a destination only"),
        ("tex r0, ▸[x, {_}]", "`_` is a destination only"),
        ("mbarrier.try_wait.parity.b64 p0, [m], 0, ▸_", "`_` is a destination only"),
        ("ld.u32 ▸!r0, [x]", "expected a destination register"),
        ("ld.u32 ▸cta1.s, [x]", "expected a destination register"),
        ("bra ▸!L", "expected a label"),
        ("st.u32 ▸!x, 1", "only a predicate can have a `!`"),
        ("st.u32 [x], ▸!r1", "only a predicate can have a `!`"),
        ("add.u32 r0, ▸!r1, 1", "only a predicate can have a `!`"),
        ("bar.red.and.pred p1, ▸!r0, p0", "only a predicate can have a `!`"),
        ("cp.async.wait_group ▸r1", "expected a number, 0 or more"),
        ("cp.async.wait_group ▸-1", "expected a number, 0 or more"),
        ("cp.async.bulk.wait_group ▸-2", "expected a number, 0 or more"),
        ("cp.async.ca.shared.global [s], [g], ▸r1", "expected a number, 0 or more"),
        ("cp.async.ca.shared.global [s], [g], ▸-4", "expected a number, 0 or more"),
        ("▸cp.async.wait_group", "`cp.async.wait_group` takes 1 operand, found 0"),
        ("▸fence.mbarrier_init.cluster", "lacks its semantics: .release"),
        ("ld.▸pred r0, [x]", "`ld` does not take `.pred` here"),
    ],
)
def test_what_is_written_makes_no_sense(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    ("text", "value"),
    [("mov r0, 0b101", 5), ("mov r0, 0B11U", 3), ("mov r0, 0xffffffffffffffffU", 2**64 - 1)],
)
def test_numbers_as_ptx_has_them(text: str, value: int) -> None:
    operand = decoded(text).operands[1]
    assert isinstance(operand, Immediate)
    assert operand.value == value


@pytest.mark.parametrize(
    "text", ["mov.pred p0, !p1", "selp r0, 1, 2, !p0", "bar.red.or p0, 0, !p1"]
)
def test_predicates_may_be_negated(text: str) -> None:
    program(text)


def test_a_hint_is_in_small_letters() -> None:
    refused("▸LD.u32 r0, [x]", "unknown instruction `LD`", "`ld`")


# Names


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ld.u32 ▸g, [s]", "`g` is declared in memory: a register can be `%g`"),
        ("ld.v2.u32 {r0, ▸c}, [g]", "`c` is declared in memory"),
        ("ld.u32 r0, ▸[cta0.g]", "there is no `cta0.g`: `g` is not in the shared memory of a CTA"),
        ("ld.u32 r0, ▸[there.x]", "there is no `there.x`"),
    ],
)
def test_names_that_mean_nothing(code: str, message: str) -> None:
    def act(text: str) -> object:
        return build_program(helpers.parse(text), Options())

    helpers.fails(text_of([code], INIT), message, act=act)


def test_a_register_may_have_the_name_of_a_variable() -> None:
    program("ld.u32 %g, [g]", init=INIT)
    program("ld.u32 g, [s]", init=f"{INIT}; 0:g = 1")


def test_a_declaration_has_one_type_and_one_space() -> None:
    for words in (".u32 .u64", ".global .shared", ".u64 .mbarrier"):
        helpers.fails(
            f"PTX t\n{{ ▸{words} x; }}\nP0 {{ nop; }}\n",
            "`x` has two ",
            act=lambda text: build_program(helpers.parse(text), Options()),
        )


# State spaces


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("st.shared.u32 ▸[g], 1", "`g` is not in the state space `.shared`"),
        ("ld.global.u32 r0, ▸[s]", "`s` is not in the state space `.global`"),
        ("ld.const.u32 r0, ▸[g]", "`g` is not in the state space `.const`"),
        ("ld.local.u32 r0, ▸[c]", "`c` is not in the state space `.local`"),
        ("atom.shared.add.u32 r0, ▸[g], 1", "`g` is not in the state space `.shared`"),
        ("st.u32 ▸[c], 1", "`c` is in constant memory, which nothing writes"),
        ("red.add.u32 ▸[c], 1", "`c` is in constant memory, which nothing writes"),
        ("ld.relaxed.gpu.u32 r0, ▸[c]", "`c` is in constant memory, where all accesses are weak"),
        ("st.release.gpu.u32 ▸[l], 1", "`l` is in local memory, where all accesses are weak"),
        ("st.mmio.relaxed.sys.u32 ▸[s], 1", "`s` is not in global memory"),
        ("ld.u64 r0, [p]; st.u32 ▸[r0], 1", "`c` is in constant memory"),
        ("cp.async.ca.shared.global ▸[g], [s], 4", "`g` is not in the state space `.shared`"),
        ("cp.async.ca.shared.global [s], ▸[c], 4", "`c` is not in the state space `.global`"),
        (f"red.async.{BYTES}.add.u32 ▸[g], 1, [m]", "not in the state space `.shared::cluster`"),
        ("st.async.release.gpu.u32 ▸[s], 1", "`s` is not in the state space `.global`"),
        ("fence.proxy.tensormap::generic.acquire.gpu ▸[s], 128", "tensormaps are in global memory"),
        ("fence.proxy.tensormap::generic.acquire.gpu ▸[r9], 128", "this accesses 0"),
        ("ld.u32 r0, ▸[r9]", "a location: the initial section can say what a pointer holds, `p ="),
        ("fence.proxy.tensormap::generic.acquire.gpu [map], ▸64", "the size of a tensormap is 128"),
    ],
)
def test_accesses_in_the_wrong_state_space(code: str, message: str) -> None:
    run_fails(code, message)


def test_a_variable_is_not_shared_by_a_wrong_access() -> None:
    init = ".global .u32 x;"
    prog = program("st.shared.u32 [x], 1", "ld.u32 r0, [x]", init=init, places=TWO)
    assert [cell.location for cell in prog.memory] == ["x"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ld.v4.u64 {r0, r1, r2, r3}, ▸[w]", "`w` is not in global memory, where accesses of 32"),
        ("mov r1, w; st.v8.u32 ▸[r1], {0, 1, 2, 3, 4, 5, 6, 7}", "where accesses of 32 bytes are"),
    ],
)
def test_accesses_of_32_bytes_are_of_global_memory(code: str, message: str) -> None:
    text = f"PTX t\n{{ .shared .u64 w[4]; }}\nP0@cta 0 {{ {code}; }}\n"
    helpers.fails(text, message, act=lambda text: run_test(helpers.parse(text), load_model("sc")))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("cp.async.ca.shared.global [s], [g], ▸12", "copies 4, 8 or 16 bytes, not 12"),
        ("cp.async.shared.global [s], [g], ▸12", "copies 4, 8 or 16 bytes, not 12"),
        ("cp.async.cg.shared.global [s], [g], ▸8", "with `.cg` copies 16 bytes, not 8"),
    ],
)
def test_bytes_that_no_copy_has(code: str, message: str) -> None:
    run_fails(code, message)


# Mbarriers


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ld.u64 r0, ▸[m]", "`m` is an mbarrier: only the operations on mbarriers access it"),
        ("st.u64 ▸[m], 5", "`m` is an mbarrier"),
        ("atom.add.u64 r0, ▸[m], 1", "`m` is an mbarrier"),
        ("cp.async.ca.shared.global ▸[m], [g], 8", "`m` is an mbarrier, which is not copied"),
        ("mbarrier.init.b64 ▸[g], 1", "`g` is not in shared memory, where mbarriers are"),
        ("mbarrier.arrive.b64 _, ▸[c]", "`c` is not in shared memory, where mbarriers are"),
        ("cp.async.mbarrier.arrive.b64 ▸[g]", "`g` is not in shared memory, where mbarriers are"),
        (f"cp.async.bulk.shared::cta.global.{BYTES} [s], [g], 16, ▸[g]", "not in shared memory"),
        (f"st.async.{BYTES}.u32 [s], 1, ▸[g]", "`g` is not in shared memory"),
        ("mbarrier.try_wait.b64 p0, [m], ▸5", "5 is no state that an arrival returned"),
        ("mbarrier.try_wait.b64 p0, [m], ▸r7", "0 is no state that an arrival returned"),
        ("mbarrier.test_wait.b64 p0, [m], ▸s", "&s is no state that an arrival returned"),
        ("mbarrier.pending_count.b64 r0, ▸m", "&m is no state that an arrival returned"),
    ],
)
def test_misused_mbarriers(code: str, message: str) -> None:
    run_fails(code, message)


def test_an_alias_of_an_mbarrier_is_one() -> None:
    prog = program("ld.u64 r0, [y]", init=".shared .mbarrier m = 1; y aliases m")
    assert all("`y` is an mbarrier" in way.fault for way in prog.paths(0))


# Clusters and copies


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("mapa.shared::cluster.u32 r0, s, ▸2", "the cluster does not have CTA 2 here"),
        ("mapa.shared::cluster.u32 r0, s, ▸-1", "the cluster does not have CTA -1 here"),
        ("mapa.shared::cluster.u32 r0, ▸g, 1", "&g is no address in shared memory"),
        ("mapa.shared::cluster.u32 r0, ▸5, 1", "this accesses 5, which is no address"),
        (
            f"cp.async.bulk.shared::cta.global.{BYTES} ▸[cta1.s], [g], 16, [m]",
            "`.shared::cta` is the shared memory of the thread's own CTA",
        ),
        (
            "cp.async.bulk.global.shared::cta.bulk_group [g], ▸[cta1.s], 16",
            "`.shared::cta` is the shared memory of the thread's own CTA",
        ),
    ],
)
def test_other_ctas_of_a_cluster(code: str, message: str) -> None:
    run_fails(code, message, TWO)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ("4", "the mask names CTA 2, which the cluster does not have here"),
        ("7", "the mask names CTA 2"),
        ("0", "the mask is a number that names CTAs by a bit each"),
        ("-1", "the mask is a number that names CTAs by a bit each"),
        ("s", "the mask is a number that names CTAs by a bit each"),
    ],
)
def test_masks_of_multicasts(mask: str, message: str) -> None:
    code = f"cp.async.bulk.shared::cluster.global.{BYTES}.multicast::cluster [s], [g], 16, [m]"
    run_fails(f"{code}, ▸{mask}", message, TWO)


def test_a_copy_may_read_nothing() -> None:
    program("cp.async.ca.shared.global [s], [g], 4, 0", init=INIT)
    run_fails("cp.async.ca.shared.global [s], [g], 4, ▸8", "more bytes are read than are copied")


@pytest.mark.parametrize("size", ["r1", "g"])
def test_a_size_is_known_when_it_is_reached(size: str) -> None:
    copy = "cp.async.bulk.global.shared::cta.bulk_group [g], [s],"
    code = "atom.add.u32 r1, [g], 4; atom.add.u32 r1, [g], 4; {}" + f"{copy} ▸{size}; L: nop"
    run_fails(code.format(""), "the number of bytes is not known here")
    run_test(
        helpers.parse(text_of([code.format("bra L; ").replace("▸", "")], INIT)), load_model("sc")
    )


# Values


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("▸shl r0, 1, 100000", "a value grows beyond 4096 bits"),
        ("▸mov.u16 r0, g", "the address &g has more than 16 bits"),
        ("mov.u64 r0, g; ▸cvt.u8.u64 r1, r0", "the address &g has more than 8 bits"),
        ("▸st.u16 [s], g", "the address &g has more than 16 bits"),
        (
            "ld.u32 r1, [g]; add r1, r1, 1; shl ▸r0, r1, 8000; st [g], r0",
            "a value grows beyond 4096 bits",
        ),
    ],
)
def test_values_that_grow_have_a_place(code: str, message: str) -> None:
    run_fails(code, message)


# Threads of the host


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("▸ld.global.nc.u32 r0, [g]", "`ld.global.nc.u32` makes no sense in a thread of the host"),
        ("▸ld.u32.proxy::readonly r0, [g]", "makes no sense in a thread of the host"),
        (
            "▸fence.acquire.sync_restrict::shared::cluster.cluster",
            "makes no sense in a thread of the host",
        ),
    ],
)
def test_what_the_host_does_not_have(code: str, message: str) -> None:
    def act(text: str) -> object:
        return build_program(helpers.parse(text), Options())

    helpers.fails(text_of([code], "g", ["host"]), message, act=act)
