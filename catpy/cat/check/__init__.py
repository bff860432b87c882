"""What is wrong with a model, or strange in it, before any test is run.

`inference` evaluates expressions over kinds, `statements` walks through a model with it,
`definitions` says which definition each name means, `checker` puts it together. What is bound
before the model comes from outside, as `Surroundings`.
"""

from catpy.cat.check.checker import Checked, Surroundings, check
from catpy.cat.check.definitions import Definition, Definitions
from catpy.cat.check.diagnostics import Diagnostic, Severity
from catpy.cat.kinds import short

__all__ = [
    "Checked",
    "Definition",
    "Definitions",
    "Diagnostic",
    "Severity",
    "Surroundings",
    "check",
    "short",
]
