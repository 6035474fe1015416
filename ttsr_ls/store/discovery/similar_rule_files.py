"""Finds files with the name of a rule outside of the agent's locations, which the user may mean.

Bounded: searches only common folders for rules, a few levels deep.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.files.disk_reads import record_read
from ttsr_ls.store.gitignore.ignores import Ignores
from ttsr_ls.store.listing import list_folder, list_tree
from ttsr_ls.syntax.dialects.locations import (
    COPILOT_INSTRUCTIONS,
    HOOKIFY_RULES,
    PACKAGE_RULES,
    PROJECT_RULES,
    RULE_SUFFIXES,
    UNREAD_LOCATIONS,
)
from ttsr_ls.syntax.dialects.table import DIALECTS, OMP

_SUFFIXES = (*RULE_SUFFIXES, ".markdown", ".txt")
_LOCATIONS = tuple(location for dialect in DIALECTS for location in dialect.locations)
# Folders in which, and below which, users put rules.
_TREES = tuple(location.path for location in (*_LOCATIONS, *UNREAD_LOCATIONS) if location is not HOOKIFY_RULES)
_BESIDE = tuple(
    dict.fromkeys(
        (*("/".join(location.folders[:-1]) for location in OMP.locations), HOOKIFY_RULES.path, PACKAGE_RULES.path)
    )
)
_MAX_FILES = 20
_MAX_FOLDERS = 1000
_SPELLINGS = tuple(spelling for suffix in _SUFFIXES for spelling in (suffix, suffix.upper()))


def similar_rule_files(name: str, environment: AgentEnvironment) -> tuple[Path, ...]:
    """Returns the files with the name of a rule, in any case and with any suffix, the nearest first."""
    wanted_name = name.lower()
    found: dict[Path, None] = {}
    for path in _candidates(environment):
        if _bare(path.name) == wanted_name:
            found[path] = None
            if len(found) >= _MAX_FILES:
                break
    return tuple(found)


def _candidates(environment: AgentEnvironment) -> Iterator[Path]:
    for folder in dict.fromkeys((*_upwards(environment), environment.home)):
        for name in _TREES:
            yield from (file.path for file in list_tree(folder / name, _SPELLINGS, Ignores(folder / name, ())).files)
        for name in _BESIDE:
            yield from (file.path for file in list_folder(folder / name, _SPELLINGS, Ignores(folder / name, ())).files)
    for folder in _folders_in(environment.cwd):
        rules = folder / PROJECT_RULES.path
        yield from (file.path for file in list_folder(rules, _SPELLINGS, Ignores(rules, ())).files)


def _upwards(environment: AgentEnvironment) -> Iterator[Path]:
    repository = environment.repository
    for folder in (environment.cwd, *environment.cwd.parents):
        yield folder
        if folder == repository:
            break


def _folders_in(folder: Path) -> list[Path]:
    record_read(folder)
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in islice(entries, _MAX_FOLDERS) if _is_folder(entry))
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")


def _bare(file_name: str) -> str:
    """Returns a file name in lower case, without the prefix and the suffix of rule files."""
    name = file_name.lower()
    ends = (*COPILOT_INSTRUCTIONS.suffixes, *HOOKIFY_RULES.suffixes, *_SUFFIXES)
    suffix = next(suffix for suffix in ends if name.endswith(suffix))
    return name.removesuffix(suffix).removeprefix(HOOKIFY_RULES.prefix)
