"""The outcome of a trigger: whether the agent went on with the output, or was stopped. Folded from later events."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ttsr_ls.session.history.turn_events import (
    CallAbandoned,
    CallDone,
    CallRefused,
    InjectionCommitted,
    ModelCall,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    ToolBatch,
    ToolState,
    TurnEvent,
)
from ttsr_ls.session.lifecycle.rule_state import recorded_rules

if TYPE_CHECKING:
    from ttsr_ls.ide.triggers.trigger_board import LiveTrigger


class TriggerOutcome(Enum):
    """The outcome of a trigger: whether the agent did what the rule fired on."""

    PENDING = "pending"
    """Not known yet."""
    DONE = "done"
    """The tool ran, or the answer went on to its end."""
    REMINDED = "reminded"
    """As `DONE`, and the model was reminded of the rule afterwards."""
    STOPPED = "stopped"
    """The answer was interrupted."""
    NOT_RUN = "not run"
    """The tool failed, or was never run."""
    DENIED = "denied"
    """The call was refused, by a rule or by another feature."""

    @property
    def is_done(self) -> bool:
        """True if the agent completed the output on which the rule fired."""
        return self in (TriggerOutcome.DONE, TriggerOutcome.REMINDED)

    @property
    def is_prevented(self) -> bool:
        """True if the agent was kept from the output on which the rule fired."""
        return self in (TriggerOutcome.STOPPED, TriggerOutcome.NOT_RUN, TriggerOutcome.DENIED)


def outcome_after(live: LiveTrigger, event: TurnEvent) -> TriggerOutcome | None:
    """The outcome of a trigger according to `event`; None if the event changes nothing about it."""
    found = _outcome_by(live.event, event)
    before = live.outcome
    if before is None or found is None:
        return found
    if found is TriggerOutcome.REMINDED:
        return None if before.is_prevented else found
    # An interrupted call has no result either, and a reminder comes with the result or before it.
    is_final = before is TriggerOutcome.REMINDED or (before.is_prevented and found is not TriggerOutcome.DENIED)
    return None if is_final or found is before else found


def _outcome_by(trigger: RuleTriggered, event: TurnEvent) -> TriggerOutcome | None:
    match event:
        case InjectionCommitted():
            is_for_it = event.turn == trigger.turn and event.step > trigger.step and _has_rule(event, trigger)
            return TriggerOutcome.REMINDED if is_for_it else None
        case ReminderFolded() if trigger.call is not None:
            is_for_it = event.call == trigger.call and _has_rule(event, trigger)
            return TriggerOutcome.REMINDED if is_for_it else None
        case OutputInterrupted() if event.turn == trigger.turn and event.step == trigger.step:
            return TriggerOutcome.STOPPED
        case StepUpdated() if trigger.call is not None and event.call == trigger.call:
            return _outcome_of(event.state)
        case StepAppended(content=ToolBatch() as batch) if trigger.call is not None:
            states = (item.state for item in batch.items if item.call == trigger.call)
            return next((outcome for state in states if (outcome := _outcome_of(state)) is not None), None)
        case StepAppended(content=ModelCall()) if trigger.call is None:
            is_same = event.turn == trigger.turn and event.step == trigger.step
            return TriggerOutcome.DONE if is_same else None
        case _:
            return None


def _has_rule(event: InjectionCommitted | ReminderFolded, trigger: RuleTriggered) -> bool:
    rules = recorded_rules(event.rules, event.rule_paths)
    return any(rule.name == trigger.rule and rule.path in ("", trigger.rule_path) for rule in rules)


def _outcome_of(state: ToolState) -> TriggerOutcome | None:
    match state:
        case CallDone():
            return TriggerOutcome.DONE
        case CallRefused(denied_by=str()):
            return TriggerOutcome.DENIED
        case CallRefused() | CallAbandoned():
            return TriggerOutcome.NOT_RUN
        case _:
            return None
