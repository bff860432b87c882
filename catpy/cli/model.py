"""The command `catpy model`: a model looked at without a test."""

from __future__ import annotations

import argparse
import sys

from catpy.cat.check import Checked, check
from catpy.cli.models import library, variants
from catpy.cli.status import Status
from catpy.errors import UsageError
from catpy.execution import surroundings
from catpy.report import model
from catpy.report.definitions import DEPENDENCIES, explain


def show_model(arguments: argparse.Namespace) -> Status:
    """Prints what was asked for; the exit status says whether the model can be run."""
    part = arguments.deps or arguments.explain or arguments.explain_all
    if part and arguments.format == "json":
        raise UsageError("--format json is for the whole report, without --deps and --explain")
    found = library(arguments).examine(arguments.file)
    checked = check(found, surroundings(), variants(arguments))
    sys.stdout.write(_report(arguments, checked))
    if part:
        # The output stays what was asked for: mistakes are said beside it.
        for error in checked.errors:
            print(error.render(), file=sys.stderr)
    return Status.ERROR if checked.errors else Status.OK


def _report(arguments: argparse.Namespace, checked: Checked) -> str:
    name = arguments.explain or arguments.explain_all
    if name:
        return explain(checked, name, deep=bool(arguments.explain_all))
    if arguments.deps:
        return DEPENDENCIES[arguments.deps](checked)
    return model.FORMS[arguments.format](checked)
