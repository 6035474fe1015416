"""Calls of the Agent Client Protocol that have only a kind: version 1 has one kind for edits and new files."""

from __future__ import annotations

from typing import Any

import pytest

from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.session.history.turn_output import ToolCall
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, BlockFinished, ReplacedText

PATH = "/home/me/shop/cart.ts"


def events_of(update: dict[str, Any]) -> list[AgentEvent]:
    call = {"sessionUpdate": "tool_call", "toolCallId": "c1", "kind": "edit", "title": "write", **update}
    return AcpAdapter().events_of_message({"method": "session/update", "params": {"update": call}})


def diff(old: str | None) -> dict[str, Any]:
    return {"content": [{"type": "diff", "path": PATH, "oldText": old, "newText": "const a = 1;\n"}]}


def tools_of(update: dict[str, Any]) -> set[str]:
    outputs = [event.output for event in events_of(update) if isinstance(event, BlockFinished)]
    return {output.tool for output in outputs if isinstance(output, ToolCall)}


@pytest.mark.parametrize(
    "update",
    [diff(None), diff(""), {"rawInput": {"filePath": PATH, "content": "const a = 1;\n"}}],
    ids=["no old text", "empty old text", "content"],
)
def test_an_edit_without_old_text_is_a_write(update: dict[str, Any]) -> None:
    assert tools_of(update) == {"write"}


@pytest.mark.parametrize(
    "update",
    [diff("let a;\n"), {"rawInput": {"filePath": PATH, "oldString": "let a", "newString": "const a"}}],
    ids=["old text", "strings"],
)
def test_an_edit_with_old_text_is_an_edit(update: dict[str, Any]) -> None:
    assert tools_of(update) == {"edit"}


def test_a_tool_with_a_name_keeps_it() -> None:
    assert tools_of({**diff(None), "name": "mcp__notes__add"}) == {"mcp__notes__add"}


def test_a_match_in_a_changed_file_is_located_by_its_old_text() -> None:
    (write,) = {event.write for event in events_of(diff("let a;\n")) if isinstance(event, AgentDelta) and event.write}
    assert write.replaced == (ReplacedText(0, "let a;\n"),)


def calls_of(*updates: dict[str, Any]) -> list[tuple[str, str]]:
    """The tool and the arguments of each call in the updates of one call, which begins as pending."""
    adapter = AcpAdapter()
    first = {"sessionUpdate": "tool_call", "toolCallId": "c1", "status": "pending"}
    events: list[AgentEvent] = []
    for number, update in enumerate(updates):
        kind = {"sessionUpdate": "tool_call_update"} if number else {}
        message = {"method": "session/update", "params": {"update": {**first, **kind, **update}}}
        events += adapter.events_of_message(message)
    outputs = [event.output for event in events if isinstance(event, BlockFinished)]
    return [(output.tool, output.arguments) for output in outputs if isinstance(output, ToolCall)]


MCP = {"server": "my-notes", "tool": "add", "arguments": {"text": "x"}}


@pytest.mark.parametrize(
    ("update", "tool"),
    [
        ({"title": "notes_add", "kind": "other", "rawInput": {"text": "x"}}, "notes_add"),
        ({"title": "mcp__notes_add: a.md", "kind": "other", "rawInput": {"text": "x"}}, "mcp__notes_add"),
        ({"title": "Add a note", "kind": "other", "rawInput": {"text": "x"}}, "other"),
        (
            {"title": "mcp.my-notes.add", "kind": "execute", "rawInput": MCP, "_meta": {"is_mcp_tool_call": True}},
            "mcp__my_notes__add",
        ),
        (
            {
                "title": "add (notes MCP Server)",
                "kind": "other",
                "content": [{"type": "content", "content": {"type": "text", "text": '{"text":"x"}'}}],
            },
            "mcp_notes_add",
        ),
    ],
    ids=["opencode", "omp", "a sentence", "codex", "gemini"],
)
def test_a_call_of_a_tool_that_has_no_kind_of_its_own_is_read(update: dict[str, Any], tool: str) -> None:
    assert calls_of(update) == [(tool, '{"text":"x"}')]


def test_the_title_of_a_running_call_does_not_rename_its_tool() -> None:
    started = {"title": "notes_add", "kind": "other", "rawInput": {}}
    assert calls_of(started, {"title": "a.md", "kind": "other", "rawInput": {"text": "x"}}) == [
        ("notes_add", '{"text":"x"}')
    ]


@pytest.mark.parametrize("raw_input", [{"rawInput": {}}, {}], ids=["empty", "not reported"])
def test_a_call_with_empty_input_is_read_once_it_has_ended(raw_input: dict[str, Any]) -> None:
    started = {"title": "notes_list", "kind": "other", **raw_input}
    assert calls_of(started) == []
    is_reported = bool(raw_input.keys())
    assert calls_of(started, {"status": "completed"}) == ([("notes_list", "{}")] if is_reported else [])


def test_the_result_of_an_mcp_call_of_gemini_is_no_input() -> None:
    result = [{"type": "content", "content": {"type": "text", "text": '{"notes":[]}'}}]
    ended = {"title": "add (notes MCP Server)", "kind": "other", "status": "completed", "content": result}
    assert calls_of({"title": "add (notes MCP Server)", "kind": "other"}, ended) == []
