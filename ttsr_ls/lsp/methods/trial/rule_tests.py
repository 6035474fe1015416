"""`ttsr/ruleTests`: lists the tests of rules, and runs them."""

from __future__ import annotations

import asyncio
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.window.progress import WorkProgress


async def handle(server: Server, params: Any) -> dict[str, Any]:
    """The answer to `{uris?, run?, workDoneToken?}`. Raises `JsonRpcInvalidParams` with the reason."""
    from ttsr_ls.lsp.trial.rule_test_runs import list_rule_tests, run_rule_tests

    given = params if isinstance(params, dict) else {}
    uris, token = given.get("uris"), given.get("workDoneToken")
    if uris is not None and not (isinstance(uris, list) and all(isinstance(uri, str) for uri in uris)):
        raise JsonRpcInvalidParams("'uris' of ttsr/ruleTests is a list of URIs of rules and of their test files")
    named = None if uris is None else tuple(uris)
    encoding = server.client.encoding
    if given.get("run") is not True:
        return await server.run_in_thread(list_rule_tests, named, server.current, encoding)
    progress = None
    if isinstance(token, str | int) and not isinstance(token, bool):
        progress = WorkProgress(server, "Running the tests of rules", token)
        progress.begin()
    running = _Running(progress)
    try:
        return await server.run_long(run_rule_tests, named, server.current, encoding, server.trials, running)
    finally:
        # The thread continues to run after the request was cancelled, until it sees this.
        running.is_over = True
        if progress is not None:
            progress.end()


class _Running:
    """The progress and cancellation of a run of tests, used in the thread of the run."""

    def __init__(self, progress: WorkProgress | None) -> None:
        self.is_over = False
        self._progress = progress
        self._loop = asyncio.get_running_loop()

    @property
    def is_cancelled(self) -> bool:
        return self.is_over or (self._progress is not None and self._progress.is_cancelled)

    def ran(self, done_count: int, total: int) -> None:
        if self._progress is not None:
            self._loop.call_soon_threadsafe(self._progress.report, done_count, total)
