"""Hooks of VS Code and of Copilot CLI, which read the same file of hooks.

The calls are recorded from a VS Code 1.139.1 with Copilot Chat 0.67.0, and from a Copilot CLI 1.0.102; only ids, times,
and paths are other ones.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.bridge.agent_hooks.calls import CWD
from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, answer_body, hook_call
from ttsr_ls.bridge.agent_hooks.copilot_transcript import last_answer
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, ContextAdded, Continued, Denied, HookAnswer, HookKind
from ttsr_ls.bridge.agent_hooks.hook_session import HookSession
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn import UserInput
from ttsr_ls.session.history.turn_events import MAIN_AGENT, ReminderFolded, TurnStarted

NO_ANY = "---\ncondition: ': any'\nscope: tool:edit(*.ts), tool:write(*.ts)\n---\nName the type.\n"
NO_ECHO = "---\ncondition: echo hi\nscope: tool:bash\ninterruptMode: never\n---\nDo not echo.\n"

_STARTED = {"timestamp": "2026-11-28T20:14:36.713Z", "session_id": "s1", "cwd": CWD}
_OF_VSCODE = {**_STARTED, "transcript_path": "/home/dev/transcripts/s1.jsonl"}
_ADDED = {"explanation": "", "filePath": f"{CWD}/cart.ts", "oldString": "const a = 1", "newString": "const a: any = 1"}
_OTHER = {"explanation": "", "filePath": f"{CWD}/notes.md", "oldString": "a", "newString": "b: any"}


class Hooked:
    """A session with rules, asked as VS Code and Copilot CLI ask it."""

    def __init__(self, **texts: str) -> None:
        self.log = MemoryLog()
        observed = observer(self.log, rules(**texts), settings=Settings())
        folders = PurePosixPath(CWD), PurePosixPath("/home/dev")
        self.session = HookSession(observed, "s1", *folders, Settings(), can_ask=True)

    def ask(self, event: str, fields: dict[str, Any], base: dict[str, Any] = _OF_VSCODE) -> HookAnswer:
        asked = hook_call(CONTRACTS["vscode"], {**base, "hook_event_name": event, **fields})
        return self.session.decide(asked, 1)[0]

    def prompts(self) -> list[str]:
        """The prompts of the recorded turns."""
        started = [event.trigger for event in self.log.events if isinstance(event, TurnStarted)]
        return [trigger.text for trigger in started if isinstance(trigger, UserInput)]


def tool(name: str, arguments: dict[str, Any], number: int = 1) -> dict[str, Any]:
    return {"tool_name": name, "tool_input": arguments, "tool_use_id": f"call_{number}__vscode-1795896853647"}


@pytest.mark.parametrize(
    ("name", "arguments", "is_denied"),
    [
        ("create_file", {"filePath": f"{CWD}/cart.ts", "content": "const a: any = 1\n"}, True),
        ("create_file", {"filePath": f"{CWD}/notes.md", "content": "const a: any = 1\n"}, False),
        ("replace_string_in_file", _ADDED, True),
        ("replace_string_in_file", {**_ADDED, "newString": "", "oldString": "const a: any = 1"}, False),
        ("multi_replace_string_in_file", {"explanation": "", "replacements": [_OTHER, _ADDED]}, True),
        ("multi_replace_string_in_file", {"explanation": "", "replacements": [_OTHER]}, False),
        (
            "insert_edit_into_file",
            {"explanation": "", "filePath": f"{CWD}/cart.ts", "code": "const a: any = 1"},
            True,
        ),
        (
            "apply_patch",
            {
                "input": f"*** Begin Patch\n*** Update File: {CWD}/cart.ts\n@@\n-const a = 1\n+const a: any = 1\n"
                "*** End Patch",
                "explanation": "",
            },
            True,
        ),
        ("edit_notebook_file", {"filePath": f"{CWD}/a.ts", "editType": "edit", "newCode": "const a: any = 1"}, True),
        ("edit_notebook_file", {"filePath": f"{CWD}/a.ts", "editType": "insert", "newCode": ["1", "a: any"]}, True),
        ("edit_notebook_file", {"filePath": f"{CWD}/a.ts", "editType": "delete", "newCode": "a: any"}, False),
        ("read_file", {"filePath": f"{CWD}/cart.ts", "startLine": 1, "endLine": 9}, False),
    ],
)
def test_a_rule_about_files_matches_each_edit_tool_of_vs_code(
    name: str, arguments: dict[str, Any], is_denied: bool
) -> None:
    assert isinstance(Hooked(no_any=NO_ANY).ask("PreToolUse", tool(name, arguments)), Denied) == is_denied


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Write", {"path": f"{CWD}/cart.ts", "file_text": "const a: any = 1\n"}),
        ("Edit", {"path": f"{CWD}/cart.ts", "old_str": "const a = 1", "new_str": "const a: any = 1"}),
    ],
)
def test_a_rule_about_files_matches_the_edit_tools_of_copilot_cli(name: str, arguments: dict[str, Any]) -> None:
    asked = {"tool_name": name, "tool_input": arguments}
    assert isinstance(Hooked(no_any=NO_ANY).ask("PreToolUse", asked, _STARTED), Denied)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("run_in_terminal", {"command": "echo hi", "explanation": "", "goal": "", "mode": "sync", "timeout": 5000}),
        ("send_to_terminal", {"command": "echo hi", "id": "t1"}),
    ],
)
def test_vs_code_gets_a_reminder_before_the_command_because_it_does_not_wait_for_the_hook_after_it(
    name: str, arguments: dict[str, Any]
) -> None:
    hooked = Hooked(no_echo=NO_ECHO)
    answer = hooked.ask("PreToolUse", tool(name, arguments))
    assert isinstance(answer, ContextAdded)
    assert "Do not echo." in answer.text
    assert hooked.ask("PostToolUse", {**tool(name, arguments), "tool_response": "hi"}) == Allowed()
    folded = [event for event in hooked.log.events if isinstance(event, ReminderFolded)]
    assert [(event.call, event.rules) for event in folded] == [("call_1__vscode-1795896853647", ("no-echo",))]


def test_copilot_cli_gets_a_reminder_after_the_command() -> None:
    hooked = Hooked(no_echo=NO_ECHO)
    asked = {"tool_name": "Bash", "tool_input": {"command": "echo hi", "description": ""}}
    assert hooked.ask("PreToolUse", asked, _STARTED) == Allowed()
    result = {"tool_result": {"result_type": "success", "text_result_for_llm": "hi"}}
    assert isinstance(hooked.ask("PostToolUse", {**asked, **result}, _STARTED), ContextAdded)


def test_the_results_of_copilot_cli_are_read() -> None:
    done = {"tool_result": {"result_type": "success", "text_result_for_llm": "hi"}}
    call = hook_call(CONTRACTS["vscode"], {**_STARTED, "hook_event_name": "PostToolUse", **done})
    assert (call.kind, call.text, call.has_failed) == (HookKind.AFTER_TOOL, "hi", False)
    failed = {"hook_event_name": "PostToolUseFailure", "error": "No match found"}
    call = hook_call(CONTRACTS["vscode"], {**_STARTED, **failed})
    assert (call.kind, call.text, call.has_failed) == (HookKind.AFTER_TOOL, "No match found", True)


def test_answers_are_given_where_each_program_reads_them() -> None:
    contract = CONTRACTS["vscode"]

    def body(event: str, answer: HookAnswer) -> dict[str, Any]:
        return answer_body(contract, hook_call(contract, {**_STARTED, "hook_event_name": event}), answer)

    context = {"additionalContext": "Use logging."}
    assert body("PostToolUse", ContextAdded("Use logging.", ())) == {
        **context,
        "hookSpecificOutput": {"hookEventName": "PostToolUse", **context},
    }
    block = {"decision": "block", "reason": "Test it."}
    for event in ("Stop", "SubagentStop"):
        nested = {"hookSpecificOutput": {"hookEventName": event, **block}}
        assert body(event, Continued("Test it.", ())) == {**block, **nested}


def test_a_subagent_of_copilot_cli_belongs_to_the_session_that_started_it() -> None:
    of_subagent = {"session_id": "a2", "agent_id": "a2", "agent_type": "explore", "parent_agent_id": "s1"}
    asked = {**_STARTED, **of_subagent, "hook_event_name": "PreToolUse", "tool_name": "Grep", "tool_input": {}}
    call = hook_call(CONTRACTS["vscode"], asked)
    assert (call.session, call.agent, call.kind) == ("s1", "a2", HookKind.BEFORE_TOOL)
    stopped = hook_call(CONTRACTS["vscode"], {**_STARTED, **of_subagent, "hook_event_name": "Stop"})
    assert stopped.kind is HookKind.UNUSED
    ended = {**of_subagent, "session_id": "s1", "last_assistant_message": "Found it."}
    call = hook_call(CONTRACTS["vscode"], {**_STARTED, **ended, "hook_event_name": "SubagentStop"})
    assert (call.session, call.agent, call.text) == ("s1", "a2", "Found it.")


def test_the_prompt_of_a_subagent_of_vs_code_starts_no_turn() -> None:
    hooked = Hooked(no_any=NO_ANY)
    started = tool("runSubagent", {"prompt": "Look at things", "description": "look"})
    hooked.ask("UserPromptSubmit", {"prompt": "Write it"})
    hooked.ask("PreToolUse", started)
    hooked.ask("UserPromptSubmit", {"prompt": "Look at things"})
    hooked.ask("SubagentStop", {"agent_id": "call_1", "agent_type": "default", "stop_hook_active": False})
    hooked.ask("PostToolUse", {**started, "tool_response": "seen"})
    hooked.ask("Stop", {"stop_hook_active": False})
    assert hooked.prompts() == ["Write it"]
    hooked.ask("UserPromptSubmit", {"prompt": "Look at things"})
    assert hooked.prompts() == ["Write it", "Look at things"]


@pytest.mark.parametrize("agent", ["vscode", "cursor", "claude"])
def test_a_window_without_a_folder_has_the_rules_of_the_home_folder(agent: str) -> None:
    asked = {"session_id": "s1", "workspace_roots": [], "hook_event_name": "PreToolUse"}
    call = hook_call(CONTRACTS[agent], asked, home="/home/dev")
    assert call.cwd == ("" if agent == "claude" else "/home/dev")
    assert hook_call(CONTRACTS[agent], {**asked, "cwd": CWD}, home="/home/dev").cwd == CWD


def record(kind: str, content: str, **more: Any) -> str:
    return json.dumps({"type": kind, "data": {"content": content, "toolRequests": []}, **more}) + "\n"


PROMPT, ANSWER = record("user.message", "Write it"), record("assistant.message", "Done.")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (PROMPT + ANSWER + '{"type":"assistant.turn_end","data":{"turnId":"0"}}\n', "Done."),
        (PROMPT + record("assistant.message", "First.") + ANSWER, "Done."),
        (PROMPT + ANSWER + record("assistant.message", "Sub.", agentId="a2"), "Done."),
        (PROMPT + ANSWER + record("user.message", "Sub", agentId="a2"), "Done."),
        (ANSWER + PROMPT, ""),
        (PROMPT + record("assistant.message", ""), ""),
        (PROMPT + ANSWER + '{"type":"assistant.message","data":{"cont', "Done."),
        ("x" * 5_000_000 + "\n" + ANSWER, "Done."),
        ("", ""),
    ],
)
def test_the_last_answer_is_read_from_a_transcript(tmp_path: Path, text: str, answer: str) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_text(text)
    assert last_answer(path) == answer


def test_an_answer_that_is_being_written_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_text(PROMPT + ANSWER + '{"type":"assistant.turn_start","data":{"turnId":"1"}}\n')
    assert last_answer(path, 0.0) == ""

    def write() -> None:
        with path.open("a") as file:
            file.write(record("assistant.message", "Tested."))

    writer = threading.Timer(0.2, write)
    writer.start()
    assert last_answer(path, 60.0) == "Tested."
    writer.join()


def test_a_missing_transcript_has_no_answer(tmp_path: Path) -> None:
    assert last_answer(tmp_path / "none.jsonl") == ""
    assert last_answer(tmp_path) == ""


def test_only_hooks_without_an_answer_name_a_transcript() -> None:
    asked = {**_OF_VSCODE, "hook_event_name": "Stop", "stop_hook_active": False}
    assert hook_call(CONTRACTS["vscode"], asked).transcript == _OF_VSCODE["transcript_path"]
    assert hook_call(CONTRACTS["claude"], asked).transcript == ""
    assert hook_call(CONTRACTS["vscode"], asked).agent == MAIN_AGENT
