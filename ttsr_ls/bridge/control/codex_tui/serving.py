"""Runs Codex's terminal interface, and serves it the app server behind a relay.

The interface connects to a socket in a folder that only this user can enter. Each of its connections gets an app server
of its own.
"""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ttsr_ls.bridge.adapters.lines import LineSplitter, OversizedLine
from ttsr_ls.bridge.control.codex_tui.relay import CodexTuiRelay
from ttsr_ls.bridge.control.relayed_lines import RelayedLines
from ttsr_ls.bridge.control.transports.agent_process import AgentFailedError, AgentProcess
from ttsr_ls.bridge.control.views import AgentTrouble, RunView
from ttsr_ls.bridge.host.clock import epoch_ms

if TYPE_CHECKING:
    from aiohttp import web

_TICK = 0.25
_MAX_MESSAGE_LENGTH = 64 * 1024 * 1024
_END_TIMEOUT = 3.0


class TuiCommand(Struct, frozen=True):
    """`program` is Codex; `arguments` are the user's, `settings` those of them that the app server gets, too."""

    program: str
    arguments: Sequence[str]
    settings: Sequence[str]
    cwd: Path
    environ: Mapping[str, str]


class TuiResult(Struct, frozen=True):
    """The exit status of the interface, and whether it ever connected to the relay."""

    status: int
    has_connected: bool


class TuiServer:
    """Runs the terminal interface once.

    `make_relay` creates the relay of a connection. `show` is called with each view for the user. `check` is called
    regularly and returns further views."""

    def __init__(
        self,
        command: TuiCommand,
        make_relay: Callable[[], CodexTuiRelay],
        show: Callable[[RunView], None],
        check: Callable[[int], list[RunView]],
    ) -> None:
        self._command = command
        self._make_relay = make_relay
        self._show = show
        self._check = check
        self._has_connected = False

    async def run(self) -> TuiResult:
        """Runs until the interface ends. Raises AgentFailedError if it cannot be started."""
        from aiohttp import web

        application = web.Application()
        application.router.add_get("/{path:.*}", self._serve_connection)
        runner = web.AppRunner(application, handle_signals=False, shutdown_timeout=_END_TIMEOUT)
        await runner.setup()
        try:
            # Only this user can enter the folder.
            with tempfile.TemporaryDirectory(prefix="ttsr-") as folder:
                path = Path(folder, "codex.sock")
                await web.UnixSite(runner, path).start()
                status = await self._run_interface(path)
                await runner.cleanup()
        finally:
            await runner.cleanup()
        return TuiResult(status, self._has_connected)

    async def _run_interface(self, path: Path) -> int:
        command = self._command
        try:
            process = await asyncio.create_subprocess_exec(
                command.program,
                "--remote",
                f"unix://{path}",
                *command.arguments,
                cwd=command.cwd,
                env=dict(command.environ),
            )
        except OSError as error:
            raise AgentFailedError(f"cannot start {command.program}: {error.strerror}") from error
        with _forward_signals(process):
            return await process.wait()

    async def _serve_connection(self, request: web.Request) -> web.WebSocketResponse:
        from aiohttp import web

        socket = web.WebSocketResponse(max_msg_size=_MAX_MESSAGE_LENGTH, autoping=True)
        await socket.prepare(request)
        self._has_connected = True
        command = self._command
        server = AgentProcess([command.program, *command.settings, "app-server"], command.cwd, command.environ)
        relay = self._make_relay()
        try:
            await server.open()
            await self._relay(relay, server, socket)
        except (AgentFailedError, ConnectionError) as error:
            self._show(AgentTrouble(f"Codex's app server cannot be reached: {error}."))
        finally:
            for view in relay.finish(epoch_ms()):
                self._show(view)
            await server.close()
            await socket.close()
        return socket

    async def _relay(self, relay: CodexTuiRelay, server: AgentProcess, socket: web.WebSocketResponse) -> None:
        from aiohttp import WSMsgType

        lines = LineSplitter()
        receiving = asyncio.ensure_future(socket.receive())
        reading = asyncio.ensure_future(server.read())
        try:
            while True:
                await asyncio.wait({receiving, reading}, timeout=_TICK, return_when=asyncio.FIRST_COMPLETED)
                if receiving.done():
                    message = receiving.result()
                    if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                        return
                    data = message.data.encode() if isinstance(message.data, str) else message.data
                    await self._perform(relay.from_tui(data, epoch_ms()), server, socket)
                    receiving = asyncio.ensure_future(socket.receive())
                if reading.done():
                    output = reading.result()
                    for line in lines.feed(output) if output else lines.finish():
                        if isinstance(line, OversizedLine):
                            await self._perform(relay.skip_oversized_line(epoch_ms()), server, socket)
                        elif line.strip():
                            await self._perform(relay.from_server(line, epoch_ms()), server, socket)
                    if not output:
                        return
                    reading = asyncio.ensure_future(server.read())
                await self._perform(relay.tick(epoch_ms()), server, socket)
                for view in self._check(epoch_ms()):
                    self._show(view)
        finally:
            for task in (receiving, reading):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    async def _perform(self, lines: RelayedLines, server: AgentProcess, socket: web.WebSocketResponse) -> None:
        for view in lines.views:
            self._show(view)
        for line in lines.to_client:
            await socket.send_str(line.decode("utf-8", "replace"))
        for line in lines.to_agent:
            # In JSON, a line feed is only white space between values.
            await server.write(line.replace(b"\n", b" ") + b"\n")


@contextmanager
def _forward_signals(process: asyncio.subprocess.Process) -> Iterator[None]:
    """Ignores Ctrl-C, which the interface gets from the terminal, too, and forwards the other signals to it."""
    loop = asyncio.get_running_loop()
    ending = (signal.SIGTERM, signal.SIGHUP)

    def end() -> None:
        with suppress(ProcessLookupError):
            process.terminate()

    loop.add_signal_handler(signal.SIGINT, lambda: None)
    for number in ending:
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in (signal.SIGINT, *ending):
            loop.remove_signal_handler(number)
