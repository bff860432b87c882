"""Qualifiers that PTX does not have, and forms that are not modelled."""

from __future__ import annotations

import pytest

from catpy.errors import TestError
from tests.arch.helpers import fails, path, program, sets
from tests.arch.test_program import run_fails

# Semantics and scopes


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        ("ld.▸release.gpu r0, [x]", "there is no `ld.release`", "`ld` takes .acquire"),
        ("ld.▸acq_rel.gpu r0, [x]", "there is no `ld.acq_rel`", ".acquire"),
        ("ld.▸sc.gpu r0, [x]", "there is no `ld.sc`", ".acquire"),
        ("st.▸acquire.gpu [x], 1", "there is no `st.acquire`", "`st` takes .mmio.relaxed"),
        ("st.▸acq_rel.gpu [x], 1", "there is no `st.acq_rel`", ".release"),
        ("red.▸acquire.gpu.add [x], 1", "there is no `red.acquire`", "takes .relaxed, .release"),
        ("red.▸acq_rel.gpu.add [x], 1", "there is no `red.acq_rel`", "takes .relaxed, .release"),
        ("red.add.▸acquire.gpu [x], 1", "there is no `red.acquire`", "takes .relaxed, .release"),
        ("red.▸weak.add [x], 1", "there is no `red.weak`", "takes .relaxed, .release"),
        ("atom.▸weak.add r0, [x], 1", "there is no `atom.weak`", ".acq_rel"),
        ("atom.▸sc.gpu.add r0, [x], 1", "there is no `atom.sc`", ".acq_rel"),
        ("atom.▸volatile.add r0, [x], 1", "there is no `atom.volatile`", ".acq_rel"),
        ("fence.▸weak.gpu", "there is no `fence.weak`", ".acq_rel"),
        ("fence.▸relaxed.gpu", "there is no `fence.relaxed`", ".sc"),
        ("ld.▸weak.relaxed.gpu r0, [x]", "there is no `ld.weak.relaxed`", ".relaxed"),
        ("ld.▸volatile.relaxed r0, [x]", "there is no `ld.volatile.relaxed`", ".volatile"),
        ("ld.▸acquire.release.gpu r0, [x]", "there is no `ld.acquire.release`", ".acquire"),
        ("ld.▸mmio.sys r0, [x]", "there is no `ld.mmio`", ".mmio.relaxed"),
        ("st.▸mmio.release.sys [x], 1", "there is no `st.mmio.release`", ".mmio.relaxed"),
        ("ld.weak.▸gpu r0, [x]", "`ld.weak.gpu` takes no scope", ""),
        ("ld.▸gpu r0, [x]", "`ld.gpu` takes no scope", ""),
        ("st.▸cta [x], 1", "`st.cta` takes no scope", ""),
        ("st.weak.▸sys [x], 1", "`st.weak.sys` takes no scope", ""),
        ("ld.volatile.▸gpu r0, [x]", "`ld.volatile.gpu` takes no scope", ""),
        ("ld.mmio.relaxed.▸gpu r0, [x]", "has no scope `.gpu` here, only .sys", ""),
        ("▸ld.relaxed r0, [x]", "`ld.relaxed` lacks its scope: .cta, .cluster, .gpu, .sys", ""),
        ("▸ld.acquire.u32 r0, [x]", "`ld.acquire.u32` lacks its scope", ""),
        ("▸st.relaxed [x], 1", "`st.relaxed` lacks its scope", ""),
        ("▸st.release [x], 1", "`st.release` lacks its scope", ""),
        ("▸fence", "`fence` lacks its scope: .cta, .cluster, .gpu, .sys", ""),
        ("▸fence.sc", "`fence.sc` lacks its scope", ""),
        ("▸fence.acquire", "`fence.acquire` lacks its scope", ""),
        ("▸membar", "`membar` lacks its scope: .cta, .gl, .sys", ""),
        ("membar.▸gpu", "has no scope `.gpu` here, only .cta, .gl, .sys", ""),
        ("membar.▸cluster", "has no scope `.cluster` here, only .cta, .gl, .sys", ""),
        ("fence.▸gl", "has no scope `.gl` here, only .cta, .cluster, .gpu, .sys", ""),
        ("ld.relaxed.▸gl r0, [x]", "has no scope `.gl` here", ""),
        ("ld.acquire.gpu.▸cta r0, [x]", "`ld` does not take `.cta` here", ""),
        ("ld.acquire.gpu.▸gpu r0, [x]", "`ld` does not take `.gpu` here", ""),
        ("fence.sc.cta.▸sys", "`fence` does not take `.sys` here", ""),
        ("atom.relaxed.cta.▸gpu.add r0, [x], 1", "`atom` does not take `.gpu` here", ""),
        ("add.▸gpu r0, r1, 1", "`add` does not take `.gpu` here", ""),
        ("add.▸relaxed r0, r1, 1", "`add` does not take `.relaxed` here", ""),
        ("bar.▸gpu.sync 0", "`bar.sync` does not take `.gpu` here", ""),
    ],
)
def test_combinations_that_ptx_does_not_have(code: str, message: str, hint: str) -> None:
    fails(code, message=message, hint=hint)


