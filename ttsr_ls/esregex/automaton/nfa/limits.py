"""The limits of one automaton."""

from __future__ import annotations

from msgspec import Struct


class SpareWork:
    """The remaining part of `Limits.spare_work` while an automaton is built."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Limits(Struct, frozen=True):
    """The limits of one automaton. The defaults suit thousands of patterns on an ordinary machine."""

    items_per_pattern: int = 10_000
    """A pattern that would need more is approximated."""
    spare_work: int = 100_000
    """How many steps lowering may take beyond those that the lengths of the patterns allow. After that, a pattern is
    lowered to about the size of its source."""
    items_per_group: int = 1024
    """A group with this many items takes no further patterns."""
    patterns_per_group: int = 64
    """A group with this many patterns takes no further ones."""
    lookaround_patterns_per_group: int = 8
    """The same for patterns with lookarounds of more than one unit. A step of such a group is never interrupted."""
    parts_per_pattern: int = 8
    """How many parts a succession or conjunction may have. With more, it is matched as an ordinary pattern."""
    parts: int = 500
    """How many such parts there may be in all. Each is reported at every unit where it ends, which must stay cheap."""
    states: int = 20_000
    """How many states of all groups are cached before the least recently extended cache is emptied."""
    states_per_group: int = 2_000
    """A group is checked each time it has built this many more states."""
    units_per_state: int = 20
    """A group that built these states for fewer units each is stepped without a cache."""
    uncached_groups: int = 32
    """How many groups may be stepped without a cache. The patterns of further ones are disabled."""
    doubtful: int = 16
    """How many patterns may be doubtful on a stream because the start of a match is unknown."""
    like_factors: int = 8
    """How many patterns with the same factors have groups of their own."""
    factor_bits: float = 8.0
    """A factor that is expected more often than once in 2 to this power units is not searched for."""
    kept_units: int = 512
    """How many units of a stream are kept to start matching before the end of a factor."""
    kept_chunks: int = 16
    """The greatest number of chunks in which these units are kept."""
    fused_tables: int = 4_000
    """How many tables of fused states there may be before they are evicted."""
    feed_work: int = 1 << 60
    """How much work one feed may take beyond look-ups; a unit of work is about a microsecond. Groups that need more are
    deferred: they read these units with later ones."""
    end_work: int = 1 << 60
    """The same for all deferred groups at the end of a stream. The patterns of groups that need more are disabled."""
    deferred_units: int = 1 << 60
    """How many units groups may be behind. Beyond that, those of the group that took the most work are disabled."""
