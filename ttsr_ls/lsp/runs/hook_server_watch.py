"""Warns of a hook server that ended while sessions of the workspace were open: their agents continue without rules."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types

from ttsr_ls.store.log.session_dirs import state_home, workspace_root
from ttsr_ls.store.open_hook_sessions import RESTART_COMMAND, is_hook_server_running, open_hook_sessions, sessions_file

INTERVAL = 1.0
"""Seconds between polls: the system does not report the end of the process."""

MAX_AGE = 60 * 60.0
"""The most seconds since the last change of the sessions for a warning. Older sessions have probably ended."""

Messages = list[tuple[types.MessageType, str]]


async def watch_hook_server(folders: Iterable[str], notify: Callable[[types.MessageType, str], None]) -> None:
    """Warns once each time the hook server ended, and reports when it runs again. Runs until it is cancelled."""
    watch = _HookServerWatch(folders)
    while True:
        for kind, message in await asyncio.to_thread(watch.look):
            notify(kind, message)
        await asyncio.sleep(INTERVAL)


class _HookServerWatch:
    def __init__(self, folders: Iterable[str]) -> None:
        self._state = state_home(os.environ, Path.home())
        self._workspaces = frozenset(_workspaces(folders))
        self._changed = 0
        self._agents: tuple[str, ...] = ()
        self._was_running = self._is_warned = False

    def look(self) -> Messages:
        """Returns new messages. Reads the sessions only after they changed."""
        try:
            changed = sessions_file(self._state).stat().st_mtime_ns
        except OSError:
            changed = 0
        if changed != self._changed:
            sessions = open_hook_sessions(self._state) if changed else ()
            here = {session.agent for session in sessions if session.workspace in self._workspaces}
            self._agents, self._changed = tuple(sorted(here)), changed
        if not self._agents and not self._is_warned:
            return []
        return self._messages(is_running=is_hook_server_running(self._state))

    def _messages(self, *, is_running: bool) -> Messages:
        was_running, self._was_running = self._was_running, is_running
        if is_running and self._is_warned:
            self._is_warned = False
            return [(types.MessageType.Info, "The hook server runs again: rules are on.")]
        is_recent = was_running or time.time() - self._changed / 1e9 < MAX_AGE
        if is_running or self._is_warned or not is_recent:
            # Without agents, such as after hooks were uninstalled, the server is not needed.
            self._is_warned = self._is_warned and bool(self._agents)
            return []
        self._is_warned = True
        return [(types.MessageType.Warning, _gone(self._agents))]


def _gone(agents: tuple[str, ...]) -> str:
    # Editors may truncate a message to a line, so the command comes first.
    return (
        f"Rules are off in {', '.join(agents)}: run `{RESTART_COMMAND}`. "
        "The hook server ended while a session was open here."
    )


def _workspaces(folders: Iterable[str]) -> Iterable[str]:
    for folder in folders:
        try:
            yield str(workspace_root(Path(folder)))
        except (OSError, ValueError, RuntimeError):  # `following` reports it.
            continue
