"""Follows the session logs of the workspace folders, and hands on what happens in them."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ttsr_ls.store.follow import LogFollower, LoggedEvent
from ttsr_ls.store.session_dirs import state_home, workspace_folder, workspace_root
from ttsr_ls.store.watch import FolderWatch

logger = logging.getLogger(__name__)

OnEvents = Callable[[Path, tuple[LoggedEvent, ...], bool], None]
"""Called on the loop with the workspace, new events of one log folder, and whether they are live: what was there
before the following began is not."""


class Following:
    """Follows one set of folders at a time. Used on the loop only."""

    def __init__(self) -> None:
        self._watch: FolderWatch | None = None
        self._task: asyncio.Task[None] | None = None

    def follow(self, on_events: OnEvents, folders: Iterable[str]) -> None:
        """Follows the logs of the workspaces that `folders` are in, and no others."""
        self.stop()
        loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        workspaces = dict.fromkeys(workspace_root(Path(folder)) for folder in folders)
        state = state_home(os.environ, Path.home())
        followers = {workspace: LogFollower(workspace_folder(state, workspace)) for workspace in workspaces}
        if not followers:
            return

        def on_change() -> None:
            with suppress(RuntimeError):  # The loop is closed: the process ends.
                loop.call_soon_threadsafe(changed.set)

        self._watch = FolderWatch([follower.folder for follower in followers.values()], on_change)
        self._watch.start()
        self._task = loop.create_task(_follow(followers, changed, on_events))

    def stop(self) -> None:
        """Follows nothing any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._watch is not None:
            # It waits for its threads, which may take a moment that nobody needs to wait for.
            asyncio.get_running_loop().run_in_executor(None, self._watch.stop)
            self._watch = None


async def _follow(followers: dict[Path, LogFollower], changed: asyncio.Event, on_events: OnEvents) -> None:
    live = False
    while True:
        for workspace, follower in followers.items():
            await _read(workspace, follower, on_events, live)
        live = True
        await changed.wait()
        changed.clear()


async def _read(workspace: Path, follower: LogFollower, on_events: OnEvents, live: bool) -> None:
    while True:
        events = await asyncio.to_thread(follower.poll)
        if events:
            on_events(workspace, events, live)
        for found in follower.take_problems():
            logger.warning("session log %s: %s", found.log, found.problem.message)
        if not follower.has_more:
            return
