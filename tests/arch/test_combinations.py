"""Qualifiers that PTX has one by one and not together, and operands that do not go with them."""

from __future__ import annotations

import pytest

from tests.arch.test_decode import decoded, refused

BULK = "cp.async.bulk"
REDUCE = "cp.reduce.async.bulk"
BYTES = "mbarrier::complete_tx::bytes"


# Fences


RESTRICTED = (
    ".acquire.sync_restrict::shared::cluster",
    ".release.sync_restrict::shared::cta",
)


@pytest.mark.parametrize(
    "semantics",
    [
        "sync_restrict::shared::cta",
        "sync_restrict::shared::cluster",
        "acquire.sync_restrict::shared::cta",
        "release.sync_restrict::shared::cluster",
        "acq_rel.sync_restrict::shared::cta",
        "sc.sync_restrict::shared::cluster",
    ],
)
@pytest.mark.parametrize("opcode", ["fence", "fence.proxy.async::generic"])
def test_restricted_fences_that_do_not_exist(opcode: str, semantics: str) -> None:
    for form in RESTRICTED:
        refused(f"{opcode}.▸{semantics}.cluster", f"there is no `{opcode}.{semantics}`", form)


@pytest.mark.parametrize("scope", ["cta", "gpu", "sys"])
@pytest.mark.parametrize("opcode", ["fence", "fence.proxy.async::generic"])
@pytest.mark.parametrize("form", RESTRICTED)
def test_restricted_fences_have_cluster_scope(opcode: str, form: str, scope: str) -> None:
    refused(f"{opcode}{form}.▸{scope}", f"has no scope `.{scope}` here, only .cluster")
    assert decoded(f"{opcode}{form}.cluster").scope == "CLUSTER"


def test_one_way_async_fences_are_restricted() -> None:
    refused("fence.proxy.async::generic.▸acquire.cluster", "there is no", RESTRICTED[0])


# Accesses


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ld.global.nc.▸relaxed.gpu.u32 r0, [x]", "does not take `.relaxed` here"),
        ("ld.global.nc.▸weak.u32 r0, [x]", "does not take `.weak` here"),
        ("ld.global.nc.▸volatile.u32 r0, [x]", "does not take `.volatile` here"),
        ("▸ld.nc.u32 r0, [x]", "lacks its space: .global"),
        ("ld.nc.▸shared.u32 r0, [x]", "does not take `.shared`, only .global"),
        ("ld.global.nc.▸lu.u32 r0, [x]", "does not take `.lu`, only .ca, .cg, .cs"),
        ("ld.global.nc.▸proxy::readonly.u32 r0, [x]", "does not take `.proxy::readonly` here"),
        ("ld.▸acquire.gpu.proxy::readonly.u32 r0, [x]", "does not take `.acquire` here"),
        ("ld.▸weak.proxy::readonly.u32 r0, [x]", "does not take `.weak` here"),
        ("ld.▸shared.proxy::readonly.u32 r0, [x]", "does not take `.shared`, only .global"),
        ("ld.▸v2.proxy::readonly.u32 {r0, r1}, [x]", "does not take `.v2` here"),
        ("ld.relaxed.gpu.▸const r0, [x]", "does not take `.const`, only .global, .shared"),
        ("ld.acquire.gpu.▸local r0, [x]", "does not take `.local`, only"),
        ("ld.volatile.▸param r0, [x]", "does not take `.param`, only"),
        ("ld.relaxed.gpu.▸ca r0, [x]", "does not take `.ca` here"),
        ("ld.mmio.relaxed.sys.▸shared.u32 r0, [x]", "does not take `.shared`, only .global"),
        ("ld.mmio.relaxed.sys.▸v2.u32 {r0, r1}, [x]", "does not take `.v2` here"),
        ("ld.▸wt r0, [x]", "`ld` does not take `.wt` here"),
        ("st.▸ca [x], 1", "`st` does not take `.ca` here"),
        ("st.▸const [x], 1", "`st` does not take `.const` here"),
        ("st.release.gpu.▸local [x], 1", "does not take `.local`, only"),
        ("st.volatile.▸wt [x], 1", "does not take `.wt` here"),
        ("st.▸nc [x], 1", "`.nc`"),
        ("ld.v8.▸f64 {r0, r1, r2, r3, r4, r5, r6, r7}, [x]", "does not take `.f64`, only .b8"),
        ("st.v8.▸u64 [x], {0, 1, 2, 3, 4, 5, 6, 7}", "does not take `.u64`, only .b8"),
        ("ld.▸shared.v4.b64 {r0, r1, r2, r3}, [x]", "does not take `.shared`, only .global"),
        ("ld.▸const.v8.u32 {r0, r1, r2, r3, r4, r5, r6, r7}, [x]", "`.const`, only .global"),
        ("st.▸shared::cta.v8.f16x2 [x], {0, 1, 2, 3, 4, 5, 6, 7}", "`.shared::cta`, only .global"),
        ("atom.▸const.add r0, [x], 1", "`atom` does not take `.const` here"),
        ("red.▸local.add [x], 1", "`red` does not take `.local` here"),
    ],
)
def test_accesses_that_do_not_exist(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    "text",
    [
        "ld.global.v4.b64 {r0, r1, r2, r3}, [x]",
        "ld.shared.v4.b32 {r0, r1, r2, r3}, [x]",
        "st.v8.u32 [x], {0, 1, 2, 3, 4, 5, 6, 7}",
        "st.shared.v8.b16 [x], {0, 1, 2, 3, 4, 5, 6, 7}",
    ],
)
def test_vectors_that_exist(text: str) -> None:
    decoded(text)


