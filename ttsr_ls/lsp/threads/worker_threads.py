"""The threads of a server, by the kind of their work."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from ttsr_ls.lsp.threads.request_priority import RequestPriority


class WorkerThreads:
    """The pools of threads. The pool of pygls is none of them: it reads the input."""

    def __init__(self, priority: RequestPriority) -> None:
        self.answers = ThreadPoolExecutor(2, thread_name_prefix="ttsr-ls answer")
        """For short requests of the user, which must not wait for checks."""
        self.checks = ThreadPoolExecutor(2, thread_name_prefix="ttsr-ls check", initializer=priority.yield_to_requests)
        """For findings of test files and configurations, which run tests at each keystroke."""
        self.long_work = ThreadPoolExecutor(
            2, thread_name_prefix="ttsr-ls long work", initializer=priority.yield_to_requests
        )
        """For work that can take minutes, and waits while messages are handled."""

    def close(self) -> None:
        """Drops the waiting work."""
        for pool in (self.answers, self.checks, self.long_work):
            pool.shutdown(wait=False, cancel_futures=True)