@pytest.mark.parametrize(
    "code",
    [
        "ld.relaxed.relaxed.gpu r0, [x]",
        "ld.weak.weak r0, [x]",
        "st.release.gpu.release [x], 1",
        "atom.acq_rel.acq_rel.gpu.add r0, [x], 1",
        "fence.sc.sc.gpu",
    ],
)
def test_semantics_are_named_once(code: str) -> None:
    with pytest.raises(TestError):
        program(code)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ld.u32.▸u32 r0, [x]", "`ld` does not take `.u32` here"),
        ("ld.u32.▸b64 r0, [x]", "`ld` does not take `.b64` here"),
        ("ld.global.▸shared r0, [x]", "`ld` does not take `.shared` here"),
        ("atom.add.▸exch r0, [x], 1", "`atom` does not take `.exch` here"),
        ("ld.▸add r0, [x]", "`.add`"),
        ("fence.sc.gpu.▸u32", "`fence` does not take `.u32` here"),
        ("mov.▸global r0, x", "`mov` does not take `.global` here"),
        ("▸atom.relaxed.gpu r0, [x], 1", "`atom.relaxed.gpu` lacks its operation: .add"),
        ("▸red.u32 [x], 1", "`red.u32` lacks its operation"),
        ("▸setp.u32 p0, r0, 1", "`setp.u32` lacks its comparison"),
        ("▸bar.red.u32 r0, 0, p0", "`bar.red.u32` lacks its reduction"),
        ("red.▸exch [x], 1", "`.exch`"),
        ("red.▸cas [x], 0, 1", "`.cas`"),
        ("tex.1d.▸b128.s32 r0, [x, {0}]", "`.b128`"),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.▸multicast::cluster.add.u32"
            " [x], [s], 4",
            "`.multicast::cluster`",
        ),
    ],
)
def test_qualifiers_of_other_classes(code: str, message: str) -> None:
    fails(code, message=message)


@pytest.mark.parametrize("code", ["atom.sub.u32 r0, [x], 1", "red.sub.u32 [x], 1"])
def test_atomic_subtraction_is_not_ptx(code: str) -> None:
    with pytest.raises(TestError):
        program(code)
    assert len(path(code, dialect="dat3m").events) == 2


def test_red_acq_rel_counts_as_release_in_the_other_dialect() -> None:
    read, write = sets("red.acq_rel.sys.add [x], 1", dialect="dat3m")
    assert read == {"R", "RLX", "SYS", "GEN", "RED"}
    assert write == {"W", "REL", "SYS", "GEN", "RED"}


@pytest.mark.parametrize("dialect", ["ptx", "dat3m"])
def test_red_acquire_is_in_no_dialect(dialect: str) -> None:
    fails("red.▸acquire.gpu.add [x], 1", message="there is no `red.acquire`", dialect=dialect)


