"""Suppressed triggers: the reasons, and the event that counts them."""

from __future__ import annotations

from enum import StrEnum

from ttsr_ls.session.history.recorded_value import RecordedValue


class Suppression(StrEnum):
    """The reason why a trigger is suppressed."""

    SILENCED = "silenced"
    """A person silenced the rule, for a session or for a while."""
    TURN_CAP = "turn-cap"
    """There were as many triggers in the turn as may be."""
    SESSION_CAP = "session-cap"
    """There were as many triggers in the session as may be."""


class SuppressedRule(RecordedValue, frozen=True):
    """The number of suppressed triggers of a rule, and the reason."""

    rule: str
    reason: Suppression
    triggers: int


class TriggersSuppressed(RecordedValue, frozen=True):
    """The suppressed triggers of turn `turn`. They have no other record."""

    turn: str
    rules: tuple[SuppressedRule, ...]
