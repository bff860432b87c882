"""Measures catpy on this machine, all in one run, so that the numbers can be set in relation.

Each test of `families.py` is run by the whole command, in a process of its own, and by both engines
in another one; the reference engine where it is done in some seconds. A count that differs from
what is known, or between the engines, is an error, and so is a target that is missed (exit status
1). With `--against` the block engine of another checkout is measured beside that of this one, case
by case; where it cannot do a case, there is no ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from families import Case, cases

from catpy.arch.program import Options
from catpy.cat.check import check
from catpy.cat.loader import Library
from catpy.execution import run_test, surroundings
from catpy.execution.search import Effort, Progress
from catpy.litmus import parse_test
from catpy.source import Source

ROOT = Path(__file__).resolve().parent.parent
ISA = ROOT / "litmus" / "isa"
SMALL = ISA / "MP+rel+acq.litmus"


#: Where the reference engine takes longer than this, in seconds, the other one has to be 20 times
#: as fast. In less time both mostly read the test and the model.
_MUCH = 0.1


@dataclass(frozen=True)
class Measured:
    """What was found for a case. Times are in seconds, `memory` the peak of the command in MB."""

    executions: int
    states: int
    blocks: int
    command: float
    memory: int
    fast: float
    naive: float
    #: Whether the reference engine came to its end, or was ended after `naive` seconds.
    is_whole: bool

    @property
    def ratio(self) -> float:
        """How much faster the block engine is, at least."""
        return self.naive / self.fast


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", metavar="TEXT", default="", help="families with this in the name")
    parser.add_argument("--naive", metavar="S", type=float, default=5, help="its time limit (5)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="keep the numbers")
    parser.add_argument("--compare", metavar="FILE", type=Path, help="set them against kept ones")
    parser.add_argument(
        "--against", metavar="FOLDER", type=Path, help="set them against a checkout"
    )
    parser.add_argument("--engines", metavar="JSON", help=argparse.SUPPRESS)
    parser.add_argument("--checkout", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.naive <= 0:
        parser.error("--naive takes a number of seconds")
    if not any(arguments.only in case.family for case in cases()):
        parser.error(f"no family has `{arguments.only}` in its name")
    if arguments.against and not (arguments.against / "catpy").is_dir():
        parser.error(f"{arguments.against} is no checkout")
    if arguments.engines:
        case = json.loads(arguments.engines)
        print(json.dumps(engines(case, arguments.naive, arguments.checkout)))
        return 0
    try:
        before = json.loads(arguments.compare.read_text("utf-8")) if arguments.compare else {}
        if arguments.save:
            arguments.save.touch()
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    if not arguments.only:
        whole_commands()
    found, problems = families(arguments.only, arguments.naive, before, arguments.against)
    if arguments.save:
        kept = {name: asdict(measured) for name, measured in found.items()}
        arguments.save.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for text in problems:
        print(text, file=sys.stderr)
    return 1 if problems else 0


# Whole commands


def run(arguments: Sequence[str]) -> tuple[float, int]:
    """The seconds that a command takes, and its peak memory in MB."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=said, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            sys.stderr.buffer.write(said.read())
            raise SystemExit(f"{' '.join(arguments)} ends with {process.returncode}")
    unit = 1024 if sys.platform != "darwin" else 2**20
    return time.perf_counter() - started, usage.ru_maxrss // unit


def catpy(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "catpy", *arguments]


