"""`python -m catpy` and the script `catpy`: the command, with an interrupt quiet from the start."""

from __future__ import annotations

import signal
import sys
from types import FrameType


def run() -> int:
    """Runs the command and returns its exit status."""
    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _interrupt)
        from catpy.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Who asks for an end interrupts: what is finished is saved, and no process stays behind."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(run())
