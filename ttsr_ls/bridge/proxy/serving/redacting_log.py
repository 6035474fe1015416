"""A session log without the texts of the conversation."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.bridge.proxy.ledger.entry import FEATURE
from ttsr_ls.bridge.proxy.serving.redaction import without_content
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.session.history.turn_events import FeatureRecorded, InjectionCommitted, ReminderFolded, TurnEvent
from ttsr_ls.store.log.codec import Record


class RedactingLog:
    """Writes events to `log` without content. Records of features are not written, because they may have content.

    Records of the ledger are written: without `keeps_content` it commits none with content.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def append(self, event: TurnEvent, time: int) -> Record:
        """Writes the event without its content. Raises LogWriteError if that failed."""
        match event:
            case FeatureRecorded(feature=feature):
                return self._log.append(event, time) if feature == FEATURE else Record(1, time, event)
            case InjectionCommitted() | ReminderFolded():
                own = tuple(record for record in event.feature_records if record.feature == FEATURE)
                bare = without_content(replace(event, feature_records=()))
                assert isinstance(bare, InjectionCommitted | ReminderFolded)
                return self._log.append(replace(bare, feature_records=own), time)
            case _:
                return self._log.append(without_content(event), time)
