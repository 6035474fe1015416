"""Between an editor and its agent that agreed on draft 2, where the agent's state ends a prompt and its response does
not."""

from __future__ import annotations

import json
from typing import Any

from tests.bridge.control.test_acp_relay import Between

CANCELLED = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "cancelled"}
ENDED = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}


def prompted() -> Between:
    between = Between()
    between.editor(id=0, method="initialize", params={"protocolVersion": 2, "info": {"name": "e", "version": "1"}})
    between.agent(id=0, result={"protocolVersion": 2, "info": {"name": "a", "version": "1"}, "capabilities": {}})
    between.editor(id=1, method="session/new", params={"cwd": "/home/dev/shop"})
    between.agent(id=1, result={"sessionId": "s"})
    between.editor(id="p", method="session/prompt", params=prompt("Write a.py"))
    between.agent(id="p", result={})
    between.update(sessionUpdate="user_message", messageId="u1", content=[{"type": "text", "text": "Write a.py"}])
    between.update(sessionUpdate="state_update", state="running")
    _, to_editor = between.taken()
    assert [item.get("id") for item in to_editor] == [0, 1, "p", None, None]
    return between


def prompt(text: str) -> dict[str, Any]:
    return {"sessionId": "s", "prompt": [{"type": "text", "text": text}]}


def says(between: Between, text: str, message: str = "m1") -> None:
    content = {"type": "text", "text": text}
    between.update(sessionUpdate="agent_message_chunk", messageId=message, content=content)


def updates(lines: list[Any]) -> list[Any]:
    return [line["params"]["update"] for line in lines]


def turns(between: Between) -> list[str]:
    return [type(event).__name__ for event in between.log.events if type(event).__name__.startswith("Turn")]


def test_a_prompt_without_triggers_is_forwarded_unchanged() -> None:
    between = prompted()
    says(between, "Fine.")
    between.update(**ENDED)
    to_agent, to_editor = between.taken()
    assert not to_agent
    assert updates(to_editor)[-1] == ENDED
    assert turns(between) == ["TurnStarted", "TurnEnded"]


def test_an_interrupted_prompt_is_continued_and_the_editor_gets_one_answer() -> None:
    between = prompted()
    says(between, "I take deprecated_module ")
    to_agent, to_editor = between.taken()
    assert [item["method"] for item in to_agent] == ["session/cancel"]
    note = updates(to_editor)[-1]
    assert "this answer broke the rule no-old" in note["content"]["text"]
    assert note["messageId"]
    says(between, "and more of it")
    between.update(**CANCELLED)
    (again,), to_editor = between.taken()
    assert again["method"] == "session/prompt"
    assert "Use new_module." in again["params"]["prompt"][0]["text"]
    between.agent(id=again["id"], result={})
    between.update(sessionUpdate="user_message", messageId="u2", content=again["params"]["prompt"])
    between.update(sessionUpdate="state_update", state="running")
    # The end of the interrupted answer, and messages of our own prompt, are not shown.
    assert all(
        "ttsr-ls: injected" in update["content"]["text"] for update in updates([*to_editor, *between.taken()[1]])
    )
    says(between, "I take new_module.", "m2")
    between.update(**ENDED)
    to_agent, to_editor = between.taken()
    assert not to_agent
    assert [update["sessionUpdate"] for update in updates(to_editor)] == ["agent_message_chunk", "state_update"]
    assert turns(between) == ["TurnStarted", "TurnEnded"]
    between.editor(id="q", method="session/prompt", params=prompt("And b.py"))
    between.agent(id="q", result={})
    between.update(sessionUpdate="state_update", state="running")
    says(between, "Fine.", "m3")
    between.update(**ENDED)
    assert [item.get("id") for item in between.taken()[1]] == ["q", None, None, None]


def test_an_agent_that_refuses_to_continue_ends_the_answer_for_the_editor() -> None:
    between = prompted()
    says(between, "I take deprecated_module ")
    between.update(**CANCELLED)
    again = between.taken()[0][-1]
    between.agent(id=again["id"], error={"code": -32000, "message": "no"})
    for _ in range(2):
        between.relay.tick(between._later())
    _, to_editor = between.taken()
    assert updates(to_editor)[-1] == CANCELLED


def test_calls_that_break_a_rule_get_no_permission() -> None:
    between = prompted()
    options = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]
    patch = "diff --git /a.py /a.py\n--- /a.py\n+++ /a.py\n@@ -1 +1 @@\n-import os\n+import deprecated_module\n"
    diff = {"type": "diff", "changes": [], "patch": {"format": "git_patch", "text": patch}}
    call = {"type": "tool_call", "toolCall": {"toolCallId": "c", "content": [diff]}}
    command = {"type": "command", "command": "pip install deprecated_module # now", "cwd": "/home/dev/shop"}
    harmless = {**command, "command": "ls"}
    # The last one belongs to the answer that is being cancelled.
    for number, subject in enumerate((harmless, {"type": "_new"}, call, command, harmless)):
        asked: dict[str, Any] = {"sessionId": "s", "title": "May I?", "subject": subject, "options": options}
        between.agent(id=number, method="session/request_permission", params=asked)
    to_agent, to_editor = between.taken()
    refused = {"outcome": {"outcome": "selected", "optionId": "no"}}
    assert [(item["id"], item["result"]) for item in to_agent if "id" in item] == [
        (number, refused) for number in (2, 3, 4)
    ]
    assert [item["id"] for item in to_editor if "id" in item] == [0, 1]


def test_rules_apply_to_work_that_the_agent_begins_by_itself() -> None:
    between = prompted()
    between.update(**ENDED)
    says(between, "I take deprecated_module ")  # Beside the state: nothing could be cut off.
    assert between.taken()[0] == []
    between.update(sessionUpdate="state_update", state="running")
    says(between, "I take deprecated_module ", "m2")
    assert [item["method"] for item in between.taken()[0]] == ["session/cancel"]
    between.update(**CANCELLED)
    assert [item["method"] for item in between.taken()[0]] == ["session/prompt"]


def test_a_batch_is_forwarded_as_single_messages() -> None:
    between = prompted()
    content = {"type": "text", "text": "I take deprecated_module "}
    update = {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": content}
    update_message = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}
    lines = between.relay.from_agent(json.dumps([update_message, update_message]).encode(), between._later())
    assert [json.loads(line)["method"] for line in lines.to_agent] == ["session/cancel"]
    for line in (b"[]", b"[1]", b"[", b"[[[]]]"):
        assert between.relay.from_agent(line, between._later()).to_client == ()
