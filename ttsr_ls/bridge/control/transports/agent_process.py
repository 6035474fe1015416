"""The process of an agent and its pipes. The agent and all processes that it started end with this program.

The agent gets a session of its own, so that Ctrl-C reaches only this program, which stops it by its protocol first.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ttsr_ls.bridge.control.driver import HttpCall, LineToAgent, ToAgent
from ttsr_ls.errors import TtsrError

_CHUNK = 64 * 1024
_MAX_STDERR = 8 * 1024
_WRITE_TIMEOUT = 30.0
_END_TIMEOUT = 3.0
_POLL = 0.25
_END_POLL = 0.02
_BACKTRACE = re.compile(r"^Stack backtrace:\n(?:[ \t]+.*(?:\n|\Z))*", re.MULTILINE)


class AgentFailedError(TtsrError):
    """The agent cannot be started or reached."""


class AgentProcess:
    """An agent with pipes. `open` first, `close` at the end."""

    def __init__(self, command: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
        self._command = command
        self._cwd = cwd
        self._environ = environ
        self._process: asyncio.subprocess.Process | None = None
        self._errors = b""
        self._error_reader: asyncio.Task[None] | None = None
        self._is_killed = False

    async def open(self) -> None:
        """Starts the process. Raises AgentFailedError."""
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=self._cwd,
                env=dict(self._environ),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise AgentFailedError(f"cannot start {self._command[0]}: {reason}") from error
        self._error_reader = asyncio.create_task(self._read_errors())
        if self._is_killed:
            self._signal(signal.SIGKILL)

    async def read(self) -> bytes:
        """Returns the next bytes of the agent's standard output; empty at its end."""
        stdout = self._running.stdout
        assert stdout is not None
        reading = asyncio.ensure_future(stdout.read(_CHUNK))
        try:
            while not reading.done():
                # A process that the agent started may keep the pipe open after the agent ended.
                was_running = self._running.returncode is None
                await asyncio.wait({reading}, timeout=_POLL)
                if not was_running and not reading.done():
                    return b""
            return reading.result()
        finally:
            reading.cancel()

    async def send(self, message: ToAgent) -> None:
        """Writes a message. Raises AgentFailedError if the agent does not read it."""
        match message:
            case LineToAgent(content):
                await self.write(json.dumps(content).encode() + b"\n")
            case HttpCall(path=path):
                raise AgentFailedError(f"the agent has no server for {path}")

    async def close(self) -> int | None:
        """Closes the agent's input, then terminates it, then kills it with its session. Returns its exit status."""
        process = self._process
        if process is None:
            return None
        if process.stdin is not None:
            process.stdin.close()
        drained = asyncio.create_task(self._drain())
        for ending in (None, signal.SIGTERM, signal.SIGKILL):
            if ending is not None:
                self._signal(ending)
            if await self._has_ended(_END_TIMEOUT):
                break
        self._signal(signal.SIGKILL)  # Ends processes that the agent left behind.
        for task in (drained, self._error_reader):
            if task is not None:
                with suppress(TimeoutError, asyncio.CancelledError):
                    await asyncio.wait_for(task, _END_TIMEOUT)
        # A process that left the session may keep the pipes open.
        getattr(process, "_transport").close()  # noqa: B009
        return process.returncode

    def terminate(self) -> None:
        """Asks the process to end."""
        if self._process is not None:
            self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kills the process and its session, also a process that is being started. Call `close` afterwards."""
        self._is_killed = True
        if self._process is not None:
            self._signal(signal.SIGKILL)

    @property
    def stderr_tail(self) -> str:
        """The end of the agent's standard error, without stack frames."""
        return _BACKTRACE.sub("", self._errors.decode(errors="replace")).strip()

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "open() comes first"
        return self._process

    async def write(self, data: bytes) -> None:
        """Writes to the agent's standard input. Raises AgentFailedError if the agent does not read it."""
        stdin = self._running.stdin
        assert stdin is not None
        try:
            stdin.write(data)
            await asyncio.wait_for(stdin.drain(), _WRITE_TIMEOUT)
        except TimeoutError as error:
            raise AgentFailedError(f"the agent has not read its input for {_WRITE_TIMEOUT:.0f} seconds") from error
        except (ConnectionError, OSError) as error:
            raise AgentFailedError("the agent has closed its input") from error

    async def _has_ended(self, seconds: float) -> bool:
        """Polls for the end, because in some versions of Python `wait` waits for pipes that other processes hold."""
        deadline = asyncio.get_running_loop().time() + seconds
        while self._running.returncode is None and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(_END_POLL)
        return self._running.returncode is not None

    async def _drain(self) -> None:
        with suppress(OSError, ValueError, RuntimeError):
            while await self.read():
                pass

    async def _read_errors(self) -> None:
        stderr = self._running.stderr
        assert stderr is not None
        while data := await stderr.read(_CHUNK):
            self._errors = (self._errors + data)[-_MAX_STDERR:]

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._running.pid, number)
