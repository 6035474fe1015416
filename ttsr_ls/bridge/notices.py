"""What a person who watches an agent is told."""

from __future__ import annotations

from dataclasses import dataclass

from ttsr_ls.engine.rule import Rule
from ttsr_ls.engine.turn_events import Outcome, RuleTriggered


@dataclass(frozen=True, slots=True)
class SessionJoined:
    """The stream says whose it is: the agent runs in the folder `cwd`."""

    session: str
    cwd: str


@dataclass(frozen=True, slots=True)
class Triggered:
    """A rule fired at `time`, and the log has it."""

    event: RuleTriggered
    rule: Rule
    time: int


@dataclass(frozen=True, slots=True)
class TriggeredUnlogged:
    """A rule fired at `time`, and the log could not take it, as `reason` says."""

    event: RuleTriggered
    rule: Rule
    time: int
    reason: str


@dataclass(frozen=True, slots=True)
class LogFailed:
    """The log could not take something; told once for each time that it begins to fail."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something in the stream was skipped."""

    message: str


@dataclass(frozen=True, slots=True)
class ConditionGivenUp:
    """A condition took too long and is not evaluated any more."""

    rule: Rule
    condition: int


@dataclass(frozen=True, slots=True)
class TurnOver:
    """A turn ended."""

    outcome: Outcome


Notice = SessionJoined | Triggered | TriggeredUnlogged | LogFailed | Unreadable | ConditionGivenUp | TurnOver
