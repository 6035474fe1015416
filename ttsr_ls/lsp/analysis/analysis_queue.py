"""The order of analyses: the document that the user edits comes first, then the others in order of arrival.

With 2,000 open rules a change on the disk queues 2,000 analyses. Without this order, an edit would wait behind them
all. A newer analysis of a document replaces the older one, even if that is running: it is abandoned at its next
checkpoint, because it would compete with requests of the user and with its successor.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING

from ttsr_ls.checkpoint import abandoned_if
from ttsr_ls.lsp.threads.request_priority import RequestPriority
from ttsr_ls.put_bounded import put_bounded

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis

# Two, so that one document with costly patterns does not delay the others.
_WORKERS = 2
# A user edits few documents at once; a client that prefers many must not slow down each choice.
_MAX_PREFERRED = 64
_LONGEST_SERIES = 2.0
"""Seconds. If all jobs of a key were abandoned for so long, the next one is not: its results are cached by pattern. So
a user who types in one pattern without a pause gets the findings, although another pattern of the rule is costly."""


class _Job:
    """A job of the queue. `series_began` is when the first of the abandoned jobs right before it was started; its own
    start if there are none.
    """

    __slots__ = ("is_abandoned", "result", "series_began", "work")

    def __init__(self, work: Callable[[], Analysis], result: asyncio.Future[Analysis]) -> None:
        self.work = work
        self.result = result
        self.is_abandoned = False
        self.series_began: float | None = None

    def run(self) -> Analysis:
        """Does the work, in a thread. Raises `ComputationAbandoned`."""
        with abandoned_if(lambda: self.is_abandoned):
            return self.work()


class AnalysisQueue:
    """Runs jobs in threads; each key has at most one pending and one running job. Used on the loop only."""

    def __init__(self, priority: RequestPriority, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: dict[str, _Job] = {}
        # The preferred keys, the newest last. They stay preferred: the text may change while its job runs.
        self._preferred: dict[str, None] = {}
        self._running: dict[str, _Job] = {}
        self._workers = ThreadPoolExecutor(
            _WORKERS, thread_name_prefix="ttsr-ls analysis", initializer=priority.yield_to_requests
        )
        self._closed = False

    def submit(self, key: str, work: Callable[[], Analysis]) -> asyncio.Future[Analysis]:
        """Schedules `work`, and returns its future. A newer job of `key` cancels it."""
        job = _Job(work, asyncio.get_running_loop().create_future())
        running = self._running.get(key)
        self._cancel(key)
        if running is not None and running.series_began is not None:
            running.is_abandoned |= self._clock() - running.series_began < _LONGEST_SERIES
            if running.is_abandoned:
                job.series_began = running.series_began
        self._waiting[key] = job
        self._start()
        return job.result

    def abandon(self, key: str) -> None:
        """Cancels the jobs of `key`."""
        self._cancel(key)
        if key in self._running:
            self._running[key].is_abandoned = True

    def prefer(self, key: str) -> None:
        """Runs jobs of `key`, including future ones, before all others."""
        self._preferred.pop(key, None)
        put_bounded(self._preferred, key, None, _MAX_PREFERRED)

    def close(self) -> None:
        """Drops the waiting jobs, and abandons the running ones."""
        self._closed = True
        for job in self._running.values():
            job.is_abandoned = True
        self._waiting.clear()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _cancel(self, key: str) -> None:
        """Removes the pending job of `key`, and cancels the results of its jobs."""
        for job in (self._waiting.pop(key, None), self._running.get(key)):
            if job is not None:
                job.result.cancel()

    def _start(self) -> None:
        while len(self._running) < _WORKERS and not self._closed and (key := self._next()) is not None:
            job = self._running[key] = self._waiting.pop(key)
            if job.series_began is None:
                job.series_began = self._clock()
            future = asyncio.get_running_loop().run_in_executor(self._workers, job.run)
            future.add_done_callback(lambda done, key=key: self._finished(done, key))  # type: ignore[misc]

    def _next(self) -> str | None:
        """Returns the key of the next job to start."""
        preferred = (key for key in reversed(self._preferred) if key in self._waiting)
        return next((key for key in chain(preferred, self._waiting) if key not in self._running), None)

    def _finished(self, done: asyncio.Future[Analysis], key: str) -> None:
        job = self._running.pop(key)
        # Retrieved in any case, so that asyncio does not log the error of an outdated job.
        error = None if done.cancelled() else done.exception()
        if not (job.is_abandoned or job.result.done() or done.cancelled()):
            if error is None:
                job.result.set_result(done.result())
            else:
                job.result.set_exception(error)
        self._start()
