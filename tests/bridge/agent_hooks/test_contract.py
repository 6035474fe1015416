"""Hooks' input and output in each agent's format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, MAX_ANSWER_LENGTH, answer_body, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, ContextAdded, Continued, Denied, HookAnswer, HookKind

DENIED = Denied("Use new_module.", ("no-old",))
ADDED = ContextAdded("Use logging.", ("no-print",))
CONTINUED = Continued("Say what you ran.", ("no-done",))


def body_of(agent: str, event: str, answer: HookAnswer) -> dict[str, Any]:
    contract = CONTRACTS[agent]
    call = hook_call(contract, {"session_id": "s", "cwd": "/w", "hook_event_name": event})
    return answer_body(contract, call, answer)


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_answers_have_the_format_of_claude_code_and_codex(agent: str) -> None:
    denied = {"permissionDecision": "deny", "permissionDecisionReason": "Use new_module."}
    assert body_of(agent, "PreToolUse", DENIED) == {"hookSpecificOutput": {"hookEventName": "PreToolUse", **denied}}
    added = {"hookEventName": "PostToolUse", "additionalContext": "Use logging."}
    assert body_of(agent, "PostToolUse", ADDED) == {"hookSpecificOutput": added}
    assert body_of(agent, "Stop", CONTINUED) == {"decision": "block", "reason": "Say what you ran."}
    assert body_of(agent, "Stop", Allowed()) == {}


def test_answers_have_the_formats_of_gemini_and_cursor() -> None:
    assert body_of("gemini", "BeforeTool", DENIED) == {"decision": "deny", "reason": "Use new_module."}
    assert body_of("gemini", "AfterAgent", CONTINUED) == {"decision": "deny", "reason": "Say what you ran."}
    assert body_of("cursor", "preToolUse", DENIED) == {
        "permission": "deny",
        "agent_message": "Use new_module.",
        "user_message": "ttsr-ls: this breaks no-old.",
    }
    assert body_of("cursor", "stop", CONTINUED) == {"followup_message": "Say what you ran."}


def test_a_long_text_is_truncated_with_a_note() -> None:
    body = body_of("claude", "PostToolUse", ContextAdded("x" * 50_000, ()))
    shown = body["hookSpecificOutput"]["additionalContext"]
    assert len(shown) == MAX_ANSWER_LENGTH
    assert shown.endswith("left out)")


@pytest.mark.parametrize(
    ("agent", "event", "fields", "text"),
    [
        ("claude", "PostToolUseFailure", {"error": "Exit code 1", "is_interrupt": False}, "Exit code 1"),
        ("claude", "PostToolUse", {"tool_response": {"stdout": "a", "stderr": "b", "interrupted": False}}, "a\nb"),
        ("claude", "PostToolUse", {"tool_response": {"content": [{"type": "text", "text": "a"}]}}, "a"),
        ("codex", "PostToolUse", {"tool_response": "a"}, "a"),
        ("cursor", "postToolUse", {"tool_output": "a"}, "a"),
        ("cursor", "postToolUseFailure", {"error_message": "no"}, "no"),
    ],
)
def test_the_result_of_a_tool_is_read_in_the_format_of_each_agent(
    agent: str, event: str, fields: dict[str, Any], text: str
) -> None:
    call = hook_call(CONTRACTS[agent], {"session_id": "s", "cwd": "/w", "hook_event_name": event, **fields})
    assert (call.text, call.has_failed) == (text, event.lower() == "posttoolusefailure")


def test_calls_are_read_in_the_formats_of_cursor_and_vs_code() -> None:
    asked = {"conversation_id": "c", "workspace_roots": ["/w"], "hook_event_name": "beforeShellExecution"}
    call = hook_call(CONTRACTS["cursor"], {**asked, "command": "rm -rf /"})
    assert (call.kind, call.session, call.cwd, call.tool) == (HookKind.BEFORE_TOOL, "c", "/w", "bash")
    assert call.arguments == {"command": "rm -rf /"}
    code = {"hookEventName": "PreToolUse", "sessionId": "v", "cwd": "/w", "toolName": "x", "toolInput": {"a": 1}}
    call = hook_call(CONTRACTS["vscode"], code)
    assert (call.kind, call.session, call.tool, call.arguments) == (HookKind.BEFORE_TOOL, "v", "x", {"a": 1})


@pytest.mark.parametrize(
    ("agent", "event", "fields"),
    [
        ("claude", "PostToolUse", {"tool_response": "written"}),
        ("claude", "PostToolUse", {"tool_response": {"content": [{"type": "text", "text": "written"}]}}),
        ("gemini", "AfterTool", {"tool_response": {"llmContent": "written", "returnDisplay": "w"}}),
        ("gemini", "AfterTool", {"tool_response": {"llmContent": {"text": "written"}, "returnDisplay": "w"}}),
        ("gemini", "AfterTool", {"tool_response": {"llmContent": [{"text": "written"}, {"inlineData": {}}, 7]}}),
        ("cursor", "postToolUse", {"tool_output": "written"}),
        ("cursor", "postToolUseFailure", {"error_message": "written"}),
    ],
)
def test_the_result_of_a_call_is_read_in_each_format(agent: str, event: str, fields: dict[str, Any]) -> None:
    call = hook_call(CONTRACTS[agent], {"session_id": "s", "cwd": "/w", "hook_event_name": event, **fields})
    assert (call.kind, call.text) == (HookKind.AFTER_TOOL, "written")


@pytest.mark.parametrize("error", [None, {"type": "execution_failed", "message": "no such file"}])
def test_a_failed_call_of_gemini_cli_is_read(error: dict[str, str] | None) -> None:
    response = {"llmContent": "no such file", "returnDisplay": "", **({} if error is None else {"error": error})}
    message = {"session_id": "s", "cwd": "/w", "hook_event_name": "AfterTool", "tool_response": response}
    assert hook_call(CONTRACTS["gemini"], message).has_failed == (error is not None)


@pytest.mark.parametrize("value", [None, 7, [], {}, "x", [[1]], {"a": None}])
def test_no_value_of_a_field_makes_reading_raise(value: Any) -> None:
    fields = (
        "session_id",
        "cwd",
        "hook_event_name",
        "tool_name",
        "tool_input",
        "tool_use_id",
        "tool_response",
        "prompt",
    )
    for event in ("PreToolUse", "PostToolUse", "Stop", "UserPromptSubmit"):
        asked = dict.fromkeys(fields, value) | {"hook_event_name": event, "workspace_roots": value}
        json.dumps(answer_body(CONTRACTS["claude"], hook_call(CONTRACTS["claude"], asked), Allowed()))
