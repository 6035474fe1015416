"""The project's configuration: which findings are reported for which files.

Pure: `store.settings.config_file` reads the table. Each mistake is reported with its position and its correction.
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
    """The configuration is invalid. The message names the key and the correction; the reader adds the file's name."""


class ConfigChanges(Struct, frozen=True):
    """The changes of one table. `select` and `dialect` are None if the table does not have them."""

    select: frozenset[str] | None
    ignore: frozenset[str]
    severities: Mapping[str, Severity]
    dialect: DialectId | None

    def applied_to(self, selection: CodeSelection) -> CodeSelection:
        """Returns the selection after these changes. A `select` replaces all earlier selections."""
        codes = (selection.codes if self.select is None else self.select) - self.ignore
        return CodeSelection(codes, MappingProxyType({**selection.severities, **self.severities}))


class Override(Struct, frozen=True):
    """Changes of the configuration for the files that match `paths`."""

    paths: tuple[PathGlob, ...]
    changes: ConfigChanges


class ConfigTables(Struct, frozen=True):
    """The parsed configuration of a project. All paths are relative to its folder, with `/` as separator."""

    base: ConfigChanges
    overrides: tuple[Override, ...]
    exclude: tuple[PathGlob, ...]
    rule_folders: tuple[str, ...]
    features: tuple[str, ...] = ()
    proxy_content: bool = True

    def selection(self, path: str) -> CodeSelection:
        """Returns the codes that are reported for a file."""
        selection = EVERYTHING
        for changes in self._changes(path):
            selection = changes.applied_to(selection)
        return selection

    def dialect(self, path: str) -> DialectId | None:
        """Returns the configured dialect of a file whose dialect cannot be detected; None if there is none."""
        dialects = [changes.dialect for changes in self._changes(path) if changes.dialect is not None]
        return dialects[-1] if dialects else None

    def excludes(self, path: str) -> bool:
        """Returns whether a file is skipped when its folder is checked."""
        return any(glob.matches_any((path,)) for glob in self.exclude)

    def _changes(self, path: str) -> Iterator[ConfigChanges]:
        yield self.base
        for override in self.overrides:
            if any(glob.matches_any((path,)) for glob in override.paths):
                yield override.changes


NO_CHANGES = ConfigChanges(None, frozenset(), MappingProxyType({}), None)
DEFAULT_CONFIG = ConfigTables(NO_CHANGES, (), (), ())
"""The configuration of a project without one."""
_MAX_SHOWN = 10
"""The most mistakes that one message has."""


def read_config(table: Mapping[str, object], place: str) -> ConfigTables:
    """Returns the configuration of a TOML table; `place` names the table in messages. Raises `ConfigError` with all
    mistakes."""
    config, mistakes = _read(table, place)
    if mistakes:
        shown = [mistake.message for mistake in mistakes[:_MAX_SHOWN]]
        more = [f"{len(mistakes) - _MAX_SHOWN:,} more"] if len(mistakes) > _MAX_SHOWN else []
        raise ConfigError(". Also: ".join((*shown, *more)))
    return config


def config_mistakes(table: Mapping[str, object], place: str) -> tuple[ConfigMistake, ...]:
    """Returns all mistakes of a table, except in unfinished values. `place` names the table in messages."""
    return _read(table, place)[1]


def _read(table: Mapping[str, object], place: str) -> tuple[ConfigTables, tuple[ConfigMistake, ...]]:
    mistakes: list[ConfigMistake] = []
    reader = TableReader(table, place, (), mistakes)
    reader.only(keys.CONFIG_KEYS)
    overrides = []
    for number, item in enumerate(reader.tables(keys.OVERRIDES), 1):
        path = (keys.OVERRIDES.name, number - 1)
        inner = TableReader(item, f"override {number} of {place}", path, mistakes)
        inner.only(keys.OVERRIDE_KEYS)
        inner.needs(keys.PATHS, "write the files that it applies to")
        overrides.append(Override(path_globs(inner.texts(keys.PATHS)), _changes(inner)))
    config = ConfigTables(
        _changes(reader),
        tuple(overrides),
        path_globs(reader.texts(keys.EXCLUDE)),
        reader.texts(keys.RULE_FOLDERS),
        reader.texts(keys.FEATURES),
        reader.boolean(keys.PROXY_CONTENT, default=True),
    )
    return config, tuple(mistakes)


def _changes(reader: TableReader) -> ConfigChanges:
    select = reader.codes(keys.SELECT)
    return ConfigChanges(
        _code_set(select) if reader.has(keys.SELECT) else None,
        _code_set(reader.codes(keys.IGNORE)),
        MappingProxyType({code: Severity(severity) for code, severity in reader.severities().items()}),
        reader.dialect(),
    )


def _code_set(names: tuple[str, ...]) -> frozenset[str]:
    return ALL_CODES if keys.ALL in names else frozenset(names)
