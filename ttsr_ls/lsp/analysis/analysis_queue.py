"""The order of analyses: the document that the user edits comes first, then the others in order of arrival.

With 2,000 open rules a change on the disk queues 2,000 analyses. Without this order, an edit would wait behind them
all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from ttsr_ls.lsp.threads.request_priority import RequestPriority
from ttsr_ls.put_bounded import put_bounded

if TYPE_CHECKING:
    from ttsr_ls.ide.analysis import Analysis

# Two, so that one document with costly patterns does not delay the others.
_WORKERS = 2
# A user edits few documents at once; a client that prefers many must not slow down each choice.
_MAX_PREFERRED = 64


class _Job:
    __slots__ = ("result", "work")

    def __init__(self, work: Callable[[], Analysis], result: asyncio.Future[Analysis]) -> None:
        self.work = work
        self.result = result


class AnalysisQueue:
    """Runs jobs in threads; each key has at most one pending job. Used on the loop only."""

    def __init__(self, priority: RequestPriority) -> None:
        self._waiting: dict[str, _Job] = {}
        # The preferred keys, the newest last. They stay preferred: the text may change while its job runs.
        self._preferred: dict[str, None] = {}
        self._running = 0
        self._workers = ThreadPoolExecutor(
            _WORKERS, thread_name_prefix="ttsr-ls analysis", initializer=priority.yield_to_requests
        )
        self._closed = False

    def submit(self, key: str, work: Callable[[], Analysis]) -> asyncio.Future[Analysis]:
        """Schedules `work`, and returns its future. Cancelling that, or a newer job of `key`, removes the job."""
        result: asyncio.Future[Analysis] = asyncio.get_running_loop().create_future()
        self._waiting.pop(key, None)
        self._waiting[key] = _Job(work, result)
        self._start()
        return result

    def prefer(self, key: str) -> None:
        """Runs jobs of `key`, including future ones, before all others."""
        self._preferred.pop(key, None)
        put_bounded(self._preferred, key, None, _MAX_PREFERRED)

    def close(self) -> None:
        """Drops the waiting jobs."""
        self._closed = True
        self._waiting.clear()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> None:
        while self._running < _WORKERS and not self._closed and (job := self._next()) is not None:
            self._running += 1
            future = asyncio.get_running_loop().run_in_executor(self._workers, job.work)
            future.add_done_callback(lambda done, job=job: self._finished(done, job))  # type: ignore[misc]

    def _next(self) -> _Job | None:
        while self._waiting:
            key = next((item for item in reversed(self._preferred) if item in self._waiting), None)
            if key is None:
                key = next(iter(self._waiting))
            job = self._waiting.pop(key)
            if not job.result.done():
                return job
        return None

    def _finished(self, done: asyncio.Future[Any], job: _Job) -> None:
        self._running -= 1
        if not job.result.done() and not done.cancelled():
            error = done.exception()
            if error is None:
                job.result.set_result(done.result())
            else:
                job.result.set_exception(error)
        elif not done.cancelled():
            done.exception()  # Retrieved, so that asyncio does not log the error of an outdated job.
        self._start()
