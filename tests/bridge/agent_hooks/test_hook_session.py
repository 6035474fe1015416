"""Denials, reminders, and continuations at hook calls, under the repeat policies of rules."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from tests.bridge.agent_hooks.calls import CWD, Hooked, after_write, before_write, message, stop
from tests.bridge.event_summaries import summarize
from tests.bridge.watch.watching import MemoryLog, rules
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, ContextAdded, Continued, Denied
from ttsr_ls.bridge.agent_hooks.hook_session import MAX_CONTINUATIONS, HookSession
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.cli.sessions.entries import counts_of
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome, outcome_after
from ttsr_ls.rules.settings.settings import Matching, RepeatMode, Settings
from ttsr_ls.session.history.inspection import InputSkipped
from ttsr_ls.session.history.turn_events import InjectionCommitted, ReminderFolded, TurnEnded, TurnStarted
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.log.codec import Record

NO_OLD = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
NO_PRINT = "---\ncondition: 'print\\('\nscope: tool:write(*.py)\ninterruptMode: never\n---\nUse logging.\n"
NO_DONE = "---\ncondition: all done\nscope: text\n---\nSay what you ran.\n"


def outcomes(hooked: Hooked) -> dict[str, TriggerOutcome | None]:
    """The description of each rule's last trigger in editors."""
    live = {event.rule: LiveTrigger(event, "/r/rule.md", None, None) for event in hooked.log.triggers}
    for event in hooked.log.events:
        live = {name: replace(one, outcome=outcome_after(one, event) or one.outcome) for name, one in live.items()}
    return {name: one.outcome for name, one in live.items()}


def test_a_rule_that_interrupts_denies_the_call_and_the_denial_is_recorded() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    assert hooked.ask(message("UserPromptSubmit", prompt="write it")) == Allowed()
    denied = hooked.ask(before_write("import deprecated_module\n"))
    assert isinstance(denied, Denied)
    assert denied.rules == ("no-old",)
    assert denied.text.startswith('<system-interrupt reason="rule_violation" rule="no-old" path=')
    assert "Use new_module." in denied.text
    assert hooked.ask(before_write("import new_module\n", "t2")) == Allowed()
    assert hooked.ask(after_write("t2")) == Allowed()
    assert hooked.ask(stop("Written.")) == Allowed()
    assert [summarize(event) for event in hooked.log.events] == [
        "rules no-old",
        "AgentSessionIdentified",
        "t1 started UserInput",
        "t1.0 no-old on write 7-24 at 24 'deprecated_module' in /home/dev/shop/a.py:0",
        "t1.0 answer ToolCall",
        "t1.1 calls Write CallRunning",
        "t1.1 t1 CallRefused",
        "t1.2 answer ToolCall",
        "t1.3 calls Write CallRunning",
        "t1.3 t2 CallDone",
        "t1.4 answer Text",
        "t1 ended TurnCompleted",
    ]


def test_denied_calls_are_counted_and_failed_calls_are_not() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    assert isinstance(hooked.ask(before_write("import deprecated_module\n")), Denied)
    assert hooked.ask(before_write("import new_module\n", "t2")) == Allowed()
    hooked.ask(after_write("t2") | {"hook_event_name": "PostToolUseFailure", "error": "no space"})
    records = [Record(number, 1, event) for number, event in enumerate(hooked.log.events)]
    assert counts_of(records, 1).shown == "1 turn, 1 trigger, 0 interrupts, 1 denied call"


def test_a_rule_that_does_not_interrupt_reminds_with_the_result_of_its_call() -> None:
    hooked = Hooked({"no_print": NO_PRINT})
    assert hooked.ask(before_write("print(1)\n", "t1")) == Allowed()
    assert hooked.ask(before_write("x = 1\n", "t2")) == Allowed()
    assert hooked.ask(after_write("t2")) == Allowed()
    reminded = hooked.ask(after_write("t1"))
    assert isinstance(reminded, ContextAdded)
    assert reminded.rules == ("no-print",)
    # Claude Code escapes the tag `system-reminder` of a hook's text.
    assert reminded.text.startswith("<system-interrupt ")
    assert "carried out" in reminded.text
    folded = next(event for event in hooked.log.events if isinstance(event, ReminderFolded))
    assert (folded.call, folded.rules, folded.text) == ("t1", ("no-print",), reminded.text)
    assert hooked.ask(after_write("t1")) == Allowed()
    assert outcomes(hooked) == {"no-print": TriggerOutcome.REMINDED}


