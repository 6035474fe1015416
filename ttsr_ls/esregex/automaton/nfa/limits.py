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
    """How many steps lowering may take beyond those that patterns of their lengths need. After that, only what is about
    as large as the source of a pattern is made of it."""
    items_per_group: int = 1024
    """From how many items on a group takes no further patterns."""
    patterns_per_group: int = 64
    """The same of patterns."""
    looking_per_group: int = 8
    """The same of patterns with lookarounds of more than a unit. A step of such a group is never interrupted."""
    parts_per_pattern: int = 8
    """Of how many parts a succession or conjunction may be made; one of more is a pattern like any other."""
    parts: int = 500
    """How many such parts there may be in all. Each is reported again at each unit where it ends: that must not be
    felt."""
    states: int = 20_000
    """How many states of all groups are cached before those are forgotten that were made longest ago."""
    states_per_group: int = 2_000
    """After how many more states a group is looked at."""
    units_per_state: int = 20
    """A group that made them within fewer units each is stepped without a cache."""
    uncached_groups: int = 32
    """How many groups may be stepped without a cache. The patterns of further ones are given up."""
    doubtful: int = 16
    """How many patterns may be in doubt on a stream because it is not known where a match starts."""
    like_factors: int = 8
    """How many patterns with the same factors are matched one by one."""
    factor_bits: float = 8.0
    """A factor that is expected more often than once in 2 to this power units is not looked for."""
    kept_units: int = 512
    """How many units of a stream are kept to start matching before the end of a factor."""
    kept_chunks: int = 16
    """In how many chunks they are kept at the most."""
    fused_tables: int = 2_000
    """How many tables of fused states there may be before they are forgotten."""
    feed_work: int = 1 << 60
    """How much work the units may take that are fed at once, beyond look-ups; one is about a microsecond. Groups that
    need more are deferred: they read these units with later ones."""
    end_work: int = 1 << 60
    """The same for all that is deferred at the end of a stream. Patterns of groups that need more are given up."""
    deferred_units: int = 1 << 60
    """How many units groups may be behind. Where it would be more, the group that took the most work is given up."""
