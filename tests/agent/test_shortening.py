"""The agent shortens its history: on demand, near the end of the context window, and when a prompt was too long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.agent_session import Running, running
from tests.bridge.host.driving import ShakyLog
from tests.bridge.wire.provider_answers import Event, answer
from ttsr_ls.agent.compaction import INTRODUCTION, LAST_PROMPT, REQUEST
from ttsr_ls.agent.context_window import ALL_RESULTS, OLD_RESULTS
from ttsr_ls.agent.view import HistoryShortened, ModelText, NoticeShown, TroubleReported
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.session.history.turn import CompactionSummary, TurnFailed
from ttsr_ls.session.history.turn_output import Text, ToolCall
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.trimming import TRIMMED
from ttsr_ls.store.log.turn_log import LogWriteError

EVERY = pytest.mark.parametrize("api", list(Api))
TOO_LONG = "prompt is too long: 1200 tokens > 1000 maximum"
LONG = "a line of the notes\n" * 200
READ = ToolCall("r1", "read", '{"path": "notes.txt"}')


class Model:
    """Answers the n-th request with the n-th answer, which may be an error or wait forever."""

    def __init__(self, api: Api, *answers: list[Event] | str | ModelError | None) -> None:
        self._api = api
        self._answers = list(answers)
        self.asked: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[dict[str, Any], None]:
        json.dumps(list(request.messages))
        self.asked.append(request)
        output = self._answers.pop(0)
        if output is None:
            await asyncio.sleep(3600)
        if isinstance(output, ModelError):
            raise output
        for event in answer(self._api, [Text(output)]) if isinstance(output, str) else output or ():
            yield event

    async def close(self) -> None:
        pass

    def text(self, number: int) -> str:
        return json.dumps(list(self.asked[number].messages), ensure_ascii=False)


def full(*parts: Text | ToolCall, prompt: int) -> list[Event]:
    """An answer of an Anthropic model whose prompt had so many tokens."""
    events = answer(Api.ANTHROPIC, list(parts))
    events[0]["message"]["usage"] = {"input_tokens": prompt, "output_tokens": 1}
    return events


def summaries(run: Running) -> list[CompactionSummary]:
    steps = (step.content for turn in run.session.turns for step in turn.steps)
    return [step for step in steps if isinstance(step, CompactionSummary)]


@EVERY
async def test_a_prompt_that_is_too_long_is_compacted_and_retried(api: Api, tmp_path: Path) -> None:
    model = Model(api, "One.", ModelError(TOO_LONG), "We counted.", "Two.")
    async with running(tmp_path, api, model) as run:
        assert await run.agent.turn("Count: one.")
        assert await run.agent.turn("Now two.")
        assert [summary.summary for summary in summaries(run)] == [
            f"{INTRODUCTION}\n\nWe counted.\n\n{LAST_PROMPT}\n\nNow two."
        ]
        assert run.of(HistoryShortened) == [HistoryShortened("We counted.")]
        assert run.of(TroubleReported) == []
    assert REQUEST.splitlines()[0] in model.text(2)
    assert "Count: one." in model.text(2)
    assert "We counted." in model.text(3)
    assert "Now two." in model.text(3)
    assert "Count: one." not in model.text(3)
    assert len(model.asked) == 4


async def test_an_error_in_the_stream_about_a_long_prompt_is_compacted_too(tmp_path: Path) -> None:
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": TOO_LONG}}
    model = Model(Api.ANTHROPIC, [error], "A summary.", "Yes.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        assert await run.agent.turn("go")


async def test_a_prompt_is_compacted_once_in_a_turn(tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, ModelError(TOO_LONG), "A summary.", ModelError(TOO_LONG), "Never asked.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        assert not await run.agent.turn("go")
        assert run.of(TroubleReported) == [TroubleReported(TOO_LONG)]
        assert run.session.turns[-1].state == TurnFailed(TOO_LONG)
    assert len(model.asked) == 3


async def test_without_a_summary_the_turn_fails_and_the_history_stays(tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, "One.", ModelError(TOO_LONG), ModelError(TOO_LONG), "Never asked.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        await run.agent.turn("Count: one.")
        before = run.session.turns
        assert not await run.agent.turn("go")
        assert run.of(TroubleReported) == [
            TroubleReported(f"The history cannot be compacted. {TOO_LONG}"),
            TroubleReported(TOO_LONG),
        ]
        assert summaries(run) == []
        assert run.session.turns[:1] == before
    assert len(model.asked) == 3


async def test_other_failures_do_not_compact_the_history(tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, ModelError("Overloaded."))
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        assert not await run.agent.turn("go")
        assert summaries(run) == []


async def test_near_the_end_of_the_window_results_are_trimmed_then_the_history_is_compacted(tmp_path: Path) -> None:
    calls = [full(ToolCall(f"r{number}", "read", READ.arguments), prompt=100) for number in range(6)]
    model = Model(
        Api.ANTHROPIC,
        *calls,
        full(ToolCall("r7", "read", READ.arguments), prompt=800),
        full(ToolCall("r8", "read", READ.arguments), prompt=790),
        full(ToolCall("r9", "read", READ.arguments), prompt=850),
        full(Text("The notes are long."), prompt=600),
        full(Text("Done."), prompt=100),
    )
    async with running(tmp_path, Api.ANTHROPIC, model, context_window=1000) as run:
        (tmp_path / "work" / "notes.txt").write_text(LONG)
        assert await run.agent.turn("Read the notes.")
        (summary,) = summaries(run)
        assert summary.usage == Usage(600, 3)
        assert run.session.usage == Usage(600 + 800 + 790 + 850 + 600 + 100, 3 * 11)
        assert run.session.trimming is None
    assert TRIMMED not in model.text(6)
    assert model.text(7).count(TRIMMED) == 7 - OLD_RESULTS.answers_kept
    assert model.text(8).count(TRIMMED) == 8 - OLD_RESULTS.answers_kept
    assert "Read the notes." in model.text(10)
    assert TRIMMED not in model.text(10)
    assert len(model.asked) == 11


async def test_after_the_last_answer_room_is_made_before_the_next_turn(tmp_path: Path) -> None:
    model = Model(
        Api.ANTHROPIC,
        *(full(Text(f"Answer {number}."), prompt=900) for number in (1, 2)),
        "A summary.",
        full(Text("Answer 3."), prompt=900),
        full(Text("Answer 4."), prompt=900),
        full(Text("Answer 5."), prompt=900),
    )
    async with running(tmp_path, Api.ANTHROPIC, model, context_window=1000) as run:
        for number in range(5):
            assert await run.agent.turn(f"Prompt {number}.")
        assert len(summaries(run)) == 1, "it did not help, so it is not repeated"
    assert len(model.asked) == 6
    assert LAST_PROMPT not in model.text(3)


async def test_an_answer_that_fills_the_window_has_the_history_compacted_before_the_next_turn(tmp_path: Path) -> None:
    events = answer(Api.ANTHROPIC, [Text("Half of")])
    events[-2]["delta"]["stop_reason"] = "model_context_window_exceeded"
    model = Model(Api.ANTHROPIC, events, "A summary.", "Yes.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        assert not await run.agent.turn("go")
        assert await run.agent.turn("go on")
        assert len(summaries(run)) == 1
    assert "Half of" not in model.text(2)


@EVERY
async def test_compacting_on_demand(api: Api, tmp_path: Path) -> None:
    model = Model(api, "One.", "We counted.", "Two.")
    async with running(tmp_path, api, model) as run:
        assert await run.agent.compact("")
        assert run.of(NoticeShown) == [NoticeShown("There is no history to compact.")]
        await run.agent.turn("Count: one.")
        assert await run.agent.compact("Keep the number.")
        assert run.of(ModelText)[-1] == ModelText("One."), "the summary is no part of what the model says"
        await run.agent.turn("Next.")
    assert "The user adds: Keep the number." in model.text(1)
    assert "We counted." in model.text(2)
    assert "One." not in model.text(2)


async def test_a_summary_request_that_is_too_long_is_retried_without_results(tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, full(READ, prompt=1), "I read it.", ModelError(TOO_LONG), "A summary.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        (tmp_path / "work" / "notes.txt").write_text(LONG)
        await run.agent.turn("Read the notes.")
        assert await run.agent.compact("")
    assert TRIMMED not in model.text(2)
    assert TRIMMED in model.text(3)
    assert ALL_RESULTS.answers_kept == 0


@pytest.mark.parametrize("output", [[], answer(Api.ANTHROPIC, [READ]), answer(Api.ANTHROPIC, [Text("Half")])[:-2]])
async def test_an_answer_without_complete_text_is_no_summary(output: list[Event], tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, "One.", output)
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        await run.agent.turn("go")
        assert not await run.agent.compact("")
        assert len(run.of(TroubleReported)) == 1
        assert summaries(run) == []


async def test_a_user_can_interrupt_compacting(tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, "One.", None, "Two.", ModelError(TOO_LONG), None, "Four.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        await run.agent.turn("go")
        compacting = asyncio.create_task(run.agent.compact(""))
        while len(model.asked) < 2:
            await asyncio.sleep(0)
        await run.agent.interrupt()
        assert not await compacting
        assert await run.agent.turn("go on")
        turn = asyncio.create_task(run.agent.turn("and on"))
        while len(model.asked) < 5:
            await asyncio.sleep(0)
        await run.agent.interrupt()
        assert not await turn
        assert summaries(run) == []
        assert await run.agent.turn("once more")


async def test_rewinding_removes_a_compaction(tmp_path: Path) -> None:
    model = Model(Api.ANTHROPIC, "One.", "A summary.", "Two.", "Two again.")
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        await run.agent.turn("Prompt one.")
        await run.agent.compact("")
        await run.agent.turn("Prompt two.")
        assert not await run.agent.history.rewind(4)
        assert await run.agent.history.rewind(2)
        await run.agent.turn("Prompt three.")
        assert run.of(TroubleReported) == [TroubleReported("The history has only 3 turns to go back to.")]
        assert run.of(NoticeShown)[-1].message.startswith("The history is what it was before the last compaction.")
        await run.agent.history.clear()
        assert run.session.turns == ()
        assert not await run.agent.history.rewind(1)
    assert "Prompt one." in model.text(3)
    assert "Prompt two." not in model.text(3)


async def test_changes_that_cannot_be_recorded_are_not_made(tmp_path: Path) -> None:
    log = ShakyLog()
    model = Model(Api.ANTHROPIC, "One.", "A summary.", "Two.")
    async with running(tmp_path, Api.ANTHROPIC, model, log=log.opened()) as run:
        await run.agent.turn("go")
        before = run.session.turns
        for change in (lambda: run.agent.compact(""), run.agent.history.clear, lambda: run.agent.history.rewind(1)):
            log._fails = frozenset({log.asked + 1})
            assert not await change()
        assert [trouble.message for trouble in run.of(TroubleReported)] == [
            "The history stays as it is, because the change cannot be recorded: the disk is full"
        ] * 3
        assert run.session.turns == before
        assert await run.agent.turn("go on")


async def test_a_strict_session_stops_if_a_compaction_cannot_be_recorded(tmp_path: Path) -> None:
    log = ShakyLog()
    model = Model(Api.ANTHROPIC, "One.", "A summary.")
    strict = LogFailurePolicy.STOP
    async with running(tmp_path, Api.ANTHROPIC, model, log=log.opened(), on_log_failure=strict) as run:
        await run.agent.turn("go")
        log._fails = frozenset({log.asked + 1})
        with pytest.raises(LogWriteError):
            await run.agent.compact("")
