"""Gives messages of the client priority over analyses, which wait at checkpoints while a message is handled.

The threads of a process share one interpreter, which divides the time among them. With two analyses running, a request
would take three times as long, and wait at each change of threads in addition.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock

from ttsr_ls.checkpoint import call_at_checkpoints

_MAX_WAIT = 0.2
"""Seconds. An analysis that waited this long runs as long before it waits again, so that a client that never pauses
only halves its speed."""


class RequestPriority:
    """Counts the unfinished messages and requests. Used in all threads."""

    def __init__(self, longest_wait: float = _MAX_WAIT, clock: Callable[[], float] = time.monotonic) -> None:
        self._longest_wait = longest_wait
        self._clock = clock
        self._lock = Lock()
        self._pending = 0
        self._is_free = Event()
        self._is_free.set()

    def begin(self) -> None:
        """Counts a message that arrived, or a request whose processing begins."""
        with self._lock:
            self._pending += 1
            self._is_free.clear()

    def end(self) -> None:
        """Counts a finished message or request. To be called once for each `begin`."""
        with self._lock:
            self._pending -= 1
            if not self._pending:
                self._is_free.set()

    def yield_to_requests(self) -> None:
        """Makes the analyses of this thread wait for unfinished messages and requests. Called once in each thread."""
        runs_until = 0.0

        def wait() -> None:
            nonlocal runs_until
            if (
                not self._is_free.is_set()
                and self._clock() >= runs_until
                and not self._is_free.wait(self._longest_wait)
            ):
                runs_until = self._clock() + self._longest_wait

        call_at_checkpoints(wait)
