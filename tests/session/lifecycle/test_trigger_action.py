"""The action for triggers (spec I1 to I4), case by case."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY, PI, DialectProfile
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.rules.stream import Excerpt, Source, StreamContext, Trigger
from ttsr_ls.session.lifecycle.rule_state import AgentRuleState, DeferredInjection, RuleRef, ToolReminder
from ttsr_ls.session.lifecycle.trigger_action import (
    InjectAfterAnswer,
    InterruptNow,
    NoAction,
    RemindInToolResult,
    ReportOnly,
    TriggerAction,
    trigger_action,
)
from ttsr_ls.syntax.reader import read_rule

DISCARD, KEEP = ContextMode.DISCARD, ContextMode.KEEP
R = RuleRef("r", "/r.md")


def fired(name: str = "r", source: Source = Source.TEXT, *, interrupts: bool = False) -> Trigger:
    rule = register(read_rule("---\ncondition: x\n---\nBody", name=name, path=f"/{name}.md"), "native").rule
    assert rule is not None
    return Trigger(rule, StreamContext(source), 0, 0, 1, 1, Excerpt("x", 0, 1), interrupts)


def action_for(
    *matches: Trigger,
    state: AgentRuleState | None = None,
    call: str | None = None,
    context: ContextMode = DISCARD,
    can_retry: bool = True,
) -> TriggerAction:
    settings = Settings(context_mode=context)
    return trigger_action(state or AgentRuleState(), matches, call, settings, can_retry=can_retry)


def as_of(profile: DialectProfile, trigger: Trigger) -> Trigger:
    return replace(trigger, rule=replace(trigger.rule, profile=profile))


def names(action: TriggerAction) -> list[str]:
    return [] if isinstance(action, NoAction) else [each.rule.name for each in action.triggers]


def test_no_triggers_need_no_action() -> None:
    assert action_for() == NoAction()


@pytest.mark.parametrize("profiles", [(OMP, PI), (PI, OMP)])
def test_one_rule_of_a_discarding_dialect_discards_the_answer_for_its_batch(
    profiles: tuple[DialectProfile, DialectProfile],
) -> None:
    """Such a dialect never sends the partial answer to the model."""
    first, second = (as_of(profile, fired(name, interrupts=True)) for profile, name in zip(profiles, "ab", strict=True))
    assert action_for(first, second, context=KEEP) == InterruptNow((first, second), DISCARD)
    kept = as_of(OMP, fired("a", interrupts=True))
    assert action_for(kept, context=KEEP) == InterruptNow((kept,), KEEP)


@pytest.mark.parametrize("source", Source)
def test_one_interrupting_rule_makes_its_whole_batch_interrupt(source: Source) -> None:
    action = action_for(fired("a", source), fired("b", source, interrupts=True), call="c")
    assert isinstance(action, InterruptNow)
    assert names(action) == ["a", "b"]


@pytest.mark.parametrize(
    ("profile", "setting", "expected"),
    [(OMP, KEEP, KEEP), (OMP, DISCARD, DISCARD), (OMP_LEGACY, KEEP, KEEP), (PI, KEEP, DISCARD)],
)
def test_the_dialect_and_the_setting_decide_the_context_mode(
    profile: DialectProfile, setting: ContextMode, expected: ContextMode
) -> None:
    trigger = fired(interrupts=True)
    action = action_for(as_of(profile, trigger), context=setting)
    assert isinstance(action, InterruptNow)
    assert action.context is expected


def test_a_match_in_a_tool_call_adds_a_reminder_and_one_in_prose_is_deferred() -> None:
    assert isinstance(action_for(fired(source=Source.TOOL), call="c"), RemindInToolResult)
    for source in (Source.TEXT, Source.THINKING):
        assert isinstance(action_for(fired(source=source)), InjectAfterAnswer)
    assert isinstance(action_for(fired(source=Source.TOOL)), InjectAfterAnswer), (
        "a call without an id has no result to carry it"
    )


def test_a_rule_with_a_tool_reminder_gets_no_second_one() -> None:
    state = AgentRuleState(tool_reminders=(ToolReminder(R, "a"),))
    assert action_for(fired(source=Source.TOOL), state=state, call="b") == NoAction()
    assert names(action_for(fired(source=Source.TOOL), fired("s", Source.TOOL), state=state, call="b")) == ["s"]
    assert isinstance(action_for(fired(source=Source.TOOL, interrupts=True), state=state, call="b"), InterruptNow)
    for call, source in ((None, Source.TOOL), (None, Source.TEXT), (None, Source.THINKING)):
        for can_retry in (True, False):
            assert action_for(fired(source=source), state=state, call=call, can_retry=can_retry) == NoAction()
        assert names(action_for(fired(source=source), fired("s", source), state=state, call=call)) == ["s"]
        assert isinstance(action_for(fired(source=source, interrupts=True), state=state, call=call), InterruptNow)


@pytest.mark.parametrize(
    "state",
    [
        AgentRuleState(interrupts=(R,)),
        AgentRuleState(reminders=(R,)),
        AgentRuleState(deferred_injections=(DeferredInjection(R, 0),)),
    ],
    ids=["interrupt", "reminder", "deferred"],
)
def test_a_rule_with_a_pending_injection_needs_no_action(state: AgentRuleState) -> None:
    assert action_for(fired(), state=state) == NoAction()
    assert names(action_for(fired(), fired("s"), state=state)) == ["s"]


def test_a_rule_with_a_pending_injection_does_not_interrupt_again() -> None:
    for state in (AgentRuleState(interrupts=(R,)), AgentRuleState(reminders=(R,))):
        assert action_for(fired(interrupts=True), state=state) == NoAction()


def test_a_deferred_rule_still_interrupts_if_its_mode_does() -> None:
    state = AgentRuleState(deferred_injections=(DeferredInjection(R, 0),))
    assert isinstance(action_for(fired(interrupts=True), state=state), InterruptNow)
    assert action_for(fired(interrupts=True), state=state, can_retry=False) == NoAction()


def test_without_retries_left_no_trigger_interrupts() -> None:
    assert isinstance(action_for(fired(interrupts=True)), InterruptNow)
    assert isinstance(action_for(fired(interrupts=True), can_retry=False), ReportOnly)
    assert isinstance(action_for(fired()), InjectAfterAnswer)
    assert isinstance(action_for(fired(), can_retry=False), ReportOnly)
    assert isinstance(
        action_for(fired(source=Source.TOOL, interrupts=True), can_retry=False, call="c"), RemindInToolResult
    )
