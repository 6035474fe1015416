"""A host that is cancelled while features are asked about an answer, and continues: no unchecked call runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from tests.bridge.host.driving import TYPED, Run, ShakyLog, run_on, stream_of
from tests.bridge.wire.provider_answers import Event, Part
from ttsr_ls import Feature, LogFailurePolicy, LogWriteError, Note, OutputContext, OutputResult, Proceed, TaskFeature
from ttsr_ls.bridge.host.turns.answer_stream import TRUNCATED
from ttsr_ls.bridge.host.turns.tool_checks import NOT_CHECKED
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.turn_events import FeatureRecorded, ToolCall
from ttsr_ls.session.hooks.contract import ToolCallContext, ToolCallResult
from ttsr_ls.session.output.wire_events import Api

CREATE = (ToolCall("c1", "TaskCreate", '{"subject": "s", "description": "d"}'),)


class Thinking(Feature):
    """Takes its time at the end of an answer; then at the call named in `at`, if there is one."""

    name = "thinking"

    def __init__(self, at: str | None) -> None:
        self.at = at
        self.reached = asyncio.Event()

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        return await self._thought() if self.at is None else Proceed()

    async def _thought(self) -> Proceed:
        self.reached.set()
        await asyncio.Event().wait()
        return Proceed()


class Checking(Thinking):
    """Decides about calls, too."""

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        return await self._thought() if context.call == self.at else Proceed()


async def read_all(stream: AsyncIterator[Event]) -> None:
    async for _ in stream:
        pass


async def read_and_cancel(stream: AsyncIterator[Event], feature: Thinking) -> None:
    """Reads an answer in a task that is cancelled while the feature's hook runs."""

    reading = asyncio.create_task(read_all(stream))
    await feature.reached.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


async def cut_off_by_length(parts: tuple[Part, ...]) -> AsyncIterator[Event]:
    async for event in stream_of(Api.ANTHROPIC, parts):
        yield event | {"delta": {"stop_reason": "max_tokens"}} if event["type"] == "message_delta" else event


async def offered_then_sent(run: Run, feature: Thinking, stream: AsyncIterator[Event]) -> tuple[list[str], str]:
    """Returns the calls that the host gets after it was cancelled, and the next request without their results."""
    async with run.session.turn("go") as turn:
        request = await anext(turn)
        await read_and_cancel(request.watch(stream), feature)
        calls = [call.id for call in request.calls]
        for call in calls:
            await request.result(call, "fine")
        return calls, json.dumps((await anext(turn)).messages)


@pytest.mark.parametrize("at", [None, "r1", "w1"])
async def test_a_call_whose_check_was_cancelled_does_not_run(at: str | None) -> None:
    feature = Checking(at)
    run = await run_on(rules={}, features=[feature])
    calls, sent = await offered_then_sent(run, feature, stream_of(Api.ANTHROPIC, TYPED))
    assert calls == []
    assert sent.count(NOT_CHECKED) == 2


async def test_calls_run_after_a_cancellation_if_no_feature_checks_calls() -> None:
    feature = Thinking(None)
    run = await run_on(rules={}, features=[feature])
    calls, sent = await offered_then_sent(run, feature, stream_of(Api.ANTHROPIC, TYPED))
    assert calls == ["r1", "w1"]
    assert NOT_CHECKED not in sent


async def test_a_truncated_call_never_runs() -> None:
    feature = Thinking(None)
    run = await run_on(rules={}, features=[feature])
    calls, sent = await offered_then_sent(
        run, feature, cut_off_by_length((TYPED[0], ToolCall("w1", "write", '{"path": "/w/a')))
    )
    assert calls == ["r1"]
    assert sent.count(TRUNCATED.result) == 1


async def test_a_call_is_not_offered_before_its_check_ends() -> None:
    feature = Checking("w1")
    run = await run_on(rules={}, features=[feature])
    async with run.session.turn("go") as turn:
        request = await anext(turn)
        reading = asyncio.create_task(read_all(request.watch(stream_of(Api.ANTHROPIC, TYPED))))
        await feature.reached.wait()
        assert request.calls == ()
        with pytest.raises(UsageError):
            await request.result("r1", "fine")
        await run.session.interrupt()
        await reading


async def test_a_call_whose_check_was_ended_by_a_failing_log_does_not_run() -> None:
    class Noting(Checking):
        async def on_output_end(self, context: OutputContext) -> OutputResult:
            return Note((FeatureRecorded(self.name, "an answer"),))

    log = ShakyLog()
    run = await run_on(log, rules={}, features=[Noting("none")], on_log_failure=LogFailurePolicy.STOP)
    async with run.session.turn("go") as turn:
        request = await anext(turn)
        log._fails = frozenset({log.asked + 3})  # The answer and its calls are on record, the note is not.
        with pytest.raises(LogWriteError):
            await read_all(request.watch(stream_of(Api.ANTHROPIC, TYPED)))
        assert request.calls == ()
        assert json.dumps((await anext(turn)).messages).count(NOT_CHECKED) == 2


async def test_a_running_call_cannot_be_run_again() -> None:
    feature = TaskFeature()
    run = await run_on(rules={}, features=[feature])
    async with run.session.turn("go") as turn:
        request = await anext(turn)
        async for _ in request.watch(stream_of(Api.ANTHROPIC, CREATE)):
            pass
        call = request.calls[0]
        first, second = await asyncio.gather(request.run(call), request.run(call), return_exceptions=True)
        assert first is None
        assert isinstance(second, UsageError)
    assert [task.number for task in feature.tasks.tasks] == [1]
