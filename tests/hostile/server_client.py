"""A client of a language server in this process, which measures what each of its messages costs."""

from __future__ import annotations

import asyncio
import json
import resource
import time
from typing import Any

from ttsr_ls.lsp.features import create_server

_LOOKS, _PAUSE = 3, 0.02
"""After a notification the server is at rest if it does nothing in this many pauses of so many seconds."""
_AT_REST = 0.002


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
        future = self.waiting.pop(message.get("id"), None) if "method" not in message else None
        if future is not None:
            future.get_loop().call_soon_threadsafe(future.set_result, message.get("result"))

    def close(self) -> None:
        pass


class ServerClient:
    """`took` has the processor time, in seconds, that the slowest message of each name took."""

    def __init__(self) -> None:
        self._server = create_server()
        self._output = _Output()
        self._server.protocol.set_writer(self._output)
        self._number = 0
        self.took: dict[str, float] = {}

    async def request(self, name: str, method: str, params: object) -> Any:
        """Makes a request; returns its result, None if it was refused."""
        self._number += 1
        future = self._output.waiting[self._number] = asyncio.get_running_loop().create_future()
        body = json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode()
        began = processor_time()
        self._server.protocol.receive(body)
        result = await future
        self._add(name, began)
        return result

    async def notify(self, method: str, params: object) -> None:
        """Sends a notification, and waits until the server has done what it does because of it."""
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()
        began = processor_time()
        self._server.protocol.receive(body)
        looks = 0
        while looks < _LOOKS:
            before = time.process_time()
            await asyncio.sleep(_PAUSE)
            looks = looks + 1 if time.process_time() - before < _AT_REST else 0
        self._add(method, began)

    def _add(self, name: str, began: float) -> None:
        self.took[f"server: {name}"] = max(self.took.get(f"server: {name}", 0.0), processor_time() - began)
