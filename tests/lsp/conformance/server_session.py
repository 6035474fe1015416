"""A session with a server in this process, as an editor has it. All messages of the server are checked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.lsp.conformance.message_checker import MessageChecker
from tests.lsp.talk import CAPABILITIES
from ttsr_ls.lsp.features import create_server


class RequestRefusedError(Exception):
    """The server answered with an error."""


class ServerSession:
    """`answer` to `initialize` is there after `start`; `end` ends the server."""

    def __init__(self, encoding: str, editor: str = "vscode") -> None:
        self.encoding = encoding
        self.checker = MessageChecker()
        self.answer: dict[str, Any] = {}
        self.registered: list[dict[str, Any]] = []
        """What the server registered for."""
        self.server = create_server()
        self.server.protocol.set_writer(self)
        self._editor = editor
        self._last = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self, folders: Sequence[Path]) -> None:
        """Initializes the server with an editor's recorded capabilities, and this encoding as the only one."""
        self._loop = asyncio.get_running_loop()
        capabilities = json.loads(CAPABILITIES.read_text())[self._editor]["capabilities"]
        capabilities.setdefault("general", {})["positionEncodings"] = [self.encoding]
        # What the plugin adds to the capabilities of its editor.
        capabilities["experimental"] = {"ttsrRuns": True, "ttsrTests": True}
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params = {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": named}
        self.answer = await self.request("initialize", params)
        self.notify("initialized", {})

    async def request(self, method: str, params: object) -> Any:
        """The result of a request. Raises RequestRefusedError."""
        self._last += 1
        future = self._waiting[self._last] = asyncio.get_running_loop().create_future()
        self._send({"id": self._last, "method": method, "params": params})
        return await future

    def notify(self, method: str, params: object) -> None:
        """Sends a notification, which has been handled when this returns."""
        self._send({"method": method, "params": params})

    async def end(self) -> None:
        """Ends the server."""
        await self.request("shutdown", None)
        self.server.protocol.close()

    def close(self) -> None:
        """The server's output has nothing to close."""

    def write(self, data: bytes) -> None:
        """Takes a message of the server; called by its protocol, in any thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._receive, json.loads(data.partition(b"\r\n\r\n")[2]))

    def _receive(self, message: dict[str, Any]) -> None:
        self.checker.received(message)
        if "method" not in message:
            future = self._waiting.pop(message["id"])
            if "error" in message:
                future.set_exception(RequestRefusedError(message["error"]["message"]))
            elif not future.done():
                future.set_result(message["result"])
        elif "id" in message:
            if message["method"] == "client/registerCapability":
                self.registered += message["params"]["registrations"]
            is_question = message["method"] == "workspace/configuration"
            result = [None] * len(message["params"]["items"]) if is_question else None
            self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        whole = {"jsonrpc": "2.0", **message}
        self.checker.sent(whole)
        self.server.protocol.receive(json.dumps(whole).encode())
