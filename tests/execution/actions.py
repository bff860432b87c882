"""What the threads of random tests do: one or some instructions of PTX each, with random operands.

They name the variables that `chapter8.DECLARATIONS` declares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random


@dataclass
class Thread:
    """A thread in the making, and how many registers and labels it has so far."""

    random: Random
    number: int
    #: The ranks of the CTAs in its cluster.
    ranks: Sequence[int]
    code: list[str] = field(default_factory=list)
    made: int = 0
    #: What was read into last.
    last: str | None = None

    def new(self, letter: str = "r") -> str:
        """A new register."""
        self.made += 1
        return f"{letter}{self.made}"

    def add(self, *lines: str) -> None:
        self.code += [line if line.endswith(":") else f"{line};" for line in lines]

    @property
    def text(self) -> str:
        return " ".join(self.code)

    def pick(self, *items: str) -> str:
        return self.random.choice(items)

    def value(self) -> str:
        """A value to write: a number, or what was read last."""
        return self.last if self.last and self.random.random() < 0.3 else self.pick("1", "2", "3")

    def shared(self, name: str) -> str:
        """A shared variable of the thread's CTA, or of another one in the cluster."""
        return name if self.random.random() < 0.6 else f"{self.anywhere()}{name}"

    def anywhere(self) -> str:
        """What names of shared variables in some CTA of the cluster begin with."""
        alone = len(set(self.ranks)) == 1
        return "" if alone else f"cta{self.random.choice(self.ranks)}."


Action = Callable[[Thread], None]

_SCOPES = ("gpu", "gpu", "cluster", "cta")
_LOADS = ("weak", "relaxed", "acquire")
_STORES = ("weak", "relaxed", "release")
_UPDATES = ("relaxed", "acquire", "release", "acq_rel")
#: More than what is declared of a variable in shared memory needs to say where it is.
_CLUSTER = ".shared::cluster"


def _order(thread: Thread, orders: Sequence[str]) -> str:
    order = thread.pick(*orders)
    return order if order == "weak" else f"{order}.{thread.pick(*_SCOPES)}"


# Plain accesses


def load(thread: Thread) -> None:
    thread.last = thread.new()
    thread.add(f"ld.{_order(thread, _LOADS)}.u32 {thread.last}, [{thread.pick('x', 'y')}]")


def store(thread: Thread) -> None:
    place = thread.pick("x", "y")
    thread.add(f"st.{_order(thread, _STORES)}.u32 [{place}], {thread.value()}")


def atom(thread: Thread) -> None:
    operation, order = thread.pick("add", "exch"), _order(thread, _UPDATES)
    thread.last = thread.new()
    thread.add(f"atom.{order}.{operation}.u32 {thread.last}, [x], {thread.pick('1', '2')}")


def fence(thread: Thread) -> None:
    kind = thread.pick("sc", "acq_rel", "acquire", "release")
    thread.add(f"fence.{kind}.{thread.pick(*_SCOPES)}")


def read_shared(thread: Thread) -> None:
    thread.last = thread.new()
    order = _order(thread, ("weak", "weak", "weak", *_LOADS))
    thread.add(f"ld.{order}{_CLUSTER}.u32 {thread.last}, [{thread.shared('s')}]")


def write_shared(thread: Thread) -> None:
    order = _order(thread, ("weak", "weak", "weak", *_STORES))
    thread.add(f"st.{order}{_CLUSTER}.u32 [{thread.shared('s')}], {thread.value()}")


def by_mapa(thread: Thread) -> None:
    address, rank = thread.new("rd"), thread.random.choice(thread.ranks)
    thread.add(f"mapa.u64 {address}, s, {rank}")
    if thread.random.random() < 0.5:
        thread.add(f"st.weak{_CLUSTER}.u32 [{address}], {thread.value()}")
    else:
        thread.last = thread.new()
        thread.add(f"ld.relaxed.cluster{_CLUSTER}.u32 {thread.last}, [{address}]")


# Accesses of several sizes

#: The variables that are accessed in pieces: their bytes.
_SIZED = {"w": 8, "a": 8, "h": 4}


def _place_of(thread: Thread, size: int) -> str:
    name = thread.pick(*(name for name, whole in _SIZED.items() if whole >= size))
    offset = thread.random.randrange(0, _SIZED[name], size)
    return f"[{name}+{offset}]" if offset else f"[{name}]"