def test_a_hint_says_with_what_a_scope_goes() -> None:
    refused("mbarrier.arrive.▸cluster.b64 _, [m]", "takes no scope", ".release, .relaxed")


# Copies


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cp.async.▸global.shared [s], [g], 16", "does not copy from `.shared` to `.global`"),
        ("cp.async.ca.▸global.shared::cta [s], [g], 16", "from `.shared::cta` to `.global`"),
        (f"{BULK}.shared::cta.▸shared::cta.{BYTES} [s], [t], 16, [m]", "only .global"),
        (f"{BULK}.global.▸global.bulk_group [g], [h], 16", "only .shared, .shared::cta"),
        (f"{BULK}.global.shared::cta.▸{BYTES} [g], [s], 16, [m]", "only .bulk_group"),
        (f"{BULK}.shared::cta.global.▸bulk_group [s], [g], 16", f"only .{BYTES}"),
        (f"{BULK}.shared::cluster.global.▸bulk_group [s], [g], 16", f"only .{BYTES}"),
        (
            f"{BULK}.shared::cluster.shared::cta.{BYTES}.▸multicast::cluster [s], [t], 16, [m], 1",
            "does not take `.multicast::cluster` here",
        ),
        (
            f"{BULK}.shared::cta.global.{BYTES}.▸multicast::cluster [s], [g], 16, [m], 1",
            "does not take `.multicast::cluster` here",
        ),
        (
            f"{BULK}.global.shared::cta.bulk_group.▸multicast::cluster [g], [s], 16",
            "does not take `.multicast::cluster` here",
        ),
        (f"{BULK}.shared::cluster.▸shared::cluster.{BYTES} [s], [t], 16, [m]", "does not take"),
        (f"▸{BULK}.global.bulk_group [g], [s], 16", "lacks its src"),
        (f"▸{BULK}.shared::cluster.global [s], [g], 16", "lacks its completion"),
        (f"{BULK}.▸local.shared::cta.bulk_group [g], [s], 16", "does not take `.local` here"),
        (f"{BULK}.weak.global.shared::cta.bulk_group.▸b128 [g], [s], 16", "`.b128` here"),
        (f"{BULK}.global.shared::cta.bulk_group.▸u32 [g], [s], 16", "`.u32` here"),
        (
            f"{BULK}.relaxed.▸gpu.shared::cluster.shared::cta.{BYTES}.b128 [s], [t], 16, [m]",
            "does not take `.gpu`, only .cta, .cluster",
        ),
        (f"▸{BULK}.global.shared::cta.bulk_group [g], [s], 16, [m]", "takes 3 operands, found 4"),
        (f"▸{BULK}.shared::cta.global.{BYTES} [s], [g], 16", "takes 4 operands, found 3"),
        (f"▸{BULK}.shared::cta.global.{BYTES} [s], [g], 16, [m], 1", "takes 4 operands, found 5"),
        (
            f"▸{BULK}.shared::cluster.global.{BYTES}.multicast::cluster [s], [g], 16, [m]",
            "takes 5 operands, found 4",
        ),
        ("▸cp.async.ca.global [g], [s], 4", "lacks its dst: .shared, .shared::cta"),
        ("cp.async.ca.shared.▸shared [s], [t], 4", "`cp.async` does not take"),
        ("cp.async.ca.▸shared::cluster.global [s], [g], 4", "`cp.async` does not take"),
    ],
)
def test_copies_that_do_not_exist(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{BULK}.tensor.global.▸global.bulk_group [t, {{0}}], [g]", "only .shared, .shared::cta"),
        (f"{BULK}.tensor.shared::cta.▸shared::cta.{BYTES} [s], [t, {{0}}], [m]", "only .global"),
        (f"{BULK}.tensor.shared::cluster.▸shared::cta.{BYTES} [s], [t, {{0}}], [m]", "only .gl"),
        (f"{BULK}.tensor.global.shared::cta.bulk_group ▸[g], [s]", "expected a place in a tensor"),
        (f"{BULK}.tensor.shared::cta.global.{BYTES} [s], ▸[g], [m]", "expected a place in a ten"),
        (f"{BULK}.tensor.global.shared::cta.bulk_group [t, {{0}}], ▸[s, {{0}}]", "coordinates"),
        (f"▸{BULK}.tensor.shared::cta.global.{BYTES} [s], [t, {{0}}]", "takes 3 operands"),
        (f"{REDUCE}.tensor.▸shared::cluster.shared::cta.bulk_group.add.u32 [t, {{0}}], [s]", "`."),
    ],
)
def test_copies_of_tensors_that_do_not_exist(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{REDUCE}.shared::cluster.▸global.{BYTES}.add.u32 [s], [g], 16, [m]", "`.global` here"),
        (f"{REDUCE}.▸shared::cta.shared::cta.{BYTES}.add.u32 [s], [t], 16, [m]", "does not take"),
        (f"{REDUCE}.global.shared::cta.▸{BYTES}.add.u32 [g], [s], 16, [m]", "only .bulk_group"),
        (
            f"{REDUCE}.shared::cluster.shared::cta.▸bulk_group.add.u32 [s], [t], 16",
            f"only .{BYTES}",
        ),
        (f"{REDUCE}.global.shared::cta.bulk_group.add.▸s64 [g], [s], 16", "only .u32, .s32, .u64"),
        (f"{REDUCE}.global.shared::cta.bulk_group.inc.▸u64 [g], [s], 16", "only .u32"),
        (f"{REDUCE}.global.shared::cta.bulk_group.and.▸u32 [g], [s], 16", "only .b32, .b64"),
        (
            f"{REDUCE}.▸shared::cluster.shared::cta.{BYTES}.min.u64 [s], [t], 16, [m]",
            "does not take `.shared::cluster`, only .global",
        ),
        (f"▸{REDUCE}.global.shared::cta.bulk_group.add.u32 [g], [s], 16, [m]", "takes 3 operands"),
    ],
)
def test_reductions_by_copies_that_do_not_exist(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("▸st.async.weak.shared::cluster.u32 [s], 1, [m]", f"lacks its completion: .{BYTES}"),
        (f"st.async.weak.▸global.{BYTES}.u32 [g], 1, [m]", "only .shared::cluster"),
        (f"st.async.▸shared::cta.{BYTES}.u32 [s], 1, [m]", "does not take `.shared::cta` here"),
        (f"st.async.release.gpu.▸{BYTES}.u32 [g], 1, [m]", "does not take"),
        ("st.async.release.gpu.▸shared::cluster.u32 [g], 1", "only .global"),
        ("st.async.release.gpu.▸v2.u32 [g], {1, 2}", "does not take `.v2` here"),
        ("st.async.release.▸cta.u32 [g], 1", "no scope `.cta` here, only .gpu, .sys"),
        ("st.async.mmio.release.▸gpu.u32 [g], 1", "no scope `.gpu` here, only .sys"),
        ("st.async.▸relaxed.gpu.u32 [g], 1", "there is no `st.async.relaxed`"),
        (f"st.async.{BYTES}.▸u8 [s], 1, [m]", "does not take `.u8`, only .b32"),
        (f"▸st.async.{BYTES}.u32 [s], 1", "takes 3 operands, found 2"),
        ("▸st.async.release.gpu.u32 [g], 1, [m]", "takes 2 operands, found 3"),
        (f"red.async.release.gpu.▸{BYTES}.add.u32 [g], 1, [m]", "does not take"),
        ("red.async.relaxed.▸gpu.add.u32 [s], 1", "has no scope `.gpu` here, only .cluster"),
        ("red.async.release.gpu.global.▸min.u32 [g], 1", "does not take `.min`, only .add"),
        ("▸red.async.relaxed.cluster.add.u32 [s], 1", f"lacks its completion: .{BYTES}"),
        (f"red.async.{BYTES}.add.▸s64 [s], 1, [m]", "does not take `.s64`, only .u32"),
        (f"red.async.{BYTES}.and.▸u32 [s], 1, [m]", "does not take `.u32`, only .b32"),
    ],
)
def test_asynchronous_stores_and_reductions_that_do_not_exist(text: str, message: str) -> None:
    refused(text, message)


