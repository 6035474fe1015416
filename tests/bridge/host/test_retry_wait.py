"""The wait before a retry ends early when the user or the host acts."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.bridge.host.driving import FINE, PUSH, run_on
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind, TurnCancelled
from ttsr_ls.session.hooks.contract import (
    AbortedContext,
    AbortedResult,
    DeltaContext,
    DeltaResult,
    Ending,
    Feature,
    Interrupt,
    OutputContext,
    OutputResult,
    PendingInjection,
    Proceed,
    RequestContext,
    RequestResult,
    Resume,
    ToolResultContext,
    ToolResultResult,
)
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER, Phase


class Resuming(Feature):
    """Interrupts the first answer, and schedules a retry after some seconds."""

    name = "resuming"

    def __init__(self, after: float) -> None:
        self._after = after
        self._interrupted = False

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        if self._interrupted:
            return Proceed()
        self._interrupted = True
        return Interrupt(("mine",), ContextMode.KEEP)

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        return Resume((PendingInjection(InjectionKind.INTERRUPT, Role.USER, "not so"),), self._after)


@pytest.mark.parametrize("act", ["interrupt", "clear", "rewind", "close"])
async def test_a_pending_retry_ends_at_once_when_the_user_acts(act: str) -> None:
    feature = Resuming(60.0)
    run = await run_on(features=(feature,), rules={})
    run.session.sleep = asyncio.sleep

    async def come_between() -> None:
        while run.session._core.machine.phase is not Phase.WAITING:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        arguments = [run.session.turns[0].id] if act == "rewind" else []
        await getattr(run.session, act)(*arguments)

    async with asyncio.timeout(60):
        person = asyncio.ensure_future(come_between())
        await run.turn(FINE)
        await person
    assert len(run.sent) == 1
    if act == "interrupt":
        assert run.session.turns[0].state == CANCELLED_BY_USER
        await run.turn(FINE)
        assert "not so" not in json.dumps(run.sent[1])


async def test_a_cancelled_host_does_not_wait_for_a_pending_retry() -> None:
    run = await run_on(features=(Resuming(60.0),), rules={})
    run.session.sleep = asyncio.sleep
    turn = asyncio.ensure_future(run.turn(FINE))
    async with asyncio.timeout(60):
        while run.session._core.machine.phase is not Phase.WAITING:
            await asyncio.sleep(0)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
    assert run.session.turns[0].state == TurnCancelled("the host was cancelled")
    assert len(asyncio.all_tasks()) == 1


async def test_an_error_of_the_hosts_own_sleep_reaches_the_host() -> None:
    async def broken(seconds: float) -> None:
        raise OSError("no clock")

    run = await run_on(features=(Resuming(1.0),), rules={})
    run.session.sleep = broken
    with pytest.raises(OSError, match="no clock"):
        await run.turn(FINE)


class Pondering(Feature):
    """Takes a minute at one hook."""

    name = "pondering"
    timeout = 60.0

    def __init__(self, hook: str) -> None:
        self._hook = hook
        self.cancelled = False
        self.is_asked = asyncio.Event()

    async def _ponder(self, hook: str) -> None:
        if hook == self._hook:
            self.is_asked.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.cancelled = True
                raise

    async def on_request(self, context: RequestContext) -> RequestResult:
        await self._ponder("request")
        return Proceed()

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        return Interrupt(("mine",), ContextMode.KEEP) if self._hook == "aborted" else Proceed()

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        if context.ending is Ending.COMPLETE:
            await self._ponder("output")
        return Proceed()

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        await self._ponder("aborted")
        return Resume((PendingInjection(InjectionKind.INTERRUPT, Role.USER, "not so"),), 0.0)

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        await self._ponder("tool")
        return Proceed()


@pytest.mark.parametrize("hook", ["request", "output", "aborted", "tool"])
@pytest.mark.parametrize("act", ["interrupt", "clear", "close"])
async def test_the_user_does_not_wait_for_a_slow_hook(hook: str, act: str) -> None:
    feature = Pondering(hook)
    run = await run_on(features=(feature,), rules={})

    async def come_between() -> None:
        await feature.is_asked.wait()
        await getattr(run.session, act)()

    async with asyncio.timeout(60):
        person = asyncio.ensure_future(come_between())
        await run.turn(PUSH)
        await person
    assert feature.cancelled
    assert "FeatureDisabled" not in run.kinds(), "being cancelled is no fault of the feature"
    if act == "interrupt":
        assert run.session.turns[0].state == CANCELLED_BY_USER
