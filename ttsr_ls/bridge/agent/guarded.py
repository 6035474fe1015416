"""Which files of its folder the agent's tools leave alone: those that say what it may do, and what others run.

An agent that could write its own rules or settings would not be under them, and git runs what is in `.git/hooks`. A
command can do all of that, which is why a person is asked before each.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from ttsr_ls.store.config_file import OWN_FILE

_GIT = ".git"
_FOLDERS = frozenset(
    (".omp", ".pi", ".claude", ".codex", ".gemini", ".agent", ".agents", ".cursor", ".windsurf", ".clinerules")
)
"""Folders and files of agents, with rules, settings, hooks and commands, by name, wherever they are."""
_INSTRUCTIONS = (".github", "instructions")


def is_of_git(inside: Path) -> bool:
    """Whether a path, relative to the working folder, is git's own."""
    return _GIT in _names(inside)


def is_about_agents(inside: Path) -> bool:
    """Whether a path, relative to the working folder, is where agents have their rules and settings."""
    names = _names(inside)
    pairs = pairwise(names)
    return not _FOLDERS.isdisjoint(names) or OWN_FILE in names or _INSTRUCTIONS in pairs


def _names(path: Path) -> tuple[str, ...]:
    """The parts of a path, as file systems compare them that do not tell cases apart."""
    return tuple(part.casefold() for part in path.parts)
