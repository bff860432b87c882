"""The algebra of event sets and relations that everything stands on.

`algebra` is the protocol the cat evaluator is written against; `exact` is its form for one
candidate execution, `symbolic` that for all of them by formula, over the nodes of a `graph`.
`sliced` has the operations on relations of whole blocks of candidates, `bounds` evaluates formulas
on a block. Nothing in this package knows of models, tests or instructions.
"""

from catpy.relation.algebra import Algebra, Elements, EventSet, Relation, Truth, Undecided
from catpy.relation.exact import ExactAlgebra, ExactEventSet, ExactRelation

__all__ = [
    "Algebra",
    "Elements",
    "EventSet",
    "ExactAlgebra",
    "ExactEventSet",
    "ExactRelation",
    "Relation",
    "Truth",
    "Undecided",
]
