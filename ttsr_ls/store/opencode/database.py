"""Reads the database of opencode. It may be damaged or hostile, so queries have limited steps, and values a limited
size."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ttsr_ls.file_uri import file_uri
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.files.existence import exists
from ttsr_ls.store.opencode.stored_message import (
    StoredValue,
    end_line,
    message_lines,
    second_message_lines,
    session_line,
)

MAX_SESSIONS = 10_000
"""The most sessions of a database that are listed, the last used first."""

_MAX_VALUE = 64 * 1024 * 1024
"""The longest value, in bytes."""

MAX_STEPS = 1_000_000_000
"""The most steps of SQLite for reading a session: a million messages take some 50 million."""

_STEPS_BETWEEN = 100_000
"""The number of steps between two checks of the limit."""

_HEADER = b"SQLite format 3\0"
_WAIT_SECONDS = 2.0


def is_database(path: Path) -> bool:
    """Returns whether the file is an SQLite database."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return file.read(len(_HEADER)) == _HEADER
    except OSError:
        return False


def listed_sessions(
    path: Path, directories: frozenset[str] | None, max_steps: int = MAX_STEPS
) -> list[tuple[str, float]]:
    """Returns the ids of the sessions in `directories` (None: all), each with the time of its last change in seconds.

    Raises OSError if the database cannot be read.
    """
    query = "SELECT id, directory, time_updated FROM session ORDER BY time_updated DESC LIMIT ?"
    with _opened(path, max_steps) as database:
        rows = list(database.execute(query, (MAX_SESSIONS,)))
    return [
        (str(identity), row / 1000 if isinstance(row, int | float) else 0.0)
        for identity, directory, row in rows
        if directories is None or directory in directories
    ]


def session_events(path: Path, session: str) -> Generator[bytes, None, None]:
    """Yields the session as lines of events. Raises OSError if the database cannot be read, or has no such session."""
    with _opened(path) as database:
        found = database.execute("SELECT directory, time_created FROM session WHERE id = ?", (session,)).fetchone()
        if found is None:
            raise OSError(errno.ENOENT, f"the database has no session {session}", str(path))
        yield session_line(session, str(found[0]), found[1])
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if {"message", "part"} <= tables:
            yield from _first_messages(database, session)
        if "session_message" in tables:
            query = "SELECT id, type, data FROM session_message WHERE session_id = ? ORDER BY seq"
            for identity, kind, data in database.execute(query, (session,)):
                yield from second_message_lines(session, str(kind), _stored("session_message", identity, data))
    yield end_line(session)


def _first_messages(database: sqlite3.Connection, session: str) -> Iterator[bytes]:
    of_message = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id"
    messages = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for identity, data in database.execute(messages, (session,)):
        parts = (_stored("part", part, content) for part, content in database.execute(of_message, (identity,)))
        yield from message_lines(session, _stored("message", identity, data), parts)


def _stored(table: str, identity: Any, data: Any) -> StoredValue:
    return StoredValue(str(identity), data if isinstance(data, str | bytes) else "", f"{table} {identity}")


@contextmanager
def _opened(path: Path, max_steps: int = MAX_STEPS) -> Iterator[sqlite3.Connection]:
    """Opens the database for reading. Errors of SQLite become OSError."""
    os.close(open_regular(path))
    steps = 0

    def is_over() -> bool:
        nonlocal steps
        steps += _STEPS_BETWEEN
        return steps > max_steps

    try:
        # Without a write-ahead log, the file is complete, and no file must be created beside it, even on a read-only
        # disk.
        is_immutable = not exists(path.with_name(f"{path.name}-wal"))
        uri = f"{file_uri(str(path.absolute()))}?mode=ro{'&immutable=1' if is_immutable else ''}"
        connection = sqlite3.connect(
            uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        with closing(connection) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
            database.set_progress_handler(is_over, _STEPS_BETWEEN)
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA query_only = ON")
            yield database
    except sqlite3.Error as error:
        reason = "it takes too long" if steps > max_steps else str(error)
        raise OSError(errno.EIO, f"the database cannot be read: {reason}", str(path)) from error
