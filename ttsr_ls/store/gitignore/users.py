"""The ignore file that a user has for all repositories: `core.excludesFile` of git, or where git looks without it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ttsr_ls.store.files.bounded_file import read_optional_text
from ttsr_ls.store.gitignore.ignore_file import IgnoreFile, IgnoreKind, read_ignore_file

_EXCLUDES = re.compile(r"excludesfile[ \t]*=[ \t]*(?P<value>.*)", re.IGNORECASE)


def users_ignore_file(cwd: Path, home: Path, environ: Mapping[str, str]) -> IgnoreFile | None:
    """Returns the user's ignore file, for paths below `cwd`, as the reference agent finds it; None without one.

    Only the two files of the user are read for the setting, without what they include.
    """
    name = environ.get("XDG_CONFIG_HOME", "")
    config = Path(name) if name else home / ".config"
    for settings in (home / ".gitconfig", config / "git" / "config"):
        excludes = _excludes_file(settings)
        if excludes is not None:
            return read_ignore_file(IgnoreKind.USERS, _expanded(excludes, home), cwd)
    return read_ignore_file(IgnoreKind.USERS, config / "git" / "ignore", cwd)


def _excludes_file(settings: Path) -> str | None:
    """Returns the value of `core.excludesFile` in a file of git's settings."""
    text = read_optional_text(settings)
    if text is None:
        return None
    in_core, value = False, None
    for line in text.splitlines():
        setting = line.strip()
        if setting.startswith("["):
            in_core = setting.lower().startswith("[core]")
            setting = setting.partition("]")[2].strip()
        match = _EXCLUDES.fullmatch(setting)
        if in_core and match is not None:
            value = match["value"].strip().strip('"')
    return value or None


def _expanded(path: str, home: Path) -> Path:
    return home / path[2:] if path.startswith("~/") else Path(path)
