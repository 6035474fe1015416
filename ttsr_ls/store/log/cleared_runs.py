"""What a person cleared of the runs of a workspace, beside their logs: every editor window leaves the same away.

A mark is the sequence number of the last record of a log that is cleared; what comes later is shown again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ttsr_ls.store.files.bounded_file import read_text_if_there
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.store.log.codec import LAST_SEQUENCE
from ttsr_ls.store.log.session_dirs import session_files

FILE = "cleared.json"


def read_cleared(folder: Path) -> Mapping[str, int]:
    """The marks in a workspace's folder of logs, by the names of the logs. What cannot be read counts for nothing."""
    try:
        value = json.loads(read_text_if_there(folder / FILE) or "{}")
    except (ValueError, RecursionError):
        return {}
    marks = value.get("cleared") if isinstance(value, dict) else None
    if not isinstance(marks, dict):
        return {}
    return {name: mark for name, mark in marks.items() if type(mark) is int and 0 <= mark <= LAST_SEQUENCE}


def mark_cleared(folder: Path, marks: Mapping[str, int]) -> None:
    """Adds marks to those that there are; drops those of logs that are gone. Raises OSError."""
    known = dict(read_cleared(folder))
    for name, mark in marks.items():
        known[name] = max(mark, known.get(name, 0))
    names = {path.name for path in session_files(folder)}
    kept = {name: mark for name, mark in sorted(known.items()) if name in names}
    make_private_folders(folder)
    replace_file(folder / FILE, json.dumps({"cleared": kept}).encode(), PRIVATE_FILE)
