"""The files that editors watch for the server: all that affect the findings of rules. Pure."""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePath

from ttsr_ls.rule_tests.case_file_names import SUFFIXES as CASE_FILE_SUFFIXES
from ttsr_ls.rules.path_glob import PathGlob
from ttsr_ls.rules.providers import PROVIDERS
from ttsr_ls.syntax.dialects.locations import PACKAGE_RULES
from ttsr_ls.syntax.dialects.table import DIALECTS
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS

_IGNORE_FILES = (".gitignore", ".ignore")
ALL_FILES = "**/*"
"""Watched in addition by editors that show the number of matches in the workspace."""
_CONFIGURATIONS = ("ttsr-ls.toml", "pyproject.toml")


def watched_globs() -> tuple[str, ...]:
    """The globs of the watched files, relative to a workspace folder, each once."""
    locations = (
        *(location for dialect in DIALECTS for location in dialect.locations),
        *(location for provider in PROVIDERS for location in (*provider.project, *provider.user)),
        PACKAGE_RULES,
    )
    tests = (f"*{suffix}" for suffix in CASE_FILE_SUFFIXES)
    names = (*(location.path for location in SETTINGS_LOCATIONS), *_IGNORE_FILES, *_CONFIGURATIONS, *tests)
    globs = (*(glob for location in locations for glob in location.globs), *(f"**/{name}" for name in names))
    return tuple(dict.fromkeys(globs))


def is_watched(path: str) -> bool:
    """Returns whether one of `watched_globs` matches an absolute path."""
    return any(glob.matches_any((path.replace("\\", "/"),)) for glob in _globs())


def is_of_git(path: str) -> bool:
    """Returns whether a file lies in a `.git` folder: such files change with each git command."""
    return ".git" in PurePath(path).parts


@lru_cache(1)
def _globs() -> tuple[PathGlob, ...]:
    return tuple(PathGlob(glob) for glob in watched_globs())
