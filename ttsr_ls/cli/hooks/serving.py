"""Runs the hook server."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.server import HookServer
from ttsr_ls.bridge.control.stop_signals import StopSignals, handled_signals
from ttsr_ls.cli.agent.models import judge_of_environment
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.hooks.starting import server_state
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.store.hook_server_file import LOOPBACK, HookServerAddress, socket_file
from ttsr_ls.store.log.session_dirs import state_home


def serve(address: HookServerAddress) -> int:
    """Serves until a signal ends it. Raises UsageError where the port is taken."""
    if server_state(address) is not None:
        write_line(f"The hook server is already running on {LOOPBACK}:{address.port}.")
        return ExitCode.OK
    return asyncio.run(_serve(address))


async def _serve(address: HookServerAddress) -> ExitCode:
    me, stopped = asyncio.current_task(), asyncio.Event()
    assert me is not None, "a coroutine runs in a task"
    signals = StopSignals(stopped.set, me.cancel)
    with handled_signals(signals.receive), suppress(asyncio.CancelledError):
        await _serve_until(stopped, address)
    return ExitCode.INTERRUPTED if signals.count and signals.last == signal.SIGINT else ExitCode.OK


async def _serve_until(stopped: asyncio.Event, address: HookServerAddress) -> None:
    judge, model = judge_of_environment() or (None, None)
    server = HookServer(address.token, lambda text: write_line(one_line(text), flush=True), judge=judge)
    started = f"Serving hooks on {LOOPBACK}:{address.port}. Press Ctrl-C to stop."
    socket = socket_file(state_home(os.environ, Path.home()))
    try:
        await server.serve(address.port, lambda: write_line(started, flush=True), stopped, socket)
    finally:
        if model is not None:
            await model.close()
