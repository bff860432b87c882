"""Litmus tests of growing size, with the number of executions where it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial


@dataclass(frozen=True)
class Case:
    """A test of a family, under a model. `seconds` is what the whole command may take.

    `executions` is known from a closed form, or from another tool; None where it is not.
    """

    family: str
    size: int
    model: str
    executions: int | None = None
    seconds: float | None = None
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.family} {self.size}"

    @property
    def text(self) -> str:
        return FAMILIES[self.family](self.size)


def of_threads(name: str, threads: Sequence[Sequence[str]], condition: str, init: str = "") -> str:
    """A test of instruction lists, each in a CTA of its own."""
    blocks = [f"P{n}@cta {n},gpu 0 {{ {' '.join(code)} }}" for n, code in enumerate(threads)]
    return "\n".join([f"PTX {name} {{ {init} }}", *blocks, f"exists ({condition})"]) + "\n"


def both(*atoms: str) -> str:
    return " /\\ ".join(atoms)


def ring(size: int) -> str:
    """Store buffering around a ring, with fences: all but one combination."""
    threads = [
        [f"st.relaxed.gpu [x{n}], 1;", "fence.sc.gpu;", f"ld.relaxed.gpu r0, [x{(n + 1) % size}];"]
        for n in range(size)
    ]
    return of_threads(f"ring{size}", threads, both(*(f"{n}:r0=0" for n in range(size))))


def chain(size: int) -> str:
    """Message passing by way of `size` - 2 threads: MP for 2, ISA2 for 3."""
    first = ["st.weak [x], 1;", "st.release.gpu [flag0], 1;"]
    middle = [
        [f"ld.acquire.gpu r0, [flag{n}];", f"st.release.gpu [flag{n + 1}], 1;"]
        for n in range(size - 2)
    ]
    last = [f"ld.acquire.gpu r0, [flag{size - 2}];", "ld.weak r1, [x];"]
    seen = [f"{n}:r0=1" for n in range(1, size)]
    return of_threads(f"chain{size}", [first, *middle, last], both(*seen, f"{size - 1}:r1=0"))


def iriw(size: int) -> str:
    """Two writers and `size` readers of both places, in either order."""
    writers = [["st.relaxed.gpu [x], 1;"], ["st.relaxed.gpu [y], 1;"]]
    readers = [
        [f"ld.relaxed.gpu r0, [{a}];", f"ld.relaxed.gpu r1, [{b}];"]
        for a, b in (("x", "y") if n % 2 == 0 else ("y", "x") for n in range(size))
    ]
    atoms = [f"{n + 2}:r0=1 /\\ {n + 2}:r1=0" for n in range(size)]
    return of_threads(f"iriw{size}", [*writers, *readers], both(*atoms))


def iriw_ring(size: int) -> str:
    """`size` writers, and readers of each place and the next."""
    writers = [[f"st.relaxed.gpu [x{n}], 1;"] for n in range(size)]
    readers = [
        [f"ld.relaxed.gpu r0, [x{n}];", f"ld.relaxed.gpu r1, [x{(n + 1) % size}];"]
        for n in range(size)
    ]
    atoms = [f"{size + n}:r0=1 /\\ {size + n}:r1=0" for n in range(size)]
    return of_threads(f"iriw-ring{size}", [*writers, *readers], both(*atoms))


def writers(size: int) -> str:
    """`size` writers of one place and one who reads it twice."""
    threads = [[f"st.relaxed.gpu [x], {n};"] for n in range(1, size + 1)]
    threads.append(["ld.relaxed.gpu r0, [x];", "ld.relaxed.gpu r1, [x];"])
    return of_threads(f"coW{size}+RR", threads, both(f"{size}:r0=1", f"{size}:r1=2"))


def atomics(size: int) -> str:
    """`size` atomic additions to one place."""
    threads = [["atom.add.relaxed.gpu.u32 r0, [x], 1;"]] * size
    return of_threads(f"adds{size}", threads, both(*(f"{n}:r0={n}" for n in range(size))))


def two_writes(size: int) -> str:
    """2+2W around a ring of `size` places."""
    threads = [
        [f"st.relaxed.gpu [x{n}], 2;", "fence.sc.gpu;", f"st.relaxed.gpu [x{(n + 1) % size}], 1;"]
        for n in range(size)
    ]
    return of_threads(f"2+2W{size}", threads, both(*(f"x{n}=2" for n in range(size))))


def ticket_lock(size: int) -> str:
    """`size` threads that add to a place in turn, by a ticket lock."""
    code = [
        "atom.add.relaxed.gpu.u32 r1, [next], 1;",
        "L: ld.acquire.gpu.u32 r2, [serving]; setp.ne.u32 p1, r2, r1; @p1 bra L;",
        "ld.weak.u32 r3, [x]; add.u32 r4, r3, 1; st.weak.u32 [x], r4;",
        "ld.relaxed.gpu.u32 r6, [serving]; add.u32 r5, r6, 1; st.release.gpu.u32 [serving], r5;",
    ]
    return of_threads(f"ticket{size}", [code] * size, f"x={size}", "x=0; next=0; serving=0;")


def phases(size: int) -> str:
    """Two threads of a CTA that hand a value back and forth through `size` barrier phases."""
    first = ["st.weak [x], 1;"]
    second = ["st.weak [y], 1;"]
    for n in range(size):
        for code, place in ((first, "y"), (second, "x")):
            code += ["bar.sync 0;", f"ld.weak r{n}, [{place}];", "bar.sync 0;"]
            code.append(f"st.weak [{'x' if place == 'y' else 'y'}], {n + 2};")
    blocks = [f"P{n}@cta 0,gpu 0 {{ {' '.join(code)} }}" for n, code in enumerate((first, second))]
    condition = both(*(f"{t}:r{n}={n + 1}" for t in range(2) for n in range(size)))
    return "\n".join([f"PTX phases{size} {{ }}", *blocks, f"forall ({condition})"]) + "\n"


def cluster(size: int) -> str:
    """`size` CTAs that write, arrive at the barrier of their cluster, read what the next one wrote,
    wait, and read it again."""
    blocks = []
    for n in range(size):
        read = f"[x{(n + 1) % size}];"
        code = [f"st.weak [x{n}], 1;", "barrier.cluster.arrive;", f"ld.weak r0, {read}"]
        code += ["barrier.cluster.wait;", f"ld.weak r1, {read}"]
        blocks.append(f"P{n}@cta {n},cluster 0,gpu 0 {{ {' '.join(code)} }}")
    condition = both(*(f"{n}:r1=1" for n in range(size)))
    return "\n".join([f"PTX cluster{size} {{ }}", *blocks, f"forall ({condition})"]) + "\n"


_BULK_COPY = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"


def pipeline(stages: int) -> str:
    """A producer that fills `stages` buffers by TMA, and the first of them again once it is empty.

    Whole loops: each thread waits until the mbarrier says so.
    """

    def wait(barrier: str) -> list[str]:
        asked = f"mbarrier.try_wait.parity.shared.b64 p0, [{barrier}], 0;"
        return [f"L{barrier}: {asked} @!p0 bra L{barrier};"]

    def fill(slot: int, tile: int) -> list[str]:
        expect = f"mbarrier.arrive.expect_tx.shared.b64 _, [full{slot}], 4;"
        return [expect, f"{_BULK_COPY} [data{slot}], [tile{tile}], 4, [full{slot}];"]

    producer = [line for slot in range(stages) for line in fill(slot, slot)]
    producer += [*wait("empty0"), *fill(0, stages)]
    consumer: list[str] = []
    for slot in range(stages):
        consumer += [*wait(f"full{slot}"), f"ld.weak.shared.u32 r{slot}, [data{slot}];"]
        if slot == 0:
            consumer += ["fence.proxy.async;", "mbarrier.arrive.shared.b64 _, [empty0];"]
    init = [f".global .u32 tile{n} = {n + 42};" for n in range(stages + 1)]
    init += [f".shared .u32 data{n}; .shared .mbarrier full{n} = 1;" for n in range(stages)]
    init += [".shared .mbarrier empty0 = 1;"]
    threads = enumerate((producer, consumer))
    blocks = [f"P{n}@cta 0,gpu 0 {{ {' '.join(code)} }}" for n, code in threads]
    condition = both(*(f"1:r{n}={n + 42}" for n in range(stages)))
    head = f"PTX pipeline{stages} {{ {' '.join(init)} }}"
    return "\n".join([head, *blocks, f"forall ({condition})"]) + "\n"


#: The stages of a `tile_loop`, and its mbarriers.
_STAGES = 4
_BARRIERS = ("full", "empty")


def tile_loop(tiles: int) -> str:
    """The main loops of a kernel that works on so many tiles, which come by TMA through stages.

    As CUTLASS writes them: a producer and a consumer, each with a stage and a parity that turns.
    """
    fill = [
        "mad.wide.u32 from, tile, 4, tiles;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [rfull], 4;",
        f"{_BULK_COPY} [here], [from], 4, [rfull];",
    ]
    use = [
        "ld.weak.shared.u32 r0, [here]; mad.wide.u32 to, tile, 4, out;",
        "st.weak.global.u32 [to], r0; fence.proxy.async;",
        "mbarrier.arrive.shared.b64 _, [rempty];",
    ]
    values, ones = ", ".join(str(n + 1) for n in range(tiles)), ", ".join(["1"] * _STAGES)
    init = f".global .u32 tiles[{tiles}] = {{{values}}}; .global .u32 out[{tiles}];"
    init += f" .shared .u32 data[{_STAGES}] = {{{ones}}};"
    init += "".join(f" .shared .mbarrier {name}[{_STAGES}] = {{{ones}}};" for name in _BARRIERS)
    threads = enumerate((_each_tile(tiles, "empty", 1, fill), _each_tile(tiles, "full", 0, use)))
    blocks = [f"P{n}@cta 0,gpu 0 {{ {' '.join(code)} }}" for n, code in threads]
    condition = both(*(f"out[{n}]={n + 1}" for n in range(tiles)))
    return "\n".join([f"PTX tiles{tiles} {{ {init} }}", *blocks, f"forall ({condition})"]) + "\n"


def _each_tile(tiles: int, barrier: str, parity: int, work: Sequence[str]) -> list[str]:
    """A loop over tiles that waits for a barrier of each one's stage before its work."""
    return [
        f"mov.u32 stage, 0; mov.u32 tile, 0; mov.u32 parity, {parity};",
        "TILE: mad.lo.u32 here, stage, 4, data;",
        "mad.lo.u32 rfull, stage, 8, full; mad.lo.u32 rempty, stage, 8, empty;",
        f"WAIT: mbarrier.try_wait.parity.shared.b64 p0, [r{barrier}], parity; @!p0 bra WAIT;",
        *work,
        f"add.u32 stage, stage, 1; setp.ne.u32 p1, stage, {_STAGES}; @p1 bra NEXT;",
        "mov.u32 stage, 0; xor.b32 parity, parity, 1;",
        f"NEXT: add.u32 tile, tile, 1; setp.lt.u32 p2, tile, {tiles}; @p2 bra TILE;",
    ]


