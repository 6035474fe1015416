"""Follows the session logs of the workspace folders, and passes on their events."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ttsr_ls.store.log.cleared_runs import ClearedMarks, read_cleared
from ttsr_ls.store.log.follow import LogFollower, LoggedEvent
from ttsr_ls.store.log.live_output import LiveDelta, LiveReader, live_logs
from ttsr_ls.store.log.session_dirs import is_being_written, state_home, workspace_folder, workspace_root
from ttsr_ls.store.log.silenced_rules import SilencedRules, read_silenced
from ttsr_ls.store.watch import FolderWatch

logger = logging.getLogger(__name__)

OnEvent = Callable[[Path, LoggedEvent, bool], None]
"""Called on the loop with the workspace, a new event of its session logs, and whether it is live: events that were
logged before the following began are not."""
OnLive = Callable[[Path, tuple[LiveDelta, ...]], bool]
"""Called on the loop with a session log and the deltas of its unfinished answers, when these changed. Returns whether
the session is known; if not, the call is repeated after the next change of the logs."""
OnCleared = Callable[[Path, Path, ClearedMarks], None]
"""Called on the loop with the workspace, its log folder, and its marks (`cleared_runs`), when these changed."""
OnSilenced = Callable[[Path, Mapping[str, SilencedRules]], None]
"""Called on the loop with a workspace's log folder, and the silenced rules of the sessions in which these changed, by
the names of their logs."""


def follow(
    on_event: OnEvent,
    folders: Iterable[str],
    on_cleared: OnCleared = lambda *_: None,
    on_live: OnLive = lambda *_: True,
    on_silenced: OnSilenced = lambda *_: None,
) -> Callable[[], None]:
    """Follows the logs of the workspaces of `folders`. Returns a function that ends this. Runs on the event loop."""
    loop = asyncio.get_running_loop()
    event = asyncio.Event()
    followers = _followers(folders)

    def on_change() -> None:
        with suppress(RuntimeError):  # The loop is closed: the process ends.
            loop.call_soon_threadsafe(event.set)

    watch = FolderWatch([follower.folder for follower in followers.values()], on_change)
    watch.start()
    task = loop.create_task(_follow(followers, event, on_event, on_cleared, on_live, on_silenced))

    def stop() -> None:
        task.cancel()
        # `stop` waits for the threads of the watch, and must not block the loop.
        threading.Thread(target=watch.stop, name="ttsr-ls stop", daemon=True).start()

    return stop


def _followers(folders: Iterable[str]) -> dict[Path, LogFollower]:
    """The followers by workspace. An invalid folder is left out, and does not stop the others."""
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
    on_event: OnEvent,
    on_cleared: OnCleared,
    on_live: OnLive,
    on_silenced: OnSilenced,
) -> None:
    live = False
    cleared: dict[Path, ClearedMarks] = {}
    silenced: dict[Path, Mapping[str, SilencedRules]] = {}
    readers: dict[Path, LiveReader] = {}
    while True:
        for workspace, follower in followers.items():
            # Before the events: cleared runs must not be shown even for a moment.
            marks = await asyncio.to_thread(read_cleared, follower.folder)
            if marks != cleared.get(workspace, ClearedMarks()):
                cleared[workspace] = marks
                on_cleared(workspace, follower.folder, marks)
            rules = await asyncio.to_thread(read_silenced, follower.folder)
            changed = _changed_rules(silenced.get(workspace, {}), rules)
            if changed:
                silenced[workspace] = rules
                on_silenced(follower.folder, changed)
            await _read(workspace, follower, on_event, live)
            # After the events: logged answers must not be shown a second time as unfinished ones.
            for log, deltas in await asyncio.to_thread(_live_deltas, follower.folder, readers):
                if not on_live(log, deltas):
                    # The log was created after the events were read above, and will be read with the next change.
                    readers.pop(log, None)
        live = True
        await event.wait()
        event.clear()


def _changed_rules(
    before: Mapping[str, SilencedRules], after: Mapping[str, SilencedRules]
) -> Mapping[str, SilencedRules]:
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {name: after.get(name, frozenset()) for name in names}


async def _read(workspace: Path, follower: LogFollower, on_event: OnEvent, live: bool) -> None:
    while True:
        for event in await asyncio.to_thread(follower.poll):
            try:
                on_event(workspace, event, live)
            except Exception:  # An agent can log any values: an event that cannot be shown must not hide the others.
                logger.exception("an event of the session log %s cannot be shown", event.log)
        for problem in follower.take_problems():
            logger.warning("session log %s: %s", problem.log, problem.problem.message)
        if not follower.has_more:
            return


def _live_deltas(folder: Path, readers: dict[Path, LiveReader]) -> list[tuple[Path, tuple[LiveDelta, ...]]]:
    """Returns the changed unfinished answers. The file of a killed writer remains, but does not change."""
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
