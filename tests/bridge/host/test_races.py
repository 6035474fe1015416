"""Inputs between a match and its injection, or in the middle of an answer (spec U2)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.bridge.host.driving import FINE, OLD, PUSH, TYPED, Run, ShakyLog, run_on, stream_of
from tests.bridge.wire.provider_answers import Event
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind, ModelCall, ToolBatch, TurnCancelled, TurnFailed
from ttsr_ls.session.history.turn_events import (
    CallAbandoned,
    FeatureRecorded,
    InjectionCommitted,
    ToolCall,
    TurnCompleted,
)
from ttsr_ls.session.hooks.contract import Append, Feature, FollowUp, Note, PendingInjection, Prepend, Resume
from ttsr_ls.session.lifecycle.transitions import CANCELLED_BY_USER
from ttsr_ls.session.output.wire_events import Api


def text_of(run: Run, request: int) -> str:
    return json.dumps(run.sent[request])


async def test_the_user_may_stop_the_agent_while_a_retry_is_pending() -> None:
    run = await run_on()
    run.during_sleep = run.session.interrupt
    await run.turn(OLD)
    assert len(run.sent) == 1
    assert run.session.turns[0].state == CANCELLED_BY_USER
    assert run.state.interrupts == ()
    assert run.state.injected == ()
    await run.turn(FINE)
    assert "system-interrupt" not in text_of(run, 1)


async def test_the_user_may_stop_a_streaming_answer() -> None:
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, FINE)):
                await run.session.interrupt()
    assert run.session.turns[0].state == CANCELLED_BY_USER
    answer = run.session.turns[0].steps[0].content
    assert isinstance(answer, ModelCall)
    assert not answer.complete


async def test_stopping_a_silent_stream_does_not_wait() -> None:
    async def silent() -> AsyncIterator[Event]:
        yield {"type": "message_start", "message": {"model": "m"}}
        asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(run.session.interrupt()))
        await asyncio.Event().wait()

    run = await run_on()
    async with asyncio.timeout(60), run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(silent()):
                pass
    assert run.session.turns[0].state == CANCELLED_BY_USER


@pytest.mark.parametrize("what", ["rewind", "clear", "close"])
async def test_a_session_may_be_changed_while_a_retry_is_pending(what: str) -> None:
    run = await run_on()
    acts = {"rewind": lambda: run.session.rewind("t1"), "clear": run.session.clear, "close": run.session.close}
    run.during_sleep = acts[what]
    await run.turn(OLD)
    assert len(run.sent) == 1
    assert not [event for event in run.log.events if isinstance(event, InjectionCommitted)]


async def test_a_request_that_fails_after_an_interruption_leaves_the_rule_injected() -> None:
    """Seed 000, section 8: the retry is best effort."""
    run = await run_on()

    async def broken() -> AsyncIterator[Event]:
        yield {"type": "message_start", "message": {"model": "m"}}
        raise ConnectionError("no network")

    script = [stream_of(Api.ANTHROPIC, OLD), broken()]

    async def host() -> None:
        async with run.session.turn("go") as turn:
            async for request in turn:
                async for _ in request.watch(script.pop(0)):
                    pass

    with pytest.raises(ConnectionError):
        await host()
    assert run.session.turns[0].state == TurnFailed("ConnectionError: no network")
    assert [mark.rule for mark in run.state.injected] == ["no-old"]
    await run.turn(FINE)
    assert "system-interrupt" in text_of(run, 0)


async def test_a_provider_error_during_an_answer_ends_the_turn() -> None:
    async def overloaded() -> AsyncIterator[Event]:
        yield {"type": "message_start", "message": {"model": "m"}}
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}

    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(overloaded()):
                pass
    assert isinstance(run.session.turns[0].state, TurnFailed)


async def test_a_host_that_is_cancelled_leaves_a_valid_history() -> None:
    run = await run_on()

    async def hangs() -> AsyncIterator[Event]:
        yield {"type": "message_start", "message": {"model": "m"}}
        task.cancel()
        await asyncio.Event().wait()

    async def host() -> None:
        async with run.session.turn("go") as turn:
            async for request in turn:
                async for _ in request.watch(hangs()):
                    pass

    task = asyncio.ensure_future(host())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.session.turns[0].state == TurnCancelled("the host was cancelled")
    await run.turn(FINE)


async def test_a_stream_that_turns_its_cancellation_into_an_error_is_interrupted() -> None:
    async def grumbling() -> AsyncIterator[Event]:
        yield {"type": "message_start", "message": {"model": "m"}}
        asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(run.session.interrupt()))
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectionError("closed") from None

    run = await run_on()
    async with asyncio.timeout(60), run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(grumbling()):
                pass
    assert run.session.turns[0].state == CANCELLED_BY_USER


async def test_a_host_that_leaves_a_turn_early_leaves_a_valid_history() -> None:
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, TYPED)):
                break
            break
    assert run.session.turns[0].state == TurnCancelled("the host left the turn")
    await run.turn(FINE)


async def test_an_unwritable_log_lets_the_answer_continue() -> None:
    log = ShakyLog(fails=range(3, 1000))
    run = await run_on(log)
    await run.turn(OLD)
    assert len(run.sent) == 1
    assert run.kinds() == ["LogFailed", "TurnFinished"]
    answer = run.session.turns[0].steps[0].content
    assert isinstance(answer, ModelCall)
    assert answer.complete


async def test_a_rule_that_could_not_be_injected_is_injected_once_the_log_works() -> None:
    log = ShakyLog(fails=(6,))  # The injection.
    run = await run_on(log)
    await run.turn(OLD, FINE)
    assert log.asked > 6
    assert run.kinds()[:4] == ["RulesTriggered", "AnswerInterrupted", "LogFailed", "LogRecovered"]
    assert "system-interrupt" in text_of(run, 1)


@pytest.mark.parametrize("what", ["stop", "rewind", "clear"])
async def test_results_of_tools_that_the_user_stopped_are_ignored(what: str) -> None:
    run = await run_on()
    acts = {"stop": run.session.interrupt, "rewind": lambda: run.session.rewind("t1"), "clear": run.session.clear}
    both = (ToolCall("a", "bash", "{}"), ToolCall("b", "bash", "{}"))
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, both)):
                pass
            for call in request.calls:
                await acts[what]() if call.id == "a" else None
                await request.result(call.id, "fine")
    for turn_ in run.session.turns:
        (batch,) = [step.content for step in turn_.steps if isinstance(step.content, ToolBatch)]
        assert [type(item.state) for item in batch.items] == [CallAbandoned, CallAbandoned]
    await run.turn(FINE)


HOOKS: dict[str, object] = {
    "on_request": lambda context: Append((context.items.note("late"),)),
    "on_output_end": lambda _: FollowUp((PendingInjection(InjectionKind.NOTE, Role.USER, "late"),)),
    "on_tool_result": lambda _: Prepend("late"),
    "on_aborted": lambda _: Resume((PendingInjection(InjectionKind.NOTE, Role.USER, "late"),), 0.0),
    "on_turn_end": lambda _: Note((FeatureRecorded("slow", "late"),)),
}


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("what", ["stop", "rewind", "clear", "close"])
async def test_results_of_hooks_after_the_user_changed_the_session_are_ignored(hook: str, what: str) -> None:
    class Slow(Feature):
        name = "slow"

    async def asked(_: Slow, context: Any) -> Any:
        await acts[what]()
        return HOOKS[hook](context)  # type: ignore[operator]

    setattr(Slow, hook, asked)
    run = await run_on(features=(Slow(),))
    session = run.session
    acts = {
        "stop": session.interrupt,
        "rewind": lambda: session.rewind("t1"),
        "clear": session.clear,
        "close": session.close,
    }
    await run.turn(OLD if hook == "on_aborted" else PUSH, FINE)
    assert "late" not in str(run.log.events)
    assert "FeatureDisabled" not in run.kinds()
    if what == "stop" and hook != "on_turn_end":
        assert session.turns[0].state == CANCELLED_BY_USER


@pytest.mark.parametrize("what", ["stop", "rewind", "clear", "close"])
async def test_the_user_may_change_the_session_before_the_answer_begins(what: str) -> None:
    run = await run_on()
    acts = {
        "stop": run.session.interrupt,
        "rewind": lambda: run.session.rewind("t1"),
        "clear": run.session.clear,
        "close": run.session.close,
    }
    async with run.session.turn("go") as turn:
        async for request in turn:
            await acts[what]()
            assert [event async for event in request.watch(stream_of(Api.ANTHROPIC, PUSH))] == []
            assert request.calls == ()
    if what == "stop":
        assert run.session.turns[0].state == CANCELLED_BY_USER


async def test_a_retry_without_injection_follows_if_the_log_fails() -> None:
    run = await run_on(ShakyLog(fails=range(6, 10_000)))
    async with asyncio.timeout(60):
        await run.turn(OLD, FINE)
    assert len(run.sent) == 2
    assert "system-interrupt" not in text_of(run, 1)
    assert run.kinds() == ["RulesTriggered", "AnswerInterrupted", "LogFailed", "TurnFinished"]


async def test_a_stream_that_ends_after_its_stop_reason_is_complete() -> None:
    async def abrupt() -> AsyncIterator[Event]:
        async for event in stream_of(Api.ANTHROPIC, FINE):
            if event["type"] != "message_stop":
                yield event

    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(abrupt()):
                pass
    assert run.session.turns[0].state == TurnCompleted()