def test_a_reminder_for_a_call_without_an_id_is_recorded() -> None:
    hooked = Hooked({"no_print": NO_PRINT})
    assert hooked.ask(before_write("print(1)\n", "")) == Allowed()
    assert isinstance(hooked.ask(after_write("")), ContextAdded)
    assert outcomes(hooked) == {"no-print": TriggerOutcome.REMINDED}


def test_a_continued_answer_is_recorded_as_reminded_and_not_as_ignored() -> None:
    hooked = Hooked({"no_done": NO_DONE})
    hooked.ask(message("UserPromptSubmit", prompt="write it"))
    assert isinstance(hooked.ask(stop("It is all done.")), Continued)
    assert hooked.ask(stop("I ran the tests.", again=True)) == Allowed()
    assert [summarize(event) for event in hooked.log.events[2:]] == [
        "t1 started UserInput",
        "t1.0 no-done on text 6-14 at 14 'all done'",
        "t1.0 answer Text",
        "InjectionCommitted",
        "t1.2 answer Text",
        "t1 ended TurnCompleted",
    ]
    assert outcomes(hooked) == {"no-done": TriggerOutcome.REMINDED}


def test_the_prompt_of_a_subagent_does_not_end_the_turn_of_its_agent() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    hooked.ask(message("UserPromptSubmit", prompt="write it"))
    hooked.ask(message("PreToolUse", tool_name="spawn_agent", tool_input={"message": "Write b.py"}, tool_use_id="s1"))
    sub = {"agent_id": "a1"}
    hooked.ask(message("UserPromptSubmit", prompt="Write b.py") | sub)
    assert isinstance(hooked.ask(before_write("deprecated_module") | sub), Denied)
    hooked.ask(message("PostToolUse", tool_name="spawn_agent", tool_response="ok", tool_use_id="s1"))
    assert hooked.ask(stop("Written.")) == Allowed()
    turns = [summarize(event) for event in hooked.log.events if isinstance(event, TurnStarted | TurnEnded)]
    assert turns == ["t1 started UserInput", "t1 ended TurnCompleted"]
    assert any(summarize(event).endswith("s1 CallDone") for event in hooked.log.events)


def test_a_rule_denies_a_call_of_each_agent_because_each_has_a_context_of_its_own() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    agents: list[dict[str, str]] = [{}, {"agent_id": "a1"}, {"agent_id": "a2"}]
    for expected in (Denied, Allowed):
        for number, agent in enumerate(agents):
            assert isinstance(hooked.ask(before_write("deprecated_module", f"t{number}") | agent), expected)


def test_rules_for_a_kind_of_subagent_apply_to_subagents_of_that_kind() -> None:
    def rules_for(kind: str) -> RulesByDialect:
        return rules(no_old=NO_OLD) if kind == "explore" else rules()

    log = MemoryLog()
    observed = Observer(rules_for, log, settings=Settings(), matching=Matching.STABLE)
    session = HookSession(observed, "s1", PurePosixPath(CWD), PurePosixPath("/home/dev"), Settings())
    agents = {"a1": "Plan", "a2": "explore", "": "explore"}  # The main agent may have a kind, too: `claude --agent`.
    answers = [
        session.decide(hook_call(CONTRACTS["claude"], before_write("deprecated_module", f"t{agent}") | named), 1)[0]
        for agent, kind in agents.items()
        if (named := {"agent_id": agent, "agent_type": kind})
    ]
    assert [type(answer) for answer in answers] == [Allowed, Denied, Allowed]


def test_an_injection_that_cannot_be_recorded_is_not_sent() -> None:
    hooked = Hooked({"no_print": NO_PRINT, "no_done": NO_DONE})
    hooked.ask(before_write("print(1)\n", "t1"))
    hooked.log.refused = (ReminderFolded, InjectionCommitted)
    assert hooked.ask(after_write("t1")) == Allowed()
    assert hooked.ask(stop("It is all done.")) == Allowed()


