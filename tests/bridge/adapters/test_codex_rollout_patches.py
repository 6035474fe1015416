"""Patches in Codex's rollouts, applied by a patch tool or by the shell."""

from __future__ import annotations

import json

import pytest

from tests.bridge.adapters.claude_stream import to_bytes
from ttsr_ls.bridge.adapters.codex.rollout import CodexRolloutAdapter
from ttsr_ls.session.history.turn_events import ToolCall
from ttsr_ls.session.output.agent_events import BlockFinished, ToolResultSeen

PATCH = "*** Begin Patch\n*** Add File: a.ts\n+a\n*** Update File: b.ts\n@@\n-c\n+b\n*** End Patch"
FILES = [("write", {"path": "a.ts", "content": "a"}), ("edit", {"path": "b.ts", "new_string": "b"})]


@pytest.mark.parametrize("is_shell", [False, True])
def test_each_file_of_a_patch_is_a_call_with_a_result(is_shell: bool) -> None:
    command = {"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"}
    if is_shell:
        call = {"type": "function_call", "name": "exec_command", "arguments": json.dumps(command)}
    else:
        call = {"type": "custom_tool_call", "name": "apply_patch", "input": PATCH}
    result = {"type": "function_call_output" if is_shell else "custom_tool_call_output", "output": "Success."}
    lines = [{"type": "response_item", "payload": item | {"call_id": "c"}} for item in (call, result)]
    events = CodexRolloutAdapter().feed(to_bytes(lines))
    calls = [event.output for event in events if isinstance(event, BlockFinished)]
    written = [(call.tool, json.loads(call.arguments)) for call in calls if isinstance(call, ToolCall)]
    assert written == ([("exec_command", command)] if is_shell else []) + FILES
    results = [event.call for event in events if isinstance(event, ToolResultSeen)]
    assert results == ["c", "c#1", "c#2"][: len(written)]
