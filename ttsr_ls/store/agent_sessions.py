"""Finds the session files of agents, and those that belong to a folder.

Claude Code keeps one file for each session in a folder named after the project's, as does Gemini CLI; Codex keeps all
of a day in one folder. Of Codex, pi, and oh-my-pi, the first lines of a file name the project's folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.files.bounded_file import read_optional_text
from ttsr_ls.syntax.dialects.locations import PI_RULES
from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER, CODEX_FOLDER, GEMINI_FOLDER, OWN_FOLDER

MAX_OPENED = 200
"""The most files of an agent whose first lines are read, the newest first."""

CLAUDE_SOURCE = "claude-transcript"

_MAX_LINE_LENGTH = 1024 * 1024
_HEAD_LINES = 2
"""The number of lines up to the one that names the folder: oh-my-pi's first has the title of the session."""
_GEMINI = "gemini-chat"
_SUBAGENT = "agent-"
"""How the names of the transcripts of Claude Code's subagents begin. The agent's id follows."""
_PI_FOLDERS = {"pi": PI_RULES.folders[0], "omp": OWN_FOLDER}
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]")


class AgentSessionFile(Struct, frozen=True):
    """A session file. `source` names the adapter that reads it; `changed` is its modification time, in seconds."""

    path: Path
    source: str
    changed: float


def sessions_of(cwd: Path, home: Path) -> tuple[AgentSessionFile, ...]:
    """Returns the sessions of agents in the folder `cwd`, the last modified first."""
    files = [*_claude(cwd, home), *_filter_by_first_lines(cwd, _codex(home)), *_gemini(home, cwd)]
    for source, folder in _PI_FOLDERS.items():
        files += _filter_by_first_lines(cwd, _pi(home, source, folder))
    return tuple(sorted(files, key=lambda session: session.changed, reverse=True))


def all_sessions(home: Path) -> tuple[AgentSessionFile, ...]:
    """Returns all sessions of all agents, the last modified first."""
    files = [
        *_kept((home / CLAUDE_FOLDER / "projects").glob("*/*.jsonl"), CLAUDE_SOURCE),
        *_codex(home),
        *_gemini(home),
    ]
    for source, folder in _PI_FOLDERS.items():
        files += _pi(home, source, folder)
    return tuple(sorted(files, key=lambda session: session.changed, reverse=True))


def _claude(cwd: Path, home: Path) -> Iterator[AgentSessionFile]:
    for folder in {cwd, cwd.resolve()}:
        name = _NOT_PLAIN.sub("-", str(folder))
        yield from _kept((home / CLAUDE_FOLDER / "projects" / name).glob("*.jsonl"), CLAUDE_SOURCE)


def _codex(home: Path) -> Iterator[AgentSessionFile]:
    return _kept((home / CODEX_FOLDER / "sessions").glob("*/*/*/rollout-*.jsonl"), "codex-rollout")


def _pi(home: Path, source: str, folder: str) -> Iterator[AgentSessionFile]:
    return _kept((home / folder / "agent" / "sessions").glob("*/*.jsonl"), source)


def _gemini(home: Path, cwd: Path | None = None) -> Iterator[AgentSessionFile]:
    """Yields the sessions of one folder, or all. Each project has a folder with a file that names the project's."""
    chats = home / GEMINI_FOLDER / "tmp"
    # Earlier versions kept a chat as one JSON value.
    kept = chain(chats.glob("*/chats/session-*.jsonl"), chats.glob("*/chats/session-*.json"))
    folders = None if cwd is None else (str(cwd), str(cwd.resolve()))
    roots: dict[Path, str] = {}
    for session in _kept(kept, _GEMINI):
        root = session.path.parent.parent / ".project_root"
        if folders is not None and root not in roots:
            roots[root] = (read_optional_text(root) or "").strip()
        if folders is None or roots[root] in folders:
            yield session


def _filter_by_first_lines(cwd: Path, files: Iterable[AgentSessionFile]) -> Iterator[AgentSessionFile]:
    """Yields those of the newest files whose first lines name the folder."""
    newest = sorted(files, key=lambda session: session.changed, reverse=True)[:MAX_OPENED]
    for session in newest:
        if _first_value(session.path, "cwd") in (str(cwd), str(cwd.resolve())):
            yield session


def session_name(session: AgentSessionFile) -> str:
    """Returns the name that the agent gives a session; blank if its file does not have it."""
    if session.source == CLAUDE_SOURCE:
        return session.path.stem
    return _first_value(session.path, "sessionId" if session.source == _GEMINI else "id")


def kept_subagent(transcript: Path) -> tuple[str, str] | None:
    """Returns the id and the kind of the subagent whose transcript Claude Code kept in a file of its own; None for
    another file, or if the kind is not known."""
    if not transcript.name.startswith(_SUBAGENT):
        return None
    try:
        described = json.loads(read_optional_text(transcript.with_suffix(".meta.json")) or "null")
    except (ValueError, RecursionError):
        return None
    kind = described.get("agentType") if isinstance(described, dict) else None
    return (transcript.stem.removeprefix(_SUBAGENT), kind) if isinstance(kind, str) and kind else None


def _first_value(path: Path, key: str) -> str:
    """Returns the value of a key in the first lines of a file; blank without one."""
    try:
        with path.open("rb") as file:
            for _ in range(_HEAD_LINES):
                line = json.loads(file.readline(_MAX_LINE_LENGTH))
                head = line if isinstance(line, dict) else {}
                payload = head.get("payload")
                found = (payload if isinstance(payload, dict) else head).get(key)
                if isinstance(found, str):
                    return found
    except (OSError, ValueError, RecursionError):
        pass
    return ""


def _kept(paths: Iterable[Path], source: str) -> Iterator[AgentSessionFile]:
    try:
        for path in paths:
            try:
                state = path.lstat()
            except OSError:
                continue
            # Agents write regular files: links and pipes are skipped.
            if path.is_file() and not path.is_symlink():
                yield AgentSessionFile(path, source, state.st_mtime)
    except OSError:
        return
