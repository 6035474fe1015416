"""Stop reasons of answers for the host, and unfinished calls in later requests to the model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.bridge.host.driving import FINE, OLD, PUSH, Run, run_on, stream_of
from tests.bridge.wire.provider_answers import Event, Part, answer
from tests.session.projection.wire_rules import check_anthropic
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.abandoned import MAY_HAVE_RUN, STOPPED
from ttsr_ls.session.history.request_limits import DEFAULT_LIMITS
from ttsr_ls.session.history.turn import GoalContinuation, ResumedSession
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnFailed
from ttsr_ls.session.history.turn_output import Image
from ttsr_ls.session.output.wire_events import Api


async def ending(parts: tuple[Part, ...], reason: str) -> AsyncIterator[Event]:
    for event in answer(Api.ANTHROPIC, list(parts)):
        yield event | {"delta": {"stop_reason": reason}} if event["type"] == "message_delta" else event


async def reasons(run: Run, *ends: str, parts: tuple[Part, ...] = FINE) -> list[str | None]:
    found: list[str | None] = []
    script = list(ends)
    async with run.session.turn("go") as turn:
        async for request in turn:
            check_anthropic(request.messages)
            assert request.stop_reason is None
            async for _ in request.watch(ending(parts, script.pop(0) if script else "end_turn")):
                pass
            found.append(request.stop_reason)
    assert turn.stop_reason == found[-1]
    return found


@pytest.mark.parametrize("reason", ["end_turn", "max_tokens", "refusal"])
async def test_a_request_has_the_stop_reason_of_its_answer(reason: str) -> None:
    run = await run_on()
    assert await reasons(run, reason) == [reason]
    assert run.session.turns[0].state == TurnCompleted()


async def test_an_interrupted_answer_has_no_stop_reason() -> None:
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, OLD)):
                pass
            if len(run.session.turns[0].steps) < 3:
                assert request.stop_reason is None
                break


async def test_a_paused_answer_is_continued_with_its_output_so_far() -> None:
    run = await run_on()
    assert await reasons(run, "pause_turn", "pause_turn") == ["pause_turn", "pause_turn", "end_turn"]
    (turn,) = run.session.turns
    assert len(turn.steps) == 3


async def test_pauses_are_limited_per_turn() -> None:
    run = await run_on()
    for _ in range(2):
        assert len(await reasons(run, *["pause_turn"] * 100)) == DEFAULT_LIMITS.pauses + 1


@pytest.mark.parametrize("prompt", ["", " \n"])
async def test_an_empty_prompt_is_refused_and_begins_no_turn(prompt: str) -> None:
    run = await run_on()
    with pytest.raises(UsageError, match="the prompt is empty; give it text"):
        run.session.turn(prompt)
    assert run.session.turns == ()


async def test_a_prompt_may_have_images_without_text() -> None:
    run = await run_on()
    async with run.session.turn("", images=(Image("image/png", "aGk="),)) as turn:
        async for request in turn:
            assert request.messages[0]["content"][0]["type"] == "image"
            async for _ in request.watch(stream_of(Api.ANTHROPIC, FINE)):
                pass


@pytest.mark.parametrize("trigger", [ResumedSession(), GoalContinuation("")])
async def test_no_request_is_without_messages(trigger: Any) -> None:
    run = await run_on()
    with pytest.raises(UsageError, match="nothing to send"):
        async with run.session.turn(trigger=trigger) as turn:
            await anext(turn)
    await run.turn(FINE)
    assert run.session.turns[-1].state == TurnCompleted()


async def test_a_stopped_call_that_may_have_run_is_reported_to_the_model_as_such() -> None:
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, PUSH)):
                pass
            await run.session.interrupt()
    sent = json.dumps(run.session.messages)
    assert MAY_HAVE_RUN in sent
    assert STOPPED not in sent


async def test_a_call_without_a_result_of_a_host_that_left_may_have_run() -> None:
    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(stream_of(Api.ANTHROPIC, PUSH)):
                pass
            break
    assert MAY_HAVE_RUN in json.dumps(run.session.messages)


async def test_a_context_manager_whose_entering_was_interrupted_is_not_exited() -> None:
    calls: list[str] = []

    class Connecting:
        async def __aenter__(self) -> AsyncIterator[Event]:
            calls.append("enter")
            await run.session.interrupt()
            raise ConnectionError

        async def __aexit__(self, *_: object) -> None:
            calls.append("exit")

    run = await run_on()
    async with run.session.turn("go") as turn:
        async for request in turn:
            async for _ in request.watch(Connecting()):
                pass
    assert calls == ["enter"]


async def test_a_session_of_a_subagent_sends_its_prompt() -> None:
    run = await run_on(agent="task")
    await run.turn(OLD, FINE, prompt="look into it")
    assert all("look into it" in json.dumps(messages) for messages in run.sent)
    assert len(run.sent) == 2


class MuteError(Exception):
    """An error whose `__str__` raises."""

    def __str__(self) -> str:
        raise RuntimeError


async def mute_stream() -> AsyncIterator[Event]:
    raise MuteError
    yield {}


async def test_an_error_whose_str_fails_ends_the_turn_with_its_class_name() -> None:
    run = await run_on()

    async def fail_in_the_host() -> None:
        async with run.session.turn("go"):
            raise MuteError

    async def fail_at_the_provider() -> None:
        async with run.session.turn("go") as turn:
            async for request in turn:
                async for _ in request.watch(mute_stream()):
                    pass

    with pytest.raises(MuteError):
        await fail_in_the_host()
    with pytest.raises(MuteError):
        await fail_at_the_provider()
    await run.turn(FINE)
    first, second, third = (turn.state for turn in run.session.turns)
    assert isinstance(first, TurnFailed)
    assert isinstance(second, TurnFailed)
    assert (first.message, second.message) == ("MuteError: MuteError",) * 2
    assert third == TurnCompleted()