def sized_store(thread: Thread) -> None:
    size = thread.random.choice([1, 2, 4, 4, 8])
    value = thread.pick("1", str(0x0101), str(0x02020202), str(0x0303030303030303))
    thread.add(f"st.{_order(thread, _STORES)}.b{8 * size} {_place_of(thread, size)}, {value}")


def sized_load(thread: Thread) -> None:
    size = thread.random.choice([2, 4, 4, 8])
    thread.last = thread.new()
    place = _place_of(thread, size)
    thread.add(f"ld.{_order(thread, _LOADS)}.u{8 * size} {thread.last}, {place}")


def sized_atom(thread: Thread) -> None:
    size = thread.random.choice([4, 8])
    thread.last = thread.new()
    operation, order = thread.pick("add", "exch", "or", "cas"), _order(thread, _UPDATES)
    operands = "0, 1" if operation == "cas" else thread.pick("1", "257")
    place = _place_of(thread, size)
    kind = "b" if operation in ("exch", "or", "cas") else "u"
    thread.add(f"atom.{order}.{operation}.{kind}{8 * size} {thread.last}, {place}, {operands}")


def vector(thread: Thread) -> None:
    size = thread.random.choice([1, 2, 4])
    place = _place_of(thread, 2 * size)
    if thread.random.random() < 0.5:
        order = _order(thread, _STORES)
        thread.add(f"st.{order}.v2.u{8 * size} {place}, {{{thread.value()}, {thread.value()}}}")
    else:
        first, thread.last = thread.new(), thread.new()
        thread.add(
            f"ld.{_order(thread, _LOADS)}.v2.u{8 * size} {{{first}, {thread.last}}}, {place}"
        )


def packed(thread: Thread) -> None:
    place = _place_of(thread, 4)
    match thread.pick("load", "store", "atom"):
        case "load":
            thread.last = thread.new()
            thread.add(f"ld.{_order(thread, _LOADS)}.f16x2 {thread.last}, {place}")
        case "store":
            thread.add(f"st.{_order(thread, _STORES)}.u16x2 {place}, {thread.pick('1', '65537')}")
        case _:
            thread.last = thread.new()
            order = _order(thread, _UPDATES)
            thread.add(f"atom.{order}.add.u16x2 {thread.last}, {place}, 65537")


# Barriers


def cluster_barrier(thread: Thread) -> None:
    thread.add(f"barrier.cluster.arrive{thread.pick('', '', '.release', '.relaxed')}")
    if thread.random.random() < 0.4:
        thread.random.choice([load, store, read_shared, write_shared])(thread)
    thread.add("barrier.cluster.wait")


def cta_barrier(thread: Thread) -> None:
    match thread.pick("sync", "sync", "count", "arrive", "red"):
        case "sync":
            thread.add("bar.sync 0")
        case "count":
            thread.add(f"bar.sync {thread.pick('0', '1')}, 2")
        case "arrive":
            thread.add("bar.arrive 1, 2")
        case _:
            thread.last = thread.new()
            thread.add("setp.eq.u32 p0, r1, 0", f"bar.red.popc.u32 {thread.last}, 0, p0")


# Mbarriers


def arrive(thread: Thread) -> None:
    verb = thread.pick("arrive", "arrive", "arrive", "arrive_drop", "arrive.expect_tx")
    order = thread.pick("", "", ".release.cluster", ".relaxed.cta", ".relaxed.cluster")
    number = ", 4" if "expect" in verb else thread.pick("", "", ", 1")
    target = thread.shared("m")
    state = "_" if "." in target else thread.pick("_", "rd0")
    thread.add(f"mbarrier.{verb}{order}{_CLUSTER}.b64 {state}, [{target}]{number}")


def arrive_by_mapa(thread: Thread) -> None:
    address = thread.new("rd")
    thread.add(
        f"mapa{_CLUSTER}.u32 {address}, m, {thread.random.choice(thread.ranks)}",
        f"mbarrier.arrive.release.cluster{_CLUSTER}.b64 _, [{address}]",
    )


def count_bytes(thread: Thread) -> None:
    verb = thread.pick("expect_tx", "complete_tx")
    thread.add(f"mbarrier.{verb}.relaxed.cta.shared.b64 [m], 4")


