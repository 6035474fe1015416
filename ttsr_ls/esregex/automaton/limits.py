"""How far an automaton may go."""

from __future__ import annotations

from msgspec import Struct


class SpareWork:
    """What is left of `Limits.spare_work` while one automaton is put together."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Limits(Struct, frozen=True):
    """The bounds of one automaton; the defaults are for thousands of patterns on an ordinary machine."""

    items_per_pattern: int = 10_000
    """A pattern that would need more is approximated."""
    spare_work: int = 100_000
    """How many steps lowering may take beyond those that patterns of their lengths need. After that, only what is about
    as large as the source of a pattern is made of it."""
    items_per_leaf: int = 1024
    """From how many items on a leaf takes no further patterns."""
    parts_per_pattern: int = 8
    """Of how many parts a succession or conjunction may be made; one of more is a pattern like any other."""
    parts: int = 500
    """How many such parts there may be in all. Each is told again at each unit where it ends: that must not be felt."""
    roots: int = 40_000
    """How many states of all leaves are cached before they are forgotten. Python's collector of cycles looks through
    them, so that many more would be felt."""
    leaf_states: int = 20_000
    """The same of states of one leaf, of all leaves together."""
    states_per_leaf: int = 2_000
    """After how many more situations a leaf is looked at."""
    units_per_state: int = 20
    """A leaf that made them within fewer units each is moved out, and stepped without a cache."""
    leaves_alone: int = 32
    """How many leaves may be moved out. The patterns of further ones are given up."""
