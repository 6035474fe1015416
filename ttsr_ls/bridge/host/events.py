"""What a session tells whoever listens, once each.

What it decides is told after it is on record; what happened is told even if the log cannot take it yet.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.request_limits import RequestLimitReached
from ttsr_ls.session.history.turn import Cut, InjectionKind
from ttsr_ls.session.history.turn_events import (
    ConditionTooSlow,
    InjectionCommitted,
    InjectionDeferred,
    Outcome,
    OutputInterrupted,
    Refused,
    ReminderFolded,
    RetryStarted,
    RuleTriggered,
    StepUpdated,
    StreamUnwatched,
    ToolInputChanged,
    TurnEnded,
    TurnEvent,
)


class RulesTriggered(Struct, frozen=True):
    """The rules that matched at one moment, in the order of the match: one event for the whole batch (spec U3)."""

    triggers: tuple[RuleTriggered, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules."""
        return tuple(trigger.rule for trigger in self.triggers)


class Interrupted(Struct, frozen=True):
    """The answer is cut off, by rules or by a person. A UI shows no failure for it."""

    cut: Cut
    context: ContextMode


class Deferred(Struct, frozen=True):
    """The model will be told of these rules when its answer is complete."""

    rules: tuple[str, ...]


class Injected(Struct, frozen=True):
    """The model is told `text`, because of these rules if any."""

    purpose: InjectionKind
    text: str
    rules: tuple[str, ...]


class Warned(Struct, frozen=True):
    """The model is told `text`, because a judge found that its answer broke these rules."""

    text: str
    rules: tuple[str, ...]


class Reminded(Struct, frozen=True):
    """The result of the tool call `call` carries a reminder of these rules."""

    call: str
    text: str
    rules: tuple[str, ...]


class CallDenied(Struct, frozen=True):
    """A feature did not let the tool call `call` run; `text` is the result that the model is sent."""

    call: str
    feature: str
    text: str


class InputChanged(Struct, frozen=True):
    """A feature changed the input of the tool call `call`: it runs with `arguments` (JSON text)."""

    call: str
    feature: str
    arguments: str


class Retried(Struct, frozen=True):
    """The request is made again, for the `attempt`th time in its turn (from 1)."""

    attempt: int


class LimitReached(Struct, frozen=True):
    """The model is not asked again in this turn for the reason that the event names."""

    event: RequestLimitReached


class TurnOver(Struct, frozen=True):
    """A turn ended."""

    outcome: Outcome


class LogFailed(Struct, frozen=True):
    """The log cannot be written: rules are off from here. Sent once for each time that it begins to fail.

    What happens is kept in memory until the log works again. No answer is cut off and nothing injected until then.
    `reason` says which file, why, and what to do.
    """

    reason: str


class LogRecovered(Struct, frozen=True):
    """The log works again, and has what happened meanwhile. Rules are on."""


class LogIncomplete(Struct, frozen=True):
    """The session is closed, and its log lacks `lost` records: they could not be written. Sent last, if at all."""

    lost: int


class FeatureOff(Struct, frozen=True):
    """A feature failed and takes no part any more; `reason` is a full sentence."""

    feature: str
    reason: str


SessionEvent = (
    RulesTriggered
    | ConditionTooSlow
    | StreamUnwatched
    | Interrupted
    | Deferred
    | Injected
    | Warned
    | Reminded
    | CallDenied
    | InputChanged
    | Retried
    | LimitReached
    | TurnOver
    | LogFailed
    | LogRecovered
    | LogIncomplete
    | FeatureOff
)


def told_of(event: TurnEvent) -> SessionEvent | None:
    """What people are told of an event that is on record; None where it says nothing new."""
    match event:
        case RuleTriggered():
            return RulesTriggered((event,))
        case ConditionTooSlow() | StreamUnwatched():
            return event
        case OutputInterrupted(interruption=interruption):
            return Interrupted(interruption.cut, interruption.context)
        case InjectionDeferred():
            return Deferred(event.rules)
        case InjectionCommitted(injection=injection):
            if injection.purpose is InjectionKind.WARNING:
                return Warned(injection.text, event.rules)
            return Injected(injection.purpose, injection.text, event.rules)
        case ReminderFolded():
            return Reminded(event.call, event.text, event.rules)
        case StepUpdated(state=Refused(denied_by=str() as feature) as refused):
            return CallDenied(event.call, feature, refused.result)
        case ToolInputChanged():
            return InputChanged(event.call, event.feature, event.arguments)
        case RetryStarted():
            return Retried(event.attempt)
        case RequestLimitReached():
            return LimitReached(event)
        case TurnEnded():
            return TurnOver(event.outcome)
        case _:
            return None


def joined_batch(before: SessionEvent, after: SessionEvent) -> RulesTriggered | None:
    """One event for two that follow each other in one decision; None where they are no parts of one batch."""
    match before, after:
        case RulesTriggered(triggers=first), RulesTriggered(triggers=second) if _place(first) == _place(second):
            return RulesTriggered((*first, *second))
    return None


def _place(triggers: tuple[RuleTriggered, ...]) -> tuple[str, int, str]:
    return triggers[0].turn, triggers[0].step, triggers[0].agent
