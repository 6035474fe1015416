"""The events of a session for its listeners, each sent once.

A decision is sent after it was recorded; an event that happened is sent even if the log cannot be written yet.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.request_limits import RequestLimitReached
from ttsr_ls.session.history.turn import InjectionKind, InterruptionCause
from ttsr_ls.session.history.turn_events import (
    CallRefused,
    ConditionTooSlow,
    InjectionCommitted,
    InjectionDeferred,
    OutputInterrupted,
    ReminderFolded,
    RetryStarted,
    RuleChanges,
    RuleTriggered,
    StepUpdated,
    StreamMatchingEnded,
    ToolInputChanged,
    TriggersSuppressed,
    TurnEnded,
    TurnEvent,
    TurnOutcome,
)


class RulesTriggered(Struct, frozen=True):
    """The rules that matched at one moment, in the order of the match: one event for the whole batch (spec U3)."""

    triggers: tuple[RuleTriggered, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules."""
        return tuple(trigger.rule for trigger in self.triggers)


class AnswerInterrupted(Struct, frozen=True):
    """Rules or a user interrupted the answer. A UI shows no failure for it."""

    cause: InterruptionCause
    context: ContextMode


class RulesDeferred(Struct, frozen=True):
    """These rules are injected when the model's answer is complete."""

    rules: tuple[str, ...]


class TextInjected(Struct, frozen=True):
    """`text` is injected, because of these rules if any."""

    purpose: InjectionKind
    text: str
    rules: tuple[str, ...]


class WarningInjected(Struct, frozen=True):
    """`text` is injected, because a judge found that its answer broke these rules."""

    text: str
    rules: tuple[str, ...]


class ReminderInjected(Struct, frozen=True):
    """The result of the tool call `call` carries a reminder of these rules."""

    call: str
    text: str
    rules: tuple[str, ...]


class CallDenied(Struct, frozen=True):
    """A feature denied the tool call `call`; `text` is its result for the model."""

    call: str
    feature: str
    text: str


class CallInputChanged(Struct, frozen=True):
    """A feature changed the input of the tool call `call`: it runs with `arguments` (JSON text)."""

    call: str
    feature: str
    arguments: str


class RequestRetried(Struct, frozen=True):
    """The request is made again, for the `attempt`th time in its turn (from 1)."""

    attempt: int


class LimitReached(Struct, frozen=True):
    """The model is not asked again in this turn for the reason that the event names."""

    event: RequestLimitReached


class TurnFinished(Struct, frozen=True):
    """A turn ended."""

    outcome: TurnOutcome


class LogFailed(Struct, frozen=True):
    """The log cannot be written: rules are off until it can be again. Sent each time that writing begins to fail.

    Events are kept in memory until the log works again. No answer is interrupted and nothing injected until then.
    `reason` says which file, why, and what to do.
    """

    reason: str


class LogRecovered(Struct, frozen=True):
    """The log works again and has the events that were kept in memory. Rules are on."""


class LogIncomplete(Struct, frozen=True):
    """The session is closed, and its log lacks `lost` records: they could not be written. Sent last, if at all."""

    lost: int


class FeatureDisabled(Struct, frozen=True):
    """A feature failed and is not called any more; `reason` is a full sentence."""

    feature: str
    reason: str


class RulesReloaded(Struct, frozen=True):
    """Files of rules or settings changed, and from the next request on these rules are in force.

    `problems` are sentences on files, and on rules that are not in force or only in part. `changes` compares the rules
    with the previous ones.
    """

    rules: tuple[str, ...]
    problems: tuple[str, ...] = ()
    changes: RuleChanges = RuleChanges()


class RuleReloadFailed(Struct, frozen=True):
    """Files of rules or settings changed and cannot be read; the previous rules stay in force."""

    reason: str


SessionEvent = (
    RulesTriggered
    | ConditionTooSlow
    | StreamMatchingEnded
    | TriggersSuppressed
    | RulesReloaded
    | RuleReloadFailed
    | AnswerInterrupted
    | RulesDeferred
    | TextInjected
    | WarningInjected
    | ReminderInjected
    | CallDenied
    | CallInputChanged
    | RequestRetried
    | LimitReached
    | TurnFinished
    | LogFailed
    | LogRecovered
    | LogIncomplete
    | FeatureDisabled
)


def notification_for(event: TurnEvent) -> SessionEvent | None:
    """Returns the notification for a recorded event; None if users need none."""
    match event:
        case RuleTriggered():
            return RulesTriggered((event,))
        case ConditionTooSlow() | StreamMatchingEnded() | TriggersSuppressed():
            return event
        case OutputInterrupted(interruption=interruption):
            return AnswerInterrupted(interruption.cause, interruption.context)
        case InjectionDeferred():
            return RulesDeferred(event.rules)
        case InjectionCommitted(injection=injection):
            if injection.purpose is InjectionKind.WARNING:
                return WarningInjected(injection.text, event.rules)
            return TextInjected(injection.purpose, injection.text, event.rules)
        case ReminderFolded():
            return ReminderInjected(event.call, event.text, event.rules)
        case StepUpdated(state=CallRefused(denied_by=str() as feature) as call_refused):
            return CallDenied(event.call, feature, call_refused.result)
        case ToolInputChanged():
            return CallInputChanged(event.call, event.feature, event.arguments)
        case RetryStarted():
            return RequestRetried(event.attempt)
        case RequestLimitReached():
            return LimitReached(event)
        case TurnEnded():
            return TurnFinished(event.outcome)
        case _:
            return None


def merge_triggers(before: SessionEvent, after: SessionEvent) -> RulesTriggered | None:
    """Returns one event for two consecutive ones of the same batch; None if they are not of one batch."""
    match before, after:
        case RulesTriggered(triggers=first), RulesTriggered(triggers=second) if _position(first) == _position(second):
            return RulesTriggered((*first, *second))
    return None


def _position(triggers: tuple[RuleTriggered, ...]) -> tuple[str, int, str]:
    return triggers[0].turn, triggers[0].step, triggers[0].agent
