"""Connects a controller to an agent's process: passes messages and the time, and stops the agent on Ctrl-C."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from msgspec import Struct

from ttsr_ls.bridge.adapters.lines import LineSplitter, OversizedLine
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.driver import ToAgent
from ttsr_ls.bridge.control.reaction import Reaction
from ttsr_ls.bridge.control.stop_signals import StopSignals, handled_signals
from ttsr_ls.bridge.control.transports.agent_process import AgentFailedError
from ttsr_ls.bridge.control.views import AgentAwaited, RunView, StopRequested
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.session.history.turn_events import TurnOutcome


class AgentTransport(Protocol):
    """The connection to an agent: its process or server."""

    async def open(self) -> None:
        """Starts the agent. Raises AgentFailedError."""

    async def read(self) -> bytes:
        """Returns the next bytes of the agent's output; empty at its end."""

    async def send(self, message: ToAgent) -> None:
        """Sends a message. Raises AgentFailedError."""

    async def close(self) -> int | None:
        """Stops the agent and all processes that it started. Returns its exit status."""

    def kill(self) -> None:
        """Kills the agent and all processes that it started. Call `close` afterwards."""

    @property
    def stderr_tail(self) -> str:
        """The end of the agent's standard error."""


class RunTimeouts(Struct, frozen=True):
    """Times in seconds. `settle`: how long to wait for more after the agent is done. `silence`: how long an agent that
    is not done may write nothing. `stopping`: how long it may take to stop. `check`: the interval between checks for
    changed rules. `unnoticed`: how long a wait for the agent stays unreported.
    """

    settle: float = 0.3
    silence: float = 1800.0
    stopping: float = 5.0
    check: float = 1.0
    unnoticed: float = 2.0


class RunResult(Struct, frozen=True):
    """The result of a run. `failure` says why it could not continue; `status` is the agent's exit status, None if this
    program killed it or it never started."""

    outcome: TurnOutcome | None
    failure: str | None
    status: int | None
    was_stopped: bool
    stderr_tail: str = ""


class ControlLoop:
    """Runs one agent with its controller.

    `show` is called with each view for the user. `check` is called regularly and returns further views.
    """

    def __init__(
        self,
        controller: Controller,
        transport: AgentTransport,
        show: Callable[[RunView], None],
        check: Callable[[int], list[RunView]],
        timeouts: RunTimeouts,
    ) -> None:
        self._controller = controller
        self._transport = transport
        self._show = show
        self._check = check
        self._timeouts = timeouts
        self._is_open = False
        self._signals = StopSignals(self._stop, transport.kill)
        self._woken = asyncio.Event()
        self._pending_step: tuple[str, float] | None = None
        """The unanswered step, with the time of its request; None once it was shown to the user."""
        self._last_step: str | None = None

    async def run(self, prompt: str) -> RunResult:
        """Runs until the agent is done. Raises AgentFailedError if it cannot be started."""
        with handled_signals(self._signals.receive):
            return await self._run(prompt)

    async def _run(self, prompt: str) -> RunResult:
        failure: str | None = None
        try:
            await self._open()
        except AgentFailedError:
            if not self._signals.count:
                raise
            return RunResult(None, None, None, was_stopped=True)
        self._is_open = True
        try:
            failure = await self._drive(prompt)
        finally:
            status = await self._transport.close()
        return RunResult(
            self._controller.outcome,
            self._controller.failure or failure,
            status,
            self._signals.count > 0,
            self._transport.stderr_tail,
        )

    async def _open(self) -> None:
        opening = asyncio.ensure_future(self._transport.open())
        try:
            await asyncio.wait({opening}, timeout=self._timeouts.unnoticed)
            if not opening.done():
                self._show(AgentAwaited(""))
            await opening
        finally:
            opening.cancel()

    async def _drive(self, prompt: str) -> str | None:
        self._reading = asyncio.create_task(self._transport.read())
        try:
            await self._perform(self._controller.start(prompt, epoch_ms()))
            return await self._loop()
        except AgentFailedError as error:
            return f"{str(error)[:1].upper()}{str(error)[1:]}."
        finally:
            self._reading.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await self._reading

    async def _loop(self) -> str | None:
        splitter = LineSplitter()
        last_output_at = checked = time.monotonic()
        over_since: float | None = None
        stopped_at: float | None = None
        while True:
            await self._wait(over_since is not None)
            now = time.monotonic()
            if self._reading.done():
                last_output_at = now
                data = self._reading.result()
                for line in splitter.feed(data) if data else splitter.finish():
                    await self._handle_line(line)
                if not data:
                    await self._perform(self._controller.finish(epoch_ms()))
                    return None
                self._reading = asyncio.create_task(self._transport.read())
            await self._perform(self._controller.tick(epoch_ms()))
            if self._signals.count and stopped_at is None:
                stopped_at = now
                self._show(StopRequested())
                await self._perform(self._controller.stop(epoch_ms()))
            self._show_awaited(now)
            if now - checked >= self._timeouts.check:
                checked = now
                for view in self._check(epoch_ms()):
                    self._show(view)
            over_since = (over_since or now) if self._controller.is_over else None
            settle = max(self._timeouts.settle, self._controller.driver.pause_between_turns)
            if over_since is not None and (now - over_since >= settle or self._controller.failure):
                return None
            if stopped_at is not None and (self._signals.count > 1 or now - stopped_at >= self._timeouts.stopping):
                return None
            if now - last_output_at >= self._timeouts.silence:
                return f"The agent wrote nothing for {self._timeouts.silence:.0f} seconds."

    def _show_awaited(self, now: float) -> None:
        step = self._controller.plans.unanswered_step
        if step != self._last_step:
            self._last_step, self._pending_step = step, None if step is None else (step, now)
        elif self._pending_step is not None and now - self._pending_step[1] >= self._timeouts.unnoticed:
            self._show(AgentAwaited(self._pending_step[0]))
            self._pending_step = None

    async def _wait(self, is_settling: bool) -> None:
        self._woken.clear()
        waking = asyncio.create_task(self._woken.wait())
        timeout = min(self._timeouts.settle if is_settling else 0.25, 0.25)
        await asyncio.wait({self._reading, waking}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        waking.cancel()

    async def _handle_line(self, line: bytes | OversizedLine) -> None:
        if isinstance(line, OversizedLine):
            for view in self._controller.skip("A line of the agent's output was skipped: it is too long.", epoch_ms()):
                self._show(view)
            return
        await self._perform(self._controller.receive(line, epoch_ms()))

    async def _perform(self, reaction: Reaction) -> None:
        for view in reaction.views:
            self._show(view)
        for message in reaction.outgoing:
            await self._transport.send(message)

    def _stop(self) -> None:
        if not self._is_open:  # The agent cannot be asked to stop yet.
            self._transport.kill()
        self._woken.set()
