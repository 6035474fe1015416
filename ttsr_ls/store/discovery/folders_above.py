"""Rule folders in parent folders, which an agent reads only if it is started there."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from msgspec import Struct

from ttsr_ls.rules.providers import CURSOR, GITHUB, NATIVE, PI_TTSR, WINDSURF
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.gitignore.ignores import Ignores
from ttsr_ls.store.listing import list_folder
from ttsr_ls.syntax.dialects.locations import RuleLocation

_ONLY_HERE = (NATIVE, CURSOR, WINDSURF, GITHUB, PI_TTSR)
"""The providers whose project folders are not searched for upwards (docs/discovery.md)."""

_MAX_FOLDERS = 64


class FolderAbove(Struct, frozen=True):
    """A rule folder `rules` with `files` rule files, and the folder `start` in which an agent would read it."""

    start: Path
    rules: Path
    files: int


def rule_folders_above(environment: AgentEnvironment) -> tuple[FolderAbove, ...]:
    """Returns the rule folders above that an agent in the current folder does not read, the nearest first.

    Searches up to the root of the repository; outside of a repository, below the home folder.
    """
    repository, found = environment.repository, []
    if environment.cwd == repository:
        return ()
    for folder in islice(environment.cwd.parents, _MAX_FOLDERS):
        if folder == environment.home:
            break
        for provider in _ONLY_HERE:
            for location in filter(_is_folder, provider.project):
                rules = folder / location.path
                files = list_folder(rules, location.suffixes, Ignores(rules, ())).files
                if files:
                    found.append(FolderAbove(folder, rules, len(files)))
        if folder == repository:
            break
    return tuple(found)


def _is_folder(location: RuleLocation) -> bool:
    return location.has_many_files
