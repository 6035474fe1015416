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
