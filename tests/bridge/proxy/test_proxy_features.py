"""Features in front of an unmodified agent: tools and denials that the proxy answers, reminders, and follow-ups."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, call, sse, text, thinking, write
from tests.bridge.proxy.proxied import NO_OLD, Proxied
from tests.bridge.proxy.served import scripted, served, stream
from tests.bridge.proxy.test_other_wires import EVERY, Worked
from tests.bridge.watch.watching import MemoryLog
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import CallsAnswered, ProtectionFailed
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import CallDone, CallRefused, StepAppended, ToolBatch, ToolItem
from ttsr_ls.session.hooks.contract import (
    ChangeInput,
    Deny,
    Feature,
    FollowUp,
    OutputContext,
    OutputResult,
    PendingInjection,
    Prepend,
    Proceed,
    ToolCallContext,
    ToolCallResult,
    ToolResultContext,
    ToolResultResult,
)

NEW = write("import new_module\n")
CREATE = call("TaskCreate", subject="Write a.py", description="With new_module.")
ALL = pytest.mark.parametrize("name", EVERY)


class Guard(Feature):
    """Denies what writes to `secret`, and has `old` written to `new`."""

    name = "guard"

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        if "secret" in context.arguments:
            return Deny("Nothing is written there.")
        if "/old/" in context.arguments:
            return ChangeInput(context.arguments.replace("/old/", "/new/"))
        return Proceed()


class Noting(Feature):
    """Reminds in front of results, and once after an answer."""

    name = "noting"

    def __init__(self) -> None:
        self.results: list[ToolResultContext] = []
        self.answers = 0

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        self.results.append(context)
        return Prepend("Mind the tests.")

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        self.answers += 1
        if self.answers > 1:
            return Proceed()
        return FollowUp((PendingInjection(InjectionKind.STOP_FEEDBACK, Role.USER, "Say what you ran."),))


def batch(event: object) -> tuple[ToolItem, ...]:
    return event.content.items if isinstance(event, StepAppended) and isinstance(event.content, ToolBatch) else ()


@ALL
def test_the_proxy_offers_a_tool_and_answers_its_calls_itself(name: str) -> None:
    answers = [[thinking("Plan."), text("I plan."), CREATE, CREATE], [thinking("Now."), NEW], [text("Written.")]]
    worked = Worked(name, {"no_old": NO_OLD}, answers, TaskFeature())
    assert worked.client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "TaskCreate" not in worked.client.request().decode()
    assert all("TaskUpdate" in json.dumps(request["tools"]) for request in worked.model.requests)
    assert worked.model.requests[0]["tools"] == worked.model.requests[2]["tools"]
    for number in (1, 2):
        assert "Created task 1: Write a.py" in worked.seen(number)
        assert "Created task 2: Write a.py" in worked.seen(number)
    assert worked.seen(2).startswith(worked.seen(1)[:-1])
    worked.go_on("And now?", [[call("TaskList")], [text("Two tasks.")]])
    assert "1. [pending] Write a.py" in worked.seen(4)
    assert worked.seen(4).startswith(worked.seen(2)[:-1])
    assert CallsAnswered(("TaskCreate", "TaskCreate"), ()) in worked.proxied.notices


@ALL
def test_a_denied_call_never_reaches_the_client_and_is_an_error_for_the_model(name: str) -> None:
    secret = write("x", "/home/dev/secret/a.py")
    answers = [[thinking("There."), secret], [thinking("Then here."), NEW], [text("Written.")]]
    worked = Worked(name, {}, answers, Guard())
    assert worked.client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "secret" not in worked.client.request().decode()
    assert "Nothing is written there." in worked.seen(1)
    assert worked.seen(2).startswith(worked.seen(1)[:-1])
    states = [item.state for event in worked.proxied.log.events for item in batch(event)]
    assert isinstance(states[0], CallRefused)
    assert states[0].denied_by == "guard"
    assert CallsAnswered(("Write",), ("Write",)) in worked.proxied.notices


@ALL
def test_the_model_is_asked_to_repeat_a_call_whose_input_a_feature_changes(name: str) -> None:
    answers = [[write("x", "/old/a.py")], [write("x", "/new/a.py")], [text("Written.")]]
    worked = Worked(name, {}, answers, Guard())
    assert worked.client.files == {"/new/a.py": "x"}
    assert "wants it to have another input" in worked.seen(1)


@ALL
def test_an_answer_with_calls_of_client_and_features_gets_both_results(name: str) -> None:
    # Where an API completes all calls at the end, the client gets none, and the model makes the client's call again.
    again = [] if name in ("anthropic", "responses", "gemini") else [[NEW]]
    answers = [[thinking("Both."), NEW, CREATE], *again, [call("TaskList")], [text("Written.")]]
    worked = Worked(name, {}, answers, TaskFeature())
    assert worked.client.files == {"/home/dev/shop/a.py": "import new_module\n"}
    assert "Created task 1" in worked.seen(1)
    assert "1. [pending] Write a.py" in worked.seen(len(answers) - 1)
    assert "TaskCreate" not in worked.client.request().decode()


@ALL
def test_feature_calls_before_a_client_call_are_answered_first(name: str) -> None:
    answers = [[CREATE, NEW], [NEW], [text("Written.")]]
    worked = Worked(name, {}, answers, TaskFeature())
    assert "Created task 1" in worked.seen(1)
    assert worked.client.files == {"/home/dev/shop/a.py": "import new_module\n"}


@ALL
def test_reminders_stand_in_front_of_results_and_follow_an_answer(name: str) -> None:
    feature = Noting()
    continues = [[text("I ran nothing.")]] if name in ("anthropic", "responses") else []
    worked = Worked(name, {}, [[text("Let me see.")], *continues], feature)
    worked.go_on("Write a.py", [[NEW], [text("Written.")]])
    assert "Say what you ran." in worked.seen(1)
    assert "Mind the tests." in worked.seen(len(worked.model.answers) - 1)
    # Results in Gemini's requests have no call id.
    known = ("", CallDone("")) if name == "gemini" else ("Write", CallDone("ok"))
    assert [(context.tool, context.result) for context in feature.results] == [known]


def test_a_restarted_proxy_resumes_the_state_of_features() -> None:
    answers = [[thinking("Plan."), CREATE], [thinking("Now."), NEW], [text("Written.")]]
    worked = Worked("anthropic", {"no_old": NO_OLD}, answers, TaskFeature())
    worked.proxied = Proxied({"no_old": NO_OLD}, log=worked.proxied.log, features=[TaskFeature()])
    worked.go_on("And now?", [[call("TaskList")], [text("One task.")]])
    assert "1. [pending] Write a.py" in worked.seen(4)
    assert worked.seen(4).startswith(worked.seen(2)[:-1])


def test_a_conversation_that_began_without_feature_tools_is_offered_none() -> None:
    worked = Worked("anthropic", {}, [[thinking("Now."), NEW], [text("Written.")]])
    worked.proxied = Proxied({}, log=worked.proxied.log, features=[TaskFeature()])
    worked.go_on("And now?", [[text("Nothing.")]])
    assert "TaskCreate" not in json.dumps(worked.model.requests[2]["tools"])


def test_a_feature_with_a_tool_name_of_the_client_is_disabled() -> None:
    proxied = Proxied({}, features=[TaskFeature()])
    client = AnthropicClient()
    tools = [{"name": "TaskList", "input_schema": {"type": "object"}}]
    asked = client.request(tools=tools)
    assert proxied.ask(asked, lambda _: b"") == b""
    assert proxied.sent == [asked]
    assert proxied.messages == ["The feature tasks is disabled: the agent has a tool TaskList of its own"]


async def test_configured_features_are_asked_behind_the_proxy(shop: Path) -> None:
    (shop / "ttsr-ls.toml").write_text('features = ["tasks", "nowhere"]\n')
    model = AnthropicModel([[CREATE], [NEW], [text("Written.")]])
    async with served(scripted(lambda body: sse(model.answer(body))), shop) as proxy:
        client = AnthropicClient()
        while client.take(read_message((await proxy.post(client.request()))[1])):
            pass
        assert "Created task 1" in json.dumps(model.requests[2]["messages"])
        reasons = [notice.reason for notice in proxy.notices if isinstance(notice, ProtectionFailed)]
        assert reasons == ["Feature nowhere is not installed; there are: tasks."]
        assert (await proxy.state())["answered_calls"] == 1


async def test_concurrent_conversations_share_one_task_list(shop: Path) -> None:
    (shop / "ttsr-ls.toml").write_text('features = ["tasks"]\n')
    results: list[str] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        results.extend(re.findall(r"Created task (\d+)", json.dumps(body["messages"])))
        blocks = [text("Planned.")] if len(body["messages"]) > 1 else [CREATE]
        return await stream(request, [sse(AnthropicModel([blocks]).answer(body))])

    async with served(handle, shop) as proxy:
        headers = {"X-Claude-Code-Session-Id": "abc"}
        await asyncio.gather(*(proxy.post(AnthropicClient(f"{n}").request(), **headers) for n in range(5)))
    assert sorted(results) == ["1", "2", "3", "4", "5"]


async def test_features_are_asked_about_a_non_streaming_answer(shop: Path) -> None:
    (shop / "ttsr-ls.toml").write_text('features = ["tasks"]\n')
    model = AnthropicModel([[CREATE], [text("Planned.")]])

    async def handle(request: web.Request) -> web.StreamResponse:
        return web.json_response(model.message(await request.json()))

    async with served(handle, shop) as proxy:
        status, data = await proxy.post(AnthropicClient().request(stream=False))
        assert (status, json.loads(data)["content"]) == (200, [text("Planned.")])
        assert "Created task 1" in json.dumps(model.requests[1]["messages"])


def test_answered_calls_are_limited_per_turn() -> None:
    limits = ProxyLimits(answered_calls=3)
    proxied = Proxied({}, limits=limits, features=[TaskFeature()])
    model = AnthropicModel([[call("TaskList")]] * 9)
    got = proxied.ask(AnthropicClient().request(), lambda body: sse(model.answer(json.loads(body))))
    assert b"event: error" in got
    assert len(model.requests) == 4


@pytest.mark.parametrize("first", range(3, 12))
def test_while_the_log_fails_a_denied_call_does_not_run(first: int) -> None:
    log = MemoryLog(fails=range(first, 100))
    proxied = Proxied({}, log=log, features=[Guard()])
    model = AnthropicModel([*[[write("x", "/secret/a.py")]] * 2, [text("No.")]])
    got = proxied.ask(AnthropicClient().request(), lambda body: sse(model.answer(json.loads(body))))
    assert b"secret" not in got