@pytest.mark.parametrize(
    "text",
    [
        f"{BULK}.shared::cluster.global.{BYTES} [s], [g], 16, [m]",
        f"{BULK}.shared::cta.global.{BYTES} [s], [g], 16, [m]",
        f"{BULK}.shared.global.{BYTES} [s], [g], 16, [m]",
        f"{BULK}.shared::cluster.shared::cta.{BYTES} [s], [t], 16, [m]",
        f"{BULK}.global.shared::cta.bulk_group [g], [s], 16",
        f"{BULK}.global.shared.relaxed.sys.bulk_group.b128 [g], [s], 16",
        f"{BULK}.shared::cluster.global.{BYTES}.multicast::cluster [s], [g], 16, [m], 3",
        f"{BULK}.tensor.1d.shared::cta.global.tile.{BYTES} [s], [t, {{0}}], [m]",
        f"{BULK}.tensor.1d.global.shared::cta.bulk_group [t, {{0}}], [s]",
        f"{REDUCE}.global.shared::cta.bulk_group.max.s64 [g], [s], 16",
        f"{REDUCE}.shared::cluster.shared::cta.{BYTES}.inc.u32 [s], [t], 16, [m]",
        "ld.global.nc.ca.v2.u32 {r0, r1}, [g]",
        "ld.global.u32.proxy::readonly r0, [g]",
        "ld.const.ca.u32 r0, [c]",
    ],
)
def test_forms_that_do_exist(text: str) -> None:
    assert decoded(text).row is not None


