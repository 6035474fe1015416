"""The entries of the ledger in the session logs of a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.bridge.proxy.ledger.entry import FEATURE, from_record
from ttsr_ls.bridge.proxy.ledger.ledger import RecordedEntry
from ttsr_ls.session.history.turn_events import FeatureRecorded, InjectionCommitted, ReminderFolded, TurnEvent
from ttsr_ls.session.lifecycle.rule_state import RuleRef, recorded_rules
from ttsr_ls.session.lifecycle.unpack_records import unpack_records
from ttsr_ls.store.log.newest_logs import events_of_newest_logs

MAX_LOGS = 100

_NAMES = (f'"{FEATURE}"'.encode(),)


def entries_of(events: Iterable[TurnEvent]) -> list[RecordedEntry]:
    """The entries among the events of a log."""
    return [entry for event in events for entry in _entries_of_event(event)]


def _entries_of_event(event: TurnEvent) -> Iterator[RecordedEntry]:
    rules: tuple[RuleRef, ...] = ()
    if isinstance(event, InjectionCommitted | ReminderFolded):
        rules = recorded_rules(event.rules, event.rule_paths)
    for record in unpack_records(event):
        if isinstance(record, FeatureRecorded) and (entry := from_record(record)) is not None:
            yield RecordedEntry(entry, rules)


def entries_of_workspace(folder: Path, excluded: Path | None) -> list[RecordedEntry]:
    """Returns the entries of the logs in the folder of a workspace, except of the log `excluded`, oldest first.

    They are needed because agents resume sessions under new ids. Unreadable logs are skipped.
    """
    found_entries = [entries_of(events) for events in events_of_newest_logs(folder, excluded, _NAMES, MAX_LOGS)]
    return [entry for entries in reversed(found_entries) for entry in entries]
