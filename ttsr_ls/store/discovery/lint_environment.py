"""The environment of a rule file for checks; the editor and the command line both use it.

Only files of the same project count: files in the home folder must not affect a check in the project.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.context import IgnoringLine, LintContext, NamedRule
from ttsr_ls.rules.providers import PROVIDERS
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.discovery import EXTRA_PROVIDER, discover, rules_in
from ttsr_ls.store.discovery.project_folders import FoldersOnDisk
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.gitignore.ignore_file import IgnoredBy
from ttsr_ls.store.gitignore.ignores import Ignores, ignores_of
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule
from ttsr_ls.store.settings.settings_files import project_layers
from ttsr_ls.syntax.reader import decode, read_rule

# The rule folders of projects, as the names of the last folders of a path.
_RULE_FOLDERS = tuple(
    (location.folders, provider) for provider in PROVIDERS for location in provider.project if location.folders
)
# A home folder that does not exist, so that no rules and settings of a user are found.
_NO_HOME = ".ttsr-ls-no-home"


class _Project(Struct, frozen=True):
    """The folder in which an agent would run to read the rules of a folder, and the provider that these have."""

    root: Path
    provider: str


class LintEnvironment(Struct, frozen=True):
    """The environment of the rule files of one folder. Paths are relative or absolute, as the path of the folder is.

    `provider` is that of a file that is not on the disk yet; `ignores` are the ignored names in the folder, None if
    they do not matter; `folders` are those of the project, None for rules of no project.
    """

    load_order: tuple[NamedRule, ...]
    layers: SettingsLayers
    settings: Settings
    providers: dict[Path, str]
    ignoring: dict[Path, IgnoringLine]
    provider: str
    ignores: Ignores | None
    folder: Path
    folders: FoldersOnDisk | None

    def context(self, path: Path) -> LintContext:
        """Returns the context for checking the file at `path`."""
        absolute = path.absolute()
        return LintContext(
            provider=self.providers.get(absolute, self.provider),
            load_order=self.load_order,
            settings=self.settings,
            location=str(absolute),
            layers=self.layers,
            ignored_by=self._ignored_by(absolute),
            folders=self.folders,
        )

    def _ignored_by(self, path: Path) -> IgnoringLine | None:
        if path in self.providers or self.ignores is None:
            return self.ignoring.get(path)
        hides = self.ignores.ignoring_pattern(path.name, is_folder=False)
        return None if hides is None else _ignoring_line(hides, self.folder)


def lint_environment(folder: Path) -> LintEnvironment:
    """Returns the settings and other rules on which linting the files of a folder depends. The path may be relative.

    Of several files with one name, those that reserve the name are in the load order.
    """
    absolute = folder.absolute()
    project = _project_of(absolute)
    if project is None:
        found = rules_in(absolute, EXTRA_PROVIDER)
        providers = {rule.path: rule.provider for rule in found}
        order = _load_order(found, folder)
        return LintEnvironment(order, SettingsLayers(()), Settings(), providers, {}, EXTRA_PROVIDER, None, folder, None)
    environment = AgentEnvironment(project.root, project.root / _NO_HOME)
    layers = project_layers(project.root)
    boundary = environment.repository or project.root
    discovery = discover(environment, layers)
    found = tuple(rule for rule in discovery.rules if rule.path.is_relative_to(boundary))
    all_rules = (*found, *(file.found for file in discovery.unseen))
    return LintEnvironment(
        load_order=_load_order(found, folder),
        layers=_shown_layers(layers, folder),
        settings=layers.settings(),
        providers={rule.path: rule.provider for rule in all_rules},
        ignoring={
            rule.path: _ignoring_line(rule.ignored_by, folder) for rule in all_rules if rule.ignored_by is not None
        },
        provider=project.provider,
        ignores=ignores_of(absolute, None),
        folder=folder,
        # The folders of a home folder are no project's.
        folders=None if project.root == Path.home() else FoldersOnDisk(str(project.root)),
    )


def _project_of(folder: Path) -> _Project | None:
    """Returns the project that the rules of a folder belong to; None if it is no rule folder of a project."""
    parts = folder.parts
    for end in range(len(parts), 0, -1):
        for names, provider in _RULE_FOLDERS:
            if (end == len(parts) or provider.is_deep) and parts[max(end - len(names), 0) : end] == names:
                return _Project(Path(*parts[: end - len(names)]), provider.id)
    return None


def _ignoring_line(ignored: IgnoredBy, folder: Path) -> IgnoringLine:
    return IgnoringLine(_shown(ignored.path, folder), ignored.line, ignored.pattern)


def _load_order(found: tuple[DiscoveredRule, ...], folder: Path) -> tuple[NamedRule, ...]:
    count = Counter(rule.name for rule in found)
    return tuple(
        NamedRule(rule.name, _shown(rule.path, folder))
        for rule in found
        if count[rule.name] == 1 or _reserves_name(rule)
    )


def _reserves_name(rule: DiscoveredRule) -> bool:
    """Returns whether a file shadows later ones of its name. A disabled file does not."""
    try:
        text, _ = decode(read_file(rule.path))
    except RuleUnreadableError:
        return False
    return read_rule(text, name=rule.name, path=str(rule.path)).fields.enabled


def _shown_layers(layers: SettingsLayers, folder: Path) -> SettingsLayers:
    return SettingsLayers(
        tuple(
            replace(layer, file=replace(layer.file, path=_shown(Path(layer.file.path), folder)))
            for layer in layers.layers
        )
    )


def _shown(path: Path, folder: Path) -> str:
    """Returns an absolute path in the form in which the user wrote `folder`: absolute, or relative."""
    if folder.is_absolute():
        return str(path)
    if path.parent == folder.absolute():
        return str(folder / path.name)
    return os.path.relpath(path)
