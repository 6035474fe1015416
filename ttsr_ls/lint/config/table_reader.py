"""Reads the values of one table of the project's configuration, and collects its mistakes.

A wrong value is treated as missing, so that all mistakes of a table are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.config import keys
from ttsr_ls.lint.config.keys import ALL, CODES, DIALECT_NAMES, SEVERITIES, ConfigKey
from ttsr_ls.lint.selection import ALL_CODES
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.toml.toml_tree import Unfinished

ConfigPath = tuple[str | int, ...]
"""The keys and list indices from the table of the configuration to a value."""


class ConfigMistake(Struct, frozen=True):
    """A mistake and its correction. `meant` is the key or value that was probably meant."""

    path: ConfigPath
    message: str
    is_about_key: bool = False
    meant: str | None = None
    missing: ConfigKey | None = None
    """The key that the table at `path` lacks."""
    needs_list: bool = False
    """A text stands where a list of texts is needed."""


class TableReader:
    """Reads a table at `path` of the configuration, which messages call `place`; adds to `mistakes`."""

    def __init__(
        self, table: Mapping[str, object], place: str, path: ConfigPath, mistakes: list[ConfigMistake]
    ) -> None:
        self._table = table
        self._place = place
        self._path = path
        self._mistakes = mistakes

    def only(self, known: tuple[ConfigKey, ...]) -> None:
        """Reports all keys except these."""
        names = [key.name for key in known]
        for name in self._table:
            if name not in names:
                # Both spellings are common in TOML.
                suggestion = nearest_word(name.replace("_", "-"), names)
                hint = f"did you mean `{suggestion}`?" if suggestion else f"it has {_listed(names)}"
                message = f"{self._place} has a key `{name}` that does not exist; {hint}"
                self._wrong((name,), message, is_about_key=True, suggestion=suggestion)

    def has(self, key: ConfigKey) -> bool:
        """Returns whether the table has a key."""
        return key.name in self._table

    def needs(self, key: ConfigKey, purpose: str) -> None:
        """Reports the table if it lacks this key; `purpose` says what to write for it."""
        if not self.has(key):
            message = f"{self._place} has no `{key.name}`: {purpose}, {key.example}"
            self._mistakes.append(ConfigMistake(self._path, message, is_about_key=True, missing=key))

    def texts(self, key: ConfigKey) -> tuple[str, ...]:
        """Returns the strings of a list."""
        return tuple(text for _, text in self._texts(key))

    def boolean(self, key: ConfigKey, *, default: bool) -> bool:
        """Returns a boolean."""
        value = self._table.get(key.name, default)
        if not isinstance(value, bool):
            self._wrong_type(key, value)
            return default
        return value

    def codes(self, key: ConfigKey) -> tuple[str, ...]:
        """Returns the finding codes of a list, which may contain `ALL`."""
        return tuple(
            name for position, name in self._texts(key) if name == ALL or self._is_code(name, key, (key.name, position))
        )

    def tables(self, key: ConfigKey) -> tuple[Mapping[str, object], ...]:
        """Returns the tables of a list."""
        value = self._table.get(key.name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._wrong_type(key, value)
            return ()
        return tuple(value)

    def severities(self) -> Mapping[str, str]:
        """Returns the severities by code."""
        value = self._table.get(keys.SEVERITY.name, {})
        if not isinstance(value, dict):
            self._wrong_type(keys.SEVERITY, value)
            return {}
        found = {}
        for code, severity in value.items():
            path = (keys.SEVERITY.name, code)
            is_known = self._is_code(code, keys.SEVERITY, path, is_about_key=True)
            if severity in SEVERITIES:
                found.update({code: str(severity)} if is_known else {})
                continue
            source = severity if isinstance(severity, str) else _kind(severity)
            message = (
                f"`{keys.SEVERITY.name}` in {self._place} gives `{code}` the severity `{source}`, which does not "
                f"exist; write one of {_listed(SEVERITIES)}, or name the code in `{keys.IGNORE.name}`"
            )
            self._wrong(path, message, suggestion=nearest_word(source, SEVERITIES))
        return found

    def dialect(self) -> DialectId | None:
        """Returns the dialect that the table names; None if it names none."""
        value = self._table.get(keys.DIALECT.name)
        if value is None:
            return None
        if value in DIALECT_NAMES:
            return DialectId(str(value))
        source = value if isinstance(value, str) else _kind(value)
        message = (
            f"`{keys.DIALECT.name}` in {self._place} is `{source}`, which is no dialect; write one of "
            f"{_listed(DIALECT_NAMES)}"
        )
        self._wrong((keys.DIALECT.name,), message, suggestion=nearest_word(source, DIALECT_NAMES))
        return None

    def _texts(self, key: ConfigKey) -> Iterable[tuple[int, str]]:
        value = self._table.get(key.name, [])
        if isinstance(value, str):
            self._mistakes.append(replace(self._type_mistake(key, value), needs_list=True))
            return
        if not isinstance(value, list):
            self._wrong_type(key, value)
            return
        wrong = [position for position, item in enumerate(value) if not isinstance(item, str | Unfinished)]
        if wrong:
            self._wrong_type(key, value, wrong[0])
            return
        yield from ((position, item) for position, item in enumerate(value) if isinstance(item, str))

    def _is_code(self, name: str, key: ConfigKey, path: ConfigPath, *, is_about_key: bool = False) -> bool:
        if name in ALL_CODES:
            return True
        suggestion = nearest_word(name.replace("_", "-"), CODES)
        hint = f"did you mean `{suggestion}`?" if suggestion else "`ttsr-ls explain` lists the codes"
        message = f"`{key.name}` in {self._place} names a code `{name}` that does not exist; {hint}"
        self._wrong(path, message, is_about_key=is_about_key, suggestion=suggestion)
        return False

    def _wrong_type(self, key: ConfigKey, value: object, *item: int) -> None:
        self._mistakes.append(self._type_mistake(key, value, *item))

    def _type_mistake(self, key: ConfigKey, value: object, *item: int) -> ConfigMistake:
        example = "" if "\n" in key.example else f": {key.example}"
        message = f"`{key.name}` in {self._place} is {_kind(value)}; write {key.kind}{example}"
        return ConfigMistake((*self._path, key.name, *item), message)

    def _wrong(
        self, path: ConfigPath, message: str, *, is_about_key: bool = False, suggestion: str | None = None
    ) -> None:
        self._mistakes.append(ConfigMistake((*self._path, *path), message, is_about_key, suggestion))


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
