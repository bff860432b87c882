"""What threads of random tests do, by flavour, in templates of `writing`.

`MENUS` has what a thread may do at any time, `HANDOFFS` what two threads do of which one hands data
on to the other. They name the variables that `DECLARATIONS` declares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: The ways to declare each variable.
DECLARATIONS: Mapping[str, Sequence[str]] = {
    "x": (".global .u32 x = 0;",),
    "y": (".global .u32 y = 0;",),
    "z": ("z @ generic aliases x;",),
    "w": (".global .b64 w = 0;",),
    "a": (".global .u32 a[2] = {4, 5};",),
    "h": (".global .u16 h[2] = {0, 0};", ".global .u8 h[4];"),
    "s": (".shared .u32 s = 6;", ".shared .u32 s;"),
    "t": (".shared .u32 t[2] = {7, 8};",),
    "m": (".shared .mbarrier m = 1;", ".shared .mbarrier m = 1;", ".shared .mbarrier m = 2;"),
    "e": (".shared .mbarrier e = 1;",),
    "n": (".shared .b64 n;", ".shared .mbarrier n;"),
    "o": (".global .u64 o[2];",),
    "q": (".shared .u64 q[2];",),
    "tm": (".global .tensormap tm = &a;",),
}

_FENCE = "fence.{sc|acq_rel|acquire|release}.{scope}"
_PLAIN = (
    "ld.{load}.u32 {r}, [{x|y}]",
    "st.{store}.u32 [{x|y}], {v}",
)
_READ_SHARED = (
    "ld.{weak|weak|relaxed.cta|acquire.cluster}.{remote}.u32 {r}, [{own}s]",
    "mapa.u64 {rd}, s, {rank}; ld.{weak|relaxed.cluster}.{remote}.u32 {r}, [{rd}]",
)
_WRITE_SHARED = (
    "st.{weak|weak|relaxed.cluster|release.cta}.{remote}.u32 [{own}s], {v}",
    "mapa.u64 {rd}, s, {rank}; st.weak.{remote}.u32 [{rd}], {v}",
)
_SHARED = (*_READ_SHARED, *_WRITE_SHARED)

# Sizes

_SIZED_LOADS = (
    "ld.{load}.u64 {r}, [{octet}]",
    "ld.{load}.u32 {r}, [{quartet}]",
    "ld.{load}.u16 {r}, [{pair}]",
    "ld.{load}.v2.u32 {{r}, {rd}}, [{octet}]",
    "ld.{load}.v2.u16 {{r}, {rd}}, [{quartet}]",
    "ld.{load}.f16x2 {r}, [{quartet}]",
)
_SIZED_STORES = (
    "st.{store}.b64 [{octet}], {1|4294967298}",
    "st.{store}.b32 [{quartet}], {1|131073}",
    "st.{store}.b16 [{pair}], {v}",
    "st.{store}.b8 [{byte}], {1|2|255}",
    "st.{store}.v2.b32 [{octet}], {1, {v}}",
    "st.{store}.v2.b16 [{quartet}], {{v}, 2}",
    "st.{store}.u16x2 [{quartet}], {1|65537}",
)
_SIZED_ATOMS = (
    "atom.{update}.add.u64 {r}, [{octet}], {1|4294967297}",
    "atom.{update}.{add|max}.u32 {r}, [{quartet}], {1|65537}",
    "atom.{update}.{exch|or}.b64 {r}, [{octet}], {1|257}",
    "atom.{update}.{exch|or}.b32 {r}, [{quartet}], {1|257}",
    "atom.{update}.cas.b32 {r}, [{quartet}], 0, 1",
    "atom.{update}.add.u16x2 {r}, [{quartet}], 65537",
    "red.{relaxed|release}.{scope}.add.u32 [{quartet}], 1",
)

# Barriers, mbarriers

_CLUSTER_BARRIER = (
    "barrier.cluster.arrive{||.release|.relaxed}; barrier.cluster.wait",
    "barrier.cluster.arrive; {st.weak.u32 [x], 4|ld.weak.u32 r0, [y]}; barrier.cluster.wait",
)
_RELAXED_CLUSTER_BARRIER = (
    "fence.{releasing}.{scope}; barrier.cluster.arrive.relaxed; barrier.cluster.wait"
)
_CTA_BARRIER = (
    "bar.sync {0|0|1}",
    "bar.sync {0|1}, 2",
    "bar.arrive 1, 2",
    "setp.eq.u32 p0, r1, 0; bar.red.popc.u32 {r}, 0, p0",
)
_ARRIVE = (
    "mbarrier.arrive{||_drop}{||.release.cluster|.relaxed.cta}.{remote}.b64 _, [{own}m]",
    "mbarrier.arrive.shared.b64 rd0, [m]{||, 1}",
    "mbarrier.arrive.expect_tx{|.relaxed.cluster}.{remote}.b64 _, [{own}m], 4",
    "mapa.{remote}.u32 {rd}, m, {rank}; mbarrier.arrive{.release.cluster|}.{remote}.b64 _, [{rd}]",
)
_COUNT_BYTES = "mbarrier.{expect_tx|complete_tx}.relaxed.cta.shared.b64 [m], 4"
_WAIT = "{waiting}.parity{||.acquire.cluster|.relaxed.cta}.shared.b64 {p}, [m], {0|0|1}"
_WAITS = (
    _WAIT,
    f"{_WAIT}; @{{p}} ld.weak.u32 {{r}}, [x]",
    f"{_WAIT}; @{{p}} ld.weak.shared.u32 {{r}}, [s]",
    f"{_WAIT}; @{{p}} st.weak.u32 [x], 4",
    "{l}: mbarrier.try_wait.parity.shared.b64 {p}, [m], 0; @!{p} bra {l}",
    "mbarrier.arrive.shared.b64 rd0, [m]; mbarrier.test_wait.shared.b64 {p}, [m], rd0",
)
_INIT = "mbarrier.init.shared.b64 [n], {1|2}"
_USE_INIT = (
    "mbarrier.arrive.shared.b64 rd0, [n]",
    "mbarrier.test_wait.parity.shared.b64 {p}, [n], 0",
    "mapa.{remote}.u32 {rd}, n, {rank}; mbarrier.arrive.release.cluster.{remote}.b64 _, [{rd}]",
)

# Asynchronous operations

_COPY = (
    "cp.async.ca.shared.global [{s|s|t}], [{x|x|a|a+4}], 4",
    "cp.async.ca.shared.global [t], [a], 8{||, 4}",
)
_COPIES_DONE = (
    "cp.async.wait_all",
    "cp.async.commit_group; cp.async.wait_group 0",
    f"cp.async.commit_group; {_COPY[0]}; cp.async.commit_group; cp.async.wait_group {{0|1}}",
)
_ARRIVE_ON = "cp.async.mbarrier.arrive{|.noinc}.shared.b64 [m]"
_READ_COPY = "ld.weak.shared.u32 {r}, [{s|s|t|t+4}]"
_EXPECT = "mbarrier.arrive.expect_tx.shared.b64 _, [m], 4"
_BULK_IN = (
    "cp.async.bulk.{remote}.global.{told} [s], [{x|x|y|a+4}], 4, [m]",
    "cp.async.bulk.{remote}.global.{told}.multicast::cluster [s], [x], 4, [m], {all}",
    "cp.async.bulk.{remote}.shared::cta.{told} [{unit}t], [s], 4, [{unit}m]",
)
_TENSOR_IN = "cp.async.bulk.tensor.1d.{remote}.global.tile.{told} [s], [tm, {0}], [m]"
_BULK_OUT = (
    "cp.async.bulk.global.shared::cta.bulk_group [{x|y|a}], [s], 4",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.{add|max}.u32 [{x|y}], [s], 4",
)
_TENSOR_OUT = "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [tm, {0}], [s]"
_BULK_DONE = "cp.async.bulk.commit_group; cp.async.bulk.wait_group{|.read} {0|0|1}"
_ASYNC_STORES = (
    "st.async.{remote}.{told}.u32 [{unit}s], {v}, [{unit}m]",
    "st.async.weak.{remote}.{told}.v2.u32 [{unit}t], {1, {v}}, [{unit}m]",
    "st.async.release.{gpu|sys}.global.u32 [{x|y}], {v}",
    "red.async{|.relaxed.cluster}.{remote}.{told}.{add|max|inc}.u32 [{unit}s], {v}, [{unit}m]",
    "red.async.release.{gpu|sys}.global.add.u32 [{x|y}], 1",
)

# Proxies

_PROXY_FENCE = "fence.proxy.async{|||.global|.shared::cta}"
_ACQUIRE_SHARED = "acquire.sync_restrict::shared::cluster.cluster"
_RELEASE_SHARED = "release.sync_restrict::shared::cta.cluster"
_RELEASE_TO_ASYNC = f"fence.proxy.async::generic.{_RELEASE_SHARED}"
_RELEASE_READS = "release.sync_restrict::shared::cluster::read.cluster"
_READS_TO_ASYNC = f"fence.proxy.async::generic.{_RELEASE_READS}"
_ACQUIRE_TO_ASYNC = f"fence.proxy.async::generic.{_ACQUIRE_SHARED}"
_ALIASES = ("st.{store}.u32 [z], {v}", "ld.{load}.u32 {r}, [z]")
_ALIAS_FENCE = "fence.proxy.alias{||.release.sys|.acquire.sys}"
_OTHER_PROXIES = (
    "ld.global.nc.u32 {r}, [x]",
    "ld.proxy::readonly.global.u32 {r}, [x]",
    "cold.u32 {r}, [x, {0}]",
)
_SET_TENSORMAP = "st.weak.b64 [tm], {x|a}"
_TENSORMAP_FENCES = (
    "fence.proxy.tensormap::generic.release.{scope}",
    "fence.proxy.tensormap::generic.acquire.{scope} [tm], 128",
)

_SYNC_SHARED = (*_CLUSTER_BARRIER, *_CTA_BARRIER[:2])

#: What a thread may do.
MENUS: Mapping[str, Sequence[str]] = {
    "plain": (*_PLAIN, *_PLAIN, _FENCE, "atom.{update}.{add.u32|exch.b32} {r}, [{x|y}], {1|2}"),
    "sizes": (*_SIZED_LOADS, *_SIZED_STORES, *_SIZED_ATOMS[:3]),
    "mixed atomics": (*_SIZED_ATOMS, *_SIZED_ATOMS, *_SIZED_LOADS, *_SIZED_STORES[:2]),
    "clusters": (*_PLAIN, *_SHARED, _FENCE, *_CLUSTER_BARRIER),
    "barriers": (*_PLAIN, *_SHARED, *_CTA_BARRIER),
    "mbarriers": (*_PLAIN, *_WRITE_SHARED, *_ARRIVE, _COUNT_BYTES, *_WAITS),
    "inits": (_INIT, *_USE_INIT, "mbarrier.inval.shared.b64 [n]", *_PLAIN, *_SYNC_SHARED),
    "copies": (*_COPY, *_COPIES_DONE, _ARRIVE_ON, _READ_COPY, _READ_COPY, *_PLAIN, *_WAITS[:3]),
    "bulk copies": (*_BULK_IN, *_BULK_OUT, _BULK_DONE, _PROXY_FENCE, *_SHARED, *_WAITS[:3]),
    "async stores": (*_ASYNC_STORES, *_READ_SHARED, *_WAITS[:3], _FENCE, *_PLAIN),
    "aliases": (*_ALIASES, *_PLAIN, _ALIAS_FENCE, _FENCE, *_OTHER_PROXIES),
    "tensormaps": (_SET_TENSORMAP, *_TENSORMAP_FENCES, _TENSOR_IN, _TENSOR_OUT, *_PLAIN),
}


@dataclass(frozen=True)
class Handoff:
    """What one thread writes (or reads) and how it tells, how another waits, what it does then."""

    give: Sequence[str]
    tell: Sequence[str]
    wait: Sequence[str]
    take: Sequence[str]


_FLAG_UP = (
    "st.release.{scope}.u32 [y], 1",
    "fence.{releasing}.{scope}; st.relaxed.{scope}.u32 [y], 1",
    "red.release.{scope}.add.u32 [y], 1",
    "st.release.{scope}.u32 [y], 1; st.relaxed.{scope}.u32 [y], 2",
)
_FLAG_SEEN = (
    "ld.acquire.{scope}.u32 {r}, [y]",
    "ld.relaxed.{scope}.u32 {r}, [y]; fence.{acquiring}.{scope}",
    "ld.relaxed.{scope}.u32 {r}, [y]; ld.acquire.{scope}.u32 {rd}, [y]",
    "atom.acquire.{scope}.add.u32 {r}, [y], 1",
    "red.relaxed.{scope}.add.u32 [y], 1; fence.{acquiring}.{scope}",
)
_ASYNC_FLAG_UP = (
    "st.async.release.gpu.global.u32 [y], 1",
    "red.async.release.gpu.global.add.u32 [y], 1",
)
_ASYNC_ADDED = (
    "fence.{releasing}.cluster; red.async.{remote}.{told}.add.u32 [{unit}s], 1, [{unit}m]"
)
_SUM_SEEN = (
    "ld.acquire.cluster.{remote}.u32 {r}, [{own}s]",
    "ld.relaxed.cluster.{remote}.u32 {r}, [{own}s]; fence.{acquiring}.cluster",
)
#: What is copied here is a flag.
_COPIED_FLAG_SEEN = (
    "cp.async.bulk.relaxed.gpu.shared::cta.global.{told}.b128 [q], [o], 16, [m];"
    " mbarrier.test_wait.parity.shared.b64 {p}, [m], 0; fence.{acquiring}.{scope};"
    " ld.weak.shared.u64 {r}, [q]"
)
#: That a buffer is empty is told by an mbarrier of its own, behind a proxy fence or not.
_EMPTY_TOLD = (
    "{fence.proxy.async|nop}; mbarrier.arrive.release.cluster.{remote}.b64 _, [{own}e]",
    "fence.proxy.async.{global|shared::cta}; mbarrier.arrive.shared.b64 _, [e]",
)
_EMPTY_SEEN = (
    "{waiting}.parity{|.acquire.cluster}.shared.b64 {p}, [e], 0",
    "{waiting}.parity.shared.b64 {p}, [e], 0; fence.proxy.async{||.global|.shared::cta}",
)
_PLAIN_WAITS = (
    "{waiting}.parity{||.acquire.cluster}.shared.b64 {p}, [m], 0",
    "{waiting}.parity.relaxed.cta.shared.b64 {p}, [m], 0; fence.{acquiring}.{scope}",
)
_CLUSTER_HANDOFF = (_CLUSTER_BARRIER[0], _RELAXED_CLUSTER_BARRIER)

#: Hand-offs by the flavour of the menu that goes with them.
HANDOFFS: Mapping[str, Sequence[Handoff]] = {
    "plain": [
        Handoff(("st.weak.u32 [x], {v}",), _FLAG_UP, _FLAG_SEEN, ("ld.weak.u32 {r}, [x]",)),
        Handoff(("ld.weak.u32 {r}, [x]",), _FLAG_UP, _FLAG_SEEN, ("st.weak.u32 [x], {v}",)),
    ],
    "sizes": [Handoff(_SIZED_STORES, _FLAG_UP, _FLAG_SEEN, _SIZED_LOADS)],
    "mixed atomics": [Handoff(_SIZED_STORES, _SIZED_ATOMS, _SIZED_ATOMS, _SIZED_LOADS)],
    "clusters": [
        Handoff(("st.weak.u32 [x], 1", *_WRITE_SHARED), *(_CLUSTER_HANDOFF,) * 2, _READ_SHARED),
        Handoff(("st.weak.u32 [x], 1",), *(_CLUSTER_HANDOFF,) * 2, ("ld.weak.u32 {r}, [x]",)),
    ],
    "barriers": [
        Handoff(_WRITE_SHARED, _CTA_BARRIER, _CTA_BARRIER[:2], _READ_SHARED),
        Handoff(("st.weak.u32 [x], 1",), *(_CTA_BARRIER[:2],) * 2, ("ld.weak.u32 {r}, [x]",)),
    ],
    "mbarriers": [
        Handoff(("st.weak.u32 [x], 1",), _ARRIVE, _PLAIN_WAITS, ("ld.weak.u32 {r}, [x]",)),
        Handoff(_WRITE_SHARED, _ARRIVE, _PLAIN_WAITS, _READ_SHARED),
    ],
    "inits": [
        Handoff(
            (_INIT, f"{_INIT}; fence.mbarrier_init.release.cluster"),
            ("barrier.cluster.arrive.relaxed; barrier.cluster.wait", *_SYNC_SHARED),
            ("barrier.cluster.arrive.relaxed; barrier.cluster.wait", *_SYNC_SHARED),
            _USE_INIT,
        ),
        Handoff(
            (f"{_INIT}; fence.mbarrier_init.release.cluster",),
            ("st.relaxed.cluster.u32 [y], 1", *_FLAG_UP),
            _FLAG_SEEN[:2],
            _USE_INIT,
        ),
    ],
    "copies": [
        Handoff(_COPY, (_ARRIVE_ON,), _PLAIN_WAITS, (_READ_COPY,)),
        Handoff(
            [f"{copy}; {done}" for copy in _COPY for done in _COPIES_DONE],
            (*_FLAG_UP, "bar.sync 0"),
            (*_FLAG_SEEN, "bar.sync 0"),
            (_READ_COPY,),
        ),
        Handoff((_READ_COPY,), ("bar.sync 0", *_FLAG_UP), ("bar.sync 0", *_FLAG_SEEN), _COPY),
    ],
    "bulk copies": [
        Handoff((_EXPECT,), _BULK_IN, _PLAIN_WAITS, _READ_SHARED),
        Handoff(
            ("st.weak.u32 [x], 1",),
            ("st.release.{scope}.u64 [o], 1",),
            (_COPIED_FLAG_SEEN,),
            ("ld.weak.u32 {r}, [x]",),
        ),
        Handoff(_SHARED, _EMPTY_TOLD, _EMPTY_SEEN, (*_BULK_IN[:2], *_BULK_OUT)),
        Handoff(_PLAIN[1:], _EMPTY_TOLD, _EMPTY_SEEN, _BULK_IN[:2]),
        Handoff(
            [f"{out}; {_BULK_DONE}" for out in _BULK_OUT],
            _FLAG_UP,
            _FLAG_SEEN,
            ("{fence.proxy.async|nop}; ld.weak.u32 {r}, [x]", "st.weak.shared.u32 [s], 3"),
        ),
        Handoff(
            _WRITE_SHARED,
            [f"{_RELEASE_TO_ASYNC}; {up}" for up in _FLAG_UP],
            [f"{seen}; {_ACQUIRE_TO_ASYNC}" for seen in _FLAG_SEEN],
            _BULK_OUT,
        ),
        Handoff(
            _READ_SHARED,
            [f"{_READS_TO_ASYNC}; {up}" for up in _FLAG_UP],
            [f"{seen}; {_ACQUIRE_TO_ASYNC}" for seen in _FLAG_SEEN],
            _BULK_IN,
        ),
    ],
    "async stores": [
        Handoff(("st.weak.u32 [x], 1", _FENCE), _ASYNC_STORES, _PLAIN_WAITS, _READ_SHARED),
        Handoff((_EXPECT,), _ASYNC_STORES, _PLAIN_WAITS, _READ_SHARED),
        Handoff(("st.weak.u32 [x], 1",), _ASYNC_FLAG_UP, _FLAG_SEEN, _PLAIN[:1]),
        Handoff(("st.weak.u32 [x], 1",), (_ASYNC_ADDED,), _SUM_SEEN, _PLAIN[:1]),
        Handoff(
            _WRITE_SHARED,
            [f"fence.{_RELEASE_SHARED}; {way}" for way in _ARRIVE[:2]],
            [f"{_PLAIN_WAITS[0]}; fence.{_ACQUIRE_SHARED}"],
            _SHARED,
        ),
    ],
    "aliases": [
        Handoff(("st.weak.u32 [x], {v}",), _FLAG_UP, _FLAG_SEEN, _ALIASES),
        Handoff(
            ("st.weak.u32 [z], {v}",),
            (f"{_ALIAS_FENCE}; st.{{release|relaxed}}.{{scope}}.u32 [y], 1",),
            (f"ld.{{acquire|relaxed}}.{{scope}}.u32 {{r}}, [y]; {_ALIAS_FENCE}",),
            ("ld.weak.u32 {r}, [x]", *_OTHER_PROXIES),
        ),
    ],
    "tensormaps": [
        Handoff(
            (_SET_TENSORMAP, f"{_SET_TENSORMAP}; {_TENSORMAP_FENCES[0]}"),
            _FLAG_UP,
            [f"{seen}; {_TENSORMAP_FENCES[1]}" for seen in _FLAG_SEEN],
            (_TENSOR_IN, _TENSOR_OUT),
        )
    ],
}
