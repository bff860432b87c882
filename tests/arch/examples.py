"""Examples of every instruction form, and a test in which they can be executed."""

from __future__ import annotations

#: One legal spelling, or several, of each instruction form.
EXAMPLES = {
    "ld": [
        "ld.u32 %r1, [x]",
        "ld.weak r0, x",
        "ld.acquire.gpu.global.u32 %r1, [x];",
        "ld.volatile.v2.u32 {r0, r1}, [g]",
        "ld.mmio.relaxed.sys.u32 r0, [x]",
        "ld.proxy::readonly.global.u32 r0, [g]",
        "ld.global.nc.f32 r0, [g]",
        "ld.const.u32 r0, [c]",
        "ld.global.L1::no_allocate.L2::cache_hint.L2::128B.v4.u32 {r0, r1, r2, r3}, [g], rd1",
    ],
    "st": [
        "st.weak x, 1",
        "st.release.cta.shared.u32 [s], %r1",
        "st.f16x2 [g], r0",
        "st.local.u32 [l], 1",
        "st.global.L1::no_allocate.L2::cache_hint.u32 [g], r0, rd1",
    ],
    "atom": [
        "atom.add.u32 r0, [x], 1",
        "atom.cas.b32 r0, [x], 0, 1",
        "atom.inc r0, [x]",
        "atom.global.add.L2::cache_hint.u32 r0, [g], 1, rd1",
        "atom.acq_rel.cluster.exch.b32 r0, [x], 1",
    ],
    "red": [
        "red.add.u32 [x], 1",
        "red.inc [x]",
        "red.release.sys.add.u16x2 [g], 1",
        "red.global.add.L2::cache_hint.u32 [g], 1, rd1",
    ],
    "fence": [
        "fence.sc.gpu",
        "fence.cta",
        "fence.acquire.cluster",
        "fence.acquire.sync_restrict::shared::cluster.cluster",
    ],
    "membar": ["membar.gl", "membar.cta", "membar.sys"],
    "bar.sync": ["bar.sync 0", "bar.sync 0, 2", "bar.cta.sync 1", "bar.sync r0"],
    "bar.arrive": ["bar.arrive 0, 2", "bar.cta.arrive 1, 2"],
    "bar.red": ["bar.red.popc.u32 r0, 0, p0", "bar.cta.red.and.pred p1, 0, 2, p0"],
    "barrier.sync": ["barrier.sync 0", "barrier.cta.sync.aligned 0, 2"],
    "barrier.arrive": ["barrier.arrive 0, 2", "barrier.cta.arrive.aligned 0, 2"],
    "barrier.red": ["barrier.red.or.pred p1, 0, p0", "barrier.cta.red.popc.aligned.u32 r0, 0, p0"],
    "barrier.cluster.arrive": [
        "barrier.cluster.arrive",
        "barrier.cluster.arrive.release",
        "barrier.cluster.arrive.aligned.relaxed",
    ],
    "barrier.cluster.wait": ["barrier.cluster.wait", "barrier.cluster.wait.acquire.aligned"],
    "mov": [
        "mov.u32 r0, 1",
        "mov r0, x",
        "mov.pred p0, p1",
        "mov.f32 f0, 0f3F800000",
        "mov.b64 rd0, {r1, r2}",
        "mov.b64 {r0, r1}, rd1",
    ],
    "popc": ["popc.b32 r0, r1"],
    "clz": ["clz.b64 r0, rd1"],
    "cnot": ["cnot.b32 r0, r1"],
    "bfe": ["bfe.u32 r0, r1, 4, 8"],
    "bfi": ["bfi.b32 r0, r1, r2, 4, 8"],
    "lop3": ["lop3.b32 r0, r1, r2, r3, 0xC0"],
    "add": ["add.u32 r0, r1, 2", "add r1, r2, 1"],
    "sub": ["sub.s32 r0, r1, 2"],
    "mul": ["mul.lo.u32 r0, r1, 2", "mul.wide.u32 r0, r1, 2"],
    "mad": ["mad.lo.u32 r0, r1, 2, r3", "mad.wide.u32 r0, r1, 2, r3"],
    "div": ["div.s32 r0, r1, 2"],
    "rem": ["rem.s32 r0, r1, 2"],
    "min": ["min.s32 r0, r1, 2"],
    "max": ["max.s32 r0, r1, 2"],
    "and": ["and.b32 r0, r1, 2", "and.pred p0, p1, p2"],
    "or": ["or.b32 r0, r1, 2"],
    "xor": ["xor.b32 r0, r1, 2"],
    "not": ["not.b32 r0, r1", "not.pred p0, p1"],
    "neg": ["neg.s32 r0, r1"],
    "abs": ["abs.s32 r0, r1"],
    "shl": ["shl.b32 r0, r1, 2"],
    "shr": ["shr.u32 r0, r1, 2"],
    "selp": ["selp.u32 r0, r1, r2, p0"],
    "setp": ["setp.ne.u32 p0, r1, 2", "setp.lt p0, r1, r2"],
    "cvt": ["cvt.u64.u32 rd0, r1"],
    "cvta": ["cvta.to.global.u64 rd0, rd1", "cvta.global.u64 rd0, rd1"],
    "bra": ["bra L0", "bra.uni L0"],
    "goto": ["goto L0"],
    "ret": ["ret", "ret.uni"],
    "exit": ["exit"],
    "nop": ["nop"],
    "nanosleep": ["nanosleep.u32 20", "nanosleep.u32 %r1"],
    "prefetch": ["prefetch.global.L2 [g]", "prefetch.L1 [x]"],
    "prefetch.tensormap": ["prefetch.tensormap [map]"],
    "prefetchu.L1": ["prefetchu.L1 [g]"],
    "applypriority.global.L2::evict_normal": ["applypriority.global.L2::evict_normal [g], 128"],
    "setmaxnreg.inc.sync.aligned": ["setmaxnreg.inc.sync.aligned.u32 232"],
    "setmaxnreg.dec.sync.aligned": ["setmaxnreg.dec.sync.aligned.u32 40"],
    "pmevent": ["pmevent 1", "pmevent.mask 255"],
    "beq": ["beq r1, 0, L0"],
    "bne": ["bne r1, 0, L0"],
    "blt": ["blt r1, 0, L0"],
    "ble": ["ble r1, 0, L0"],
    "bgt": ["bgt r1, 0, L0"],
    "bge": ["bge r1, 0, L0"],
    "mapa": ["mapa.shared::cluster.u32 r0, s, 1"],
    "tex": ["tex.1d.v4.s32.s32 {r0, r1, r2, r3}, [t, {0}]"],
    "tld": ["tld.weak r0, t"],
    "suld": ["suld.weak r0, u", "suld.b.1d.b32.trap r0, [u, {1}]"],
    "cold": ["cold.weak r0, c"],
    "sust": ["sust.weak u, 1", "sust.b.1d.b32.trap [u, {1}], r0"],
    "fence.mbarrier_init": ["fence.mbarrier_init.release.cluster"],
    "fence.proxy.tensormap::generic": [
        "fence.proxy.tensormap::generic.release.gpu",
        "fence.proxy.tensormap::generic.acquire.sys [map], 128",
    ],
    "fence.proxy.async::generic": [
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster",
    ],
    "fence.proxy.generic::fabric": ["fence.proxy.generic::fabric.alias.release.sys"],
    "fence.proxy.fabric::generic": ["fence.proxy.fabric::generic.alias.acquire.sys"],
    "fence.proxy.fabric::fabric": ["fence.proxy.fabric::fabric.alias.acquire.sys"],
    "fence.proxy.alias": ["fence.proxy.alias", "fence.proxy.alias.release.sys"],
    "membar.proxy.alias": ["membar.proxy.alias"],
    **{
        f"{first}.proxy.{name}": [f"{first}.proxy.{name}"]
        for first in ("fence", "membar")
        for name in ("texture", "surface", "constant")
    },
    "fence.proxy.async": ["fence.proxy.async", "fence.proxy.async.shared::cta"],
    "membar.proxy.async": ["membar.proxy.async", "membar.proxy.async.global"],
    "mbarrier.init": ["mbarrier.init.shared::cta.b64 [m], 1"],
    "mbarrier.inval": ["mbarrier.inval.shared.b64 [m]"],
    "mbarrier.pending_count": ["mbarrier.pending_count.b64 r1, r0"],
    "mbarrier.arrive": [
        "mbarrier.arrive.shared.b64 r0, [m]",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [m], 2",
        "mbarrier.arrive.expect_tx.relaxed.cta.shared.b64 _, [m], 16",
    ],
    "mbarrier.arrive_drop": ["mbarrier.arrive_drop.shared.b64 r0, [m]"],
    "mbarrier.expect_tx": ["mbarrier.expect_tx.relaxed.cta.shared.b64 [m], 16"],
    "mbarrier.complete_tx": ["mbarrier.complete_tx.relaxed.cluster.shared.b64 [m], 16"],
    "mbarrier.test_wait": ["mbarrier.test_wait.acquire.cta.shared.b64 p0, [m], r0"],
    "mbarrier.try_wait": ["mbarrier.try_wait.parity.shared.b64 p0, [m], 0, 100"],
    "cp.async": [
        "cp.async.ca.shared.global [s], [g], 16",
        "cp.async.cg.shared.global [s], [g], 16, 8",
        "cp.async.cg.shared.global.L2::cache_hint.L2::128B [s], [g], 16, rd1",
    ],
    "cp.async.commit_group": ["cp.async.commit_group"],
    "cp.async.wait_group": ["cp.async.wait_group 1"],
    "cp.async.wait_all": ["cp.async.wait_all"],
    "cp.async.mbarrier.arrive": [
        "cp.async.mbarrier.arrive.noinc.shared.b64 [m]",
        "cp.async.mbarrier.arrive.b64 [m]",
    ],
    "cp.async.bulk": [
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [m]",
        "cp.async.bulk.global.shared::cta.bulk_group.relaxed.gpu.b128 [g], [s], 16",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint"
        " [s], [g], 16, [m]",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        ".L2::cache_hint [s], [g], 16, [m], 3, rd1",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        " [s], [g], 16, [m], 3",
    ],
    "cp.async.bulk.commit_group": ["cp.async.bulk.commit_group"],
    "cp.async.bulk.wait_group": ["cp.async.bulk.wait_group.read 0", "cp.async.bulk.wait_group 1"],
    "cp.async.bulk.prefetch.L2": ["cp.async.bulk.prefetch.L2.global [g], 16"],
    "cp.async.bulk.tensor": [
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [s], [map, {0}], [m]",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
        " [s], [map, {r0, r1}], [m], rd1",
        "cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes.cta_group::1"
        " [s], [map, {0}], [m]",
        "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [map, {0, 0, 0}], [s]",
    ],
    "cp.async.bulk.prefetch.tensor.L2": [
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [map, {0, 0}]"
    ],
    "cp.reduce.async.bulk": [
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [s], 16",
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
        ".relaxed.cluster.and.b32 [s], [s], 16, [m]",
    ],
    "cp.reduce.async.bulk.tensor": [
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group.u32 [map, {0}], [s]"
    ],
    "st.async": [
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [s], 1, [m]",
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [s], {r0, r1}, [m]",
        "st.async.release.gpu.global.u32 [g], r0",
        "st.async.mmio.release.sys.u32 [g], 1",
    ],
    "red.async": [
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add [s], 1, [m]",
        "red.async.mmio.release.sys.global.add.u32 [g], 1",
    ],
}

#: What the examples access, in a thread that is followed by one of the next CTA of the cluster.
INIT = """.shared .u32 s[4]; .global .u32 g[4]; .global .u32 t[4]; .global .u32 u[4]; .const .u32 c;
    .global .u64 map = &g; .shared .mbarrier m = 2"""
PLACES = ["cta 0,cluster 0,gpu 0", "cta 1,cluster 0,gpu 0"]

#: What has to come before the examples of some forms.
BEFORE = {
    "barrier.cluster.wait": "barrier.cluster.arrive",
    "mbarrier.test_wait": "mbarrier.arrive.b64 r0, [m]",
    "mbarrier.pending_count": "mbarrier.arrive.b64 r0, [m]",
    "cp.async.bulk.wait_group": "cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;"
    " cp.async.bulk.commit_group",
}
