"""Calls that the user decides about, the limit of denials, and instructions that the agent loads."""

from __future__ import annotations

import pytest

from tests.bridge.agent_hooks.calls import Hooked, after_write, before_write, message
from tests.bridge.event_summaries import summarize
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, answer_body, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, ContextAdded, Continued, Denied, UserConfirmation
from ttsr_ls.rules.settings.settings import RepeatMode, Settings
from ttsr_ls.session.history.turn_events import InstructionsLoaded

NO_OLD = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
NO_TABS = "---\ncondition: '\\t'\n---\nUse spaces.\n"
ASKED = UserConfirmation("Use new_module.", ("no-old",))


def test_a_rule_that_asks_lets_the_user_decide_and_reminds_the_model() -> None:
    hooked = Hooked({"no_old": NO_OLD}, Settings(ask_rules=("no-old",)))
    asked = hooked.ask(before_write("import deprecated_module\n"))
    assert isinstance(asked, UserConfirmation)
    assert asked.text.startswith("This call breaks the rule no-old of this project (")
    assert asked.text.endswith("Use new_module.")
    reminded = hooked.ask(after_write())  # The user permitted it.
    assert isinstance(reminded, ContextAdded)
    assert "Use new_module." in reminded.text
    assert summarize(hooked.log.events[-1]) == "t1.1 t1 CallDone"


@pytest.mark.parametrize(("ask", "expected"), [(("no-old",), Denied), (("*",), UserConfirmation), ((), Denied)])
def test_a_call_that_breaks_an_asking_and_a_denying_rule_is_denied(ask: tuple[str, ...], expected: type) -> None:
    hooked = Hooked({"no_old": NO_OLD, "no_tabs": NO_TABS}, Settings(ask_rules=ask))
    assert isinstance(hooked.ask(before_write("\timport deprecated_module\n")), expected)


def test_max_interrupts_limits_the_denials_of_a_turn() -> None:
    hooked = Hooked({"no_old": NO_OLD}, Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0, max_interrupts=1))
    assert isinstance(hooked.ask(before_write("deprecated_module", "t1")), Denied)
    assert hooked.ask(before_write("deprecated_module", "t2")) == Allowed()
    assert isinstance(hooked.ask(after_write("t2")), ContextAdded)
    hooked.ask(message("UserPromptSubmit", prompt="again"))
    assert isinstance(hooked.ask(before_write("deprecated_module", "t3")), Denied)


def test_loaded_instructions_are_recorded() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    loaded = {"file_path": "/w/CLAUDE.md", "memory_type": "Project", "load_reason": "session_start"}
    assert hooked.ask(message("InstructionsLoaded", **loaded)) == Allowed()
    assert hooked.log.events[-1] == InstructionsLoaded("main", "/w/CLAUDE.md", "Project", "session_start")
    assert hooked.ask(message("InstructionsLoaded")) == Allowed()


def test_user_confirmation_has_each_agents_format_and_needs_its_support() -> None:
    decision = {"permissionDecision": "ask", "permissionDecisionReason": "Use new_module."}
    for agent, event, body in (
        ("claude", "PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}),
        ("vscode", "PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}),
        ("gemini", "BeforeTool", {"decision": "ask", "reason": "Use new_module.", "systemMessage": "Use new_module."}),
    ):
        call = hook_call(CONTRACTS[agent], {"session_id": "s", "cwd": "/w", "hook_event_name": event})
        assert answer_body(CONTRACTS[agent], call, ASKED) == body
    # Codex and Cursor accept "ask" and run the call, so they get a denial.
    assert {name for name, contract in CONTRACTS.items() if contract.can_ask} == {"claude", "vscode", "gemini"}
    for agent in ("codex", "cursor"):
        call = hook_call(CONTRACTS[agent], {"session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse"})
        with pytest.raises(ValueError, match="leave a decision"):
            answer_body(CONTRACTS[agent], call, ASKED)


def cursor(hooked: Hooked, event: str, **fields: object) -> object:
    asked = {"conversation_id": "c", "session_id": "another", "workspace_roots": ["/home/dev/shop"]}
    call = hook_call(CONTRACTS["cursor"], {**asked, "hook_event_name": event, **fields})
    assert (call.session, call.cwd) == ("c", "/home/dev/shop")
    return hooked.session.decide(call, 1)[0]


@pytest.mark.parametrize(("status", "expected"), [("completed", Continued), ("aborted", Allowed), ("error", Allowed)])
def test_an_answer_of_cursor_is_matched_when_it_stops(status: str, expected: type) -> None:
    hooked = Hooked({"no_done": "---\ncondition: all done\nscope: text\n---\nSay what you ran.\n"})
    cursor(hooked, "beforeSubmitPrompt", prompt="Go")
    assert cursor(hooked, "afterAgentResponse", text="It is all done.") == Allowed()
    assert isinstance(cursor(hooked, "stop", status=status, loop_count=0), expected)


def test_a_shell_call_of_cursor_is_denied() -> None:
    hooked = Hooked({"no_push": "---\ncondition: git push\nscope: tool:bash\n---\nDo not push.\n"})
    denied = cursor(
        hooked, "preToolUse", tool_name="Shell", tool_use_id="t1",
        tool_input={"command": "git push", "working_directory": "/home/dev/shop"},
    )  # fmt: skip
    assert isinstance(denied, Denied)
