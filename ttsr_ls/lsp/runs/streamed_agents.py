"""Agents whose output an editor plugin feeds into the server by `ttsr/stream`.

A process of its own watches each agent, as `ttsr-ls watch` does in a pipe: it reads the output and writes a session
log, which the server follows. So a plugin's agent is shown like any other one, in all windows, and a stream that takes
long to match does not delay the editor.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from ttsr_ls.escaping import one_line
from ttsr_ls.put_bounded import put_bounded

MAX_AGENTS = 16
"""The most agents at the same time. Each is a process that loads the rules."""
MAX_BUFFERED = 16 * 1024 * 1024
"""The most bytes of an agent that its process has not read yet."""
_MAX_DROPPED = 1_000
"""The most sessions of which the server knows that it drops their output."""
_TIMEOUT = 10.0
"""Seconds in which a process has to exit after the end of its agent's output."""

logger = logging.getLogger(__name__)


class _StreamedAgent:
    """The output of one agent that its process has not read yet. None in the queue marks the end."""

    __slots__ = ("queue", "waiting")

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.waiting = 0


class StreamedAgents:
    """The agents of one client, by the names of their sessions. `start` starts a task on the event loop.

    After an output could not be passed on, the rest of it is dropped up to its end: rules would match it as if it were
    the beginning of an output.
    """

    __slots__ = ("_agents", "_dropped", "_processes", "_start")

    def __init__(self, start: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._agents: dict[str, _StreamedAgent] = {}
        self._dropped: dict[str, None] = {}
        self._start = start
        # The process of an agent that has ended still reads the rest of the output.
        self._processes = asyncio.Semaphore(MAX_AGENTS)

    def feed(self, session: str, source: str, folder: str, data: str) -> None:
        """Adds output of an agent that works in `folder`; `source` is the format (`watch --from`)."""
        if session in self._dropped:
            return
        agent = self._agents.get(session)
        if agent is None:
            if len(self._agents) >= MAX_AGENTS:
                logger.warning("ttsr/stream: more than %d agents at the same time; one is left out", MAX_AGENTS)
                self._drop(session)
                return
            agent = self._agents[session] = _StreamedAgent()
            self._start(self._watch(session, agent, source, folder))
        chunk = data.encode("utf-8", "surrogatepass")
        agent.waiting += len(chunk)
        if agent.waiting > MAX_BUFFERED:
            logger.warning(
                "ttsr/stream: the output of %s comes faster than it is read; the rest is dropped", one_line(session)
            )
            self.end(session)
            self._drop(session)
            return
        agent.queue.put_nowait(chunk)

    def end(self, session: str) -> None:
        """Ends the output of an agent. Later output of its session is that of a new agent."""
        self._dropped.pop(session, None)
        agent = self._agents.pop(session, None)
        if agent is not None:
            agent.queue.put_nowait(None)

    def _drop(self, session: str) -> None:
        put_bounded(self._dropped, session, None, _MAX_DROPPED)

    async def _watch(self, session: str, agent: _StreamedAgent, source: str, folder: str) -> None:
        try:
            async with self._processes:
                await _run_watch(session, agent, source, folder)
        except (OSError, ValueError) as error:  # ValueError: a null character in an argument.
            logger.warning("ttsr/stream: %s cannot be watched: %s", one_line(session), one_line(str(error)))
        finally:
            if self._agents.get(session) is agent:  # Its output has not ended.
                del self._agents[session]
                self._drop(session)


async def _run_watch(session: str, agent: _StreamedAgent, source: str, folder: str) -> None:
    """Runs the process that watches an agent. Raises OSError or ValueError if it cannot start."""
    import tempfile  # Imported lazily: the answer to `initialize` must not wait for it.

    command = [sys.executable, "-m", "ttsr_ls", "watch", "--from", source, "--cwd", folder]
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=errors
        )
        try:
            await _pass_on(agent, process)
            await asyncio.wait_for(process.wait(), _TIMEOUT)
        except (ConnectionError, TimeoutError):
            logger.warning("ttsr/stream: %s is not watched any more", one_line(session))
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            errors.seek(0)
            output = errors.read(2000).decode("utf-8", "replace")
            logger.warning("ttsr/stream: watching %s failed: %s", one_line(session), one_line(output.strip()))


async def _pass_on(agent: _StreamedAgent, process: asyncio.subprocess.Process) -> None:
    """Writes the output to the process, until its end. Raises ConnectionError if the process ended before."""
    assert process.stdin is not None
    try:
        while (chunk := await agent.queue.get()) is not None:
            process.stdin.write(chunk)
            await process.stdin.drain()
            agent.waiting -= len(chunk)
    finally:
        process.stdin.close()
