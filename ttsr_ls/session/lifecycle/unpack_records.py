"""An event as features are shown it: what one of them notes with an injection comes as its own record before it."""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import InjectionCommitted, ReminderFolded, ToolInputChanged, TurnEvent


def unpacked(event: TurnEvent) -> tuple[TurnEvent, ...]:
    """The event itself, after the records that are in it."""
    if isinstance(event, InjectionCommitted | ReminderFolded | ToolInputChanged) and event.feature_records:
        return (*event.feature_records, event)
    return (event,)
