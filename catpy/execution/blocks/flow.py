"""The block engine: the executions of one control flow, thousands of candidates at a time.

The model is run once, by formula (`question`). The search settles `rf` and what `with` chooses step
by step (`plan`, `block`), depth first over blocks (`explore`); checks are made on what is certain
so far (`catpy.relation.bounds`). In a complete block values come first (`values`), then a witness
for what `some` chooses: edges forced by the checks and a greedy order (`fatal`, `greedy`). Lanes
for which that order does not do, or for which the witness makes a difference to states or flags,
try every witness (`_Every`).

Candidates whose values depend on themselves go to the reference engine, one by one; and so does the
whole control flow where the model does not go into a formula (`catpy.relation.symbolic` says when).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import factorial, prod

from bitarray import bitarray
from bitarray.util import zeros

from catpy.errors import TestError
from catpy.execution import naive
from catpy.execution.blocks.block import Block
from catpy.execution.blocks.explore import Explorer, Judge, whole
from catpy.execution.blocks.greedy import Guess
from catpy.execution.blocks.plan import plan_executions, plan_witnesses
from catpy.execution.blocks.question import Question, any_candidate
from catpy.execution.blocks.states import StateReader
from catpy.execution.blocks.supports import lacks_support
from catpy.execution.blocks.values import BlockValues
from catpy.execution.outcome import Values
from catpy.execution.search import Search
from catpy.execution.skeleton import Skeleton
from catpy.execution.valuation import rf_choices
from catpy.relation import Undecided, sliced
from catpy.relation.bounds import Bounds
from catpy.relation.sliced import Mask, Rows, bits, both, either, inverse, without

Sources = dict[int, int]


def count_flow(skeleton: Skeleton, search: Search) -> None:
    """Adds the executions of one control flow to the tally of a search."""
    if lacks_support(skeleton):
        return
    if _is_tiny(skeleton):
        naive.count_flow(skeleton, search)
        return
    try:
        question = asked(skeleton, search)
    except Undecided:
        naive.count_flow(skeleton, search)
        return
    if question is None:
        return
    flow = FlowSearch(question, search)
    flow.run()
    naive.count_choices(skeleton, flow.cyclic.values(), search)


#: With so few candidates the reference engine is as fast. They are looked at one by one to find
#: that out only where there cannot be many.
FEW = 2
_NOT_MANY = 64

#: So many candidates are looked at before the model is asked.
_PREVIEW = 20_000

#: Where a flag is possible, the witnesses of so many lanes are tried at first.
_A_FEW_LANES = 8


def _is_tiny(skeleton: Skeleton) -> bool:
    """Whether there are few candidates, whatever orders of writes and of fences a model chooses."""
    own = [event for event in skeleton.events if event.thread is not None]
    groups = Counter(event.location for event in own if event.is_write or not event.location)
    orders = prod(map(factorial, groups.values()))
    space = orders * prod(map(len, skeleton.sources().values()))
    return space <= _NOT_MANY and orders * len(list(rf_choices(skeleton))) <= FEW


def asked(skeleton: Skeleton, search: Search) -> Question | None:
    """What the model asks of a control flow; None where that has no execution.

    Raises Undecided where the model does not go into a formula.
    """
    return search.ask() if _may_be_possible(skeleton, search) else None


class _Enough(Exception):  # noqa: N818  (no error: the model will be quicker)
    """So many candidates were looked at without a model as it is worth."""


def _may_be_possible(skeleton: Skeleton, search: Search) -> bool:
    """Whether some choice of `rf` gives the values by which the threads took their ways.

    Most control flows have none, and are done with before the model is run on them. Where that is
    not soon known, the demands of the model help: the answer is yes.
    """
    if not skeleton.constraints:
        return True
    looked_at = 0

    def pulse(candidates: int, share: float) -> None:
        nonlocal looked_at
        search.pulse(candidates, 0.0)
        looked_at += candidates
        if looked_at > _PREVIEW:
            raise _Enough

    question = any_candidate(skeleton)
    plan = plan_executions(question)
    try:
        return any(Explorer(Judge(question, {}), plan, pulse).leaves(whole(plan), 1))
    except _Enough:
        return True


@dataclass
class Leaf:
    """A complete block: what is known of it, and the lanes that are still good."""

    block: Block
    values: BlockValues
    good: Mask


@dataclass
class FlowSearch:
    """The search over one control flow; what it finds is added to the tally of `search`.

    `cyclic` gathers the choices of `rf` under which a value depends on itself and that no check has
    rejected: none of their executions is counted here.
    """

    question: Question
    search: Search
    cyclic: dict[tuple[tuple[int, int], ...], Sources] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._skeleton = self.question.skeleton
        self.tally = self.search.tally
        self._reader = StateReader(self._skeleton, self.search.observer)
        self._judge = Judge(self.question, {})
        self._everything = (1 << len(self.question.unknowns)) - 1
        self._witnesses = plan_witnesses(self.question)
        self._open = self._witnesses.unsettled[0]
        same = self.question.same_values
        self._derived = same.bit if same is not None else 0

    def run(self) -> None:
        """Counts all executions."""
        effort = self.search.effort
        plan = plan_executions(self.question, effort.part, effort.parts)
        start = whole(plan)
        for index, rows in enumerate(self._witnesses.start):
            start.rows[index] = start.rows[index] or rows
        settled = self._everything & ~self._open & ~self._derived
        explorer = Explorer(self._judge, plan, self.search.pulse)
        if self._may_prune:
            explorer.prune = self._drop_known_states
        for block in explorer.leaves(start, settled):
            self._complete(block)

    @property
    def _may_prune(self) -> bool:
        """Whether a candidate does not matter whose state is known.

        States have to follow from `rf`, so that none of memory may be looked at.
        """
        sensible = self._skeleton.ends and self._skeleton.defect is None
        plain = not self._reader.places and not self.search.observer.filters
        return self.search.effort.states_only and sensible and plain

    def _drop_known_states(self, block: Block, bounds: Bounds) -> None:
        """Rejects the lanes whose state is known and that can raise no flag that is not."""
        if not bounds.is_settled(self.question.rf.node) or block.good is None:
            return
        values = BlockValues(self._skeleton, block.rows[self.question.rf.index])
        values.contradicted(self._skeleton.constraints)
        values.compute_writes()
        states = self._reader.masks(values, None, block.good)
        needed: Mask | None = values.open_lanes()
        for lanes, _ in values.defects:
            needed = either(needed, lanes)
        for name, formula in self.question.flags:
            if name not in self.tally.flags:
                needed = either(needed, bounds.truth(formula)[1])
        for state, lanes in states.items():
            if state in self.tally.states:
                block.kill(without(lanes, needed))

    def _pulse_inside(self, lanes: int, share: float) -> None:
        self.search.pulse(lanes, 0.0)

    # Complete blocks

    def bounds(self, block: Block) -> Bounds:
        """What is known of a block in which all is settled."""
        return self._judge.bounds(block, self._everything)

    def _complete(self, block: Block) -> None:
        values = BlockValues(self._skeleton, block.rows[self.question.rf.index])
        values.contradicted(self._skeleton.constraints)  # for what is not known there
        good = block.good
        depending = both(good, values.open_lanes())
        if depending is not None:
            self._set_aside(block, bits(depending, block.width))
            good = without(good, depending)
        if good is None:
            return
        block.alive = None if good is True else good
        if self.question.same_values is not None:
            block.rows[self.question.same_values.index] = values.same()
            block.touched = self._derived
            settled = self._everything & ~self._open
            self._judge.judge(block, self._judge.bounds(block, settled))
        if block.good is None:
            return
        leaf = Leaf(block, values, block.good)
        if self._open:
            self._witnessed(leaf)
        else:
            self.accept(leaf, self.bounds(block))

    def _set_aside(self, block: Block, lanes: bitarray) -> None:
        for found in self.choices(block, lanes):
            self.cyclic[tuple(found.items())] = found

    def choices(self, block: Block, lanes: bitarray) -> Iterator[Sources]:
        """The choices of `rf` in some lanes: the source of each read.

        Reads are in the order of the reference engine: which one it tries values for depends on it.
        """
        sources = inverse(block.rows[self.question.rf.index])
        for lane in lanes.search(1):
            yield {
                read: next(w for w, mask in sources[read].items() if mask is True or mask[lane])
                for read in sorted(sources)
            }

    def accept(self, leaf: Leaf, bounds: Bounds) -> None:
        """Counts executions that are allowed; all is settled in `bounds`."""
        self.admit(leaf, bounds)
        if not self._skeleton.ends:
            number = sliced.count(leaf.good, leaf.block.width)
            self.tally.add_unfinished(self._skeleton, number)
            return
        coherence = self._coherence(bounds)
        counts = self._reader.counted(leaf.values, coherence, leaf.good, leaf.block.width)
        self._check_defects(leaf)  # registers can have values of their own
        self.tally.add(counts)

    def admit(self, leaf: Leaf, bounds: Bounds) -> None:
        """Takes note of what executions that are allowed raise: faults of the test, and flags."""
        self._check_defects(leaf)
        if not self._skeleton.is_cut:
            self._raise_flags(leaf.good, bounds)

    def states(self, leaf: Leaf, bounds: Bounds) -> Mapping[Values, Mask]:
        """The final states of executions that are allowed, each with its lanes."""
        masks = self.masks(leaf, bounds)
        self._check_defects(leaf)  # registers can have values of their own
        return masks

    def masks(self, leaf: Leaf, bounds: Bounds) -> Mapping[Values, Mask]:
        """The final states of a complete block, whatever is wrong in it, each with its lanes."""
        return self._reader.masks(leaf.values, self._coherence(bounds), leaf.good)

    def _coherence(self, bounds: Bounds) -> Rows | None:
        node = self.question.coherence
        return bounds.lower(node) if node is not None and self._reader.places else None

    def _check_defects(self, leaf: Leaf) -> None:
        """Raises TestError where an execution that is allowed makes no sense."""
        if self._skeleton.defect is not None:
            raise TestError(*self._skeleton.defect)
        leaf.values.compute_writes()
        for lanes, defect in leaf.values.defects:
            if both(lanes, leaf.good) is not None:
                raise TestError(*defect)

    def _raise_flags(self, good: Mask, bounds: Bounds) -> None:
        for name, formula in self.question.flags:
            if name not in self.tally.flags:
                certain, _ = bounds.truth(formula)
                if both(certain, good) is not None:
                    self.tally.flags.add(name)

    # Witnesses

    def _witnessed(self, leaf: Leaf) -> None:
        """Finds out which lanes have a witness, and counts those."""
        block = leaf.block
        guess = Guess(self._judge, self._witnesses, self._open, block)
        trial = Block(block.width, guess.rows, alive=block.alive, touched=self._open)
        bounds = self.bounds(trial)
        self._judge.judge(trial, bounds)
        fits = trial.good
        undecided = without(without(leaf.good, fits), guess.impossible)
        if self._skeleton.ends:
            undecided = either(undecided, both(fits, guess.open_finals(self._last_writes())))
            fits = without(fits, undecided)
        if fits is not None:
            self.accept(Leaf(trial, leaf.values, fits), bounds)
        if undecided is not None:
            self.try_every(leaf, bits(undecided, block.width), counted=True)
        if fits is not None and not self._skeleton.is_cut:
            self._look_for_flags(leaf, fits, guess)

    def _last_writes(self) -> list[list[int]]:
        return [self._skeleton.last_writes(place) for place in self._reader.places]

    def _look_for_flags(self, leaf: Leaf, fits: Mask, guess: Guess) -> None:
        """Tries the witnesses of lanes that may raise a flag which no lane has raised so far."""
        rest, some = bits(fits, leaf.block.width), _A_FEW_LANES
        while True:
            rest = bits(both(rest, self._may_flag(guess)), leaf.block.width)
            if not rest.any():
                return
            few = zeros(leaf.block.width, "little")
            few[list(islice(rest.search(1), some))] = True
            self.try_every(leaf, few, counted=False)
            rest &= ~few
            some *= 4

    def _may_flag(self, guess: Guess) -> Mask | None:
        lanes: Mask | None = None
        for name, formula in self.question.flags:
            if name not in self.tally.flags and formula.needs & self._open:
                lanes = either(lanes, guess.may_hold(formula))
        return lanes

    def try_every(self, leaf: Leaf, lanes: bitarray, counted: bool) -> None:
        block = leaf.block.compressed(lanes)
        every = _Every(self, block.width, counted)
        block.step, block.touched, block.ranks = 0, self._open, {}
        block.origins = list(range(block.width))
        explorer = Explorer(self._judge, self._witnesses, self._pulse_inside)
        for complete in explorer.leaves(block, self._everything):
            every.add(complete)
        every.finish()


class _Every:
    """Executions of which every witness is looked at: each counts once all the same."""

    def __init__(self, search: FlowSearch, width: int, counted: bool) -> None:
        self._search = search
        self._counted = counted
        self._allowed = bitarray(width)
        self._allowed.setall(False)
        self._states: dict[Values, set[int]] = {}

    def add(self, block: Block) -> None:
        """Takes note of lanes with a witness that fits."""
        search = self._search
        question, skeleton = search.question, search.question.skeleton
        good = block.good
        assert good is not None
        assert block.origins is not None
        origins = block.origins
        leaf = Leaf(block, BlockValues(skeleton, block.rows[question.rf.index]), good)
        leaf.values.contradicted(skeleton.constraints)
        for lane in bits(good, block.width).search(1):
            self._allowed[origins[lane]] = True
        bounds = search.bounds(block)
        search.admit(leaf, bounds)
        if not skeleton.ends or not self._counted:
            return
        for state, mask in search.states(leaf, bounds).items():
            lanes = bits(mask, block.width).search(1)
            self._states.setdefault(state, set()).update(origins[lane] for lane in lanes)

    def finish(self) -> None:
        """Counts the executions."""
        if not self._counted:
            return
        tally, skeleton = self._search.tally, self._search.question.skeleton
        if skeleton.ends:
            tally.add({state: len(origins) for state, origins in self._states.items()})
        else:
            tally.add_unfinished(skeleton, self._allowed.count())
