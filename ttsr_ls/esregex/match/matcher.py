"""The interface of all matchers of a compiled pattern, and their limits.

Knows no implementation (`compile.compile_pattern` chooses one).
"""

from __future__ import annotations

from typing import Protocol

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.program.budget import StepBudget
from ttsr_ls.text import Span

STEP_LIMIT = 1_000_000
"""How many steps one search may take: about a second on a slow machine."""

TIME_LIMIT = 0.25
"""How many seconds a search of `regex` may take. Then it is repeated in counted steps, with the same result."""


class Matcher(Protocol):
    """Finds a pattern in a text. Immutable after its first use, and safe to share between threads."""

    def search(self, units: str, start: int = 0) -> Span | None:
        r"""Returns the leftmost match that begins at `start` or later, as `RegExp.prototype.exec` finds it; None
        without one.

        `units` is a unit text (see `units.to_units`); `start`, at most its length, and the span count its units. An
        empty span is a match too. `^`, `\b` and lookbehinds see the text before `start`. Raises `MatchLimitExceeded`
        when the search takes too many steps.
        """
        ...

    def test(self, units: str) -> bool:
        """Returns whether the pattern matches anywhere in `units`. Raises `MatchLimitExceeded` when the search takes
        too many steps."""
        ...

    def with_budget(self, budget: StepBudget) -> Matcher:
        """Returns the same matcher, whose searches also end when `budget` is used up. Both share the compiled
        pattern.
        """
        ...


class RefusingMatcher:
    """The matcher of a pattern that is too large to be compiled."""

    __slots__ = ()

    def search(self, units: str, start: int = 0) -> Span | None:
        """Raises `MatchLimitExceeded`."""
        raise MatchLimitExceeded("The pattern is too large to be matched")

    def test(self, units: str) -> bool:
        """Raises `MatchLimitExceeded`."""
        return self.search(units) is not None

    def with_budget(self, budget: StepBudget) -> RefusingMatcher:
        return self
