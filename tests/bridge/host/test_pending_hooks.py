"""Hooks that are cancelled before they begin, and hooks that refuse to be cancelled."""

from __future__ import annotations

import asyncio
import gc
import warnings
from contextlib import suppress
from types import SimpleNamespace

import pytest

from tests.bridge.host.driving import FINE, run_on, stream_of
from tests.bridge.wire.provider_answers import Part
from tests.session.hooks.trying import off
from ttsr_ls.bridge.host.events import FeatureDisabled
from ttsr_ls.bridge.host.hooks import runner
from ttsr_ls.bridge.host.hooks.pending_hooks import HooksStopped, PendingHooks
from ttsr_ls.bridge.host.hooks.runner import MAX_STALLS
from ttsr_ls.session.history.turn_events import Text, ToolCall
from ttsr_ls.session.hooks.contract import DeltaContext, DeltaResult, Feature, OutputContext, OutputResult, Proceed
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER
from ttsr_ls.session.output.wire_events import Api


async def test_a_hook_that_is_stopped_before_it_begins_leaves_no_coroutine() -> None:
    hooks = PendingHooks()
    called: list[str] = []

    async def on_turn_end() -> None:
        called.append("hook")

    answer = asyncio.create_task(hooks.answer(Feature(), "on_turn_end", on_turn_end))
    await asyncio.sleep(0)
    hooks.stop()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with pytest.raises(HooksStopped):
            await answer
        gc.collect()
    assert (called, found) == ([], [])


class Stubborn(Feature):
    """Its hook and its tool ignore cancellations until they are released."""

    name = "stubborn"

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.tools = (FeatureTool("Wait", "Waits.", {"type": "object"}, self._wait),)
        self.is_called = asyncio.Event()
        self.released = asyncio.Event()
        asyncio.get_running_loop().call_later(5, self.released.set)  # Else a failing test would never end.

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        if isinstance(context.output[0], Text):
            await self._wait(None)
        return Proceed()

    async def _wait(self, _: object) -> ToolDone:
        self.is_called.set()
        while not self.released.is_set():
            with suppress(asyncio.CancelledError):
                await self.released.wait()
        return ToolDone("done")


@pytest.mark.parametrize("answer", [FINE, (ToolCall("w", "Wait", "{}"),)], ids=["a hook", "a tool"])
async def test_a_hook_that_refuses_to_be_cancelled_is_abandoned_after_its_time(answer: tuple[Part, ...]) -> None:
    feature = Stubborn(0.05)
    run = await run_on(rules={}, features=[feature])
    async with run.session.turn("go") as turn:
        request = await anext(turn)
        async for _ in request.watch(stream_of(Api.ANTHROPIC, answer)):
            pass
        for call in request.calls:
            await request.run(call)
    assert not feature.released.is_set()
    (disabled,) = [event for event in run.notifications if isinstance(event, FeatureDisabled)]
    assert disabled.reason.endswith("took longer than 0.05 seconds")
    feature.released.set()


async def test_the_user_does_not_wait_for_a_hook_that_refuses_to_be_cancelled() -> None:
    feature = Stubborn(60.0)
    run = await run_on(rules={}, features=[feature])
    turn = asyncio.create_task(run.turn(FINE))
    await feature.is_called.wait()
    await run.session.interrupt()
    await turn
    assert not feature.released.is_set()
    assert run.session.turns[0].state == CANCELLED_BY_USER
    assert off(run) == []
    feature.released.set()


class Stalled(Feature):
    """Two seconds pass during each of its first deltas, without processor time."""

    name = "stalled"

    def __init__(self, stalls: int) -> None:
        self.stalls = stalls
        self.now = 0.0

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        self.now += 2.0 if self.stalls > 0 else 0.0
        self.stalls -= 1
        return Proceed()


@pytest.mark.parametrize(
    ("stalls", "computes", "disabled"),
    [(MAX_STALLS, False, []), (MAX_STALLS + 1, False, ["stalled"]), (1, True, ["stalled"])],
)
async def test_a_stalling_machine_disables_no_feature(
    stalls: int, computes: bool, disabled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feature = Stalled(stalls)
    clocks = SimpleNamespace(monotonic=lambda: feature.now, thread_time=lambda: feature.now * computes)
    monkeypatch.setattr(runner, "time", clocks)
    run = await run_on(rules={}, features=[feature])
    await run.turn((Text("Many words, so that there are many deltas."),))
    assert off(run) == disabled
    assert feature.stalls <= 0
