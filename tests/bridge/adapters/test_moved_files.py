"""Patches that move files, and patches of opencode: each written file is a call with its path and new text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.bridge.adapters.claude_stream import to_bytes
from tests.bridge.agent_hooks.calls import Hooked
from tests.bridge.agent_hooks.test_patches import NO_ANY, before, patch
from ttsr_ls.bridge.adapters.codex.app_server import CodexAppServerAdapter
from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.adapters.opencode.adapter import OpencodeAdapter
from ttsr_ls.bridge.agent_hooks.hook_call import Denied
from ttsr_ls.rules.stream import Snapshot
from ttsr_ls.session.history.turn_events import ToolCall
from ttsr_ls.session.output.agent_events import AgentDelta, BlockFinished, ToolResultSeen

MOVED = "*** Update File: cart.md\n*** Move to: src/cart.ts\n@@\n-const a = 1\n+const a: any = 1"
CALLS = [
    ("edit", {"path": "cart.md"}),
    ("edit", {"path": "src/cart.ts", "new_string": "const a: any = 1"}),
    ("write", {"path": "b.md", "content": "x\n"}),
]
TEXT = patch(MOVED, "*** Add File: b.md\n+x\n+")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_moved_file_is_an_edit_of_both_paths(line_end: str) -> None:
    calls = canonical_calls("apply_patch", "c", {"input": TEXT.replace("\n", line_end)})
    assert [(call.tool, call.arguments) for call in calls] == CALLS
    assert [call.call for call in calls] == ["c", "c#1", "c#2"]


@pytest.mark.parametrize("is_shell", [False, True])
def test_a_rule_with_globs_applies_to_the_target_of_a_move(is_shell: bool) -> None:
    text = patch(MOVED)
    asked = before("Bash", f"apply_patch <<'EOF'\n{text}\nEOF\n") if is_shell else before("apply_patch", text)
    assert isinstance(Hooked({"no_any": NO_ANY}).ask(asked), Denied)


def test_the_app_server_of_codex_names_the_target_of_a_move() -> None:
    change = {"path": "/w/cart.md", "kind": {"type": "update", "move_path": "/w/cart.ts"}}
    change |= {"diff": "@@ -1 +1 @@\n-a\n+a: any\u2028b\n\nMoved to: /w/cart.ts"}
    item = {"type": "fileChange", "id": "i", "changes": [change], "status": "inProgress"}
    message = {"method": "item/started", "params": {"threadId": "t", "turnId": "u", "item": item}}
    assert calls_in(CodexAppServerAdapter().feed(to_bytes([message]))) == [
        ("i", "edit", {"path": "/w/cart.md"}),
        ("i#1", "edit", {"path": "/w/cart.ts", "new_string": "a: any\u2028b"}),
    ]


def calls_in(events: list[Any]) -> list[tuple[str, str, Any]]:
    finished = [event.output for event in events if isinstance(event, BlockFinished)]
    return [(call.id, call.tool, json.loads(call.arguments)) for call in finished if isinstance(call, ToolCall)]


def line(kind: str, **data: object) -> dict[str, Any]:
    return {"type": f"session.next.{kind}", "data": {"sessionID": "s", "callID": "c", **data}}


def streamed(text: str, step: int, *, is_lost: bool = False) -> list[dict[str, Any]]:
    arguments = json.dumps({"patchText": text})
    deltas = [arguments[start : start + step] for start in range(0, len(arguments), step)]
    return [
        line("tool.input.started", name="apply_patch"),
        *(line("tool.input.delta", delta=delta) for number, delta in enumerate(deltas) if number or not is_lost),
        line("tool.input.ended", text=arguments),
        line("tool.called", tool="apply_patch", input={"patchText": text}),
        line("tool.success", output="Success."),
    ]


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_patch_of_opencode_streams_as_calls_of_its_files(step: int) -> None:
    adapter, lines = OpencodeAdapter(), streamed(TEXT, step)
    events = adapter.feed(to_bytes(lines[:-3]))
    shown = [event for event in events if isinstance(event, AgentDelta) and event.call == "c#1"]
    texts = [event.event.text for event in shown if isinstance(event.event, Snapshot)]
    assert texts[-1] == "const a: any = 1"  # Before the call is complete.
    assert {event.write.path for event in shown if event.write is not None} == {"src/cart.ts"}
    events += adapter.feed(to_bytes(lines[-3:]))
    assert calls_in(events) == [("c", *CALLS[0]), ("c#1", *CALLS[1]), ("c#2", *CALLS[2])]
    assert [event.call for event in events if isinstance(event, ToolResultSeen)] == ["c", "c#1", "c#2"]


def test_lost_deltas_of_a_patch_are_read_from_the_complete_call() -> None:
    events = OpencodeAdapter().feed(to_bytes(streamed(TEXT, 20, is_lost=True)))
    assert calls_in(events)[1] == ("c#1", *CALLS[1])


@pytest.mark.parametrize("text", ["", "no patch"])
def test_a_call_without_a_patch_is_kept_unchanged(text: str) -> None:
    events = OpencodeAdapter().feed(to_bytes(streamed(text, 4)))
    assert calls_in(events) == [("c", "apply_patch", {"patchText": text})]
    assert [event.call for event in events if isinstance(event, ToolResultSeen)] == ["c"]


def test_a_complete_patch_of_opencode_is_a_call_for_each_file() -> None:
    state = {"status": "completed", "input": {"patchText": TEXT}, "output": "Success."}
    part = {"type": "tool", "tool": "apply_patch", "callID": "c", "state": state}
    events = OpencodeAdapter().feed(to_bytes([{"type": "tool_use", "sessionID": "s", "part": part}]))
    assert calls_in(events) == [("c", *CALLS[0]), ("c#1", *CALLS[1]), ("c#2", *CALLS[2])]
    assert [event.call for event in events if isinstance(event, ToolResultSeen)] == ["c", "c#1", "c#2"]