# Hints for caches


@pytest.mark.parametrize(
    ("code", "plain"),
    [
        ("ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {r0, r1}, [g]", "ld.global.nc.v2.u32"),
        ("ld.global.L1::evict_last.u32 r0, [g]", "ld.global.u32"),
        ("ld.relaxed.gpu.global.L1::no_allocate.L2::256B.u32 r0, [g]", "ld.relaxed.gpu.global.u32"),
        ("ld.volatile.global.L2::64B.u32 r0, [g]", "ld.volatile.global.u32"),
        ("ld.acquire.gpu.global.L2::cache_hint.u32 r0, [g], rd1", "ld.acquire.gpu.global.u32"),
        ("st.release.sys.global.L1::evict_first.u32 [g], 1", "st.release.sys.global.u32"),
        ("st.global.L2::evict_last.L2::cache_hint.u32 [g], 1, 7", "st.global.u32"),
        ("atom.global.exch.L2::cache_hint.b32 r0, [g], 1, rd1", "atom.global.exch.b32"),
        ("red.release.gpu.global.L2::cache_hint.add.u32 [g], 1, rd1", "red.release.gpu.global.add"),
    ],
)
def test_hints_for_caches_change_no_event(code: str, plain: str) -> None:
    operands = code.split(" ", 1)[1].removesuffix(", rd1").removesuffix(", 7")
    init = ".global .u32 g[4]"
    assert sets(code, init=init) == sets(f"{plain} {operands}", init=init)


def test_behind_a_size_that_is_read_stands_the_policy() -> None:
    init = ".global .u32 g[4]; .shared .u32 s[4]"
    code = "cp.async.cg.shared.global.L2::cache_hint [s], [g], 16, {}rd1"
    assert len(path(code.format(""), init=init).events) == 8
    assert len(path(code.format("8, "), init=init).events) == 6


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ld.ca.▸L1::evict_last.u32 r0, [x]", "does not take `.L1::evict_last` here"),
        ("ld.volatile.▸L1::no_allocate.u32 r0, [x]", "does not take `.L1::no_allocate` here"),
        ("ld.mmio.relaxed.sys.▸L2::128B.u32 r0, [x]", "does not take `.L2::128B` here"),
        ("st.volatile.▸L2::cache_hint.u32 [x], 1, rd1", "does not take `.L2::cache_hint` here"),
        ("st.▸L2::128B.u32 [x], 1", "`st` does not take `.L2::128B` here"),
        ("▸ld.u32 r0, [x], rd1", "`ld.u32` takes 2 operands, found 3"),
        ("ld.L2::cache_hint.u32 r0, [x], ▸{r1, r2}", "no place for a vector"),
    ],
)
def test_hints_that_an_access_does_not_take(code: str, message: str) -> None:
    fails(code, message=message)


# Misspelt


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        (
            "ld.▸relxed.gpu r0, [x]",
            "unknown qualifier `.relxed` of `ld`",
            "did you mean `relaxed`",
        ),
        ("st.▸relase.gpu [x], 1", "unknown qualifier `.relase` of `st`", "`release`"),
        ("ld.acquire.▸clster r0, [x]", "unknown qualifier `.clster` of `ld`", "`cluster`"),
        ("ld.▸golbal.u32 r0, [x]", "unknown qualifier `.golbal` of `ld`", "`global`"),
        ("atom.▸xchg r0, [x], 1", "unknown qualifier `.xchg` of `atom`", "`exch`"),
        ("fence.▸acqrel.gpu", "unknown qualifier `.acqrel` of `fence`", "`acq_rel`"),
        ("setp.▸neq.u32 p0, r0, 1", "unknown qualifier `.neq` of `setp`", "`ne`"),
        ("▸lod r0, [x]", "unknown instruction `lod`", "`ld`"),
        ("▸stt [x], 1", "unknown instruction `stt`", "`st`"),
        ("▸atomic.add r0, [x], 1", "unknown instruction `atomic`", "`atom`"),
        ("▸fens.sc.gpu", "unknown instruction `fens`", "`fence`"),
        ("▸barier.sync 0", "unknown instruction `barier`", "`barrier`"),
        ("▸mbarier.init [x], 1", "unknown instruction `mbarier`", "`mbarrier`"),
    ],
)
def test_near_names_are_suggested(code: str, message: str, hint: str) -> None:
    error = fails(code, message=message, hint=hint)
    assert error.hint is not None
    assert error.hint.startswith("did you mean ")


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    message = "unknown qualifier `.qqqqq` of `ld`"
    assert fails("ld.▸qqqqq r0, [x]", message=message).hint is None


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("▸bar 0", "`bar` is no form of `bar`: `bar.sync`, `bar.arrive`, `bar.red`"),
        ("▸bar.cta 0", "`bar.cta` is no form of `bar`"),
        ("▸barrier.wait 0", "`barrier.wait` is no form of `barrier`"),
    ],
)
def test_forms_of_an_instruction_are_listed(code: str, message: str) -> None:
    fails(code, message=message)