def wait(thread: Thread) -> None:
    """A wait, the answer of which may guard what comes next."""
    verb, order = (
        thread.pick("test_wait", "try_wait"),
        thread.pick("", ".acquire.cluster", ".relaxed.cta"),
    )
    done = thread.new("p")
    wait = f"mbarrier.{verb}.parity{order}.shared.b64 {done}, [m], {thread.pick('0', '0', '1')}"
    match thread.pick("free", "free", "guard", "guard", "state", "loop"):
        case "free":
            thread.add(wait)
        case "guard":
            thread.last = thread.new()
            place = thread.pick("ld.weak.u32 {}, [x]", "ld.weak.shared.u32 {}, [s]")
            thread.add(wait, f"@{done} {place.format(thread.last)}")
        case "state":
            wait = f"mbarrier.test_wait{order}.shared.b64 {done}, [m], rd0"
            thread.add("mbarrier.arrive.shared.b64 rd0, [m]", wait)
        case _:
            label = thread.new("L")
            thread.add(f"{label}:", wait, f"@!{done} bra {label}")


def init(thread: Thread) -> None:
    thread.add(f"mbarrier.init.shared.b64 [n], {thread.pick('1', '2')}")
    match thread.pick("arrive", "fence", "test", "inval"):
        case "arrive":
            thread.add("mbarrier.arrive.shared.b64 rd0, [n]")
        case "fence":
            thread.add("fence.mbarrier_init.release.cluster")
        case "test":
            thread.add(f"mbarrier.test_wait.parity.shared.b64 {thread.new('p')}, [n], 0")
        case _:
            thread.add("mbarrier.inval.shared.b64 [n]")


def use_uninitialised(thread: Thread) -> None:
    if thread.random.random() < 0.5:
        thread.add(f"mbarrier.test_wait.parity.shared.b64 {thread.new('p')}, [n], 0")
    else:
        thread.add("mbarrier.arrive.shared.b64 rd0, [n]")


# Copies that are generic: cp.async


def copy(thread: Thread) -> None:
    target, size = thread.random.choice([("s", 4), ("s", 4), ("t", 4), ("t", 8)])
    source = "a" if size == 8 else thread.pick("x", "a", "a+4")
    taken = thread.pick("", "", "", ", 4")
    thread.add(f"cp.async.ca.shared.global [{target}], [{source}], {size}{taken}")


def copies_done(thread: Thread) -> None:
    match thread.pick("all", "group", "arrive", "arrive"):
        case "all":
            thread.add("cp.async.wait_all")
        case "group":
            thread.add("cp.async.commit_group")
            if thread.random.random() < 0.4:
                copy(thread)
                thread.add("cp.async.commit_group")
            thread.add(f"cp.async.wait_group {thread.pick('0', '0', '1')}")
        case _:
            thread.add(f"cp.async.mbarrier.arrive{thread.pick('', '.noinc')}.shared.b64 [m]")


def read_copy(thread: Thread) -> None:
    thread.last = thread.new()
    thread.add(f"ld.weak.shared.u32 {thread.last}, [{thread.pick('s', 's', 't', 't+4')}]")


# Copies by the async proxy

_SIGNALLED = "mbarrier::complete_tx::bytes"
_IN = f"cp.async.bulk.shared::cluster.global.{_SIGNALLED}"


def bulk_in(thread: Thread) -> None:
    if thread.random.random() < 0.7:
        thread.add("mbarrier.arrive.expect_tx.shared.b64 _, [m], 4")
    match thread.pick("plain", "plain", "plain", "multicast", "remote", "tensor"):
        case "plain":
            thread.add(f"{_IN} [s], [{thread.pick('x', 'y', 'a+4')}], 4, [m]")
        case "multicast":
            mask = thread.pick("1", str(sum(1 << rank for rank in set(thread.ranks))))
            thread.add(f"{_IN}.multicast::cluster [s], [x], 4, [m], {mask}")
        case "remote":
            unit = thread.anywhere()
            words = f"cp.async.bulk.shared::cluster.shared::cta.{_SIGNALLED}"
            thread.add(f"{words} [{unit}t], [s], 4, [{unit}m]")
        case _:
            words = f"cp.async.bulk.tensor.1d.shared::cluster.global.tile.{_SIGNALLED}"
            thread.add(f"{words} [s], [tm, {{{thread.pick('0', '1')}}}], [m]")


