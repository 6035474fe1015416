"""The runs of a workspace that a user cleared, stored next to their logs, so that all editor windows hide the same
runs.

A mark is the sequence number of the last cleared record of a log; later records are shown.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from ttsr_ls.store.files.bounded_file import read_optional_text
from ttsr_ls.store.files.file_lock import hold_lock
from ttsr_ls.store.files.private_files import PRIVATE_FILE
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.store.log.codec import LAST_SEQUENCE
from ttsr_ls.store.log.session_dirs import session_files

FILE = "cleared.json"
_TRIGGERS, _RUNS = "cleared", "runs"
_NONE: Mapping[str, int] = MappingProxyType({})
_LOCK_FILE = "cleared.lock"
"""Locked from the reading of the stored marks to their replacement, as the servers of two windows may add marks."""
LOCK_SECONDS = 2.0
"""The longest time that a server waits for another one to store its marks."""


class ClearedMarks(Struct, frozen=True):
    """The marks of cleared triggers and of cleared sessions, by the names of logs."""

    triggers: Mapping[str, int] = _NONE
    runs: Mapping[str, int] = _NONE


def read_cleared(folder: Path) -> ClearedMarks:
    """Returns the marks in a workspace's folder of logs. An unreadable file has none."""
    try:
        value = json.loads(read_optional_text(folder / FILE) or "{}")
    except (ValueError, RecursionError):
        return ClearedMarks()
    if not isinstance(value, dict):
        return ClearedMarks()
    return ClearedMarks(_marks(value.get(_TRIGGERS)), _marks(value.get(_RUNS)))


def mark_cleared(folder: Path, new: ClearedMarks, lock_seconds: float = LOCK_SECONDS) -> None:
    """Adds marks to the stored ones, and drops those of deleted logs. Raises OSError, also if another window keeps the
    marks locked."""
    with hold_lock(folder / _LOCK_FILE, lock_seconds) as is_held:
        if not is_held:
            raise TimeoutError(errno.ETIMEDOUT, "another editor window keeps its lock", str(folder / FILE))
        cleared_marks = read_cleared(folder)
        names = {path.name for path in session_files(folder)}
        marks = {
            _TRIGGERS: _merged(cleared_marks.triggers, new.triggers, names),
            _RUNS: _merged(cleared_marks.runs, new.runs, names),
        }
        replace_file(folder / FILE, json.dumps(marks).encode(), PRIVATE_FILE)


def _marks(value: object) -> Mapping[str, int]:
    if not isinstance(value, dict):
        return _NONE
    return {name: mark for name, mark in value.items() if type(mark) is int and 0 <= mark <= LAST_SEQUENCE}


def _merged(known: Mapping[str, int], new: Mapping[str, int], names: set[str]) -> dict[str, int]:
    merged = {name: max(known.get(name, 0), new.get(name, 0)) for name in {*known, *new}}
    return {name: mark for name, mark in sorted(merged.items()) if name in names}
