"""How far an automaton may go."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one automaton; the defaults are for thousands of patterns on an ordinary machine."""

    items_per_pattern: int = 10_000
    """A pattern that would need more is approximated."""
    items_per_leaf: int = 512
    """From how many items on a leaf takes no further patterns."""
    parts_per_state: int = 12
    """How many states are joined to one."""
    cache_bytes: int = 48 * 1024 * 1024
    """How much memory the cached states may take, by estimate, before they are forgotten."""
