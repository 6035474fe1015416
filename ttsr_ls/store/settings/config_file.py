"""Finds and reads the configuration of a project: ttsr-ls.toml, or `[tool.ttsr-ls]` in pyproject.toml.

The nearest one upwards from a rule file is used, independently of the working directory, so that all editors and
commands agree. The search ends at the root of the repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.config.config import DEFAULT_CONFIG, ConfigError, ConfigTables, read_config
from ttsr_ls.lint.config.config_table import TABLE, misplaced_table
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.selection import EVERYTHING, CodeSelection
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.files.existence import is_file, is_folder, is_named
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.toml.toml_document import TomlError, read_toml

OWN_FILE = "ttsr-ls.toml"
SHARED_FILE = "pyproject.toml"
CONFIG_FILES = (OWN_FILE, SHARED_FILE)
"""The names of configuration files; of two in a folder, the first is used."""
_OWN_NAME = re.compile(rb"ttsr[-_]?ls", re.IGNORECASE)


class ProjectConfig(Struct, frozen=True):
    """A configuration, and the base folder of its paths. `path` is its file, None if the project has none."""

    path: Path | None
    folder: Path
    config: ConfigTables

    def selection(self, path: Path) -> CodeSelection:
        """Returns the codes that are reported for a file."""
        return EVERYTHING if self.path is None else self.config.selection(self._relative_path(path))

    def dialect(self, path: Path) -> DialectId | None:
        """Returns the configured dialect of a file whose dialect cannot be detected; None if there is none."""
        return None if self.path is None else self.config.dialect(self._relative_path(path))

    def applied_to(self, context: LintContext, path: Path) -> LintContext:
        """Returns the lint context with the settings of the file's configuration."""
        return replace(context, selection=self.selection(path), dialect=self.dialect(path))

    def excludes(self, path: Path) -> bool:
        """Returns whether a file is skipped when its folder is checked."""
        return self.path is not None and self.config.excludes(self._relative_path(path))

    @property
    def rule_folders(self) -> tuple[Path, ...]:
        """The further folders with rules; they need not exist."""
        return tuple(Path(os.path.normpath(self.folder / name)) for name in self.config.rule_folders)

    @property
    def missing_folders(self) -> tuple[str, ...]:
        """Messages about configured folders that do not exist, in full sentences."""
        named = zip(self.config.rule_folders, self.rule_folders, strict=True)
        missing = [(name, path) for name, path in named if not is_folder(path)]
        return tuple(
            [f"{self.path} names {name!r} in rule-folders, but there is no folder {path}." for name, path in missing]
        )

    def _relative_path(self, path: Path) -> str:
        absolute = _absolute(path)
        try:
            return absolute.relative_to(self.folder).as_posix()
        except ValueError:
            return absolute.as_posix()


class ConfigFinder:
    """Finds configurations, and caches them by folder, so that each is read once for a run or a state of the disk."""

    def __init__(self) -> None:
        self._known: dict[Path, ProjectConfig] = {}

    @property
    def found(self) -> tuple[ProjectConfig, ...]:
        """The configurations that were found so far, each once."""
        return tuple({config.path: config for config in self._known.values()}.values())

    def config_for(self, folder: Path) -> ProjectConfig:
        """Returns the configuration for the files in a folder. Raises `ConfigError` with the name of the file."""
        folder = _absolute(folder)
        paths: list[Path] = []
        config: ProjectConfig | None = None
        for current in (folder, *folder.parents):
            config = self._known.get(current) or _config_in(current)
            paths.append(current)
            if config is not None or is_named(current / ".git"):
                break
        config = config or ProjectConfig(None, folder, DEFAULT_CONFIG)
        self._known.update(dict.fromkeys(paths, config))
        return config


def config_in_file(path: Path) -> ProjectConfig:
    """Returns the configuration in a file that the user named. Raises `ConfigError` if it has none, or cannot be
    read."""
    config = _read(_absolute(path))
    if config is None:
        raise ConfigError(f"{path} has no table [{'.'.join(TABLE)}]")
    return config


def no_config() -> ProjectConfig:
    """Returns the configuration without any file."""
    return ProjectConfig(None, Path.cwd(), DEFAULT_CONFIG)


def _config_in(folder: Path) -> ProjectConfig | None:
    for name in CONFIG_FILES:
        path = folder / name
        if is_file(path) and (config := _read(path)) is not None:
            return config
    return None


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))


def _read(path: Path) -> ProjectConfig | None:
    """Returns the configuration in a file; None for a pyproject.toml without the table of this program."""
    try:
        data = read_file(path)
    except RuleUnreadableError as error:
        raise ConfigError(str(error)) from error
    return _parse(path, data)


# The server reads the configuration again at each keystroke in a playground; parsing it takes milliseconds.
@lru_cache(8)
def _parse(path: Path, data: bytes) -> ProjectConfig | None:
    is_shared = path.name == SHARED_FILE
    if is_shared and not _OWN_NAME.search(data):
        return None
    try:
        document = read_toml(data)
    except TomlError as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    table: object = document
    if misplaced := misplaced_table(document, is_shared=is_shared):
        raise ConfigError(f"{path}: {misplaced[1]}")
    for name in TABLE if is_shared else ():
        table = table.get(name) if isinstance(table, Mapping) else None
        if table is None:
            return None
    place = f"[{'.'.join(TABLE)}]" if is_shared else "the configuration"
    if not isinstance(table, Mapping):
        raise ConfigError(f"{path}: {place} is no table; write [{'.'.join(TABLE)}] and its keys below")
    try:
        return ProjectConfig(path, path.parent, read_config(table, place))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
