"""The states of leaves.

They live as long as the cache and are tens of thousands, while Python's collector of cycles stops everything to look
through all objects that it knows. So it is not told of them. That is safe because they refer to no state that may
refer to them: which state comes after which is in the tables of their leaves, by number.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct, defstruct
from msgspec.structs import astuple

_LEAF_BYTES = 3
_NUMBER_BYTES = 5


class State(Struct, frozen=True, eq=False, gc=False):
    """A state of one leaf, which has no other one of the same situation. Equal to itself alone."""

    name: bytes
    """Tells the state apart from all others that any leaf ever made. Names may be put beside each other."""

    leaf: int
    """The number of the leaf."""
    base: int
    """The number of the state times that of the leaf's own classes: the place of its transitions in the table."""
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""
    situation: Any
    """What the leaf's `Dynamics` know."""


def name_of(leaf: int, number: int) -> bytes:
    """The `name` of the state of a leaf with this number."""
    return leaf.to_bytes(_LEAF_BYTES, "little") + number.to_bytes(_NUMBER_BYTES, "little")


States = tuple[State, ...]
"""States of different leaves, in the order of these."""


class Kept(Struct, frozen=True, eq=False, gc=False):
    """Some states, to be kept: the collector has to look at each tuple, and at all that is in it, once."""


def kept(states: States) -> Kept:
    """Some states as one value."""
    return _kept_of(len(states))(*states)


def states_of(some: Kept) -> States:
    """The states again."""
    return astuple(some)


@cache
def _kept_of(count: int) -> type[Kept]:
    fields = [(f"state{index}", State) for index in range(count)]
    made = defstruct("Kept", fields, bases=(Kept,), frozen=True, eq=False, gc=False)
    assert issubclass(made, Kept)
    return made
