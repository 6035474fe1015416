"""Codex items other than messages, commands, and patches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.session.history.turn_events import Text, ToolCall
from ttsr_ls.session.output.agent_events import AgentEvent, BlockFinished, StreamDamaged


def read(source: str, *lines: dict[str, Any]) -> list[AgentEvent]:
    adapter = SOURCES[source].make(None)
    return [*adapter.feed(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), *adapter.finish()]


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
