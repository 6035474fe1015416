"""The files of its folder that the agent's tools never write, or write only with the user's permission.

An agent that could write its own rules or settings would not be bound by them, and git runs the hooks in `.git/hooks`:
these files are never written. For files that other programs execute, that agents read as instructions, or that hide
files from tools, the user is asked. A command can do all of that, so the user is asked before each command.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from pathlib import Path

from ttsr_ls.store.settings.config_file import OWN_FILE
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS, LEGACY_FILES, UNREAD_LOCATIONS, WINDSURF_MEMORIES
from ttsr_ls.syntax.dialects.table import DIALECTS
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS

_GIT = ".git"
_SHORT_GIT = "git~1"
"""The short name of `.git` on Windows."""
# `.github` also contains other files than rules, so only its folder of instructions is guarded.
_LOCATIONS = (
    *(location for dialect in DIALECTS for location in dialect.locations if location is not COPILOT_INSTRUCTIONS),
    *UNREAD_LOCATIONS,
    WINDSURF_MEMORIES,
)
_FOLDERS = frozenset(
    (
        *(location.folders[0] for location in _LOCATIONS), *(settings.folders[0] for settings in SETTINGS_LOCATIONS),
        ".amazonq", ".augment", ".codex", ".continue", ".factory", ".junie", ".kilocode", ".kiro", ".opencode", ".qwen",
        ".roo", ".trae",
    )
)  # fmt: skip
"""Names of agents' folders and files with rules, settings, hooks and commands, at any depth."""


_EXECUTED_FOLDERS = frozenset(
    (
        ".buildkite", ".circleci", ".devcontainer", ".direnv", ".git-hooks", ".githooks", ".husky", ".idea", ".ssh",
        ".vscode", ".yarn", ".zed",
    )
)  # fmt: skip
_EXECUTED_PAIRS = (
    (".cargo", "config"), (".cargo", "config.toml"), (".config", "fish"), (".github", "actions"), (".github", "hooks"),
    (".github", "workflows"),
)  # fmt: skip
_EXECUTED_SUFFIX = ".code-workspace"
_EXECUTED_FILES = frozenset(
    (
        ".bash_aliases", ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".bazelrc", ".dir-locals.el",
        ".drone.yml", ".envrc", ".exrc", ".gdbinit", ".gitattributes", ".gitconfig", ".gitlab-ci.yml", ".gitmodules",
        ".gvimrc", ".inputrc", ".lefthook-local.yml", ".lefthook.yaml", ".lefthook.yml", ".lldbinit", ".login",
        ".lvimrc", ".mcp.json", ".mise.local.toml", ".mise.toml", ".npmrc", ".nvim.lua", ".nvimrc", ".pnpmfile.cjs",
        ".pre-commit-config.yaml", ".profile", ".tool-versions", ".travis.yml", ".vimrc", ".woodpecker.yaml",
        ".woodpecker.yml", ".yarnrc", ".yarnrc.yml", ".zlogin", ".zlogout", ".zprofile", ".zshenv", ".zshrc", "_vimrc",
        "azure-pipelines.yml", "bitbucket-pipelines.yml", "head", "jenkinsfile", "lefthook-local.yml", "lefthook.yaml",
        "lefthook.yml", "mise.local.toml", "mise.toml", "sitecustomize.py", "usercustomize.py",
    )
)  # fmt: skip
"""With `HEAD` in it, a folder may be a bare repository, and git obeys the `config` beside it."""
_INSTRUCTION_FILES = frozenset(
    (
        *LEGACY_FILES, ".aider.conf.yml", ".goosehints", ".roorules", ".rules", "agents.md",
        "agents.override.md", "claude.local.md", "claude.md", "copilot-instructions.md", "crush.md", "gemini.md",
        "opencode.json", "opencode.jsonc", "qwen.md", "skill.md", "warp.md",
    )
)  # fmt: skip
_IGNORE_FILES = frozenset(
    (
        ".aiderignore", ".aiexclude", ".claudeignore", ".clineignore", ".codeiumignore", ".cursorignore",
        ".cursorindexingignore", ".dockerignore", ".fdignore", ".geminiignore", ".gitignore", ".ignore", ".npmignore",
        ".rgignore", ".rooignore",
    )
)  # fmt: skip


def confirmation_reason(path: Path) -> str | None:
    """Returns why the user must be asked before a path of the working folder is written, as a sentence; else None."""
    names = plain_names(path)
    if not names:
        return None
    if names[-1] in _INSTRUCTION_FILES:
        return "Agents read it as instructions."
    if names[-1] in _IGNORE_FILES:
        return "It hides files from git and from other tools."
    is_executed = names[-1] in _EXECUTED_FILES or names[-1].endswith(_EXECUTED_SUFFIX)
    is_executed = is_executed or not _EXECUTED_FOLDERS.isdisjoint(names)
    if is_executed or any(pair in _EXECUTED_PAIRS for pair in pairwise(names)):
        return "Other programs execute what it holds."
    return None


def is_of_git(path: Path) -> bool:
    """Returns whether a path, relative to the working folder, is git's own."""
    return _GIT in plain_names(path)


def is_about_agents(path: Path) -> bool:
    """Returns whether a path, relative to the working folder, is among agents' rules and settings."""
    names = plain_names(path)
    return not _FOLDERS.isdisjoint(names) or OWN_FILE in names or COPILOT_INSTRUCTIONS.contains_folder(names)


def plain_names(path: Path) -> tuple[str, ...]:
    """Returns the parts of a path in a normal form: parts that are equal on some file system become equal."""
    return tuple(map(_plain, path.parts))


def _plain(part: str) -> str:
    """Removes case, invisible characters (HFS+), and what Windows ignores: trailing dots and blanks, a stream name."""
    visible = "".join(character for character in part if unicodedata.category(character) not in ("Cf", "Cc"))
    plain_text = unicodedata.normalize("NFKC", visible).casefold().partition(":")[0].rstrip(". ")
    return _GIT if plain_text == _SHORT_GIT else plain_text
