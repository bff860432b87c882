"""Random litmus tests of what chapter 8 of the PTX ISA has beyond plain accesses of one size.

A test is of one flavour, or of two: accesses of several sizes, clusters, mbarriers, copies and so
on. Its threads take what they do from a menu, or two of them hand data on; what they name is
declared. Some tests have a host that launches the threads. Others are those of litmus/async and
litmus/handoff with other qualifiers. Most tests are right and have several final states.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from catpy.errors import CatpyError
from catpy.litmus import LitmusTest
from tests.execution.agreement import candidates
from tests.execution.flavours import DECLARATIONS, HANDOFFS, MENUS
from tests.execution.hosts import host
from tests.execution.writing import Thread
from tests.support import ASYNC, HANDOFF, test_of

#: The CTA and the cluster of each of some threads.
_TOGETHER = ((0, 0), (0, 0), (0, 0))
_IN_A_CLUSTER = (((0, 0), (1, 0), (1, 0)), ((0, 0), (1, 0), (0, 0)), ((0, 0), (1, 0), (2, 0)))
_APART = ((0, 0), (0, 1), (0, 1))
_PLACES = (_TOGETHER, _TOGETHER, *_IN_A_CLUSTER, _APART)

#: How many things the threads do.
_LENGTHS = ((2, 3), (3, 3), (4, 2), (3, 4), (1, 2, 2), (2, 2, 2), (3, 2, 1), (1, 3, 3))


def litmus_test(random: Random, flavour: str | None = None) -> str:
    """The text of a litmus test, of a flavour in `MENUS`, or of any."""
    flavour = flavour or random.choice([*MENUS])
    plans = _plans(random, flavour)
    places = random.choice(_PLACES)[: len(plans)]
    threads = []
    for plan, (_, cluster) in zip(plans, places, strict=True):
        thread = Thread(random, [cta for cta, other in places if other == cluster])
        for template in plan:
            thread.write(template)
        threads.append(thread)
    if random.random() < 0.15:
        return _with_host(random, threads, places)
    heads = [f"cta {cta},cluster {cluster},gpu 0" for cta, cluster in places]
    return _assembled(random, "", heads, [thread.text for thread in threads])


def _plans(random: Random, flavour: str) -> list[list[str]]:
    """The templates of each thread: of what it likes, or of a hand-off and something besides."""
    menu = [*MENUS[flavour]]
    if random.random() < 0.2:
        menu += random.choice([*MENUS.values()])
    if random.random() < 0.3:
        return [random.choices(menu, k=length) for length in random.choice(_LENGTHS)]
    handoff = random.choice(HANDOFFS[flavour])
    plans = [
        [random.choice(handoff.give), random.choice(handoff.tell)],
        [random.choice(handoff.wait), random.choice(handoff.take)],
    ]
    for _ in range(random.choice([0, 0, 1, 2])):
        plan = random.choice(plans)
        plan.insert(random.randint(0, len(plan)), random.choice(menu))
    if random.random() < 0.4:
        plans.append(random.choices(menu, k=random.randint(1, 2)))
    return plans


def _with_host(random: Random, threads: Sequence[Thread], places: Sequence[tuple[int, int]]) -> str:
    """A test with kernels; those that nothing launches run when they like."""
    caller = host(random, len(threads))
    heads = [
        f"kernel {kernel},cta {cta},cluster {cluster},gpu 0"
        for kernel, (cta, cluster) in zip(caller.kernels, places, strict=True)
    ]
    codes = [thread.text for thread in threads]
    if caller.code:
        heads.append("host")
        codes.append(" ".join(f"{line};" for line in caller.code))
    return _assembled(random, caller.head, heads, codes)


def _assembled(random: Random, head: str, heads: Sequence[str], codes: Sequence[str]) -> str:
    """A test of what stands before the threads, and their places and code."""
    places = zip(heads, codes, strict=True)
    body = "\n".join(f"P{n}@{place} {{ {code} }}" for n, (place, code) in enumerate(places))
    used = [name for name in DECLARATIONS if re.search(rf"\b{name}\b", body)]
    if "tm" in used and "a" not in used:
        used.append("a")
    init = " ".join(random.choice(DECLARATIONS[name]) for name in used)
    return f"PTX random\n{{ {init} }}\n{head}\n{body}\nexists ({_condition(random, codes)})\n"


def _condition(random: Random, codes: Sequence[str]) -> str:
    """What is looked at in the end: everything, or some registers and a location."""
    atoms = [
        f"{thread}:{name}={random.choice('0123')}"
        for thread, code in enumerate(codes)
        for name in dict.fromkeys(re.findall(r"\b[rp]\d+\b", code))
    ]
    atoms += [f"{name}=1" for name in ("x", "y") if any(f"[{name}]" in code for code in codes)]
    if not atoms or random.random() < 0.5:
        return "true"
    return " /\\ ".join(random.sample(atoms, random.randint(1, min(4, len(atoms)))))


# Variations


def variation(random: Random) -> str:
    """The text of a test of litmus/async or litmus/handoff, with words replaced by others."""
    text = random.choice(_originals())
    share = random.choice([0.0, 0.1, 0.2, 0.3])

    def other(match: re.Match[str]) -> str:
        alike = next(group for group in _ALIKE if match[0] in group)
        return random.choice(alike) if random.random() < share else match[0]

    return re.sub("|".join(re.escape(w) for group in _ALIKE for w in group), other, text)


@cache
def _originals() -> list[str]:
    paths = [path for folder in (ASYNC, HANDOFF) for path in sorted(folder.glob("*.litmus"))]
    return [path.read_text(encoding="utf-8") for path in paths]


#: Words of which one can stand for another; the longer ones come first where one begins another.
_ALIKE = (
    ("fence.proxy.async;", "fence.proxy.alias;", "fence.sc.cta;", "fence.acq_rel.cluster;"),
    ("fence.mbarrier_init.release.cluster", "fence.acq_rel.cluster", "fence.sc.cluster"),
    (".acquire.cluster", ".acquire.cta", ".relaxed.cluster"),
    (".release.cluster", ".release.cta", ".relaxed.cta"),
    ("arrive.relaxed;", "arrive.release;", "arrive;"),
    ("mbarrier.arrive.shared", "mbarrier.arrive_drop.shared"),
    ("test_wait", "try_wait"),
    ("cp.async.wait_all", "cp.async.commit_group", "cp.async.wait_group 0"),
    ("wait_group.read 0", "wait_group 0", "wait_group 1"),
    ("cta 0,cluster 0", "cta 1,cluster 0", "cta 0,cluster 1"),
    ("mbarrier full = 1", "mbarrier full = 2"),
    ("stream s", "stream t"),
    ("sync s", "sync t", "sync"),
    (".gpu", ".sys"),
)


# Tests of a size


def small_test(
    random: Random, flavour: str | None = None, least: int = 4, most: int = 600
) -> LitmusTest:
    """A random test that has some candidates, but no more than are gone through in little time."""
    while True:
        vary = flavour is None and random.random() < 0.25
        try:
            test = test_of(variation(random) if vary else litmus_test(random, flavour))
            size = candidates(test)
        except CatpyError:
            continue  # it is no PTX
        if least <= size <= most:
            return test