def best(repeat: int, action: Callable[[], object]) -> float:
    """The shortest time of some calls, in seconds."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def whole_commands() -> None:
    print(
        f"{os.cpu_count()} processors, {platform.machine()}, Python {platform.python_version()}\n"
    )
    empty = best(5, lambda: run([sys.executable, "-c", "pass"]))
    small = best(5, lambda: run(catpy("run", str(SMALL))))
    print(f"start-up: {small * 1e3:.0f} ms, {small / empty:.1f} times an empty Python")
    print(f"a model of 500 lines: read and checked in {_long_model() * 1e3:.0f} ms")
    tests = len(list(ISA.glob("*.litmus")))
    for model in ("ptx", "sc", "tso"):
        one, _ = run(catpy("run", "-m", model, str(ISA)))
        two, _ = run(catpy("run", "-m", model, "-j", "2", str(ISA)))
        slow, _ = run(catpy("run", "-m", model, "--engine", "naive", "--timeout", "2", *_quick()))
        fast, _ = run(catpy("run", "-m", model, *_quick()))
        print(
            f"litmus/isa, {model}: {one:.1f} s for {tests} tests, {two:.1f} s by two processes; "
            f"the {len(_quick())} smaller ones: {fast:.1f} s, naive {slow:.1f} s"
        )
    print()


def _quick() -> list[str]:
    """The tests of litmus/isa that the reference engine is quick at."""
    slow = ("SCperLoc+ring", "SpinLock")
    return [str(path) for path in sorted(ISA.glob("*.litmus")) if not path.stem.startswith(slow)]


def _long_model() -> float:
    text = (ROOT / "models" / "ptx.cat").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.cat"
        path.write_text('include "cos.cat"\n' + text * 4, encoding="utf-8")
        library = [ROOT / "models"]
        return best(3, lambda: check(Library(library).examine(str(path)), surroundings()))


# Families


def families(
    only: str,
    limit: float,
    before: Mapping[str, Mapping[str, float]],
    against: Path | None = None,
) -> tuple[dict[str, Measured], list[str]]:
    """Measures the cases and prints a table; what is found, and what is wrong with it."""
    found: dict[str, Measured] = {}
    problems: list[str] = []
    header = "test            model  executions     states  blocks   command  target   MB"
    print(f"{header}      fast     naive    ratio{'   before' if before or against else ''}")
    for case in cases():
        if only not in case.family:
            continue
        measured = measure(case, limit)
        key = " ".join((case.name, case.model, *case.options))
        found[key] = measured
        problems += _problems(case, key, measured)
        partner = before.get(key) if against is None else _by_engines(case, _NO_TIME, against)
        print(_line(case, measured, partner), flush=True)
    return found, problems


#: For the reference engine, where only the other one is measured.
_NO_TIME = 1e-6


def measure(case: Case, limit: float) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.litmus"
        path.write_text(case.text, encoding="utf-8")
        arguments = catpy("run", "-m", case.model, "--format", "table", *case.options, str(path))
        command, memory = run(arguments)
    inside = _by_engines(case, limit, ROOT)
    if inside is None:
        raise SystemExit(f"{case.name} under {case.model} cannot be run")
    return Measured(command=command, memory=memory, **inside)


def _by_engines(case: Case, limit: float, checkout: Path) -> dict[str, Any] | None:
    """What the engines of a checkout find, in a process of its own; None where they cannot."""
    script = [sys.executable, __file__, "--naive", str(limit), "--checkout", str(checkout)]
    script += ["--engines", json.dumps(asdict(case))]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    errors = None if checkout == ROOT else subprocess.DEVNULL
    done = subprocess.run(script, stdout=subprocess.PIPE, stderr=errors, env=environment)
    return json.loads(done.stdout) if done.returncode == 0 else None


def engines(fields: dict[str, object], limit: float, checkout: Path) -> dict[str, object]:
    """What both engines find for a case, in this process."""
    fields["options"] = tuple(fields["options"])  # type: ignore[arg-type]
    case = Case(**fields)  # type: ignore[arg-type]
    model = Library([checkout / "models"]).load(case.model)
    test = parse_test(Source("case", case.text))
    given = dict(pairwise(case.options))
    options = Options(int(given.get("--unroll", 2)))
    if "--spin" in given:  # an earlier checkout may not have it
        options = replace(options, spin=int(given["--spin"]))
    states_only = "--states-only" in case.options
    blocks = 0

    def count(progress: Progress) -> None:
        nonlocal blocks
        blocks += 1

    fast = run_test(test, model, options, effort=Effort(states_only=states_only), tick=count)
    seconds = fast.time
    if seconds < 0.1:  # the first run of a process has more to do than to search
        quick = Effort(states_only=states_only)
        seconds = min(run_test(test, model, options, effort=quick).time for _ in range(5))
    effort = Effort("naive", states_only, timeout=limit)
    naive = run_test(test, model, options, effort=effort)
    is_whole = not naive.incomplete
    if is_whole and naive.executions != fast.executions:
        raise SystemExit(f"{case.name} under {case.model}: the engines do not agree")
    return {
        "executions": sum(fast.executions.values()),
        "states": len(fast.executions),
        "blocks": blocks,
        "fast": seconds,
        "naive": naive.time,
        "is_whole": is_whole,
    }


def _problems(case: Case, key: str, measured: Measured) -> Iterator[str]:
    counted = measured.executions
    if case.executions is not None and counted != case.executions:
        yield f"{key}: {counted} executions, but there are {case.executions}"
    if case.seconds is not None and measured.command > case.seconds:
        yield f"{key}: {measured.command:.2f} s, the target is {case.seconds} s"
    if measured.memory > 500:
        yield f"{key}: {measured.memory} MB, the target is 500 MB"
    if measured.is_whole and measured.naive > _MUCH and measured.ratio < 20:
        yield f"{key}: {measured.ratio:.0f} times as fast as naive, the target is 20"


def _line(case: Case, measured: Measured, before: Mapping[str, Any] | None) -> str:
    target = f"{case.seconds:.1f}" if case.seconds else "-"
    naive = f"{'' if measured.is_whole else '>'}{measured.naive:.3f}"
    ratio = f"{'' if measured.is_whole else '>'}{measured.ratio:.1f}"
    line = (
        f"{case.name:16}{case.model:5}{measured.executions:12,}{measured.states:11,}"
        f"{measured.blocks:8,}{measured.command:10.2f}{target:>8}{measured.memory:5}"
        f"{measured.fast:10.4f}{naive:>10}{ratio:>9}"
    )
    return line + (f"{before['fast'] / measured.fast:9.2f}" if before else "")


if __name__ == "__main__":
    sys.exit(main())
