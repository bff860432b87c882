"""Tests that take long, in any number."""

from __future__ import annotations

from pathlib import Path


def atomic_adds(number: int, name: str = "adds") -> str:
    """`number` threads that each add to one location: number! executions, as many states."""
    threads = [
        f"P{n}@cta {n},gpu 0 {{ atom.add.relaxed.gpu.u32 r0, [x], 1; }}" for n in range(number)
    ]
    registers = " /\\ ".join(f"{n}:r0={n}" for n in range(number))
    return "\n".join([f"PTX {name} {{ x=0; }}", *threads, f"exists ({registers})"]) + "\n"


def endless(folder: Path, name: str = "endless") -> Path:
    """A test that no machine gets through."""
    path = folder / f"{name}.litmus"
    path.write_text(atomic_adds(14, name), encoding="utf-8")
    return path


def many_readers(folder: Path, number: int = 11) -> Path:
    """Two writers and many who read both places: as many states as executions, 4^number in PTX."""
    readers = range(2, 2 + number)
    threads = [f"P{n}@cta {n},gpu 0 {{ st.relaxed.gpu [{x}], 1; }}" for n, x in enumerate("xy")]
    threads += [
        f"P{n}@cta {n},gpu 0 {{ ld.relaxed.gpu r0, [x]; ld.relaxed.gpu r1, [y]; }}" for n in readers
    ]
    shown = " /\\ ".join(f"{n}:r0=1 /\\ {n}:r1=0" for n in readers)
    path = folder / "many.litmus"
    path.write_text("\n".join(["PTX many { }", *threads, f"exists ({shown})"]), encoding="utf-8")
    return path


def many_writers(folder: Path, number: int = 12) -> Path:
    """Writers of one place and one who reads it: number! executions and more, but few states."""
    threads = [f"P{n}@cta {n},gpu 0 {{ st.relaxed.gpu [x], {n}; }}" for n in range(number)]
    threads.append(f"P{number}@cta {number},gpu 0 {{ ld.relaxed.gpu r0, [x]; }}")
    path = folder / "writers.litmus"
    condition = f"exists ({number}:r0=1)"
    path.write_text("\n".join(["PTX writers { }", *threads, condition]), encoding="utf-8")
    return path