FAMILIES: dict[str, Callable[[int], str]] = {
    "SB ring": ring,
    "MP chain": chain,
    "IRIW 2w": iriw,
    "IRIW ring": iriw_ring,
    "coW+RR": writers,
    "adds": atomics,
    "2+2W": two_writes,
    "ticket lock": ticket_lock,
    "phases": phases,
    "cluster": cluster,
    "TMA pipeline": pipeline,
    "tile loop": tile_loop,
}


def _co_rr(size: int) -> int:
    """n! orders, and for each the pairs of writes (the initial one too) that do not go back."""
    return factorial(size) * (size + 1) * (size + 2) // 2


def cases() -> list[Case]:
    """What is measured: small ones that the reference engine gets through, and the targets."""
    models = ("sc", "tso", "ptx")
    found = [Case("SB ring", n, m, 2**n - 1) for n in (4, 6) for m in models]
    found += [Case("SB ring", 12, m, 4095, 0.6 if m != "sc" else None) for m in models]
    found += [Case("SB ring", 16, m, 65535, 3, ("--states-only",)) for m in ("tso", "ptx")]
    found += [Case("MP chain", n, m) for n in (3, 6) for m in models]
    found += [Case("IRIW 2w", 4, m) for m in models]
    found += [Case("IRIW 2w", 8, "tso", 34911, 1), Case("IRIW 2w", 10, "tso", 438615, 5)]
    found += [Case("IRIW 2w", 8, "ptx", 65536), Case("IRIW ring", 4, "tso")]
    found += [Case("coW+RR", 5, m, _co_rr(5)) for m in models]
    found += [Case("coW+RR", 7, "tso", _co_rr(7), 0.8), Case("coW+RR", 8, "tso", _co_rr(8), 1.5)]
    found += [Case("adds", 4, m, factorial(4)) for m in models]
    found += [Case("adds", n, m, factorial(n), s) for n, s in ((6, 0.6), (7, 3)) for m in models]
    found += [Case("2+2W", n, m) for n in (3, 6) for m in models]
    found += [Case("ticket lock", 2, m, None, 3, ("--unroll", "1")) for m in models]
    found += [Case("phases", 2, m) for m in models]
    # Between arrival and wait any read may be early, but not all of them under sc and tso.
    found += [Case("cluster", n, m, 2**n - (m != "ptx")) for n in (5, 10) for m in models]
    # A wait for a buffer passes at once, or at the second time after either of two earlier states
    # of its mbarrier; that for the empty buffer after one.
    for n, seconds in ((2, 3), (3, 5)):
        found += [
            Case("TMA pipeline", n, m, 2 * 3**n if m == "ptx" else None, seconds, ("--unroll", "1"))
            for m in ("ptx", "sc")
        ]
    for n, seconds in ((4, 3), (8, 8)):
        options = ("--unroll", str(n - 1), "--spin", "0")
        found.append(Case("tile loop", n, "ptx", 1, seconds, options))
    return found
