"""The interfaces of matchers: a set of conditions, and one stream.

The interface is by stream and condition, not by rule: scopes, globs and repeat policy are applied to the answers,
because the paths of a tool call may become known in mid-stream and the answer is then about the whole text. So both one
automaton for all conditions and a search for each can implement it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct


class Match(Struct, frozen=True):
    """The part `start` to `end` of a stream's text that matches, found on its prefix of length `offset`. All
    in units.
    """

    start: int
    end: int
    offset: int

    @property
    def span(self) -> tuple[int, int]:
        """The matching part."""
        return self.start, self.end


class StreamMatcher(Protocol):
    """The text of one stream, in units, and the conditions that match it. Conditions are identified by their index."""

    @property
    def length(self) -> int:
        """The length of the text in units."""

    def append(self, units: str) -> bool:
        """Adds text to the stream. Returns whether `changed` has any condition."""

    def end(self) -> None:
        """Marks the end of the stream: later searches may take more steps."""

    def replace(self, units: str) -> bool:
        """Replaces the text. Returns whether it only grew, which is the same as appending the rest."""

    def prefix(self, length: int) -> str:
        """The first `length` units of the text."""

    @property
    def changed(self) -> Collection[int]:
        """The conditions for which the answer of `final_match` may have changed since the last call of
        `take_changed`.
        """

    def take_changed(self) -> Collection[int]:
        """Returns `changed` and empties it. The caller must remember conditions whose search did not finish."""

    @property
    def final_conditions(self) -> Collection[int]:
        """The conditions that are known to be final: `final_match` returns a match, or `match_at_end` does."""

    @property
    def conditions_at_end(self) -> frozenset[int]:
        """The other conditions for which `match_at_end` may return a match, or raise."""

    @property
    def unsettled(self) -> frozenset[int]:
        """The conditions that may have become final, which is not known yet. They will be in `changed` when they
        have."""

    @property
    def can_search(self) -> bool:
        """False if a call that raised `BudgetExhausted` would raise it again, because no steps are left now."""

    def final_match(self, condition: int) -> Match | None:
        """Returns the leftmost match on the shortest prefix of the text on which a match is final: no continuation can
        undo it.

        Raises `BudgetExhausted` while the answer is unknown, and `MatchLimitExceeded` when it takes too long.
        """

    def match_at_end(self, condition: int) -> Match | None:
        """Returns the match of `final_match`; without one, the leftmost match, as if the text ended here.

        Raises as `final_match` does.
        """
