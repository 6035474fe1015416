"""The entries of the ledger in the session logs of a workspace."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.bridge.proxy.ledger.entry import FEATURE, from_record
from ttsr_ls.bridge.proxy.ledger.ledger import RecordedEntry
from ttsr_ls.session.history.turn_events import FeatureRecorded, InjectionCommitted, ReminderFolded, TurnEvent
from ttsr_ls.session.lifecycle.rule_state import RuleRef, recorded_rules
from ttsr_ls.session.lifecycle.unpack_records import unpack_records
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import CodecError, decode_record
from ttsr_ls.store.log.session_dirs import session_files

MAX_LOGS = 100
MAX_BYTES = 64 * 1024 * 1024
"""The most bytes of logs that are searched, the newest first."""

_NAMED = f'"{FEATURE}"'.encode()


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
    found_entries: list[list[RecordedEntry]] = []
    remaining = MAX_BYTES
    for path in reversed(session_files(folder)[-MAX_LOGS:]):
        if path == excluded:
            continue
        try:
            remaining -= path.stat().st_size
            if remaining < 0:
                break
            found_entries.append(entries_of(_events(path)))
        except OSError:
            continue
    return [entry for entries in reversed(found_entries) for entry in entries]


def _events(path: Path) -> Iterator[TurnEvent]:
    with os.fdopen(open_regular(path), "rb") as file:
        for line in file:
            if _NAMED in line and line.endswith(b"\n"):
                try:
                    yield decode_record(line).event
                except CodecError:
                    continue
