"""What is joined: states of leaves, and of several leaves together.

They live as long as the cache and are tens of thousands, while Python's collector of cycles stops everything to look
through all objects that it knows. So it is not told of them. That is safe because they refer to no state that may
refer to them: which state comes after which is in the tables of their machines, by number.
"""

from __future__ import annotations

from msgspec import Struct

_NAME_BYTES = 5


class State(Struct, eq=False, gc=False):
    """A state of one machine."""

    base: int
    """The number of the state times that of the machine's classes: the place of its transitions in the table."""
    name: bytes
    """Tells the state apart from all others that its machine ever made."""
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""


def named(number: int, classes: int) -> tuple[int, bytes]:
    """The `base` and the `name` of the state with a number, in a machine that tells apart so many classes."""
    return number * classes, number.to_bytes(_NAME_BYTES, "little")
