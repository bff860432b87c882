"""`python -m catpy` and the script `catpy`: the command, with an interrupt quiet from the start."""

from __future__ import annotations

import sys


def run() -> int:
    """Runs the command and returns its exit status."""
    try:
        from catpy.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
