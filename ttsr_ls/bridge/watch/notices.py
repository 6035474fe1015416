"""Notices for the user about a watched agent."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.history.suppressed import Suppression
from ttsr_ls.session.history.turn_events import RuleChanges, RuleTriggered, StreamMatchingEnded, TurnOutcome


class SessionJoinedNotice(Struct, frozen=True):
    """The stream named its session: the agent runs in the folder `cwd`."""

    session: str
    cwd: str


class TriggerNotice(Struct, frozen=True):
    """A rule fired at `time`, and the trigger is logged."""

    event: RuleTriggered
    rule: Rule
    time: int


class SuppressedTriggerNotice(Struct, frozen=True):
    """A trigger was suppressed, because the rule is silenced or there were too many triggers."""

    rule: Rule
    reason: Suppression
    agent: str


class UnloggedTriggerNotice(Struct, frozen=True):
    """A rule fired at `time`, but the trigger could not be logged for the given `reason`."""

    event: RuleTriggered
    rule: Rule
    time: int
    reason: str


class LogFailedNotice(Struct, frozen=True):
    """The log cannot be written from here on; sent each time that it starts to fail.

    `reason` names the file, the cause, and the remedy.
    """

    reason: str


class LogRecoveredNotice(Struct, frozen=True):
    """The log works again; it lacks `lost` records so far."""

    lost: int


class RulesReplacedNotice(Struct, frozen=True):
    """Rules were reloaded, and apply from the next answer on."""

    changes: RuleChanges


class SkippedInputNotice(Struct, frozen=True):
    """A part of the stream was skipped."""

    message: str


class UndecidedRuleNotice(Struct, frozen=True):
    """It is unknown whether a rule matched at an earlier delta, because the text grew before the search ended.

    Only with `reference` matching. Sent once for each rule and agent.
    """

    rule: str
    agent: str


class TurnFinishedNotice(Struct, frozen=True):
    """The agent's turn ended, as `outcome` says."""

    outcome: TurnOutcome


Notice = (
    SessionJoinedNotice
    | TriggerNotice
    | UnloggedTriggerNotice
    | SuppressedTriggerNotice
    | LogFailedNotice
    | LogRecoveredNotice
    | RulesReplacedNotice
    | SkippedInputNotice
    | DisabledCondition
    | StreamMatchingEnded
    | TurnFinishedNotice
    | UndecidedRuleNotice
)
