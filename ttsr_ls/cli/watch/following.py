"""Follows the session that an agent keeps of a project, and the next one when any agent begins or continues one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import BinaryIO

from msgspec import Struct

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.errors import UsageError
from ttsr_ls.session.output.agent_events import Adapter, AgentEvent, SessionSeen
from ttsr_ls.store.agent_sessions import AgentSessionFile, session_name, sessions_of
from ttsr_ls.store.files.bounded_file import open_regular

_CHUNK = 64 * 1024


class FollowPace(Struct, frozen=True):
    """Times in seconds: between reads, between looks for other sessions, and how long a session has to be still before
    one that began earlier is followed instead. Two sessions that are written at once do not alternate.
    """

    pause: float = 0.2
    look: float = 2.0
    still: float = 30.0


DEFAULT_PACE = FollowPace()


def running_session(cwd: Path, home: Path) -> AgentSessionFile:
    """The session in `cwd` that changed last. Raises UsageError where there is none."""
    found = sessions_of(cwd, home)
    if not found:
        raise UsageError(
            f"there is no session of Claude Code, Codex, Gemini CLI, pi, or oh-my-pi for {cwd}; "
            "name a file with an agent's output, or pipe it in"
        )
    return found[0]


class SessionAdapter:
    """Reads one session after the other, each with the adapter of its agent."""

    def __init__(self, session: AgentSessionFile, cwd: PurePath) -> None:
        self._cwd = cwd
        # The records that name the session are before the first one that is read.
        self._events: list[AgentEvent] = [SessionSeen(session_name(session), "")]
        self._adapter: Adapter = SOURCES[session.source].make(cwd)

    def switch(self, session: AgentSessionFile) -> list[AgentEvent]:
        """Ends the session, and returns the events of its end; `session` comes next."""
        ended = self.finish()
        self._events = [SessionSeen(session_name(session), "")]
        self._adapter = SOURCES[session.source].make(self._cwd)
        return ended

    def feed(self, data: bytes) -> list[AgentEvent]:
        """Returns the events that `data` completes."""
        before, self._events = self._events, []
        return [*before, *self._adapter.feed(data)]

    def finish(self) -> list[AgentEvent]:
        """Ends the last session."""
        before, self._events = self._events, []
        return [*before, *self._adapter.finish()]


def followed_chunks(
    session: AgentSessionFile,
    cwd: Path,
    home: Path,
    switch: Callable[[AgentSessionFile, bool], None],
    pace: FollowPace = DEFAULT_PACE,
) -> Iterator[bytes]:
    """The data that is added to the session from now on, then that of the session that begins or continues next.

    `switch` is called with each later session, and whether it is new: then it is read from its beginning, else from
    where it was. Empty data comes first, and after each switch.
    """
    ends = {found.path: _size(found.path) for found in sessions_of(cwd, home)}
    file = _opened(session.path)
    file.seek(0, os.SEEK_END)
    return _followed(file, session.path, ends, lambda: sessions_of(cwd, home), switch, pace)


def _followed(
    file: BinaryIO,
    path: Path,
    ends: dict[Path, int],
    sessions: Callable[[], tuple[AgentSessionFile, ...]],
    switch: Callable[[AgentSessionFile, bool], None],
    pace: FollowPace,
) -> Iterator[bytes]:
    last_search = last_data = time.monotonic()
    try:
        yield b""
        while True:
            data = file.read(_CHUNK)
            if data:
                last_data = time.monotonic()
                yield data
                continue
            if _is_shorter(file):  # The file was rewritten.
                file.seek(0)
                continue
            now = time.monotonic()
            if now - last_search > pace.look:
                last_search = now
                newest = next(iter(sessions()), None)
                is_new = newest is not None and newest.path not in ends
                if newest is not None and newest.path != path and (is_new or now - last_data > pace.still):
                    try:
                        later = _opened(newest.path)
                    except UsageError:
                        if not newest.path.exists():
                            continue  # Its agent deleted it meanwhile.
                        raise
                    ends[path] = file.tell()
                    file.close()
                    path, file, last_data = newest.path, later, now
                    file.seek(ends.setdefault(path, 0))
                    switch(newest, is_new)
                    yield b""
                    continue
            time.sleep(pace.pause)
    finally:
        file.close()


def _opened(path: Path) -> BinaryIO:
    try:
        return os.fdopen(open_regular(path), "rb")
    except OSError as error:
        raise UsageError(f"cannot follow {path}: {error.strerror or error}") from error


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _is_shorter(file: BinaryIO) -> bool:
    return os.fstat(file.fileno()).st_size < file.tell()
