"""The forms in which `catpy run` prints what it found: one line here is one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from catpy.execution import Outcome
from catpy.report.grid import summary
from catpy.report.herd import herd_log
from catpy.report.table import Table, to_json

#: Logs: the text of each test, printed as soon as it is its turn.
LOGS: Mapping[str, Callable[[Outcome], str]] = {"herd": herd_log}

#: Tables: the text of all tests, printed at the end.
TABLES: Mapping[str, Callable[[Table], str]] = {"table": summary, "json": to_json}
