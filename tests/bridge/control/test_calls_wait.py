"""Each tool call waits for the rules, where the agent asks before it runs a call."""

from __future__ import annotations

import pytest

from tests.bridge.control.played_agent import asks_before_call, begun, call, claude, pi


@pytest.mark.parametrize(("content", "runs"), [("deprecated_module", False), ("new_module", True)])
def test_pi_waits_for_the_rules_before_each_call(content: str, runs: bool) -> None:
    agent = pi()
    begun(agent)
    agent.says(*call(f'{{"path": "a.py", "content": "import {content}\\n"}}'))
    agent.says(asks_before_call())
    assert agent.taken()[-1] == {"type": "extension_ui_response", "id": "d1", "confirmed": runs}


def test_pi_gets_no_answer_to_the_dialogs_of_other_extensions() -> None:
    agent = pi()
    begun(agent)
    agent.says(asks_before_call("Push?"))
    assert agent.taken() == [{"type": "extension_ui_response", "id": "d1", "cancelled": True}]


@pytest.mark.parametrize(("content", "decision"), [("deprecated_module", ["deny"]), ("new_module", [])])
def test_claude_code_waits_for_the_rules_before_each_call(content: str, decision: list[str]) -> None:
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
