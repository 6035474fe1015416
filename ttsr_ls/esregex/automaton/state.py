"""The states of leaves.

They live as long as the cache and are tens of thousands, while Python's collector of cycles stops everything to look
through all objects that it knows. So it is not told of them. That is safe because they refer to no state that may
refer to them: which state comes after which is in the tables of their leaves, by number.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class State(Struct, frozen=True, eq=False, gc=False):
    """A state of one leaf, which has no other one of the same situation. Equal to itself alone."""

    leaf: int
    """The number of the leaf."""
    base: int
    """The number of the state times that of the leaf's own classes: the place of its transitions in the table."""
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""
    situation: Any
    """What the leaf's `Dynamics` know."""


States = tuple[State, ...]
"""States of different leaves, in the order of these. The collector forgets such a tuple when it first sees it."""
