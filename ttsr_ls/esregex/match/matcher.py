"""What every matcher of a compiled pattern offers, and how far it may go.

Owns the interface and the bounds; knows no implementation (`compile.compile_pattern` chooses one).
"""

from __future__ import annotations

from typing import Protocol

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.text import Span

STEP_LIMIT = 1_000_000
"""How many steps one search may take; about a second of a slow machine."""

TIME_LIMIT = 0.25
"""After how many seconds of the `regex` package a search is left to one in steps, which gives the same answer."""


class Matcher(Protocol):
    """Finds a pattern in a text. Immutable after its first use, and safe to share between threads."""

    def search(self, units: str, start: int = 0) -> Span | None:
        """The leftmost match that begins at `start` or after it, as `RegExp.prototype.exec` finds it.

        `units` is a unit text (see `units.to_units`); `start`, at most its length, and the span count its units. An
        empty span is a match, too: compare with None. What stands before `start` is seen by `^`, `\\b` and lookbehinds.
        Raises `MatchLimitExceeded` when the search takes too many steps.
        """
        ...

    def test(self, units: str) -> bool:
        """Whether the pattern matches anywhere in `units`; raises `MatchLimitExceeded` after too many steps."""
        ...

    def sharing(self, budget: StepBudget) -> Matcher:
        """The same matcher, whose searches also end when `budget` is used up. What it is made of is made once."""
        ...


class RefusingMatcher:
    """Stands for the matcher of a pattern that is too large to be compiled."""

    __slots__ = ()

    def search(self, units: str, start: int = 0) -> Span | None:
        """Raises `MatchLimitExceeded`."""
        raise MatchLimitExceeded("The pattern is too large to be matched")

    def test(self, units: str) -> bool:
        """Raises `MatchLimitExceeded`."""
        return self.search(units) is not None

    def sharing(self, budget: StepBudget) -> RefusingMatcher:
        return self
