"""Reads the JSON files of opencode before version 1.2: `session/PROJECT/ID.json`, `message/SESSION/`, and
`part/MESSAGE/`."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ttsr_ls.store.files.bounded_file import read_bytes
from ttsr_ls.store.opencode.stored_message import StoredValue, end_line, message_lines, session_line

_MAX_FILES = 100_000
"""The most files of a folder that are read."""
_MAX_BYTES = 64 * 1024 * 1024
_SUFFIX = ".json"


def is_session_file(path: Path) -> bool:
    """Returns whether the path is that of a session, by its name and the folders around it."""
    return (
        path.suffix == _SUFFIX and path.parent.parent.name == "session" and _storage(path).joinpath("message").is_dir()
    )


def session_files(storage: Path) -> Iterator[Path]:
    """Yields the files of all sessions in the folder `storage`."""
    try:
        yield from (path for path in sorted((storage / "session").glob(f"*/*{_SUFFIX}")) if not path.is_symlink())
    except OSError:
        return


def directory_of(path: Path) -> str:
    """Returns the folder that a session belongs to; blank if its file does not have it."""
    try:
        return _directory(_session(path))
    except OSError:
        return ""


def _directory(session: dict[str, Any]) -> str:
    found = session.get("directory")
    return found if isinstance(found, str) else ""


def _created(session: dict[str, Any]) -> Any:
    time = session.get("time")
    return time.get("created") if isinstance(time, dict) else None


def _session(path: Path) -> dict[str, Any]:
    """Returns the object in a session's file; empty if it is damaged. Raises OSError if it cannot be read."""
    try:
        value = json.loads(_read(path))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def session_events(path: Path) -> Generator[bytes, None, None]:
    """Yields the session as lines of events. Raises OSError if its file cannot be read."""
    session, storage, stored = path.stem, _storage(path), _session(path)
    yield session_line(session, _directory(stored), _created(stored))
    for message in _files(storage / "message" / session):
        parts = (_stored(part, storage) for part in _files(storage / "part" / message.stem))
        yield from message_lines(session, _stored(message, storage), parts)
    yield end_line(session)


def _storage(path: Path) -> Path:
    return path.parent.parent.parent


def _files(folder: Path) -> list[Path]:
    """Returns the files of a folder in the order of their ids, which is chronological."""
    try:
        paths = [path for path in islice(folder.iterdir(), _MAX_FILES) if path.suffix == _SUFFIX]
    except OSError:
        return []
    return sorted(paths)


def _stored(path: Path, storage: Path) -> StoredValue:
    try:
        data = _read(path)
    except OSError:
        data = b""
    return StoredValue(path.stem, data, str(path.relative_to(storage)))


def _read(path: Path) -> bytes:
    return read_bytes(path, _MAX_BYTES)
