"""A client of a language server in this process, which measures what each of its messages costs."""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lsprotocol import types

from ttsr_ls.lsp.features import create_server

_LOOKS, _PAUSE = 3, 0.02
"""After a notification the server is at rest if it does nothing in this many pauses of so many seconds."""
_AT_REST = 0.002
_BUG = types.ErrorCodes.InternalError.value
_WATCHES = "StreamedAgents._watch"
"""The coroutine that has a process watch the output of an agent."""


def processor_time() -> float:
    """The processor time of this process and of those that it started and that ended, in seconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class _Output:
    """Takes the messages of the server; a request that waits for an answer gets it."""

    def __init__(self) -> None:
        self.waiting: dict[int, asyncio.Future[Any]] = {}

    def write(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if message.get("error", {}).get("code") == _BUG:
            print("Traceback:", message["error"], file=sys.stderr, flush=True)
        future = self.waiting.pop(message.get("id"), None) if "method" not in message else None
        if future is not None:
            future.get_loop().call_soon_threadsafe(future.set_result, message.get("result"))

    def close(self) -> None:
        pass


class ServerClient:
    """`took` has the processor time, in seconds, that the slowest message of each name took; `sent` all methods."""

    def __init__(self) -> None:
        # As `lsp.logs` has it: what is refused is no failure.
        logging.getLogger("pygls.protocol.json_rpc").setLevel(logging.CRITICAL)
        self._server = create_server()
        self._output = _Output()
        self._server.protocol.set_writer(self._output)
        self._number = 0
        self.took: dict[str, float] = {}
        self.sent: set[str] = set()

    async def request(self, name: str, method: str, params: object) -> Any:
        """Makes a request; returns its result, None if it was refused."""
        self._number += 1
        self.sent.add(method)
        future = self._output.waiting[self._number] = asyncio.get_running_loop().create_future()
        body = json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode()
        began = processor_time()
        self._server.protocol.receive(body)
        result = await future
        self._add(name, began)
        return result

    async def execute(self, name: str, command: str, *arguments: object) -> Any:
        """Has a command executed; returns its result, None if it was refused."""
        self.sent.add(command)
        return await self.request(name, "workspace/executeCommand", {"command": command, "arguments": arguments})

    async def notify(self, method: str, params: object) -> None:
        """Sends a notification, and waits until the server has done what it does because of it."""
        self.sent.add(method)
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()
        began = processor_time()
        self._server.protocol.receive(body)
        await asyncio.sleep(0)
        watched = [task for task in asyncio.all_tasks() if _name(task).endswith(_WATCHES)]
        if watched:
            await asyncio.wait(watched)
        looks = 0
        while looks < _LOOKS:
            before = time.process_time()
            await asyncio.sleep(_PAUSE)
            looks = looks + 1 if time.process_time() - before < _AT_REST else 0
        self._add(method, began)

    async def end(self) -> None:
        """Ends the server and its threads, which would otherwise go on in the tests that follow."""
        await self.request("shutdown", "shutdown", None)
        self._server.protocol.close()

    @contextmanager
    def measured(self, name: str) -> Iterator[None]:
        """Measures what is done in it, as a message of this name."""
        began = processor_time()
        yield
        self._add(name, began)

    def _add(self, name: str, began: float) -> None:
        self.took[f"server: {name}"] = max(self.took.get(f"server: {name}", 0.0), processor_time() - began)


def _name(task: asyncio.Task[Any]) -> str:
    return str(getattr(task.get_coro(), "__qualname__", ""))
