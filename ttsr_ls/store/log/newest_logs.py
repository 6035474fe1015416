"""Searches the newest session logs of a workspace for events, within bounds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import CodecError, decode_record
from ttsr_ls.store.log.session_dirs import session_files

MAX_BYTES = 64 * 1024 * 1024
"""The most bytes of logs that are searched, the newest first."""


def events_of_newest_logs(
    folder: Path, excluded: Path | None, names: tuple[bytes, ...], max_logs: int
) -> Iterator[list[TurnEvent]]:
    """Yields the events of each log in the folder of a workspace, except of the log `excluded`, the newest log first.

    Only records whose line contains one of `names` are read. Unreadable logs are skipped.
    """
    remaining = MAX_BYTES
    for path in reversed(session_files(folder)[-max_logs:]):
        if path == excluded:
            continue
        try:
            remaining -= path.stat().st_size
            if remaining < 0:
                return
            events = list(_events(path, names))
        except OSError:
            continue
        yield events


def _events(path: Path, names: tuple[bytes, ...]) -> Iterator[TurnEvent]:
    with os.fdopen(open_regular(path), "rb") as file:
        for line in file:
            if line.endswith(b"\n") and any(name in line for name in names):
                try:
                    yield decode_record(line).event
                except CodecError:
                    continue
