"""The search: depth first over blocks, each expanded, judged, and thinned out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from catpy.execution.blocks.block import Block
from catpy.execution.blocks.plan import Plan
from catpy.execution.blocks.question import Question
from catpy.execution.blocks.values import BlockValues
from catpy.relation.bounds import Bounds
from catpy.relation.sliced import Rows, union

#: A block is expanded until it has so many lanes, and split before it has more than `LARGEST`.
TARGET = 4096
LARGEST = 65536
#: A block of which less than this share lives is compressed.
_DENSITY = 0.25


@dataclass
class Judge:
    """Makes the checks of a question on blocks, as far as they can be made."""

    question: Question
    constants: dict[int, Rows]

    def bounds(
        self, block: Block, settled: int, open_pairs: Mapping[int, Rows] | None = None
    ) -> Bounds:
        """The bounds of a block; `open_pairs` may still come into unknowns, by index."""
        size = len(self.question.skeleton.events)
        upper = {
            unknown: union(block.rows[unknown], rows)
            for unknown, rows in (open_pairs or {}).items()
        }
        return Bounds(size, block.rows, settled, self.constants, upper)

    def judge(self, block: Block, bounds: Bounds) -> None:
        """Rejects the lanes that fail a demand in which something was touched."""
        for demand in self.question.demands:
            if demand.needs & block.touched:
                block.kill(bounds.fails(demand))
                if not block.living():
                    break
        block.touched = 0


@dataclass
class Explorer:
    """Takes the steps of a plan in every way that the demands leave.

    `pulse` is told how many lanes were looked at, and the share of the space that is covered; it
    may end the search by an exception. `prune` can reject more lanes of a block in between.
    """

    judge: Judge
    plan: Plan
    pulse: Callable[[int, float], None]
    prune: Callable[[Block, Bounds], None] = lambda block, bounds: None

    def leaves(self, start: Block, settled_then: int) -> Iterator[Block]:
        """The blocks that have taken all steps, with the lanes that live.

        `settled_then` are the unknowns that are settled once they have.
        """
        stack = [start]
        while stack:
            block = self._expanded(stack.pop(), stack)
            if block is None:
                continue
            self.pulse(block.width, self._covered(stack))
            block = self._checked(block, settled_then & ~self.plan.unsettled[block.step])
            if not block.living():
                continue
            if block.step < len(self.plan.steps):
                stack.append(self._thinned(block))
            else:
                yield block

    def _expanded(self, block: Block, stack: list[Block]) -> Block | None:
        """The block after as many steps as it has room for; what it has none for is stacked."""
        grown = False
        while block.step < len(self.plan.steps):
            step = self.plan.steps[block.step]
            if step.ways == 0:
                return None
            if step.ways > 1:
                if grown and block.width >= TARGET:
                    break
                if block.width > 1 and block.width * step.ways > LARGEST:
                    half = block.width // 2
                    stack.append(block.part(half, block.width))
                    block = block.part(0, half)
                    continue
                grown = True
            block = step.applied(block)
        return block

    def _checked(self, block: Block, settled: int) -> Block:
        question = self.judge.question
        if block.touched & question.rf.bit and question.skeleton.constraints:
            values = BlockValues(question.skeleton, block.rows[question.rf.index])
            block.kill(values.contradicted(question.skeleton.constraints))
            if not block.living():
                return block
            block = self._thinned(block)
        bounds = self.judge.bounds(block, settled, self.plan.open_pairs[block.step])
        self.judge.judge(block, bounds)
        if block.living() and block.step < len(self.plan.steps):
            self.prune(block, bounds)
        return block

    def _covered(self, stack: list[Block]) -> float:
        """The share of the space that is neither on the stack nor in the block at hand."""
        portions = self.plan.portions
        return 1.0 - sum(block.living() * portions[block.step] for block in stack)

    @staticmethod
    def _thinned(block: Block) -> Block:
        """The block without its dead lanes, where they are many."""
        if block.alive is None or block.living() >= block.width * _DENSITY:
            return block
        return block.compressed(block.alive)


def whole(plan: Plan) -> Block:
    """The block of the one candidate in which nothing is settled yet."""
    block = Block(1, list(plan.start))
    block.touched = (1 << len(plan.start)) - 1
    return block
