"""A discovered rule file, and the input of all providers' searches."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from pathlib import Path
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.providers import CLAUDE_PLUGINS, Level, RuleProvider
from ttsr_ls.rules.settings.keys import DISABLED_PROVIDERS, ENABLED_PROVIDERS, SettingKey
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.limits import DISCOVERY_LIMITS, DiscoveryLimits
from ttsr_ls.store.files.disk_reads import record_read
from ttsr_ls.store.files.existence import is_folder, is_unlistable_folder
from ttsr_ls.store.gitignore.ignore_file import MAX_PATTERNS, IgnoredBy
from ttsr_ls.store.gitignore.ignores import ignores_of
from ttsr_ls.store.gitignore.users import users_ignore_file
from ttsr_ls.store.listing import Listing, list_folder, list_tree
from ttsr_ls.store.scoped_names import scoped_names
from ttsr_ls.syntax.dialects.file_roles import FileRole
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS, RULE_SUFFIXES, RuleLocation


class Omission(Enum):
    """The limit because of which discovery left out rule files."""

    FOLDER = auto()
    """The folder has too many entries, or subfolders that are too deep."""
    ALL_RULES = auto()
    """There are too many rule files."""
    IGNORE_PATTERNS = auto()
    """An ignore file has too many patterns, so rule files that it excludes may be read."""


class DiscoveredRule(Struct, frozen=True):
    """A discovered rule file.

    `name` is the name of the rule: the file's without its suffix, except for the few files with a fixed name.
    `provider` is an id of `rules.providers`, or `extra` for folders that a user named. `ignored_by` is why the agent
    does not read the file, None if it does. With an `omission`, it stands for files that were left out: those of the
    folder at `path`, or the file at `path` and all later ones. It may also stand for the ignore file at `path`.
    """

    path: Path
    name: str
    provider: str
    level: Level = Level.PROJECT
    role: FileRole = FileRole.RULE
    ignored_by: IgnoredBy | None = None
    omission: Omission | None = None

    def omission_message(self, limits: DiscoveryLimits) -> str | None:
        """Returns which files were left out, and why; None if it is a rule file."""
        match self.omission:
            case None:
                return None
            case Omission.FOLDER:
                bounds = f"{limits.folder_entries:,} entries, or subfolders below level {limits.folder_depth}"
                return f"cannot read all rules in {self.path}: it has more than {bounds}"
            case Omission.ALL_RULES:
                return f"cannot read {self.path} and later rules: there are more than {limits.rules:,} rule files here"
            case Omission.IGNORE_PATTERNS:
                return (
                    f"cannot read all patterns of {self.path}: it has more than {MAX_PATTERNS:,}, so rules that it "
                    "excludes may be in force"
                )
            case never:
                assert_never(never)


class RuleSearch:
    """The input of providers' searches: the environment, the settings, and the listing of folders with what
    git ignores.
    """

    def __init__(
        self, environment: AgentEnvironment, layers: SettingsLayers, limits: DiscoveryLimits = DISCOVERY_LIMITS
    ) -> None:
        self.environment = environment
        self.layers = layers
        self.limits = limits
        self._users_ignores = users_ignore_file(environment.cwd, environment.home, environment.environ)
        self._enabled = self._names(ENABLED_PROVIDERS)
        self._disabled = self._names(DISABLED_PROVIDERS)

    def is_read(self, provider: RuleProvider) -> bool:
        """Returns whether any location of a provider is read."""
        return provider.id not in self._disabled

    def reads_user_locations(self, provider: RuleProvider) -> bool:
        """Returns whether the locations of a provider in the home folder are read."""
        if not provider.opt_in:
            return True
        opened = {provider.id, "*", "all"}
        if provider is CLAUDE_PLUGINS:
            if self.environment.environ.get("CLAUDE_CONFIG_DIR", "").strip():
                return True
            opened.add("claude")
        return bool(opened & self._enabled)

    def rules(
        self, root: Path, location: RuleLocation, provider: RuleProvider, level: Level
    ) -> Iterator[DiscoveredRule]:
        """Yields the rules at a location in `root`, sorted by name, or by path if subfolders are read, too."""
        folder = root / location.path
        yield from unlistable(folder, provider.id, level)
        if not is_folder(folder):
            return
        listing = (list_tree if provider.is_deep else list_folder)(
            folder, location.suffixes, ignores_of(folder, self._users_ignores), self.limits
        )
        role = FileRole.INSTRUCTIONS if location is COPILOT_INSTRUCTIONS else FileRole.RULE
        for file in listing.files:
            name = rule_name(file.path.name, location.suffixes)
            yield DiscoveredRule(file.path, name, provider.id, level, role, file.ignored_by)
        yield from left_out(folder, listing, provider.id, level)

    def _names(self, key: SettingKey) -> frozenset[str]:
        setting = self.layers.effective(key)
        return frozenset() if setting is None else scoped_names(setting.value, self.environment)


def unlistable(folder: Path, provider: str, level: Level = Level.PROJECT) -> Iterator[DiscoveredRule]:
    """Yields a folder that cannot be listed, or a broken link, in place of its rules. Reading it fails, so it is
    reported as unreadable. Its name has a slash, so it is no rule's name.
    """
    if is_unlistable_folder(folder):
        yield DiscoveredRule(folder, f"{folder.name}/*", provider, level)


def left_out(folder: Path, listing: Listing, provider: str, level: Level = Level.PROJECT) -> Iterator[DiscoveredRule]:
    """Yields a folder whose listing is incomplete, in place of the files that were left out, and ignore files that were
    not read to their ends."""
    if not listing.is_complete:
        yield DiscoveredRule(folder, f"{folder.name}/*", provider, level, omission=Omission.FOLDER)
    for path in listing.incomplete_ignores:
        name = f"{path.parent.name}/{path.name}"
        yield DiscoveredRule(path, name, provider, level, omission=Omission.IGNORE_PATTERNS)


def rule_name(file_name: str, suffixes: tuple[str, ...] = RULE_SUFFIXES) -> str:
    """Returns the name of the rule in a file."""
    return next((file_name.removesuffix(end) for end in suffixes if file_name.endswith(end)), file_name)


def is_file_with_content(path: Path) -> bool:
    """Returns whether there is a file to be read that is not empty."""
    record_read(path)
    try:
        return path.is_file() and path.stat().st_size > 0
    except (OSError, ValueError):
        return False
