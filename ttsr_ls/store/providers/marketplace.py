"""Rules in plugins from marketplaces, as registered by oh-my-pi and Claude Code.

Not read: plugins given on an agent's command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.rules.providers import CLAUDE_PLUGINS, Level
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.limits import DiscoveryLimits
from ttsr_ls.store.files.disk_reads import record_read
from ttsr_ls.store.files.existence import exists, is_folder
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch
from ttsr_ls.store.settings.json_file import object_in, read_json_object
from ttsr_ls.syntax.dialects.locations import PACKAGE_RULES
from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER, OWN_FOLDER

REGISTRY = "installed_plugins.json"


class PluginRoot(Struct, frozen=True):
    """An installed plugin. `is_claudes` is true if only the registry of Claude Code has it."""

    id: str
    path: Path
    level: Level
    is_claudes: bool


def find_marketplace(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """Yields the rules of installed plugins; those of the user's plugins in Claude Code only if enabled."""
    users = search.reads_user_locations(CLAUDE_PLUGINS)
    for root in marketplace_roots(search.environment, search.limits):
        if users or not root.is_claudes or root.level is Level.PROJECT:
            yield from search.rules(root.path, PACKAGE_RULES, CLAUDE_PLUGINS, root.level)


def marketplace_roots(environment: AgentEnvironment, limits: DiscoveryLimits) -> tuple[PluginRoot, ...]:
    """Returns all installed plugins, those of the project first. An entry of oh-my-pi replaces Claude Code's."""
    users = list(_claude_roots(environment))
    for plugin, entries in _plugins(environment.plugins_folder / REGISTRY):
        users = [root for root in users if root.id != plugin]
        users += {root.path: root for root in _roots(plugin, entries, is_claudes=False)}.values()
    project: list[PluginRoot] = []
    folder = project_plugins_folder(environment)
    if folder is not None:
        for plugin, entries in _plugins(folder / REGISTRY):
            roots = _roots(plugin, entries, is_claudes=False)
            project += (replace(root, level=Level.PROJECT) for root in roots)
    shadowed = {root.id for root in project}
    return tuple([*project, *(root for root in users if root.id not in shadowed)][: limits.plugins])


def project_plugins_folder(environment: AgentEnvironment) -> Path | None:
    """Returns the folder of the project's own plugins: in the nearest `.omp` below the home folder, else in the
    repository."""
    upwards = [environment.cwd, *environment.cwd.parents]
    if environment.home in upwards:
        upwards = upwards[: upwards.index(environment.home)]
    for marker, is_marked in ((OWN_FOLDER, is_folder), (".git", exists)):
        for folder in upwards:
            if is_marked(folder / marker):
                return folder / OWN_FOLDER / "plugins"
    return None


def _claude_roots(environment: AgentEnvironment) -> Iterator[PluginRoot]:
    folder = project_plugins_folder(environment)
    project = environment.cwd if folder is None else folder.parent.parent
    switched = _switched_plugins(environment, project)
    for plugin, entries in _plugins(environment.claude_folder / "plugins" / REGISTRY):
        if switched.get(plugin) is False:
            continue
        counting = [
            entry
            for entry in entries
            if entry.get("scope") not in ("local", "project")
            or switched.get(plugin) is True
            or (isinstance(entry.get("projectPath"), str) and _is_same(entry["projectPath"], project))
        ]
        yield from _roots(plugin, counting, is_claudes=True)


def _switched_plugins(environment: AgentEnvironment, project: Path) -> dict[str, bool]:
    """Returns the plugins that Claude Code's settings switch on and off; later files override earlier ones."""
    files = [environment.claude_folder / "settings.json"]
    for folder in dict.fromkeys((project.resolve(), environment.cwd.resolve())):
        files += [folder / CLAUDE_FOLDER / "settings.json", folder / CLAUDE_FOLDER / "settings.local.json"]
    switched: dict[str, bool] = {}
    for file in files:
        plugins = object_in(read_json_object(file), "enabledPlugins")
        switched.update({name: value for name, value in plugins.items() if isinstance(value, bool)})
    return switched


def _plugins(registry: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields the plugins in a registry with their entries. A name without a marketplace is skipped."""
    content = read_json_object(registry)
    if isinstance(content.get("version"), bool) or not isinstance(content.get("version"), int | float):
        return
    for plugin, entries in object_in(content, "plugins").items():
        if "@" in plugin and isinstance(entries, list):
            yield plugin, [entry for entry in entries if isinstance(entry, dict)]


def _roots(plugin: str, entries: Iterable[dict[str, Any]], *, is_claudes: bool) -> Iterator[PluginRoot]:
    for entry in entries:
        path = entry.get("installPath")
        # Path functions raise for a NUL.
        if isinstance(path, str) and path and "\0" not in path and entry.get("enabled") is not False:
            level = Level.PROJECT if entry.get("scope") in ("local", "project") else Level.USER
            yield PluginRoot(plugin, Path(path), level, is_claudes)


def _is_same(path: str, project: Path) -> bool:
    record_read(path)
    try:
        return Path(path).resolve(strict=True) == project.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return False
