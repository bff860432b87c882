"""What an engine works on, how, and where it puts what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from catpy.arch.program import Program
from catpy.cat.interpreter import Settings
from catpy.cat.loader import Model
from catpy.execution.finals import Observer
from catpy.execution.tally import Tally

if TYPE_CHECKING:
    from catpy.execution.blocks.question import Question


@dataclass(frozen=True, slots=True)
class Effort:
    """How a search is made, and how far it goes. `engine` is a name in `execution.run.ENGINES`.

    With `states_only` executions are not counted; with `first` the search ends once the condition
    is decided. `timeout` (seconds) and `memory` (MB) are limits for a test. A search can be made in
    `parts` that are joined later (`catpy.execution.outcome.join`): this is the one of index `part`.
    """

    engine: str = "fast"
    states_only: bool = False
    first: bool = False
    timeout: float | None = None
    memory: int | None = None
    part: int = 0
    parts: int = 1
    #: A search that takes more seconds of processor time than this raises TooLarge: it had better
    #: be made in parts. (By wall time, all tests would be where a machine is busy.)
    split_after: float | None = None
    #: Seconds of the timeout that were used on this test before.
    used: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: candidates looked at, executions found, share of the space covered."""

    candidates: int = 0
    executions: int = 0
    share: float = 0.0


@dataclass(frozen=True)
class Search:
    """The search for the executions of a test under a model.

    An engine calls `pulse` all the time, with the number of candidates it looked at since and the
    share of the present control flow that it has covered. A pulse may end the search by an
    exception. `ask` gives what the model asks of the present control flow (`blocks.question.ask`),
    which is found out once.
    """

    program: Program
    model: Model
    settings: Settings
    effort: Effort
    observer: Observer
    tally: Tally
    pulse: Callable[[int, float], None]
    ask: Callable[[], Question | None]