# Barriers and mbarriers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bar.sync.▸aligned 0", "`bar.sync` does not take `.aligned` here"),
        ("bar.red.popc.▸pred r0, 0, p0", "does not take `.pred`, only .u32"),
        ("bar.red.and.▸u32 p0, 0, p1", "does not take `.u32`, only .pred"),
        ("mbarrier.init.▸global.b64 [m], 1", "`mbarrier.init` does not take `.global` here"),
        ("mbarrier.init.▸shared::cluster.b64 [m], 1", "does not take `.shared::cluster` here"),
        ("mbarrier.try_wait.▸shared::cluster.b64 p0, [m], r0", "`.shared::cluster` here"),
        ("mbarrier.pending_count.▸shared.b64 r0, r1", "does not take `.shared` here"),
        ("▸mbarrier.test_wait.b64 p0, [m], r0, 100", "takes 3 operands, found 4"),
        ("mbarrier.arrive.shared::cluster.b64 ▸r0, [m]", "write `_` in its place"),
        ("▸mbarrier.arrive.expect_tx.shared.b64 _, [m]", "takes 3 operands, found 2"),
        ("▸mbarrier.arrive.noComplete.b64 r0, [m]", "takes 3 operands, found 2"),
        ("mbarrier.arrive.expect_tx.▸noComplete.b64 r0, [m], 1", "does not take `.noComplete`"),
        ("mbarrier.arrive.noComplete.▸relaxed.b64 r0, [m], 1", "only .release"),
        ("mbarrier.arrive.noComplete.release.▸cluster.b64 r0, [m], 1", "only .cta"),
        ("▸mbarrier.arrive.noComplete.release.b64 r0, [m], 1", "lacks its scope: .cta, .cluster"),
        ("▸mbarrier.arrive.relaxed.b64 _, [m]", "lacks its scope: .cta, .cluster"),
        ("mbarrier.arrive_drop.▸cluster.b64 _, [m]", "takes no scope"),
        ("▸mbarrier.try_wait.parity.acquire.b64 p0, [m], 0", "lacks its scope"),
        ("mbarrier.test_wait.▸cta.b64 p0, [m], r0", "takes no scope"),
        ("mbarrier.expect_tx.▸cta.b64 [m], 4", "takes no scope"),
        ("▸mbarrier.complete_tx.relaxed.b64 [m], 4", "lacks its scope"),
        (f"▸red.async.relaxed.{BYTES}.add.u32 [s], 1, [m]", "lacks its scope: .cluster"),
        (f"red.async.▸cluster.{BYTES}.add.u32 [s], 1, [m]", "takes no scope"),
        ("▸fence.proxy.tensormap::generic.acquire.gpu", "takes 2 operands, found 0"),
        ("▸fence.proxy.tensormap::generic.release.gpu [x], 128", "takes 0 operands, found 2"),
    ],
)
def test_barriers_that_do_not_exist(text: str, message: str) -> None:
    refused(text, message)


