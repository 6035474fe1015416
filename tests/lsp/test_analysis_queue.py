"""The document that a person works on is analysed before all others that wait."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.talk import Talk
from ttsr_ls.lsp.analysis.analysis_queue import AnalysisQueue
from ttsr_ls.lsp.threads.request_priority import RequestPriority

RULE = "---\ncondition: 'as any;'\n---\nno\n"


class Recorded(AnalysisQueue):
    """A queue that records which jobs it started: two that run side by side may say so in either order."""

    def __init__(self) -> None:
        super().__init__(RequestPriority())
        self.ran: list[str] = []

    def _next(self) -> Any:
        job = super()._next()
        if job is not None:
            self.ran.append(job.work.__name__)
        return job


class Held:
    """A queue whose workers wait until they are let go."""

    def __init__(self) -> None:
        self.queue = Recorded()
        self.go = threading.Event()
        self.results: dict[str, asyncio.Future[Any]] = {}

    def submit(self, key: str) -> None:
        def work() -> Any:
            self.go.wait(60)
            if key.startswith("bad"):
                raise ValueError(key)
            return key

        work.__name__ = key
        self.results[key] = self.queue.submit(key, work)


async def test_preferred_jobs_run_first_and_the_newest_of_them_before_the_others() -> None:
    held = Held()
    for key in ("busy1", "busy2", "a", "b", "c", "d"):
        held.submit(key)
    held.queue.prefer("c")
    held.queue.prefer("d")
    held.queue.prefer("not open")
    held.go.set()
    await asyncio.gather(*held.results.values())
    assert held.queue.ran == ["busy1", "busy2", "d", "c", "a", "b"]
    held.queue.close()


async def test_an_outdated_job_does_not_run_and_an_error_is_raised_in_the_waiting_task() -> None:
    held = Held()
    for key in ("busy1", "busy2", "old", "bad", "last"):
        held.submit(key)
    old = held.results["old"]
    old.cancel()
    held.submit("old")
    held.go.set()
    assert await held.results["last"] == "last"
    assert await held.results["old"] == "old"
    with pytest.raises(ValueError, match="bad"):
        await held.results["bad"]
    assert held.queue.ran.count("old") == 1
    assert not held.queue._waiting
    held.queue.close()


async def test_the_number_of_preferred_keys_is_bounded() -> None:
    held = Held()
    for number in range(10_000):
        held.queue.prefer(str(number))
    assert len(held.queue._preferred) <= 64
    held.queue.close()


async def test_an_edit_does_not_wait_for_the_other_open_rules(pushed: Talk) -> None:
    """With 300 rules to check anew, the edited one, the last of them, is published among the first."""
    uris = [pushed.open(f"r{number}.md", RULE) for number in range(300)]
    for uri in uris:
        await pushed.push(uri)
    pushed.published.clear()
    event = types.FileEvent(uris[0], types.FileChangeType.Changed)
    pushed.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    version = pushed.change(uris[-1], RULE + "more\n")
    await pushed.push(uris[-1], lambda one: one.version == version)
    position = next(
        number for number, one in enumerate(pushed.published) if (one.uri, one.version) == (uris[-1], version)
    )
    assert position < 100
