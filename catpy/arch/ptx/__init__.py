"""NVIDIA PTX: instructions, scopes, barriers. Knows no memory model.

`table` has a row for every instruction form, from the modules of `rows`, and `page` makes
`README.md` of it; `decode` reads a cell by it; `tags` names the sets of events. `machine` steps
through a thread; `context` is what an instruction may ask meanwhile, of its operands and of the way
to go on; `addressing` finds what it accesses, `events` adds its events, `semantics` and others say
which. `memory`, `placement` and `barriers` are what threads share; `calls`, `kernels` and `host`
are what the host does and orders.

A test is `decoded`, which makes its `initial_memory`; then it is executed, by `exploration`;
`program` is what the execution engines see of that.
"""

from catpy.arch.ptx.decoded import has_branches
from catpy.arch.ptx.program import VOCABULARY, build

__all__ = ["VOCABULARY", "build", "has_branches"]
