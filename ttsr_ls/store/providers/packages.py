"""Rules in extension packages: those that the setting `extensions` names, and those that the agent has installed.

Not read: extensions given on an agent's command line. Unlike the agent, this also reads a package with an invalid
manifest of an agent plugin.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import OMP_PLUGINS, Level
from ttsr_ls.rules.settings.keys import EXTENSIONS
from ttsr_ls.rules.settings.layers import texts_in_list
from ttsr_ls.store.agent_environment import expand_path
from ttsr_ls.store.files.disk_reads import record_read
from ttsr_ls.store.files.existence import exists
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule, RuleSearch
from ttsr_ls.store.providers.marketplace import marketplace_roots, project_plugins_folder
from ttsr_ls.store.settings.json_file import object_in, read_json_object
from ttsr_ls.syntax.dialects.locations import PACKAGE_RULES
from ttsr_ls.syntax.rule_file import ListValue
from ttsr_ls.syntax.settings_locations import CONFIGURATION_FOLDERS


def find_packages(search: RuleSearch) -> Iterator[DiscoveredRule]:
    """Yields the rules of configured packages, then those of installed ones."""
    roots: dict[Path, Level] = {}
    for path, level in (*_configured(search), *_installed(search)):
        roots.setdefault(path, level)
    for path, level in list(roots.items())[: search.limits.packages]:
        yield from search.rules(path, PACKAGE_RULES, OMP_PLUGINS, level)


def _configured(search: RuleSearch) -> Iterator[tuple[Path, Level]]:
    """Yields the folders in the setting `extensions`, of the file with the highest priority that has a list."""
    all_settings = (search.layers.effective(EXTENSIONS), *search.layers.overridden(EXTENSIONS))
    settings = (
        setting for setting in all_settings if setting is not None and not setting.layer.file.is_of_another_program
    )
    setting = next((setting for setting in settings if isinstance(setting.value, ListValue)), None)
    if setting is not None:
        for text, _ in texts_in_list(setting.value):
            if text:
                yield expand_path(text, search.environment), setting.layer.level


def _installed(search: RuleSearch) -> Iterator[tuple[Path, Level]]:
    """Yields the packages of the user and of the project. One of the project replaces the user's."""
    environment = search.environment
    overrides = (environment.cwd / folder / "plugin-overrides.json" for folder in CONFIGURATION_FOLDERS)
    override = next((read_json_object(path) for path in overrides if exists(path)), {})
    disabled = override.get("disabled")
    packages = dict(_packages_in(environment.plugins_folder, Level.USER))
    project = project_plugins_folder(environment)
    if project is not None and project != environment.plugins_folder:
        packages.update(_packages_in(project, Level.PROJECT))
    marketplace = {os.path.realpath(root.path) for root in marketplace_roots(environment, search.limits)}
    for name, (path, level) in packages.items():
        is_disabled = isinstance(disabled, list) and name in disabled
        if not is_disabled and os.path.realpath(path) not in marketplace:
            yield path, level


def _packages_in(folder: Path, level: Level) -> Iterator[tuple[str, tuple[Path, Level]]]:
    modules = folder / "node_modules"
    has_manifest = exists(folder / "package.json")
    dependencies = object_in(read_json_object(folder / "package.json"), "dependencies")
    states = object_in(read_json_object(folder / "omp-plugins.lock.json"), "plugins")
    for name in dict.fromkeys((*dependencies, *states)):
        path = Path(os.path.normpath(modules / name))
        record_read(path)
        if not path.is_relative_to(modules) or (has_manifest and name not in dependencies and not path.is_symlink()):
            continue
        manifest = read_json_object(path / "package.json")
        state = states.get(name)
        is_off = isinstance(state, dict) and not state.get("enabled")
        if any(isinstance(manifest.get(key), dict) for key in ("omp", "pi")) and not is_off:
            yield name, (path, level)
