"""Enforces the request limits of a turn, and reports each limit that is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttsr_ls.session.history.request_limits import RequestLimits
from ttsr_ls.session.lifecycle.request_budget import ReachedLimit, RequestBudget


class TurnLimits:
    """The limits of the current turn. `report` records a limit that was reached, and shows it to the user."""

    __slots__ = ("_budget", "_ended_by", "_report")

    def __init__(self, limits: RequestLimits, features: Iterable[str], report: Callable[[ReachedLimit], None]) -> None:
        self._budget = RequestBudget(limits, features)
        self._report = report
        self._ended_by: ReachedLimit | None = None

    @property
    def exhausted(self) -> frozenset[str]:
        """The features that may not request another retry in this turn."""
        return self._budget.exhausted

    @property
    def requests_made(self) -> int | None:
        """The number of requests after which the limit ended the turn; None if the limit was not reached."""
        return None if self._ended_by is None else self._ended_by.requests

    def start_turn(self) -> None:
        """Resets the counts at the start of a turn."""
        self._budget.start_turn()
        self._ended_by = None

    def allow_request(self) -> bool:
        """Counts the next request and returns whether the limit allows it."""
        self._ended_by = self._budget.spend_request()
        return self._report_unless_free(self._ended_by)

    def allow_pause(self) -> bool:
        """Counts a pause of the provider; False if the limit forbids another request."""
        return self._report_unless_free(self._budget.spend_pause())

    def spend_retry(self, feature: str, answer: int) -> None:
        """Counts another request to the model that a feature causes after the answer with the step `answer`."""
        for reached in self._budget.spend_retry(feature, answer):
            self._report(reached)

    def _report_unless_free(self, reached: ReachedLimit | None) -> bool:
        if reached is not None:
            self._report(reached)
        return reached is None
