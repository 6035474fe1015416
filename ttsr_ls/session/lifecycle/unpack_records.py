"""The events that features receive for an event: the records of features within it come before it as events of their
own.
"""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import InjectionCommitted, ReminderFolded, ToolInputChanged, TurnEvent


def unpack_records(event: TurnEvent) -> tuple[TurnEvent, ...]:
    """Returns the records within the event, followed by the event itself."""
    if isinstance(event, InjectionCommitted | ReminderFolded | ToolInputChanged) and event.feature_records:
        return (*event.feature_records, event)
    return (event,)
