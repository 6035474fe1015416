"""The sessions whose rules the proxy or `run` enforces: empty files in the state folder.

The hook server looks them up: the hooks of such a session record nothing and decide nothing.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from ttsr_ls.store.files.existence import exists
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders
from ttsr_ls.store.hook_server_file import address_file

PROXY_VARIABLE = "TTSR_LS_PROXY"
"""The environment variable that names the agent which runs behind the proxy, or in `run`. Its hooks inherit it."""

RUN_VARIABLE = "TTSR_LS_PROXY_RUN"
"""The environment variable with the name of one run of an agent. Programs that the agent starts inherit it, too."""

_KEPT_SECONDS = 30 * 24 * 60 * 60


def mark_proxied(state: Path, agent: str, session: str) -> None:
    """Marks a session whose hooks must not enforce rules. `state` is the folder of `session_dirs.state_home`. Raises
    OSError."""
    path = _marker(state, agent, session)
    make_private_folders(path.parent)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), PRIVATE_FILE))
    os.utime(path)
    _remove_old(path.parent)


def proxy_environ(agent: str, *, sees_other_sessions: bool = False) -> dict[str, str]:
    """Returns the variables of one run of an agent behind the proxy, or in `run`.

    `sees_other_sessions`: sessions that the agent starts are enforced in the same way as its own.
    """
    return {PROXY_VARIABLE: agent, RUN_VARIABLE: "" if sees_other_sessions else secrets.token_hex(8)}


def assign_session(state: Path, run: str, session: str) -> None:
    """Records that a run enforces a session that its agent opens, however the session starts. Raises OSError.

    An agent may open several sessions in one process, and each begins as the first one of a new process does.
    """
    path = _marker(state, _ASSIGNED, f"{run}\0{session}")
    make_private_folders(path.parent)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), PRIVATE_FILE))


def is_session_of_run(state: Path, run: str, session: str, source: str) -> bool:
    """Returns whether a session that starts belongs to a run, and not to an agent that the agent of the run started.

    To a run belong the sessions that were assigned to it, the first session, and later ones that its process continues
    with: `source` is the agent's word for how a session started. A new process begins with `startup`. Raises OSError.
    """
    if not run:
        return True
    is_assigned = exists(_marker(state, _ASSIGNED, f"{run}\0{session}"))
    path = _marker(state, _RUN, run)
    make_private_folders(path.parent)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), PRIVATE_FILE)
    except FileExistsError:
        return is_assigned or source in _CONTINUED or path.read_text(encoding="utf-8", errors="replace") == session
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
        file.write(session)
    return True


_RUN = "run"
_ASSIGNED = "claimed"
_CONTINUED = frozenset({"resume", "clear", "compact"})


def unmark_proxied(state: Path, agent: str, session: str) -> None:
    """Removes the mark of a session, which may have none. Raises OSError."""
    _marker(state, agent, session).unlink(missing_ok=True)


def is_proxied(state: Path, agent: str, session: str) -> bool:
    """Returns whether the session is marked."""
    return exists(_marker(state, agent, session))


def _marker(state: Path, agent: str, session: str) -> Path:
    digest = hashlib.sha256(f"{agent}\0{session}".encode("utf-8", "surrogatepass")).hexdigest()
    return address_file(state).parent / "proxied" / digest


def _remove_old(folder: Path) -> None:
    oldest = time.time() - _KEPT_SECONDS
    for path in folder.iterdir():
        with suppress(OSError):
            if path.lstat().st_mtime < oldest:
                path.unlink()
