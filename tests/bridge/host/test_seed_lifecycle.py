"""Statements of seeds 000 to 002 about discovery, matching, and injection, shown by whole sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bridge.host.driving import FINE, NO_OLD, OLD, PUSH, TYPED, ShakyLog, run_on
from tests.bridge.host.test_older_dialects import legacy, pi
from tests.session.hooks.trying import Trying
from ttsr_ls.bridge.host.events import ReminderInjected, RulesDeferred, RulesTriggered
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.history.turn_events import (
    InjectionCommitted,
    OutputInterrupted,
    RetryStarted,
    RuleTriggered,
    Text,
    ToolCall,
)
from ttsr_ls.session.rules.rules_by_dialect import compose
from ttsr_ls.syntax.reader import read_rule

SPLIT = (Text("I import deprecated_"),)


async def test_the_rules_of_a_folder_are_loaded_bucketed_and_registered(tmp_path: Path) -> None:
    """Seed 000, section 1."""
    files = {"a": "condition: x", "b": "description: d", "c": "alwaysApply: true", "d": "condition: '('"}
    for name, text in files.items():
        (tmp_path / f"{name}.md").write_text(f"---\n{text}\n---\nBody of {name}.\n")
    log = ShakyLog()
    async with await Session.open(rules=[tmp_path], log=log.opened()) as session:
        (loaded,) = log.events
        assert [rule.name for rule in loaded.rules] == ["a"]  # type: ignore[union-attr]
        assert [problem.split()[2] for problem in session.problems] == ["d"]


@pytest.mark.parametrize("matching", Matching)
async def test_a_match_does_not_reach_over_two_answers(matching: Matching) -> None:
    """Seed 000, section 2: buffers are reset."""
    run = await run_on(matching=matching)
    await run.turn((*SPLIT, ToolCall("r", "read", "{}")), (Text("module"),))
    await run.turn((Text("module"),))
    assert not [event for event in run.log.events if isinstance(event, RuleTriggered)]
    await run.turn((Text("I import deprecated_module"),), FINE)
    assert [event.rule for event in run.log.events if isinstance(event, RuleTriggered)] == ["no-old"]


async def test_a_match_of_a_rule_of_seed_001_does_not_reach_over_two_answers() -> None:
    """Seed 001, section 2: a turn of that program is one answer."""
    run = await run_on(rules=legacy(old="old_.*module"), matching=Matching.REFERENCE)
    await run.turn((Text("I import old_"), ToolCall("r", "read", "{}")), (Text("module"),))
    await run.turn((Text("module"),))
    assert "RulesTriggered" not in run.kinds()
    await run.turn((Text("I import old_"), ToolCall("r", "read", '{"path": "module"}')), FINE)
    assert run.kinds().count("AnswerInterrupted") == 1


async def test_a_session_of_seed_002_starts_with_no_rule_fired() -> None:
    """Seed 002, part 2: the start of a session clears the state."""
    first = await run_on(rules=pi(old="old_module"))
    await first.turn((Text("old_module"),), (Text("old_module"),))
    assert first.kinds().count("AnswerInterrupted") == 1
    for log in (None, ShakyLog(first.log.events)):
        run = await run_on(log, rules=pi(old="old_module"))
        await run.turn((Text("old_module"),), FINE)
        assert run.kinds().count("AnswerInterrupted") == 1


async def test_globs_apply_to_all_conditions_of_a_rule_and_need_a_path() -> None:
    """Seed 000, sections 1 and 9."""
    rule = "condition: [zzz, ':\\s*any\\b']\nglobs: '*.ts'"
    other = (ToolCall("w1", "write", '{"path": "/w/a.py", "content": "let x: any = 1"}'),)
    run = await run_on(rules={"typed": rule})
    await run.turn((Text("let x: any = 1"),))
    await run.turn(other, FINE)
    assert "RulesTriggered" not in run.kinds()
    await run.turn(TYPED, FINE)
    (triggered,) = [event for event in run.log.events if isinstance(event, RuleTriggered)]
    assert triggered.target is not None
    assert triggered.target.path == "/w/a.ts"


async def test_interruption_injection_and_retry_are_recorded_in_this_order() -> None:
    """Seed 000, section 4."""
    run = await run_on()
    await run.turn(OLD, FINE)
    kinds = (RuleTriggered, OutputInterrupted, InjectionCommitted, RetryStarted)
    assert [type(event) for event in run.log.events if isinstance(event, kinds)] == list(kinds)
    assert run.session.injected_rules == ("no-old",)


async def test_with_interrupt_mode_never_a_match_in_a_call_becomes_a_reminder() -> None:
    """Seed 000, section 9: the rule has no mode of its own."""
    rules = {"push": "condition: git push\nscope: tool:bash", "old": NO_OLD}
    run = await run_on(rules=rules, settings=Settings(interrupt_mode=InterruptMode.NEVER))
    await run.turn((*OLD, *PUSH[1:]), FINE)
    assert "AnswerInterrupted" not in run.kinds()
    assert [event.rules for event in run.notifications if isinstance(event, ReminderInjected)] == [("push",)]
    assert [event.rules for event in run.notifications if isinstance(event, RulesDeferred)] == [("old",)]


async def test_features_get_the_records_of_rules_and_are_asked_how_to_continue() -> None:
    """Seed 000, section 6: extensions, hooks, and tools are notified of the rules that fired."""
    feature = Trying()
    run = await run_on(features=(feature,))
    await run.turn(OLD, FINE)
    kinds = (RuleTriggered, OutputInterrupted, InjectionCommitted, RetryStarted)
    assert [type(event) for event in feature.records if isinstance(event, kinds)] == list(kinds)
    (aborted,) = [context for context in feature.contexts if type(context).__name__ == "AbortedContext"]
    assert aborted.rules == ("no-old",)  # type: ignore[attr-defined]


async def test_the_first_of_two_rules_of_seed_001_with_one_name_applies() -> None:
    """Seed 001, sections 1 and 9."""
    files = [
        read_rule(f"---\nttsr_trigger: {trigger}\n---\nBody.\n", name="r", path=f"/w/{folder}/r.md")
        for folder, trigger in (("one", "old_module"), ("two", "new_module"))
    ]
    run = await run_on(rules=compose([register_legacy(file, "native") for file in files], Settings()))
    await run.turn((Text("new_module"),))
    assert "RulesTriggered" not in run.kinds()
    await run.turn((Text("old_module"),), FINE)
    assert [event.rules for event in run.notifications if isinstance(event, RulesTriggered)] == [("r",)]


async def test_a_trigger_of_seed_001_that_does_not_compile_is_reported_and_the_others_apply() -> None:
    """Seed 001, sections 1 and 9."""
    run = await run_on(rules=legacy(bad="'('", good="old_module"))
    (problem,) = run.session.problems
    assert problem.startswith("The rule bad is not in force")
    await run.turn((Text("old_module"),), FINE)
    assert run.kinds().count("AnswerInterrupted") == 1


async def test_rules_of_seed_001_that_match_at_the_same_delta_are_one_event() -> None:
    """Seed 001, section 6: `{type: "ttsr_triggered", rules: Rule[]}`."""
    run = await run_on(rules=legacy(one="old", two="ld_"))
    await run.turn((Text("old_new"),), FINE)
    assert [event.rules for event in run.notifications if isinstance(event, RulesTriggered)] == [("one", "two")]


async def test_a_rule_costs_no_context_until_it_fires() -> None:
    """Seed 002, concept."""
    run = await run_on(rules=pi(old="old_module"))
    await run.turn(FINE)
    await run.turn((Text("old_module"),), FINE)
    assert ["Body of old." in json.dumps(messages) for messages in run.sent] == [False, False, True]


@pytest.mark.parametrize(
    ("trigger", "frontmatter", "answer", "fires"),
    [
        ("OLD", "flags: i", "an old thing", True),
        ("OLD", "", "an old thing", False),
        ("'a\\nb'", "scope: accumulated", "a\nb", True),
        ("'a\\nb'", "", "a\nb", False),
    ],
)
async def test_the_fields_of_a_rule_of_seed_002_are_applied(
    trigger: str, frontmatter: str, answer: str, fires: bool
) -> None:
    """Seed 002, rule format: `flags` and `scope`, with no flags and `line` as their defaults."""
    run = await run_on(rules=pi(frontmatter, r=trigger))
    await run.turn((Text(answer),), FINE)
    assert ("AnswerInterrupted" in run.kinds()) is fires


async def test_by_default_a_rule_of_seed_002_fires_once() -> None:
    """Seed 002, rule format: `maxFirings` is 1."""
    run = await run_on(rules=pi(old="old_module"))
    await run.turn((Text("old_module"),), (Text("old_module"),))
    await run.turn((Text("old_module"),))
    assert run.kinds().count("AnswerInterrupted") == 1
