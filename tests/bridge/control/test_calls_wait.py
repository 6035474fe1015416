"""Each tool call waits for the rules, where the agent asks before it runs a call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.control.played_agent import asks_before_call, begun, call, claude, codex, pi
from ttsr_ls.bridge.control.views import CallFailedShown
from ttsr_ls.session.history.turn_events import CallRefused, StepUpdated


@pytest.mark.parametrize(("content", "runs"), [("deprecated_module", False), ("new_module", True)])
def test_pi_asks_before_each_call(content: str, runs: bool) -> None:
    agent = pi()
    begun(agent)
    agent.says(*call(f'{{"path": "a.py", "content": "import {content}\\n"}}'))
    agent.says(asks_before_call())
    assert agent.taken()[-1] == {"type": "extension_ui_response", "id": "d1", "confirmed": runs}


def test_dialogs_of_other_extensions_of_pi_are_cancelled() -> None:
    agent = pi()
    begun(agent)
    agent.says(asks_before_call("Push?"))
    assert agent.taken() == [{"type": "extension_ui_response", "id": "d1", "cancelled": True}]


@pytest.mark.parametrize(("content", "decision"), [("deprecated_module", ["deny"]), ("new_module", [])])
def test_claude_code_asks_before_each_call(content: str, decision: list[str]) -> None:
    agent = claude()
    agent.start()
    (initialize,) = agent.taken()
    (matcher,) = initialize["request"]["hooks"]["PreToolUse"]
    agent.says({"type": "control_response", "response": {"subtype": "success", "request_id": "ttsr-1"}})
    use = {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "a.py", "content": content}}
    agent.says({"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [use]}})
    callback = {"subtype": "hook_callback", "callback_id": matcher["hookCallbackIds"][0], "tool_use_id": "t1"}
    agent.says({"type": "control_request", "request_id": "r1", "request": callback})
    (response,) = (sent["response"] for sent in agent.taken() if sent["type"] == "control_response")
    assert (response["subtype"], response["request_id"]) == ("success", "r1")
    answer = response["response"]
    assert [output["permissionDecision"] for output in answer.values()] == decision


@pytest.mark.parametrize("ends", [False, True], ids=["no word of its end", "its end is reported"])
def test_a_declined_patch_of_codex_is_recorded_once_as_refused(ends: bool) -> None:
    agent = codex()
    agent.start()
    agent.says({"id": 1, "result": {}})
    agent.says(
        {"id": 2, "result": {"thread": {"id": "t"}, "sandbox": {"type": "dangerFullAccess"}, "approvalPolicy": "never"}}
    )
    agent.says({"id": 3, "result": {"turn": {"id": "u"}}})
    at = {"threadId": "t", "turnId": "u"}
    agent.says({"method": "turn/started", "params": {**at, "turn": {"id": "u"}}})
    changes = [{"path": "a.py", "kind": {"type": "add"}, "diff": "import deprecated_module\n"}]
    item: dict[str, Any] = {"type": "fileChange", "id": "c", "changes": changes, "status": "inProgress"}
    agent.says({"method": "item/started", "params": {**at, "item": item}})
    agent.taken()
    agent.says({"id": 0, "method": "item/fileChange/requestApproval", "params": {**at, "itemId": "c"}})
    assert agent.taken() == [{"id": 0, "result": {"decision": "decline"}}]
    if ends:
        agent.says({"method": "item/completed", "params": {**at, "item": {**item, "status": "declined"}}})
    agent.says({"method": "turn/completed", "params": {**at, "turn": {"id": "u", "status": "interrupted"}}})
    assert agent.seen(CallFailedShown) == [CallFailedShown("")]
    updates = [event for event in agent.log.events if isinstance(event, StepUpdated)]
    assert [type(event.state) for event in updates] == [CallRefused]
