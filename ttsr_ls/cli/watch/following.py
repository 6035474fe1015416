"""Follows the session that an agent keeps of a project, and the next one when a new one begins."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.store.agent_sessions import AgentSessionFile, sessions_of
from ttsr_ls.store.files.bounded_file import open_regular

_CHUNK = 64 * 1024


class FollowPace(Struct, frozen=True):
    """The intervals, in seconds, at which a session is read and a newer one is looked for."""

    pause: float = 0.2
    look: float = 2.0


DEFAULT_PACE = FollowPace()


def running_session(cwd: Path, home: Path) -> AgentSessionFile:
    """The session in `cwd` that changed last. Raises UsageError where there is none."""
    found = sessions_of(cwd, home)
    if not found:
        raise UsageError(
            f"there is no session of Claude Code or Codex for {cwd}; name a file with an agent's output, or pipe it in"
        )
    return found[0]


def followed(
    session: AgentSessionFile, cwd: Path, home: Path, notify: Callable[[str], None], pace: FollowPace = DEFAULT_PACE
) -> Iterator[bytes]:
    """The data that is added to the session from now on, then all of a later session of the same agent."""
    file = _opened(session.path)
    file.seek(0, os.SEEK_END)
    return _followed(file, session, cwd, home, notify, pace)


def _followed(
    file: BinaryIO, session: AgentSessionFile, cwd: Path, home: Path, notify: Callable[[str], None], pace: FollowPace
) -> Iterator[bytes]:
    path = session.path
    looked = time.monotonic()
    try:
        while True:
            data = file.read(_CHUNK)
            if data:
                yield data
                continue
            if _is_shorter(file):  # It was written anew.
                file.seek(0)
                continue
            if time.monotonic() - looked > pace.look:
                looked = time.monotonic()
                newer = _newer(session, path, cwd, home)
                if newer is not None:
                    notify(f"A new session began: following {newer}")
                    file.close()
                    path, file = newer, _opened(newer)
                    continue
            time.sleep(pace.pause)
    finally:
        file.close()


def _opened(path: Path) -> BinaryIO:
    try:
        return os.fdopen(open_regular(path), "rb")
    except OSError as error:
        raise UsageError(f"cannot follow {path}: {error.strerror or error}") from error


def _is_shorter(file: BinaryIO) -> bool:
    return os.fstat(file.fileno()).st_size < file.tell()


def _newer(session: AgentSessionFile, path: Path, cwd: Path, home: Path) -> Path | None:
    """The file of a later session, if it changed after the one that is followed."""
    same = [found for found in sessions_of(cwd, home) if found.source == session.source]
    return same[0].path if same and same[0].path != path else None