def bulk_out(thread: Thread) -> None:
    words, place = "global.shared::cta.bulk_group", thread.pick("x", "y", "a")
    match thread.pick("copy", "copy", "reduce", "tensor"):
        case "copy":
            thread.add(f"cp.async.bulk.{words} [{place}], [s], 4")
        case "reduce":
            thread.add(
                f"cp.reduce.async.bulk.{words}.{thread.pick('add', 'max')}.u32 [{place}], [s], 4"
            )
        case _:
            tensor = "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group"
            thread.add(f"{tensor} [tm, {{0}}], [s]")
    if thread.random.random() < 0.7:
        read = thread.pick("", ".read")
        thread.add("cp.async.bulk.commit_group", f"cp.async.bulk.wait_group{read} 0")


def proxy_fence(thread: Thread) -> None:
    restricted = "fence.proxy.async::generic.{0}.sync_restrict::shared::{1}.cluster"
    thread.add(
        thread.pick(
            *("fence.proxy.async",) * 4,
            "fence.proxy.async.global",
            "fence.proxy.async.shared::cta",
            "fence.proxy.alias",
            restricted.format("acquire", "cluster"),
            restricted.format("release", "cta"),
            "fence.acquire.sync_restrict::shared::cluster.cluster",
            "fence.release.sync_restrict::shared::cta.cluster",
        )
    )


# Stores and reductions that are asynchronous


def async_store(thread: Thread) -> None:
    words = f"st.async{thread.pick('', '.weak', '.relaxed.cluster', '.release.cluster')}"
    signalled, unit = f"{words}{_CLUSTER}.{_SIGNALLED}", thread.anywhere()
    match thread.pick("plain", "plain", "plain", "vector", "global"):
        case "plain":
            thread.add(f"{signalled}.u32 [{unit}s], {thread.value()}, [{unit}m]")
        case "vector":
            thread.add(f"{signalled}.v2.u32 [{unit}t], {{1, {thread.value()}}}, [{unit}m]")
        case _:
            thread.add(f"{words}.global.u32 [x], {thread.value()}")


def async_reduction(thread: Thread) -> None:
    order, unit = thread.pick("", ".relaxed.cluster"), thread.anywhere()
    words = f"{_CLUSTER}.{_SIGNALLED}.{thread.pick('add', 'max', 'inc')}.u32"
    thread.add(f"red.async{order}{words} [{unit}s], {thread.value()}, [{unit}m]")


# Aliases, tensormaps, read-only and outlandish proxies


def by_alias(thread: Thread) -> None:
    if thread.random.random() < 0.5:
        thread.add(f"st.{_order(thread, _STORES)}.u32 [z], {thread.value()}")
    else:
        thread.last = thread.new()
        thread.add(f"ld.{_order(thread, _LOADS)}.u32 {thread.last}, [z]")


def other_proxy(thread: Thread) -> None:
    thread.last = thread.new()
    read_only = f"ld.global.nc.u32 {thread.last}, [x]"
    constant = f"ld.proxy::readonly.global.u32 {thread.last}, [x]"
    thread.add(thread.pick(read_only, constant, f"cold.b.u32 {thread.last}, [x, {{0}}]"))


def tensormap(thread: Thread) -> None:
    fence = "fence.proxy.tensormap::generic"
    thread.add(
        thread.pick(
            "st.weak.b64 [tm], a",
            f"{fence}.release.{thread.pick('cta', 'gpu')}",
            f"{fence}.acquire.{thread.pick('cta', 'gpu')} [tm], 128",
        )
    )


#: What the threads of each flavour do.
MENUS: Mapping[str, Sequence[Action]] = {
    "sizes": [sized_store, sized_store, sized_load, sized_load, sized_atom, vector, packed],
    "mixed atomics": [sized_atom, sized_atom, sized_load, sized_store],
    "clusters": [
        *(load, store, read_shared, write_shared, by_mapa, fence),
        *(cluster_barrier, cluster_barrier),
    ],
    "barriers": [load, store, read_shared, write_shared, cta_barrier, cta_barrier],
    "mbarriers": [
        *(load, store, write_shared, arrive, arrive, arrive_by_mapa, count_bytes),
        *(wait, wait),
    ],
    "inits": [init, init, use_uninitialised, load, store, cluster_barrier, cta_barrier],
    "copies": [copy, copy, copies_done, copies_done, read_copy, read_copy, store, wait],
    "bulk": [bulk_in, bulk_in, bulk_out, proxy_fence, read_shared, write_shared, wait],
    "async stores": [async_store, async_reduction, read_shared, wait, wait, fence, store],
    "proxies": [by_alias, load, store, proxy_fence, fence, other_proxy],
    "tensormaps": [tensormap, tensormap, bulk_in, bulk_out, load, store],
    "plain": [load, load, store, store, atom, fence],
}
