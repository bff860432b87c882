"""Several processes: the order of results, tests in parts, workers that die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from catpy.arch.program import Options
from catpy.batch.collect import TestFile
from catpy.batch.runner import Hands, Job, Result, Runner
from catpy.batch.work import Reply, Task, Terms, perform
from catpy.batch.workers import Crew, LocalCrew, Schedule
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Library
from catpy.errors import CatpyError
from catpy.execution import Verdict, run_test
from catpy.execution.outcome import join
from catpy.execution.search import Effort
from catpy.litmus import parse_test
from catpy.source import Source
from tests.batch.large import atomic_adds, endless
from tests.support import ISA, MODELS, load_model

NAMES = ("MP", "SB", "LB", "CoRR", "2+2W+fence.sc", "MP+rel+acq", "S", "R")


def terms(effort: Effort | None = None) -> Terms:
    return Terms("ptx", {"ptx": load_model("ptx")}, Settings(), effort or Effort())


def task_of(text: str, may_split: bool = False) -> Task:
    return Task(Source("t.litmus", text), "t", Options(), may_split)


def results(hands: Hands, files: list[Path], effort: Effort | None = None) -> list[Result]:
    runner = Runner(Library([MODELS]), "ptx", hands=hands, effort=effort or Effort())
    return list(runner.run([Job(TestFile(file)) for file in files]))


def shown(result: Result) -> object:
    if result.outcome is None:
        return str(result.error)
    return result.name, dict(result.outcome.executions), result.outcome.flags


def test_processes_give_what_one_gives_in_the_same_order(tmp_path: Path) -> None:
    bad = tmp_path / "bad.litmus"
    bad.write_text("PTX bad { } P0 { frobnicate; } exists (true)\n", encoding="utf-8")
    files = [ISA / f"{name}.litmus" for name in NAMES]
    files[2:2] = [bad, tmp_path / "missing.litmus"]
    alone = results(Hands(), files)
    together = results(Hands(2), files)
    assert [shown(result) for result in together] == [shown(result) for result in alone]
    assert [result.job.file.path for result in together] == files


class Instant(Crew):
    """Does tasks at once, in this process; `mishaps` says which of them go wrong, and how."""

    size = 2

    def __init__(self, mishaps: Callable[[Task, bool], Exception | None]) -> None:
        self._mishaps = mishaps
        self.log: list[str] = []

    def _do(self, task: Task, alone: bool) -> Future[Reply]:
        future: Future[Reply] = Future()
        problem = self._mishaps(task, alone)
        if problem is not None:
            future.set_exception(problem)
        elif task.may_split:
            future.set_result(Reply(task.stem, split=True))
        else:
            future.set_result(perform(terms(Effort(part=task.part, parts=task.parts)), task))
        return future

    def submit(self, task: Task) -> Future[Reply]:
        return self._do(task, False)

    def alone(self, task: Task) -> Future[Reply]:
        self.log.append("alone")
        return self._do(task, True)

    def renew(self) -> None:
        self.log.append("renew")

    def said(self, problem: BaseException) -> str:
        return f"the worker was lost: {problem}"

    def dismiss(self, at_once: bool) -> None:
        self.log.append("at once" if at_once else "dismiss")


def died(*_: object) -> Exception:
    return BrokenProcessPool("a process died")


def test_a_task_whose_process_dies_is_tried_again_alone() -> None:
    crew = Instant(lambda task, alone: None if alone or task.stem != "t3" else died())
    landed: list[int] = []
    tasks = [Task(Source("t", atomic_adds(2)), f"t{n}", Options()) for n in range(6)]
    replies = list(Schedule(crew, lambda index, reply: landed.append(index)).replies(tasks))
    assert [reply.error for reply in replies] == [None] * 6
    assert crew.log == ["alone", "renew", "dismiss"]
    assert sorted(landed) == list(range(6))


def test_a_task_that_kills_two_processes_is_reported_and_the_others_are_done() -> None:
    crew = Instant(lambda task, alone: died() if task.stem == "t1" else None)
    tasks = [Task(Source("t", atomic_adds(2)), f"t{n}", Options()) for n in range(4)]
    replies = list(Schedule(crew, lambda index, reply: None).replies(tasks))
    assert [reply.error is None for reply in replies] == [True, False, True, True]
    assert "died, twice" in str(replies[1].error)


def test_what_a_cluster_says_of_a_lost_worker_is_an_error_of_the_test() -> None:
    crew = Instant(lambda task, alone: RuntimeError("KilledWorker") if task.stem == "t0" else None)
    tasks = [Task(Source("t", atomic_adds(2)), f"t{n}", Options()) for n in range(2)]
    replies = list(Schedule(crew, lambda index, reply: None).replies(tasks))
    assert [str(reply.error) for reply in replies] == [
        "t: the worker was lost: KilledWorker",
        "None",
    ]


def test_parts_of_a_test_are_put_together() -> None:
    crew = Instant(lambda task, alone: None)
    texts = [atomic_adds(3), atomic_adds(4), atomic_adds(5)]
    replies = list(Schedule(crew, lambda *_: None).replies([task_of(t, True) for t in texts]))
    found = [reply.outcome for reply in replies]
    assert [len(outcome.executions) if outcome else 0 for outcome in found] == [6, 24, 120]


def test_a_part_that_fails_makes_the_whole_fail() -> None:
    crew = Instant(lambda task, alone: died() if task.part == 3 else None)
    replies = list(Schedule(crew, lambda *_: None).replies([task_of(atomic_adds(3), True)]))
    assert [str(reply.error) for reply in replies] == [
        "t.litmus: the process that ran this test died, twice (out of memory?)"
    ]


def test_nothing_to_do() -> None:
    crew = Instant(lambda task, alone: None)
    assert list(Schedule(crew, lambda *_: None).replies([])) == []
    assert crew.log == ["dismiss"]


def test_who_stops_reading_ends_the_work() -> None:
    crew = Instant(lambda task, alone: None)
    replies = Schedule(crew, lambda *_: None).replies([task_of(atomic_adds(2))] * 9)
    next(replies)
    replies.close()  # type: ignore[attr-defined]
    assert crew.log == ["at once"]


@contextmanager
def killer(times: int, pause: float) -> Iterator[None]:
    """Kills all processes that work for this one, some times, when they have worked a while."""

    def kill() -> None:
        for _ in range(times):
            while not multiprocessing.active_children():
                time.sleep(0.01)
            time.sleep(pause)
            for child in multiprocessing.active_children():
                if child.pid is not None:
                    os.kill(child.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    thread.join()


@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_worker_loses_its_test_only(tmp_path: Path, times: int) -> None:
    """The small tests are done long before; the endless one is tried twice, then reported."""
    small = [task_of(atomic_adds(3)) for _ in range(4)]
    large = task_of(endless(tmp_path).read_text(encoding="utf-8"))
    crew = LocalCrew(terms(Effort(timeout=4)), 2)
    with killer(times, 1.5):
        replies = list(Schedule(crew, lambda *_: None).replies([large, *small]))
    assert all(reply.outcome and len(reply.outcome.executions) == 6 for reply in replies[1:])
    first = replies[0]
    if times == 1:
        assert first.outcome is not None
        assert first.outcome.incomplete == "after 4 s"
    else:
        assert first.outcome is None
        assert isinstance(first.error, CatpyError)
        assert "died, twice" in str(first.error)


def test_a_large_test_is_searched_by_all_processes(tmp_path: Path) -> None:
    path = tmp_path / "adds.litmus"
    path.write_text(atomic_adds(7), encoding="utf-8")
    (whole,) = results(Hands(), [path], Effort("fast"))
    runner = Runner(Library([MODELS]), "sc", hands=Hands(2))
    (split,) = runner.run([Job(TestFile(path))])
    assert whole.outcome is not None
    assert split.outcome is not None
    assert split.outcome.executions == whole.outcome.executions


@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_what_one_process_gives() -> None:
    distributed = pytest.importorskip("distributed")
    files = [ISA / f"{name}.litmus" for name in NAMES]
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        found = results(Hands(cluster=cluster.scheduler_address), files)
    assert [shown(result) for result in found] == [shown(r) for r in results(Hands(), files)]


def test_a_cluster_that_is_not_there_is_an_error_of_the_call() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(CatpyError, match="`nowhere` is no address of a cluster"):
        results(Hands(cluster="nowhere"), [ISA / "MP.litmus"])


def test_parts_of_which_one_decides_are_decided() -> None:
    test, model = parse_test(Source("t", atomic_adds(4))), load_model("ptx")
    efforts = [Effort(first=True, part=part, parts=4) for part in range(4)]
    parts = [run_test(test, model, effort=effort) for effort in efforts]
    limited = [replace(part, incomplete="" if part.decided else "after 1 s") for part in parts]
    assert {part.decided for part in parts} == {True, False}
    assert join(limited).verdict is Verdict.OK
    assert join([replace(part, decided=False) for part in limited]).verdict is Verdict.INCOMPLETE
