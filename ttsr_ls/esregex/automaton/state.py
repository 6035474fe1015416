"""What is joined: states of leaves, and of several leaves together.

They live as long as the cache and are tens of thousands, while Python's collector of cycles stops everything to look
through all objects that it knows. So it is not told of them. That is safe because they refer to no state that may
refer to them: which state comes after which is in the tables of their machines, by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct, defstruct
from msgspec.structs import astuple

_NAME_BYTES = 5


class State(Struct, frozen=True, eq=False, gc=False):
    """A state of one machine."""

    base: int
    """The number of the state times that of the machine's classes: the place of its transitions in the table."""
    name: bytes
    """Tells the state apart from all others that its machine ever made."""
    signals: tuple[int, ...]
    """What is told of the unit that led here (see `signals`)."""


class Parts(Struct, frozen=True, eq=False, gc=False):
    """Some states, as a tuple would hold them; but the collector has to look at each tuple once."""


def together(states: Sequence[State]) -> Parts:
    """Some states as one value."""
    return _parts_of(len(states))(*states)


def apart(parts: Parts) -> tuple[State, ...]:
    """The states again."""
    return astuple(parts)


@cache
def _parts_of(count: int) -> type[Parts]:
    fields = [(f"state{index}", State) for index in range(count)]
    made = defstruct("Parts", fields, bases=(Parts,), frozen=True, eq=False, gc=False)
    assert issubclass(made, Parts)
    return made


def named(number: int, classes: int) -> tuple[int, bytes]:
    """The `base` and the `name` of the state with a number, in a machine that tells apart so many classes."""
    return number * classes, number.to_bytes(_NAME_BYTES, "little")
