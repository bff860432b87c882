"""Time and memory that a test may take."""

from __future__ import annotations

import gc
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_MEGABYTE = 2**20
#: More than any limit of the system can say.
_MOST = 2**62


class OutOfBudget(Exception):  # noqa: N818  (the search ends, and what it found counts)
    """A test took more time or memory than it may. The text says which."""


class Budget:
    """What a test may take from now on: `timeout` in seconds, `memory` in MB; None is no limit.

    Memory is what the process takes more than it has now. Of the time, so many seconds were `used`.
    `check` raises OutOfBudget where that is spent; engines call it all the time. Within `enforced`
    an alarm does so where nothing calls it for long (in the main thread), and memory that is
    asked for beyond the limit is refused.
    """

    def __init__(
        self, timeout: float | None = None, memory: int | None = None, used: float = 0.0
    ) -> None:
        self._timeout = timeout
        self._memory = memory
        self._left = None if timeout is None else max(timeout - used, 1e-6)
        self._deadline = None if self._left is None else time.monotonic() + self._left
        self._before = resident_memory() if memory is not None else 0

    def check(self) -> None:
        """Raises OutOfBudget where too much was taken."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise OutOfBudget(self._no_time)
        if self._memory is not None and resident_memory() - self._before > self._memory:
            raise OutOfBudget(self._no_memory)

    @property
    def _no_time(self) -> str:
        return f"after {self._timeout:g} s"

    @property
    def _no_memory(self) -> str:
        return f"at {self._memory} MB of memory"

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Runs its body within the limits."""
        try:
            with self._alarm(), self._refusal():
                yield
        except MemoryError:
            gc.collect()
            raise OutOfBudget(self._no_memory if self._memory else "out of memory") from None

    @contextmanager
    def _alarm(self) -> Iterator[None]:
        if self._left is None or not is_main_thread():
            yield
            return

        def ring(number: int, frame: FrameType | None) -> None:
            raise OutOfBudget(self._no_time)

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self._left)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @contextmanager
    def _refusal(self) -> Iterator[None]:
        # The limit is one for the whole process: other threads may be at other tests.
        if self._memory is None or not is_main_thread():
            yield
            return
        before = resource.getrlimit(resource.RLIMIT_AS)
        most = _address_space() + self._memory * _MEGABYTE
        most = min(most, _MOST)
        if before[1] != resource.RLIM_INFINITY:
            most = min(most, before[1])
        resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)


def is_main_thread() -> bool:
    """Whether signals come to the thread that asks."""
    return threading.current_thread() is threading.main_thread()


def resident_memory() -> int:
    """The memory that this process has now, in MB; where that is not told, the most it ever had."""
    pages = _statm()
    if pages is not None:
        return pages[1] * os.sysconf("SC_PAGE_SIZE") // _MEGABYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _address_space() -> int:
    """The size of the address space of this process, in bytes."""
    pages = _statm()
    return pages[0] * os.sysconf("SC_PAGE_SIZE") if pages is not None else 2**30


def _statm() -> list[int] | None:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return None
