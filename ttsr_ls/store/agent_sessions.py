"""Finds the session files of agents, and those that belong to a folder.

Claude Code keeps one file for each session in a folder named after the project's; Codex keeps all of a day in one
folder, and the first line of each names the project's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER, CODEX_FOLDER

MOST_ROLLOUTS = 200
"""How many of Codex's newest files are looked into."""

_LONGEST_FIRST_LINE = 1024 * 1024
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]")


class AgentSessionFile(Struct, frozen=True):
    """A session file. `source` names the adapter that reads it; `changed` is its modification time, in seconds."""

    path: Path
    source: str
    changed: float


def sessions_of(cwd: Path, home: Path) -> tuple[AgentSessionFile, ...]:
    """Returns the sessions of agents in the folder `cwd`, the last modified first."""
    found = [*_claude(cwd, home), *_codex(cwd, home)]
    return tuple(sorted(found, key=lambda session: session.changed, reverse=True))


def all_sessions(home: Path) -> tuple[AgentSessionFile, ...]:
    """Returns all sessions of all agents, the last modified first."""
    claude = _kept((home / CLAUDE_FOLDER / "projects").glob("*/*.jsonl"), "claude-transcript")
    codex = _kept((home / CODEX_FOLDER / "sessions").glob("*/*/*/rollout-*.jsonl"), "codex-rollout")
    return tuple(sorted([*claude, *codex], key=lambda session: session.changed, reverse=True))


def _claude(cwd: Path, home: Path) -> Iterator[AgentSessionFile]:
    for folder in {cwd, cwd.resolve()}:
        name = _NOT_PLAIN.sub("-", str(folder))
        yield from _kept((home / CLAUDE_FOLDER / "projects" / name).glob("*.jsonl"), "claude-transcript")


def _codex(cwd: Path, home: Path) -> Iterator[AgentSessionFile]:
    rollouts = list(_kept((home / CODEX_FOLDER / "sessions").glob("*/*/*/rollout-*.jsonl"), "codex-rollout"))
    rollouts.sort(key=lambda session: session.changed, reverse=True)
    for session in rollouts[:MOST_ROLLOUTS]:
        if _folder_of_rollout(session.path) in (str(cwd), str(cwd.resolve())):
            yield session


def _folder_of_rollout(path: Path) -> str:
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_LONGEST_FIRST_LINE))
    except (OSError, ValueError, RecursionError):
        return ""
    payload = first.get("payload") if isinstance(first, dict) else None
    found = payload.get("cwd") if isinstance(payload, dict) else None
    return found if isinstance(found, str) else ""


def _kept(paths: Iterable[Path], source: str) -> Iterator[AgentSessionFile]:
    try:
        for path in paths:
            try:
                state = path.lstat()
            except OSError:
                continue
            # A link or a pipe is not what an agent keeps.
            if path.is_file() and not path.is_symlink():
                yield AgentSessionFile(path, source, state.st_mtime)
    except OSError:
        return
