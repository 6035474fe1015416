"""What a check of a rule file may know of the files around it; the editor and the command line both ask here.

Only what belongs to the same project counts: what is in somebody's home folder must not change what a check in the
project says.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from ttsr_ls.engine.settings_layers import SettingsLayers
from ttsr_ls.lint.context import IgnoringLine, LintContext, NamedRule
from ttsr_ls.store.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.discovery import EXTRA_PROVIDER, discover, rules_in
from ttsr_ls.store.place import Place
from ttsr_ls.store.providers.found import DiscoveredRule
from ttsr_ls.store.settings_files import project_layers
from ttsr_ls.syntax.reader import decode, read_rule

# Folders of a project in which rules are, by the names of them and of those around them.
_RULE_FOLDERS = (
    (".omp", "rules"), (".agent", "rules"), (".agents", "rules"), (".cursor", "rules"), (".windsurf", "rules"),
    (".github", "instructions"), (".clinerules",), (".omp",),
)  # fmt: skip
# There is no such folder, so nothing of it is found.
_NO_HOME = ".ttsr-ls-no-home"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around the rule files of one folder. Paths are written as that of the folder is."""

    load_order: tuple[NamedRule, ...]
    layers: SettingsLayers
    providers: dict[Path, str]
    ignoring: dict[Path, IgnoringLine]

    def context(self, path: Path) -> LintContext:
        """What a check of the file at `path` may know."""
        absolute = path.absolute()
        return LintContext(
            provider=self.providers.get(absolute, EXTRA_PROVIDER),
            load_order=self.load_order,
            settings=self.layers.settings(),
            location=str(absolute),
            layers=self.layers,
            ignored_by=self.ignoring.get(absolute),
        )


def surroundings_of(folder: Path) -> Surroundings:
    """What is around the files of a folder, which may be a relative path.

    Several files with one name are all in the load order, save for those that leave their name to others.
    """
    absolute = folder.absolute()
    root = _project_of(absolute)
    if root is None:
        found = rules_in(absolute, EXTRA_PROVIDER)
        return Surroundings(
            _load_order(found, folder), SettingsLayers(()), {rule.path: rule.provider for rule in found}, {}
        )
    place = Place(root, root / _NO_HOME)
    layers = _shown_layers(project_layers(root), folder)
    boundary = place.repository or root
    discovery = discover(place, layers)
    found = tuple(rule for rule in discovery.rules if rule.path.is_relative_to(boundary))
    ignoring = {
        file.found.path: IgnoringLine(_shown(ignored.path, folder), ignored.line, ignored.pattern)
        for file in discovery.unseen
        if (ignored := file.found.ignored_by) is not None
    }
    every = (*found, *(file.found for file in discovery.unseen))
    return Surroundings(_load_order(found, folder), layers, {rule.path: rule.provider for rule in every}, ignoring)


def _project_of(folder: Path) -> Path | None:
    """The folder in which an agent would run to read the rules of a folder; None for one that is no rule folder."""
    parts = folder.parts
    for end in range(len(parts), 0, -1):
        for names in _RULE_FOLDERS:
            is_here = end == len(parts) or names == (".github", "instructions")
            if is_here and parts[max(end - len(names), 0) : end] == names:
                return Path(*parts[: end - len(names)])
    return None


def _load_order(found: tuple[DiscoveredRule, ...], folder: Path) -> tuple[NamedRule, ...]:
    count = Counter(rule.name for rule in found)
    return tuple(
        NamedRule(rule.name, _shown(rule.path, folder), rule.provider)
        for rule in found
        if count[rule.name] == 1 or _claims_its_name(rule)
    )


def _claims_its_name(rule: DiscoveredRule) -> bool:
    """Whether a file hides others of its name, as it does unless it is switched off."""
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
    """An absolute path as it is seen from where a person named `folder`."""
    if folder.is_absolute():
        return str(path)
    if path.parent == folder.absolute():
        return str(folder / path.name)
    return os.path.relpath(path)
