"""The rule folders of Cursor, Windsurf and Cline, as far as the reference agent reads them."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.rules.providers import CLINE, CURSOR, WINDSURF, Level
from ttsr_ls.store.files.existence import is_file, is_folder, is_named
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch, is_file_with_content
from ttsr_ls.syntax.dialects.locations import CLINE_RULES, CURSOR_RULES, WINDSURF_MEMORIES, WINDSURF_RULES

_CLINE_NAME = "clinerules"


def find_cursor(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """`.cursor/rules` of the folder that the agent runs in."""
    yield from search.rules(search.environment.cwd, CURSOR_RULES, CURSOR, Level.PROJECT)


def find_users_cursor(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """`~/.cursor/rules`."""
    yield from search.rules(search.environment.home, CURSOR_RULES, CURSOR, Level.USER)


def find_windsurf(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """`.windsurf/rules` of the folder that the agent runs in."""
    yield from search.rules(search.environment.cwd, WINDSURF_RULES, WINDSURF, Level.PROJECT)


def find_users_windsurf(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """Windsurf's one file of global rules."""
    path = search.environment.home / WINDSURF_MEMORIES.path / WINDSURF_MEMORIES.names[0]
    if is_file_with_content(path):
        yield DiscoveredRule(path, path.stem, WINDSURF.id, Level.USER)


def find_cline(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """The nearest `.clinerules` upwards, a folder or a file. The search does not end at the repository."""
    for folder in (search.environment.cwd, *search.environment.cwd.parents):
        path = folder / CLINE_RULES.path
        if not is_named(path):
            continue
        if is_folder(path) and not path.is_symlink():
            yield from search.rules(folder, CLINE_RULES, CLINE, Level.PROJECT)
        elif is_file(path):
            yield DiscoveredRule(path, _CLINE_NAME, CLINE.id, Level.PROJECT)
        return