def test_a_rule_that_was_injected_does_not_fire_again_unless_settings_repeat_it() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    assert isinstance(hooked.ask(before_write("deprecated_module", "t1")), Denied)
    assert hooked.ask(before_write("deprecated_module", "t2")) == Allowed()
    again = Hooked({"no_old": NO_OLD}, Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1))
    # Each denied call ends an answer, and one answer is the gap.
    for call in ("t1", "t2", "t3"):
        assert isinstance(again.ask(before_write("deprecated_module", call)), Denied)


def test_with_repeat_gap_zero_each_call_of_an_answer_is_denied() -> None:
    hooked = Hooked({"no_old": NO_OLD}, Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0))
    for number in range(20):
        asked = before_write("deprecated_module", f"t{number}", path=f"/home/dev/shop/{number % 2}.py")
        assert isinstance(hooked.ask(asked), Denied)
    assert hooked.ask(before_write("new_module", "t20")) == Allowed()


def test_a_rule_about_prose_makes_the_agent_continue_a_limited_number_of_times() -> None:
    count = MAX_CONTINUATIONS + 2
    texts = {f"no_{number}": NO_DONE.replace("all done", f"all done {number}") for number in range(count)}
    hooked = Hooked(texts)
    answers = [hooked.ask(stop(f"all done {number}", again=number > 0)) for number in range(count - 1)]
    assert [type(answer) for answer in answers] == [*[Continued] * MAX_CONTINUATIONS, Allowed]
    assert summarize(hooked.log.events[-1]) == "t1 ended TurnCompleted"
    assert isinstance(hooked.ask(stop(f"all done {count - 1}")), Continued)


def test_a_new_prompt_resets_the_limit_of_continuations() -> None:
    texts = {
        f"no_{number}": NO_DONE.replace("all done", f"all done {number}") for number in range(MAX_CONTINUATIONS + 1)
    }
    hooked = Hooked(texts)
    for number in range(MAX_CONTINUATIONS):
        assert isinstance(hooked.ask(stop(f"all done {number}", again=number > 0)), Continued)
    # The user interrupts the agent, so no further `Stop` comes before the next prompt.
    hooked.ask(message("UserPromptSubmit", prompt="try again"))
    assert isinstance(hooked.ask(stop(f"all done {MAX_CONTINUATIONS}")), Continued)


def test_a_glob_is_matched_against_the_path_of_the_call() -> None:
    hooked = Hooked({"no_print": NO_PRINT.replace("interruptMode: never\n", "")})
    assert hooked.ask(before_write("print(1)", path="/home/dev/shop/a.ts")) == Allowed()
    assert isinstance(hooked.ask(before_write("print(1)", "t2")), Denied)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("Notification", "is not known"), ("Some\x1bthing", "is not known"), ("", "is not known"),
        ("InstructionsLoaded", "names no file"),
    ],
)  # fmt: skip
def test_an_unknown_event_is_allowed_and_reported_once(event: str, reason: str) -> None:
    hooked = Hooked({"no_old": NO_OLD})
    for _ in range(2):
        assert hooked.ask(message(event, tool_name="Write")) == Allowed()
    shown = event.replace("\x1b", "\\x1b")
    expected = f"The agent called a hook for the event '{shown}', which {reason}; no rule sees it."
    assert [item.message for item in hooked.log.events if isinstance(item, InputSkipped)] == [expected]


def test_the_start_of_a_session_is_no_unknown_event() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    hooked.ask(message("SessionStart"))
    assert not [item for item in hooked.log.events if isinstance(item, InputSkipped)]


def test_the_number_of_reported_events_is_bounded() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    for number in range(100):
        hooked.ask(message(f"Event{number}"))
    assert len([item for item in hooked.log.events if isinstance(item, InputSkipped)]) == 20


def test_fields_of_wrong_types_are_read_as_blank() -> None:
    hooked = Hooked({"no_old": NO_OLD})
    asked = before_write("deprecated_module") | {"tool_input": "deprecated_module", "tool_use_id": 7}
    assert hooked.ask(asked) == Allowed()
    assert hooked.ask(message("Stop", last_assistant_message=None)) == Allowed()