@pytest.mark.parametrize(
    ("code", "line", "column"),
    [("nop;\n  ld.▸release.gpu r0, [x]", 5, 6), ("L0: @p0 st.▸acquire.cta [x], 1", 4, 12)],
)
def test_places_count_from_the_start_of_the_file(code: str, line: int, column: int) -> None:
    error = fails(code, message="there is no")
    assert str(error.span) == f"t.litmus:{line}:{column}"


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        ("ld.acquire.▸device.u32 r0, [x]", "unknown qualifier `.device`", "in PTX this is `.gpu`"),
        ("fence.sc.▸block", "unknown qualifier `.block`", "in PTX this is `.cta`"),
        ("atom.add.▸seq_cst.gpu.u32 r0, [x], 1", "unknown qualifier `.seq_cst`", "`fence.sc`"),
        ("▸__threadfence", "unknown instruction", "in PTX this is `fence.sc.gpu`"),
        ("▸atomicAdd r0, [x], 1", "unknown instruction `atomicAdd`", "`atom.add`"),
    ],
)
def test_words_of_cuda_are_translated(code: str, message: str, hint: str) -> None:
    fails(code, message=message, hint=hint)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (
            "▸mbarrier.try_wait.parity.shared.b64 p0, [m]",
            "`mbarrier.try_wait.parity.shared.b64 d, [a], phase{, time}`",
        ),
        ("▸bar.sync", "write `bar.sync a{, b}`"),
        ("▸atom.add.u32 [x], 1", "write `atom.add.u32 d, [a], b`"),
        (
            "▸cp.async.bulk.global.shared::cta.bulk_group [x], [s]",
            "bulk_group [dst], [src], size`",
        ),
    ],
)
def test_a_wrong_number_of_operands_shows_the_right_ones(code: str, hint: str) -> None:
    fails(code, message="operand", hint=hint)


def test_a_qualifier_of_a_class_that_has_others_shows_those() -> None:
    code = "fence.proxy.async.▸shared"
    hint = "`fence.proxy.async` takes .global, .shared::cta, .shared::cluster"
    fails(code, message="does not take `.shared` here", hint=hint)


@pytest.mark.parametrize("declaration", [".shared .align 8 .b64 bar", ".local .b8 depot[8]"])
def test_variables_are_declared_in_the_initial_section(declaration: str) -> None:
    hint = "write `{ .shared .u32 s; }`"
    fails(f"nop; ▸{declaration}", message="declared in the initial section", hint=hint)


def test_a_guard_that_nothing_writes() -> None:
    fails("@▸P1 nop", message="`P1` is no register of this thread", hint="`.reg .pred P1;`")
    assert not path(".reg .pred P1; @P1 st [x], 1").events


def test_what_is_no_number_says_so() -> None:
    fails(
        "cp.async.wait_group ▸r1",
        message="expected a number, 0 or more",
        hint="registers are not looked into here",
    )


