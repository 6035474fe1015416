"""Suppressed triggers: the reasons, and the event that counts them."""

from __future__ import annotations

from enum import StrEnum

from ttsr_ls.session.history.recorded_value import RecordedValue


class Suppression(StrEnum):
    """The reason why a trigger is suppressed."""

    SILENCED = "silenced"
    """A user silenced the rule, for a session or for a while."""
    TURN_CAP = "turn-cap"
    """The limit of triggers in a turn was reached."""
    SESSION_CAP = "session-cap"
    """The limit of triggers in the session was reached."""


class SuppressedRule(RecordedValue, frozen=True):
    """The number of suppressed triggers of a rule, and the reason."""

    rule: str
    reason: Suppression
    triggers: int


class TriggersSuppressed(RecordedValue, frozen=True):
    """The suppressed triggers of turn `turn`. They have no other record."""

    turn: str
    rules: tuple[SuppressedRule, ...]
