"""Exit statuses."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What the command says by its exit status."""

    OK = 0  # ran, and everything expected held
    DIFFERS = 1  # ran, and an expectation of --check failed, or a diff found a difference
    ERROR = 2  # the call, a model or a test is wrong
    INCOMPLETE = 3  # a test came to its time or memory limit
    INTERRUPTED = 130  # by Ctrl-C; what was finished is printed and saved
    CLOSED_PIPE = 141  # nobody reads the output any more