def test_a_reduction_in_a_tensor_asks_for_a_type() -> None:
    fails(
        "▸cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [map, {0, 0}], [s]",
        message="lacks its type",
        hint="PTX has no type here: give that of the elements",
    )


def test_a_forgotten_comma_before_an_address() -> None:
    fails("ld.u32 r0 [▸x]", message="a number as index, or a `,` before an address")


# Not modelled


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("▸multimem.red.relaxed.sys.global.add.u32 [x], 1", "undefined (8.2.3)"),
        ("▸wgmma.fence.sync.aligned", "asynchronous matrix operations"),
        ("▸tcgen05.ld.sync.aligned r0, [x]", "tensor memory"),
        ("▸griddepcontrol.wait", "dependent grids"),
        ("▸griddepcontrol.launch_dependents", "dependent grids"),
        ("▸cp.async.bulk.tensor.4d.shared::cluster.global.im2col [s]", "a range of its elements"),
        ("▸cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global [s]", "a pair of CTAs"),
        ("▸cp.async.bulk.global.shared::cta.bulk_group.cp_mask [x]", "whole elements"),
        ("▸elect.sync r0, 0xffffffff", "write what the elected thread does in one thread only"),
        ("▸bar.warp.sync 0xffffffff", "`bar.sync` with the number of those that take part"),
        ("▸shfl.sync.idx.b32 r0, r1, 0, 31, -1", "threads are in no warps"),
        ("▸fma.rn.f32 r0, r1, r2, r3", "floating-point arithmetic"),
        ("▸trap", "ended"),
        ("▸prmt.b32 r0, r1, r2, 0x3210", "arithmetic alone"),
        ("cvt.▸rn.f32.s32 f0, r0", "floating-point arithmetic"),
        ("atom.global.add.▸noftz.f16x2 r0, [x], r1", "floating-point arithmetic"),
        ("▸setp.eq.and.u32 p0, r0, 1, p1", "write `and.pred` behind the comparison"),
        ("▸ld.b128 r0, [x]", "at most 64 bits"),
        ("atom.add.▸f16x2 r0, [x], 1", "floating-point arithmetic"),
        ("add.▸f32 r0, r1, r2", "floating-point arithmetic"),
    ],
)
def test_forms_that_are_not_modelled_are_named_with_the_reason(code: str, why: str) -> None:
    error = fails(code, message="is not modelled")
    assert why in error.message


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("cp.async.ca.shared.global ▸[s], [g], 3", "no whole elements of `s`"),
        ("cp.async.ca.shared.global [s], [g], ▸0", "at least one byte"),
        ("mbarrier.try_wait.parity.shared.b64 p0, [m], ▸2", "this is a number from 0 to 1"),
        ("mbarrier.init.shared.b64 [m], ▸0", "the count of an mbarrier is from 1"),
    ],
)
def test_bad_asynchronous_instructions(code: str, message: str) -> None:
    init = ".shared .u32 s = 0; .global .u32 g; .shared .mbarrier m = 1;"
    run_fails(code, init=init, final="forall true", message=message)


def test_a_tensormap_holds_the_address_of_its_tensor() -> None:
    run_fails(
        "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group ▸[map, {0}], [s]",
        init=".shared .u32 s = 0; .global .u64 map;",
        final="forall true",
        message="`map` holds 0 and no tensor: say `.tensormap map = &x`",
    )


def test_another_ctas_memory_is_reached_by_a_mapped_address_only() -> None:
    init = ".shared .u32 s = 0; p = 0;"
    places = ["cta 0,cluster 0", "cta 1,cluster 0"]
    code = "ld.u64 r0, [p]; ld.u32 r1, [r0]; ld.u32 r2, [s]"
    plain = program("st.u64 [p], s", code, init=init, places=places)
    ways = plain.paths(1)
    assert any("without `mapa`" in way.fault for way in ways)
    code = "mapa.u64 r0, s, 1; st.u32 [r0], 1"
    mapped = program(code, "ld.u32 r0, [s]", init=init, places=places)
    (way,) = mapped.paths(0)
    assert way.events[0].location == "cta1.s"
