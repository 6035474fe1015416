"""Codex items other than messages, commands, and patches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.rules.stream import Payload
from ttsr_ls.session.history.turn_events import (
    MAIN_AGENT,
    CallDone,
    CallRefused,
    Text,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    UnseenTrigger,
)
from ttsr_ls.session.output.agent_events import (
    AgentDelta,
    AgentEvent,
    BlockFinished,
    StreamDamaged,
    ToolResultSeen,
    TurnClosed,
    TurnOpened,
)


def read(source: str, *lines: dict[str, Any]) -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]


def read_sse(source: str, event: dict[str, Any]) -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*adapter.feed(b"data: " + json.dumps(event).encode() + b"\n\n"), *adapter.finish()]


def outputs(events: list[AgentEvent]) -> list[Any]:
    return [event.output for event in events if isinstance(event, BlockFinished)]


def completed(item: dict[str, Any]) -> dict[str, Any]:
    return {"method": "item/completed", "params": {"threadId": "t", "item": {"id": "i", **item}}}


@pytest.mark.parametrize(
    ("item", "tool", "arguments"),
    [
        ({"type": "dynamicToolCall", "tool": "deploy", "arguments": {"to": "prod"}}, "deploy", {"to": "prod"}),
        (
            {"type": "collabAgentToolCall", "tool": "spawnAgent", "prompt": "use any"},
            "spawnAgent",
            {"prompt": "use any"},
        ),
    ],
)
def test_a_call_of_another_tool_in_the_app_server(item: dict[str, Any], tool: str, arguments: dict[str, Any]) -> None:
    events = read("codex-app-server", completed({**item, "status": "completed"}))
    (call,) = outputs(events)
    assert isinstance(call, ToolCall)
    assert (call.tool, call.id, json.loads(call.arguments)) == (tool, "i", arguments)
    assert not [event for event in events if isinstance(event, StreamDamaged)]


MCP_CALLS = {
    "codex": {"type": "item.completed", "item": {"id": "i", "type": "mcp_tool_call", "status": "completed"}},
    "codex-app-server": completed({"type": "mcpToolCall", "status": "completed"}),
    "codex-rollout": {
        "type": "response_item",
        "payload": {"type": "function_call", "call_id": "i", "name": "write_file", "namespace": "mcp__my_notes"},
    },
    "openai-responses-api": {
        "type": "response.output_item.done",
        "output_index": 0,
        "item": {"type": "function_call", "call_id": "i", "name": "write_file", "namespace": "mcp__my_notes"},
    },
}
"""A call of an MCP tool without its arguments, in each format of Codex."""


@pytest.mark.parametrize("source", MCP_CALLS)
def test_a_tool_of_an_mcp_server_has_the_name_that_hooks_of_codex_give_it(source: str) -> None:
    line = json.loads(json.dumps(MCP_CALLS[source]))
    item = line.get("item") or line.get("payload") or line["params"]["item"]
    arguments = {"path": "a.py", "content": "x"}
    is_wire = item["type"] == "function_call"
    item |= {"arguments": json.dumps(arguments)} if is_wire else {"server": "my-notes", "tool": "write_file"}
    if not is_wire:
        item["arguments"] = arguments
    events = read(source, line) if source != "openai-responses-api" else read_sse(source, line)
    (call,) = outputs(events)
    assert isinstance(call, ToolCall)
    assert (call.tool, json.loads(call.arguments)) == ("mcp__my_notes__write_file", arguments)
    # The server's tool is none of Codex's own tools that write files.
    streamed = [event.event for event in events if isinstance(event, AgentDelta)]
    assert {event.context.tool for event in streamed} == {"mcp__my_notes__write_file"}
    assert {event.context.payload for event in streamed} == {Payload.ARGUMENTS}


@pytest.mark.parametrize("source", ["codex", "codex-app-server"])
@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (
            {
                "status": "completed",
                "result": {"content": [{"type": "text", "text": "ok write_file"}], "structured_content": None},
                "error": None,
            },
            CallDone("ok write_file"),
        ),
        (
            {
                "status": "failed",
                "result": None,
                "error": {"message": "MCP tool call requires approval, but approval policy is never"},
            },
            CallRefused("MCP tool call requires approval, but approval policy is never"),
        ),
    ],
)
def test_the_result_of_an_mcp_call_is_its_text_or_its_error(
    source: str, outcome: dict[str, Any], state: CallDone | CallRefused
) -> None:
    line = json.loads(json.dumps(MCP_CALLS[source]))
    item = line.get("item") or line["params"]["item"]
    item |= {"server": "awk", "tool": "write_file", "arguments": {"content": "x"}, **outcome}
    events = read(source, line)
    assert [event for event in events if isinstance(event, ToolResultSeen)] == [ToolResultSeen(MAIN_AGENT, "i", state)]
    assert not [event for event in events if isinstance(event, StreamDamaged)]


def test_a_plan_is_read_from_its_final_item() -> None:
    delta = {"method": "item/plan/delta", "params": {"threadId": "t", "itemId": "i", "delta": "1. Use"}}
    events = read("codex-app-server", delta, completed({"type": "plan", "text": "1. Use any."}))
    assert outputs(events) == [Text("1. Use any.")]


def test_a_web_search_in_a_rollout_is_a_call() -> None:
    item = {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "ttsr"}}
    (call,) = outputs(read("codex-rollout", {"type": "response_item", "payload": item}))
    assert isinstance(call, ToolCall)
    assert (call.tool, json.loads(call.arguments)) == ("web_search", {"query": "ttsr"})


def test_an_unknown_notification_of_the_app_server_is_reported_once() -> None:
    lines: list[dict[str, Any]] = [
        {"method": method, "params": {}} for method in ("item/sung/delta", "hum", "item/sung/delta")
    ]
    messages = [event.message for event in read("codex-app-server", *lines) if isinstance(event, StreamDamaged)]
    assert messages == [
        "Line 1 of the stream was skipped: its kind, 'item/sung/delta', is not known.",
        "Line 2 of the stream was skipped: its kind, 'hum', is not known.",
    ]


LOST = {"type": "error", "message": "Reconnecting... 1/5 (stream disconnected before completion)"}


def exec_turns(*lines: dict[str, Any]) -> list[Any]:
    """The starts of turns, and their outcomes."""
    turns: list[Any] = []
    for event in read("codex", {"type": "turn.started"}, LOST, *lines):
        if isinstance(event, TurnOpened):
            turns.append(event)
        elif isinstance(event, TurnClosed):
            turns.append(event.outcome)
    return turns


def test_a_lost_connection_to_the_model_does_not_end_a_turn_of_exec() -> None:
    item = {"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": "Fine."}}
    assert exec_turns(item, {"type": "turn.completed"}) == [TurnOpened(UnseenTrigger()), TurnCompleted()]


def test_an_error_of_exec_is_the_outcome_of_its_turn_if_the_turn_failed_or_the_stream_ended() -> None:
    failed = {"type": "turn.failed", "error": {"message": "No room."}}
    assert exec_turns({"type": "error", "message": "No room."}, failed)[1:] == [TurnFailed("No room.")]
    assert exec_turns()[1:] == [TurnFailed(LOST["message"])]
