"""The functions of the language itself. One function with the decorator is one primitive.

It takes the operators of the present algebra, its argument (a tuple where cat passes several) and
the argument's place, and raises ModelError where the argument is of a wrong kind. Beside it stands
what kind its result is of, given that of the argument, for the checks that are made before a test.
"""

from catpy.cat.primitives import classes, orders, refused, relations, tags
from catpy.cat.primitives.registry import EXTENSIONS, PRIMITIVES

__all__ = ["EXTENSIONS", "PRIMITIVES", "classes", "orders", "refused", "relations", "tags"]
