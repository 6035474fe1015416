"""An agent that is an HTTP server on loopback: its process, its stream of events, and requests to it.

The server is protected by a password that only this program and the agent know.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttsr_ls.bridge.control.driver import HttpCall, ToAgent
from ttsr_ls.bridge.control.drivers.opencode import EVENTS
from ttsr_ls.bridge.control.transports.agent_process import AgentFailedError, AgentProcess
from ttsr_ls.bridge.model.sse import ServerSentEvent, SseParser
from ttsr_ls.bridge.wire.json_lines import parse_object

if TYPE_CHECKING:
    import aiohttp

_USER = "opencode"
_ADDRESS = re.compile(rb"listening on (http://127\.0\.0\.1:\d+)")
_START_TIMEOUT = 60.0
_MAX_STARTUP_OUTPUT = 64 * 1024
_LAST_LINES = 5
_MAX_DETAIL_LENGTH = 1_000
_MAX_BODY_LENGTH = 4 * 1024 * 1024


class AgentServer:
    """The server of an agent. `open` first, `close` at the end."""

    def __init__(self, command: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
        self._password = secrets.token_urlsafe(24)
        secured = {**environ, "OPENCODE_SERVER_USERNAME": _USER, "OPENCODE_SERVER_PASSWORD": self._password}
        self._process = AgentProcess(command, cwd, secured)
        self._lines: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1_000)
        self._tasks: set[asyncio.Task[None]] = set()
        self._session: aiohttp.ClientSession | None = None
        self._address = ""

    async def open(self) -> None:
        """Starts the server and subscribes to its events. Raises AgentFailedError."""
        import aiohttp

        await self._process.open()
        try:
            self._address = await asyncio.wait_for(self._read_address(), _START_TIMEOUT)
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)
            auth = aiohttp.BasicAuth(_USER, self._password)
            self._session = aiohttp.ClientSession(auth=auth, timeout=timeout)
            events = await self._session.get(f"{self._address}{EVENTS}")
            events.raise_for_status()
        except TimeoutError as error:
            raise await self._end_with_error("the agent's server does not start") from error
        except aiohttp.ClientError as error:
            raise await self._end_with_error(f"cannot follow the events of the agent's server: {error}") from error
        except AgentFailedError as error:
            raise await self._end_with_error(str(error)) from error
        self._begin(self._follow(events))
        self._begin(self._discard_output())

    async def read(self) -> bytes:
        """Returns the next line of the events, or the answer to a request; empty after the server has ended."""
        return await self._lines.get()

    async def send(self, message: ToAgent) -> None:
        """Starts an HTTP request, whose answer `read` returns. Raises AgentFailedError for other messages."""
        if not isinstance(message, HttpCall):
            raise AgentFailedError("the agent reads no standard input")
        self._begin(self._request(message))

    async def close(self) -> int | None:
        """Ends the requests and the server. Returns the server's exit status."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
        # A server does not end when its input is closed.
        self._process.terminate()
        return await self._process.close()

    def kill(self) -> None:
        """Kills the server and all processes that it started. Call `close` afterwards."""
        self._process.kill()

    @property
    def stderr_tail(self) -> str:
        """The end of the server's standard error."""
        return self._process.stderr_tail

    async def _end_with_error(self, reason: str) -> AgentFailedError:
        """Ends the server and returns the error, with its exit status and the last lines of its standard error."""
        status = await self.close()
        ended = f" (exit status {status})" if status is not None and status > 0 else ""
        last_lines = " / ".join(self.stderr_tail.splitlines()[-_LAST_LINES:])[-_MAX_DETAIL_LENGTH:]
        return AgentFailedError(f"{reason}{ended}{': ' if last_lines else ''}{last_lines}")

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_address(self) -> str:
        output = b""
        while len(output) < _MAX_STARTUP_OUTPUT:
            data = await self._process.read()
            if not data:
                break
            output += data
            match = _ADDRESS.search(output)
            if match is not None:
                return match[1].decode()
        raise AgentFailedError("the agent's server ended, or reported no address, when it was started")

    async def _discard_output(self) -> None:
        while await self._process.read():
            pass
        await self._lines.put(b"")

    async def _follow(self, events: aiohttp.ClientResponse) -> None:
        """Passes on the data of the server-sent events, each as a line of JSON."""
        parser = SseParser()
        with suppress(Exception):  # Any error ends the stream.
            async for data in events.content.iter_any():
                for event in parser.feed(data):
                    if isinstance(event, ServerSentEvent):
                        await self._lines.put(line_of(event))
        await self._lines.put(b"")

    async def _request(self, call: HttpCall) -> None:
        import aiohttp

        assert self._session is not None
        answer: dict[str, Any] = {"http": call.key, "status": 599, "body": {"message": "no answer"}}
        try:
            url = f"{self._address}{call.path}"
            async with self._session.request(call.method, url, json=call.body) as response:
                data = await response.content.read(_MAX_BODY_LENGTH)
                answer["status"] = response.status
                found = parse_object(data)
                answer["body"] = {} if isinstance(found, str) else found
        except aiohttp.ClientError as error:
            answer["body"] = {"message": str(error)}
        await self._lines.put(json.dumps(answer).encode() + b"\n")


def line_of(event: ServerSentEvent) -> bytes:
    """Returns the data of an event as one line: JSON has line feeds only between its tokens."""
    return event.data.replace("\n", " ").strip().encode() + b"\n"
