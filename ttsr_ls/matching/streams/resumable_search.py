"""An exact search that may take several deltas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ttsr_ls.esregex.program.budget import SearchSteps, StepBudget

_Answer = TypeVar("_Answer")


class ResumableSearch(Generic[_Answer]):
    """A search in progress, and the number of its steps so far, including `before`."""

    __slots__ = ("__weakref__", "_budget", "_make", "_search", "spent")

    def __init__(
        self,
        make: Callable[[StepBudget], SearchSteps[_Answer]],
        before: int = 0,
        discarded: list[set[Any]] | None = None,
    ) -> None:
        """`discarded` collects the states of finished searches (see `StepBudget`)."""
        self._make = make
        self._budget = StepBudget(discarded=discarded)
        self._search = make(self._budget)
        self.spent = before

    def restart(self) -> None:
        """Discards the progress of the search."""
        self._budget = StepBudget(discarded=self._budget.discarded)
        self._search = self._make(self._budget)
        self.spent = 0

    def advance(self, steps: int) -> tuple[_Answer] | None:
        """Continues for `steps` steps. Returns the answer, None if it is still unknown. Raises `MatchLimitExceeded`."""
        self._budget.left = steps
        try:
            next(self._search)
        except StopIteration as ended:
            answer: _Answer = ended.value
            return (answer,)
        finally:
            self.spent += steps - self._budget.left
        return None
