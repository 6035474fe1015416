"""Each tool call waits for the rules, where the agent asks before it runs a call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.control.played_agent import PlayedAgent, asks_before_call, begun, call, claude, codex, pi
from ttsr_ls.bridge.control.views import AgentTrouble, CallFailedShown
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


def codex_turn(agent: PlayedAgent, sandbox: str) -> None:
    """Codex starts a thread with this sandbox and without approvals, and a turn."""
    agent.start()
    agent.says({"id": 1, "result": {}})
    agent.says({"id": 2, "result": {"thread": {"id": "t"}, "sandbox": {"type": sandbox}, "approvalPolicy": "never"}})
    agent.says({"id": 3, "result": {"turn": {"id": "u"}}})
    agent.says({"method": "turn/started", "params": {"threadId": "t", "turnId": "u", "turn": {"id": "u"}}})
    agent.taken()


@pytest.mark.parametrize("ends", [False, True], ids=["no word of its end", "its end is reported"])
def test_a_declined_patch_of_codex_is_recorded_once_as_refused(ends: bool) -> None:
    agent = codex()
    codex_turn(agent, "dangerFullAccess")
    at = {"threadId": "t", "turnId": "u"}
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


def asks_for_mcp_call(content: str) -> dict[str, Any]:
    """Codex's question whether a tool of an MCP server may run. It repeats the arguments in place of the call's id."""
    meta = {"codex_approval_kind": "mcp_tool_call", "tool_name": "add", "tool_params": {"text": content}}
    params = {"threadId": "t", "turnId": "u", "serverName": "notes", "mode": "form", "_meta": meta}
    return {"id": 0, "method": "mcpServer/elicitation/request", "params": params}


@pytest.mark.parametrize("approves", [False, True], ids=["", "--approve"])
@pytest.mark.parametrize("sandbox", ["dangerFullAccess", "workspaceWrite"])
@pytest.mark.parametrize("content", ["deprecated_module", "new_module"])
def test_a_call_of_an_mcp_tool_of_codex_runs_unless_a_rule_or_the_user_forbids_it(
    content: str, sandbox: str, approves: bool
) -> None:
    agent = codex()
    agent.driver.approves = approves
    codex_turn(agent, sandbox)
    for identity, text in (("other", "old"), ("c", content)):
        item: dict[str, Any] = {"type": "mcpToolCall", "id": identity, "server": "notes", "tool": "add"}
        started = {**item, "arguments": {"text": text}, "status": "inProgress"}
        agent.says({"method": "item/started", "params": {"threadId": "t", "turnId": "u", "item": started}})
    agent.taken()
    agent.says(asks_for_mcp_call(content))
    runs = content == "new_module" and (approves or sandbox == "dangerFullAccess")
    (answer,) = (sent for sent in agent.taken() if "result" in sent)
    assert answer == {"id": 0, "result": {"action": "accept" if runs else "decline", "content": None}}


def test_other_questions_of_mcp_servers_are_refused() -> None:
    agent = codex()
    codex_turn(agent, "dangerFullAccess")
    asked = asks_for_mcp_call("x")
    del asked["params"]["_meta"]
    agent.says(asked)
    assert "error" in agent.taken()[-1]


@pytest.mark.parametrize("approves", [False, True])
def test_codex_gets_the_permissions_that_it_asks_for_only_from_a_run_that_approves(approves: bool) -> None:
    agent = codex()
    agent.driver.approves = approves
    codex_turn(agent, "workspaceWrite")
    wanted = {"network": {"enabled": True}}
    params = {"threadId": "t", "turnId": "u", "itemId": "i", "reason": "Fetch.", "permissions": wanted}
    agent.says({"id": 0, "method": "item/permissions/requestApproval", "params": params})
    assert agent.taken() == [{"id": 0, "result": {"permissions": wanted if approves else {}}}]
    refused = "The agent asked for permission and was refused: Fetch. Pass --approve to permit."
    assert agent.seen(AgentTrouble) == ([] if approves else [AgentTrouble(refused)])


def test_a_turn_with_a_permitted_call_that_may_run_is_not_taken_back() -> None:
    """The model would not know what the call did. Its result comes later, because calls of one answer run at once."""
    agent = codex()
    codex_turn(agent, "dangerFullAccess")
    at = {"threadId": "t", "turnId": "u"}
    for identity, module in (("a", "new_module"), ("b", "deprecated_module")):
        item = {"type": "commandExecution", "id": identity, "command": f"use {module}", "status": "inProgress"}
        agent.says({"method": "item/started", "params": {**at, "item": item}})
        asked = {**at, "itemId": identity}
        agent.says({"id": identity, "method": "item/commandExecution/requestApproval", "params": asked})
    sent = agent.taken()
    assert [each["result"]["decision"] for each in sent if "result" in each] == ["accept", "decline"]
    assert [each["method"] for each in sent if "method" in each] == ["turn/steer"]


@pytest.mark.parametrize("agent_id", ["", "a1"], ids=["main agent", "subagent"])
def test_a_call_of_an_answer_that_is_being_interrupted_does_not_run(agent_id: str) -> None:
    agent = claude()
    agent.start()
    agent.says({"type": "control_response", "response": {"subtype": "success", "request_id": "ttsr-1"}})
    text = {"type": "text", "text": "I take deprecated_module."}
    agent.says({"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [text]}})
    assert agent.controller.is_interrupted
    agent.taken()
    callback = {"subtype": "hook_callback", "callback_id": "ttsr-ls-call", "tool_use_id": "t1", "input": {}}
    callback["input"] = {"agent_id": agent_id} if agent_id else {}
    agent.says({"type": "control_request", "request_id": "r1", "request": callback})
    (answer,) = (sent["response"]["response"] for sent in agent.taken() if sent["type"] == "control_response")
    assert bool(answer) == (agent_id == "")
