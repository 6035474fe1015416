"""Requests of a session after interrupts, rewinding, clearing, compacting, trimming, and resuming."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.bridge.host.driving import FINE, OLD, PUSH, SORRY, TYPED, ShakyLog, projected, run_on
from ttsr_ls.rules.settings.settings import ContextMode, RepeatMode, Settings
from ttsr_ls.session.history.turn import RehydratedFile
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.trimming import Trimming

AGAIN = {mode: Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0, context_mode=mode) for mode in ContextMode}
ANSWERS = (FINE, OLD, PUSH, SORRY, TYPED)


@pytest.mark.parametrize("seed", range(24))
async def test_each_request_equals_the_projection_of_the_whole_history(seed: int) -> None:
    """`Run.turn` compares every request that it makes."""
    random = Random(seed)
    api, settings = random.choice(list(Api)), AGAIN[random.choice(list(ContextMode))]
    log = ShakyLog()
    run = await run_on(log, settings=settings, api=api)
    sent = 0
    for _ in range(40):
        match random.randrange(9):
            case 0:
                await run.session.compact("what happened", [RehydratedFile('{"path": "a"}', "text")])
            case 1 if run.session.turns:
                await run.session.rewind(random.choice(run.session.turns).id)
            case 2 if random.random() < 0.3:
                await run.session.clear()
            case 3:
                run.session.trimming = random.choice([None, Trimming(1, 2), Trimming(3, 2)])
            case 4:
                sent += len(run.sent)
                log = ShakyLog(log.events)
                run = await run_on(log, settings=settings, api=api)
            case 5:
                run.during_sleep = run.session.interrupt
                await run.turn(OLD)
                run.during_sleep = None
            case _:
                await run.turn(*random.choices(ANSWERS, k=random.randrange(1, 5)))
        assert run.session.messages == projected(run.session)
    assert sent + len(run.sent) > 20


@pytest.mark.parametrize("api", Api)
async def test_changes_of_a_host_to_messages_do_not_affect_later_requests(api: Api) -> None:
    run = await run_on(api=api)
    await run.turn(PUSH)
    async with run.session.turn("go on") as turn:
        request = await anext(aiter(turn))
        before = json.dumps(request.messages)
        for message in request.messages:
            message["cache_control"] = {"type": "ephemeral"}
            if isinstance(message.get("content"), list):
                message["content"].clear()
        request.messages.clear()
        assert json.dumps(run.session.messages) == before


async def test_changes_of_a_host_to_tool_schemas_do_not_affect_later_requests() -> None:
    from ttsr_ls.features.tasks.feature import TaskFeature

    run = await run_on(features=[TaskFeature()])
    offered = []
    for _ in range(2):
        async with run.session.turn("go") as turn:
            request = await anext(aiter(turn))
            offered.append(json.dumps(request.tools))
            request.tools[0]["input_schema"]["properties"].clear()
    assert offered[0] == offered[1]


async def test_a_resumed_session_keeps_no_second_copy_of_its_log(tmp_path: Path) -> None:
    run = await run_on()
    await run.turn(OLD)
    again = await run_on(ShakyLog(run.log.events))
    assert again.session._log.events == ()
    assert again.session.turns[:1] == run.session.turns[:1]
