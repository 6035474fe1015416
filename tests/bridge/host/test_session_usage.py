"""Token usage and times of answers, in the log and in the properties of a session."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.host.driving import OLD, ShakyLog, run_on
from tests.bridge.wire.provider_answers import Event, answer
from ttsr_ls.bridge.host.clock import Clock
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.session.history.turn_events import MAIN_AGENT, ModelCall, StepAppended, Text, Usage
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.store.log.codec import decode_record

FIRST, SECOND = Usage(10, 5, 200, 30), Usage(20, 6, 230, 0)


async def events_of(api: Api, prose: str, usage: Usage) -> AsyncIterator[Event]:
    events = answer(api, [Text(prose)])
    cached = {"cached_tokens": usage.cache_read_tokens}
    match api:
        case Api.ANTHROPIC:
            events[0]["message"]["usage"] = {
                "input_tokens": usage.input_tokens,
                "output_tokens": 1,
                "cache_read_input_tokens": usage.cache_read_tokens,
                "cache_creation_input_tokens": usage.cache_write_tokens,
            }
            events[-2]["usage"] = {"output_tokens": usage.output_tokens}
        case Api.OPENAI_CHAT:
            counts: Any = {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.output_tokens}
            events[-1]["usage"] = counts | {"prompt_tokens_details": cached}
        case Api.OPENAI_RESPONSES:
            counts = {"input_tokens": usage.prompt_tokens, "output_tokens": usage.output_tokens}
            events[-1]["response"]["usage"] = counts | {"input_tokens_details": cached}
        case Api.GEMINI:
            events[-1]["usageMetadata"] = {
                "promptTokenCount": usage.prompt_tokens,
                "cachedContentTokenCount": usage.cache_read_tokens,
                "candidatesTokenCount": usage.output_tokens - 1,
                "thoughtsTokenCount": 1,
            }
    for event in events:
        yield event


async def turn(session: Session, api: Api, usage: Usage, prose: str = "Fine.") -> None:
    async with session.turn("go") as run:
        async for request in run:
            async for _ in request.watch(events_of(api, prose, usage)):
                pass


def usages(log: Path) -> list[Usage | None]:
    events = [decode_record(line).event for line in log.read_bytes().splitlines()[1:]]
    return [event.content.usage for event in events if isinstance(event, StepAppended)
            if isinstance(event.content, ModelCall)]  # fmt: skip


@pytest.mark.parametrize("api", list(Api))
async def test_usage_is_recorded_and_survives_a_restart(api: Api, tmp_path: Path) -> None:
    """Seed 003: `last_actual_input_tokens` and `last_assistant_activity_at`."""
    log, times = tmp_path / "s.jsonl", iter(range(1000, 2000))
    first, second = (Usage(usage.prompt_tokens - 200, usage.output_tokens, 200) for usage in (FIRST, SECOND))
    async with await Session.open(log=log, api=api, clock=Clock(lambda: next(times))) as session:
        assert (session.usage, session.last_usage, session.last_answer_at) == (Usage(), None, None)
        await turn(session, api, first)
        assert (session.usage, session.last_usage) == (first, first)
        await turn(session, api, second)
        known = session.usage, session.last_usage, session.last_answer_at
    assert known[:2] == (first + second, second)
    assert usages(log) == [first, second]
    answers = [record for record in map(decode_record, log.read_bytes().splitlines()[1:])
               if isinstance(record.event, StepAppended)]  # fmt: skip
    assert known[2] == answers[-1].time
    async with await Session.open(log=log, api=api) as session:
        assert (session.usage, session.last_usage, session.last_answer_at) == known


async def test_rewound_and_cleared_answers_still_count_towards_usage() -> None:
    run = await run_on()
    session = run.session
    await turn(session, Api.ANTHROPIC, FIRST)
    await session.rewind("t1")
    assert (session.usage, session.last_usage) == (FIRST, None)
    await turn(session, Api.ANTHROPIC, SECOND)
    await session.compact("It went well.")
    assert (session.usage, session.last_usage) == (FIRST + SECOND, None)
    await session.clear()
    assert session.usage == FIRST + SECOND


async def test_an_interrupted_answer_counts_the_usage_reported_so_far() -> None:
    run = await run_on()
    (text,) = OLD
    assert isinstance(text, Text)
    texts = [text.text, "Fine."]
    async with run.session.turn("go") as turn_run:
        async for request in turn_run:
            assert run.session.last_usage is None
            async for _ in request.watch(events_of(Api.ANTHROPIC, texts.pop(0), FIRST)):
                pass
    assert run.session.usage == Usage(20, 6, 400, 60)
    assert run.session.last_usage == FIRST


async def test_a_log_without_usage_is_read() -> None:
    old = decode_record(
        b'{"v":1,"seq":2,"t":3,"event":{"kind":"StepAppended","turn":"t1","step":0,"content":'
        b'{"kind":"ModelCall","agent":"main","model":"m","output":[],"complete":true}}}'
    ).event
    assert old == StepAppended("t1", 0, ModelCall(MAIN_AGENT, "m", (), complete=True))
    run = await run_on(ShakyLog([old]))
    assert (run.session.usage, run.session.last_usage) == (Usage(), None)
