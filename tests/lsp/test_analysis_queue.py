"""The document that a person works on is analysed before all others that wait."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.talk import PATIENCE, Talk
from ttsr_ls.checkpoint import checkpoint
from ttsr_ls.lsp.analysis.analysis_queue import AnalysisQueue
from ttsr_ls.lsp.threads.request_priority import RequestPriority

RULE = "---\ncondition: 'as any;'\n---\nno\n"


class Recorded(AnalysisQueue):
    """A queue that records which jobs it started: two that run side by side may say so in either order."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(RequestPriority(), clock)
        self.ran: list[str] = []

    def _next(self) -> str | None:
        key = super()._next()
        if key is not None:
            self.ran.append(key)
        return key


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


class Versions:
    """Jobs of one key. Each passes checkpoints until `end` is set for it, and counts those that run at once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.queue = Recorded(clock)
        self.started = [threading.Event() for _ in range(5)]
        self.end = [threading.Event() for _ in range(5)]
        self.passed: list[int] = []
        self.at_once = 0
        self.most_at_once = 0

    def submit(self, version: int) -> asyncio.Future[Any]:
        def work() -> Any:
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
            self.started[version].set()
            try:
                while not self.end[version].wait(0.001):
                    checkpoint()
                checkpoint()
            finally:
                self.at_once -= 1
            self.passed.append(version)
            return version

        return self.queue.submit("rule", work)

    async def until_started(self, version: int) -> None:
        assert await asyncio.to_thread(self.started[version].wait, PATIENCE)


@pytest.fixture
def versions() -> Iterator[Versions]:
    versions = Versions(lambda: 0.0)
    yield versions
    for end in versions.end:
        end.set()
    versions.queue.close()


async def test_a_newer_job_ends_the_running_one_of_its_key_at_a_checkpoint(versions: Versions) -> None:
    old = versions.submit(0)
    await versions.until_started(0)
    new = versions.submit(1)
    async with asyncio.timeout(PATIENCE):
        await versions.until_started(1)  # The first job has no other end than being abandoned.
        versions.end[1].set()
        assert await new == 1
    assert old.cancelled()
    assert versions.passed == [1]
    assert versions.most_at_once == 1


async def test_an_abandoned_job_leaves_the_thread_to_jobs_of_other_keys(versions: Versions) -> None:
    versions.submit(0)
    await versions.until_started(0)
    versions.queue.abandon("rule")
    others = [versions.queue.submit(key, lambda key=key: key) for key in ("a", "b")]  # type: ignore[misc]
    assert await asyncio.gather(*others) == ["a", "b"]
    versions.submit(1)
    await versions.until_started(1)
    assert versions.passed == []


async def test_a_user_who_types_without_a_pause_gets_one_job_to_its_end() -> None:
    now = 0.0
    versions = Versions(lambda: now)
    versions.submit(0)
    for version in (1, 2):
        await versions.until_started(version - 1)
        now += 0.9
        versions.submit(version)
    await versions.until_started(2)
    now += 0.9
    last = [versions.submit(3), versions.submit(4)]
    versions.end[2].set()
    await versions.until_started(4)
    assert versions.passed == [2]
    versions.end[4].set()
    assert await last[1] == 4
    assert last[0].cancelled()
    assert versions.passed == [2, 4]
    versions.queue.close()


async def test_closing_the_queue_ends_its_running_job(versions: Versions) -> None:
    versions.submit(0)
    await versions.until_started(0)
    versions.queue.close()
    await asyncio.to_thread(versions.queue._workers.shutdown, wait=True)
    assert versions.passed == []


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
