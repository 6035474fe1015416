"""Decides the action for triggers (spec I1 to I4): interrupt the answer, or inject the rules later. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.rules.stream import Source, Trigger
from ttsr_ls.session.lifecycle.rule_state import AgentRuleState, RuleRef


class InterruptNow(Struct, frozen=True):
    """The answer is interrupted, and all of these rules are injected."""

    triggers: tuple[Trigger, ...]
    context: ContextMode


class RemindInToolResult(Struct, frozen=True):
    """The result of the tool call will carry a reminder of these rules."""

    triggers: tuple[Trigger, ...]


class InjectAfterAnswer(Struct, frozen=True):
    """These rules are injected when the answer is complete."""

    triggers: tuple[Trigger, ...]


class ReportOnly(Struct, frozen=True):
    """The triggers are only reported to users: the turn was interrupted too often."""

    triggers: tuple[Trigger, ...]


class NoAction(Struct, frozen=True):
    """All triggered rules are already queued for injection."""


TriggerAction = InterruptNow | RemindInToolResult | InjectAfterAnswer | ReportOnly | NoAction


def trigger_action(
    state: AgentRuleState,
    triggers: Iterable[Trigger],
    call: str | None,
    settings: Settings,
    *,
    can_retry: bool = True,
    can_interrupt: bool = True,
) -> TriggerAction:
    """Returns the action for the triggers of one chunk of an answer; `call` is the tool call of the chunk.

    `can_retry` is False if a limit of the turn was reached: no action may cause another request.
    """
    deferred, reserved = state.deferred, state.reserved

    def interrupts(trigger: Trigger) -> bool:
        return can_retry and can_interrupt and trigger.interrupts

    # A deferred rule still interrupts the answer at a match in a stream in which it interrupts.
    new_triggers = {
        rule_ref(trigger): trigger
        for trigger in triggers
        if rule_ref(trigger) not in reserved or (rule_ref(trigger) in deferred and interrupts(trigger))
    }
    if not new_triggers:
        return NoAction()
    matched = tuple(new_triggers.values())
    if any(map(interrupts, matched)):
        # One rule that interrupts takes the others of its batch along.
        modes = (trigger.rule.profile.context_mode or settings.context_mode for trigger in matched)
        discards = any(mode is ContextMode.DISCARD for mode in modes)
        return InterruptNow(matched, ContextMode.DISCARD if discards else ContextMode.KEEP)
    with_reminder = {tool_reminder.rule for tool_reminder in state.tool_reminders}
    others = tuple(trigger for rule, trigger in new_triggers.items() if rule not in with_reminder)
    if not others:
        return NoAction()
    match others[0].context.source:
        case Source.TOOL if call:
            return RemindInToolResult(others)
        case Source.TOOL | Source.TEXT | Source.THINKING:
            return InjectAfterAnswer(others) if can_retry else ReportOnly(others)
        case source:
            assert_never(source)


def rule_ref(trigger: Trigger) -> RuleRef:
    """The rule that fired."""
    return RuleRef(trigger.rule.name, trigger.rule.path)
