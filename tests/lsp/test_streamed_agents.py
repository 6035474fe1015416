"""Output of agents that cannot be passed on is dropped up to its end, and reported once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.talk import PATIENCE
from ttsr_ls.lsp.runs import streamed_agents
from ttsr_ls.lsp.runs.streamed_agents import MAX_AGENTS, MAX_BUFFERED, StreamedAgents


class StartedAgents:
    """Agents whose processes are counted and not started."""

    def __init__(self) -> None:
        self.started = 0
        self.agents = StreamedAgents(self._start)

    def feed(self, session: str, data: str) -> None:
        """Feeds output of an agent."""
        self.agents.feed(session, "auto", "/p", data)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.started += 1
        work.close()


def test_output_after_an_overflow_is_dropped_until_the_end(caplog: pytest.LogCaptureFixture) -> None:
    started = StartedAgents()
    started.feed("s1", "x" * MAX_BUFFERED)
    for _ in range(3):
        started.feed("s1", "more")
    assert started.started == 1
    assert [record.getMessage() for record in caplog.records] == [
        "ttsr/stream: the output of s1 comes faster than it is read; the rest is dropped"
    ]
    started.agents.end("s1")
    started.feed("s1", "a new agent")
    assert started.started == 2


def test_an_agent_beyond_the_limit_is_not_read_from_its_middle(caplog: pytest.LogCaptureFixture) -> None:
    started = StartedAgents()
    for number in range(MAX_AGENTS + 1):
        started.feed(f"s{number}", "beginning")
    started.agents.end("s0")
    started.feed(f"s{MAX_AGENTS}", "middle")
    assert started.started == MAX_AGENTS
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("program", "folder", "reason"),
    [("missing", "p", "No such file"), (None, "\0", "null byte")],
    ids=["missing", "null"],
)
async def test_a_process_that_does_not_start_is_reported_and_its_output_dropped(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    program: str | None,
    folder: str,
    reason: str,
) -> None:
    if program is not None:
        monkeypatch.setattr("sys.executable", str(tmp_path / program))
    tasks: list[asyncio.Task[None]] = []
    agents = StreamedAgents(lambda work: tasks.append(asyncio.ensure_future(work)))
    agents.feed("s1", "auto", folder, "beginning")
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait(tasks)
    assert tasks[0].exception() is None
    (record,) = caplog.records
    assert record.getMessage().startswith("ttsr/stream: s1 cannot be watched: ")
    assert reason in record.getMessage()
    agents.feed("s1", "auto", folder, "middle")
    assert len(tasks) == 1


async def test_ended_agents_do_not_add_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[str] = []
    most = 0
    release = asyncio.Event()

    class Stdin:
        def write(self, data: bytes) -> None: ...

        async def drain(self) -> None: ...

        def close(self) -> None: ...

    class Process:
        stdin = Stdin()
        returncode = 0

        async def wait(self) -> int:
            await release.wait()
            running.pop()
            return 0

    async def create(*command: str, **_: object) -> Process:
        nonlocal most
        running.append(command[0])
        most = max(most, len(running))
        return Process()

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create)
    tasks: list[asyncio.Task[None]] = []
    agents = StreamedAgents(lambda work: tasks.append(asyncio.ensure_future(work)))
    count = 2 * MAX_AGENTS
    for number in range(count):
        agents.feed(f"s{number}", "auto", "/p", "output")
        agents.end(f"s{number}")
    for _ in range(100):
        await asyncio.sleep(0)
    release.set()
    await asyncio.gather(*tasks)
    assert (len(tasks), most) == (count, MAX_AGENTS)


def test_the_number_of_dropped_sessions_is_bounded() -> None:
    started = StartedAgents()
    for number in range(MAX_AGENTS + streamed_agents._MAX_DROPPED + 5):
        started.feed(f"s{number}", "x")
    assert len(started.agents._dropped) == streamed_agents._MAX_DROPPED
