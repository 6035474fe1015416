"""The agent's own folders: `.omp` in the folder that it runs in, its folder at home, and `RULES.md` in either."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import NATIVE, Level
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.files.disk_reads import record_read
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch, is_file_with_content
from ttsr_ls.syntax.dialects.file_roles import PROJECT_STICKY_NAME, USER_STICKY_NAME, FileRole
from ttsr_ls.syntax.dialects.locations import PACKAGE_RULES, PROJECT_RULES, PROJECT_STICKY


def find_native(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """Yields the rules of the project and of the user, the user's `RULES.md`, and the nearest one of the project."""
    yield from search.rules(search.environment.cwd, PROJECT_RULES, NATIVE, Level.PROJECT)
    yield from search.rules(search.environment.agent_folder, PACKAGE_RULES, NATIVE, Level.USER)
    yield from _sticky(search.environment.agent_folder, USER_STICKY_NAME, Level.USER)
    nearest = _nearest_project_folder(search.environment)
    if nearest is not None:
        yield from _sticky(nearest, PROJECT_STICKY_NAME, Level.PROJECT)


def _sticky(folder: Path, name: str, level: Level) -> Iterator[DiscoveredRule]:
    path = folder / PROJECT_STICKY.names[0]
    if is_file_with_content(path):
        yield DiscoveredRule(path, name, NATIVE.id, level, FileRole.STICKY)


def _nearest_project_folder(environment: AgentEnvironment) -> Path | None:
    """Returns the nearest `.omp` that is not empty, up to the root of the repository; without one, up to the root."""
    repository = environment.repository
    for folder in (environment.cwd, *environment.cwd.parents):
        candidate = folder / PROJECT_STICKY.path
        if _has_entries(candidate):
            return candidate
        if folder == repository:
            break
    return None


def _has_entries(folder: Path) -> bool:
    record_read(folder)
    try:
        return next(folder.iterdir(), None) is not None
    except OSError:
        return False
