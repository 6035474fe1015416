"""The locations and names of session logs, and their retention.

`$XDG_STATE_HOME/ttsr-ls/<workspace>/<time>-<id>.jsonl`, where `<workspace>` is a readable name and a hash of the
workspace's path. The writer and every reader use only these functions.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.files.existence import exists
from ttsr_ls.store.files.file_lock import is_locked, try_lock
from ttsr_ls.store.log.live_output import live_path

_SESSION_FILE = re.compile(r"\d{8}T\d{6}Z-[0-9a-zA-Z_-]{1,80}\.jsonl")
_OURS = "ttsr-ls"
_DAY_MS = 24 * 60 * 60 * 1000


class Retention(Struct, frozen=True):
    """The limits on the logs of each workspace. Logs that exceed any limit are deleted, the oldest first."""

    sessions: int = 200
    days: int = 30
    total_bytes: int = 512 * 1024 * 1024


def state_home(environ: Mapping[str, str], home: Path) -> Path:
    """Returns the folder for state by the XDG base directory specification, which ignores relative paths."""
    name = environ.get("XDG_STATE_HOME", "")
    if name and Path(name).is_absolute():
        return Path(name)
    return home / ".local" / "state"


def workspace_root(folder: Path) -> Path:
    """Returns the workspace of `folder`: the nearest folder upwards that contains `.git`, else `folder` itself.

    So an agent in a subfolder and an editor on the repository have the same workspace.
    """
    start = folder.resolve()
    return next((candidate for candidate in (start, *start.parents) if exists(candidate / ".git")), start)


def workspace_folder(state: Path, workspace: Path) -> Path:
    """Returns the folder with the session logs of a workspace, which need not exist. `state` is that of
    `state_home`."""
    path = str(workspace)
    name = re.sub(r"[^a-z0-9]+", "-", workspace.name.lower()).strip("-")[:40].strip("-") or "root"
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
    return state / _OURS / f"{name}-{digest}"


def log_folder_of(folder: Path) -> Path:
    """Returns the folder with the session logs of the workspace of `folder`, for the current user."""
    return workspace_folder(state_home(os.environ, Path.home()), workspace_root(folder))


def session_file(folder: Path, started_at: int, session: str) -> Path:
    """Returns the log file for a session that started at `started_at` (milliseconds since the epoch). Unsafe characters
    of `session` are replaced."""
    moment = datetime.fromtimestamp(started_at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    safe = re.sub(r"[^0-9a-zA-Z_-]+", "-", session)[:80] or "session"
    return folder / f"{moment}-{safe}.jsonl"


def session_files(folder: Path) -> tuple[Path, ...]:
    """Returns the session logs in a workspace's folder, oldest first, without links and foreign files."""
    return _files(folder, lambda _: True)


def files_of_session(folder: Path, session: str) -> tuple[Path, ...]:
    """Returns the logs of one session in a workspace's folder, as `session_files` does: one for each time that it was
    started."""
    ending = _without_time(session_file(folder, 0, session).name)
    # The names of a folder of hundreds of logs are compared first: a path and a look at the disk take longer.
    return _files(folder, lambda name: _without_time(name) == ending)


def _files(folder: Path, is_wanted: Callable[[str], bool]) -> tuple[Path, ...]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_wanted(entry.name) and _is_session(entry)]
    except OSError:
        return ()
    return tuple(folder / name for name in sorted(names))


def _without_time(name: str) -> str:
    return name.partition("-")[2]


def is_being_written(path: Path) -> bool:
    """Returns whether a writer has a session log open, so that its session is in progress. False without a log."""
    try:
        descriptor = open_regular(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:
        return is_locked(descriptor)
    finally:
        os.close(descriptor)


def are_being_written(logs: Iterable[str]) -> tuple[bool, ...]:
    """Returns `is_being_written` for each of the session logs at these paths."""
    return tuple(is_being_written(Path(log)) for log in logs)


def prune(folder: Path, retention: Retention, now: int) -> tuple[Path, ...]:
    """Deletes the logs that exceed `retention` at `now` (milliseconds since the epoch); a log being written stays.

    Returns the deleted files. A file that cannot be deleted is left to the next session.
    """
    paths: list[Path] = []
    for path in logs_to_prune(folder, retention, now):
        with suppress(OSError):
            if _unlink_idle(path):
                paths.append(path)
    return tuple(paths)


def logs_to_prune(folder: Path, retention: Retention, now: int) -> tuple[Path, ...]:
    """Returns the logs that exceed `retention` at `now`, the newest first, including those that are being written."""
    paths: list[Path] = []
    total = 0
    for number, path in enumerate(reversed(session_files(folder)), start=1):
        try:
            status = path.lstat()
        except OSError:
            continue
        total += status.st_size
        old = now - status.st_mtime * 1000 > retention.days * _DAY_MS
        if old or number > retention.sessions or total > retention.total_bytes:
            paths.append(path)
    return tuple(paths)


def all_session_files(state: Path) -> tuple[Path, ...]:
    """Returns the session logs of all workspaces below `state`."""
    return tuple(path for folder in _folders(state) for path in session_files(folder))


def prune_all(state: Path, retention: Retention, now: int) -> tuple[Path, ...]:
    """Calls `prune` for every workspace below `state`, including those that are not used any more."""
    return tuple(path for folder in _folders(state) for path in prune(folder, retention, now))


def _folders(state: Path) -> list[Path]:
    try:
        with os.scandir(state / _OURS) as entries:
            return sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _unlink_idle(path: Path) -> bool:
    descriptor = open_regular(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        if not try_lock(descriptor):
            return False
        path.unlink()
        live_path(path).unlink(missing_ok=True)
        return True
    finally:
        os.close(descriptor)


def _is_session(entry: os.DirEntry[str]) -> bool:
    if not _SESSION_FILE.fullmatch(entry.name):
        return False
    return stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode)
