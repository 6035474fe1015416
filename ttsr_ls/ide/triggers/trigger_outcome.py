"""The outcome of a trigger: whether the agent went on with the output, or was stopped. Folded from later events."""

from __future__ import annotations

from enum import Enum

from ttsr_ls.session.history.turn_events import (
    CallAbandoned,
    CallDone,
    CallRefused,
    ModelCall,
    OutputInterrupted,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    ToolBatch,
    ToolState,
    TurnEvent,
)


class TriggerOutcome(Enum):
    """The outcome of a trigger: whether the agent did what the rule fired on."""

    PENDING = "pending"
    """Nobody knows yet."""
    DONE = "done"
    """The tool ran, or the answer went on to its end."""
    STOPPED = "stopped"
    """The tool did not run, or the answer was cut off."""
    DENIED = "denied"
    """The call was refused, by a rule or by another feature."""

    @property
    def is_prevented(self) -> bool:
        """True if the agent did not do it."""
        return self in (TriggerOutcome.STOPPED, TriggerOutcome.DENIED)


def outcome_after(trigger: RuleTriggered, event: TurnEvent) -> TriggerOutcome | None:
    """The outcome of a trigger according to `event`; None if the event says nothing about it."""
    match event:
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


def _outcome_of(state: ToolState) -> TriggerOutcome | None:
    match state:
        case CallDone():
            return TriggerOutcome.DONE
        case CallRefused(denied_by=str()):
            return TriggerOutcome.DENIED
        case CallRefused() | CallAbandoned():
            return TriggerOutcome.STOPPED
        case _:
            return None
