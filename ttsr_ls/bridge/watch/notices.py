"""What a person who watches an agent is told."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.history.turn_events import Outcome, RuleTriggered, StreamUnwatched


class SessionJoined(Struct, frozen=True):
    """The stream says whose it is: the agent runs in the folder `cwd`."""

    session: str
    cwd: str


class Triggered(Struct, frozen=True):
    """A rule fired at `time`, and the log has it."""

    event: RuleTriggered
    rule: Rule
    time: int


class TriggeredUnlogged(Struct, frozen=True):
    """A rule fired at `time`, and the log could not take it, as `reason` says."""

    event: RuleTriggered
    rule: Rule
    time: int
    reason: str


class LogFailed(Struct, frozen=True):
    """The log cannot be written from here on; sent once for each time that it begins to fail.

    `reason` says which file, why, and what to do.
    """

    reason: str


class LogRecovered(Struct, frozen=True):
    """The log works again; it lacks `lost` records so far."""

    lost: int


class Unreadable(Struct, frozen=True):
    """Something in the stream was skipped."""

    message: str


class TurnOver(Struct, frozen=True):
    """A turn ended."""

    outcome: Outcome


Notice = (
    SessionJoined
    | Triggered
    | TriggeredUnlogged
    | LogFailed
    | LogRecovered
    | Unreadable
    | DisabledCondition
    | StreamUnwatched
    | TurnOver
)
