"""The entries of the ledger in the session logs of a workspace."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.bridge.proxy.ledger.entry import FEATURE, LedgerEntry, from_record
from ttsr_ls.session.history.turn_events import FeatureRecorded, TurnEvent
from ttsr_ls.session.lifecycle.unpack_records import unpack_records
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import CodecError, decode_record
from ttsr_ls.store.log.session_dirs import session_files

MAX_LOGS = 100
MAX_BYTES = 64 * 1024 * 1024
"""The most bytes of logs that are searched, the newest first."""

_NAMED = f'"{FEATURE}"'.encode()


def entries_of(events: Iterable[TurnEvent]) -> list[LedgerEntry]:
    """The entries among the events of a log."""
    records = (record for event in events for record in unpack_records(event) if isinstance(record, FeatureRecorded))
    return [entry for record in records if (entry := from_record(record)) is not None]


def entries_of_workspace(folder: Path, excluded: Path | None) -> list[LedgerEntry]:
    """Returns the entries of the logs in the folder of a workspace, except of the log `excluded`, oldest first.

    They are needed because agents resume sessions under new ids. Unreadable logs are skipped.
    """
    found_entries: list[list[LedgerEntry]] = []
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
