"""Which files of its folder the agent's tools do not write, or only with a person's permission.

An agent that could write its own rules or settings would not be under them, and git runs what is in `.git/hooks`: these
are never written. Files that other programs execute, that agents read as instructions, or that hide files from tools
may be wanted, so a person is asked. A command can do all of that, which is why a person is asked before each.
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


_EXECUTED_FOLDERS = frozenset(
    (".circleci", ".devcontainer", ".direnv", ".git-hooks", ".githooks", ".husky", ".idea", ".vscode", ".zed")
)
_EXECUTED_PAIRS = ((".github", "actions"), (".github", "hooks"), (".github", "workflows"))
_EXECUTED_FILES = frozenset(
    (
        ".bash_profile", ".bashrc", ".envrc", ".exrc", ".gitattributes", ".gitconfig", ".gitlab-ci.yml", ".gitmodules",
        ".lefthook.yml", ".mcp.json", ".mise.toml", ".npmrc", ".nvim.lua", ".nvimrc", ".pnpmfile.cjs",
        ".pre-commit-config.yaml", ".profile", ".tool-versions", ".yarnrc", ".yarnrc.yml", ".zprofile", ".zshenv",
        ".zshrc", "jenkinsfile", "lefthook.yml", "mise.toml", "sitecustomize.py", "usercustomize.py",
    )
)  # fmt: skip
_INSTRUCTION_FILES = frozenset(
    (
        ".cursorrules", ".goosehints", ".roorules", ".rules", ".windsurfrules", "agents.md", "agents.override.md",
        "claude.local.md", "claude.md", "copilot-instructions.md", "gemini.md", "skill.md",
    )
)  # fmt: skip
_IGNORE_FILES = frozenset(
    (".aiexclude", ".claudeignore", ".cursorignore", ".fdignore", ".geminiignore", ".gitignore", ".ignore", ".rgignore")
)


def why_ask(inside: Path) -> str | None:
    """Why a person is asked before a path, relative to the working folder, is written, as a sentence; None: no need."""
    names = _names(inside)
    if not names:
        return None
    if names[-1] in _INSTRUCTION_FILES:
        return "Agents read it as instructions."
    if names[-1] in _IGNORE_FILES:
        return "It hides files from git and from other tools."
    is_executed = names[-1] in _EXECUTED_FILES or not _EXECUTED_FOLDERS.isdisjoint(names)
    if is_executed or any(pair in _EXECUTED_PAIRS for pair in pairwise(names)):
        return "Other programs execute what it holds."
    return None


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
