"""Counts the requests of the turn in progress, against the session's limits. Pure.

Counts end with their turn, so a resumed session starts at zero: crash recovery ends the turn.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.session.history.request_limits import LimitKind, RequestLimits


class ReachedLimit(Struct, frozen=True):
    """A limit that was reached just now."""

    kind: LimitKind
    requests: int
    feature: str | None = None


class RequestBudget:
    """The counts of the turn in progress. `features` are the names of the features of the session."""

    __slots__ = ("_answer", "_features", "_limits", "_pauses", "_requests", "_retries", "_spent", "exhausted")

    def __init__(self, limits: RequestLimits, features: Iterable[str]) -> None:
        self._limits = limits
        self._features = tuple(features)
        self.start_turn()

    def start_turn(self) -> None:
        """All counts are zero."""
        self._spent = dict.fromkeys(self._features, 0)
        self._retries = 0
        self._pauses = 0
        self._requests = 0
        self._answer: int | None = None
        self.exhausted: frozenset[str] = frozenset()
        """The features that cannot cause another request in this turn."""
        self._update()

    def spend_retry(self, feature: str, answer: int) -> tuple[ReachedLimit, ...]:
        """Counts a request that `feature` causes after the answer that is step `answer`. Returns the limits that were
        reached.

        Several features that retry one answer cause one request, so together they count once.
        """
        before = self.exhausted
        self._spent[feature] = self._spent.get(feature, 0) + 1
        is_new = answer != self._answer
        self._answer = answer
        self._retries += is_new
        self._update()
        reached = []
        if self._spent[feature] == self._limits.retries_per_feature and feature not in before:
            limit = self._limits.retries_per_feature
            reached.append(ReachedLimit(LimitKind.RETRIES_PER_FEATURE, limit, feature))
        if is_new and self._retries == self._limits.retries:
            reached.append(ReachedLimit(LimitKind.RETRIES, self._limits.retries))
        return tuple(reached)

    def spend_pause(self) -> ReachedLimit | None:
        """Counts a pause of the provider. Returns the limit if it was reached: the provider must not be asked to
        continue.
        """
        if self._pauses >= self._limits.pauses:
            return ReachedLimit(LimitKind.PAUSES, self._limits.pauses)
        self._pauses += 1
        return None

    def spend_request(self) -> ReachedLimit | None:
        """Counts a request. Returns the limit if it was reached: the request must not be sent."""
        if self._requests >= self._limits.requests:
            return ReachedLimit(LimitKind.REQUESTS, self._limits.requests)
        self._requests += 1
        return None

    def _update(self) -> None:
        if self._retries >= self._limits.retries:
            self.exhausted = frozenset(self._features)
        else:
            limit = self._limits.retries_per_feature
            self.exhausted = frozenset(name for name, spent in self._spent.items() if spent >= limit)