# Types


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("add.▸pred p0, p1, p2", "`add`"),
        ("add.▸b32 r0, r1, r2", "`add` does not take `.b32` here"),
        ("sub.▸u8 r0, r1, r2", "`sub` does not take `.u8` here"),
        ("shl.▸s32 r0, r1, 2", "`shl` does not take `.s32` here"),
        ("shr.▸pred p0, p1, 2", "`shr`"),
        ("and.▸u32 r0, r1, r2", "`and` does not take `.u32` here"),
        ("not.▸s32 r0, r1", "`not` does not take `.s32` here"),
        ("neg.▸u32 r0, r1", "`neg` does not take `.u32` here"),
        ("abs.▸b32 r0, r1", "`abs` does not take `.b32` here"),
        ("mov.▸b8 r0, r1", "`mov` does not take `.b8` here"),
        ("selp.▸pred p0, p1, p2, p3", "`selp`"),
        ("setp.eq.▸u8 p0, r1, r2", "`setp` does not take `.u8` here"),
        ("setp.lt.▸b32 p0, r1, r2", "does not take `.b32`, only .u16"),
        ("setp.lo.▸s32 p0, r1, r2", "does not take `.s32`, only .u16, .u32, .u64"),
        ("cvt.▸b64.u32 r0, r1", "`cvt` does not take `.b64` here"),
        ("cvta.global.▸s64 r0, r1", "`cvta` does not take `.s64` here"),
        ("mapa.▸shared.u32 r0, s, 1", "`mapa` does not take `.shared` here"),
        ("mapa.shared::cluster.▸b32 r0, s, 1", "`mapa` does not take `.b32` here"),
        ("atom.and.▸u32 r0, [x], 1", "does not take `.u32`, only .b32, .b64"),
        ("atom.exch.▸u32 r0, [x], 1", "does not take `.u32`, only .b32, .b64"),
        ("atom.cas.▸u32 r0, [x], 0, 1", "does not take `.u32`, only .b16, .b32, .b64"),
        ("atom.add.▸s64 r0, [x], 1", "does not take `.s64`, only .u32, .u64, .s32"),
        ("atom.add.▸u8 r0, [x], 1", "`atom` does not take `.u8` here"),
        ("atom.inc.▸u64 r0, [x], 1", "does not take `.u64`, only .u32"),
        ("red.max.▸b32 [x], 1", "does not take `.b32`, only .u32"),
        ("red.or.▸s32 [x], 1", "does not take `.s32`, only .b32, .b64"),
    ],
)
def test_types_that_an_instruction_does_not_have(text: str, message: str) -> None:
    refused(text, message)
