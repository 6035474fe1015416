"""Runs the hook server."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.client.client_script import write_client_script
from ttsr_ls.bridge.agent_hooks.server import HookServer
from ttsr_ls.bridge.control.stop_signals import StopSignals, handled_signals
from ttsr_ls.cli.agent.models import judge_of_environment
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.hooks.starting import server_state
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.store.hook_server_file import (
    LOOPBACK,
    HookServerAddress,
    address_file,
    restore_address,
    socket_file,
    stored_address,
)
from ttsr_ls.store.log.session_dirs import state_home

_CHECK_INTERVAL = 1.0
"""The time after which the stored address is read again, in seconds."""


def serve(address: HookServerAddress) -> int:
    """Serves until a signal ends it. Raises UsageError where the port is taken."""
    if server_state(address) is not None:
        write_line(f"The hook server is already running on {LOOPBACK}:{address.port}.")
        return ExitCode.OK
    return asyncio.run(_serve(address))


async def _serve(address: HookServerAddress) -> ExitCode:
    task, event = asyncio.current_task(), asyncio.Event()
    assert task is not None, "a coroutine runs in a task"
    signals = StopSignals(event.set, task.cancel)
    with handled_signals(signals.receive), suppress(asyncio.CancelledError):
        await _serve_until(event, address)
    return ExitCode.INTERRUPTED if signals.count and signals.last == signal.SIGINT else ExitCode.OK


async def _serve_until(event: asyncio.Event, address: HookServerAddress) -> None:
    """Serves until `event` is set, or another address is stored. Writes a deleted state folder again.

    Agents' settings have the address, so they would still call a server that `hooks stop` and `doctor` cannot find.
    """
    state = state_home(os.environ, Path.home())
    while not event.is_set():
        await _serve_while_stored(state, event, address)
        stored = stored_address(state)
        if event.is_set() or stored == address:
            return
        if stored is not None:
            write_line(f"The hook server ends: the one on {LOOPBACK}:{stored.port} takes its place.", flush=True)
            return
        write_line(f"{address_file(state)} was deleted: the hook server writes it again.", flush=True)
        restore_address(state, address)
        write_client_script(state, address)


async def _serve_while_stored(state: Path, event: asyncio.Event, address: HookServerAddress) -> None:
    ended = asyncio.Event()

    async def follow() -> None:
        while not event.is_set() and stored_address(state) == address:
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), _CHECK_INTERVAL)
        ended.set()

    following = asyncio.create_task(follow())
    try:
        await _serve_once(address, ended)
    finally:
        following.cancel()


async def _serve_once(address: HookServerAddress, ended: asyncio.Event) -> None:
    judge, model = judge_of_environment() or (None, None)
    server = HookServer(address.token, lambda text: write_line(one_line(text), flush=True), judge=judge)
    start = f"Serving hooks on {LOOPBACK}:{address.port}. Press Ctrl-C to stop."
    socket = socket_file(state_home(os.environ, Path.home()))
    try:
        await server.serve(address.port, lambda: write_line(start, flush=True), ended, socket)
    finally:
        if model is not None:
            await model.close()
