"""The command `catpy`: parses arguments, calls, and turns what goes wrong into a message."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from catpy.batch.work import allow_deep_nesting
from catpy.cli.arguments import parse
from catpy.cli.commands import COMMANDS
from catpy.cli.run import complain
from catpy.cli.status import Status
from catpy.errors import CatpyError

__all__ = ["guarded", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""

    def command() -> Status:
        parsed = parse(arguments)
        return COMMANDS[parsed.command](parsed)

    return guarded(command)


def guarded(command: Callable[[], Status]) -> int:
    """Runs a command and returns its exit status; what goes wrong in it becomes a message."""
    _prepare_streams()
    allow_deep_nesting()
    try:
        status = command()
        sys.stdout.flush()
        return status
    except CatpyError as problem:
        complain([problem])
        return Status.ERROR
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    except BrokenPipeError:
        # Whatever is still buffered goes nowhere, and Python must not complain of it at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Status.CLOSED_PIPE
    except OSError as problem:
        with suppress(OSError):
            print(f"error: cannot write the output: {problem.strerror}", file=sys.stderr)
            sys.stderr.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Status.ERROR


def _prepare_streams() -> None:
    """Makes sure that there is an output, and that no character can be one too odd for it."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
