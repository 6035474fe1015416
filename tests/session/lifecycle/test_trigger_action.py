"""What is done about matches (spec I1 to I4), case by case."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY, PI, DialectProfile
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.rules.stream import Excerpt, Source, StreamContext, Trigger
from ttsr_ls.session.lifecycle.rule_state import DeferredInjection, RuleRef, RuleState, ToolReminder
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


def judged(
    *matches: Trigger,
    state: RuleState | None = None,
    call: str | None = None,
    context: ContextMode = DISCARD,
    can_retry: bool = True,
) -> TriggerAction:
    settings = Settings(context_mode=context)
    return trigger_action(state or RuleState(), matches, call, settings, can_retry=can_retry)


def as_of(profile: DialectProfile, trigger: Trigger) -> Trigger:
    return replace(trigger, rule=replace(trigger.rule, profile=profile))


def names(found: TriggerAction) -> list[str]:
    return [] if isinstance(found, NoAction) else [each.rule.name for each in found.triggers]


def test_nothing_fired_is_nothing() -> None:
    assert judged() == NoAction()


@pytest.mark.parametrize("profiles", [(OMP, PI), (PI, OMP)])
def test_one_rule_whose_dialect_discards_the_answer_does_so_for_its_batch(
    profiles: tuple[DialectProfile, DialectProfile],
) -> None:
    """Else the model would see the partial answer, which such a dialect never shows it."""
    first, second = (as_of(profile, fired(name, interrupts=True)) for profile, name in zip(profiles, "ab", strict=True))
    assert judged(first, second, context=KEEP) == InterruptNow((first, second), DISCARD)
    kept = as_of(OMP, fired("a", interrupts=True))
    assert judged(kept, context=KEEP) == InterruptNow((kept,), KEEP)


@pytest.mark.parametrize("source", Source)
def test_one_rule_that_interrupts_takes_its_batch_along(source: Source) -> None:
    found = judged(fired("a", source), fired("b", source, interrupts=True), call="c")
    assert isinstance(found, InterruptNow)
    assert names(found) == ["a", "b"]


@pytest.mark.parametrize(
    ("profile", "setting", "expected"),
    [(OMP, KEEP, KEEP), (OMP, DISCARD, DISCARD), (OMP_LEGACY, KEEP, KEEP), (PI, KEEP, DISCARD)],
)
def test_what_becomes_of_the_answer(profile: DialectProfile, setting: ContextMode, expected: ContextMode) -> None:
    trigger = fired(interrupts=True)
    found = judged(as_of(profile, trigger), context=setting)
    assert isinstance(found, InterruptNow)
    assert found.context is expected


def test_a_tool_call_is_claimed_and_prose_is_deferred() -> None:
    assert isinstance(judged(fired(source=Source.TOOL), call="c"), RemindInToolResult)
    for source in (Source.TEXT, Source.THINKING):
        assert isinstance(judged(fired(source=source)), InjectAfterAnswer)
    assert isinstance(judged(fired(source=Source.TOOL)), InjectAfterAnswer), (
        "a call without an id has no result to carry it"
    )


def test_a_rule_that_claimed_a_sibling_claims_no_other_call() -> None:
    state = RuleState(tool_reminders=(ToolReminder(R, "a"),))
    assert judged(fired(source=Source.TOOL), state=state, call="b") == NoAction()
    assert names(judged(fired(source=Source.TOOL), fired("s", Source.TOOL), state=state, call="b")) == ["s"]
    assert isinstance(judged(fired(source=Source.TOOL, interrupts=True), state=state, call="b"), InterruptNow)


@pytest.mark.parametrize(
    "state",
    [RuleState(interrupts=(R,)), RuleState(reminders=(R,)), RuleState(deferred_injections=(DeferredInjection(R, 0),))],
    ids=["pending", "owed", "deferred"],
)
def test_a_rule_that_will_be_told_anyway_is_reserved(state: RuleState) -> None:
    assert judged(fired(), state=state) == NoAction()
    assert names(judged(fired(), fired("s"), state=state)) == ["s"]


def test_a_rule_whose_injection_is_owed_does_not_cut_off_again() -> None:
    for state in (RuleState(interrupts=(R,)), RuleState(reminders=(R,))):
        assert judged(fired(interrupts=True), state=state) == NoAction()


def test_a_rule_that_is_deferred_cuts_off_where_its_mode_says_so() -> None:
    state = RuleState(deferred_injections=(DeferredInjection(R, 0),))
    assert isinstance(judged(fired(interrupts=True), state=state), InterruptNow)
    assert judged(fired(interrupts=True), state=state, can_retry=False) == NoAction()


def test_a_turn_whose_model_was_asked_again_too_often_goes_on() -> None:
    assert isinstance(judged(fired(interrupts=True)), InterruptNow)
    assert isinstance(judged(fired(interrupts=True), can_retry=False), ReportOnly)
    assert isinstance(judged(fired()), InjectAfterAnswer)
    assert isinstance(judged(fired(), can_retry=False), ReportOnly)
    assert isinstance(judged(fired(source=Source.TOOL, interrupts=True), can_retry=False, call="c"), RemindInToolResult)
