"""Hooks of Cursor. Its calls have the fields that Cursor 2.5.25 sent to GitGuardian's ggshield, which recorded them for
its tests (`tests/unit/verticals/ai`); the edits have the arguments that public hooks for Cursor read.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest

from tests.bridge.agent_hooks.calls import CWD
from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import ContextAdded, Denied, HookAnswer, HookKind
from ttsr_ls.bridge.agent_hooks.hook_session import HookSession
from ttsr_ls.rules.settings.settings import Settings

NO_ANY = "---\ncondition: ': any'\nscope: tool:edit(*.ts), tool:write(*.ts)\n---\nName the type.\n"
NO_WHOAMI = "---\ncondition: whoami\nscope: tool:bash\ninterruptMode: never\n---\nAsk for the name.\n"

_ENVELOPE = {
    "conversation_id": "37a17cfc-322c-47ab-88c5-e810f23f4739",
    "generation_id": "049f5b26-326a-4081-82c1-e5c42a63d19e",
    "model": "default",
    "cursor_version": "2.5.25",
    "workspace_roots": [CWD],
    "transcript_path": "/home/dev/.cursor/projects/shop/agent-transcripts/37a17cfc/37a17cfc.jsonl",
}
_SHELL = {
    "tool_name": "Shell",
    "tool_input": {"command": "whoami", "cwd": "", "timeout": 30000},
    "tool_use_id": "ec1b1027-5b24-4a18-90c7-f8f616d0aeb4",
}


def session(**texts: str) -> HookSession:
    observed = observer(MemoryLog(), rules(**texts), settings=Settings())
    return HookSession(observed, "s1", PurePosixPath(CWD), PurePosixPath("/home/dev"), Settings())


def ask(opened: HookSession, event: str, fields: dict[str, Any]) -> HookAnswer:
    return opened.decide(hook_call(CONTRACTS["cursor"], {**_ENVELOPE, "hook_event_name": event, **fields}), 1)[0]


def test_a_shell_command_is_reminded_after_its_result() -> None:
    opened = session(no_whoami=NO_WHOAMI)
    ask(opened, "preToolUse", _SHELL)
    result = {**_SHELL, "tool_output": '{"output":"dev","exitCode":0}', "duration": 280.475}
    call = hook_call(CONTRACTS["cursor"], {**_ENVELOPE, "hook_event_name": "postToolUse", **result})
    assert (call.session, call.cwd, call.kind) == (_ENVELOPE["conversation_id"], CWD, HookKind.AFTER_TOOL)
    assert call.text == '{"output":"dev","exitCode":0}'
    assert isinstance(ask(opened, "postToolUse", result), ContextAdded)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": f"{CWD}/cart.ts", "content": "const a: any = 1"}),
        ("Write", {"path": "cart.ts", "contents": "const a: any = 1"}),
        ("StrReplace", {"path": "cart.ts", "old_string": "const a = 1", "new_string": "const a: any = 1"}),
        ("StrReplace", {"file_path": f"{CWD}/cart.ts", "old_string": "", "new_string": "const a: any = 1"}),
        ("Edit", {"file_path": f"{CWD}/cart.ts", "old_string": "", "new_string": "const a: any = 1"}),
    ],
)
def test_a_rule_about_files_matches_the_edit_tools(tool: str, arguments: dict[str, Any]) -> None:
    asked = {"tool_name": tool, "tool_input": arguments, "tool_use_id": "tool_1"}
    assert isinstance(ask(session(no_any=NO_ANY), "preToolUse", asked), Denied)


def test_a_prompt_is_read() -> None:
    prompt = {"hook_event_name": "beforeSubmitPrompt", "prompt": "hello world", "attachments": []}
    call = hook_call(CONTRACTS["cursor"], {**_ENVELOPE, **prompt})
    assert (call.kind, call.text) == (HookKind.PROMPTED, "hello world")
