"""The algebra of event sets and relations that everything stands on.

`algebra` is the protocol the cat evaluator is written against; `exact` is its form for one
candidate execution. Nothing in this package knows of models, tests or instructions.
"""

from catpy.relation.algebra import Algebra, EventSet, Relation, Truth
from catpy.relation.exact import ExactAlgebra, ExactEventSet, ExactRelation

__all__ = [
    "Algebra",
    "EventSet",
    "ExactAlgebra",
    "ExactEventSet",
    "ExactRelation",
    "Relation",
    "Truth",
]
