"""The choices of `rf` that lead to executions which a model allows, for looking at single ones.

The reference engine looks at these, in its own order; it is spared all others, which are many where
threads take loops and wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bitarray import bitarray

from catpy.execution.blocks.block import Block
from catpy.execution.blocks.flow import FlowSearch, Leaf, Sources, asked
from catpy.execution.blocks.supports import lacks_support
from catpy.execution.outcome import Values
from catpy.execution.search import Search
from catpy.execution.skeleton import Skeleton
from catpy.relation import Undecided
from catpy.relation.bounds import Bounds
from catpy.relation.sliced import Mask, bits, either


def possible_choices(
    skeleton: Skeleton, search: Search, is_wanted: Callable[[Values], bool] | None
) -> list[Sources] | None:
    """The sources of the reads in all executions of a control flow, in the order of `rf_choices`.

    Of those only that come to a state which is wanted, where that is asked. A few others may be
    among them. None where the model does not go into a formula, so that nothing is known.
    """
    try:
        question = None if lacks_support(skeleton) else asked(skeleton, search)
    except Undecided:
        return None
    if question is None:
        return []
    finder = _Finder(question, search, is_wanted=is_wanted)
    finder.run()
    ranks = {
        read: {write: rank for rank, write in enumerate(writes)}
        for read, writes in skeleton.sources().items()
    }
    return sorted(
        [*finder.found.values(), *finder.cyclic.values()],
        key=lambda sources: [rank[sources[read]] for read, rank in ranks.items()],
    )


@dataclass
class _Finder(FlowSearch):
    """Gathers choices of `rf` where the search over a control flow counts executions."""

    is_wanted: Callable[[Values], bool] | None = None
    found: dict[tuple[tuple[int, int], ...], Sources] = field(default_factory=dict)

    def accept(self, leaf: Leaf, bounds: Bounds) -> None:
        """Takes the lanes that come to a wanted state, and those in which the test is wrong."""
        skeleton = self.question.skeleton
        lanes: Mask | None = leaf.good
        if self.is_wanted is not None and skeleton.defect is None:
            leaf.values.compute_writes()
            lanes = None
            for state, mask in self.masks(leaf, bounds).items() if skeleton.ends else ():
                if self.is_wanted(state):
                    lanes = either(lanes, mask)
            for wrong, _ in leaf.values.defects:
                lanes = either(lanes, wrong)
        self._take(leaf.block, bits(lanes, leaf.block.width))

    def try_every(self, leaf: Leaf, lanes: bitarray, counted: bool) -> None:
        """Takes all these lanes: which of them have a witness, the reference engine finds out."""
        if counted:
            self._take(leaf.block, lanes)

    def _take(self, block: Block, lanes: bitarray) -> None:
        for sources in self.choices(block, lanes):
            self.found[tuple(sources.items())] = sources
