"""The project's configuration: what is reported of which file.

Pure: made of a table that somebody else has read (`store.settings.config_file`). Each mistake is reported with its
place and what to write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NoReturn

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.lint.config import keys
from ttsr_ls.lint.config.keys import ALL, CODES, DIALECT_NAMES, SEVERITIES, ConfigKey
from ttsr_ls.lint.finding import Severity
from ttsr_ls.lint.selection import ALL_CODES, EVERYTHING, CodeSelection
from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.near_miss import nearest


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
    reader = _Reader(table, where)
    reader.only(keys.CONFIG_KEYS)
    overrides = []
    for number, each in enumerate(reader.tables(keys.OVERRIDES), 1):
        inner = _Reader(each, f"override {number} of {where}")
        inner.only(keys.OVERRIDE_KEYS)
        if not inner.has(keys.PATHS):
            raise ConfigError(f"{inner.where} has no `paths`: write the files that it is for, {keys.PATHS.example}")
        overrides.append(Override(inner.globs(keys.PATHS), inner.changes()))
    return Config(
        reader.changes(),
        tuple(overrides),
        reader.globs(keys.EXCLUDE),
        reader.texts(keys.RULE_FOLDERS),
        reader.texts(keys.FEATURES),
    )


class _Reader:
    """Reads the values of one table, strictly."""

    def __init__(self, table: Mapping[str, object], where: str) -> None:
        self._table = table
        self.where = where

    def only(self, known: tuple[ConfigKey, ...]) -> None:
        names = [key.name for key in known]
        for name in self._table:
            if name not in names:
                # Those who write TOML know both spellings from elsewhere.
                meant = nearest(name.replace("_", "-"), names)
                hint = f"did you mean `{meant}`?" if meant else f"it has {_listed(names)}"
                raise ConfigError(f"{self.where} has a key `{name}` that does not exist; {hint}")

    def has(self, key: ConfigKey) -> bool:
        return key.name in self._table

    def changes(self) -> ConfigChanges:
        select = self._codes(keys.SELECT) if self.has(keys.SELECT) else None
        return ConfigChanges(select, self._codes(keys.IGNORE), self._severities(), self._dialect())

    def texts(self, key: ConfigKey) -> tuple[str, ...]:
        value = self._table.get(key.name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._wrong(key, value)
        return tuple(value)

    def globs(self, key: ConfigKey) -> tuple[PathGlob, ...]:
        return path_globs(self.texts(key))

    def tables(self, key: ConfigKey) -> tuple[Mapping[str, object], ...]:
        value = self._table.get(key.name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._wrong(key, value)
        return tuple(value)

    def _codes(self, key: ConfigKey) -> frozenset[str]:
        names = self.texts(key)
        for name in names:
            if name != ALL:
                self._code(name, key)
        return ALL_CODES if ALL in names else frozenset(names)

    def _code(self, name: str, key: ConfigKey) -> None:
        if name not in ALL_CODES:
            meant = nearest(name.replace("_", "-"), CODES)
            hint = f"did you mean `{meant}`?" if meant else "`ttsr-ls explain` lists the codes"
            raise ConfigError(f"`{key.name}` in {self.where} names a code `{name}` that does not exist; {hint}")

    def _severities(self) -> Mapping[str, Severity]:
        value = self._table.get(keys.SEVERITY.name, {})
        if not isinstance(value, dict):
            self._wrong(keys.SEVERITY, value)
        for code, severity in value.items():
            self._code(code, keys.SEVERITY)
            if severity not in SEVERITIES:
                written = severity if isinstance(severity, str) else _kind(severity)
                raise ConfigError(
                    f"`{keys.SEVERITY.name}` in {self.where} gives `{code}` the severity `{written}`, which does not "
                    f"exist; write one of {_listed(SEVERITIES)}, or name the code in `{keys.IGNORE.name}`"
                )
        return MappingProxyType({code: Severity(severity) for code, severity in value.items()})

    def _dialect(self) -> DialectId | None:
        value = self._table.get(keys.DIALECT.name)
        if value is None:
            return None
        if value not in DIALECT_NAMES:
            written = value if isinstance(value, str) else _kind(value)
            raise ConfigError(
                f"`{keys.DIALECT.name}` in {self.where} is `{written}`, which is no dialect; write one of "
                f"{_listed(DIALECT_NAMES)}"
            )
        return DialectId(str(value))

    def _wrong(self, key: ConfigKey, value: object) -> NoReturn:
        raise ConfigError(f"`{key.name}` in {self.where} is {_kind(value)}; write {key.kind}: {key.example}")


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _kind(value: object) -> str:
    match value:
        case bool():
            return "a boolean"
        case str():
            return "a text"
        case int() | float():
            return "a number"
        case dict():
            return "a table"
        case list():
            return "a list with something else in it"
        case _:
            return "a date or time"
