"""Follows the session logs of the workspace folders, and passes on their events."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ttsr_ls.store.log.cleared_runs import ClearedMarks, read_cleared
from ttsr_ls.store.log.follow import LogFollower, LoggedEvent
from ttsr_ls.store.log.live_output import LiveDelta, LiveReader, live_logs
from ttsr_ls.store.log.session_dirs import is_being_written, state_home, workspace_folder, workspace_root
from ttsr_ls.store.watch import FolderWatch

logger = logging.getLogger(__name__)

OnEvents = Callable[[Path, tuple[LoggedEvent, ...], bool], None]
"""Called on the loop with the workspace, new events of one log folder, and whether they are live: what was there
before the following began is not."""
OnLive = Callable[[Path, tuple[LiveDelta, ...]], bool]
"""Called on the loop with a session log and the deltas of the unfinished answers, where these changed. Returns whether
the session is known; if not, the call is repeated after the next change of the logs."""
OnCleared = Callable[[Path, Path, ClearedMarks], None]
"""Called on the loop with the workspace, its folder of logs and its marks (`cleared_runs`), where these changed."""


def follow(
    on_events: OnEvents,
    folders: Iterable[str],
    on_cleared: OnCleared = lambda *_: None,
    on_live: OnLive = lambda *_: True,
) -> Callable[[], None]:
    """Follows the logs of the workspaces that `folders` are in. Returns what ends it. For the loop."""
    loop = asyncio.get_running_loop()
    event = asyncio.Event()
    followers = _followers(folders)

    def on_change() -> None:
        with suppress(RuntimeError):  # The loop is closed: the process ends.
            loop.call_soon_threadsafe(event.set)

    watch = FolderWatch([follower.folder for follower in followers.values()], on_change)
    watch.start()
    task = loop.create_task(_follow(followers, event, on_events, on_cleared, on_live))

    def stop() -> None:
        task.cancel()
        # It waits for its threads, for which nobody else should wait.
        threading.Thread(target=watch.stop, name="ttsr-ls stop", daemon=True).start()

    return stop


def _followers(folders: Iterable[str]) -> dict[Path, LogFollower]:
    """By workspace. A folder that cannot be one is left out, and must not stop the others."""
    state = state_home(os.environ, Path.home())
    followers: dict[Path, LogFollower] = {}
    for folder in folders:
        try:
            workspace = workspace_root(Path(folder))
            followers[workspace] = LogFollower(workspace_folder(state, workspace))
        except (OSError, ValueError, RuntimeError) as error:
            logger.warning("triggers of the workspace folder %s are not followed: %s", folder, error)
    return followers


async def _follow(
    followers: dict[Path, LogFollower],
    event: asyncio.Event,
    on_events: OnEvents,
    on_cleared: OnCleared,
    on_live: OnLive,
) -> None:
    live = False
    cleared: dict[Path, ClearedMarks] = {}
    readers: dict[Path, LiveReader] = {}
    while True:
        for workspace, follower in followers.items():
            # Before the events: what was cleared is not shown even for a moment.
            marks = await asyncio.to_thread(read_cleared, follower.folder)
            if marks != cleared.get(workspace, ClearedMarks()):
                cleared[workspace] = marks
                on_cleared(workspace, follower.folder, marks)
            await _read(workspace, follower, on_events, live)
            # After the events: what is in the log is not shown twice.
            for log, deltas in await asyncio.to_thread(_live_deltas, follower.folder, readers):
                if not on_live(log, deltas):
                    # The log was begun after it was read above. Its change is still to come.
                    readers.pop(log, None)
        live = True
        await event.wait()
        event.clear()


async def _read(workspace: Path, follower: LogFollower, on_events: OnEvents, live: bool) -> None:
    while True:
        events = await asyncio.to_thread(follower.poll)
        if events:
            _hand_on(workspace, events, on_events, live)
        for problem in follower.take_problems():
            logger.warning("session log %s: %s", problem.log, problem.problem.message)
        if not follower.has_more:
            return


def _live_deltas(folder: Path, readers: dict[Path, LiveReader]) -> list[tuple[Path, tuple[LiveDelta, ...]]]:
    """Returns the changes of the unfinished answers. A file whose writer was killed stays, and has no change."""
    for log in live_logs(folder):
        if log not in readers and is_being_written(log):
            readers[log] = LiveReader(log)
    changed = []
    for log in [log for log in readers if log.parent == folder]:
        if readers[log].poll():
            changed.append((log, readers[log].deltas))
        if readers[log].is_gone:
            del readers[log]
    return changed


def _hand_on(workspace: Path, events: tuple[LoggedEvent, ...], on_events: OnEvents, live: bool) -> None:
    for event in events:
        try:
            on_events(workspace, (event,), live)
        except Exception:  # Logs hold whatever an agent put out: one event that cannot be shown must not hide the rest.
            logger.exception("an event of the session log %s cannot be shown", event.log)
