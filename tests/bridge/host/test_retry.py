"""A failed request can be retried within its turn, a limited number of times, and its received part is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.wire.provider_answers import answer
from ttsr_ls import Api, RequestLimits, Session, UsageError
from ttsr_ls.session.history.turn_events import TurnCompleted, TurnFailed
from ttsr_ls.session.history.turn_output import Text

EVERY = pytest.mark.parametrize("api", list(Api))


async def failing(events: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    for event in events:
        yield event
    raise ConnectionError("the line is dead")


async def whole(events: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    for event in events:
        yield event


@EVERY
async def test_a_retry_of_a_failed_request_includes_the_received_part(api: Api, tmp_path: Path) -> None:
    half = answer(api, [Text("Half of it")], list)[:-2]
    sent: list[str] = []
    log = tmp_path / "log.jsonl"
    async with await Session.open(api=api, log=log) as session:
        async with session.turn("Go.") as turn:
            async for request in turn:
                sent.append(str(request.messages))
                if len(sent) == 1:
                    with pytest.raises(ConnectionError):
                        async for _ in request.watch(failing(half)):
                            pass
                    assert request.failure == "the line is dead"
                    request.retry()
                else:
                    async for _ in request.watch(whole(answer(api, [Text("All of it.")]))):
                        pass
        assert len(sent) == 2
        assert session.turns[-1].state == TurnCompleted()
        turns, messages = session.turns, session.messages
    async with await Session.open(api=api, log=log) as resumed:
        assert (resumed.turns, resumed.messages) == (turns, messages)


@EVERY
async def test_a_retry_of_a_request_without_an_answer_is_unchanged(api: Api) -> None:
    sent: list[Any] = []
    async with await Session.open(api=api) as session, session.turn("Go.") as turn:
        async for request in turn:
            sent.append(list(request.messages))
            if len(sent) < 3:
                with pytest.raises(ConnectionError):
                    async for _ in request.watch(failing([])):
                        pass
                request.retry()
            else:
                async for _ in request.watch(whole(answer(api, [Text("Yes.")]))):
                    pass
    assert sent[0] == sent[1] == sent[2]


async def test_without_a_retry_the_turn_ends_as_failed() -> None:
    async with await Session.open() as session:
        async with session.turn("Go.") as turn:
            async for request in turn:
                with pytest.raises(ConnectionError):
                    async for _ in request.watch(failing([])):
                        pass
        assert session.turns[-1].state == TurnFailed("the line is dead")


async def test_retries_count_towards_the_limit_of_requests() -> None:
    made = 0
    async with await Session.open(limits=RequestLimits(requests=5)) as session:
        async with session.turn("Go.") as turn:
            async for request in turn:
                made += 1
                with pytest.raises(ConnectionError):
                    async for _ in request.watch(failing([])):
                        pass
                request.retry()
            assert turn.is_exhausted
        assert turn.is_exhausted
        async with session.turn("And this?") as other:
            assert turn.is_exhausted
            assert not other.is_exhausted
        assert isinstance(session.turns[0].state, TurnFailed)
    assert made == 5


async def test_only_a_failed_request_can_be_retried() -> None:
    async with await Session.open() as session, session.turn("Go.") as turn:
        async for request in turn:
            with pytest.raises(UsageError, match="only a request that failed"):
                request.retry()
            async for _ in request.watch(whole(answer(Api.ANTHROPIC, [Text("Yes.")]))):
                pass
            with pytest.raises(UsageError, match="only a request that failed"):
                request.retry()


async def test_a_turn_that_the_user_stopped_cannot_be_retried() -> None:
    async with await Session.open() as session, session.turn("Go.") as turn:
        async for request in turn:
            with pytest.raises(ConnectionError):
                async for _ in request.watch(failing([])):
                    pass
            await session.interrupt()
            with pytest.raises(UsageError):
                request.retry()


async def test_interrupting_an_idle_session_is_no_error() -> None:
    session = await Session.open()
    await session.interrupt()
    await session.close()
    await session.interrupt()
