"""The open sessions of the hook server: a file in the state folder, and a lock that the server holds while it runs.

A killed server leaves the file and releases the lock, so other programs can report that the calls of these sessions are
not checked any more.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from ttsr_ls.escaping import well_formed
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, open_regular, read_file
from ttsr_ls.store.files.file_lock import is_locked, open_lock_file, wait_for_lock
from ttsr_ls.store.files.private_files import PRIVATE_FILE
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.store.hook_server_file import address_file
from ttsr_ls.typed_values import json_decoder

RESTART_COMMAND = "ttsr-ls hooks ensure"
"""The command that starts the hook server again."""


class OpenHookSession(Struct, frozen=True):
    """A session of an agent, and the root of the workspace that it is in."""

    agent: str
    session: str
    workspace: str


_DECODER = json_decoder(tuple[OpenHookSession, ...])


class HookServerLock:
    """Held by the hook server while it runs. `state` is that of `session_dirs.state_home`. Raises OSError."""

    def __init__(self, state: Path) -> None:
        self._path = sessions_file(state)
        self._descriptor = open_lock_file(_lock_file(state))
        # Another server of the same user has another port and the same sessions file: the first one keeps it.
        self._is_held = wait_for_lock(self._descriptor)
        self.record(())

    def record(self, sessions: tuple[OpenHookSession, ...]) -> None:
        """Writes the sessions that are open now. Raises OSError."""
        if self._is_held:
            # The codec rejects lone surrogates, which an agent can put out.
            fields = [{name: well_formed(text) for name, text in asdict(session).items()} for session in sessions]
            replace_file(self._path, msgspec.json.encode(fields) + b"\n", PRIVATE_FILE)

    def release(self) -> None:
        """Releases the lock, as the server ends. The open sessions stay on record."""
        os.close(self._descriptor)


def sessions_file(state: Path) -> Path:
    """Returns the path of the file with the sessions."""
    return address_file(state).with_name("sessions.json")


def open_hook_sessions(state: Path) -> tuple[OpenHookSession, ...]:
    """Returns the sessions that the hook server has, or had when it ended."""
    try:
        return _DECODER.decode(read_file(sessions_file(state)))
    except (RuleUnreadableError, msgspec.DecodeError, UnicodeDecodeError):
        return ()


def is_hook_server_running(state: Path) -> bool:
    """Returns whether a hook server of this user runs."""
    try:
        descriptor = open_regular(_lock_file(state), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:
        return is_locked(descriptor)
    finally:
        os.close(descriptor)


def forget_open_sessions(state: Path) -> None:
    """Removes the record, for example after the last hooks were uninstalled."""
    with suppress(OSError):
        sessions_file(state).unlink(missing_ok=True)


def _lock_file(state: Path) -> Path:
    return address_file(state).with_name("server.lock")
