"""Finds and opens the sessions of opencode.

A session in a database has a path below that of the database, as `opencode.db/SESSION`: no file has such a path.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from ttsr_ls.store.agent_sessions import AgentSessionFile
from ttsr_ls.store.files.existence import exists
from ttsr_ls.store.opencode import database, json_files

_SOURCE = "opencode"
_CHUNK = 64 * 1024
_DATABASES = "opencode*.db"
"""The name of a pre-release version's database contains its channel."""


def data_folder(home: Path, environ: Mapping[str, str]) -> Path:
    """Returns the folder in which opencode stores its sessions."""
    name = environ.get("XDG_DATA_HOME", "")
    return (Path(name) if name else home / ".local" / "share") / "opencode"


def stored_sessions(
    folder: Path, cwd: Path | None = None, *, report: Callable[[Path, OSError], object]
) -> list[AgentSessionFile]:
    """Returns the sessions in the data folder of opencode, those of all folders or of `cwd`.

    Calls `report` with each database that cannot be read.
    """
    directories = None if cwd is None else frozenset((str(cwd), str(cwd.resolve())))
    files: list[AgentSessionFile] = []
    for path in sorted(folder.glob(_DATABASES)):
        try:
            files += sessions_in(path, directories)
        except OSError as error:
            report(path, error)
    # opencode copied the sessions of the files into a database, and kept the files.
    known_names = {session.path.name for session in files}
    for path in json_files.session_files(folder / "storage"):
        if path.stem not in known_names and (directories is None or json_files.directory_of(path) in directories):
            with suppress(FileNotFoundError):  # opencode may delete it meanwhile.
                files.append(AgentSessionFile(path, _SOURCE, path.lstat().st_mtime))
    return files


def sessions_in(path: Path, directories: frozenset[str] | None = None) -> list[AgentSessionFile]:
    """Returns the sessions of a database. Raises OSError if it cannot be read."""
    listed = database.listed_sessions(path, directories)
    return [AgentSessionFile(path / session, _SOURCE, changed) for session, changed in listed if _is_name(session)]


def is_stored_session(path: Path) -> bool:
    """Returns whether the path is that of a session of opencode."""
    return json_files.is_session_file(path) if exists(path) else database.is_database(path.parent)


def session_events(path: Path) -> Generator[bytes, None, None]:
    """Yields the session at such a path as lines of events, several at once. Raises OSError if it cannot be read."""
    events = json_files.session_events(path) if exists(path) else database.session_events(path.parent, path.name)
    lines: list[bytes] = []
    size = 0
    with closing(events):
        for line in events:
            lines.append(line)
            size += len(line)
            if size >= _CHUNK:
                yield b"".join(lines)
                lines, size = [], 0
    yield b"".join(lines)


def _is_name(session: str) -> bool:
    return bool(session) and session not in (".", "..") and not set(session) & {"/", "\0"}
