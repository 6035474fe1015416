"""Runs the relay: the editor on our standard input and output, the agent as a process."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct

from ttsr_ls.bridge.adapters.lines import LineSplitter, OversizedLine
from ttsr_ls.bridge.control.acp.relay import AcpRelay
from ttsr_ls.bridge.control.relayed_lines import RelayedLines
from ttsr_ls.bridge.control.stop_signals import StopSignals, handled_signals
from ttsr_ls.bridge.control.transports.agent_process import AgentFailedError, AgentProcess
from ttsr_ls.bridge.control.views import RunView
from ttsr_ls.bridge.host.clock import epoch_ms

_CHUNK = 64 * 1024
_TICK = 1.0


class RelayEnd(Struct, frozen=True):
    """The end of a connection: the exit status of an agent that ended by itself, or the number of a signal."""

    status: int | None = None
    signal: int | None = None


async def relay(
    connection: AcpRelay,
    agent: AgentProcess,
    write: Callable[[bytes], None],
    show: Callable[[RunView], None],
    check: Callable[[int], list[RunView]],
) -> RelayEnd:
    """Relays until the editor or the agent closes. `check` is called regularly.

    The first Ctrl-C closes the connection, the second kills the agent. Raises AgentFailedError if the agent cannot be
    started, or does not read its input and has no failing exit status.
    """
    event = asyncio.Event()
    signals = StopSignals(event.set, agent.kill)
    with handled_signals(signals.receive):
        status = await _relayed(connection, agent, write, show, check, event)
    return RelayEnd(None, signals.last) if signals.count else RelayEnd(status)


async def _relayed(
    connection: AcpRelay,
    agent: AgentProcess,
    write: Callable[[bytes], None],
    show: Callable[[RunView], None],
    check: Callable[[int], list[RunView]],
    event: asyncio.Event,
) -> int | None:
    """Returns the agent's exit status; None for an agent that was ended because the editor closed."""
    await agent.open()
    has_agent_closed = False
    failure: AgentFailedError | None = None
    try:
        editor = await _standard_input()
        reading = {asyncio.ensure_future(editor.read(_CHUNK)): True, asyncio.ensure_future(agent.read()): False}
        splitters = {True: LineSplitter(), False: LineSplitter()}
        stopping = asyncio.ensure_future(event.wait())
        try:
            is_open = True
            while is_open and not event.is_set():
                waited = {*reading, stopping}
                done, _ = await asyncio.wait(waited, timeout=_TICK, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in reading if task in done]:
                    is_editor = reading.pop(task)
                    data = task.result()
                    for line in splitters[is_editor].feed(data) if data else splitters[is_editor].finish():
                        await _perform(_handled(connection, line, is_editor), agent, write, show)
                    if not data:
                        has_agent_closed |= not is_editor
                        is_open = False
                        continue
                    again = editor.read(_CHUNK) if is_editor else agent.read()
                    reading[asyncio.ensure_future(again)] = is_editor
                await _perform(connection.tick(epoch_ms()), agent, write, show)
                for view in check(epoch_ms()):
                    show(view)
        except AgentFailedError as error:
            failure = error
        finally:
            stopping.cancel()
            for task in reading:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
    finally:
        for view in connection.finish(epoch_ms()):
            show(view)
        status = await agent.close()
    if failure is not None and not status:
        raise failure
    is_own_end = has_agent_closed or failure is not None or (status or 0) > 0
    return status if is_own_end else None


def _handled(connection: AcpRelay, line: bytes | OversizedLine, is_editor: bool) -> RelayedLines:
    if isinstance(line, OversizedLine):
        return connection.skip_oversized_line(epoch_ms())
    return connection.from_editor(line, epoch_ms()) if is_editor else connection.from_agent(line, epoch_ms())


async def _perform(
    lines: RelayedLines, agent: AgentProcess, write: Callable[[bytes], None], show: Callable[[RunView], None]
) -> None:
    for view in lines.views:
        show(view)
    for line in lines.to_client:
        write(line + b"\n")
    for line in lines.to_agent:
        await agent.write(line + b"\n")


async def _standard_input() -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        raise AgentFailedError("standard input is not a pipe; an editor starts this command")
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader
