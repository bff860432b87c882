"""Tasks on several processes, of this machine or of a cluster, through `concurrent.futures`.

A process that dies takes down with it all that its pool was doing, and nobody knows which task it
was. So all of them are tried once more, each in a process of its own: a task that kills that one
too is reported, the others have lost nothing but time.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from catpy.batch.work import (
    Reply,
    Task,
    Terms,
    allow_deep_nesting,
    pack,
    perform_packed,
)
from catpy.errors import CatpyError, UsageError
from catpy.execution.limits import is_main_thread
from catpy.execution.outcome import join


class Crew(ABC):
    """Those who do tasks: `size` of them at a time."""

    size: int

    @abstractmethod
    def submit(self, task: Task) -> Future[Reply]: ...

    @abstractmethod
    def alone(self, task: Task) -> Future[Reply]:
        """Does a task where it can harm no other."""

    @abstractmethod
    def renew(self) -> None:
        """Replaces those who died."""

    def said(self, problem: BaseException) -> str:
        """What a problem of a worker means, that is none of the test's."""
        raise problem

    @abstractmethod
    def dismiss(self, at_once: bool) -> None:
        """Ends; `at_once` whatever is being done."""


class _Pool(ProcessPoolExecutor):
    """Processes that are started when there is work for them.

    An interrupt waits until one that is being started is known: it could not be ended before, and
    would complain of what this process had put away.
    """

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        with _undisturbed():
            return super().submit(work, *arguments, **named)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Puts off what signals that end a run do."""
    came: list[int] = []
    numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    before = {n: signal.getsignal(n) for n in numbers if n is not None} if is_main_thread() else {}
    handled = {n: handler for n, handler in before.items() if callable(handler)}
    try:
        for number in handled:
            signal.signal(number, lambda number, frame: came.append(number))
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


class LocalCrew(Crew):
    """Processes of this machine."""

    def __init__(self, terms: Terms, size: int) -> None:
        self.size = size
        self._terms = pack(terms)
        self._context = _context()
        self._strangers = set(multiprocessing.active_children())
        self._pool = self._new_pool(size)

    def _new_pool(self, size: int) -> Executor:
        return _Pool(size, self._context, initializer=_serve)

    def submit(self, task: Task) -> Future[Reply]:
        return self._pool.submit(perform_packed, self._terms, task)

    def alone(self, task: Task) -> Future[Reply]:
        pool = self._new_pool(1)
        future = pool.submit(perform_packed, self._terms, task)
        pool.shutdown(wait=False)  # once that is done
        return future

    def renew(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool(self.size)

    def dismiss(self, at_once: bool) -> None:
        if at_once:
            _end(self._pool, self._strangers)
        else:
            self._pool.shutdown(cancel_futures=True)


@contextmanager
def processes(number: int, begin: Callable[..., None], *arguments: object) -> Iterator[Executor]:
    """So many processes of this machine, each of which first calls `begin` with the arguments.

    An exception ends them whatever they are doing.
    """
    context = _context()
    strangers = set(multiprocessing.active_children())
    pool = _Pool(number, context, _serve_with, (begin, arguments))
    try:
        yield pool
    except BaseException:
        _end(pool, strangers)
        raise
    pool.shutdown()


def _context() -> BaseContext:
    """How processes are started."""
    methods = multiprocessing.get_all_start_methods()
    # Not `fork`: progress is shown by a thread.
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(["catpy.batch.work"])
        _start_server()
    return context


#: Seconds that a pool whose processes were killed gets to put its things away. It can hang there
#: where a task was half sent; where it is not waited for, it can complain when this process ends.
_PATIENCE = 2.0

#: The address of a cluster: what comes to nothing with others is better not begun.
_ADDRESS = re.compile(r"(?:tcp|tls|ws|wss|ucx)://.+:\d+|inproc://.+")


def _end(pool: Executor, strangers: Set[BaseProcess]) -> None:
    """Ends a pool whatever it is doing, and all processes but the strangers."""
    for child in set(multiprocessing.active_children()) - strangers:
        child.kill()
    ending = threading.Thread(
        target=pool.shutdown, kwargs={"wait": True, "cancel_futures": True}, daemon=True
    )
    ending.start()
    ending.join(_PATIENCE)


def _start_server() -> None:
    """Starts the server that workers are forked from; it and they leave Ctrl-C to this process."""
    if not is_main_thread():
        forkserver.ensure_running()
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


def _serve() -> None:
    """Leaves Ctrl-C to the process that asked, which ends this one; ends where that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _serve_with(begin: Callable[..., None], arguments: Sequence[object]) -> None:
    """Begins a worker of `processes`."""
    _serve()
    allow_deep_nesting()
    begin(*arguments)


