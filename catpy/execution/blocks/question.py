"""What a model asks of the candidates of one control flow: the model run once, by formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from catpy.cat.interpreter import Interpreter, Names, Run, Settings
from catpy.cat.loader import Model
from catpy.cat.values import Value
from catpy.errors import ModelError, TestError
from catpy.execution.skeleton import Bound, Skeleton
from catpy.relation import Undecided
from catpy.relation.bounds import Bounds
from catpy.relation.graph import FALSE, Formula, Graph, Node, Unknown
from catpy.relation.sliced import Rows
from catpy.relation.symbolic import SymbolicAlgebra, SymbolicRelation


@dataclass(frozen=True, slots=True)
class Sources:
    """Domain of `rf`: for each read one of the writes it can read from."""

    writes: dict[int, list[int]]


@dataclass(frozen=True, slots=True)
class SameValues:
    """Domain of `value:same`, which follows from `rf`."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Domain of a relation that the witnesses of a joint choice give: the one of `name` in each."""

    name: str


@dataclass(frozen=True)
class Question:
    """What has to hold of a candidate (`demands`), what it raises, and where its final state is.

    `unknowns` are all relations that candidates differ in, by index. An execution is told from
    others by `rf` and those that `with` chose (`chosen`); of the `witnesses` any that fits will do.
    """

    skeleton: Skeleton
    unknowns: tuple[Unknown, ...]
    rf: Unknown
    chosen: tuple[Unknown, ...]
    witnesses: tuple[Unknown, ...]
    same_values: Unknown | None
    demands: tuple[Formula, ...]
    flags: tuple[tuple[str, Formula], ...]
    coherence: Node | None


def ask(skeleton: Skeleton, model: Model, settings: Settings) -> Question | None:
    """The question of a model; None where it allows no candidate of this control flow at all.

    Raises Undecided where the model does not go into a formula, or where it is wrong: which mistake
    matters depends on the candidate then.
    """
    algebra = SymbolicAlgebra(skeleton.algebra)
    rf = algebra.graph.unknown(Sources(skeleton.sources()))
    same: list[Unknown] = []

    def same_values() -> SymbolicRelation:
        same.append(algebra.graph.unknown(SameValues()))
        return algebra.related(same[0])

    names: Names = {"rf": algebra.related(rf), "value:same": same_values}
    try:
        interpreter = Interpreter(model, algebra, _shared_names(skeleton, algebra), settings)
        run = _only_run(interpreter, names)
        if run is None:
            return None
        coherence = _coherence(interpreter, run)
    except (ModelError, TestError) as problem:
        raise Undecided from problem
    chosen = _unknowns_of(run.choices)
    joint = [u for u in algebra.graph.unknowns if isinstance(u.domain, Alternatives)]
    witnesses = [*joint, *_unknowns_of(run.witnesses)]
    demands = _demands(run, [*chosen, *witnesses])
    if FALSE in demands:
        return None
    return Question(
        skeleton,
        tuple(algebra.graph.unknowns),
        rf,
        tuple(chosen),
        tuple(witnesses),
        same[0] if same else None,
        tuple(demands),
        tuple(run.flags),
        coherence,
    )


def _only_run(interpreter: Interpreter, names: Names) -> Run | None:
    """The way through the model; None where nothing lives through it."""
    runs = list(interpreter.run(names))
    if len(runs) > 1:
        raise Undecided  # elements of an arbitrary set
    return runs[0] if runs else None


def _coherence(interpreter: Interpreter, run: Run) -> Node | None:
    coherence = interpreter.relation(run, "co")
    if coherence is None:
        return None
    assert isinstance(coherence, SymbolicRelation)
    if coherence.node.perhaps_universal:
        raise Undecided
    return coherence.node


def _demands(run: Run, unknowns: Iterable[Unknown]) -> list[Formula]:
    """What the checks of a run demand, and what is demanded of its unknowns.

    (Other unknowns were made on ways through the model that ended.)
    """
    demands = [*run.alive.conjuncts()]
    for unknown in unknowns:
        demands += unknown.condition.conjuncts()
    return demands


def may_raise(flag: str, skeleton: Skeleton, asked: Callable[[], Question | None]) -> bool:
    """Whether a flag is possible for a control flow, as far as that is soon known.

    `asked` gives what the model asks of it, as `ask` does.
    """
    try:
        question = asked()
    except Undecided:
        return True
    if question is None or skeleton.is_cut:
        return False
    nothing: list[Rows] = [{} for _ in question.unknowns]
    bounds = Bounds(len(skeleton.events), nothing, 0, {})
    return any(
        bounds.truth(formula)[1] is not None for name, formula in question.flags if name == flag
    )


def any_candidate(skeleton: Skeleton) -> Question:
    """The question that no model asks anything in."""
    rf = Graph(skeleton.algebra).unknown(Sources(skeleton.sources()))
    return Question(skeleton, (rf,), rf, (), (), None, (), (), None)


def _lifted(algebra: SymbolicAlgebra, value: Bound) -> Value:
    return algebra.lifted(value() if callable(value) else value)


def _shared_names(skeleton: Skeleton, algebra: SymbolicAlgebra) -> Names:
    """What is the same in all candidates of the control flow, and what its witnesses give."""
    lifted = {name: partial(_lifted, algebra, value) for name, value in skeleton.names().items()}
    return {**lifted, **_witness_names(skeleton, algebra)}


def _witness_names(skeleton: Skeleton, algebra: SymbolicAlgebra) -> Names:
    """What the joint choice relates besides: known, or one of several."""
    found = skeleton.witnesses()
    if len(found) == 1:
        return {name: algebra.lifted(value) for name, value in found[0].items()}
    names = dict.fromkeys(name for witness in found for name in witness)
    return {name: algebra.related(algebra.graph.unknown(Alternatives(name))) for name in names}


def _unknowns_of(choices: tuple[Value, ...]) -> list[Unknown]:
    """The unknowns that the choices of a run are made of: one each, or a union of several."""
    found: list[Unknown] = []
    todo = [choice.node for choice in choices if isinstance(choice, SymbolicRelation)]
    while todo:
        node = todo.pop()
        if node.unknown is not None:
            found.append(node.unknown)
        todo += node.arguments
    return found
