"""The interfaces of matchers: conditions ready to be matched, and one stream.

The interface is by stream and condition, not by rule: scopes, globs and repeat policy are applied to the answers,
because the paths of a tool call may become known in mid-stream and the answer is then about the whole text. So one
automaton for all conditions can stand behind it as well as a search for each.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct


class Match(Struct, frozen=True):
    """The part `start` to `end` of a stream's text that matches, found on its prefix `offset` long; all in units."""

    start: int
    end: int
    offset: int

    @property
    def span(self) -> tuple[int, int]:
        """The part that matches."""
        return self.start, self.end


class StreamMatcher(Protocol):
    """The text of one stream, in units, and which conditions match it. Conditions are named by their index."""

    @property
    def length(self) -> int:
        """The length of the text in units."""

    def append(self, units: str) -> None:
        """Adds text to the stream."""

    def end(self) -> None:
        """No more text comes; questions may still be asked, and may take longer."""

    def replace(self, units: str) -> bool:
        """The text is another one now; says whether it only grew, which is as if the rest had been appended."""

    def prefix(self, length: int) -> str:
        """The first `length` units of the text."""

    @property
    def changed(self) -> Collection[int]:
        """The conditions of which `final_match` may answer otherwise than before `take_changed` was called last."""

    def take_changed(self) -> Collection[int]:
        """Those of `changed`, of which none is left then. A question that was not answered has to be remembered."""

    @property
    def final_conditions(self) -> Collection[int]:
        """The conditions that are known to be final: `final_match` gives a match, or `match_at_end`."""

    @property
    def conditions_at_end(self) -> frozenset[int]:
        """The conditions, beside those, of which `match_at_end` may give a match, or raise."""

    def final_match(self, condition: int) -> Match | None:
        """The leftmost match on the least prefix of the text on which one is final: no continuation can undo it.

        Raises `BudgetExhausted` when the answer is not known yet, and `MatchLimitExceeded` when it takes too long.
        """

    def match_at_end(self, condition: int) -> Match | None:
        """The match of `final_match`; without one, the leftmost match of the text, taken to end where it ends now.

        Raises as `final_match` does.
        """
