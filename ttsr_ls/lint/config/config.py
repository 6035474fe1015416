"""The project's configuration: what is reported of which file.

Pure: made of a table that somebody else has read (`store.settings.config_file`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.lint.config import keys
from ttsr_ls.lint.config.table_reader import ConfigMistake, TableReader
from ttsr_ls.lint.finding import Severity
from ttsr_ls.lint.selection import ALL_CODES, EVERYTHING, CodeSelection
from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.syntax.dialects.table import DialectId


class ConfigError(TtsrError):
    """The configuration is invalid; the text names the key and says what to write. The reader adds the file's name."""


class ConfigChanges(Struct, frozen=True):
    """The changes that one table makes. `select` and `dialect` are None where the table does not have them."""

    select: frozenset[str] | None
    ignore: frozenset[str]
    severities: Mapping[str, Severity]
    dialect: DialectId | None

    def applied_to(self, selection: CodeSelection) -> CodeSelection:
        """The selection after these changes: a `select` replaces all earlier selections."""
        codes = (selection.codes if self.select is None else self.select) - self.ignore
        return CodeSelection(codes, MappingProxyType({**selection.severities, **self.severities}))


class Override(Struct, frozen=True):
    """Changes for some files."""

    paths: tuple[PathGlob, ...]
    changes: ConfigChanges


class Config(Struct, frozen=True):
    """A configuration. All paths are from the folder that it is in, with `/` between their parts."""

    base: ConfigChanges
    overrides: tuple[Override, ...]
    exclude: tuple[PathGlob, ...]
    rule_folders: tuple[str, ...]
    features: tuple[str, ...] = ()

    def selection(self, path: str) -> CodeSelection:
        """The codes that are reported for a file."""
        selection = EVERYTHING
        for changes in self._changes(path):
            selection = changes.applied_to(selection)
        return selection

    def dialect(self, path: str) -> DialectId | None:
        """The dialect of a file that cannot be detected; None if the configuration does not name it."""
        said = [changes.dialect for changes in self._changes(path) if changes.dialect is not None]
        return said[-1] if said else None

    def excludes(self, path: str) -> bool:
        """Whether a file is passed over when its folder is checked."""
        return any(glob.matches_any((path,)) for glob in self.exclude)

    def _changes(self, path: str) -> Iterator[ConfigChanges]:
        yield self.base
        for override in self.overrides:
            if any(glob.matches_any((path,)) for glob in override.paths):
                yield override.changes


NO_CHANGES = ConfigChanges(None, frozenset(), MappingProxyType({}), None)
DEFAULT_CONFIG = Config(NO_CHANGES, (), (), ())
"""What holds where a project says nothing."""


def read_config(table: Mapping[str, object], where: str) -> Config:
    """The configuration that a table of TOML is; `where` names the table for people. Raises `ConfigError`."""
    config, mistakes = _read(table, where)
    if mistakes:
        raise ConfigError(mistakes[0].message)
    return config


def config_mistakes(table: Mapping[str, object], where: str) -> tuple[ConfigMistake, ...]:
    """Everything that is wrong with a table; values that are not finished are left out. `where` names the table."""
    return _read(table, where)[1]


def _read(table: Mapping[str, object], where: str) -> tuple[Config, tuple[ConfigMistake, ...]]:
    mistakes: list[ConfigMistake] = []
    reader = TableReader(table, where, (), mistakes)
    reader.only(keys.CONFIG_KEYS)
    overrides = []
    for number, each in enumerate(reader.tables(keys.OVERRIDES), 1):
        path = (keys.OVERRIDES.name, number - 1)
        inner = TableReader(each, f"override {number} of {where}", path, mistakes)
        inner.only(keys.OVERRIDE_KEYS)
        inner.needs(keys.PATHS, "write the files that it is for")
        overrides.append(Override(path_globs(inner.texts(keys.PATHS)), _changes(inner)))
    config = Config(
        _changes(reader),
        tuple(overrides),
        path_globs(reader.texts(keys.EXCLUDE)),
        reader.texts(keys.RULE_FOLDERS),
        reader.texts(keys.FEATURES),
    )
    return config, tuple(mistakes)


def _changes(reader: TableReader) -> ConfigChanges:
    select = reader.codes(keys.SELECT)
    return ConfigChanges(
        _selected(select) if reader.has(keys.SELECT) else None,
        _selected(reader.codes(keys.IGNORE)),
        MappingProxyType({code: Severity(severity) for code, severity in reader.severities().items()}),
        reader.dialect(),
    )


def _selected(names: tuple[str, ...]) -> frozenset[str]:
    return ALL_CODES if keys.ALL in names else frozenset(names)