class ClusterCrew(Crew):
    """The workers of a Dask cluster, which have catpy installed."""

    def __init__(self, terms: Terms, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            hint = "pip install 'catpy-litmus[cluster]'"
            raise UsageError("--cluster needs the package `distributed`", hint=hint) from None
        if not _ADDRESS.fullmatch(address):
            hint = "as `tcp://127.0.0.1:8786`"
            raise UsageError(f"`{address}` is no address of a cluster", hint=hint)
        try:
            self._client: Any = Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as problem:
            raise UsageError(f"cannot reach the cluster at {address}: {problem}") from None
        self.size = max(1, sum(self._client.ncores().values()))
        self._executor: Any = self._client.get_executor(pure=False)
        # Sent to every machine once; the executor puts it in the place of its handle.
        self._terms = self._client.scatter(pack(terms), broadcast=True)

    def submit(self, task: Task) -> Future[Reply]:
        future: Future[Reply] = self._executor.submit(perform_packed, self._terms, task)
        return future

    def alone(self, task: Task) -> Future[Reply]:
        return self.submit(task)

    def renew(self) -> None:
        """The cluster does so itself."""

    def said(self, problem: BaseException) -> str:
        return f"the cluster lost its worker: {problem or type(problem).__name__}"

    def dismiss(self, at_once: bool) -> None:
        self._executor.shutdown(wait=not at_once)
        self._client.close()


def crew_for(terms: Terms, processes: int, cluster: str | None) -> Crew:
    """The workers of the cluster at an address, or so many processes of this machine."""
    return LocalCrew(terms, processes) if cluster is None else ClusterCrew(terms, cluster)


@dataclass(frozen=True)
class _Ticket:
    """A task that is being done; `index` is its place in the input."""

    index: int
    task: Task
    is_second_try: bool = False


class Schedule:
    """Has a crew do tasks. Replies come in the order of the tasks.

    `landed` is given each reply as soon as it is there, with the index of its task.
    """

    def __init__(self, crew: Crew, landed: Callable[[int, Reply], None]) -> None:
        self._crew = crew
        self._landed = landed
        self._under_way: dict[Future[Reply], _Ticket] = {}
        self._again: deque[_Ticket] = deque()
        self._is_broken = False
        self._parts: deque[_Ticket] = deque()
        self._partial: dict[int, list[Reply | None]] = {}
        self._replies: dict[int, Reply] = {}

    def replies(self, tasks: Iterable[Task | Reply]) -> Iterator[Reply]:
        """The replies to tasks, in order; what is a reply already is passed on in its place."""
        tickets = self._tickets(tasks)
        following, finished = 0, False
        try:
            while True:
                more = self._send(tickets)
                self._receive()
                while following in self._replies:
                    yield self._replies.pop(following)
                    following += 1
                if not (more or self._under_way or self._again or self._parts):
                    break
            finished = True
        finally:
            self._crew.dismiss(at_once=not finished)

    def _tickets(self, tasks: Iterable[Task | Reply]) -> Iterator[_Ticket]:
        for index, task in enumerate(tasks):
            if isinstance(task, Task):
                yield _Ticket(index, task)
            else:
                self._finish(index, task)

    def _send(self, tickets: Iterator[_Ticket]) -> bool:
        """Has as much under way as there are hands, and some more; whether there was any left."""
        while self._again and len(self._under_way) < self._crew.size:
            second = self._again.popleft()
            self._under_way[self._crew.alone(second.task)] = second
        if self._again or (self._is_broken and self._under_way):
            return True
        if self._is_broken:
            self._crew.renew()
            self._is_broken = False
        while len(self._under_way) < 2 * self._crew.size:
            ticket = self._parts.popleft() if self._parts else next(tickets, None)
            if ticket is None:
                return False
            try:
                self._under_way[self._crew.submit(ticket.task)] = ticket
            except BrokenExecutor:
                self._is_broken = True
                self._again.append(ticket)
                break
        return True

    def _receive(self) -> None:
        """Waits for what is done next."""
        done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
        for future in done:
            ticket = self._under_way.pop(future)
            problem = future.exception()
            if problem is None:
                self._take(ticket, future.result())
            elif isinstance(problem, BrokenExecutor):
                self._is_broken |= not ticket.is_second_try
                self._retry(ticket)
            else:
                self._take(ticket, _lost(ticket, self._crew.said(problem)))

    def _retry(self, ticket: _Ticket) -> None:
        if ticket.is_second_try:
            message = "the process that ran this test died, twice (out of memory?)"
            self._take(ticket, _lost(ticket, message))
        else:
            self._again.append(replace(ticket, is_second_try=True))

    def _take(self, ticket: _Ticket, reply: Reply) -> None:
        if reply.split:
            self._share_out(ticket, reply.spent)
        elif ticket.task.parts > 1:
            self._take_part(ticket, reply)
        else:
            self._finish(ticket.index, reply)

    def _share_out(self, ticket: _Ticket, spent: float) -> None:
        parts = 4 * self._crew.size
        self._partial[ticket.index] = [None] * parts
        begun = time.time() - spent
        for part in range(parts):
            task = replace(ticket.task, may_split=False, part=part, parts=parts, begun=begun)
            self._parts.append(_Ticket(ticket.index, task))

    def _take_part(self, ticket: _Ticket, reply: Reply) -> None:
        partial = self._partial[ticket.index]
        partial[ticket.task.part] = reply
        found = [part for part in partial if part is not None]
        if len(found) < len(partial):
            return
        outcomes = [part.outcome for part in found if part.outcome is not None]
        whole = next((part for part in found if part.error is not None), None)
        self._finish(ticket.index, whole or replace(reply, outcome=join(outcomes)))

    def _finish(self, index: int, reply: Reply) -> None:
        self._replies[index] = reply
        self._landed(index, reply)


def _lost(ticket: _Ticket, message: str) -> Reply:
    return Reply(ticket.task.stem, error=CatpyError(f"{ticket.task.source.name}: {message}"))
