"""Records in the session log which requests of a session were inspected."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from ttsr_ls.bridge.proxy.coverage import Coverage
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.session.history.turn_events import RequestNotInspected, RequestsCounted
from ttsr_ls.store.log.errors import LogWriteError


class InspectionRecord:
    """Counts the requests of one session. `refuses_unparsed`: requests that cannot be read are refused."""

    def __init__(self, observer: Observer, *, refuses_unparsed: bool) -> None:
        self._observer = observer
        self._refuses_unparsed = refuses_unparsed
        self._requests: Counter[Coverage] = Counter()

    def count(self, coverage: Coverage) -> None:
        """Counts a request in the category `coverage`."""
        self._requests[coverage] += 1

    def record_uninspected(self, reason: str, now: int) -> None:
        """Records that a request or its answer was not inspected."""
        self._record(RequestNotInspected(reason, self._refuses_unparsed), now)

    def record_counts(self, now: int) -> None:
        """Records the counts of requests."""
        inspected, irrelevant, unparsed = (self._requests[kind] for kind in Coverage)
        self._record(RequestsCounted(inspected, irrelevant, unparsed, self._refuses_unparsed), now)

    def _record(self, event: RequestNotInspected | RequestsCounted, now: int) -> None:
        with suppress(LogWriteError):  # The observer reports a failing log to the user.
            self._observer.commit(event, now)
