"""Measures catpy on this machine, all in one run, so that the numbers can be set in relation."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from catpy.arch.program import Options
from catpy.cat.check import check
from catpy.cat.loader import Library, Model
from catpy.execution import run_test, surroundings
from catpy.litmus import LitmusTest, parse_test
from catpy.source import Source

ROOT = Path(__file__).resolve().parent.parent
ISA = ROOT / "litmus" / "isa"
SMALL = ISA / "MP+rel+acq.litmus"
#: The tests of litmus/isa that take longer than all others together.
SLOW = {"SCperLoc+ring5+co", "SpinLock+acq+rel", "SpinLock+rlx"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="take the best of so many (5)")
    repeat = parser.parse_args().repeat
    library = Library([ROOT / "models"])
    models = {name: library.load(name) for name in ("sc", "tso", "ptx")}
    startup(repeat)
    checking(repeat)
    collection(models, repeat)
    families(models)


def best(repeat: int, action: Callable[[], object]) -> float:
    """The shortest time of some calls, in seconds."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def startup(repeat: int) -> None:
    """A whole command on one small test, beside an empty Python."""

    def call(*arguments: str) -> Callable[[], object]:
        command = [sys.executable, *arguments]
        return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)

    empty = best(repeat, call("-c", "pass"))
    whole = best(repeat, call("-m", "catpy", "run", str(SMALL)))
    print(f"start-up: {whole * 1e3:.0f} ms, {whole / empty:.1f} times an empty Python\n")


def checking(repeat: int) -> None:
    """A model of five hundred lines with its includes, read and checked."""
    text = (ROOT / "models" / "ptx.cat").read_text(encoding="utf-8")

    def read_and_check(path: str) -> None:
        check(Library([ROOT / "models"]).examine(path), surroundings())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.cat"
        path.write_text('include "cos.cat"\n' + text * 4, encoding="utf-8")
        lines = path.read_text(encoding="utf-8").count("\n")
        seconds = best(repeat, lambda: read_and_check(str(path)))
    print(f"a model of {lines} lines: read and checked in {seconds * 1e3:.0f} ms\n")


def collection(models: dict[str, Model], repeat: int) -> None:
    """The tests of litmus/isa but the slow ones, each read and run."""
    files = [path for path in sorted(ISA.glob("*.litmus")) if path.stem not in SLOW]
    print("litmus/isa       tests/s  parsing alone/s")

    def tests() -> list[LitmusTest]:
        return [parse_test(Source(str(p), p.read_text(encoding="utf-8"))) for p in files]

    parsing = best(min(repeat, 3), tests)
    for name, model in models.items():
        started = time.perf_counter()
        for test in tests():
            run_test(test, model)
        run = time.perf_counter() - started
        print(f"{name:15} {len(files) / run:8.0f} {len(files) / parsing:16.0f}")
    print()


def families(models: dict[str, Model]) -> None:
    """Tests of growing size, with the time of a candidate under each model."""
    print("family           model  executions  candidates  seconds  µs/candidate")
    for name, test in growing_tests():
        for model_name, model in models.items():
            started = time.perf_counter()
            outcome = run_test(test, model, Options())
            seconds = time.perf_counter() - started
            executions = outcome.positive + outcome.negative
            each = seconds / max(1, outcome.candidates) * 1e6
            print(
                f"{name:16} {model_name:5} {executions:11,} {outcome.candidates:11,}"
                f" {seconds:8.2f} {each:13.0f}"
            )


def growing_tests() -> Iterator[tuple[str, LitmusTest]]:
    for size in (2, 4, 5):
        yield f"SB ring {size}", ring(size)
    for size in (3, 4):
        writers = [[f"st.relaxed.gpu [x], {i}"] for i in range(1, size + 1)]
        reader = ["ld.relaxed.gpu r0, [x]", "ld.relaxed.gpu r1, [x]"]
        yield f"{size} writers + RR", of_threads([*writers, reader], f"{size}:r0=1")
    for size in (3, 4):
        yield f"{size} atomic adds", of_threads([["atom.add.gpu.u32 r0, [x], 1"]] * size, "x=1")
    pairs = [["ld.relaxed.gpu r0, [x]", "ld.relaxed.gpu r1, [y]"]] * 4
    yield (
        "IRIW 2w4r",
        of_threads([["st.relaxed.gpu [x], 1"], ["st.relaxed.gpu [y], 1"], *pairs], "2:r0=1"),
    )


def ring(size: int) -> LitmusTest:
    threads = [
        [
            f"st.relaxed.gpu [x{i}], 1",
            "fence.sc.gpu",
            f"ld.relaxed.gpu r0, [x{(i + 1) % size}]",
        ]
        for i in range(size)
    ]
    return of_threads(threads, " /\\ ".join(f"{i}:r0=0" for i in range(size)))


def of_threads(threads: list[list[str]], condition: str) -> LitmusTest:
    """A test of instruction lists, each in a CTA of its own."""
    blocks = [f"P{n}@cta {n},gpu 0 {{ {'; '.join(code)}; }}" for n, code in enumerate(threads)]
    text = "\n".join(["PTX bench { }", *blocks, f"exists ({condition})"])
    return parse_test(Source("<bench>", text))


if __name__ == "__main__":
    main()
