"""The agent with a provider on loopback, on every wire: requests after tools, rules, and interruptions."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.agent_session import NO_FLOAT, running
from tests.bridge.model.loopback import Provider, provider
from tests.bridge.wire.provider_answers import answer
from ttsr_ls.agent.view import ModelText, ToolCalled, ToolReturned, TroubleReported
from ttsr_ls.bridge.host.events import AnswerInterrupted, LimitReached, ReminderInjected, TextInjected, TurnFinished
from ttsr_ls.bridge.model.client import HttpModel, Model
from ttsr_ls.bridge.model.endpoint import Endpoint
from ttsr_ls.bridge.model.script import CallTool, FailStream, PauseStream, SayText
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.session.history.request_limits import AGENT_LIMITS, LimitKind
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnCompleted, TurnFailed
from ttsr_ls.session.history.turn_output import Text, Thinking, ToolCall
from ttsr_ls.session.output.wire_events import Api

EVERY = pytest.mark.parametrize("api", list(Api))


def asking(server: Provider, api: Api) -> Model:
    return HttpModel(Endpoint(api, server.url, "m-1", None), None)


def write_call(identity: str, content: str) -> ToolCall:
    return ToolCall(identity, "write", json.dumps({"path": "a.py", "content": content}))


def history_of(body: dict[str, Any]) -> str:
    return json.dumps(body.get("messages") or body.get("contents") or body["input"])


@EVERY
async def test_a_rule_interrupts_a_call_and_the_retried_one_runs(api: Api, tmp_path: Path) -> None:
    answers = [
        answer(api, [Text("I write."), write_call("c_1", "x: float")], list),
        answer(
            api, [Text("I write it well."), write_call("c_2", "x: Decimal"), ToolCall("c_3", "TaskList", "{}")], list
        ),
        answer(api, [Text("Done.")], list),
    ]
    async with provider(*answers) as server, running(tmp_path, api, asking(server, api)) as run:
        await run.agent.turn("Write a.py.")

    assert (tmp_path / "work" / "a.py").read_text() == "x: Decimal"
    first, second, third = (asked.body for asked in server.asked)
    tools = first["tools"][0]["functionDeclarations"] if api is Api.GEMINI else first["tools"]
    names = [tool.get("name") or tool["function"]["name"] for tool in tools]
    assert {"read", "write", "edit", "bash", "TaskCreate"} <= set(names)
    history = history_of(second)
    assert "Money is Decimal." in history
    assert "float" not in history
    assert "I write." not in history
    history = history_of(third)
    assert "Wrote a.py." in history
    assert history.index("Money is Decimal.") < history.index("I write it well.") < history.index("Wrote a.py.")

    assert [view.tool for view in run.of(ToolCalled)] == ["write", "TaskList"]
    assert [view.failed for view in run.of(ToolReturned)] == [False, False]
    assert "".join(view.text for view in run.of(ModelText)) == "I write.I write it well.Done."
    assert len(run.of(AnswerInterrupted)) == len(run.of(TextInjected)) == 1
    assert run.of(TurnFinished) == [TurnFinished(TurnCompleted())]


@EVERY
async def test_a_reminder_is_sent_before_the_result(api: Api, tmp_path: Path) -> None:
    answers = [answer(api, [write_call("c_1", "x: float")], list), answer(api, [Text("Done.")], list)]
    rule = NO_FLOAT.replace("condition", "interruptMode: never\ncondition")
    async with provider(*answers) as server, running(tmp_path, api, asking(server, api), rule) as run:
        await run.agent.turn("Write a.py.")
    history = history_of(server.asked[1].body)
    assert history.index("Money is Decimal.") < history.index("Wrote a.py.")
    assert len(run.of(ReminderInjected)) == 1


@EVERY
async def test_signatures_are_sent_back_unchanged(api: Api, tmp_path: Path) -> None:
    answers = [answer(api, [Thinking("Hm.", "c2ln+/="), write_call("c_1", "x")], list), answer(api, [Text("Done.")])]
    async with provider(*answers) as server, running(tmp_path, api, asking(server, api)) as run:
        await run.agent.turn("Write a.py.")
    history = history_of(server.asked[1].body)
    assert ("c2ln+/=" in history) is (api in (Api.ANTHROPIC, Api.GEMINI))


async def test_a_refusal_of_the_provider_is_shown_and_ends_the_turn(tmp_path: Path) -> None:
    api = Api.OPENAI_CHAT
    async with provider((400, '{"error": "oops"}')) as server, running(tmp_path, api, asking(server, api)) as run:
        await run.agent.turn("Hello?")
    [trouble] = run.of(TroubleReported)
    assert "refused with status 400: oops" in trouble.message
    [over] = run.of(TurnFinished)
    assert isinstance(over.outcome, TurnFailed)
    assert "oops" in over.outcome.message


async def test_an_error_in_the_stream_ends_the_turn(tmp_path: Path) -> None:
    model = ScriptedModel([(SayText(("Half",)), FailStream("Overloaded")), (SayText(("Whole.",)),)])
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        await run.agent.turn("Hello?")
        await run.agent.turn("Again?")
    assert [view.message for view in run.of(TroubleReported)] == ["The provider reported api_error: Overloaded"]
    assert [type(view.outcome) for view in run.of(TurnFinished)] == [TurnFailed, TurnCompleted]


async def test_a_call_of_an_unknown_tool_fails(tmp_path: Path) -> None:
    model = ScriptedModel([(CallTool("fly", {}),), (SayText(("I cannot fly.",)),)])
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        await run.agent.turn("Fly.")
    assert run.of(ToolReturned) == [ToolReturned("There is no tool fly.", True)]


async def test_a_turn_ends_at_the_limit_of_requests(tmp_path: Path) -> None:
    limit = AGENT_LIMITS.requests
    model = ScriptedModel([(CallTool("read", {"path": "a"}),)] * (limit + 1))
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        assert not await run.agent.turn("Read.")
    assert len(run.of(ToolCalled)) == limit
    (reached,) = run.of(LimitReached)
    assert (reached.event.limit, reached.event.requests) == (LimitKind.REQUESTS, limit)
    assert run.session.turns[-1].state == TurnFailed(
        f"The model was asked {limit} times in this turn, which is the limit."
    )


async def until(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def test_an_interrupted_answer_is_kept_and_the_session_continues(tmp_path: Path) -> None:
    model = ScriptedModel([(SayText(("Half",)), PauseStream(60)), (SayText(("Whole.",)),)])
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        working = asyncio.create_task(run.agent.turn("Hello?"))
        await until(lambda: run.of(ModelText))
        await run.agent.interrupt()
        await asyncio.wait_for(working, 40)
        await run.agent.turn("Again?")
        history = json.dumps(run.session.messages)
    assert "Half" in history
    assert [type(view.outcome) for view in run.of(TurnFinished)] == [TurnCancelled, TurnCompleted]
    assert run.of(TroubleReported) == []


async def test_an_interrupt_kills_the_running_tool(tmp_path: Path) -> None:
    command = CallTool("bash", {"command": "touch begun; sleep 60; touch ended"})
    model = ScriptedModel([(command, CallTool("bash", {"command": "touch other"})), (SayText(("Whole.",)),)])
    async with running(tmp_path, Api.ANTHROPIC, model) as run:
        working = asyncio.create_task(run.agent.turn("Run."))
        await until((tmp_path / "work" / "begun").exists)
        await run.agent.interrupt()
        await asyncio.wait_for(working, 40)
        await run.agent.turn("Again?")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["begun"]
    assert [type(view.outcome) for view in run.of(TurnFinished)] == [TurnCancelled, TurnCompleted]
    assert run.of(ToolReturned) == []
