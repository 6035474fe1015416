"""The client of the process that counts matches. The process is started with the first request and ended when it is
idle.
"""

from __future__ import annotations

import logging
from threading import Lock
from typing import Any

import msgspec

from ttsr_ls.isolation.worker import Worker, WorkerLostError
from ttsr_ls.lsp.match_counts.match_count import CountRequest, MatchCount
from ttsr_ls.typed_values import convert_value

logger = logging.getLogger(__name__)

_WORKER = "ttsr_ls.lsp.match_counts.count_worker"
_TIMEOUT = 60.0
"""Seconds for one count: six times the processor time that it may take, as other programs go first."""


class MatchCounter:
    """Counts the matches of rules in a process of its own. Safe to share between threads, which wait for each other."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._worker: Worker | None = None
        self._is_closed = False

    def count(self, request: CountRequest) -> MatchCount | None:
        """Returns the matches of a rule; None if they cannot be counted, or the process ended or took too long."""
        with self._lock:
            try:
                worker = self._running()
                if worker is None:
                    return None
                worker.ask(msgspec.to_builtins(request))
                answer: Any = worker.answer(_TIMEOUT)
            except WorkerLostError as error:
                if not self._is_closed:
                    logger.warning("the matches of %s are not counted: %s", request.path, error)
                self._stop()
                return None
            return None if answer is None else convert_value(answer, MatchCount)

    def stop_idle_process(self) -> None:
        """Ends the process; the next `count` starts it again."""
        if self._lock.acquire(blocking=False):
            try:
                self._stop()
            finally:
                self._lock.release()

    def close(self) -> None:
        """Ends the process permanently, even while it counts."""
        self._is_closed = True
        self._stop()

    def _running(self) -> Worker | None:
        if self._worker is None and not self._is_closed:
            self._worker = Worker(_WORKER)
        return self._worker

    def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
