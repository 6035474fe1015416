"""How far an automaton may go."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """The bounds of one automaton; the defaults are for thousands of patterns on an ordinary machine."""

    items_per_pattern: int = 10_000
    """A pattern that would need more is approximated."""
    items_per_leaf: int = 1024
    """From how many items on a leaf takes no further patterns."""
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
