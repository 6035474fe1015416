"""A session with a server in which work in threads is held until a test releases it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.lsp.conformance.server_session import ServerSession
from tests.lsp.logged_run import trigger
from tests.lsp.talk import PATIENCE
from ttsr_ls.ide.triggers.trigger_board import RunKey
from ttsr_ls.lsp.runs.trigger_view import live_trigger

_AWAITED = ("_publish", "_read_project_configuration", "_remove_finished")


class HeldSession(ServerSession):
    """A session in which the first call of one function in a thread returns only after `release`."""

    def __init__(self, encoding: str = "utf-16") -> None:
        super().__init__(encoding)
        self.published: list[dict[str, Any]] = []
        self.is_held = asyncio.Event()
        self.release = asyncio.Event()

    def hold(self, held: Callable[..., Any], runner: str = "run_in_thread") -> None:
        """Holds the result of the next call of a function by that method of the server."""
        run_in_pool = getattr(self.server, runner)

        async def run(function: Any, *arguments: object) -> Any:
            result = await run_in_pool(function, *arguments)
            if function is held and not self.is_held.is_set():
                self.is_held.set()
                await self.release.wait()
            return result

        setattr(self.server, runner, run)

    def open(self, path: Path, text: str) -> str:
        """Opens a rule; returns its URI."""
        item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def command(self, name: str, *arguments: object) -> asyncio.Task[Any]:
        """Runs a command of the server."""
        params = {"command": name, "arguments": list(arguments)}
        return asyncio.create_task(self.request("workspace/executeCommand", params))

    async def settle(self) -> None:
        """Waits until no background task of the server but its watches is running."""
        while any(task_name(task) in _AWAITED for task in self.server._tasks):
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)

    def _receive(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
        super()._receive(message)


def task_name(task: asyncio.Task[Any]) -> str:
    """The name of the function that a task runs."""
    coroutine: Any = task.get_coro()
    return str(coroutine.__name__)


def fire(session: ServerSession, shop: Path, target: Path) -> None:
    """A rule fires on a file."""
    event = trigger(shop / ".omp" / "rules" / "a.md", target)
    board = session.server.board.added(RunKey(str(shop), ""), live_trigger(event, str(shop), "", 1))
    session.server.board = board


class HeldCalls:
    """A function for threads: each call returns the result of `function`, once `hover_meanwhile` is over."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._started = threading.Semaphore(0)
        self._release = threading.Event()

    def __call__(self, *arguments: object) -> object:
        self._started.release()
        assert self._release.wait(PATIENCE)
        return self._function(*arguments)

    async def hover_meanwhile(self, session: ServerSession, uri: str, requests: Sequence[asyncio.Future[Any]]) -> None:
        """Requests a hover over the rule `uri` while each of the other requests waits for a call."""
        try:
            for _ in requests:
                assert await asyncio.to_thread(self._started.acquire, timeout=PATIENCE)
            position = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 1}}
            async with asyncio.timeout(PATIENCE / 2):
                assert await session.request("textDocument/hover", position) is not None
            assert not any(request.done() for request in requests)
        finally:
            self._release.set()
